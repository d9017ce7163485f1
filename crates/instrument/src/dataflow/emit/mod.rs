//! Writes the code that follows values into a method.
//!
//! [`shadow_slots`] allocates locals for shadows and tags, [`phis`] moves shadows along
//! the edges of the control flow graph, [`passing`] into calls and out of them.
//! [`guards`] are checks that a class has fields for last writers. [`operands`] keeps
//! references that a probe needs behind the instruction that pops them, in a local of
//! the method if [`locals`] knows one that holds it, else in one of [`spill_slots`].
//! [`own_nodes`] pushes the nodes of the method itself.

mod guards;
pub mod invalidation;
mod locals;
pub mod operands;
pub mod own_nodes;
mod passing;
mod phis;
mod shadow_slots;
pub mod spill_slots;
pub mod transfer;

use classfile::ssa::kinds::{Kind, kind};
use classfile::ssa::{Definition, Origin, ValueId};
use classfile::{CodeEdit, Fragment, Local, LocalType, PoolExtension, Refusal, opcode};

use super::domain::{Shadow, Source, Step};
use super::last_writers::fields::LastWriters;
use super::methods::upcalls::{SavedShadows, is_upcall};
use super::objects::tags::{self, owners::Owners};
use super::probes;
use super::shadows::{FieldNumbers, Shadows, for_each_step};
use super::subject::Subject;
use super::tracking::calls;
use super::tracking::stack;
use crate::probe::Access;
use crate::probe::members::ProbeMethod;
use locals::LocalValues;
use own_nodes::OwnNodes;
use shadow_slots::ShadowSlots;
use spill_slots::SpillSlots;
use transfer::Transfer;

/// Writes into a method what its mode's [`Transfer`] functions ask for. What all modes
/// have in common is done here; which mode it is, is not known here.
pub struct Emitter<'e, 's> {
    /// The method.
    pub subject: &'e Subject<'s>,
    /// The shadows of its values.
    pub shadows: &'e Shadows,
    /// How its class reaches the probes.
    pub access: Access,
    /// How it pushes nodes of its own, where it has some.
    pub own_nodes: Option<OwnNodes>,
    /// Which classes have last writers, where any have.
    pub last_writers: Option<&'e LastWriters>,
    /// On whose behalf the method acts, if what it makes gets tags.
    pub owners: Option<&'e Owners>,
    /// The locals that keep shadows and tags.
    pub slots: ShadowSlots,
    /// Which locals of the method hold which values, at the instruction under edit.
    pub locals: LocalValues<'e>,
    /// A local for an int that is needed for one instruction only.
    pub scratch: Local,
    /// Locals for operands that are taken off the stack for a moment.
    pub spill_slots: SpillSlots,
    /// The edit.
    pub edit: &'e mut CodeEdit,
    /// The class's constants.
    pub pool: &'e mut PoolExtension,
}

/// What the emitter needs to know of a method.
pub struct Target<'e, 's> {
    /// The method.
    pub subject: &'e Subject<'s>,
    /// The shadows of its values.
    pub shadows: &'e Shadows,
    /// How its class reaches the probes.
    pub access: Access,
    /// How it pushes nodes of its own, where it has some.
    pub own_nodes: Option<OwnNodes>,
    /// Which classes have last writers, where any have.
    pub last_writers: Option<&'e LastWriters>,
    /// On whose behalf the method acts, if what it makes gets tags.
    pub owners: Option<&'e Owners>,
}

impl<'e, 's> Target<'e, 's> {
    /// Writes everything that a mode asks for.
    ///
    /// # Errors
    /// When the method cannot be edited.
    pub fn emit(
        self,
        mode: &dyn Transfer,
        fields: &FieldNumbers<'_>,
        edit: &'e mut CodeEdit,
        pool: &'e mut PoolExtension,
    ) -> Result<(), Refusal> {
        let Self { subject, shadows, access, own_nodes, last_writers, owners } = self;
        let tagged = mode.objects_whose_tags_are_needed(subject, shadows, fields);
        let slots = ShadowSlots::new(subject, shadows, &tagged, edit);
        let scratch = edit.new_local(LocalType::Int);
        let initial = slots.initial().simple(opcode::ICONST_0).store_int(scratch);
        edit.at_start(initial);
        let locals = LocalValues::new(subject);
        let spill_slots = SpillSlots::of(subject.code);
        let emitter = Emitter {
            subject,
            shadows,
            access,
            own_nodes,
            last_writers,
            owners,
            slots,
            locals,
            scratch,
            spill_slots,
            edit,
            pool,
        };
        emitter.emit(mode, fields)
    }
}

impl Emitter<'_, '_> {
    fn emit(mut self, mode: &dyn Transfer, fields: &FieldNumbers<'_>) -> Result<(), Refusal> {
        let subject = self.subject;
        let method = subject.method;
        let saved = if is_upcall(subject.code.method().class().this_class(), &method) {
            Some(SavedShadows::enter(subject.code, self.access, self.edit, self.pool)?)
        } else {
            None
        };
        self.enter(mode)?;
        mode.enter(&mut self)?;
        self.enter_phis()?;
        let mut result = Ok(());
        for_each_step(subject, fields, |step, made| {
            if result.is_ok() {
                self.locals.enter(step.instruction.bci);
                result = self.step(mode, step, made);
                self.locals.pass(step, made);
            }
        });
        result?;
        self.copy_phi_inputs()?;
        match saved {
            Some(saved) => saved.leave(subject.code, self.access, self.edit, self.pool),
            None => Ok(()),
        }
    }

    fn step(
        &mut self,
        mode: &dyn Transfer,
        step: &Step<'_>,
        made: Option<ValueId>,
    ) -> Result<(), Refusal> {
        self.spill_slots.next_instruction();
        mode.before(self, step)?;
        match kind(step.instruction.opcode) {
            Kind::Load => mode.load(self, step, made)?,
            Kind::Store => mode.store(self, step)?,
            Kind::Call => mode.call(self, step, made)?,
            Kind::Return => mode.leave(self, step)?,
            _ => mode.operate(self, step)?,
        }
        match made {
            Some(made) => mode.made(self, step, made),
            None => Ok(()),
        }
    }

    /// Pushes what a probe method returns for the arguments on the stack.
    pub(super) fn probe(
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

    /// Pushes a shadow.
    pub(super) fn push(&mut self, fragment: Fragment, value: ValueId) -> Result<Fragment, Refusal> {
        match (self.shadows.of(value), self.slots.shadow(value)) {
            (Shadow::Static(shadow), _) => fragment.push_long(shadow as i64, self.pool),
            (Shadow::Own(node), _) => match self.own_nodes {
                Some(own) => Ok(own.push(fragment, node, self.pool)?.simple(opcode::I2L)),
                None => Ok(fragment.simple(opcode::LCONST_0)),
            },
            (_, Some(local)) => Ok(fragment.load_long(local)),
            // Nobody was to ask.
            (_, None) => Ok(fragment.simple(opcode::LCONST_0)),
        }
    }

    /// Entry of the method: shadows and tags of its arguments.
    ///
    /// The shadows come first of all, so that C2 sees nothing between the
    /// caller that leaves them and the callee that takes them.
    fn enter(&mut self, mode: &dyn Transfer) -> Result<(), Refusal> {
        let subject = self.subject;
        let (mut taken, mut fragment) = (Fragment::new(), Fragment::new());
        // A static method that asked for its owner has entered.
        let known = self.owners.and_then(|owners| owners.entered).unwrap_or(self.scratch);
        let mut has_entered = self.owners.is_some_and(|owners| owners.entered.is_some());
        for value in subject.values.ids() {
            let Definition::Parameter(local) = subject.values.definition(value) else { continue };
            if let (Some(Source::Argument(number)), Some(place)) =
                (self.shadows.kept(value), self.slots.shadow(value))
            {
                if !has_entered {
                    let callee = calls::callee_of(subject.code);
                    taken = taken.push_int(callee, self.pool)?;
                    taken = self.probe(taken, &stack::ENTERED)?.store_int(known);
                    has_entered = true;
                }
                taken = mode.argument(self, taken, (number, local, known))?.store_long(place);
            }
            if let Some(tag) = self.slots.tag(value)
                && !subject.is_constructed(local)
            {
                fragment = fragment.load_reference(object(local));
                fragment = self.probe(fragment, &tags::probes::TAG)?.store_int(tag);
            }
        }
        for phi in subject.values.phis() {
            let Some(incoming) = self.slots.incoming(phi) else { continue };
            for input in subject.values.inputs(phi) {
                if input.origin == Origin::Entry {
                    fragment = self.push(fragment, input.value)?.store_long(incoming);
                }
            }
        }
        let method = subject.method;
        let says_so = calls::says_that_it_is_entered(method.name(), method.descriptor())
            // What was left for an upcall must not wait for another one.
            || is_upcall(subject.code.method().class().this_class(), &method);
        if !has_entered && says_so {
            taken = self.probe(taken, &stack::NO_ARGUMENTS)?;
        }
        self.edit.at_start(taken);
        self.edit.at_entry(fragment);
        subject.initialisation.calls.iter().try_for_each(|&init| self.construct(init))
    }

    /// Where a constructor has initialised `this`, its tag is known.
    fn construct(&mut self, init: u32) -> Result<(), Refusal> {
        let subject = self.subject;
        for value in subject.values.ids() {
            if subject.values.definition(value) != Definition::Parameter(0) {
                continue;
            }
            let mut fragment = Fragment::new();
            if let Some(tag) = self.slots.tag(value) {
                fragment = fragment.simple(opcode::ALOAD_0);
                fragment = self.probe(fragment, &tags::probes::TAG)?.store_int(tag);
            }
            if let (Some(Source::Constructed), Some(place)) =
                (self.shadows.kept(value), self.slots.shadow(value))
            {
                fragment = fragment.simple(opcode::ALOAD_0);
                fragment = self.probe(fragment, &probes::PRODUCER)?.store_long(place);
            }
            if fragment.peak() > 0 {
                self.edit.after(init, fragment);
            }
        }
        Ok(())
    }

    /// Behind an instruction, with what it made on top of the stack.
    pub(super) fn keep_shadow_of_result(
        &mut self,
        step: &Step<'_>,
        made: ValueId,
    ) -> Result<(), Refusal> {
        let mut fragment = Fragment::new();
        if let Some(tag) = self.slots.tag(made) {
            fragment = self.probe(fragment.dup(), &tags::probes::TAG)?.store_int(tag);
        }
        match (self.shadows.kept(made), self.slots.shadow(made)) {
            (Some(Source::Made), Some(place)) => {
                fragment = self.probe(fragment.dup(), &probes::PRODUCER)?.store_long(place);
            }
            (Some(Source::Returned { callee }), Some(place)) => {
                fragment = fragment.push_int(callee, self.pool)?;
                fragment = self.probe(fragment, &stack::RESULT)?.store_long(place);
            }
            _ => {}
        }
        if fragment.peak() == 0 {
            return Ok(());
        }
        if step.instruction.opcode == opcode::NEW {
            for &init in self.slots.initialised(made) {
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
        self.spill_slots.get(kind, number, self.edit)
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
