/** Arrays copied onto themselves: what is read before it is overwritten. */
class OntoThemselves {
    static int[] numbers = new int[4];
    static Object[] objects = new Object[3];

    public static void main(String[] args) {
        numbers[0] = 4;
        numbers[1] = 2;
        System.arraycopy(numbers, 0, numbers, 0, 2);
        System.arraycopy(numbers, 0, numbers, 1, 2);
        System.arraycopy(numbers, 1, numbers, 0, 3);
        objects[0] = numbers;
        objects[1] = objects;
        System.arraycopy(objects, 0, objects, 0, 3);
        System.out.println(numbers[1]);
        System.out.println(objects[1] == objects);
    }
}
