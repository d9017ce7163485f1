package java.util;

/**
 * The class that every verifier has to reject, once {@code BreakControl} has spoiled its only method.
 *
 * <p>It lives in a package of java.base so that it travels in the same {@code --patch-module} folder as the rewritten
 * classes and is linked by the boot loader, as they are.
 */
final class VerifierControl {
    private VerifierControl() {}

    static int answer() {
        return 42;
    }
}
