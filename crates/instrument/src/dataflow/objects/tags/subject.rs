//! A method whose allocations are to be tagged, and the numbers of its sites.

use classfile::{Code, Initialisation};
use profile::dataflow::SiteKind;

use super::Tags;
use super::names::text;
use crate::dataflow::objects::sites::{AllocationSite, hash_of};
use crate::modified_utf8;
use crate::plan::MethodPlan;
use crate::plan::policy;
use crate::probe::Access;

/// A method whose allocations are to be tagged.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'s, 'c> {
    /// Its code.
    pub code: &'s Code<'c>,
    /// Its number.
    pub number: u32,
    /// How its class reaches the probes.
    pub access: Access,
    /// What it does before it is initialised, if it is a constructor.
    pub initialisation: &'s Initialisation,
    /// How its calls are recorded, if its values are followed.
    pub plan: Option<&'s MethodPlan>,
}

impl Subject<'_, '_> {
    /// The number of the instruction that makes objects of a class, or, with an empty
    /// one, calls what makes objects; `None` when all numbers are taken.
    pub fn site(
        &self,
        tags: &Tags,
        bci: u32,
        line: u16,
        (kind, class_of_objects): (SiteKind, &[u8]),
    ) -> Option<u32> {
        let method = self.code.method();
        let class = method.class().this_class();
        // Code is shorter than 65,536 bytes.
        let bci = bci as u16;
        tags.sites.number(AllocationSite {
            method: self.number,
            bci,
            line,
            kind,
            class: text(class_of_objects),
            // Numbers of generated classes differ from run to run, slots do not.
            hash: hash_of([
                policy::display_name(class).replace('.', "/").as_bytes(),
                modified_utf8::decode(method.name()).as_bytes(),
                modified_utf8::decode(method.descriptor()).as_bytes(),
                &bci.to_be_bytes(),
            ]),
            is_provisional: makes_strings_for_others(class),
        })
    }
}

/// True for what makes the strings of concatenations.
fn makes_strings_for_others(class: &[u8]) -> bool {
    class.starts_with(b"java/lang/StringConcatHelper")
        || class.starts_with(b"java/lang/String$$StringConcat")
        || class.starts_with(b"java/lang/invoke/")
}
