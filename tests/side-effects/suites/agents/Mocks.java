import java.util.List;
import org.mockito.MockedStatic;
import org.mockito.Mockito;

/** Mockito's inline mocks, for which it rewrites the classes that it mocks, final ones too. */
public final class Mocks {
    private Mocks() {
    }

    /** Cannot be extended. */
    static final class Final {
        int number() {
            return 1;
        }

        boolean isFine(char letter, byte small, short medium) {
            return false;
        }

        static String said() {
            return "real";
        }
    }

    public static void main(String[] args) {
        Final mock = Mockito.mock(Final.class);
        Mockito.when(mock.number()).thenReturn(5);
        Mockito.when(mock.isFine('y', (byte) 2, (short) 3)).thenReturn(true);
        System.out.println(mock.number() + " " + mock.isFine('y', (byte) 2, (short) 3) + " " + mock.isFine('n', (byte) 2, (short) 3));
        try (MockedStatic<Final> statics = Mockito.mockStatic(Final.class)) {
            statics.when(Final::said).thenReturn("mocked");
            System.out.println(Final.said());
        }
        System.out.println(Final.said() + " " + new Final().number());
        List<String> spied = Mockito.spy(new java.util.ArrayList<>(List.of("a", "b")));
        Mockito.doReturn(7).when(spied).size();
        spied.add("c");
        System.out.println(spied.size() + " " + spied.get(2));
        Mockito.verify(spied).add("c");
    }
}
