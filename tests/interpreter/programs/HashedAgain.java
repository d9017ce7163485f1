/** Section 4.3.2, eclipse: hash codes are computed again whenever a table grows. */
class HashedAgain {
    static class Word { final char[] letters; Word(int n) { letters = new char[8]; for (int i = 0; i < 8; i++) letters[i] = (char) ('a' + (n >> i) % 7); } int hash() { int h = 0; for (char c : letters) h = 31 * h + c; return h & 0x7fffffff; } }
    static class Table {
        Word[] words = new Word[8]; int size;
        void put(Word w) { if (2 * size >= words.length) rehash(); insert(w); size++; }
        void insert(Word w) { int at = w.hash() % words.length; while (words[at] != null) at = (at + 1) % words.length; words[at] = w; }
        void rehash() { Word[] old = words; words = new Word[2 * old.length]; for (Word w : old) if (w != null) insert(w); }
    }

    public static void main(String[] args) {
        Table t = new Table();
        for (int i = 0; i < 100; i++) t.put(new Word(i * 13));
        System.out.println(t.size + t.words.length);
    }
}
