package app;

import com.github.javaparser.JavaParser;
import com.github.javaparser.ast.CompilationUnit;
import com.github.javaparser.ast.body.MethodDeclaration;
import com.github.javaparser.printer.lexicalpreservation.LexicalPreservingPrinter;
import java.util.Random;

/** Renames old methods in sources and marks them, but leaves the rest of the text as it is. */
public final class Javaparser1323 {
    public static void main(String[] arguments) {
        int percent = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100;
        int files = Math.max(1, 300 * percent / 100);
        long sum = 0;
        for (int file = 0; file < files; file++) {
            sum = sum * 31 + migrate(source(new Random(file), file)).hashCode();
        }
        System.out.println("sum " + Long.toHexString(sum));
    }

    private static String source(Random random, int number) {
        StringBuilder text = new StringBuilder("package shop.part" + number % 9 + ";\n\nimport java.util.List;\n\n");
        text.append("/** Part ").append(number).append(" of the shop. */\npublic class Part").append(number).append(" {\n");
        for (int field = 0; field < 2; field++) {
            text.append("    private int value").append(field).append(" = ").append(random.nextInt(900)).append(";\n");
        }
        for (int method = 0; method < 2 + random.nextInt(3); method++) {
            text.append("\n    // computes something\n    public int ").append(random.nextInt(30) == 0 ? "get" : "compute").append(method)
                    .append("(int first, int second) {\n        int sum = first * ").append(random.nextInt(50))
                    .append(" + value1;\n        if (sum > second) {\n            return sum - second;\n        }\n        return value0;\n    }\n");
        }
        return text.append("}\n").toString();
    }

    private static String migrate(String source) {
        CompilationUnit unit = JavaParser.parse(source);
        if (unit.findFirst(MethodDeclaration.class, Javaparser1323::isOld).isEmpty()) {
            return source;
        }
        LexicalPreservingPrinter.setup(unit);
        for (MethodDeclaration method : unit.findAll(MethodDeclaration.class)) {
            if (isOld(method)) {
                method.setName("read" + method.getNameAsString().substring(3));
            }
        }
        return LexicalPreservingPrinter.print(unit);
    }

    private static boolean isOld(MethodDeclaration method) {
        return method.getNameAsString().startsWith("get");
    }
}
