//! Code that is not followed: none of the rules applies to it.

use profile::dataflow::{FieldId, Location, TagId};

use super::{Context, Hashed, Here, Registry, Rules, Stored};

/// An instance of the framework, of which code that is not followed sees
/// nothing: its values come from nowhere, it reads without being noticed, and
/// who wrote before it is forgotten.
#[derive(Debug)]
pub struct Selective<R> {
    /// The instance, for all other code.
    pub rules: R,
}

impl<R: Rules> Rules for Selective<R> {
    const KNOWS_WHO_CONSUMES: bool = R::KNOWS_WHO_CONSUMES;

    type Shadow = R::Shadow;
    type Writer = R::Writer;

    fn is_loaded(shadow: Self::Shadow) -> bool {
        R::is_loaded(shadow)
    }

    fn context(context: Context, registry: &Registry) -> Option<Hashed> {
        R::context(context, registry)
    }

    fn allocate(&mut self, here: Here, slot: u32, tag: TagId) -> Self::Shadow {
        if !here.is_followed {
            return Self::Shadow::default();
        }
        self.rules.allocate(here, slot, tag)
    }

    fn made(&mut self, object: Self::Shadow, tag: TagId) {
        self.rules.made(object, tag);
    }

    fn this(&mut self, given: Self::Shadow, tag: TagId) -> Self::Shadow {
        self.rules.this(given, tag)
    }

    fn compute(&mut self, here: Here, slot: u32, operands: &[Self::Shadow]) -> Self::Shadow {
        if !here.is_followed {
            return Self::Shadow::default();
        }
        self.rules.compute(here, slot, operands)
    }

    fn test(&mut self, here: Here, operands: &[Self::Shadow]) {
        if here.is_followed {
            self.rules.test(here, operands);
        }
    }

    fn load(
        &mut self,
        here: Here,
        slot: u32,
        from: Location,
        is_null: bool,
        writer: &mut Self::Writer,
    ) -> Self::Shadow {
        if !here.is_followed {
            return Self::Shadow::default();
        }
        self.rules.load(here, slot, from, is_null, writer)
    }

    fn store(
        &mut self,
        here: Here,
        slot: u32,
        stored: Stored<Self::Shadow>,
        writer: &mut Self::Writer,
    ) {
        if here.is_followed {
            self.rules.store(here, slot, stored, writer);
        } else if here.forgets {
            *writer = Self::Writer::default();
        }
    }

    fn begin_copies(&mut self, here: Here, slot: u32, to: FieldId) {
        if here.is_followed {
            self.rules.begin_copies(here, slot, to);
        }
    }

    fn copy(
        &mut self,
        here: Here,
        slot: u32,
        from: (Location, &mut Self::Writer),
        stored: Stored<Self::Shadow>,
        writer: Option<Self::Writer>,
    ) -> Self::Writer {
        if !here.is_followed {
            let old = writer.unwrap_or(*from.1);
            return if here.forgets { Self::Writer::default() } else { old };
        }
        self.rules.copy(here, slot, from, stored, writer)
    }

    fn native(&mut self, here: Here, arguments: &[Self::Shadow]) {
        if here.is_followed {
            self.rules.native(here, arguments);
        }
    }

    fn null(&mut self, here: Here) -> Self::Shadow {
        if !here.is_followed {
            return Self::Shadow::default();
        }
        self.rules.null(here)
    }

    fn argument(
        &mut self,
        here: Here,
        number: usize,
        receivers: usize,
        given: Self::Shadow,
    ) -> Self::Shadow {
        if !here.is_followed {
            return Self::Shadow::default();
        }
        self.rules.argument(here, number, receivers, given)
    }

    fn result(&mut self, here: Here, returned: Self::Shadow) -> Self::Shadow {
        if !here.is_followed {
            return Self::Shadow::default();
        }
        self.rules.result(here, returned)
    }

    fn take_result(&mut self) {
        self.rules.take_result();
    }

    fn answer(&mut self, here: Here, answered: Self::Shadow) -> Self::Shadow {
        if !here.is_followed {
            return Self::Shadow::default();
        }
        self.rules.answer(here, answered)
    }

    fn meet_null(&mut self, here: Here, met: Self::Shadow) {
        if here.is_followed {
            self.rules.meet_null(here, met);
        }
    }
}
