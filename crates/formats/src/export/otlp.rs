//! Profiles of OpenTelemetry: an `ExportProfilesServiceRequest` of
//! `opentelemetry.proto.profiles.v1development`, as a collector takes it.
//!
//! The signal is alpha, so its messages may still change. One message has all profiles, and
//! its parts begin with their lengths. Stacks and samples may take many times the memory of
//! the tree, so they are gone through once for their lengths, and again to be written.

use std::io::Write;

use tree::Tree;
use tree::error::Result;

use crate::export::folded::{Stacks, for_each_stack};
use crate::export::strings::Strings;
use crate::protobuf::{Message, framed};

/// What locations say of themselves: they are frames of a JVM.
const FRAME_TYPE: [&str; 2] = ["profile.frame.type", "jvm"];
/// Place of that in the table of attributes.
const OF_JVM: u64 = 1;

/// Numbers of fields.
mod field {
    pub const RESOURCE_PROFILES: u32 = 1;
    pub const DICTIONARY: u32 = 2;
    pub const LOCATIONS: u32 = 2;
    pub const FUNCTIONS: u32 = 3;
    pub const LINKS: u32 = 4;
    pub const STRINGS: u32 = 5;
    pub const ATTRIBUTES: u32 = 6;
    pub const STACKS: u32 = 7;
    pub const SCOPE_PROFILES: u32 = 2;
    pub const PROFILES: u32 = 2;
    pub const SAMPLES: u32 = 2;
}

/// Writes the selected stacks, with a profile for each metric, that of the first one in front.
/// `attributes` are those of the resource, such as `service.name`.
///
/// # Errors
/// If `out` fails.
pub fn write(
    tree: &Tree,
    stacks: &Stacks,
    attributes: &[(String, String)],
    out: &mut impl Write,
) -> Result<()> {
    let stacks = &Stacks { every_metric: true, ..stacks.clone() };
    let mut strings = Strings::default();
    let heads: Vec<Message> =
        tree.metrics.iter().map(|metric| head(&metric.name, &mut strings)).collect();
    let tables = tables(tree, strings);

    // All lengths.
    let mut dictionary = tables.bytes().len();
    let mut profiles: Vec<usize> = heads.iter().map(|head| head.bytes().len()).collect();
    let mut number = 0;
    for_each_stack(tree, stacks, |stack, node| {
        number += 1;
        dictionary += framed(stack_of(stack).bytes().len());
        for (length, metric) in profiles.iter_mut().zip(&tree.metrics) {
            if let Some(sample) = sample(number, metric.values[node as usize]) {
                *length += framed(sample.bytes().len());
            }
        }
        Ok(())
    })?;
    let (resource, scope) = (resource(attributes), scope());
    let scope_length =
        scope.bytes().len() + profiles.iter().map(|&length| framed(length)).sum::<usize>();
    let resource_length = resource.bytes().len() + framed(scope_length);

    let mut part = Message::default();
    part.begin(field::RESOURCE_PROFILES, resource_length);
    part.append(&resource);
    part.begin(field::SCOPE_PROFILES, scope_length);
    part.append(&scope);
    out.write_all(part.bytes())?;
    for ((metric, head), length) in tree.metrics.iter().zip(&heads).zip(profiles) {
        part.clear();
        part.begin(field::PROFILES, length);
        part.append(head);
        out.write_all(part.bytes())?;
        let mut number = 0;
        for_each_stack(tree, stacks, |_, node| {
            number += 1;
            if let Some(sample) = sample(number, metric.values[node as usize]) {
                part.clear();
                part.text(field::SAMPLES, sample.bytes());
                out.write_all(part.bytes())?;
            }
            Ok(())
        })?;
    }
    part.clear();
    part.begin(field::DICTIONARY, dictionary);
    part.append(&tables);
    out.write_all(part.bytes())?;
    for_each_stack(tree, stacks, |stack, _| {
        part.clear();
        part.text(field::STACKS, stack_of(stack).bytes());
        out.write_all(part.bytes())?;
        Ok(())
    })
}

/// The fields of a profile but its samples.
fn head(metric: &str, strings: &mut Strings) -> Message {
    let mut kind = Message::default();
    kind.number(1, strings.number(metric));
    kind.number(2, strings.number("count"));
    let mut head = Message::default();
    head.text(1, kind.bytes());
    head
}

/// The tables but that of stacks. Each begins with what stands for nothing.
fn tables(tree: &Tree, mut strings: Strings) -> Message {
    const MAPPINGS: u32 = 1;
    let mut tables = Message::default();
    let mut part = Message::default();
    for table in [MAPPINGS, field::LOCATIONS, field::FUNCTIONS, field::ATTRIBUTES, field::STACKS] {
        tables.text(table, &[]);
    }
    // Trace and span, as decoders that want them expect.
    part.text(1, &[0; 16]);
    part.text(2, &[0; 8]);
    tables.text(field::LINKS, part.bytes());
    for (number, method) in (1..).zip(&tree.methods) {
        part.clear();
        part.number(1, strings.number(&method.qualified()));
        part.number(2, strings.number(&method.to_string()));
        if let Some(file) = tree.source_files.get(&method.class) {
            part.number(3, strings.number(file));
        }
        tables.text(field::FUNCTIONS, part.bytes());
        // A location is a place in a function; ours are whole functions.
        let mut line = Message::default();
        line.number(1, number);
        part.clear();
        part.text(3, line.bytes());
        part.packed(4, std::iter::once(OF_JVM));
        tables.text(field::LOCATIONS, part.bytes());
    }
    let [key, value] = FRAME_TYPE;
    part.clear();
    part.number(1, strings.number(key));
    part.text(2, any_text(value).bytes());
    tables.text(field::ATTRIBUTES, part.bytes());
    for text in strings.texts() {
        tables.text(field::STRINGS, text.as_bytes());
    }
    tables
}

/// The innermost call comes first.
fn stack_of(stack: &[u32]) -> Message {
    let mut message = Message::default();
    message.packed(1, stack.iter().rev().map(|&method| u64::from(method) + 1));
    message
}

/// A sample of the stack with this number; `None` if it has nothing.
fn sample(stack: u64, value: u64) -> Option<Message> {
    if value == 0 {
        return None;
    }
    let mut message = Message::default();
    message.number(1, stack);
    // Values have a sign.
    message.packed(4, std::iter::once(value.min(i64::MAX.unsigned_abs())));
    Some(message)
}

/// Where the profiles come from, as a field of theirs.
fn resource(attributes: &[(String, String)]) -> Message {
    let mut resource = Message::default();
    for (key, value) in attributes {
        let mut attribute = Message::default();
        attribute.text(1, key.as_bytes());
        attribute.text(2, any_text(value).bytes());
        resource.text(1, attribute.bytes());
    }
    let mut part = Message::default();
    part.text(1, resource.bytes());
    part
}

/// What has made the profiles, as a field of theirs.
fn scope() -> Message {
    let mut scope = Message::default();
    scope.text(1, b"subsume");
    scope.text(2, env!("CARGO_PKG_VERSION").as_bytes());
    let mut part = Message::default();
    part.text(1, scope.bytes());
    part
}

/// A text as a value of an attribute.
fn any_text(text: &str) -> Message {
    let mut value = Message::default();
    value.text(1, text.as_bytes());
    value
}
