package org.dacapo.harness;

/** The type of the argument that harnesses since 9.12 pass to a callback's constructor. */
public class CommandLineArgs {
}
