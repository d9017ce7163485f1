import java.util.Arrays;
import java.util.TreeMap;
import net.sf.cglib.beans.BeanCopier;
import net.sf.cglib.beans.BeanGenerator;
import net.sf.cglib.beans.BeanMap;
import net.sf.cglib.beans.BulkBean;
import net.sf.cglib.core.KeyFactory;
import net.sf.cglib.proxy.Enhancer;
import net.sf.cglib.proxy.FixedValue;
import net.sf.cglib.proxy.LazyLoader;
import net.sf.cglib.proxy.MethodInterceptor;
import net.sf.cglib.proxy.Mixin;
import net.sf.cglib.reflect.FastClass;
import net.sf.cglib.reflect.FastMethod;

/** Generated subclasses, keys, beans and fast methods. */
public final class UsesProxies {
    private UsesProxies() {
    }

    public static class Bean {
        private boolean flag;
        private char letter;
        private short medium;
        private byte small;
        private double twice;
        private String text = "text";

        public boolean isFlag() {
            return flag;
        }

        public void setFlag(boolean flag) {
            this.flag = flag;
        }

        public char getLetter() {
            return letter;
        }

        public void setLetter(char letter) {
            this.letter = letter;
        }

        public short getMedium() {
            return medium;
        }

        public void setMedium(short medium) {
            this.medium = medium;
        }

        public byte getSmall() {
            return small;
        }

        public void setSmall(byte small) {
            this.small = small;
        }

        public double getTwice() {
            return twice;
        }

        public void setTwice(double twice) {
            this.twice = twice;
        }

        public String getText() {
            return text;
        }

        public void setText(String text) {
            this.text = text;
        }
    }

    public interface Key {
        Object newInstance(int number, String text, boolean flag, char[] letters);
    }

    public interface One {
        default String one() {
            return "one";
        }
    }

    public interface Two {
        char two(boolean flag);
    }

    public static class IsOne implements One {
        @Override public String one() {
            return "is one";
        }
    }

    public static class IsTwo implements Two {
        @Override public char two(boolean flag) {
            return flag ? 't' : 'f';
        }
    }

    public static void main(String[] args) throws Exception {
        int hash = 0;
        Key keys = (Key) KeyFactory.create(Key.class);
        BeanCopier copier = BeanCopier.create(Bean.class, Bean.class, false);
        BulkBean bulk = BulkBean.create(Bean.class, new String[] {"isFlag", "getLetter", "getSmall"},
            new String[] {"setFlag", "setLetter", "setSmall"}, new Class<?>[] {boolean.class, char.class, byte.class});
        FastClass fast = FastClass.create(Bean.class);
        FastMethod setter = fast.getMethod("setLetter", new Class<?>[] {char.class});
        Enhancer enhancer = new Enhancer();
        enhancer.setSuperclass(Bean.class);
        enhancer.setCallback((MethodInterceptor) (object, method, arguments, proxy) -> {
            Object result = proxy.invokeSuper(object, arguments);
            return method.getReturnType() == char.class ? (Object) (char) ((char) result + 1) : result;
        });
        Bean proxied = (Bean) enhancer.create();
        Mixin mixin = Mixin.create(new Object[] {new IsOne(), new IsTwo()});
        for (int i = 0; i < 5000; i++) {
            proxied.setFlag(i % 2 == 0);
            proxied.setLetter((char) ('a' + i % 20));
            proxied.setMedium((short) i);
            proxied.setSmall((byte) i);
            proxied.setTwice(i / 3d);
            Bean copy = new Bean();
            copier.copy(proxied, copy, null);
            setter.invoke(copy, new Object[] {(char) (copy.getLetter() + 1)});
            hash = hash * 31 + Arrays.toString(bulk.getPropertyValues(copy)).hashCode();
            hash = hash * 31 + new TreeMap<>(BeanMap.create(copy)).toString().hashCode();
            hash = hash * 31 + keys.newInstance(i, "k", copy.isFlag(), new char[] {copy.getLetter()}).hashCode();
            hash += fast.invoke("getMedium", new Class<?>[0], copy, new Object[0]).hashCode();
            hash += ((One) mixin).one().length() + ((Two) mixin).two(copy.isFlag());
        }
        BeanGenerator generator = new BeanGenerator();
        generator.addProperty("flag", boolean.class);
        generator.addProperty("letter", char.class);
        Object generated = generator.create();
        generated.getClass().getMethod("setLetter", char.class).invoke(generated, 'g');
        System.out.println(generated.getClass().getMethod("getLetter").invoke(generated));
        System.out.println(generated.getClass().getMethod("getFlag").invoke(generated));
        System.out.println(((Bean) Enhancer.create(Bean.class, (FixedValue) () -> "fixed")).getText());
        System.out.println(((Bean) Enhancer.create(Bean.class, (LazyLoader) Bean::new)).getText());
        System.out.println("cglib " + hash);
    }
}
