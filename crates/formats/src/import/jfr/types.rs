//! What a chunk says about its own types: the event of its metadata.

use rustc_hash::FxHashMap;

use super::bytes::{Bytes, Text};

/// Number of the event that holds the metadata.
const METADATA: i64 = 0;
/// No real metadata is nested so deeply.
const DEEPEST: u32 = 16;

/// The types of a chunk by their numbers.
pub type Types = FxHashMap<i64, Type>;

/// A type: that of an event, of a constant or of a field.
#[derive(Debug)]
pub struct Type {
    /// Such as `jdk.ExecutionSample` or `int`.
    pub name: String,
    /// How a value is stored.
    pub form: Form,
}

/// How a value is stored.
#[derive(Debug)]
pub enum Form {
    /// This number of bytes as they are: booleans, bytes and floating-point numbers.
    Fixed(usize),
    /// Two bytes, or compressed.
    Short,
    /// Four bytes, or compressed.
    Int,
    /// Eight bytes, or compressed.
    Long,
    /// A text.
    Text,
    /// One field after the other.
    Fields(Vec<Field>),
}

/// A field of a type.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Number of its type.
    pub class: i64,
    /// What is stored is the index of a constant.
    pub is_constant: bool,
    /// What is stored is a number and so many values.
    pub is_array: bool,
}

/// Reads the event of the metadata.
pub fn read(mut bytes: Bytes<'_>) -> Option<Types> {
    let _size = bytes.int()?;
    if bytes.long()? != METADATA {
        return None;
    }
    let (_start, _duration, _id) = (bytes.long()?, bytes.long()?, bytes.long()?);
    let mut strings = Vec::new();
    for _ in 0..bytes.count()? {
        strings.push(match bytes.text()? {
            Text::Plain(text) => text.into_owned(),
            Text::Null => String::new(),
            Text::Constant(_) => return None,
        });
    }
    let root = Element::read(&mut bytes, &strings, 0)?;
    let metadata = root.children.iter().find(|element| element.name == "metadata")?;
    let classes = metadata.children.iter().filter(|element| element.name == "class");
    classes.map(|class| Some((class.number("id")?, Type::of(class)?))).collect()
}

impl Type {
    fn of(class: &Element<'_>) -> Option<Self> {
        let name = class.attribute("name")?.to_owned();
        let form = match name.as_str() {
            "boolean" | "byte" => Form::Fixed(1),
            "float" => Form::Fixed(4),
            "double" => Form::Fixed(8),
            "short" | "char" => Form::Short,
            "int" => Form::Int,
            "long" => Form::Long,
            "java.lang.String" => Form::Text,
            _ => {
                let fields = class.children.iter().filter(|element| element.name == "field");
                Form::Fields(fields.map(Field::of).collect::<Option<_>>()?)
            }
        };
        Some(Self { name, form })
    }
}

impl Field {
    fn of(field: &Element<'_>) -> Option<Self> {
        Some(Self {
            name: field.attribute("name")?.to_owned(),
            class: field.number("class")?,
            is_constant: field.attribute("constantPool") == Some("true"),
            is_array: field.attribute("dimension").is_some_and(|dimension| dimension != "0"),
        })
    }
}

/// An element of the tree of the metadata.
struct Element<'s> {
    name: &'s str,
    attributes: Vec<(&'s str, &'s str)>,
    children: Vec<Element<'s>>,
}

impl<'s> Element<'s> {
    fn read(bytes: &mut Bytes<'_>, strings: &'s [String], depth: u32) -> Option<Self> {
        if depth > DEEPEST {
            return None;
        }
        let string = |bytes: &mut Bytes<'_>| strings.get(bytes.count()?).map(String::as_str);
        let mut element =
            Self { name: string(bytes)?, attributes: Vec::new(), children: Vec::new() };
        for _ in 0..bytes.count()? {
            element.attributes.push((string(bytes)?, string(bytes)?));
        }
        for _ in 0..bytes.count()? {
            element.children.push(Self::read(bytes, strings, depth + 1)?);
        }
        Some(element)
    }

    fn attribute(&self, name: &str) -> Option<&'s str> {
        self.attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }

    fn number(&self, name: &str) -> Option<i64> {
        self.attribute(name)?.parse().ok()
    }
}
