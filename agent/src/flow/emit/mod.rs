//! Writes the code that follows values into a method.
//!
//! [`accesses`] are loads and stores, [`asking`] comes before the last writers of
//! fields, [`merging`] what happens where ways meet,
//! [`passing`] what happens around calls, and [`unseen`] what the JVM copies itself.
//! [`spills`] are locals for what is taken off the stack meanwhile, and [`held`]
//! references that are needed behind what takes them.

pub mod accesses;
mod asking;
pub mod held;
mod merging;
mod passing;
pub mod spills;
mod unseen;

use classfile::ssa::kinds::{Kind, kind};
use classfile::ssa::{Definition, Origin, ValueId};
use classfile::{CodeEdit, Fragment, Local, LocalType, PoolExtension, Refusal, opcode};

use super::calls;
use super::costs::activation::Activation;
use super::costs::nodes::MethodNodes;
use super::domain::{Shadow, Source, Step, Use};
use super::holders::Holders;
use super::last_writers::LastWriters;
use super::nulls::{self, emit::NullCode};
use super::places::Places;
use super::probes;
use super::shadows::{FieldNumbers, Shadows, for_each_step};
use super::stack;
use super::subject::Subject;
use super::tags;
use super::upcalls::{Kept, is_upcall};
use crate::instrument::members::ProbeMethod;
use crate::instrument::probes::Access;
use accesses::bases;
use spills::Spills;

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
    /// In recordings of nulls, what is to be written.
    pub nulls: Option<&'e NullCode<'e>>,
    /// Which classes have last writers, where any have.
    pub last_writers: Option<&'e LastWriters>,
    /// Locals for what is taken off the stack for a moment.
    pub spills: Spills,
    /// The edit.
    pub edit: &'e mut CodeEdit,
    /// The class's constants.
    pub pool: &'e mut PoolExtension,
}

impl Emitter<'_, '_> {
    /// Writes everything.
    pub fn emit(mut self, fields: &FieldNumbers<'_>) -> Result<(), Refusal> {
        let bases = match (self.nodes, self.nulls) {
            (None, None) => bases(self.subject, self.shadows, fields),
            _ => Vec::new(),
        };
        let places = Places::new(self.subject, self.shadows, &bases, self.edit);
        let scratch = self.edit.new_local(LocalType::Int);
        let initial = places.initial().simple(opcode::ICONST_0).store_int(scratch);
        self.edit.at_start(initial);
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

    /// What a probe gets for the static field of an instruction; `None` if the field
    /// has no last writer.
    pub(super) fn static_field(&self, step: &Step<'_>) -> Option<i32> {
        self.last_writers?.statics.constant(step.field?)
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
    ///
    /// The shadows come first of all, so that the second compiler sees nothing
    /// between the caller that leaves them and the callee that takes them.
    fn enter(&mut self, places: &Places, known: Local) -> Result<(), Refusal> {
        let subject = self.subject;
        let (mut taken, mut fragment) = (Fragment::new(), Fragment::new());
        let mut has_entered = false;
        for value in subject.values.ids() {
            let Definition::Parameter(local) = subject.values.definition(value) else { continue };
            if let (Some(Source::Argument(number)), Some(place)) =
                (self.shadows.kept(value), places.shadow(value))
            {
                if !has_entered {
                    let callee = calls::callee(subject.method.name(), subject.method.descriptor());
                    taken = taken.push_int(callee, self.pool)?;
                    taken = self.call(taken, &stack::ENTERED)?.store_int(known);
                    has_entered = true;
                }
                if self.nulls.is_some() {
                    taken = taken.load_reference(object(local));
                }
                taken = self.call(taken.load_int(known), &stack::PARAMETERS[number])?;
                if self.nulls.is_some() {
                    taken = self.call(taken, &nulls::probes::PARAMETER)?;
                }
                taken = taken.store_long(place);
            }
            if let Some(tag) = places.tag(value)
                && !subject.is_constructed(local)
            {
                fragment = fragment.load_reference(object(local));
                fragment = self.call(fragment, &tags::probes::TAG)?.store_int(tag);
            }
        }
        for merge in subject.values.phis() {
            let Some(incoming) = places.incoming(merge) else { continue };
            for input in subject.values.inputs(merge) {
                if input.origin == Origin::Entry {
                    fragment = self.push(fragment, input.value, places)?.store_long(incoming);
                }
            }
        }
        let method = subject.method;
        if !has_entered && calls::says_that_it_is_entered(method.name(), method.descriptor()) {
            taken = self.call(taken, &stack::NO_ARGUMENTS)?;
        }
        self.edit.at_start(taken);
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

    fn step(
        &mut self,
        step: &Step<'_>,
        made: Option<ValueId>,
        places: &Places,
        holders: &Holders,
        scratch: Local,
    ) -> Result<(), Refusal> {
        if let Some(nulls) = self.nulls {
            return self.follow_nulls(nulls, step, made, places, holders);
        }
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
                fragment = self.call(fragment, &stack::RESULT)?.store_long(place);
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

    /// A local for something that is taken off the stack for a moment, the
    /// first, second and so on of its type.
    pub(super) fn spill(&mut self, kind: LocalType, number: usize) -> Local {
        self.spills.get(kind, number, self.edit)
    }

    pub(super) fn any_object(&mut self) -> Result<LocalType, Refusal> {
        Ok(LocalType::Object(self.pool.class(b"java/lang/Object")?))
    }
}

/// Objects are not kept longer than the program itself does.
pub fn forget(fragment: Fragment, locals: &[Local]) -> Fragment {
    locals.iter().fold(fragment, |fragment, &local| fragment.push_null().store_reference(local))
}

/// Keeps the object of a store in a field aside, which lies below the value.
pub fn keep_owner(owner: Local, is_wide: bool) -> Fragment {
    if is_wide {
        // owner, value -> value, owner -> owner, value
        let turned = Fragment::new().simple(opcode::DUP2_X1).pop2().dup();
        turned.store_reference(owner).simple(opcode::DUP_X2).pop()
    } else {
        Fragment::new().dup2().pop().store_reference(owner)
    }
}

/// A local of the method that holds a reference.
pub fn object(local: u16) -> Local {
    Local::existing(local, LocalType::Null)
}
