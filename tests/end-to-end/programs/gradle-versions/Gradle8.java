import java.io.File;
import org.gradle.api.internal.StartParameterInternal;
import org.gradle.api.logging.configuration.ConsoleOutput;
import org.gradle.cli.CommandLineParser;
import org.gradle.cli.ParsedCommandLine;
import org.gradle.initialization.DefaultBuildCancellationToken;
import org.gradle.initialization.DefaultBuildRequestContext;
import org.gradle.initialization.DefaultBuildRequestMetaData;
import org.gradle.initialization.NoOpBuildEventConsumer;
import org.gradle.initialization.layout.BuildLayoutFactory;
import org.gradle.internal.buildprocess.BuildProcessState;
import org.gradle.internal.classpath.ClassPath;
import org.gradle.internal.instrumentation.agent.AgentStatus;
import org.gradle.internal.logging.LoggingManagerInternal;
import org.gradle.internal.logging.services.LoggingServiceRegistry;
import org.gradle.internal.nativeintegration.services.NativeServices;
import org.gradle.internal.service.ServiceRegistry;
import org.gradle.launcher.cli.converter.BuildLayoutConverter;
import org.gradle.launcher.cli.converter.InitialPropertiesConverter;
import org.gradle.launcher.cli.converter.LayoutToPropertiesConverter;
import org.gradle.launcher.cli.converter.StartParameterConverter;
import org.gradle.launcher.exec.BuildActionResult;
import org.gradle.launcher.exec.BuildExecutor;
import org.gradle.launcher.exec.DefaultBuildActionParameters;
import org.gradle.tooling.internal.provider.action.ExecuteBuildAction;

/** Runs a build of Gradle 8 in this JVM, as its own start does with --no-daemon. */
final class Gradle8 {
    public static void main(String[] words) throws Exception {
        CommandLineParser parser = new CommandLineParser();
        parser.option("no-daemon");
        InitialPropertiesConverter initials = new InitialPropertiesConverter();
        BuildLayoutConverter layouts = new BuildLayoutConverter();
        StartParameterConverter parameters = new StartParameterConverter();
        initials.configure(parser);
        layouts.configure(parser);
        parameters.configure(parser);
        ParsedCommandLine line = parser.parse(words);
        var initial = initials.convert(line);
        var layout = layouts.convert(initial, line, null);
        var properties = new LayoutToPropertiesConverter(new BuildLayoutFactory()).convert(initial, layout);
        System.getProperties().putAll(initial.getRequestedSystemProperties());
        StartParameterInternal start = parameters.convert(line, layout, properties, new StartParameterInternal());
        start.setGradleHomeDir(new File(System.getProperty("gradle.home")));
        ServiceRegistry logging = LoggingServiceRegistry.newCommandLineProcessLogging();
        NativeServices.initializeOnDaemon(
                layout.getGradleUserHomeDir(), NativeServices.NativeServicesMode.DISABLED);
        LoggingManagerInternal output = logging.getFactory(LoggingManagerInternal.class).create();
        output.setLevelInternal(start.getLogLevel());
        output.start();
        output.attachProcessConsole(ConsoleOutput.Plain);
        boolean isFailed;
        try (BuildProcessState state = new BuildProcessState(
                false, AgentStatus.disabled(), ClassPath.EMPTY, logging, NativeServices.getInstance())) {
            BuildActionResult result = state.getServices()
                    .get(BuildExecutor.class)
                    .execute(
                            new ExecuteBuildAction(start),
                            new DefaultBuildActionParameters(
                                    System.getProperties(),
                                    System.getenv(),
                                    start.getCurrentDir(),
                                    start.getLogLevel(),
                                    false,
                                    ClassPath.EMPTY),
                            new DefaultBuildRequestContext(
                                    new DefaultBuildRequestMetaData(System.currentTimeMillis(), false),
                                    new DefaultBuildCancellationToken(),
                                    new NoOpBuildEventConsumer()));
            isFailed = result.hasFailure();
        } finally {
            output.stop();
        }
        System.exit(isFailed ? 1 : 0);
    }
}
