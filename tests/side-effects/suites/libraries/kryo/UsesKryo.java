import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.unsafe.UnsafeInput;
import com.esotericsoftware.kryo.unsafe.UnsafeOutput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Objects with fields of every type to bytes and back, by Kryo's two kinds of output. */
public final class UsesKryo {
    private UsesKryo() {
    }

    public enum Colour {
        RED, GREEN
    }

    public static class All {
        boolean flag;
        byte small;
        char letter;
        short medium;
        int number;
        long large;
        float single;
        double twice;
        String text;
        Object any;
        boolean[] flags;
        char[] letters;
        double[] doubles;
        Boolean flagBox;
        Character letterBox;
        Short mediumBox;
        Byte smallBox;
        transient int left = 7;
        Colour colour;
        All next;
        List<Object> list = new ArrayList<>();
        Map<Object, Object> map = new HashMap<>();
        Map<Colour, Integer> byColour = new TreeMap<>();

        static All of(int i) {
            All all = new All();
            all.flag = i % 2 == 0;
            all.small = (byte) i;
            all.letter = (char) ('a' + i % 26);
            all.medium = (short) (i * 31);
            all.number = i * 7919;
            all.large = i * 1L << 33;
            all.single = i / 3f;
            all.twice = i / 7d;
            all.text = i % 5 == 0 ? null : "text " + i;
            all.any = i % 3 == 0 ? (Object) all.letter : i % 3 == 1 ? (Object) all.flag : (Object) all.medium;
            all.flags = new boolean[] {true, all.flag};
            all.letters = ("letters" + i).toCharArray();
            all.doubles = new double[] {i, -i};
            all.flagBox = !all.flag;
            all.letterBox = 'z';
            all.mediumBox = (short) i;
            all.smallBox = (byte) (i + 1);
            all.colour = Colour.values()[i % 2];
            all.next = i % 4 == 0 ? all : null;
            all.list.addAll(Arrays.asList(true, 'c', (byte) 1, (short) 2, 3, 4L, 5f, 6d, "seven"));
            all.map.put("key" + i % 3, all.letter);
            all.byColour.put(Colour.GREEN, i);
            return all;
        }

        @Override public String toString() {
            return flag + " " + small + letter + medium + " " + number + " " + large + " " + single + " " + twice + text + any
                + Arrays.toString(flags) + Arrays.toString(letters) + Arrays.toString(doubles) + flagBox + letterBox
                + mediumBox + smallBox + left + colour + (next == this) + list + new TreeMap<>(map) + byColour;
        }
    }

    public static void main(String[] args) {
        Kryo kryo = new Kryo();
        kryo.setRegistrationRequired(false);
        kryo.setReferences(true);
        int hash = 0;
        for (int i = 0; i < 1500; i++) {
            All all = All.of(i);
            Output output = i % 2 == 0 ? new Output(256, -1) : new UnsafeOutput(256, -1);
            kryo.writeClassAndObject(output, all);
            byte[] bytes = output.toBytes();
            Input input = i % 2 == 0 ? new Input(bytes) : new UnsafeInput(bytes);
            Object read = kryo.readClassAndObject(input);
            if (!read.toString().equals(all.toString())) {
                throw new AssertionError(read + " instead of " + all);
            }
            All copy = kryo.copy(all);
            hash = hash * 31 + Arrays.hashCode(bytes) + copy.toString().hashCode();
        }
        System.out.println(All.of(7));
        System.out.println("kryo " + hash);
    }
}
