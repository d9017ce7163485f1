import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.objenesis.Objenesis;
import org.objenesis.ObjenesisHelper;
import org.objenesis.ObjenesisSerializer;
import org.objenesis.ObjenesisStd;
import org.objenesis.instantiator.ObjectInstantiator;

/** Objects whose constructors nobody called. */
public final class UsesObjenesis {
    private UsesObjenesis() {
    }

    static class Fails {
        final int number;
        boolean flag = true;
        char letter = 'x';
        Object object = "object";

        Fails(int number) {
            throw new IllegalStateException("never called " + number);
        }

        @Override public String toString() {
            return number + " " + flag + (int) letter + object;
        }
    }

    static class Parent {
        String inherited = "from the constructor";
    }

    static class Written extends Parent implements Serializable {
        String own = "not read";
        long large = 5;

        @Override public String toString() {
            return inherited + own + large;
        }
    }

    public static void main(String[] args) {
        Objenesis std = new ObjenesisStd();
        Objenesis serializer = new ObjenesisSerializer();
        List<Object> made = new ArrayList<>();
        ObjectInstantiator<Fails> instantiator = std.getInstantiatorOf(Fails.class);
        long sum = 0;
        for (int i = 0; i < 20_000; i++) {
            Fails fails = instantiator.newInstance();
            fails.flag |= i % 3 == 0;
            fails.letter += i;
            sum = sum * 31 + fails.toString().hashCode();
            if (i % 1000 == 0) {
                made.add(fails);
                made.add(serializer.newInstance(Written.class));
                made.add(std.newInstance(Written.class));
                made.add(ObjenesisHelper.newInstance(Object.class).getClass());
                made.add(ObjenesisHelper.newSerializableInstance(Written.class));
            }
        }
        System.out.println(made);
        System.out.println("objenesis " + sum);
    }
}
