//! A class that the JVM loads, and what it is to load instead.

use classfile::ClassFile;
use profile::Definition;

use crate::code_indices::moved::Moved;
use crate::modified_utf8;
use crate::plan::policy;

/// A request to load: the class that the JVM is about to parse.
#[derive(Debug)]
pub struct LoadRequest<'a> {
    /// Its internal name, if the JVM knows it already.
    pub name: Option<&'a [u8]>,
    /// Its class file.
    pub bytes: &'a [u8],
    /// True if the boot loader loads it.
    pub boot: bool,
    /// True if it is loaded, and the JVM redefines or retransforms it.
    pub is_redefined: bool,
    /// Who defines it, and from what.
    pub definition: &'a Definition,
}

/// What the JVM is to parse instead.
#[derive(Debug)]
pub struct Transformed {
    /// The class file.
    pub bytes: Vec<u8>,
    /// Where the code of its methods went.
    pub moved: Moved,
}

impl Transformed {
    /// The internal name of the class, by its class file.
    pub fn class_name(&self) -> Option<Box<[u8]>> {
        Some(ClassFile::parse(&self.bytes).ok()?.this_class().into())
    }
}

/// A class that is being rewritten.
pub(super) struct Subject<'a> {
    pub(super) class: &'a ClassFile<'a>,
    /// Internal name.
    pub(super) name: String,
    /// True if the boot loader has it.
    pub(super) boot: bool,
    /// True if the JVM has laid out its objects already.
    pub(super) is_redefined: bool,
    /// True for a class that the JVM shows to no load hook.
    pub(super) is_hidden: bool,
    /// Who defines it, and from what.
    pub(super) definition: &'a Definition,
}

/// The name of a class's superclass for the user; empty if it has none.
pub(super) fn superclass(class: &ClassFile<'_>) -> String {
    class.super_class().map_or(String::new(), policy::display_name)
}

/// The source file that a class names; empty if it names none.
pub(super) fn source_file(class: &ClassFile<'_>) -> String {
    class.source_file().map_or(String::new(), |name| modified_utf8::decode(name).into_owned())
}
