package subsume.junit;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Checks limits of costs. {@link ExecutesAtMost} and the other annotations bring it along; tests
 * without them are not measured, unless the build names a file of all tests' costs
 * ({@code subsume.costs.snapshot}) and has JUnit detect extensions.
 *
 * <p>It measures the test's method with its arguments, on the thread that calls it: not
 * {@code @BeforeEach} and {@code @AfterEach}, and not what other threads do. Where an annotation is
 * on the test and on its class, that of the test holds.
 */
public final class CostLimits implements InvocationInterceptor {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(CostLimits.class);

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> call,
            ExtensionContext context)
            throws Throwable {
        measure(invocation, call, context, false);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> call,
            ExtensionContext context)
            throws Throwable {
        GrowsAtMost grows = find(context, GrowsAtMost.class);
        Costs costs = measure(invocation, call, context, grows != null);
        if (grows != null && costs.isMeasured()) {
            // Kept with the container of all invocations, and closed with it.
            ExtensionContext all = context.getParent().orElse(context);
            Growth growth = all.getStore(NAMESPACE).getOrComputeIfAbsent(
                    Growth.class, key -> new Growth(grows.exponent()), Growth.class);
            growth.add(call.getArguments(), costs);
        }
    }

    private static Costs measure(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> call,
            ExtensionContext context,
            boolean always)
            throws Throwable {
        ExecutesAtMost executes = find(context, ExecutesAtMost.class);
        AllocatesAtMost allocates = find(context, AllocatesAtMost.class);
        List<CallsAtMost> calls = findAll(context);
        Snapshot snapshot = Snapshot.of(context);
        boolean hasLimits = executes != null || allocates != null || !calls.isEmpty();
        if (!always && !hasLimits && snapshot == null) {
            invocation.proceed();
            return Costs.NONE;
        }
        Costs costs = Measurement.of(call.getExecutable(), invocation::proceed);
        if (!costs.isMeasured()) {
            return costs;
        }
        try {
            Limits.check(costs, executes, allocates, calls);
        } catch (IllegalArgumentException wrong) {
            throw new ExtensionConfigurationException(wrong.getMessage());
        }
        if (snapshot != null) {
            snapshot.add(name(call.getExecutable(), context), costs);
        }
        return costs;
    }

    /** The same in each run: class, method and parameters, and which invocation of a template. */
    private static String name(Method method, ExtensionContext context) {
        Class<?> test = context.getTestClass().orElse(method.getDeclaringClass());
        StringBuilder name = new StringBuilder(test.getName()).append('.').append(method.getName()).append('(');
        String separator = "";
        for (Class<?> parameter : method.getParameterTypes()) {
            name.append(separator).append(parameter.getTypeName());
            separator = ",";
        }
        name.append(')');
        String id = context.getUniqueId();
        int number = id.lastIndexOf(":#");
        return number < 0 ? name.toString() : name.append(id, number + 1, id.length() - 1).toString();
    }

    /** The annotation of the test, its class or one around it; {@code null} if there is none. */
    private static <A extends Annotation> A find(ExtensionContext context, Class<A> type) {
        List<A> found = nearest(context, element ->
                AnnotationSupport.findAnnotation(element, type).map(Collections::singletonList)
                        .orElse(Collections.emptyList()));
        return found.isEmpty() ? null : found.get(0);
    }

    /** All of them that are on the test; else on its class, or one around it. */
    private static List<CallsAtMost> findAll(ExtensionContext context) {
        return nearest(context, element -> AnnotationSupport.findRepeatableAnnotations(element, CallsAtMost.class));
    }

    /** What is found on the test; if there is nothing, on its class, or the nearest one around it. */
    private static <A extends Annotation> List<A> nearest(
            ExtensionContext context, Function<AnnotatedElement, List<A>> finder) {
        Optional<ExtensionContext> at = Optional.of(context);
        for (; at.isPresent(); at = at.get().getParent()) {
            List<A> found = at.get().getElement().map(finder).orElse(Collections.emptyList());
            if (!found.isEmpty()) {
                return found;
            }
        }
        return Collections.emptyList();
    }
}
