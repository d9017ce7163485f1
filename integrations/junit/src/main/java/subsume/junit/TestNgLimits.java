package subsume.junit;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.testng.IHookCallBack;
import org.testng.IHookable;
import org.testng.ITestResult;

/**
 * Checks {@link ExecutesAtMost}, {@link AllocatesAtMost} and {@link CallsAtMost} in TestNG, which
 * finds this listener by itself. Tests without these annotations are not measured.
 *
 * <p>It measures the test's method with its arguments, on the thread that calls it. An annotation on
 * the test overrides that on its class.
 */
public final class TestNgLimits implements IHookable {
    @Override
    public void run(IHookCallBack callBack, ITestResult result) {
        Method test = result.getMethod().getConstructorOrMethod().getMethod();
        ExecutesAtMost executes = find(test, result, ExecutesAtMost.class);
        AllocatesAtMost allocates = find(test, result, AllocatesAtMost.class);
        List<CallsAtMost> calls = findAll(test, result);
        if (executes == null && allocates == null && calls.isEmpty()) {
            callBack.runTestMethod(result);
            return;
        }
        Costs costs;
        try {
            costs = Measurement.of(test, () -> callBack.runTestMethod(result));
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
        // A test that fails by itself is not checked: TestNG keeps what it has thrown.
        if (costs.isMeasured() && result.getThrowable() == null) {
            Limits.check(costs, executes, allocates, calls);
        }
    }

    private static <A extends Annotation> A find(Method test, ITestResult result, Class<A> type) {
        A found = test.getAnnotation(type);
        return found != null ? found : result.getTestClass().getRealClass().getAnnotation(type);
    }

    /** All of them that are on the test; else on its class. */
    private static List<CallsAtMost> findAll(Method test, ITestResult result) {
        CallsAtMost[] found = test.getAnnotationsByType(CallsAtMost.class);
        if (found.length == 0) {
            found = result.getTestClass().getRealClass().getAnnotationsByType(CallsAtMost.class);
        }
        return new ArrayList<>(Arrays.asList(found));
    }
}
