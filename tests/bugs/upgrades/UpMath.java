package app;

import java.util.Random;
import office.Office;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.fraction.BigFraction;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.LUDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.random.MersenneTwister;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;
import org.apache.commons.math3.util.ArithmeticUtils;
import org.apache.commons.math3.util.FastMath;

/** Statistics of measured values. */
public final class UpMath {
    public static void main(String[] arguments) {
        int days = Office.days(arguments, 25);
        for (int day = 0; day < days; day++) {
            Office.add(measured(day));
        }
        Office.close();
    }

    private static long measured(int day) {
        Random random = new Random(day);
        MersenneTwister twister = new MersenneTwister(day);
        DescriptiveStatistics statistics = new DescriptiveStatistics();
        long divisors = 0;
        for (int value = 0; value < 3_000; value++) {
            statistics.addValue(twister.nextGaussian() + FastMath.sin(value) * FastMath.exp(-value / 500.0));
            divisors += ArithmeticUtils.gcd(1 + random.nextInt(100_000), 1 + random.nextInt(100_000));
            divisors += twister.nextInt(1_000);
        }
        double quartiles = statistics.getPercentile(25) + statistics.getPercentile(75) + statistics.getStandardDeviation();
        RealMatrix matrix = new Array2DRowRealMatrix(40, 40);
        for (int row = 0; row < 40; row++) {
            for (int column = 0; column < 40; column++) {
                matrix.setEntry(row, column, random.nextGaussian());
            }
        }
        double determinant = new LUDecomposition(matrix.multiply(matrix.transpose())).getDeterminant();
        BigFraction sum = BigFraction.ZERO;
        for (int term = 1; term < 40; term++) {
            sum = sum.add(new BigFraction(1, term));
        }
        double student = new TDistribution(9).inverseCumulativeProbability(0.3 + day / 1_000.0);
        return divisors + Math.round(quartiles * 1_000) + sum.hashCode() + Math.round(student * 1_000) + (determinant > 0 ? 1 : 0);
    }
}
