//! What the results of a method are like.

use crate::dataflow::MethodResults;
use crate::results::{FLUENT, NAN, NULL, ONE_VALUE, PER_RECEIVER, VOID};

/// What holds for the results of a method. Of several that hold, the first one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResultKind {
    /// It was called and never returned: it always threw, or was still active at the end.
    Exceptions,
    /// No call of it was followed.
    Unknown,
    /// There are no results.
    Void,
    /// Always the receiver.
    Fluent,
    /// Always null.
    Null,
    /// Always NaN.
    Nan,
    /// Always the same value.
    OneValue,
    /// For each receiver always the same value.
    PerReceiver,
    /// For each input always the same value.
    PerInput,
    /// The same input has had different results.
    Varies,
    /// It never had the same input again.
    NotRepeated,
}

impl ResultKind {
    /// All of them, in the order in which they are explained.
    pub const ALL: [Self; 11] = [
        Self::Void,
        Self::Fluent,
        Self::Null,
        Self::Nan,
        Self::OneValue,
        Self::PerReceiver,
        Self::PerInput,
        Self::Varies,
        Self::NotRepeated,
        Self::Exceptions,
        Self::Unknown,
    ];

    /// That of a method, by what was recorded with objects compared by identity.
    pub fn of(results: &MethodResults) -> Self {
        if results.returned == 0 {
            return if results.unfollowed > 0 { Self::Unknown } else { Self::Exceptions };
        }
        // What a single call returns says nothing of others.
        let is_called_again = results.returned > 1;
        let meets_receivers_again = results.receivers > 0 && results.receivers < results.returned;
        if results.always(VOID) {
            Self::Void
        } else if results.always(FLUENT) {
            Self::Fluent
        } else if results.always(NULL) {
            Self::Null
        } else if results.always(NAN) {
            Self::Nan
        } else if is_called_again && results.always(ONE_VALUE) {
            Self::OneValue
        } else if meets_receivers_again && results.always(PER_RECEIVER) {
            Self::PerReceiver
        } else if results.conflicts > 0 {
            Self::Varies
        } else if results.hits > 0 {
            Self::PerInput
        } else {
            Self::NotRepeated
        }
    }

    /// Its name in JSON and on pages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exceptions => "exceptions",
            Self::Unknown => "unknown",
            Self::Void => "void",
            Self::Fluent => "this",
            Self::Null => "null",
            Self::Nan => "nan",
            Self::OneValue => "one",
            Self::PerReceiver => "receiver",
            Self::PerInput => "input",
            Self::Varies => "varies",
            Self::NotRepeated => "unrepeated",
        }
    }

    /// It in words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Exceptions => "never returned",
            Self::Unknown => "not followed",
            Self::Void => "void",
            Self::Fluent => "always this",
            Self::Null => "always null",
            Self::Nan => "always NaN",
            Self::OneValue => "one value",
            Self::PerReceiver => "one per receiver",
            Self::PerInput => "one per input",
            Self::Varies => "varies",
            Self::NotRepeated => "input not repeated",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_holds_counts() {
        let called = MethodResults { returned: 9, receivers: 3, ..MethodResults::default() };
        let of = |change: fn(&mut MethodResults)| {
            let mut results = called;
            change(&mut results);
            ResultKind::of(&results)
        };
        assert_eq!(of(|r| r.returned = 0), ResultKind::Exceptions);
        assert_eq!(of(|r| (r.returned, r.unfollowed) = (0, 1)), ResultKind::Unknown);
        assert_eq!(of(|r| r.kinds = VOID), ResultKind::Void);
        assert_eq!(of(|r| r.kinds = FLUENT | PER_RECEIVER), ResultKind::Fluent);
        assert_eq!(of(|r| r.kinds = NULL | ONE_VALUE | PER_RECEIVER), ResultKind::Null);
        assert_eq!(of(|r| r.kinds = NAN | ONE_VALUE), ResultKind::Nan);
        assert_eq!(of(|r| r.kinds = ONE_VALUE | PER_RECEIVER), ResultKind::OneValue);
        assert_eq!(of(|r| r.kinds = PER_RECEIVER), ResultKind::PerReceiver);
        assert_eq!(of(|r| r.hits = 2), ResultKind::PerInput);
        assert_eq!(of(|r| (r.hits, r.conflicts) = (2, 1)), ResultKind::Varies);
        assert_eq!(of(|_| ()), ResultKind::NotRepeated);
    }

    #[test]
    fn one_call_says_nothing_of_others() {
        let kinds = ONE_VALUE | PER_RECEIVER;
        let once = MethodResults { returned: 1, receivers: 1, kinds, ..MethodResults::default() };
        assert_eq!(ResultKind::of(&once), ResultKind::NotRepeated);
        // Each receiver was met once.
        let kinds = PER_RECEIVER;
        let each = MethodResults { returned: 5, receivers: 5, kinds, ..MethodResults::default() };
        assert_eq!(ResultKind::of(&each), ResultKind::NotRepeated);
    }
}
