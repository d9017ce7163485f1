package subsume.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What code has executed on its thread, exactly; without start-up, as {@link ExecutesAtMost} says. */
public final class Costs {
    /** Of code that nobody has measured. */
    static final Costs NONE = new Costs("0\t0\t0\n", null);

    /** A method and what it has cost. */
    static final class Part {
        final long calls;
        /** Bytecodes and objects, with those of the JDK's methods that work for it. */
        final long bytecodes;
        final long objects;
        /** With those of the JDK; 0 if bytes are not counted. */
        final long bytes;
        final String className;
        final String method;

        Part(String[] fields) {
            calls = Long.parseLong(fields[0]);
            bytecodes = Long.parseLong(fields[3]);
            objects = Long.parseLong(fields[4]);
            className = fields[5];
            method = fields[6];
            bytes = fields.length > 7 ? Long.parseLong(fields[7]) : 0;
        }
    }

    private final String text;
    private final ClassLoader loader;
    private final long bytecodes;
    private final long objects;
    private final long moved;
    private final long bytes;

    /** As the agent tells them; the loader finds the classes. */
    Costs(String text, ClassLoader loader) {
        this.text = text;
        this.loader = loader;
        String[] sums = text.substring(0, text.indexOf('\n')).split("\t");
        bytecodes = Long.parseLong(sums[0]);
        objects = Long.parseLong(sums[1]);
        moved = Long.parseLong(sums[2]);
        bytes = sums.length > 3 ? Long.parseLong(sums[3]) : -1;
    }

    /** Whether the agent has measured them. If not, all are 0. */
    public boolean isMeasured() {
        return this != NONE;
    }

    /** Executed bytecodes. */
    public long bytecodes() {
        return bytecodes;
    }

    /** Allocated objects and arrays. */
    public long objects() {
        return objects;
    }

    /**
     * Bytes of allocated objects and arrays, without those that native methods and the JVM make; -1
     * if the agent does not count them.
     */
    public long bytes() {
        return bytes;
    }

    /** Elements that {@code System.arraycopy} and copies of arrays have moved. */
    public long moved() {
        return moved;
    }

    /**
     * Calls of methods.
     *
     * @param pattern class and name of the methods, with a dot in between, as in {@link
     *     CallsAtMost#method}
     */
    public long calls(String pattern) {
        long calls = 0;
        for (long ofMethod : callsByMethod(pattern).values()) {
            calls += ofMethod;
        }
        return calls;
    }

    /** The methods that {@link #calls} counts, by class and name: overloads are one method. */
    Map<String, Long> callsByMethod(String pattern) {
        MethodPattern wanted = new MethodPattern(pattern);
        Map<String, Long> calls = new TreeMap<>();
        for (Part part : parts()) {
            if (part.calls > 0 && wanted.matches(part.className, part.method, loader)) {
                calls.merge(part.className + "." + part.method, part.calls, Long::sum);
            }
        }
        return calls;
    }

    /** The methods, what executes most bytecodes first. */
    List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        String[] lines = text.split("\n");
        for (int at = 1; at < lines.length; at++) {
            parts.add(new Part(lines[at].split("\t")));
        }
        return parts;
    }

    /** The loader of the code that was measured. */
    ClassLoader loader() {
        return loader;
    }

    @Override
    public String toString() {
        return isMeasured()
                ? String.format(Locale.ROOT, "%,d bytecodes, %,d objects", bytecodes, objects)
                : "not measured";
    }
}
