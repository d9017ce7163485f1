//! The event of the metadata: the declared types as a tree of elements with attributes, in
//! which every text is a number in a table.

use base::leb128;

use super::encoding::put_text;
use super::types::{CLASSES, Class, Field, Form, Note};
use crate::export::strings::Strings;

/// An element.
struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Element>,
}

impl Element {
    fn new(name: &'static str, attributes: &[(&'static str, &str)]) -> Self {
        let attributes = attributes.iter().map(|&(name, value)| (name, value.to_owned())).collect();
        Self { name, attributes, children: Vec::new() }
    }

    /// The numbers that stand for it, and for all in it.
    fn put(&self, strings: &mut Strings, out: &mut Vec<u8>) {
        leb128::put(out, strings.number(self.name));
        leb128::put(out, self.attributes.len() as u64);
        for (name, value) in &self.attributes {
            leb128::put(out, strings.number(name));
            leb128::put(out, strings.number(value));
        }
        leb128::put(out, self.children.len() as u64);
        for child in &self.children {
            child.put(strings, out);
        }
    }
}

/// The fields of the event.
pub fn fields() -> Vec<u8> {
    let mut metadata = Element::new("metadata", &[]);
    metadata.children = CLASSES.iter().map(class).collect();
    let mut root = Element::new("root", &[]);
    // Times are shown as the reader likes it.
    let region = Element::new("region", &[("locale", "en_US"), ("gmtOffset", "0")]);
    root.children = vec![metadata, region];
    let (mut strings, mut elements) = (Strings::default(), Vec::new());
    root.put(&mut strings, &mut elements);
    // It begins at 0, lasts 0, and is the first one.
    let mut out = vec![0, 0, 1];
    leb128::put(&mut out, strings.texts().len() as u64);
    for text in strings.texts() {
        put_text(&mut out, text);
    }
    out.append(&mut elements);
    out
}

fn class(class: &Class) -> Element {
    let mut element = Element::new("class", &[("id", &class.id.to_string()), ("name", class.name)]);
    if !class.parent.is_empty() {
        element.attributes.push(("superType", class.parent.to_owned()));
    }
    if class.is_simple {
        element.attributes.push(("simpleType", true.to_string()));
    }
    element.children = class.notes.iter().map(annotation).collect();
    element.children.extend(class.fields.iter().map(field));
    element
}

fn field(field: &Field) -> Element {
    let mut element =
        Element::new("field", &[("name", field.name), ("class", &field.class.to_string())]);
    match field.form {
        Form::Value => {}
        Form::Constant => element.attributes.push(("constantPool", true.to_string())),
        Form::Array => element.attributes.push(("dimension", "1".to_owned())),
    }
    element.children = field.notes.iter().map(annotation).collect();
    element
}

fn annotation(note: &Note) -> Element {
    let mut element = Element::new("annotation", note.values);
    element.attributes.insert(0, ("class", note.class.to_string()));
    element
}
