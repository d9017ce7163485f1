//! What a loop reads again, in words, and how such a thing is repaired.

use super::Names;
use super::clusters::{Cluster, Verdict, mean_ratio};
use crate::QualifiedName;
use crate::dataflow::SimilarRead;

/// The kinds of repair of the paper's section II, as far as what is read tells them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hint {
    /// All of it is the same in each iteration (category 1).
    ComputeOnce,
    /// A search through a sequence (category 4).
    Index,
    /// A list whose elements are counted off from an end (category 4).
    Iterate,
    /// Elements are moved in each iteration (category 3).
    MoveOnce,
    /// The same elements are copied in each iteration.
    CopyOnce,
    /// Largely the same is read, and what for is not known.
    Keep,
    /// What is read again is a part of the work, which may be inherent.
    Unknown,
}

impl Hint {
    /// The advice.
    pub fn text(self) -> &'static str {
        match self {
            Self::ComputeOnce => {
                "each iteration reads all of it again: compute what does not change once, \
                 before the loop, and keep it"
            }
            Self::Index => {
                "each iteration searches the same elements one after the other: look them up \
                 in a set or map instead, made before the loop"
            }
            Self::Iterate => {
                "each iteration walks from one end of the list to an element: use an iterator, \
                 or a list with random access"
            }
            Self::MoveOnce => {
                "each iteration moves the same elements: collect the changes and make them \
                 at once, or use a structure that need not move them"
            }
            Self::CopyOnce => {
                "each iteration copies the same elements: copy them once, before the loop, or \
                 use them where they are"
            }
            Self::Keep => {
                "each iteration reads largely the same again: keep what it finds, or go on from \
                 where the iteration before has ended"
            }
            Self::Unknown => {
                "similar data are read beside others: this may be inherent, as in comparing \
                 all pairs"
            }
        }
    }
}

/// Names of methods that search, as the collections and the streams of the JDK have them.
const SEARCHES: [&str; 15] = [
    "contains",
    "containsAll",
    "containsValue",
    "indexOf",
    "indexOfRange",
    "lastIndexOf",
    "remove",
    "removeAll",
    "retainAll",
    "find",
    "allMatch",
    "anyMatch",
    "noneMatch",
    "findFirst",
    "findAny",
];

/// Parts of the names of classes that look elements up already.
const LOOK_UPS: [&str; 3] = ["HashMap", "TreeMap", "HashSet"];

/// What a loop may be repaired by that reads similar values this way.
pub fn hint(cluster: &Cluster, read: &SimilarRead, names: Names<'_>) -> Hint {
    // From the loop to what reads: the calls, and the method that reads.
    let way: Vec<QualifiedName<'_>> =
        read.path.iter().skip(1).chain([&read.place]).filter_map(names).collect();
    if read.what.contains("arraycopy") {
        return Hint::MoveOnce;
    }
    if way.iter().any(|method| method.name == "node" && method.class.ends_with("LinkedList")) {
        return Hint::Iterate;
    }
    // A search for what equals something is one whatever it looks for. What else meets
    // something new in each iteration only has the name of a search: no set finds what overlaps.
    let has_name_only = cluster.meets_something_new(read);
    // In a text, no set finds it sooner.
    let is_search = |method: &QualifiedName<'_>| {
        SEARCHES.contains(&method.name)
            && !method.class.starts_with("java.lang.")
            && (asks_for_equals(method) || !has_name_only)
    };
    let is_looked_up =
        way.last().is_some_and(|last| LOOK_UPS.iter().any(|c| last.class.contains(c)));
    if !is_looked_up && way.iter().any(is_search) {
        return Hint::Index;
    }
    if cluster.verdict() == Verdict::Similar {
        return Hint::Unknown;
    }
    match is_whole(read) {
        true => Hint::ComputeOnce,
        false if way.iter().any(is_copy) => Hint::CopyOnce,
        false => Hint::Keep,
    }
}

/// Whether a search asks which element equals something: those of the JDK's collections do,
/// and those of streams ask their predicate.
fn asks_for_equals(method: &QualifiedName<'_>) -> bool {
    method.class.starts_with("java.util.") && !is_of_stream(method)
}

fn is_of_stream(method: &QualifiedName<'_>) -> bool {
    method.class.starts_with("java.util.stream.")
}

/// Whether a loop goes through a stream in each iteration, with something new: it compares all
/// pairs, as an inner loop does.
pub fn compares_pairs(cluster: &Cluster, read: &SimilarRead, names: Names<'_>) -> bool {
    let mut way = read.path.iter().skip(1).chain([&read.place]);
    let first = way.next().filter(|_| !read.path.is_empty()).and_then(names);
    first.is_some_and(|first| is_of_stream(&first)) && cluster.meets_something_new(read)
}

/// Whether a method copies, by its name. A stream is said to be copied into what ends it.
fn is_copy(method: &QualifiedName<'_>) -> bool {
    let name = method.name;
    if is_of_stream(method) {
        return name.starts_with("to");
    }
    let makes_sequence = name.ends_with("Array") || name.ends_with("List");
    name.contains("copy")
        || name.contains("Copy")
        || name == "clone"
        || name == "addAll"
        || name.starts_with("to") && makes_sequence
}

/// Whether all sequences are the same from the first value to the last.
fn is_whole(read: &SimilarRead) -> bool {
    mean_ratio(read) >= 0.999 && read.similar + 1 >= read.sequences
}

/// How much of what it reads a loop reads again.
pub fn summary(cluster: &Cluster) -> String {
    if cluster.has_something_new() {
        return format!(
            "{}: what it reads again meets something new in each iteration, {}",
            cluster.verdict().word(),
            cluster.places().words()
        );
    }
    format!(
        "{}: {:.0} % of what it reads is read again, {}",
        cluster.verdict().word(),
        cluster.share() * 100.0,
        cluster.places().words()
    )
}

/// What the loop reads again this way, as one sentence without its end. `place` is where
/// the instruction stands, in words.
pub fn sentence(cluster: &Cluster, read: &SimilarRead, place: &str) -> String {
    let values = read.reads.checked_div(read.sequences).unwrap_or(0);
    let what = match is_whole(read) {
        true => format!("the same {values} values"),
        false => format!("{values} values on average, largely those of the iteration before,"),
    };
    format!(
        "in {} of {} iterations, {place} reads {what} of {}",
        read.similar, cluster.iterations, read.what
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MethodId;
    use crate::dataflow::Place;

    fn cluster(path: &[u32], read_in: u32, what: &str, ratios: u64) -> Cluster {
        let place = |method| Place { method: Some(MethodId(method)), bci: 1, line: 2 };
        let read = SimilarRead {
            place: place(read_in),
            path: path.iter().map(|&method| place(method)).collect(),
            what: what.into(),
            sequences: 10,
            similar: 9,
            reads: 200,
            ratios,
            ..SimilarRead::default()
        };
        Cluster {
            iterations: 11,
            reads: 100,
            repeated: 100,
            similar: vec![read],
            ..Cluster::default()
        }
    }

    #[test]
    fn what_is_called_tells_the_kind_of_repair() {
        let methods = [
            ("app.Main", "run"),
            ("java.util.ArrayList", "indexOf"),
            ("java.util.LinkedList", "node"),
            ("app.Main", "largest"),
            ("app.List", "toJavaArray"),
            ("java.lang.String", "indexOf"),
            ("java.util.HashSet", "contains"),
            ("java.util.HashMap", "getNode"),
        ];
        let names = |place: &Place| named(&methods, place);
        let hint_of = |path: &[u32], read_in, what, ratios| {
            let cluster = cluster(path, read_in, what, ratios);
            hint(&cluster, &cluster.similar[0], &names)
        };
        assert_eq!(hint_of(&[0], 1, "elements of Object[]", 9000), Hint::Index);
        assert_eq!(hint_of(&[0], 2, "java.util.LinkedList$Node.next", 9000), Hint::Iterate);
        assert_eq!(hint_of(&[0], 3, "elements of int[]", 9000), Hint::ComputeOnce);
        assert_eq!(hint_of(&[0], 3, "elements of int[]", 8000), Hint::Keep);
        assert_eq!(hint_of(&[0, 4], 3, "elements of int[]", 8000), Hint::CopyOnce);
        assert_eq!(hint_of(&[0, 5], 3, "elements of int[]", 8000), Hint::Keep);
        assert_eq!(hint_of(&[0, 6], 7, "elements of Object[]", 8000), Hint::Keep);
        assert_eq!(hint_of(&[], 0, "elements that System.arraycopy copies", 9), Hint::MoveOnce);
    }

    fn named<'m>(methods: &[(&'m str, &'m str)], place: &Place) -> Option<QualifiedName<'m>> {
        let (class, name) = methods[place.method?.0 as usize];
        Some(QualifiedName { class, name, descriptor: "()V" })
    }

    /// The same names, and other facts: a search for something new asks for equals, or is not one.
    #[test]
    fn only_what_asks_for_equals_is_looked_up() {
        let methods = [
            ("app.Main", "run"),
            ("java.util.stream.ReferencePipeline", "anyMatch"),
            ("app.Area", "contains"),
            ("java.util.ArrayList", "contains"),
        ];
        let names = |place: &Place| named(&methods, place);
        let of = |method, repeated| {
            let mut one = cluster(&[0], method, "app.Period.start", 9000);
            (one.reads, one.repeated) = (400, repeated);
            (one.similar[0].reported, one.similar[0].same_places) = (1, 1);
            let read = &one.similar[0];
            (hint(&one, read, &names), compares_pairs(&one, read, &names))
        };
        // The predicate of the stream asks which element equals something, or it does not.
        assert_eq!(of(1, 200), (Hint::Index, false));
        assert_eq!(of(1, 0), (Hint::Unknown, true));
        assert_eq!(of(2, 200), (Hint::Index, false));
        assert_eq!(of(2, 0), (Hint::Unknown, false));
        assert_eq!(of(3, 0), (Hint::Index, false));
    }

    #[test]
    fn all_pairs_are_no_zero_per_cent() {
        let mut pairs = cluster(&[0], 3, "elements of int[]", 9000);
        pairs.reported = 1;
        (pairs.similar[0].reported, pairs.similar[0].same_places) = (1, 1);
        assert_eq!(summary(&pairs), "redundant: 100 % of what it reads is read again, same places");
        pairs.repeated = 0;
        assert_eq!(
            summary(&pairs),
            "similar: what it reads again meets something new in each iteration, same places"
        );
    }

    #[test]
    fn the_sentence_has_numbers() {
        let cluster = cluster(&[0], 3, "elements of int[]", 9000);
        assert_eq!(
            sentence(&cluster, &cluster.similar[0], "app.Main.largest:2"),
            "in 9 of 11 iterations, app.Main.largest:2 reads the same 20 values of elements of \
             int[]"
        );
    }
}
