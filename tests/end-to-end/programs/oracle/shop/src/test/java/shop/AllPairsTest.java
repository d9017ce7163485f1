package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Similar data in each iteration, but never the same only. */
class AllPairsTest {
    @Test
    void product() {
        double[][] left = matrix(7);
        double[][] right = matrix(11);
        double[][] product = new double[24][24];
        for (int i = 0; i < 24; i++) {
            for (int j = 0; j < 24; j++) {
                double sum = 0;
                for (int k = 0; k < 24; k++) {
                    sum += left[i][k] * right[k][j];
                }
                product[i][j] = sum;
            }
        }
        assertEquals(left[0][0] * right[0][0], product[0][0] - rest(left, right), 1e-6);
    }

    private static double rest(double[][] left, double[][] right) {
        double sum = 0;
        for (int k = 1; k < 24; k++) {
            sum += left[0][k] * right[k][0];
        }
        return sum;
    }

    private static double[][] matrix(int seed) {
        double[][] matrix = new double[24][24];
        for (int i = 0; i < 24; i++) {
            for (int j = 0; j < 24; j++) {
                matrix[i][j] = (seed * (i + 1) * 31 + (j + 1) * 17) % 1009;
            }
        }
        return matrix;
    }
}
