//! A program runs plain and under the agent, from the start or attached, and nothing
//! differs.

use std::ffi::OsStr;
use std::path::Path;

use support::{Launch, Run};

/// Runs a program both ways, with the agent from the start and attached to the JVM just
/// before the program begins. It must end well; what it printed is given.
///
/// `launch` is called several times and must start the same program each time.
pub fn check<'a>(launch: impl Fn() -> Launch<'a>, profile: &Path) -> String {
    let plain = launch().run();
    assert_same(&launch(), &plain, &launch().profiled(profile).run());
    check_attached(launch, profile, &[]);
    plain.stdout
}

/// Checks the same with the agent attached only; these lines may be printed besides. The run
/// to compare with starts with a command before the program, too, so that stacks and threads
/// are the same.
pub fn check_attached<'a>(launch: impl Fn() -> Launch<'a>, profile: &Path, besides: &[&str]) {
    let plain = launch().after(&[OsStr::new("true")]).run();
    let mut recorded = launch().attached(profile).run();
    for line in besides {
        recorded.stdout = recorded.stdout.replacen(&format!("{line}\n"), "", 1);
    }
    assert_same(&launch(), &plain, &recorded);
    let read = profile::read_file(profile).expect("the profile was written");
    assert!(read.validate().is_ok() && read.run.is_attached, "{:?}", launch());
}

fn assert_same(launch: &Launch, plain: &Run, recorded: &Run) {
    assert_eq!(plain.status, Some(0), "{launch:?} without the agent: {plain:?}");
    let differing: Vec<_> = plain
        .stdout
        .lines()
        .zip(recorded.stdout.lines())
        .filter(|(before, after)| before != after)
        .take(20)
        .collect();
    assert!(differing.is_empty(), "{launch:?}, plain and recorded: {differing:#?}");
    // Whatever differs in length.
    recorded.assert_same_as(plain, format_args!("{launch:?}"));
}
