//! A program runs plain and under the agent, and nothing differs.

use kit::Launch;

/// Runs a program both ways. It must end well; what it printed is given.
///
/// `launch` is called twice and must start the same program each time.
pub fn check<'a>(launch: impl Fn() -> Launch<'a>, profile: &std::path::Path) -> String {
    let plain = launch().run();
    assert_eq!(plain.status, Some(0), "{:?} without the agent: {plain:?}", launch());
    let recorded = launch().profiled(profile).run();
    let differing: Vec<_> = plain
        .stdout
        .lines()
        .zip(recorded.stdout.lines())
        .filter(|(before, after)| before != after)
        .take(20)
        .collect();
    assert!(differing.is_empty(), "{:?}, plain and recorded: {differing:#?}", launch());
    // Whatever differs in length.
    recorded.assert_same_as(&plain, format_args!("{:?}", launch()));
    plain.stdout
}
