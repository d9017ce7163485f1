/** Arrays of arrays. */
class MultiArrays {
    int[][] grid; Object[][][] cube; long[][] ragged;

    public static void main(String[] args) {
        MultiArrays m = new MultiArrays();
        m.grid = new int[3][4];
        m.cube = new Object[2][2][];
        m.ragged = new long[][] {{1}, {2, 3}, {}};
        for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) m.grid[i][j] = i * j;
        m.grid[1] = m.grid[2];
        m.grid[0][3] = m.grid[1][3];
        m.cube[0][1] = new Object[] {m};
        m.cube[1] = m.cube[0];
        m.ragged[1][0] = m.ragged[1][1];
        int[] row = m.grid[0].clone();
        System.out.println(row[3] + m.ragged[1][0] + (m.cube[1][1][0] == m ? 1 : 0));
    }
}
