/** Runs another program many times, so that it does more than the JVM does to start. */
class Repeatedly {
    public static void main(String[] args) throws ReflectiveOperationException {
        var main = Class.forName(args[0]).getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        int times = Integer.parseInt(args[1]);
        var out = System.out;
        System.setOut(new java.io.PrintStream(java.io.OutputStream.nullOutputStream()));
        for (int i = 0; i < times; i++) {
            main.invoke(null, (Object) new String[0]);
        }
        System.setOut(out);
        System.out.println("done");
    }
}
