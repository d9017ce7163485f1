/** Fields of all types, copied from object to object. */
class Fields {
    static class Record {
        boolean z; byte b; char c; short s; int i; long j; float f; double d; Object o;

        void set(int seed) {
            z = true; b = (byte) seed; c = 'c'; s = 3; i = seed; j = 5L; f = 6f; d = 7.0; o = this;
        }

        void copyFrom(Record other) {
            z = other.z; b = other.b; c = other.c; s = other.s; i = other.i;
            j = other.j; f = other.f; d = other.d; o = other.o;
        }
    }

    public static void main(String[] args) {
        Record first = new Record();
        first.set(4);
        for (int round = 0; round < 3; round++) {
            Record second = new Record();
            second.copyFrom(first);
            if (second.j > 4) {
                first = second;
            }
        }
        System.out.println(first.i + first.s);
    }
}
