import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;

/** Classes that AspectJ weaves as they are loaded; META-INF/aop.xml names the aspect. */
public final class Weaves {
    private Weaves() {
    }

    /** Counts what it is around of. */
    @Aspect
    public static class Counts {
        static int calls;

        /** Around every method of a woven class. */
        @Around("execution(* Weaves.Woven.*(..))")
        public Object around(ProceedingJoinPoint point) throws Throwable {
            calls++;
            Object result = point.proceed();
            return result instanceof Integer number ? number + 1 : result;
        }
    }

    /** What is woven. */
    public static class Woven {
        int twice(int number) {
            return 2 * number;
        }

        String say(String text, long times) {
            return text.repeat((int) times);
        }
    }

    public static void main(String[] args) {
        Woven woven = new Woven();
        long sum = 0;
        for (int i = 0; i < 3000; i++) {
            sum += woven.twice(i) + woven.say("ab", i % 5).length();
        }
        System.out.println(sum + " after " + Counts.calls + " calls");
    }
}
