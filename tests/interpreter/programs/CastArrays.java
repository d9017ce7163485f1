/** Arrays in locals that are objects to the verifier, and arrays only where they are cast. */
class CastArrays {
    private static int sum(Object numbers) {
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            sum += ((int[]) numbers)[i];
        }
        return sum;
    }

    private static void fill(Object numbers, Object names) {
        for (int i = 0; i < 3; i++) {
            ((int[]) numbers)[i] = i * i;
            ((String[]) names)[i] = i == 1 ? "one" : "other";
        }
    }

    public static void main(String[] args) {
        int[] numbers = new int[3];
        String[] names = new String[3];
        fill(numbers, names);
        System.out.println(sum(numbers) + names[0] + names[1]);
    }
}
