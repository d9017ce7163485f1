import java.util.ArrayList;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;

/** Byte Buddy's agent, which retransforms classes of the program and of the JDK that are in use. */
public final class Advises {
    private static final StringBuilder TOLD = new StringBuilder();

    private Advises() {
    }

    /** What is woven into methods. */
    public static final class Doubles {
        /** Behind the method. */
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) int result) {
            result *= 2;
        }
    }

    /** What is advised. */
    public static class Advised {
        private int calls;

        int next() {
            return ++calls;
        }
    }

    public static void main(String[] args) {
        Advised advised = new Advised();
        int before = advised.next();
        var reset = new AgentBuilder.Default().disableClassFormatChanges()
            .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
            .type(ElementMatchers.is(Advised.class))
            .transform((builder, type, loader, module, domain) ->
                builder.visit(Advice.to(Doubles.class).on(ElementMatchers.named("next"))))
            .installOn(ByteBuddyAgent.getInstrumentation());
        int between = advised.next();
        reset.reset(ByteBuddyAgent.getInstrumentation(), AgentBuilder.RedefinitionStrategy.RETRANSFORMATION);
        int after = advised.next();
        new AgentBuilder.Default().disableClassFormatChanges()
            .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
            .ignore(ElementMatchers.none())
            .type(ElementMatchers.is(ArrayList.class))
            .transform((builder, type, loader, module, domain) ->
                builder.visit(Advice.to(Doubles.class).on(ElementMatchers.named("indexOf"))))
            .installOn(ByteBuddyAgent.getInstrumentation());
        TOLD.append(new ArrayList<>(java.util.List.of("a", "b", "c")).indexOf("c"));
        System.out.println(before + " " + between + " " + after + " " + TOLD);
    }
}
