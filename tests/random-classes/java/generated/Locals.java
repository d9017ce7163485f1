package generated;

import java.util.Random;

/**
 * Where the bodies keep their values. All are assigned at the start and keep their types, so that any
 * block may jump to any other.
 */
final class Locals {
    final int int0;
    final int int1;
    final int long0;
    final int double0;
    final int float0;
    final int object;
    /** Holds an instance of A or null. */
    final int instance;
    final int array;
    final int throwable;
    /** What the method has computed. */
    final int sum;
    /** Return addresses of subroutines, locks, and what is in flight: typed only for a few instructions. */
    final int scratch;

    /** Behind the arguments, and sometimes so far that instructions need wide operands. */
    Locals(int argumentWords, Random random) {
        int at = argumentWords + (random.nextInt(12) == 0 ? 250 : 0);
        int0 = at;
        int1 = at + 1;
        long0 = at + 2;
        double0 = at + 4;
        float0 = at + 6;
        object = at + 7;
        instance = at + 8;
        array = at + 9;
        throwable = at + 10;
        sum = at + 11;
        scratch = at + 12;
    }
}
