//! Which methods are split by which argument: the option `split`.

use base::wildcard::matches;
use classfile::{ClassFile, Member, access, descriptor};

use super::form::Form;
use super::presets::{self, Owner, Point, Reading};
use crate::modified_utf8;

/// What the options `split` and `split-texts` say.
#[derive(Debug, Clone)]
pub struct Splits {
    rules: Vec<Rule>,
    /// How many texts of a method have contexts of their own.
    pub most_texts: usize,
}

/// How many texts of a method have contexts of their own unless the user says so.
pub const MOST_TEXTS: usize = 1000;

/// One entry of the option.
#[derive(Debug, Clone)]
struct Rule {
    /// As it was given.
    said: String,
    places: Places,
}

#[derive(Debug, Clone)]
enum Places {
    /// Those of a preset.
    Preset(&'static [Point]),
    /// Methods by their names.
    Named {
        /// Pattern of internal names of classes.
        class: String,
        /// Pattern of names of methods.
        method: String,
        /// Number of the argument, from 1 on.
        argument: usize,
        form: Form,
    },
}

/// How a method is split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// The entry of the option that asks for it.
    pub said: String,
    /// The local variable with the argument when the method is entered.
    pub local: u16,
    /// What the text is made of.
    pub reading: Reading,
    /// What becomes of the text.
    pub form: Form,
}

impl Split {
    /// Whether what the method returns keeps the text.
    pub fn is_kept(&self, method: &Member<'_>) -> bool {
        let returned = method.descriptor().rsplit(|&byte| byte == b')').next();
        self.reading == Reading::KeptByResult && returned.is_some_and(|r| r.starts_with(b"L"))
    }
}

/// Types of arguments that may be strings.
const MAY_BE_TEXT: [&[u8]; 4] = [
    b"Ljava/lang/String;",
    b"Ljava/lang/CharSequence;",
    b"Ljava/lang/Object;",
    b"Ljava/lang/Comparable;",
];

impl Splits {
    /// Reads the option: presets and methods, `;` between several.
    ///
    /// # Errors
    /// One line that says what is wrong and what would be right.
    pub fn new(text: &str, most_texts: Option<u64>) -> Result<Self, String> {
        let rules = text.split(';').filter(|entry| !entry.is_empty()).map(Rule::new);
        let rules = rules.collect::<Result<Vec<_>, _>>()?;
        if rules.is_empty() {
            return Err("option 'split' names nothing".to_owned());
        }
        let most_texts =
            most_texts.map_or(MOST_TEXTS, |most| most.try_into().unwrap_or(usize::MAX));
        Ok(Self { rules, most_texts })
    }

    /// How a method with code is split, if it is; the first entry that names it counts.
    pub fn of(&self, class: &ClassFile<'_>, method: &Member<'_>) -> Option<Split> {
        self.rules.iter().find_map(|rule| rule.of(class, method))
    }
}

impl Rule {
    fn new(said: &str) -> Result<Self, String> {
        if let Some(points) = presets::named(said) {
            return Ok(Self { said: said.to_owned(), places: Places::Preset(points) });
        }
        let wrong = || {
            format!(
                "split={said}: write CLASS.METHOD(N), with the number of the argument from 1 on, \
                 or one of {}",
                presets::names()
            )
        };
        let (name, argument) = said.split_once('(').ok_or_else(wrong)?;
        let argument = argument.strip_suffix(')').ok_or_else(wrong)?;
        let (number, form) = match argument.split_once(':') {
            Some((number, form)) => (number, Some(form)),
            None => (argument, None),
        };
        let form = form.map_or(Ok(Form::Plain), |form| {
            Form::named(form).ok_or_else(|| {
                format!("split={said}: unknown form '{form}' (known: {})", Form::NAMES.join(", "))
            })
        })?;
        let argument = number.parse().ok().filter(|&number| number > 0).ok_or_else(wrong)?;
        let (class, method) = name.rsplit_once('.').ok_or_else(wrong)?;
        if class.is_empty() || method.is_empty() || name.contains(['/', ' ', ':']) {
            return Err(wrong());
        }
        let (class, method) = (class.replace('.', "/"), method.to_owned());
        let places = Places::Named { class, method, argument, form };
        Ok(Self { said: said.to_owned(), places })
    }

    fn of(&self, class: &ClassFile<'_>, method: &Member<'_>) -> Option<Split> {
        let said = &self.said;
        match &self.places {
            Places::Preset(points) => points.iter().find_map(|point| {
                let is_meant = point.names(method) && is_owned(point.owner, class);
                let local = is_meant.then(|| local(method, point.argument)).flatten()?;
                let (reading, form) = (point.reading, point.form);
                Some(Split { said: said.clone(), local, reading, form })
            }),
            Places::Named { class: owner, method: name, argument, form } => {
                let is_meant = matches(name, &modified_utf8::decode(method.name()))
                    && matches(owner, &modified_utf8::decode(class.this_class()));
                let type_ = descriptor::parameters(method.descriptor()).nth(argument - 1)?;
                if !is_meant || !MAY_BE_TEXT.contains(&type_) {
                    return None;
                }
                let local = local(method, *argument)?;
                Some(Split { said: said.clone(), local, reading: Reading::Itself, form: *form })
            }
        }
    }
}

/// The local variable of an argument; 0 is the receiver.
fn local(method: &Member<'_>, argument: usize) -> Option<u16> {
    let is_static = method.access_flags() & access::STATIC != 0;
    let Some(before) = argument.checked_sub(1) else { return (!is_static).then_some(0) };
    let before = descriptor::parameters(method.descriptor()).take(before);
    let words = before.map(descriptor::words).fold(0, u16::saturating_add);
    Some(words.saturating_add(u16::from(!is_static)))
}

/// The number of methods of an interface that make a class one that implements it.
const TELLING: usize = 3;

/// Whether a class is one of those that have the methods of a preset.
///
/// What a class inherits is not known when it is loaded. So a class implements an interface
/// that it names, or of which it declares several methods.
fn is_owned(owner: Owner, class: &ClassFile<'_>) -> bool {
    match owner {
        Owner::Any => true,
        Owner::Class(name) => class.this_class() == name.as_bytes(),
        Owner::Implements { interfaces, members } => {
            let is_named = |name: &[u8]| interfaces.iter().any(|known| known.as_bytes() == name);
            class.interfaces().filter_map(Result::ok).any(is_named) || {
                let names = |method: &Member<'_>| {
                    members.iter().any(|known| known.as_bytes() == method.name())
                };
                class.methods().iter().filter(names).count() >= TELLING
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_entries_are_named() {
        for (text, words) in [
            ("nothing", "or one of jdbc, http-server"),
            ("a.B.c", "split=a.B.c: write CLASS.METHOD(N)"),
            ("a.B.c(0)", "with the number of the argument from 1 on"),
            ("a.B.c(x)", "CLASS.METHOD(N)"),
            ("c(1)", "CLASS.METHOD(N)"),
            ("a/B.c(1)", "CLASS.METHOD(N)"),
            ("a.B.c(1", "CLASS.METHOD(N)"),
            ("a.B.c(1:xml)", "unknown form 'xml' (known: sql, route, file)"),
            (";", "option 'split' names nothing"),
        ] {
            let message = Splits::new(text, None).expect_err("must be refused");
            assert!(message.contains(words) && !message.contains('\n'), "{text}: {message}");
        }
        let splits = Splits::new("jdbc;a.*.find*(2:sql);", Some(7)).expect("is right");
        assert_eq!((splits.rules.len(), splits.most_texts), (2, 7));
        assert_eq!(Splits::new("jdbc", None).map(|splits| splits.most_texts), Ok(MOST_TEXTS));
    }

    /// A class file with abstract methods of these names and descriptors.
    fn class(name: &str, interface: Option<&str>, methods: &[(&str, &str, u16)]) -> Vec<u8> {
        let text = |text: &str| [&[1, 0, text.len() as u8], text.as_bytes()].concat();
        let mut pool = vec![text(name), vec![7, 0, 1]];
        let interface = interface.unwrap_or("a/None");
        pool.extend([text(interface), vec![7, 0, 3]]);
        let mut members = Vec::new();
        for (name, descriptor, flags) in methods {
            pool.extend([text(name), text(descriptor)]);
            let at = pool.len() as u8;
            members.extend([(flags >> 8) as u8, *flags as u8, 0, at - 1, 0, at, 0, 0]);
        }
        let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52, 0, pool.len() as u8 + 1];
        bytes.extend(pool.concat());
        bytes.extend([4, 0, 0, 2, 0, 0, 0, 1, 0, 4, 0, 0, 0, methods.len() as u8]);
        bytes.extend(members);
        bytes.extend([0, 0]);
        bytes
    }

    fn locals(splits: &str, bytes: &[u8]) -> Vec<Option<u16>> {
        let class = ClassFile::parse(bytes).expect("is a class");
        let splits = Splits::new(splits, None).expect("is right");
        let methods = class.methods();
        methods.iter().map(|method| splits.of(&class, &method).map(|split| split.local)).collect()
    }

    const STATIC: u16 = 8;

    #[test]
    fn arguments_are_where_callers_put_them() {
        let methods = [
            ("find", "(JLjava/lang/String;)V", 0),
            ("find", "(JLjava/lang/String;)V", STATIC),
            ("find", "(Ljava/lang/String;D)V", STATIC),
            ("find", "(I[JLjava/lang/Object;)V", 0),
            ("seek", "(JLjava/lang/CharSequence;)V", 0),
        ];
        let bytes = class("shop/Orders", None, &methods);
        let second = locals("shop.*.f*(2)", &bytes);
        assert_eq!(second, [Some(3), Some(2), None, None, None]);
        assert_eq!(locals("shop.Orders.find(3)", &bytes), [None, None, None, Some(3), None]);
        assert_eq!(locals("shop.Orders.seek(2)", &bytes)[4], Some(3));
        assert_eq!(locals("shop.Order.find(2)", &bytes), [None; 5]);
    }

    #[test]
    fn classes_implement_what_they_name_or_declare() {
        let execute = ("execute", "(Ljava/lang/String;)Z", 0);
        let more = [execute, ("getResultSet", "()V", 0), ("clearBatch", "()V", 0)];
        for (interface, methods, is_split) in [
            (Some("java/sql/Statement"), &more[..1], true),
            (Some("java/sql/PreparedStatement"), &more[..1], true),
            (Some("a/Statement"), &more[..1], false),
            (None, &more[..], false),
            (None, &[execute, more[1], more[2], ("getUpdateCount", "()I", 0)], true),
        ] {
            let bytes = class("a/B", interface, methods);
            assert_eq!(locals("jdbc", &bytes)[0].is_some(), is_split, "{interface:?} {methods:?}");
        }
    }

    #[test]
    fn prepared_statements_keep_their_text() {
        let connection = [
            ("prepareStatement", "(Ljava/lang/String;I)Ljava/sql/PreparedStatement;", 0),
            ("prepareCall", "(Ljava/lang/String;)V", 0),
            ("nativeSQL", "(Ljava/lang/String;)Ljava/lang/String;", 0),
        ];
        let bytes = class("a/B", Some("java/sql/Connection"), &connection);
        let parsed = ClassFile::parse(&bytes).expect("is a class");
        let splits = Splits::new("jdbc", None).expect("is right");
        let kept = parsed.methods().iter().map(|method| {
            splits.of(&parsed, &method).map(|split| (split.local, split.is_kept(&method)))
        });
        let kept: Vec<_> = kept.collect();
        assert_eq!(kept, [Some((1, true)), Some((1, false)), Some((1, false))]);
        // The text is the receiver's. Those that only send data have none.
        let statement = [
            ("executeQuery", "()Ljava/sql/ResultSet;", 0),
            ("executeBatch", "()[I", 0),
            ("executeAll", "()[I", 0),
        ];
        let bytes = class("a/B", Some("java/sql/PreparedStatement"), &statement);
        assert_eq!(locals("jdbc", &bytes), [Some(0), Some(0), None]);
    }
}
