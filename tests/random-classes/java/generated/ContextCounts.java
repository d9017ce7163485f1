package generated;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the rewritten classes call: the tree of calling contexts of the only thread. */
public final class ContextCounts {
    private static final List<Context> CONTEXTS = new ArrayList<>(List.of(new Context(0, "")));

    /** The caller of what is entered next; 0 is the root. */
    private static int current;

    private ContextCounts() {}

    private static final class Context {
        final int parent;
        final String method;
        final Map<String, Integer> callees = new HashMap<>();
        long calls;
        long bytecodes;

        Context(int parent, String method) {
            this.parent = parent;
            this.method = method;
        }
    }

    /** A method is entered; returns its context. */
    public static int enter(String method) {
        Integer callee = CONTEXTS.get(current).callees.get(method);
        if (callee == null) {
            callee = CONTEXTS.size();
            CONTEXTS.get(current).callees.put(method, callee);
            CONTEXTS.add(new Context(current, method));
        }
        CONTEXTS.get(callee).calls++;
        current = callee;
        return callee;
    }

    /** Counts bytecodes that are executed next in a context. */
    public static void run(int context, int bytecodes) {
        CONTEXTS.get(context).bytecodes += bytecodes;
        current = context;
    }

    /** A method is about to return. */
    public static void leave(int context) {
        current = CONTEXTS.get(context).parent;
    }

    /** What is entered next has no caller. */
    static void restart() {
        current = 0;
    }

    /** A line for each context: number of the caller's line (from 1, 0 for none), method, calls, bytecodes. */
    static void write(Path file) throws IOException {
        try (Writer out = Files.newBufferedWriter(file)) {
            for (Context context : CONTEXTS.subList(1, CONTEXTS.size())) {
                out.write(context.parent + "\t" + context.method + "\t" + context.calls + "\t" + context.bytecodes + "\n");
            }
        }
    }
}
