//! Objects from times when recording was off.

use support::in_turn;

use super::check;
use crate::rig::Recording;

#[test]
fn objects_made_while_recording_is_off_are_untracked() {
    for jdk in in_turn() {
        let recorded = Recording::new(jdk, "Switched", "mode=copies,start=off").run();
        assert_eq!(recorded.lines.len(), 7, "{jdk}");
        let wrong: Vec<String> =
            recorded.lines.iter().filter_map(|line| check(&recorded.profile, line)).collect();
        assert!(wrong.is_empty(), "{jdk}:\n{}", wrong.join("\n"));
    }
}
