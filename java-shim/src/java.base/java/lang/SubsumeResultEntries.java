package java.lang;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Calls of methods with few arguments: an integer counts as a long. Methods with other arguments report
 * each by itself ({@link SubsumeResults#begun}).
 */
final class SubsumeResultEntries {
    private SubsumeResultEntries() {
    }

    @DontInline
    @Hidden
    static long entered(Object receiver, int method) {
        long frame = SubsumeResultFrames.begin(receiver, method);
        return frame == 0 ? 0 : SubsumeResultFrames.enter(frame);
    }

    @DontInline
    @Hidden
    static long entered(Object receiver, long first, int method) {
        long frame = SubsumeResultFrames.begin(receiver, method);
        if (frame == 0) {
            return 0;
        }
        SubsumeResultFrames.input(frame, first);
        return SubsumeResultFrames.enter(frame);
    }

    @DontInline
    @Hidden
    static long entered(Object receiver, Object first, int method) {
        long frame = SubsumeResultFrames.begin(receiver, method);
        if (frame == 0) {
            return 0;
        }
        SubsumeResultFrames.input(frame, first);
        return SubsumeResultFrames.enter(frame);
    }

    @DontInline
    @Hidden
    static long entered(Object receiver, long first, long second, int method) {
        long frame = SubsumeResultFrames.begin(receiver, method);
        if (frame == 0) {
            return 0;
        }
        SubsumeResultFrames.input(frame, first);
        SubsumeResultFrames.input(frame, second);
        return SubsumeResultFrames.enter(frame);
    }

    @DontInline
    @Hidden
    static long entered(Object receiver, long first, Object second, int method) {
        long frame = SubsumeResultFrames.begin(receiver, method);
        if (frame == 0) {
            return 0;
        }
        SubsumeResultFrames.input(frame, first);
        SubsumeResultFrames.input(frame, second);
        return SubsumeResultFrames.enter(frame);
    }

    @DontInline
    @Hidden
    static long entered(Object receiver, Object first, long second, int method) {
        long frame = SubsumeResultFrames.begin(receiver, method);
        if (frame == 0) {
            return 0;
        }
        SubsumeResultFrames.input(frame, first);
        SubsumeResultFrames.input(frame, second);
        return SubsumeResultFrames.enter(frame);
    }

    @DontInline
    @Hidden
    static long entered(Object receiver, Object first, Object second, int method) {
        long frame = SubsumeResultFrames.begin(receiver, method);
        if (frame == 0) {
            return 0;
        }
        SubsumeResultFrames.input(frame, first);
        SubsumeResultFrames.input(frame, second);
        return SubsumeResultFrames.enter(frame);
    }

    @DontInline
    @Hidden
    static long enteredStatic(int method) {
        long frame = SubsumeResultFrames.begin(method);
        return frame == 0 ? 0 : SubsumeResultFrames.enter(frame);
    }

    @DontInline
    @Hidden
    static long enteredStatic(long first, int method) {
        long frame = SubsumeResultFrames.begin(method);
        if (frame == 0) {
            return 0;
        }
        SubsumeResultFrames.input(frame, first);
        return SubsumeResultFrames.enter(frame);
    }

    @DontInline
    @Hidden
    static long enteredStatic(Object first, int method) {
        long frame = SubsumeResultFrames.begin(method);
        if (frame == 0) {
            return 0;
        }
        SubsumeResultFrames.input(frame, first);
        return SubsumeResultFrames.enter(frame);
    }

    @DontInline
    @Hidden
    static long enteredStatic(long first, long second, int method) {
        long frame = SubsumeResultFrames.begin(method);
        if (frame == 0) {
            return 0;
        }
        SubsumeResultFrames.input(frame, first);
        SubsumeResultFrames.input(frame, second);
        return SubsumeResultFrames.enter(frame);
    }

    @DontInline
    @Hidden
    static long enteredStatic(long first, Object second, int method) {
        long frame = SubsumeResultFrames.begin(method);
        if (frame == 0) {
            return 0;
        }
        SubsumeResultFrames.input(frame, first);
        SubsumeResultFrames.input(frame, second);
        return SubsumeResultFrames.enter(frame);
    }

    @DontInline
    @Hidden
    static long enteredStatic(Object first, long second, int method) {
        long frame = SubsumeResultFrames.begin(method);
        if (frame == 0) {
            return 0;
        }
        SubsumeResultFrames.input(frame, first);
        SubsumeResultFrames.input(frame, second);
        return SubsumeResultFrames.enter(frame);
    }

    @DontInline
    @Hidden
    static long enteredStatic(Object first, Object second, int method) {
        long frame = SubsumeResultFrames.begin(method);
        if (frame == 0) {
            return 0;
        }
        SubsumeResultFrames.input(frame, first);
        SubsumeResultFrames.input(frame, second);
        return SubsumeResultFrames.enter(frame);
    }
}
