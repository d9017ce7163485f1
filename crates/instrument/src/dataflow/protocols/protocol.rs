//! Protocols: the states of objects of certain types, and which calls change them.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

/// What a call has given back, as far as protocols tell results apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// Nothing yet: the call begins.
    Called,
    /// `false`, 0 or null.
    False,
    /// `true`, another number or an object.
    True,
    /// It has returned, without a value that says more.
    Returned,
}

impl Outcome {
    /// As probes pass it.
    pub fn of(code: u32) -> Self {
        match code {
            0 => Self::Called,
            1 => Self::False,
            2 => Self::True,
            _ => Self::Returned,
        }
    }

    /// Behind the name of the method.
    pub fn suffix(self, is_reference: bool) -> &'static str {
        match (self, is_reference) {
            (Self::Called | Self::Returned, _) => "",
            (Self::False, false) => "=false",
            (Self::True, false) => "=true",
            (Self::False, true) => "=null",
            (Self::True, true) => "=object",
        }
    }
}

/// A class or an interface that a protocol names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Type {
    /// Internal name.
    pub name: Box<[u8]>,
    /// Whether its subtypes are meant, too.
    pub has_subtypes: bool,
}

/// A state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Its name.
    pub name: String,
    /// Whether an object leaks that ends in it.
    pub is_leak: bool,
}

/// The number of the state that objects have which broke their protocol.
pub const ERROR: u32 = 0;

/// A protocol: a deterministic automaton.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Protocol {
    /// Its name.
    pub name: String,
    /// The types of its objects.
    types: Vec<Type>,
    /// Those of others.
    exceptions: Vec<Type>,
    /// Its states; the first one is [`ERROR`].
    pub states: Vec<State>,
    /// The state of objects before the first call.
    pub start: u32,
    /// States by the state before, the name of a method, and what it has returned.
    rules: BTreeMap<(u32, Box<[u8]>, Outcome), u32>,
    /// States by the state before, for all other methods that are named.
    others: FxHashMap<u32, u32>,
}

/// For a method's name: whether a protocol asks for its calls, and for what they return.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asked {
    /// For calls.
    pub called: bool,
    /// For results.
    pub returned: bool,
}

impl Protocol {
    /// The state after a call; `None` if the protocol says nothing of it.
    pub fn after(&self, before: u32, method: &[u8], outcome: Outcome) -> Option<u32> {
        let rule = |outcome| self.rules.get(&(before, method.into(), outcome)).copied();
        if outcome != Outcome::Called {
            return rule(outcome).or_else(|| rule(Outcome::Returned));
        }
        rule(outcome).or_else(|| {
            let other = self.others.get(&before).copied()?;
            let is_named = self.rules.keys().any(|(_, name, _)| **name == *method);
            let has_own = [Outcome::False, Outcome::True, Outcome::Returned];
            (is_named && has_own.iter().all(|&outcome| rule(outcome).is_none())).then_some(other)
        })
    }

    /// Whether the objects of a class follow it, by the class's name and those of all its
    /// supertypes.
    pub fn is_of<'n>(
        &self,
        class: &[u8],
        supertypes: impl Iterator<Item = &'n [u8]> + Clone,
    ) -> bool {
        let is_one = |type_: &Type| {
            *type_.name == *class
                || type_.has_subtypes && supertypes.clone().any(|name| *type_.name == *name)
        };
        self.types.iter().any(is_one) && !self.exceptions.iter().any(is_one)
    }

    /// The types of its objects.
    pub fn types(&self) -> &[Type] {
        &self.types
    }

    /// Adds to what is asked for of methods.
    pub fn ask(&self, asked: &mut FxHashMap<Box<[u8]>, Asked>) {
        for (_, name, outcome) in self.rules.keys() {
            let of_name = asked.entry(name.clone()).or_default();
            of_name.called |= *outcome == Outcome::Called || !self.others.is_empty();
            of_name.returned |= *outcome != Outcome::Called;
        }
    }

    fn state(&self, name: &str) -> Option<u32> {
        self.states.iter().position(|state| state.name == name).map(|at| at as u32)
    }
}

/// Reads the protocols in a text.
///
/// # Errors
/// One line with the number of the line at fault, what is wrong and what would be right.
pub fn parse(text: &str) -> Result<Vec<Protocol>, String> {
    let mut protocols = Vec::new();
    let mut reader: Option<Reader> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().collect();
        let at = |message: String| format!("line {number}: {message}");
        match (words.first(), &mut reader) {
            (None, _) => {}
            (Some(&"protocol"), _) => {
                if let Some(reader) = reader.take() {
                    protocols.push(reader.finish()?);
                }
                reader = Some(Reader::new(&words, number).map_err(at)?);
            }
            (Some(_), None) => {
                return Err(at("'protocol NAME of CLASS+' comes first".to_owned()));
            }
            (Some(_), Some(reader)) => reader.line(&words, number).map_err(at)?,
        }
    }
    match reader {
        Some(reader) => protocols.push(reader.finish()?),
        None if protocols.is_empty() => return Err("no protocol is in it".to_owned()),
        None => {}
    }
    let twice = (1..protocols.len())
        .find(|&at| protocols[..at].iter().any(|one| one.name == protocols[at].name));
    match twice {
        Some(at) => Err(format!("two protocols are called '{}'", protocols[at].name)),
        None => Ok(protocols),
    }
}

/// Reads one protocol.
struct Reader {
    protocol: Protocol,
    /// Line of its name.
    line: usize,
    /// What types are read next, before the start.
    section: Section,
    /// States to which a line leads, with its number, and those of which a line says what
    /// follows.
    targets: Vec<(u32, usize)>,
    sources: Vec<(u32, usize)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Types,
    Exceptions,
    Rules,
}

impl Reader {
    fn new(words: &[&str], line: usize) -> Result<Self, String> {
        let [_, name, "of", types @ ..] = words else {
            return Err("'protocol NAME of CLASS+' is needed".to_owned());
        };
        let error = State { name: "error".to_owned(), is_leak: false };
        let mut reader = Self {
            protocol: Protocol {
                name: (*name).to_owned(),
                types: Vec::new(),
                exceptions: Vec::new(),
                states: vec![error],
                start: ERROR,
                rules: BTreeMap::new(),
                others: FxHashMap::default(),
            },
            line,
            section: Section::Types,
            targets: Vec::new(),
            sources: Vec::new(),
        };
        reader.types(types)?;
        Ok(reader)
    }

    fn types(&mut self, words: &[&str]) -> Result<(), String> {
        for word in words.iter().flat_map(|word| word.split(',')).filter(|word| !word.is_empty()) {
            if word == "except" && self.section == Section::Types {
                self.section = Section::Exceptions;
                continue;
            }
            let name = word.strip_suffix('+').unwrap_or(word);
            let is_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '$' | '_');
            if name.is_empty() || !name.chars().all(is_name) {
                return Err(format!("'{word}' is not the name of a class"));
            }
            if name == "java.lang.Object" {
                return Err("java.lang.Object has no states: name its subclasses".to_owned());
            }
            let name = name.replace('.', "/").into_bytes().into();
            let type_ = Type { name, has_subtypes: word.ends_with('+') };
            match self.section {
                Section::Types => self.protocol.types.push(type_),
                _ => self.protocol.exceptions.push(type_),
            }
        }
        Ok(())
    }

    fn line(&mut self, words: &[&str], number: usize) -> Result<(), String> {
        match (words, self.section) {
            (["start", state], Section::Types | Section::Exceptions) => {
                self.section = Section::Rules;
                self.protocol.start = self.number(state)?;
                self.targets.push((self.protocol.start, number));
                Ok(())
            }
            (words, Section::Types | Section::Exceptions) => self.types(words),
            (["start", ..], _) => Err("a protocol has one start".to_owned()),
            (["end", state, "=", "leak"], _) => {
                let state = self.number(state)?;
                self.sources.push((state, number));
                self.protocol.states[state as usize].is_leak = true;
                Ok(())
            }
            (["end", ..], _) => Err("'end STATE = leak' is needed".to_owned()),
            ([before, methods, "->", after], _) => self.rule(before, methods, after, number),
            _ => Err("'STATE METHOD|METHOD -> STATE' is needed".to_owned()),
        }
    }

    fn rule(
        &mut self,
        before: &str,
        methods: &str,
        after: &str,
        number: usize,
    ) -> Result<(), String> {
        let from = self.number(before)?;
        if from == ERROR {
            return Err("nothing follows the state 'error'".to_owned());
        }
        let to = self.number(after)?;
        self.sources.push((from, number));
        self.targets.push((to, number));
        if methods == "*" {
            return match self.protocol.others.insert(from, to) {
                Some(_) => Err(format!("state '{before}' has two lines for '*'")),
                None => Ok(()),
            };
        }
        for method in methods.split('|') {
            let (name, outcome) = match method.split_once('=') {
                None => (method, Outcome::Called),
                Some((name, "true" | "object")) => (name, Outcome::True),
                Some((name, "false" | "null")) => (name, Outcome::False),
                Some((name, "returned")) => (name, Outcome::Returned),
                Some((_, result)) => {
                    return Err(format!(
                        "unknown result '{result}' (known: true, false, object, null, returned)"
                    ));
                }
            };
            if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || "_$".contains(c)) {
                return Err(format!("'{method}' is not the name of a method"));
            }
            let key = (from, name.as_bytes().into(), outcome);
            if self.protocol.rules.insert(key, to).is_some_and(|before| before != to) {
                return Err(format!("'{method}' leads from '{before}' to two states"));
            }
        }
        Ok(())
    }

    fn number(&mut self, name: &str) -> Result<u32, String> {
        if name.contains(['*', '|', '=', '>']) {
            return Err(format!("'{name}' is not the name of a state"));
        }
        if let Some(known) = self.protocol.state(name) {
            return Ok(known);
        }
        self.protocol.states.push(State { name: name.to_owned(), is_leak: false });
        Ok(self.protocol.states.len() as u32 - 1)
    }

    fn finish(self) -> Result<Protocol, String> {
        let Self { protocol, line, .. } = &self;
        let name = &protocol.name;
        if protocol.types.is_empty() {
            return Err(format!("line {line}: protocol '{name}' names no class"));
        }
        if self.section != Section::Rules {
            return Err(format!("line {line}: protocol '{name}' has no start"));
        }
        if protocol.rules.is_empty() {
            return Err(format!("line {line}: protocol '{name}' names no method"));
        }
        let mut known: Vec<u32> = self.sources.iter().map(|&(state, _)| state).collect();
        known.push(ERROR);
        let led: Vec<u32> = self.targets.iter().map(|&(state, _)| state).collect();
        let unknown = |used: &[(u32, usize)], known: &[u32]| {
            let found = used.iter().find(|(state, _)| !known.contains(state));
            found.map(|&(state, line)| (protocol.states[state as usize].name.clone(), line))
        };
        if let Some((state, line)) = unknown(&self.targets, &known) {
            return Err(format!("line {line}: no line says what follows state '{state}'"));
        }
        if let Some((state, line)) = unknown(&self.sources, &led) {
            return Err(format!("line {line}: no line leads to state '{state}'"));
        }
        Ok(self.protocol)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIGURE: &str = "
        protocol file of File   # of figure 2(b)
          start u
          u  create -> oe
          oe put|get -> on
          on put|get -> on
          on close -> c
          c  * -> error
          end on = leak";

    fn figure() -> Protocol {
        parse(FIGURE).expect("is right").remove(0)
    }

    fn named(protocol: &Protocol, state: &str) -> u32 {
        protocol.state(state).expect("is there")
    }

    #[test]
    fn calls_lead_from_state_to_state() {
        let file = figure();
        let after = |state, method: &[u8]| {
            let next = file.after(named(&file, state), method, Outcome::Called);
            next.map(|state| file.states[state as usize].name.as_str())
        };
        assert_eq!(after("u", b"create"), Some("oe"));
        assert_eq!(after("on", b"put"), Some("on"));
        assert_eq!(after("u", b"put"), None);
        assert_eq!(after("c", b"get"), Some("error"));
        assert_eq!(after("c", b"length"), None);
        assert!(file.states[named(&file, "on") as usize].is_leak);
        assert_eq!(file.start, named(&file, "u"));
    }

    #[test]
    fn results_are_told_apart() {
        let text = "protocol p of I+ except A+, B\n start s\n s next=true|find=object -> t\n \
                    t done=returned -> s\n t * -> error";
        let one = parse(text).expect("is right").remove(0);
        let (s, t) = (named(&one, "s"), named(&one, "t"));
        assert_eq!(one.after(s, b"next", Outcome::True), Some(t));
        assert_eq!(one.after(s, b"next", Outcome::False), None);
        assert_eq!(one.after(t, b"done", Outcome::False), Some(s));
        assert_eq!(one.after(t, b"done", Outcome::Called), None);
        assert_eq!(one.after(t, b"next", Outcome::Called), Some(ERROR));
        let is_of = |class: &[u8], supertypes: &[&'static [u8]]| {
            one.is_of(class, supertypes.iter().copied())
        };
        assert!(is_of(b"X", &[b"I"]) && is_of(b"I", &[]) && !is_of(b"X", &[b"J"]));
        assert!(!is_of(b"A", &[b"I"]) && !is_of(b"X", &[b"I", b"A"]));
        assert!(!is_of(b"B", &[b"I"]) && is_of(b"X", &[b"I", b"B"]));
        let mut asked = FxHashMap::default();
        one.ask(&mut asked);
        assert_eq!(asked.get(&b"next"[..]), Some(&Asked { called: true, returned: true }));
        asked.clear();
        figure().ask(&mut asked);
        assert_eq!(asked.get(&b"get"[..]), Some(&Asked { called: true, returned: false }));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, words) in [
            ("", "no protocol is in it"),
            ("start s", "line 1: 'protocol NAME of CLASS+' comes first"),
            ("\nprotocol p", "line 2: 'protocol NAME of CLASS+' is needed"),
            ("protocol p of\nstart s\ns a -> s", "line 1: protocol 'p' names no class"),
            ("protocol p of A B/C", "line 1: 'B/C' is not the name of a class"),
            ("protocol p of java.lang.Object+", "line 1: java.lang.Object has no states"),
            ("protocol p of A", "line 1: protocol 'p' has no start"),
            ("protocol p of A\nstart s", "line 1: protocol 'p' names no method"),
            ("protocol p of A\nstart s\ns a s", "line 3: 'STATE METHOD|METHOD -> STATE'"),
            ("protocol p of A\nstart s\ns a -> t", "line 3: no line says what follows state 't'"),
            ("protocol p of A\nstart s\ns a -> s\nt a -> s", "line 4: no line leads to state 't'"),
            ("protocol p of A\nstart s\ns a -> s\nend t = leak", "line 4: no line leads to"),
            ("protocol p of A\nstart s\ns a -> s\nend s", "line 4: 'end STATE = leak'"),
            ("protocol p of A\nstart s\ns a=1 -> s", "line 3: unknown result '1'"),
            ("protocol p of A\nstart s\ns a() -> s", "line 3: 'a()' is not the name of a method"),
            ("protocol p of A\nstart s\ns a -> s\ns a -> error", "line 4: 'a' leads from 's'"),
            ("protocol p of A\nstart s\ns * -> s\ns * -> s", "line 4: state 's' has two lines"),
            ("protocol p of A\nstart s\nerror a -> s", "line 3: nothing follows"),
            ("protocol p of A\nstart s\ns a -> s\nstart s", "line 4: a protocol has one start"),
            (
                "protocol p of A\nstart s\ns a -> s\nprotocol p of B\nstart s\ns a -> s",
                "two protocols are called 'p'",
            ),
        ] {
            let message = parse(text).expect_err("must be refused");
            assert!(message.contains(words), "{message}");
            assert!(!message.contains('\n'));
        }
    }
}
