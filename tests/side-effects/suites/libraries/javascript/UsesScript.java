import java.util.List;
import java.util.Map;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;

/** Scripts that call the program, and are called by it, with values of every type. */
public final class UsesScript {
    private UsesScript() {
    }

    public static final class Host {
        @HostAccess.Export public boolean flag;
        @HostAccess.Export public char letter = 'h';

        @HostAccess.Export public boolean negate(boolean value) {
            return !value;
        }

        @HostAccess.Export public char next(char value) {
            return (char) (value + 1);
        }

        @HostAccess.Export public short twice(short value) {
            return (short) (value * 2);
        }

        @HostAccess.Export public byte small(byte value) {
            return (byte) (value + 1);
        }

        @HostAccess.Export public Object any(Object... all) {
            return all.length;
        }

        @HostAccess.Export public void fails(String why) {
            throw new IllegalStateException(why);
        }
    }

    private static final String SCRIPT = """
        class Shape { constructor(n) { this.n = n; } area() { return this.n * 3; } }
        class Square extends Shape { area() { return super.area() + this.n ** 2; } get name() { return `square ${this.n}`; } }
        function* numbers(n) { for (let i = 0; i < n; i++) yield i; }
        let sum = 0;
        for (const i of numbers(3000)) {
            const shape = i % 2 ? new Square(i) : new Shape(i);
            sum = (sum * 31 + shape.area()) % 1000003;
            host.flag = !host.flag;
            if (i % 100 === 0) {
                sum += host.negate(i % 200 === 0) ? 1 : 2;
                sum += host.twice(i) + host.small(i % 100) + host.next(String.fromCharCode(97 + i % 26)).charCodeAt(0);
                sum += host.any(1, 'a', true, null);
            }
        }
        const map = new Map(); const text = [];
        for (const word of 'one two three two one two'.split(' ')) map.set(word, (map.get(word) || 0) + 1);
        for (const [word, count] of map) text.push(word.replace(/o/g, '0') + count);
        try { host.fails('by the host'); } catch (e) { text.push(e.message); }
        try { null.x; } catch (e) { text.push(e.constructor.name); }
        ({ sum, text, flag: host.flag, letter: host.letter, big: (2n ** 70n).toString(), call: (f, ...rest) => rest.map(f),
           json: JSON.stringify({ a: [1, true, null, 'x'], b: { c: 1.5 } }), date: new Date(0).toISOString() })
        """;

    public static void main(String[] args) {
        try (Engine engine = Engine.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build()) {
            for (int round = 0; round < 2; round++) {
                try (Context context = Context.newBuilder("js").engine(engine).allowHostAccess(HostAccess.EXPLICIT).build()) {
                    context.getBindings("js").putMember("host", new Host());
                    Value result = context.eval("js", SCRIPT);
                    System.out.println(result.getMember("sum").asInt() + " " + result.getMember("text").as(List.class) + " "
                        + result.getMember("flag").asBoolean() + result.getMember("letter").asString() + result.getMember("big").asString()
                        + result.getMember("json").asString() + result.getMember("date").asString());
                    Value square = context.eval("js", "x => x * x");
                    System.out.println(result.invokeMember("call", square, 1, 2.5, (byte) 3, (short) 4).as(List.class));
                    System.out.println(context.eval("js", "({a: true, b: 'c'})").as(Map.class).get("a"));
                    try {
                        context.eval("js", "throw new RangeError('thrown')");
                    } catch (PolyglotException e) {
                        System.out.println(e.getMessage() + e.isGuestException());
                    }
                }
            }
        }
        System.out.println("javascript has run");
    }
}
