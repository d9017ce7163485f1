import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockConstruction;
import static org.mockito.Mockito.mockStatic;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.List;
import org.mockito.ArgumentCaptor;
import org.mockito.MockedConstruction;
import org.mockito.MockedStatic;
import org.mockito.exceptions.base.MockitoAssertionError;

/** Mocks of final classes, of static methods and of constructors, whose methods return every type. */
public final class UsesMocks {
    private UsesMocks() {
    }

    static final class Every {
        private final int seed;

        Every(int seed) {
            this.seed = seed;
        }

        boolean flag(boolean flag) {
            return !flag;
        }

        byte small(byte value) {
            return (byte) (value + 1);
        }

        char letter(char value) {
            return (char) (value + 1);
        }

        short medium(short value) {
            return (short) (value + 1);
        }

        int number(int value) {
            return value + seed;
        }

        long large(long value) {
            return value + seed;
        }

        float single(float value) {
            return value / 2;
        }

        double twice(double value) {
            return value * 2;
        }

        String text(Object... all) {
            return "real " + all.length;
        }

        static char fixed(int i) {
            return (char) ('a' + i % 26);
        }
    }

    enum Colour {
        RED, GREEN;

        int code() {
            return ordinal() + 1;
        }
    }

    public static void main(String[] args) {
        StringBuilder said = new StringBuilder();
        Every every = mock(Every.class);
        said.append(every.flag(true)).append(every.small((byte) 3)).append((int) every.letter('x')).append(every.medium((short) 4))
            .append(every.number(5)).append(every.large(6)).append(every.single(7)).append(every.twice(8)).append(every.text("a"));
        when(every.flag(anyBoolean())).thenReturn(true, false, true);
        when(every.letter('k')).thenReturn('l');
        when(every.small((byte) 1)).thenReturn((byte) 100);
        when(every.medium((short) 2)).thenAnswer(call -> (short) ((short) call.getArgument(0) * 300));
        when(every.number(anyInt())).thenCallRealMethod();
        when(every.text(eq("a"), any())).thenReturn("mocked");
        doThrow(new IllegalStateException("thrown")).when(every).large(7);
        for (int i = 0; i < 500; i++) {
            said.append(every.flag(i % 2 == 0)).append(every.letter('k')).append(every.small((byte) 1)).append(every.medium((short) 2))
                .append(every.number(i)).append(every.text("a", i));
            said.setLength(Math.min(said.length(), 400));
        }
        try {
            every.large(7);
        } catch (IllegalStateException e) {
            said.append(e.getMessage());
        }
        verify(every, times(501)).flag(anyBoolean());
        ArgumentCaptor<Character> letters = ArgumentCaptor.forClass(Character.class);
        verify(every, times(501)).letter(letters.capture());
        said.append(letters.getAllValues().subList(0, 3));
        try {
            verify(every, times(2)).twice(8);
        } catch (MockitoAssertionError e) {
            said.append(e.getMessage().contains("Wanted 2 times"));
        }
        Every spied = spy(new Every(40));
        when(spied.number(2)).thenReturn(-2);
        said.append(spied.number(1)).append(spied.number(2)).append(spied.flag(false)).append(spied.letter('a')).append(spied.twice(1.5));
        List<String> list = spy(new ArrayList<>(List.of("one")));
        list.add("two");
        verify(list).add("two");
        said.append(list);
        try (MockedStatic<Every> statics = mockStatic(Every.class)) {
            statics.when(() -> Every.fixed(3)).thenReturn('#');
            said.append(Every.fixed(3)).append((int) Every.fixed(4));
        }
        said.append(Every.fixed(3));
        try (MockedConstruction<Every> made = mockConstruction(Every.class, (mock, context) -> when(mock.flag(true))
            .thenReturn((int) context.arguments().get(0) == 9))) {
            said.append(new Every(9).flag(true)).append(new Every(8).flag(true)).append(made.constructed().size());
        }
        Colour colour = mock(Colour.class);
        when(colour.code()).thenReturn(77);
        said.append(colour.code()).append(Colour.GREEN.code());
        System.out.println(said);
        System.out.println("mockito has mocked");
    }
}
