package office;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;

/** Figures: a regression by normal equations, a moving mean, and a few large numbers. */
public final class Figures {
    private Figures() {}

    public static long run(int round) {
        Random random = new Random(round);
        double[][] rows = new double[400][12];
        double[] values = new double[rows.length];
        for (int row = 0; row < rows.length; row++) {
            for (int at = 0; at < rows[row].length; at++) {
                rows[row][at] = random.nextGaussian();
                values[row] += at * rows[row][at];
            }
        }
        double[] fitted = solve(transposedTimes(rows), transposedTimes(rows, values));
        double[] mean = movingMean(values, 25);
        BigInteger number = BigInteger.valueOf(round + 2);
        for (int step = 0; step < 60; step++) {
            number = number.multiply(BigInteger.valueOf(1_000_003 + step)).add(BigInteger.TEN).mod(BigInteger.ONE.shiftLeft(900));
        }
        return Math.round(Arrays.stream(fitted).sum() * 1000) + Math.round(mean[100] * 1000) + number.toString().hashCode();
    }

    private static double[][] transposedTimes(double[][] rows) {
        int size = rows[0].length;
        double[][] product = new double[size][size];
        for (double[] row : rows) {
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < size; j++) {
                    product[i][j] += row[i] * row[j];
                }
            }
        }
        return product;
    }

    private static double[] transposedTimes(double[][] rows, double[] values) {
        double[] product = new double[rows[0].length];
        for (int row = 0; row < rows.length; row++) {
            for (int i = 0; i < product.length; i++) {
                product[i] += rows[row][i] * values[row];
            }
        }
        return product;
    }

    private static double[] solve(double[][] matrix, double[] right) {
        int size = right.length;
        for (int pivot = 0; pivot < size; pivot++) {
            for (int row = pivot + 1; row < size; row++) {
                double factor = matrix[row][pivot] / matrix[pivot][pivot];
                right[row] -= factor * right[pivot];
                for (int at = pivot; at < size; at++) {
                    matrix[row][at] -= factor * matrix[pivot][at];
                }
            }
        }
        double[] solution = new double[size];
        for (int row = size - 1; row >= 0; row--) {
            double sum = right[row];
            for (int at = row + 1; at < size; at++) {
                sum -= matrix[row][at] * solution[at];
            }
            solution[row] = sum / matrix[row][row];
        }
        return solution;
    }

    private static double[] movingMean(double[] values, int width) {
        double[] means = new double[values.length];
        double sum = 0;
        for (int at = 0; at < values.length; at++) {
            sum += values[at] - (at >= width ? values[at - width] : 0);
            means[at] = sum / Math.min(at + 1, width);
        }
        return means;
    }
}
