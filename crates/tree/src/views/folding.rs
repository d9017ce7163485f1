//! Which calls of a path are shown: those that say most, in the room that there is.

use std::collections::BTreeSet;

use crate::names::generated::is_cut;
use crate::owners::{Owner, Owners};

/// The least number of calls of a path that are shown, besides those that would be folded
/// into one or two frames.
const ROOM: usize = 7;
/// The least number of calls in a row that are folded into one frame.
const FOLDED: usize = 3;

/// How much of a path is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// What says most.
    Telling,
    /// Everything.
    Whole,
}

/// A frame of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// A method.
    Method(u32),
    /// This number of methods is left out.
    Folded(usize),
}

impl Frame {
    /// The method, unless frames are folded.
    pub fn method(self) -> Option<u32> {
        match self {
            Self::Method(method) => Some(method),
            Self::Folded(_) => None,
        }
    }
}

/// A call on a path.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    pub(super) owner: Owner,
    /// Which library it is of, as far as that is known.
    pub(super) library: Option<&'a str>,
    /// Whether it says much: it is made often, or much of the cost goes elsewhere there.
    pub is_telling: bool,
    /// Whether the user asked for it: then it is shown, whatever room there is.
    pub is_wanted: bool,
}

impl<'a> Call<'a> {
    /// A call of a method of this class, which says no more than where it is.
    pub fn new(owners: &'a Owners, class: &'a str) -> Self {
        let owner = owners.owner(class);
        // Where a lambda's class comes from is not known.
        let is_known = owner == Owner::Library && !is_cut(class);
        let library = is_known.then(|| owners.origin(class));
        Self { owner, library, is_telling: false, is_wanted: false }
    }

    fn is_of_program(&self) -> bool {
        self.owner != Owner::Platform
    }
}

/// A piece of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// The call at this place.
    Call(usize),
    /// This number of calls, from this place on.
    Folded(usize, usize),
}

/// The call at which the way to the end of a path begins: the last one of one's own; its
/// caller of the program if the path ends there, and its caller of one's own if it is called
/// often, for the loop says more. Where nothing is one's own, the first one of the program.
pub fn first_of_way_in(path: &[Call<'_>]) -> usize {
    let last = path.len().saturating_sub(1);
    let of_program = |end: usize| path[..end].iter().rposition(Call::is_of_program);
    match path.iter().rposition(|call| call.owner == Owner::Own) {
        Some(own) if own == last => of_program(last).unwrap_or(last),
        // In a loop of one's own, maybe by way of the JDK.
        Some(own) if path[own].is_telling => {
            of_program(own).filter(|&at| path[at].owner == Owner::Own).unwrap_or(own)
        }
        Some(own) => own,
        None => path.iter().position(Call::is_of_program).unwrap_or(last),
    }
}

/// What is shown of a path from the call `from` to the call `to`. Both are, and the last call of
/// one's own, the first one of each library behind it, and who makes the last call; as far as
/// there is room, calls that say much, and the program's nearest ones. The whole path decides
/// which these are.
pub fn fold(path: &[Call<'_>], from: usize, to: usize, extent: Extent) -> Vec<Piece> {
    if extent == Extent::Whole {
        return (from..=to).map(Piece::Call).collect();
    }
    let Telling { kept, more } = Telling::of(path);
    let is_between = |at: &usize| (from..=to).contains(at);
    let mut shown: BTreeSet<usize> = [from, to].into();
    shown.extend(kept.into_iter().filter(is_between));
    for at in more.into_iter().filter(is_between) {
        if shown.len() < ROOM {
            shown.insert(at);
        }
    }
    shown.extend((from..=to).filter(|&at| path[at].is_wanted));
    let mut pieces = Vec::new();
    let mut next = from;
    for at in shown {
        if at - next < FOLDED {
            pieces.extend((next..at).map(Piece::Call));
        } else {
            pieces.push(Piece::Folded(next, at - next));
        }
        pieces.push(Piece::Call(at));
        next = at + 1;
    }
    pieces
}

/// The calls of a path that are worth showing.
struct Telling {
    /// Those that are shown whatever room there is.
    kept: Vec<usize>,
    /// Others, those first that say most.
    more: Vec<usize>,
}

impl Telling {
    fn of(path: &[Call<'_>]) -> Self {
        let (mut kept, mut more) = (Vec::new(), Vec::new());
        let Some(last) = path.len().checked_sub(1) else { return Self { kept, more } };
        let own = path.iter().rposition(|call| call.owner == Owner::Own);
        kept.extend(own);
        // The program's caller of the last call; the JDK may be between. Where nothing but the
        // JDK is above, its nearest call.
        let caller = path[..last].iter().rposition(Call::is_of_program);
        kept.extend(caller.or(last.checked_sub(1)));
        // What the program asks the JDK for.
        let is_jdk = !path[last].is_of_program();
        kept.extend(caller.map(|caller| caller + 1).filter(|&at| is_jdk && at < last));
        let behind_own = own.unwrap_or(0) + 1;
        more.extend(Some(behind_own).filter(|&at| at < last && path[at].is_telling));
        let mut library = if own.is_none() { path[0].library } else { None };
        let mut known: Vec<&str> = library.into_iter().collect();
        for (at, call) in path.iter().enumerate().take(last).skip(behind_own) {
            let Some(entered) = call.library else { continue };
            if !known.contains(&entered) {
                known.push(entered);
                kept.push(at);
            } else if library != Some(entered) {
                more.push(at);
            }
            library = Some(entered);
        }
        more.extend((0..last).filter(|&at| path[at].is_telling));
        more.extend((0..last).rev().filter(|&at| path[at].is_of_program()));
        Self { kept, more }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path by letters: `o` one's own, `p` the JDK's, others name libraries; those that say
    /// much are capitals, and what is wanted has a `!` behind it.
    fn path(letters: &str) -> Vec<Call<'static>> {
        const LIBRARIES: &str = "abcdefx";
        let mut path: Vec<Call<'_>> = Vec::new();
        for letter in letters.chars() {
            if letter == '!' {
                path.last_mut().expect("a letter comes first").is_wanted = true;
                continue;
            }
            let (owner, library) = match letter.to_ascii_lowercase() {
                'o' => (Owner::Own, None),
                'p' => (Owner::Platform, None),
                library => {
                    let at = LIBRARIES.find(library).expect("a library");
                    (Owner::Library, Some(&LIBRARIES[at..=at]))
                }
            };
            path.push(Call { owner, library, is_telling: letter.is_uppercase(), is_wanted: false });
        }
        path
    }

    fn shown(letters: &str, from: usize) -> String {
        let path = path(letters);
        let names: Vec<char> = letters.chars().filter(|&c| c != '!').collect();
        let piece = |piece: Piece| match piece {
            Piece::Call(at) => names[at].to_string(),
            Piece::Folded(_, count) => format!("[{count}]"),
        };
        fold(&path, from, path.len() - 1, Extent::Telling).into_iter().map(piece).collect()
    }

    #[test]
    fn the_last_own_call_and_where_libraries_are_entered_stay() {
        assert_eq!(shown("xxxxoooopaaaaaaaabbbbbbbbpppp", 0), "x[6]opa[7]b[6]bpppp");
        assert_eq!(shown("oppppa", 0), "o[4]a");
        assert_eq!(shown("oppa", 0), "oppa");
        assert_eq!(shown("oppppppp", 0), "op[5]p");
        // However many they are; where a library is entered again only if there is room.
        assert_eq!(shown("xoaaaaaabbbbbbccccccddddddeeeeeef", 0), "xoa[5]b[5]c[5]d[5]e[4]ef");
        assert_eq!(shown("oaaaabbbbaaaabbbbaaaabbbb", 0), "oa[3]b[3]a[3]b[9]bb");
    }

    #[test]
    fn calls_that_say_much_go_before_the_nearest_ones() {
        assert_eq!(shown("oaaaAaaaaaaaaaaa", 0), "oaaaA[7]aaaa");
        assert_eq!(shown("ppppppPppppp", 0), "p[5]P[3]pp");
    }

    #[test]
    fn what_is_wanted_stays_whatever_room_there_is() {
        let letters = "oa!pppa!pppa!pppa!pppa!pppa!pppa!pppa!pppa!pppb";
        assert_eq!(shown(letters, 0), "oa[3]a[3]a[3]a[3]a[3]a[3]a[3]a[3]a[3]b");
    }

    #[test]
    fn the_whole_path_says_what_a_part_of_it_shows() {
        // The library is entered above, and so this part only goes on in it.
        assert_eq!(shown("oaaaaaaaaaaaaaab", 2), "a[7]aaaaab");
        assert_eq!(path("oa").len(), 2);
        let whole = fold(&path("oaaaaaaaaaaaaaaaaaaab"), 0, 20, Extent::Whole);
        assert_eq!(whole.len(), 21);
    }
}
