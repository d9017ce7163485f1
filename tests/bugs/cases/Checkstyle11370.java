package app;

import com.puppycrawl.tools.checkstyle.Checker;
import com.puppycrawl.tools.checkstyle.DefaultConfiguration;
import com.puppycrawl.tools.checkstyle.api.AuditEvent;
import com.puppycrawl.tools.checkstyle.api.AuditListener;
import com.puppycrawl.tools.checkstyle.api.CheckstyleException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Checks the style of sources, and counts what is found. */
public final class Checkstyle11370 {
    private static final String[] CHECKS = {"EmptyLineSeparator", "OperatorWrap", "Indentation", "NeedBraces", "LeftCurly",
        "RightCurly", "WhitespaceAround", "WhitespaceAfter", "ParenPad", "MethodParamPad", "FinalLocalVariable", "HiddenField",
        "UnusedImports", "RedundantImport", "MagicNumber", "ModifierOrder", "OneStatementPerLine", "MultipleVariableDeclarations",
        "MissingJavadocMethod", "JavadocStyle", "ClassFanOutComplexity", "ExecutableStatementCount", "VariableDeclarationUsageDistance",
        "OverloadMethodsDeclarationOrder", "CommentsIndentation", "DeclarationOrder", "UnusedLocalVariable"};

    public static void main(String[] arguments) throws CheckstyleException, IOException {
        int percent = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100;
        Path folder = Files.createTempDirectory("style");
        try {
            List<File> files = new ArrayList<>();
            for (int file = 0; file < Math.max(1, 60 * percent / 100); file++) {
                files.add(Files.writeString(folder.resolve("Part" + file + ".java"), source(new Random(file), file)).toFile());
            }
            System.out.println("sum " + Long.toHexString(check(files)));
        } finally {
            try (Stream<Path> all = Files.walk(folder)) {
                all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
            }
        }
    }

    private static String source(Random random, int number) {
        StringBuilder text = new StringBuilder("package shop.part" + number % 9 + ";\n\nimport java.util.List;\nimport java.util.Map;\n\n");
        text.append("/** Part ").append(number).append(" of the shop. */\npublic class Part").append(number).append(" {\n");
        for (int field = 0; field < 5; field++) {
            text.append("    private int value").append(field).append(" = ").append(random.nextInt(900)).append(";\n");
        }
        for (int method = 0; method < 4 + random.nextInt(5); method++) {
            text.append(random.nextInt(4) == 0 ? "" : "\n");
            text.append("    /** Computes something. */\n    public int compute").append(method)
                    .append("(int first, int second) {\n        int sum = first * ").append(random.nextInt(50))
                    .append(" + value1;\n        for (int i = 0; i < sum; i++)\n            value2 += i *").append(random.nextInt(9))
                    .append(";\n        if (sum > second && value3 != 0\n            || first == value4) {\n            return sum - second;\n        }\n        List<Map<String, Integer>> rows = rows(sum);\n")
                    .append("        return value0 + rows.size();\n    }\n");
        }
        return text.append("}\n").toString();
    }

    private static long check(List<File> files) throws CheckstyleException {
        DefaultConfiguration root = new DefaultConfiguration("Checker");
        DefaultConfiguration walker = new DefaultConfiguration("TreeWalker");
        for (String check : CHECKS) {
            walker.addChild(new DefaultConfiguration(check));
        }
        root.addChild(walker);
        Counter counter = new Counter();
        Checker checker = new Checker();
        checker.setModuleClassLoader(Checker.class.getClassLoader());
        checker.configure(root);
        checker.addListener(counter);
        int errors = checker.process(files);
        checker.destroy();
        return errors * 31L + counter.counts.hashCode();
    }

    private static final class Counter implements AuditListener {
        final Map<String, Integer> counts = new TreeMap<>();

        @Override
        public void auditStarted(AuditEvent event) {}

        @Override
        public void auditFinished(AuditEvent event) {}

        @Override
        public void fileStarted(AuditEvent event) {}

        @Override
        public void fileFinished(AuditEvent event) {}

        @Override
        public void addError(AuditEvent event) {
            counts.merge(event.getSourceName(), 1, Integer::sum);
        }

        @Override
        public void addException(AuditEvent event, Throwable throwable) {
            throw new IllegalStateException(throwable);
        }
    }
}
