//! The names behind the numbers in a live profile, looked up while it grows.

use super::arena::Arena;
use super::catalog::Catalog;
use super::loops;
use crate::dataflow::{Place, SimilarLoop};
use crate::loop_records::LoopRecord;
use crate::{ClassInfo, Error, Image, MethodInfo, QualifiedName};

/// The metadata of a live profile, as far as it has been read.
#[derive(Debug, Default)]
pub struct LiveNames {
    pub(super) catalog: Catalog,
}

/// The methods of a live profile, as far as they have been read.
#[derive(Debug, Clone, Copy)]
pub struct KnownMethods<'a>(pub(super) &'a Catalog);

/// A chain of superclasses is not longer in any program.
const LONGEST_CHAIN: usize = 100;

impl<'a> KnownMethods<'a> {
    /// A method and its class, by the method's place.
    pub fn method(self, place: u32) -> Option<(&'a ClassInfo, &'a MethodInfo)> {
        let method = self.0.methods.get(place as usize)?;
        Some((self.0.classes.get(method.class.0 as usize)?, method))
    }

    /// The names of the classes above one, as far as they are known. Takes a look at each
    /// class for each of them.
    pub fn superclasses(self, class: &'a ClassInfo) -> impl Iterator<Item = &'a str> {
        let first = Some(class.superclass.as_str()).filter(|name| !name.is_empty());
        let above = move |name: &&'a str| {
            let known = self.0.classes.iter().find(|class| class.name == **name)?;
            Some(known.superclass.as_str()).filter(|name| !name.is_empty())
        };
        std::iter::successors(first, above).take(LONGEST_CHAIN)
    }
}

impl LiveNames {
    /// Reads what has been added to the profile since the last time.
    ///
    /// # Errors
    ///
    /// When the image is damaged.
    pub fn catch_up(&mut self, image: &impl Image) -> Result<(), Error> {
        self.catalog.catch_up(&Arena { image })
    }

    /// What is known so far.
    pub fn methods(&self) -> KnownMethods<'_> {
        KnownMethods(&self.catalog)
    }

    /// The loop of a record, its places in methods that have names here; `None` if one has
    /// none.
    pub fn similar_loop(&self, record: &LoopRecord) -> Option<SimilarLoop> {
        loops::found(record, &self.catalog)
    }

    /// The method of a place.
    pub fn name(&self, place: &Place) -> Option<QualifiedName<'_>> {
        let (class, method) = self.method(place)?;
        let MethodInfo { name, descriptor, .. } = method;
        Some(QualifiedName { class: &class.name, name, descriptor })
    }

    /// The source file of a place's class, empty if it is not known.
    pub fn source_file(&self, place: &Place) -> &str {
        self.method(place).map_or("", |(class, _)| &class.source_file)
    }

    fn method(&self, place: &Place) -> Option<(&ClassInfo, &MethodInfo)> {
        self.methods().method(place.method?.0)
    }
}
