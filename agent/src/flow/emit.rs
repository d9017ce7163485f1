//! Writes the code that follows values into a method.

use classfile::values::kinds::{Kind, kind};
use classfile::values::{Definition, Origin, Position, ValueId};
use classfile::{
    BlockIndex, CodeEdit, Fragment, Local, LocalType, PoolExtension, Refusal, descriptor, opcode,
};

use super::calls::{self, Call};
use super::costs::activation::Activation;
use super::costs::nodes::MethodNodes;
use super::domain::{Shadow, Source, Step, Use};
use super::holders::Holders;
use super::places::Places;
use super::probes::{self, ARGUMENTS, PARAMETERS, TRACKED_ARGUMENTS};
use super::shadows::{FieldNumbers, Shadows, for_each_step};
use super::subject::Subject;
use super::tags;
use super::unsafe_access::UnsafeAccess;
use super::upcalls::{Kept, is_upcall};
use crate::instrument::members::ProbeMethod;
use crate::instrument::probes::Access;

/// What the code of a method is to do, and with what.
pub struct Emitter<'e, 's> {
    /// The method.
    pub subject: &'e Subject<'s>,
    /// Its shadows.
    pub shadows: &'e Shadows,
    /// How its class reaches the probes.
    pub access: Access,
    /// The local that counts copies.
    pub copies: Option<Local>,
    /// Numbers of the stores, by position in the code.
    pub stores: &'e [(u32, u32)],
    /// The local that keeps the tag of `this` in a constructor, if there is one.
    pub tag_of_this: Option<Local>,
    /// In recordings of costs, the nodes, and what the activation keeps.
    pub nodes: Option<(&'e MethodNodes, Activation)>,
    /// Locals for what is taken off the stack for a moment.
    pub spills: Vec<Local>,
    /// The edit.
    pub edit: &'e mut CodeEdit,
    /// The class's constants.
    pub pool: &'e mut PoolExtension,
}

/// Objects whose tags are wanted, and where.
pub fn bases(
    subject: &Subject<'_>,
    shadows: &Shadows,
    fields: &FieldNumbers<'_>,
) -> Vec<(u32, ValueId)> {
    let mut bases = Vec::new();
    for_each_step(subject, fields, |step, result| {
        let Some(&base) = step.operands.first() else { return };
        let is_wanted = match kind(step.instruction.opcode) {
            Kind::Load if step.instruction.opcode != opcode::GETSTATIC => {
                result.is_some_and(|value| {
                    shadows.kept(value).is_some() || shadows.is_consumed_at_load(value)
                })
            }
            Kind::Store if step.instruction.opcode != opcode::PUTSTATIC => {
                !shadows.wishes_at(step.instruction.bci).is_empty()
                    && !subject.is_uninitialised(base, step.instruction.bci)
            }
            _ => false,
        };
        if is_wanted {
            bases.push((step.instruction.bci, base));
        }
    });
    bases
}

/// How the code gets at the tag of the object that an instruction accesses.
enum TagOf {
    /// It is in a local.
    Kept(Local),
    /// The object is in a local of the method.
    Held(u16),
    /// The object is on the stack, under other operands.
    Below,
}

impl Emitter<'_, '_> {
    /// Writes everything.
    pub fn emit(mut self, fields: &FieldNumbers<'_>) -> Result<(), Refusal> {
        let bases = match self.nodes {
            Some(_) => Vec::new(),
            None => bases(self.subject, self.shadows, fields),
        };
        let places = Places::new(self.subject, self.shadows, &bases, self.edit);
        let scratch = self.edit.new_local(LocalType::Int);
        let initial = places.initial().simple(opcode::ICONST_0).store_int(scratch);
        self.edit.at_entry(initial);
        let method = self.subject.method;
        let kept = if is_upcall(self.subject.code.method().class().this_class(), &method) {
            Some(Kept::enter(&method, self.access, self.edit, self.pool)?)
        } else {
            None
        };
        self.enter(&places, scratch)?;
        if let Some(nodes) = self.nodes {
            self.count_blocks(nodes)?;
        }
        self.turn_merges(&places)?;
        let mut holders = Holders::new(self.subject);
        let mut result = Ok(());
        let subject = self.subject;
        for_each_step(subject, fields, |step, made| {
            if result.is_ok() {
                holders.enter(step.instruction.bci);
                result = self.step(step, made, &places, &holders, scratch);
                holders.pass(step, made);
            }
        });
        result?;
        self.feed_merges(&places)?;
        match kept {
            Some(kept) => kept.leave(subject.code, self.access, self.edit, self.pool),
            None => Ok(()),
        }
    }

    pub(super) fn call(
        &mut self,
        fragment: Fragment,
        probe: &ProbeMethod,
    ) -> Result<Fragment, Refusal> {
        self.access.call(fragment, probe, self.pool)
    }

    /// Adds the number of copies on the stack to the others.
    fn count(&self, fragment: Fragment) -> Fragment {
        match self.copies {
            Some(copies) => fragment.load_int(copies).simple(opcode::IADD).store_int(copies),
            None => fragment.pop(),
        }
    }

    /// Pushes a shadow.
    pub(super) fn push(
        &mut self,
        fragment: Fragment,
        value: ValueId,
        places: &Places,
    ) -> Result<Fragment, Refusal> {
        match (self.shadows.of(value), places.shadow(value)) {
            (Shadow::Static(shadow), _) => fragment.push_long(shadow as i64, self.pool),
            (Shadow::Own(node), _) => {
                // Nodes are below 2^31.
                let fragment = fragment.push_int(node as i32, self.pool)?;
                let fragment = match self.nodes {
                    Some((_, activation)) => {
                        fragment.load_int(activation.slot).simple(opcode::IADD)
                    }
                    None => fragment,
                };
                Ok(fragment.simple(opcode::I2L))
            }
            (_, Some(local)) => Ok(fragment.load_long(local)),
            // Nobody was to ask.
            (_, None) => Ok(fragment.simple(opcode::LCONST_0)),
        }
    }

    /// Entry of the method: shadows and tags of its arguments.
    fn enter(&mut self, places: &Places, known: Local) -> Result<(), Refusal> {
        let subject = self.subject;
        let mut fragment = Fragment::new();
        let mut has_entered = false;
        for value in subject.values.ids() {
            let Definition::Parameter(local) = subject.values.definition(value) else { continue };
            if let (Some(Source::Argument(number)), Some(place)) =
                (self.shadows.kept(value), places.shadow(value))
            {
                if !has_entered {
                    let callee = calls::callee(subject.method.name(), subject.method.descriptor());
                    fragment = fragment.push_int(callee, self.pool)?;
                    fragment = self.call(fragment, &probes::ENTERED)?.store_int(known);
                    has_entered = true;
                }
                fragment = self.call(fragment.load_int(known), &PARAMETERS[number])?;
                fragment = fragment.store_long(place);
            }
            if let Some(tag) = places.tag(value)
                && !subject.is_constructed(local)
            {
                fragment = fragment.load_reference(object(local));
                fragment = self.call(fragment, &tags::probes::TAG)?.store_int(tag);
            }
        }
        let method = subject.method;
        if !has_entered && calls::says_that_it_is_entered(method.name(), method.descriptor()) {
            fragment = self.call(fragment, &probes::NO_ARGUMENTS)?;
        }
        for merge in subject.values.merges() {
            let Some(incoming) = places.incoming(merge) else { continue };
            for input in subject.values.inputs(merge) {
                if input.origin == Origin::Entry {
                    fragment = self.push(fragment, input.value, places)?.store_long(incoming);
                }
            }
        }
        self.edit.at_entry(fragment);
        subject.initialisation.calls.iter().try_for_each(|&init| self.construct(init, places))
    }

    /// Where a constructor has initialised `this`, its tag is known.
    fn construct(&mut self, init: u32, places: &Places) -> Result<(), Refusal> {
        let subject = self.subject;
        for value in subject.values.ids() {
            if subject.values.definition(value) != Definition::Parameter(0) {
                continue;
            }
            let mut fragment = Fragment::new();
            if let Some(tag) = places.tag(value) {
                fragment = fragment.simple(opcode::ALOAD_0);
                fragment = self.call(fragment, &tags::probes::TAG)?.store_int(tag);
            }
            if let (Some(Source::Constructed), Some(place)) =
                (self.shadows.kept(value), places.shadow(value))
            {
                fragment = fragment.simple(opcode::ALOAD_0);
                fragment = self.call(fragment, &probes::PRODUCER)?.store_long(place);
            }
            if fragment.peak() > 0 {
                self.edit.after(init, fragment);
            }
        }
        Ok(())
    }

    /// Start of blocks: merges become what is coming in, all at once.
    fn turn_merges(&mut self, places: &Places) -> Result<(), Refusal> {
        let subject = self.subject;
        for merge in subject.values.merges() {
            let Definition::Merge { block, position } = subject.values.definition(merge) else {
                continue;
            };
            let mut fragment = Fragment::new();
            if let (Some(incoming), Some(current)) = (places.incoming(merge), places.shadow(merge))
            {
                fragment = fragment.load_long(incoming).store_long(current);
            }
            if let (Some(tag), Position::Local(local)) = (places.tag(merge), position) {
                fragment = fragment.load_reference(object(local));
                fragment = self.call(fragment, &tags::probes::TAG)?.store_int(tag);
            }
            if fragment.peak() > 0 {
                self.edit.before(subject.flow.blocks()[block as usize].start, fragment);
            }
        }
        Ok(())
    }

    /// Ways into merges: what comes in.
    fn feed_merges(&mut self, places: &Places) -> Result<(), Refusal> {
        let subject = self.subject;
        for merge in subject.values.merges() {
            let Some(incoming) = places.incoming(merge) else { continue };
            for input in subject.values.inputs(merge) {
                let fragment = self.push(Fragment::new(), input.value, places)?;
                let fragment = fragment.store_long(incoming);
                match input.origin {
                    Origin::Entry => {}
                    Origin::Before(bci) => self.edit.before(bci, fragment),
                    Origin::Block(block) => {
                        let last = subject.flow.blocks()[block as usize].last;
                        if self.falls_through(block) {
                            self.edit.after(last, fragment);
                        } else {
                            self.edit.before(last, fragment);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// True if a block ends with an instruction that does not branch.
    fn falls_through(&self, block: BlockIndex) -> bool {
        let last = self.subject.flow.blocks()[block as usize].last;
        self.subject.code.instruction_at(last).is_some_and(|instruction| {
            !matches!(
                kind(instruction.opcode),
                Kind::Predicate | Kind::Jump | Kind::Return | Kind::Throw
            )
        })
    }

    fn step(
        &mut self,
        step: &Step<'_>,
        made: Option<ValueId>,
        places: &Places,
        holders: &Holders,
        scratch: Local,
    ) -> Result<(), Refusal> {
        if self.nodes.is_some() {
            return self.note(step, made, places, holders, scratch);
        }
        let bci = step.instruction.bci;
        match kind(step.instruction.opcode) {
            Kind::Load => self.load(step, made, places, holders)?,
            Kind::Store => self.store(step, places, holders, scratch)?,
            Kind::Call => self.around_call(step, made, places)?,
            Kind::Return => self.leave(step, places)?,
            _ => {
                let wishes = self.shadows.wishes_at(bci);
                if !wishes.is_empty() {
                    let mut fragment = Fragment::new();
                    for wish in wishes.iter().filter(|wish| wish.wants == Use::Consumed) {
                        fragment = self.push(fragment, wish.value, places)?;
                        fragment = self.call(fragment, &probes::CONSUMED)?;
                    }
                    self.edit.before(bci, fragment);
                }
            }
        }
        if let Some(made) = made {
            self.after_making(step, made, places)?;
        }
        Ok(())
    }

    /// Behind an instruction, with what it made on top of the stack.
    pub(super) fn after_making(
        &mut self,
        step: &Step<'_>,
        made: ValueId,
        places: &Places,
    ) -> Result<(), Refusal> {
        let mut fragment = Fragment::new();
        if let Some(tag) = places.tag(made) {
            fragment = self.call(fragment.dup(), &tags::probes::TAG)?.store_int(tag);
        }
        match (self.shadows.kept(made), places.shadow(made)) {
            (Some(Source::Made), Some(place)) => {
                fragment = self.call(fragment.dup(), &probes::PRODUCER)?.store_long(place);
            }
            (Some(Source::Returned { callee }), Some(place)) => {
                fragment = fragment.push_int(callee, self.pool)?;
                fragment = self.call(fragment, &probes::RESULT)?.store_long(place);
            }
            _ => {}
        }
        if fragment.peak() == 0 {
            return Ok(());
        }
        if step.instruction.opcode == opcode::NEW {
            for &init in places.initialised(made) {
                self.edit.after(init, &fragment);
            }
        } else {
            self.edit.after(step.instruction.bci, fragment);
        }
        Ok(())
    }

    fn tag_of(&self, base: ValueId, places: &Places, holders: &Holders) -> TagOf {
        match (places.tag(base), holders.of(base)) {
            (Some(tag), _) => TagOf::Kept(tag),
            (None, Some(local)) => TagOf::Held(local),
            (None, None) => TagOf::Below,
        }
    }

    fn load(
        &mut self,
        step: &Step<'_>,
        made: Option<ValueId>,
        places: &Places,
        holders: &Holders,
    ) -> Result<(), Refusal> {
        let (Some(value), Some(&base)) = (made, step.operands.first()) else { return Ok(()) };
        let consumes = self.shadows.is_consumed_at_load(value);
        let place = self.shadows.kept(value).and(places.shadow(value));
        if !consumes && place.is_none() {
            return Ok(());
        }
        let is_element = matches!(self.shadows.of(value), Shadow::Dynamic(Source::Element { .. }));
        let mut fragment = Fragment::new();
        let tag = self.tag_of(base, places, holders);
        fragment = match tag {
            TagOf::Kept(local) => fragment.load_int(local),
            TagOf::Held(local) => fragment.load_reference(object(local)),
            TagOf::Below if is_element => fragment.dup2().pop(),
            TagOf::Below => fragment.dup(),
        };
        let is_kept = matches!(tag, TagOf::Kept(_));
        if is_element && consumes && place.is_none() {
            let probe =
                if is_kept { &probes::CONSUMED_ELEMENT } else { &probes::CONSUMED_ELEMENT_OF };
            let fragment = self.call(fragment, probe)?;
            self.edit.before(step.instruction.bci, fragment);
            return Ok(());
        }
        let probe = match (is_element, is_kept) {
            (true, true) => &probes::ELEMENT,
            (true, false) => &probes::ELEMENT_OF,
            (false, true) => &probes::FIELD,
            (false, false) => &probes::FIELD_OF,
        };
        if !is_element {
            // Numbers of fields are far below 2^31.
            fragment = fragment.push_int(step.field.unwrap_or(0) as i32, self.pool)?;
        }
        fragment = self.call(fragment, probe)?;
        fragment = match (consumes, place) {
            (true, Some(place)) => {
                let fragment = fragment.dup2().store_long(place);
                self.call(fragment, &probes::CONSUMED)?
            }
            (true, None) => self.call(fragment, &probes::CONSUMED)?,
            (false, Some(place)) => fragment.store_long(place),
            (false, None) => return Ok(()),
        };
        self.edit.before(step.instruction.bci, fragment);
        Ok(())
    }

    fn number_of_store(&self, bci: u32) -> Option<i32> {
        let at = self.stores.binary_search_by_key(&bci, |&(at, _)| at).ok()?;
        Some(self.stores[at].1 as i32)
    }

    fn store(
        &mut self,
        step: &Step<'_>,
        places: &Places,
        holders: &Holders,
        scratch: Local,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(wish) = self.shadows.wishes_at(bci).first().copied() else { return Ok(()) };
        let Some(number) = self.number_of_store(bci) else { return Ok(()) };
        let mut fragment = self.push(Fragment::new(), wish.value, places)?;
        let mut probe = &probes::STORE;
        let base = step.operands.first().copied();
        match base.filter(|_| step.instruction.opcode != opcode::PUTSTATIC) {
            None => fragment = fragment.simple(opcode::ICONST_0),
            Some(base) if self.subject.is_uninitialised(base, bci) => {
                // `this` cannot be asked yet.
                fragment = match self.tag_of_this {
                    Some(tag) => fragment.load_int(tag),
                    None => self.call(fragment, &tags::probes::PENDING)?,
                };
            }
            Some(base) => match self.tag_of(base, places, holders) {
                TagOf::Kept(local) => fragment = fragment.load_int(local),
                TagOf::Held(local) => {
                    fragment = fragment.load_reference(object(local));
                    probe = &probes::STORE_IN;
                }
                TagOf::Below => {
                    let before = self.find_tag_below(step, scratch)?;
                    self.edit.before(bci, before);
                    fragment = fragment.load_int(scratch);
                }
            },
        }
        fragment = fragment.push_int(number, self.pool)?;
        fragment = self.call(fragment, probe)?;
        fragment = self.count(fragment);
        self.edit.after(bci, fragment);
        Ok(())
    }

    /// Finds the tag of the object that a store accesses, which lies below
    /// what is stored.
    fn find_tag_below(&mut self, step: &Step<'_>, scratch: Local) -> Result<Fragment, Refusal> {
        let fragment = Fragment::new();
        let fragment = match step.instruction.opcode {
            opcode::PUTFIELD if is_wide_field(self.subject, step) => {
                // owner, value -> owner, value, owner
                fragment.simple(opcode::DUP2_X1).pop2().simple(opcode::DUP_X2)
            }
            opcode::PUTFIELD => fragment.dup2().pop(),
            opcode => {
                let kind = match opcode {
                    opcode::LASTORE => LocalType::Long,
                    opcode::DASTORE => LocalType::Double,
                    opcode::FASTORE => LocalType::Float,
                    opcode::AASTORE => self.any_object()?,
                    _ => LocalType::Int,
                };
                let value = self.spill(kind, 0);
                let fragment = fragment.store(value).dup2().pop();
                let fragment = self.call(fragment, &tags::probes::TAG)?.store_int(scratch);
                return Ok(fragment.load(value));
            }
        };
        Ok(self.call(fragment, &tags::probes::TAG)?.store_int(scratch))
    }

    /// A local for something that is taken off the stack for a moment, the
    /// first, second and so on of its type.
    pub(super) fn spill(&mut self, kind: LocalType, number: usize) -> Local {
        loop {
            let known = self.spills.iter().filter(|local| local.kind() == kind).nth(number);
            match known {
                Some(&known) => return known,
                // The second one may be asked for first.
                None => self.add_spill(kind),
            }
        }
    }

    fn add_spill(&mut self, kind: LocalType) {
        let local = self.edit.new_local(kind);
        let zero = match kind {
            LocalType::Int => opcode::ICONST_0,
            LocalType::Long => opcode::LCONST_0,
            LocalType::Float => opcode::FCONST_0,
            LocalType::Double => opcode::DCONST_0,
            LocalType::Null | LocalType::Object(_) => opcode::ACONST_NULL,
        };
        self.edit.at_entry(Fragment::new().simple(zero).store(local));
        self.spills.push(local);
    }

    pub(super) fn any_object(&mut self) -> Result<LocalType, Refusal> {
        Ok(LocalType::Object(self.pool.class(b"java/lang/Object")?))
    }

    /// `System.arraycopy` copies as many elements as it says.
    fn copy_array(&mut self, bci: u32) -> Result<(), Refusal> {
        let Some(number) = self.number_of_store(bci) else { return Ok(()) };
        let object = self.any_object()?;
        let (from, to) = (self.spill(object, 0), self.spill(object, 1));
        let (length, position) = (self.spill(LocalType::Int, 0), self.spill(LocalType::Int, 1));
        let before = Fragment::new().store_int(length).store_int(position).store_reference(to);
        let before = before.dup2().pop().store_reference(from).load_reference(to);
        self.edit.before(bci, before.load_int(position).load_int(length));
        let after = Fragment::new().load_reference(from).load_reference(to).load_int(length);
        let after = after.push_int(number, self.pool)?;
        let after = self.call(after, &probes::COPIED)?;
        let after = self.count(after);
        self.edit.after(bci, forget(after, &[from, to]));
        Ok(())
    }

    /// `Unsafe` loads or stores: the object and the offset are kept aside.
    fn access(
        &mut self,
        step: &Step<'_>,
        access: UnsafeAccess,
        made: Option<ValueId>,
        places: &Places,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let place = made.and_then(|made| self.shadows.kept(made).and(places.shadow(made)));
        let stored = access.stored().and_then(|at| step.operands.get(at).copied());
        let stored = stored.filter(|&value| self.shadows.of(value) != Shadow::NONE);
        let consumes = access.consumed().is_some();
        if place.is_none() && stored.is_none() && !consumes {
            return Ok(());
        }
        let object = self.any_object()?;
        let owner = self.spill(object, 0);
        let offset = self.spill(LocalType::Long, 0);
        let mut before = Fragment::new();
        let mut aside = Vec::new();
        let named = step.instruction.pool_index();
        let named =
            named.and_then(|index| self.subject.code.constant_pool().member_ref(index).ok());
        let Some(named) = named else { return Ok(()) };
        // Behind the object and the offset.
        for (at, kind) in descriptor::parameters(named.descriptor).skip(2).enumerate() {
            let kind = match kind.first() {
                Some(b'J') => LocalType::Long,
                Some(b'F') => LocalType::Float,
                Some(b'D') => LocalType::Double,
                Some(b'L' | b'[') => object,
                _ => LocalType::Int,
            };
            // The first of each type may be one of those above.
            aside.push(self.spill(kind, at + 1));
        }
        for &local in aside.iter().rev() {
            before = before.store(local);
        }
        before = before.store_long(offset).dup().store_reference(owner);
        if consumes {
            before = before.load_reference(owner).load_long(offset);
            before = self.call(before, &probes::LOCATION_AT)?;
            before = self.call(before, &probes::CONSUMED)?;
            for wish in self.shadows.wishes_at(bci).iter().filter(|w| w.wants == Use::Consumed) {
                before = self.push(before, wish.value, places)?;
                before = self.call(before, &probes::CONSUMED)?;
            }
        }
        before = before.load_long(offset);
        for &local in &aside {
            before = before.load(local);
        }
        self.edit.before(bci, before);
        let mut after = Fragment::new();
        if let Some(place) = place {
            after = after.load_reference(owner).load_long(offset);
            after = self.call(after, &probes::LOCATION_AT)?.store_long(place);
        }
        if let (Some(value), Some(number)) = (stored, self.number_of_store(bci)) {
            let is_conditional = access == UnsafeAccess::CompareAndSet;
            if is_conditional {
                after = after.dup();
            }
            after = self.push(after, value, places)?.load_reference(owner).load_long(offset);
            after = after.push_int(number, self.pool)?;
            let probe = if is_conditional { &probes::STORE_AT_IF } else { &probes::STORE_AT };
            after = self.call(after, probe)?;
            after = self.count(after);
        }
        let objects: Vec<Local> =
            aside.iter().copied().filter(|local| local.kind() == object).chain([owner]).collect();
        self.edit.after(bci, forget(after, &objects));
        Ok(())
    }

    /// `clone` copies all elements, or all fields.
    fn copy_clone(&mut self, bci: u32) -> Result<(), Refusal> {
        let Some(number) = self.number_of_store(bci) else { return Ok(()) };
        let object = self.any_object()?;
        let (from, to) = (self.spill(object, 0), self.spill(object, 1));
        self.edit.before(bci, Fragment::new().dup().store_reference(from));
        let after = Fragment::new().dup().store_reference(to);
        let after = after.load_reference(from).load_reference(to).push_int(number, self.pool)?;
        let after = self.call(after, &probes::CLONED)?;
        let after = self.count(after);
        self.edit.after(bci, forget(after, &[from, to]));
        Ok(())
    }

    pub(super) fn leave(&mut self, step: &Step<'_>, places: &Places) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        let Some(&value) = step.operands.first() else { return Ok(()) };
        if self.shadows.of(value) == Shadow::NONE {
            // What a callee has left on the tracking stack is not for the caller.
            if !self.subject.plan.sites.is_empty() {
                let fragment = self.call(Fragment::new(), &probes::NO_ARGUMENTS)?;
                self.edit.before(bci, fragment);
            }
            return Ok(());
        }
        let method = self.subject.method;
        let callee = calls::callee(method.name(), method.descriptor());
        let fragment = self.push(Fragment::new(), value, places)?;
        let fragment = fragment.push_int(callee, self.pool)?;
        let fragment = self.call(fragment, &probes::RETURNS)?;
        self.edit.before(bci, fragment);
        Ok(())
    }

    pub(super) fn around_call(
        &mut self,
        step: &Step<'_>,
        made: Option<ValueId>,
        places: &Places,
    ) -> Result<(), Refusal> {
        let bci = step.instruction.bci;
        match step.call {
            Some(Call::Tracked { callee }) => self.pass(step, 0, callee, places),
            // The first argument of a constructor is the object.
            Some(Call::Captures { callee }) => self.pass(step, 1, callee, places),
            Some(Call::CopiesArray) => self.copy_array(bci),
            Some(Call::Clones) => self.copy_clone(bci),
            Some(Call::Consumes { calls_back }) => self.consume(bci, calls_back, places),
            Some(Call::Concatenates) => self.consume(bci, true, places),
            Some(Call::Accesses(access)) => self.access(step, access, made, places),
            Some(Call::Ignores) | None => Ok(()),
        }
    }

    fn consume(&mut self, bci: u32, calls_back: bool, places: &Places) -> Result<(), Refusal> {
        let mut fragment = Fragment::new();
        for wish in self.shadows.wishes_at(bci) {
            fragment = self.push(fragment, wish.value, places)?;
            fragment = self.call(fragment, &probes::CONSUMED)?;
        }
        if calls_back {
            fragment = self.call(fragment, &probes::NO_ARGUMENTS)?;
        }
        self.edit.before(bci, fragment);
        Ok(())
    }

    /// Leaves the shadows of arguments on the tracking stack, the first of them
    /// at this place.
    fn pass(
        &mut self,
        step: &Step<'_>,
        first: usize,
        callee: i32,
        places: &Places,
    ) -> Result<(), Refusal> {
        let (bci, operands) = (step.instruction.bci, step.operands);
        let is_known = |value: &ValueId| self.shadows.of(*value) != Shadow::NONE;
        let mut fragment = Fragment::new();
        if !operands.iter().take(TRACKED_ARGUMENTS - first).any(is_known) {
            fragment = self.call(fragment, &probes::NO_ARGUMENTS)?;
            self.edit.before(bci, fragment);
            return Ok(());
        }
        let count = (first + operands.len()).min(TRACKED_ARGUMENTS);
        let low = count.min(ARGUMENTS.len());
        let argument = |number: usize| number.checked_sub(first).and_then(|at| operands.get(at));
        if count > low {
            for number in low..TRACKED_ARGUMENTS {
                fragment = match argument(number) {
                    Some(&value) => self.push(fragment, value, places)?,
                    None => fragment.simple(opcode::LCONST_0),
                };
            }
            fragment = self.call(fragment, &probes::MORE_ARGUMENTS)?;
        }
        for number in 0..low {
            fragment = match argument(number) {
                Some(&value) => self.push(fragment, value, places)?,
                None => fragment.simple(opcode::LCONST_0),
            };
        }
        fragment = fragment.push_int(callee, self.pool)?;
        fragment = self.call(fragment, &ARGUMENTS[low - 1])?;
        self.edit.before(bci, fragment);
        Ok(())
    }
}

/// Objects are not kept longer than the program itself does.
pub fn forget(fragment: Fragment, locals: &[Local]) -> Fragment {
    locals.iter().fold(fragment, |fragment, &local| fragment.push_null().store_reference(local))
}

/// A local of the method that holds a reference.
pub fn object(local: u16) -> Local {
    Local::existing(local, LocalType::Null)
}

fn is_wide_field(subject: &Subject<'_>, step: &Step<'_>) -> bool {
    step.instruction
        .pool_index()
        .and_then(|index| subject.code.constant_pool().member_ref(index).ok())
        .is_some_and(|field| descriptor::words(field.descriptor) == 2)
}
