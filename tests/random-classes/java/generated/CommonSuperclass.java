package generated;

/** The superclasses that frames need, known without loading a class. */
final class CommonSuperclass {
    private CommonSuperclass() {}

    /** Of two classes, of which those in {@code folder} belong to a program. */
    static String of(String left, String right, String folder) {
        if (left.equals(right)) {
            return left;
        }
        int depth = Math.min(depth(left, folder), depth(right, folder));
        if (depth >= 0) {
            return folder + "ABC".charAt(depth);
        }
        return isThrowable(left) && isThrowable(right) ? "java/lang/Throwable" : "java/lang/Object";
    }

    /** How many superclasses a class of the chain A, B, C has in it, or -1. */
    private static int depth(String name, String folder) {
        return name.startsWith(folder) && name.length() == folder.length() + 1
                ? "ABC".indexOf(name.charAt(folder.length()))
                : -1;
    }

    private static boolean isThrowable(String name) {
        return name.endsWith("Exception") || name.endsWith("Error")
                || name.endsWith("/Failure") || name.equals("java/lang/Throwable");
    }
}
