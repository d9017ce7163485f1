/**
 * Calls the {@code main} of each class that is named, so that many programs need one JVM. Each
 * call is an instruction: the JVM loads the class as it does in a JVM of its own.
 */
public class Together {
    public static void main(String[] programs) throws Throwable {
        String[] none = {};
        for (String program : programs) {
            switch (program) {
                case "Arithmetic" -> Arithmetic.main(none);
                case "ArrayKinds" -> ArrayKinds.main(none);
                case "Bridges" -> Bridges.main(none);
                case "Concatenation" -> Concatenation.main(none);
                case "Enums" -> Enums.main(none);
                case "Inheritance" -> Inheritance.main(none);
                case "InnerClasses" -> InnerClasses.main(none);
                case "Interfaces" -> Interfaces.main(none);
                case "Loops" -> Loops.main(none);
                case "Recursion" -> Recursion.main(none);
                case "Records" -> Records.main(none);
                case "Switches" -> Switches.main(none);
                case "ClassInitialisation" -> ClassInitialisation.main(none);
                case "Constructors" -> Constructors.main(none);
                case "ExceptionsBeforeCalls" -> ExceptionsBeforeCalls.main(none);
                case "ImplicitExceptions" -> ImplicitExceptions.main(none);
                case "Initialisers" -> Initialisers.main(none);
                case "Monitors" -> Monitors.main(none);
                case "ThrowsThroughNative" -> ThrowsThroughNative.main(none);
                case "TryFinally" -> TryFinally.main(none);
                case "Handles" -> Handles.main(none);
                case "HiddenClasses" -> HiddenClasses.main(none);
                case "DefinedByLookup" -> DefinedByLookup.main(none);
                case "Lambdas" -> Lambdas.main(none);
                case "Loaders" -> Loaders.main(none);
                case "MethodReferences" -> MethodReferences.main(none);
                case "Natives" -> Natives.main(none);
                case "ReflectsSimply" -> ReflectsSimply.main(none);
                case "Variables" -> Variables.main(none);
                case "BigNumbers" -> BigNumbers.main(none);
                case "Streams" -> Streams.main(none);
                case "WalksStacks" -> WalksStacks.main(none);
                default -> throw new IllegalArgumentException(program);
            }
        }
    }
}
