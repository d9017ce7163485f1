import java.util.Arrays;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** Vectors of all types, hot enough for C2 to make registers of them, and cold ones, which are objects. */
public final class UsesVectors {
    private UsesVectors() {
    }

    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_128;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_128;
    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_128;
    private static IntVector kept;

    static double floats(float[] from, float[] to, int round) {
        double sum = 0;
        for (int i = 0; i < FLOATS.loopBound(from.length); i += FLOATS.length()) {
            FloatVector v = FloatVector.fromArray(FLOATS, from, i);
            VectorMask<Float> mask = v.compare(VectorOperators.GT, round);
            v.mul(v).add(1f, mask).lanewise(VectorOperators.SQRT).intoArray(to, i);
            sum += v.reduceLanes(VectorOperators.MAX) + mask.trueCount();
        }
        return sum;
    }

    static long ints(int[] values, int round) {
        IntVector sum = IntVector.zero(INTS);
        for (int i = 0; i < INTS.loopBound(values.length); i += INTS.length()) {
            IntVector v = IntVector.fromArray(INTS, values, i);
            sum = sum.add(v.lanewise(VectorOperators.XOR, round).rearrange(VectorShuffle.iota(INTS, 1, 1, true)));
            if (values[i] == round) {
                // The vector has to be an object here.
                kept = v;
            }
        }
        return sum.reduceLanesToLong(VectorOperators.ADD) + (kept == null ? 0 : kept.lane(2));
    }

    static int others(byte[] bytes, int round) {
        int sum = 0;
        for (int i = 0; i < BYTES.loopBound(bytes.length); i += BYTES.length()) {
            ByteVector v = ByteVector.fromArray(BYTES, bytes, i);
            ShortVector s = (ShortVector) v.convertShape(VectorOperators.B2S, ShortVector.SPECIES_256, 0);
            sum += s.add((short) round).reduceLanes(VectorOperators.ADD) + v.eq((byte) round).firstTrue();
        }
        LongVector l = LongVector.broadcast(LongVector.SPECIES_256, round).mul(3);
        DoubleVector d = DoubleVector.broadcast(DoubleVector.SPECIES_256, round / 3d).fma(l.castShape(DoubleVector.SPECIES_256, 0), DoubleVector.zero(DoubleVector.SPECIES_256));
        return sum + (int) d.reduceLanes(VectorOperators.ADD) + Long.hashCode(l.lane(1));
    }

    public static void main(String[] args) {
        float[] from = new float[256];
        float[] to = new float[256];
        int[] values = new int[256];
        byte[] bytes = new byte[256];
        for (int i = 0; i < 256; i++) {
            from[i] = i / 2f;
            values[i] = i * 3;
            bytes[i] = (byte) i;
        }
        double sum = 0;
        for (int round = 0; round < 2500; round++) {
            sum += floats(from, to, round % 100) + ints(values, round % 700) + others(bytes, round % 50);
        }
        System.out.println(sum + " " + Arrays.hashCode(to) + " " + kept);
        System.out.println("vectors were added");
    }
}
