import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;

/**
 * Vectors, masks and shuffles that C2 holds in registers, and that the JVM makes objects of
 * where compiled code is left.
 */
public class Vectors {
    static Object sink;

    static double step(float[] from, float[] to, int[] counts, boolean rare) {
        var species = FloatVector.SPECIES_128;
        var ints = IntVector.SPECIES_128;
        double sum = 0;
        for (int i = 0; i < species.loopBound(from.length); i += species.length()) {
            FloatVector vector = FloatVector.fromArray(species, from, i);
            VectorMask<Float> above = vector.compare(VectorOperators.GT, 2f);
            VectorShuffle<Float> turned = VectorShuffle.iota(species, 3, -1, true);
            FloatVector product = vector.mul(vector).add(1f).lanewise(VectorOperators.SQRT).blend(vector, above);
            IntVector counted = IntVector.fromArray(ints, counts, i).add(i);
            if (rare) {
                sink = product + " " + above + turned + counted;
            }
            product.rearrange(turned).intoArray(to, i);
            counted.intoArray(counts, i);
            sum += product.reduceLanes(VectorOperators.MAX) + above.trueCount();
        }
        return sum;
    }

    public static void main(String[] arguments) {
        float[] from = new float[64];
        float[] to = new float[64];
        int[] counts = new int[64];
        for (int i = 0; i < from.length; i++) {
            from[i] = i / 10f;
        }
        double sum = 0;
        for (int round = 0; round < 15_000; round++) {
            sum += step(from, to, counts, round == 14_000);
        }
        System.out.println(sum + " " + sink + Arrays.toString(to) + Arrays.toString(counts));
        System.out.println(DoubleVector.broadcast(DoubleVector.SPECIES_128, 2.5).add(1));
    }
}
