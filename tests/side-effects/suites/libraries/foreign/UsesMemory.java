import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;

/** Foreign functions with callbacks, structures by value, and memory of arenas. */
public final class UsesMemory {
    private UsesMemory() {
    }

    private static int calls;

    static int compare(MemorySegment one, MemorySegment other) {
        calls++;
        return Integer.compare(one.get(ValueLayout.JAVA_INT, 0), other.get(ValueLayout.JAVA_INT, 0));
    }

    public static void main(String[] args) throws Throwable {
        Linker linker = Linker.nativeLinker();
        MethodHandle strlen = linker.downcallHandle(linker.defaultLookup().find("strlen").orElseThrow(),
            FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
        StructLayout quotient = MemoryLayout.structLayout(ValueLayout.JAVA_INT.withName("quotient"), ValueLayout.JAVA_INT.withName("rest"));
        MethodHandle div = linker.downcallHandle(linker.defaultLookup().find("div").orElseThrow(),
            FunctionDescriptor.of(quotient, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        MethodHandle toupper = linker.downcallHandle(linker.defaultLookup().find("toupper").orElseThrow(),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT), Linker.Option.critical(false));
        MethodHandle sort = linker.downcallHandle(linker.defaultLookup().find("qsort").orElseThrow(), FunctionDescriptor.ofVoid(
            ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
        MethodHandle compare = MethodHandles.lookup().findStatic(UsesMemory.class, "compare",
            MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
        StructLayout all = MemoryLayout.structLayout(ValueLayout.JAVA_BOOLEAN.withName("flag"), ValueLayout.JAVA_BYTE.withName("small"),
            ValueLayout.JAVA_CHAR.withName("letter"), ValueLayout.JAVA_SHORT.withName("medium"), MemoryLayout.paddingLayout(2),
            ValueLayout.JAVA_LONG.withName("large"), ValueLayout.JAVA_FLOAT.withName("single"), MemoryLayout.paddingLayout(4),
            ValueLayout.JAVA_DOUBLE.withName("twice"));
        VarHandle flag = all.varHandle(PathElement.groupElement("flag"));
        VarHandle letter = all.varHandle(PathElement.groupElement("letter"));
        VarHandle medium = all.varHandle(PathElement.groupElement("medium"));
        VarHandle large = all.varHandle(PathElement.groupElement("large"));
        VarHandle twice = all.varHandle(PathElement.groupElement("twice"));
        VarHandle rest = quotient.varHandle(PathElement.groupElement("rest"));
        long sum = 0;
        for (int i = 0; i < 3000; i++) {
            try (Arena arena = Arena.ofConfined()) {
                sum = sum * 31 + (long) strlen.invokeExact(arena.allocateFrom("text " + i));
                MemorySegment divided = (MemorySegment) div.invokeExact((SegmentAllocator) arena, i, 7);
                sum += (int) rest.get(divided, 0L) + (int) toupper.invokeExact('a' + i % 26);
                if (i % 10 == 0) {
                    MemorySegment array = arena.allocateFrom(ValueLayout.JAVA_INT, 5, i % 9, -i, 8, 0);
                    MemorySegment stub = linker.upcallStub(compare, FunctionDescriptor.of(ValueLayout.JAVA_INT,
                        ValueLayout.ADDRESS.withTargetLayout(ValueLayout.JAVA_INT), ValueLayout.ADDRESS.withTargetLayout(ValueLayout.JAVA_INT)), arena);
                    sort.invokeExact(array, 5L, 4L, stub);
                    sum += array.getAtIndex(ValueLayout.JAVA_INT, 4) - array.getAtIndex(ValueLayout.JAVA_INT, 0);
                }
                MemorySegment struct = arena.allocate(all);
                flag.set(struct, 0L, i % 2 == 0);
                letter.set(struct, 0L, (char) ('a' + i % 26));
                medium.set(struct, 0L, (short) -i);
                large.setVolatile(struct, 0L, i * 1L << 40);
                twice.set(struct, 0L, i / 3d);
                sum += ((boolean) flag.get(struct, 0L) ? 1 : 2) + (char) letter.get(struct, 0L) + (short) medium.get(struct, 0L)
                    + (long) large.getAndAdd(struct, 0L, 5L) % 1000 + (long) (double) twice.get(struct, 0L);
                sum += MemorySegment.ofArray(new char[] {'x', (char) i}).mismatch(MemorySegment.ofArray(new char[] {'x', 'y'}));
            }
        }
        try (Arena arena = Arena.ofShared()) {
            arena.allocate(8).get(ValueLayout.JAVA_LONG, 4);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getClass());
        }
        System.out.println("foreign " + sum + " " + (calls > 100));
    }
}
