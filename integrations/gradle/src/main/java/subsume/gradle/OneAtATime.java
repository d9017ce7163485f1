package subsume.gradle;

import org.gradle.api.services.BuildService;
import org.gradle.api.services.BuildServiceParameters;

/** Keeps the diagnoses of several projects from running beside each other, where each would slow down the others. */
public abstract class OneAtATime implements BuildService<BuildServiceParameters.None> {}
