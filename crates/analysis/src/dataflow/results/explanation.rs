//! Repeated results in words.

use profile::dataflow::MethodResults;

use crate::dataflow::results::Followed;
use crate::dataflow::results::finding::{LOOK_UP, mean_costs};
use base::number::{counted, grouped, percent};

/// From this share of the hits on, one entry makes a cache.
const ONE_ENTRY: f64 = 0.9;

/// A number, with its standard error where it is an estimate.
pub fn estimate(number: u64, error: u64) -> String {
    match error {
        0 => grouped(number),
        error => format!("{} ±{}", grouped(number), grouped(error)),
    }
}

/// Whether the result of the call before is all that a cache had to keep.
pub fn one_entry_would_do(results: &MethodResults) -> bool {
    results.hits > 0 && results.last_hits as f64 >= ONE_ENTRY * results.hits as f64
}

/// What a cache in front of a method would spare, and what would do for one: sentences
/// about `results`, where the runs executed so many `bytecodes`.
pub fn sentences(one: &Followed, results: &MethodResults, bytecodes: u64) -> Vec<String> {
    let inputs = match results.inputs {
        1 => "always with the same input".to_owned(),
        _ => {
            let inputs = estimate(results.inputs, results.inputs_error());
            format!("with {inputs} different inputs")
        }
    };
    let spared = one.spared(results);
    let first = match (results.stopped, results.level) {
        (false, 0) => format!("It returned {} {inputs};", counted_times(results.returned)),
        (true, 0) => format!(
            "Of {} the first ones were followed; {} of them returned, {inputs};",
            counted(one.calls, "call"),
            grouped(results.returned)
        ),
        (is_stopped, _) => format!(
            "Of {} {} part of the inputs was kept; about {} of them returned, {inputs};",
            counted(one.calls, "call"),
            if is_stopped { "the first ones were followed, and" } else { "only" },
            grouped(results.returned)
        ),
    };
    let mut sentences = vec![format!(
        "{first} {} times ({}) it gave the result that it had given for that input before, and \
         never another one.",
        estimate(results.hits, results.hits_error),
        percent(results.hits, results.returned),
    )];
    let (of_all, guess) = (percent(spared.likely, bytecodes), spared.is_guess());
    let amount = format!("{} bytecodes, {of_all} of all", spared.text().trim_start_matches('~'));
    sentences.push(match (results.depth, guess) {
        (0, false) => format!("A cache would have spared up to {amount}."),
        (0, true) => format!("If all were like these, a cache would have spared about {amount}."),
        (depth, guess) => format!(
            "Objects were compared by what they hold, {} deep; a cache that does so, too, would \
             have spared {} {amount}.",
            counted(depth.into(), "reference"),
            if guess { "about" } else { "up to" },
        ),
    });
    if guess {
        sentences.push(format!(
            "It is at least {} ({}), if none of the others gave a result again, and at most {} \
             ({}), if all did{}.",
            grouped(spared.least),
            percent(spared.least, bytecodes),
            grouped(spared.most),
            percent(spared.most, bytecodes),
            if results.stopped { "; max-calls=N follows more of them" } else { "" }
        ));
    }
    let [hit, _] = mean_costs(results);
    if hit < LOOK_UP {
        sentences.push(format!(
            "A hit takes {hit:.1} bytecodes, no more than looking it up in a map would."
        ));
    }
    if one_entry_would_do(results) {
        sentences.push(format!(
            "One entry would do: in {} of these the input is that of the call before.",
            percent(results.last_hits, results.hits)
        ));
    }
    sentences.push(match results.wrote {
        0 if spared.is_guess() => {
            "In these calls nothing is written but to new objects.".to_owned()
        }
        0 => "Nothing is written there but to new objects.".to_owned(),
        wrote => format!(
            "{} wrote to objects that existed before, but no call with a known input did.",
            counted(wrote, "call")
        ),
    });
    let others = one.neither_returned_nor_too_deep();
    if !one.exact.stopped && others > 0 && one.exact.level == 0 {
        // With inputs left out, how many returned is an estimate.
        sentences.push(format!("{} ended by exceptions.", counted(others, "more call")));
    }
    sentences
}

fn counted_times(number: u64) -> String {
    if number == 1 { "once".to_owned() } else { format!("{} times", grouped(number)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_candidate_in_words() {
        let results = MethodResults {
            returned: 12_000,
            inputs: 40,
            hits: 11_960,
            last_hits: 11_000,
            saving: 2_600_000,
            ..MethodResults::default()
        };
        let one = Followed { calls: 12_003, exact: results, ..Followed::default() };
        assert_eq!(
            sentences(&one, &results, 10_000_000),
            [
                "It returned 12,000 times with 40 different inputs; 11,960 times (99.67%) it gave \
                 the result that it had given for that input before, and never another one.",
                "A cache would have spared up to 2,600,000 bytecodes, 26.00% of all.",
                "One entry would do: in 91.97% of these the input is that of the call before.",
                "Nothing is written there but to new objects.",
                "3 more calls ended by exceptions.",
            ]
        );
        let deep = MethodResults {
            depth: 2,
            level: 1,
            inputs: 200,
            hits_error: 12,
            last_hits: 0,
            cost: 25_000,
            saving: 23_920,
            saving_error: 5,
            wrote: 1,
            ..results
        };
        let one = Followed { calls: 12_000, inclusive: 25_000, ..one };
        assert_eq!(
            sentences(&one, &deep, 92_000),
            [
                "Of 12,000 calls only part of the inputs was kept; about 12,000 of them returned, \
                 with 200 ±20 different inputs; 11,960 ±12 times (99.67%) it gave the result that \
                 it had given for that input before, and never another one.",
                "Objects were compared by what they hold, 2 references deep; a cache that does \
                 so, too, would have spared about 23,920 bytecodes, 26.00% of all.",
                "It is at least 23,910 (25.99%), if none of the others gave a result again, and \
                 at most 25,000 (27.17%), if all did.",
                "A hit takes 2.0 bytecodes, no more than looking it up in a map would.",
                "1 call wrote to objects that existed before, but no call with a known input did.",
            ]
        );
    }

    #[test]
    fn what_is_guessed_stands_with_its_bounds() {
        let results = MethodResults {
            stopped: true,
            returned: 65_536,
            inputs: 36,
            hits: 65_500,
            cost: 1_000_000,
            saving: 900_000,
            ..MethodResults::default()
        };
        let one = Followed {
            calls: 131_072,
            inclusive: 2_000_000,
            exact: results,
            ..Followed::default()
        };
        assert_eq!(
            sentences(&one, &results, 10_000_000),
            [
                "Of 131,072 calls the first ones were followed; 65,536 of them returned, with 36 \
                 different inputs; 65,500 times (99.95%) it gave the result that it had given \
                 for that input before, and never another one.",
                "If all were like these, a cache would have spared about 1,800,000 bytecodes, \
                 18.00% of all.",
                "It is at least 900,000 (9.00%), if none of the others gave a result again, and \
                 at most 1,900,000 (19.00%), if all did; max-calls=N follows more of them.",
                "A hit takes 13.7 bytecodes, no more than looking it up in a map would.",
                "In these calls nothing is written but to new objects.",
            ]
        );
    }
}
