package subsume.junit;

import java.lang.reflect.Method;

/** Names of methods that somebody is asking for. */
final class MethodPattern {
    private final String className;
    private final String method;

    /** Class and name, with a dot in between; {@code *} stands for any characters. */
    MethodPattern(String pattern) {
        int dot = pattern.lastIndexOf('.');
        if (dot <= 0 || dot == pattern.length() - 1) {
            throw new IllegalArgumentException(
                    "\"" + pattern + "\": class and name of a method are needed, such as java.sql.*.prepareStatement");
        }
        className = pattern.substring(0, dot);
        method = pattern.substring(dot + 1);
    }

    /** Whether this is one of them, or implements or overrides one. */
    boolean matches(String ofClass, String ofMethod, ClassLoader loader) {
        if (!matches(method, ofMethod)) {
            return false;
        }
        if (matches(className, ofClass)) {
            return true;
        }
        if (ofMethod.equals("<init>")) {
            return false;
        }
        try {
            return overrides(Class.forName(ofClass, false, loader), ofMethod);
        } catch (ClassNotFoundException | LinkageError unknown) {
            // It was generated.
            return false;
        }
    }

    private boolean overrides(Class<?> type, String name) {
        if (type == null) {
            return false;
        }
        if (matches(className, type.getName()) && declares(type, name)) {
            return true;
        }
        for (Class<?> above : type.getInterfaces()) {
            if (overrides(above, name)) {
                return true;
            }
        }
        return overrides(type.getSuperclass(), name);
    }

    private static boolean declares(Class<?> type, String name) {
        for (Method declared : type.getDeclaredMethods()) {
            if (declared.getName().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a pattern stands for the whole of a text. */
    static boolean matches(String pattern, String text) {
        int p = 0;
        int t = 0;
        int afterStar = -1;
        int start = 0;
        while (t < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                p++;
                afterStar = p;
                start = t;
            } else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
                p++;
                t++;
            } else if (afterStar >= 0) {
                p = afterStar;
                start++;
                t = start;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }
}
