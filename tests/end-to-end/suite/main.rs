//! Java programs run by real JVMs, plain and under the agent.
//!
//! The JDKs are those named by `SUBSUME_JDKS` (homes, `:` between several) or
//! else the ones that lie where JDKs usually lie, one for each release from 17
//! on. Tests run on all of them, or on one that depends on the commit and the test's
//! name if `SUBSUME_ROTATION` is set, and name the one they fail on.

mod advice;
mod api;
mod assignments;
mod assistant;
mod attach;
mod attach_loaders;
mod below_main;
mod bench;
mod blueprint_cases;
mod bounds;
mod bytes;
mod ci_templates;
mod constant_pools;
mod container;
mod continuous_integration;
mod control;
mod cost_tests;
mod cut_short;
mod dacapo;
mod dataflow_limits;
mod definitions;
mod determinism;
mod diagnose;
mod diagnosed_kinds;
mod every_mode;
mod exchange;
mod fleet_engines;
mod gradle;
mod guide;
mod hand_counted;
mod inferred_types;
mod install;
mod jmh;
mod junit_project;
mod jvm_starts;
mod jvm_variants;
mod killed;
mod limits;
mod lines;
mod linked_later;
mod maven;
mod maven_costs;
mod maven_plugin;
mod missing_facts;
mod moved;
mod namespaces;
mod options;
mod oracle;
mod other_jvms;
mod packages;
mod paper_examples;
mod pathologies;
mod planted;
mod repeatable;
mod replaced;
mod run;
mod same_answers;
mod same_input;
mod splits;
mod statements;
mod summary;
mod switching;
mod thread_dumps;
mod threads;
mod time;
mod timetable;
mod unchanged;
