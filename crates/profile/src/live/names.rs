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
    catalog: Catalog,
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
        let method = self.catalog.methods.get(place.method?.0 as usize)?;
        Some((self.catalog.classes.get(method.class.0 as usize)?, method))
    }
}
