/** String concatenation of everything. */
class Concatenations {
    int i = 1; long j = 2; char c = 'c'; boolean z = true; double d = 0.5; float f = 1.5f; Object o; String text = "t";

    public String toString() { return "C" + i; }

    public static void main(String[] args) {
        Concatenations c = new Concatenations();
        String[] made = new String[3];
        for (int n = 0; n < 3; n++) {
            made[n] = "" + n + c.i + c.j + c.c + c.z + c.d + c.f + c.o + c.text + c;
            c.text += n;
            c.o = made[n];
        }
        c.text = made[0] + made[1].length();
        System.out.println(c.text + " " + c.o + (1e10 + c.d) + 1.0e-5 + 100.0f);
    }
}
