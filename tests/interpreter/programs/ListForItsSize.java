/** Section 1.2: a list is built and filled, and only asked for its size. */
class ListForItsSize {
    static class Item { int weight; Item(int w) { weight = w; } }
    static class Bag { Item[] items = new Item[4]; int size; void add(Item i) { if (size == items.length) { Item[] more = new Item[2 * size]; for (int k = 0; k < size; k++) more[k] = items[k]; items = more; } items[size++] = i; } int size() { return size; } }

    static Bag contents(int n) { Bag bag = new Bag(); for (int i = 0; i < n; i++) bag.add(new Item(i * i)); return bag; }

    static boolean isEmpty(int n) { return contents(n).size() == 0; }

    public static void main(String[] args) {
        int empty = 0;
        for (int i = 0; i < 40; i++) if (isEmpty(i)) empty++;
        System.out.println(empty);
    }
}
