//! Writes the calls of probes into a method.

use std::ops::Range;

use classfile::{
    Catcher, Code, CodeEdit, Fragment, HandlerFrame, JointHandlers, Local, LocalType,
    PoolExtension, Refusal, opcode,
};
use profile::layout::{cut, node};

use crate::dataflow;
use crate::dataflow::methods::activation::Activation;
use crate::dataflow::methods::leaving::{Counting, Leaving};
use crate::plan::bytes::Made;
use crate::plan::cuts::{Cuts, complement};
use crate::plan::handlers;
use crate::plan::moves::Moved;
use crate::plan::{Body, Callee, CountedBlock, MethodPlan, Residue, Site};
use crate::probe::Access;
use crate::probe::members::{self, ProbeMethod};

/// What is known of the class under edit.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    /// How it reaches the probes.
    pub access: Access,
    /// For a hidden class, which cannot be rewritten when recording stops: the
    /// node of the method under edit that takes its counts from then on.
    pub overflow_node: Option<u32>,
    /// What the method keeps of its context, where that is followed.
    pub activation: Option<Activation>,
    /// What it does last, where the mode wants something.
    pub leaving: Option<Leaving>,
    /// The local variable with the text by which the method's contexts differ, if they do.
    pub text: Option<u16>,
    /// The new one that keeps the number under which the method is entered, if what it returns
    /// keeps the text.
    pub kept_text: Option<Local>,
    /// Whether calls are recorded; if not, there are no nodes.
    pub has_calls: bool,
}

/// Locals that others may use, too.
#[derive(Debug, Clone, Copy, Default)]
pub struct Kept {
    /// The one with the node.
    pub node: Option<Local>,
    /// The one that counts copies.
    pub copies: Option<Local>,
    /// The one that counts bytecodes.
    pub bytecodes: Option<Local>,
}

/// Locals that the probes of one method use.
struct Locals {
    node: Local,
    bytecodes: Option<Local>,
    allocations: Option<Local>,
    /// Packed kinds of instructions, and where in the node they go.
    kinds: Option<(Local, i32)>,
    /// The latter also where only exceptions change them.
    kinds_offset: Option<i32>,
    /// The counter of copies, and where in the node it goes.
    copies: Option<(Local, i32)>,
    /// How many elements a call is about to move, and where in the node that goes.
    moved: Option<(Local, i32)>,
}

/// A way out of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    /// A return that leads the thread back to its caller's slot, or to what does as well.
    Return,
    /// A return at which the thread still has it.
    UnchangedReturn,
    /// An exception.
    Exception,
}

struct Probes<'p, 'e> {
    context: Context,
    plan: &'p MethodPlan,
    edit: &'e mut CodeEdit,
    pool: &'e mut PoolExtension,
}

/// Adds to `edit` what the plan asks for. `method` is the method's number.
///
/// # Errors
/// If the constant pool has no room left.
pub fn insert(
    context: Context,
    plan: &MethodPlan,
    code: &Code<'_>,
    method: u32,
    edit: &mut CodeEdit,
    pool: &mut PoolExtension,
) -> Result<Kept, Refusal> {
    let mut probes = Probes { context, plan, edit, pool };
    if !context.has_calls {
        return probes.without_node(code).map(|()| Kept::default());
    }
    probes.keep_text(code)?;
    match plan.body {
        Body::WithoutProbes => Ok(Kept::default()),
        Body::Leaf => probes.leaf(method),
        Body::BranchingLeaf => probes.branching_leaf(code, method),
        Body::General => probes.general(code, method),
    }
}

impl Locals {
    fn kept(&self) -> Kept {
        let copies = self.copies.map(|(copies, _)| copies);
        Kept { node: Some(self.node), copies, bytecodes: self.bytecodes }
    }
}

impl Probes<'_, '_> {
    fn call(&mut self, fragment: Fragment, probe: &ProbeMethod) -> Result<Fragment, Refusal> {
        self.context.access.call(fragment, probe, self.pool)
    }

    fn leaf(&mut self, method: u32) -> Result<Kept, Refusal> {
        let fragment = self.enter(method)?.simple(opcode::POP2);
        let fragment = self.leave(fragment, None)?;
        self.edit.at_entry(fragment);
        Ok(Kept::default())
    }

    /// Calls the entry probe; leaves the node on the stack.
    fn enter(&mut self, method: u32) -> Result<Fragment, Refusal> {
        let says_nothing = self.plan.body != Body::General || !self.plan.slots.at_entry;
        let hidden = self.context.overflow_node;
        let probe = match (says_nothing, hidden.is_some()) {
            (false, false) => &members::ENTER,
            (true, false) => &members::LEAF,
            (false, true) => &members::HIDDEN_ENTER,
            (true, true) => &members::HIDDEN_LEAF,
        };
        // Numbers stay far below 2^31.
        let mut fragment = Fragment::new().push_int(method as i32, self.pool)?;
        if let Some(local) = self.context.text {
            let argument = Local::existing(local, LocalType::Null);
            fragment = self.call(fragment.load_reference(argument), &members::texts::TEXT)?;
        }
        if let Some(number) = self.context.kept_text {
            fragment = fragment.dup().store_int(number);
        }
        if let Some(node) = hidden {
            fragment = fragment.push_int(node as i32, self.pool)?;
        }
        self.call(fragment, probe)
    }

    /// Lets what the method returns keep the text, before anything else that a return does.
    fn keep_text(&mut self, code: &Code<'_>) -> Result<(), Refusal> {
        let Some(number) = self.context.kept_text else { return Ok(()) };
        if self.plan.body == Body::WithoutProbes {
            return Ok(());
        }
        let fragment = Fragment::new().dup().load_int(number);
        let fragment = self.call(fragment, &members::texts::KEEP_TEXT)?;
        for instruction in code.instructions().filter(|i| i.opcode == opcode::ARETURN) {
            self.edit.before(instruction.bci, &fragment);
        }
        Ok(())
    }

    /// Enters the method and sets up its locals.
    fn enter_with_locals(&mut self, method: u32) -> Result<Locals, Refusal> {
        let node = self.edit.new_local(LocalType::Long);
        let mut fragment = self.enter(method)?.store_long(node);
        let counter = |wanted: bool, fragment: Fragment, edit: &mut CodeEdit| {
            if !wanted {
                return (fragment, None);
            }
            let local = edit.new_local(LocalType::Int);
            (fragment.simple(opcode::ICONST_0).store_int(local), Some(local))
        };
        let (bytecodes, allocations);
        (fragment, bytecodes) = counter(self.plan.counts_bytecodes(), fragment, self.edit);
        (fragment, allocations) = counter(self.plan.counts_allocations(), fragment, self.edit);
        let (mut kinds, mut copies) = (None, None);
        let kinds_offset = node::kinds(self.plan.flags()).map(byte_offset);
        if let Some(flow) = self.plan.dataflow {
            let flags = self.plan.flags();
            if let Some(offset) = kinds_offset.filter(|_| flow.counted_kinds != 0) {
                let local = self.edit.new_local(LocalType::Long);
                fragment = fragment.simple(opcode::LCONST_0).store_long(local);
                kinds = Some((local, offset));
            }
            if let Some(offset) = node::copies(flags) {
                let local = self.edit.new_local(LocalType::Int);
                fragment = fragment.simple(opcode::ICONST_0).store_int(local);
                copies = Some((local, byte_offset(offset)));
            }
        }
        let moved = node::moved(self.plan.flags())
            .map(|offset| (self.edit.new_local(LocalType::Long), byte_offset(offset)));
        if let Some((moved, _)) = moved {
            fragment = fragment.simple(opcode::LCONST_0).store_long(moved);
        }
        self.edit.at_entry(fragment);
        Ok(Locals { node, bytecodes, allocations, kinds, kinds_offset, copies, moved })
    }

    fn branching_leaf(&mut self, code: &Code<'_>, method: u32) -> Result<Kept, Refusal> {
        let locals = self.enter_with_locals(method)?;
        self.count_blocks(&locals)?;
        let mut flush = self.flush_dataflow(&locals)?;
        if let Some(bytecodes) = locals.bytecodes {
            flush = flush.load_long(locals.node).load_int(bytecodes);
            flush = self.call(flush, &members::FLUSH_LEAF)?;
        }
        flush = self.leave(flush, locals.bytecodes)?;
        for instruction in code.instructions().filter(|i| opcode::is_return(i.opcode)) {
            self.edit.before(instruction.bci, &flush);
        }
        Ok(locals.kept())
    }

    /// Does last what the mode wants. The local counts bytecodes.
    fn leave(&mut self, fragment: Fragment, bytecodes: Option<Local>) -> Result<Fragment, Refusal> {
        let counted = (bytecodes, self.plan.base_bytecodes);
        match self.context.leaving {
            Some(leaving) => leaving.leave(fragment, counted, self.context.access, self.pool),
            None => Ok(fragment),
        }
    }

    /// Tells of the bytecodes in a local where they are, or may be, flushed.
    fn tell_bytecodes(
        &mut self,
        fragment: Fragment,
        bytecodes: Local,
        probe: impl FnOnce(Counting) -> &'static ProbeMethod,
    ) -> Result<Fragment, Refusal> {
        match self.context.leaving.and_then(|leaving| leaving.counts) {
            Some(counts) => self.call(fragment.load_int(bytecodes), probe(counts)),
            None => Ok(fragment),
        }
    }

    /// Adds what was counted of data flow to the node.
    fn flush_dataflow(&mut self, locals: &Locals) -> Result<Fragment, Refusal> {
        let mut fragment = Fragment::new();
        if let (Some((kinds, offset)), Some(flow)) = (locals.kinds, self.plan.dataflow) {
            fragment = fragment.load_long(locals.node).push_int(offset, self.pool)?;
            fragment = fragment.load_long(kinds).push_int(flow.counted_kinds, self.pool)?;
            fragment = self.call(fragment, &dataflow::probes::KINDS)?;
        }
        if let Some((copies, offset)) = locals.copies {
            fragment = fragment.load_long(locals.node).push_int(offset, self.pool)?;
            fragment = self.call(fragment.load_int(copies), &dataflow::probes::ADD)?;
        }
        Ok(fragment)
    }

    fn general(&mut self, code: &Code<'_>, method: u32) -> Result<Kept, Refusal> {
        let locals = self.enter_with_locals(method)?;
        self.reset_slot_in_handlers(code, &locals)?;
        self.count_blocks(&locals)?;
        self.announce_calls(&locals)?;
        self.count_moves(code, &locals)?;
        self.count_bytes(&locals)?;
        for &bci in &self.plan.slots.before {
            let store = self.reset_slot(&locals)?;
            self.edit.before(bci, store);
        }
        let by_return = self.exit(&locals, Exit::Return)?;
        let unchanged = &self.plan.slots.unchanged;
        for instruction in code.instructions().filter(|i| opcode::is_return(i.opcode)) {
            if !unchanged.contains(&instruction.bci) {
                self.edit.before(instruction.bci, &by_return);
            }
        }
        if !unchanged.is_empty() {
            let fragment = self.exit(&locals, Exit::UnchangedReturn)?;
            unchanged.iter().for_each(|&bci| self.edit.before(bci, &fragment));
        }
        for &bci in &self.plan.initialisation.calls {
            self.flush_before_init_call(bci, &locals)?;
        }
        let by_exception = self.exit(&locals, Exit::Exception)?;
        self.leave_by_exceptions(code, by_exception, Some(&locals))?;
        Ok(locals.kept())
    }

    /// A method whose calls are not recorded: it restores its caller's context.
    fn without_node(&mut self, code: &Code<'_>) -> Result<(), Refusal> {
        let Some(activation) = self.context.activation else { return Ok(()) };
        let exit = activation.leave(Fragment::new(), self.context.access, self.pool)?;
        if exit.peak() == 0 && self.plan.cuts.is_empty() {
            return Ok(());
        }
        for instruction in code.instructions().filter(|i| opcode::is_return(i.opcode)) {
            self.edit.before(instruction.bci, &exit);
        }
        self.leave_by_exceptions(code, exit, None)
    }

    /// Does the same when an exception leaves the method, and on every way of an
    /// exception takes off what it left unexecuted.
    fn leave_by_exceptions(
        &mut self,
        code: &Code<'_>,
        exit: Fragment,
        locals: Option<&Locals>,
    ) -> Result<(), Refusal> {
        let handler = exit.simple(opcode::ATHROW);
        let initialisation = &self.plan.initialisation;
        let mut rethrows = Vec::new();
        let joint = JointHandlers::new(code);
        let mut rethrow = |ranges: &[Range<u32>], frame, edit: &mut CodeEdit| {
            for covered in joint.divide(ranges) {
                rethrows.push((edit.catch_all_ranges(&covered, frame, &handler), covered));
            }
        };
        if !initialisation.before.is_empty() {
            rethrow(&initialisation.before, HandlerFrame::UninitializedThis, self.edit);
        }
        // A handler may not cover a call that initialises `this`: the verifier
        // could not say what `this` is in it. When such a call throws, the slot
        // stays until the next call sets it.
        let mut elsewhere = initialisation.before.clone();
        for &bci in &initialisation.calls {
            let behind = code.instruction_at(bci).map_or(code.length(), |call| call.end());
            elsewhere.push(bci..behind);
        }
        let rest = complement(elsewhere, code.length());
        rethrow(&rest, HandlerFrame::NewLocalsOnly, self.edit);
        let holds_monitors = code.instructions().any(|i| i.opcode == opcode::MONITORENTER);
        Cuts { plan: self.plan, code, initialisers: &initialisation.calls, joint: &joint }
            .by_landing_pad(&rethrows)
            .into_iter()
            .try_for_each(|(pad, ranges)| {
                let mut fragment = self.correction(pad.residue, locals)?;
                let mut has_unusable = false;
                if let Catcher::Row(number) = pad.catcher
                    && let Some(row) = code.exception_table().nth(number.into())
                {
                    has_unusable = !joint.unusable(row.handler).is_empty();
                    for &slot in joint.unusable(row.handler) {
                        let local = Local::existing(slot, LocalType::Int);
                        fragment = fragment.simple(opcode::ICONST_0).store_int(local);
                    }
                }
                // To a guard these variables would be of use, for the verifier.
                let Residue { counter, line_counter, kinds, .. } = pad.residue;
                let calls_probes = counter.is_some() || line_counter.is_some() || kinds > 0;
                if calls_probes && holds_monitors && !has_unusable {
                    self.edit.guarded_landing_pad(&ranges, pad.catcher, fragment);
                } else {
                    self.edit.landing_pad(&ranges, pad.catcher, fragment);
                }
                Ok(())
            })
    }

    /// Takes off what was counted and is not executed.
    fn correction(
        &mut self,
        residue: Residue,
        locals: Option<&Locals>,
    ) -> Result<Fragment, Refusal> {
        let mut fragment = Fragment::new();
        let Residue { mut bytecodes, mut allocations, derived, kinds, counter, line_counter } =
            residue;
        if let (Some(activation), Some(counter)) = (self.context.activation, counter) {
            fragment = activation.count(fragment, counter, self.context.access, self.pool)?;
        }
        let Some(locals) = locals else { return Ok(fragment) };
        if let Some(counter) = line_counter {
            fragment = self.count_line(fragment, counter, locals)?;
        }
        if let Some(offset) = locals.kinds_offset
            && kinds > 0
        {
            // They may be in the base, and in the local there may be fewer.
            fragment = fragment.load_long(locals.node).push_int(offset, self.pool)?;
            fragment = fragment.push_long(kinds as i64, self.pool)?;
            fragment = self.call(fragment, &dataflow::probes::TAKE_KINDS_OFF)?;
        }
        if let Some(counter) = locals.bytecodes
            && bytecodes > 0
        {
            fragment = fragment.iinc(counter, -(bytecodes as i32));
            bytecodes = 0;
        }
        if let Some(counter) = locals.allocations
            && allocations > 0
        {
            fragment = fragment.iinc(counter, -(allocations as i32));
            allocations = 0;
        }
        if (bytecodes, allocations, derived) == (0, 0, 0) {
            return Ok(fragment);
        }
        // The plan counts larger blocks by a local.
        let id = cut::id(bytecodes, allocations, derived).ok_or(Refusal::TableTooLong)?;
        // Its halves the other way round are a small number most often, which
        // needs no entry in the constant pool.
        let swapped = (id & !cut::MARK).rotate_left(16);
        let fragment = fragment.load_long(locals.node).push_int(swapped as i32, self.pool)?;
        self.call(fragment, &members::CUT)
    }

    fn exit(&mut self, locals: &Locals, exit: Exit) -> Result<Fragment, Refusal> {
        let mut fragment = self.flush_dataflow(locals)?;
        let is_left_by_result = self.context.leaving.is_some_and(|leaving| leaving.tells_results);
        if exit == Exit::Exception || !is_left_by_result {
            fragment = self.leave(fragment, locals.bytecodes)?;
        }
        if let Some(activation) = self.context.activation {
            fragment = activation.leave(fragment, self.context.access, self.pool)?;
        }
        let probe = match (locals.bytecodes, locals.allocations) {
            (None, _) if exit == Exit::UnchangedReturn => return Ok(fragment),
            (None, _) => &members::EXIT,
            (Some(_), None) if exit == Exit::UnchangedReturn => &members::FLUSH,
            (Some(_), None) => &members::EXIT_BYTECODES,
            (Some(_), Some(_)) => &members::EXIT_ALLOCATIONS,
        };
        fragment = fragment.load_long(locals.node);
        // What counts allocations counts bytecodes.
        if let Some(bytecodes) = locals.bytecodes {
            fragment = fragment.load_int(bytecodes);
        }
        if let Some(allocations) = locals.allocations {
            fragment = fragment.load_int(allocations);
        }
        self.call(fragment, probe)
    }

    /// What was counted so far would be lost if the call throws.
    fn flush_before_init_call(&mut self, bci: u32, locals: &Locals) -> Result<(), Refusal> {
        let mut flow = self.flush_dataflow(locals)?;
        if let Some((kinds, _)) = locals.kinds {
            flow = flow.simple(opcode::LCONST_0).store_long(kinds);
        }
        if let Some((copies, _)) = locals.copies {
            flow = flow.simple(opcode::ICONST_0).store_int(copies);
        }
        if flow.peak() > 0 {
            self.edit.before(bci, flow);
        }
        let Some(bytecodes) = locals.bytecodes else { return Ok(()) };
        if self.plan.blocks.iter().all(|block| block.start > bci) {
            return Ok(());
        }
        let told = self.tell_bytecodes(Fragment::new(), bytecodes, |counts| counts.flushed)?;
        let fragment = told.load_long(locals.node).load_int(bytecodes);
        let fragment = self.call(fragment, &members::FLUSH)?;
        let fragment = fragment.simple(opcode::ICONST_0).store_int(bytecodes);
        self.edit.before(bci, fragment);
        Ok(())
    }

    /// A method without probes does not put the slot back when it throws; from
    /// the handler on, what the JVM calls belongs to this method again.
    ///
    /// Other handlers get no probe: the callee has put the slot back.
    /// A probe there could run out of stack before the handler does its work.
    /// Those of `synchronized` blocks call nothing before they throw again, and the
    /// JVM compiles no method that may be left with the lock held.
    fn reset_slot_in_handlers(&mut self, code: &Code<'_>, locals: &Locals) -> Result<(), Refusal> {
        let is_plain = |site: &&Site| matches!(site.callee, Callee::Plain(_));
        let plain: Vec<u32> =
            self.plan.sites.iter().filter(is_plain).map(|site| site.bci).collect();
        let handlers = handlers::starts(code, |range| plain.iter().any(|bci| range.contains(bci)));
        for handler in handlers {
            let reset = self.reset_slot(locals)?;
            self.edit.before(handler, reset);
        }
        Ok(())
    }

    fn reset_slot(&mut self, locals: &Locals) -> Result<Fragment, Refusal> {
        let offset = byte_offset(node::IMPLICIT_SLOT);
        let fragment = Fragment::new().load_long(locals.node).push_int(offset, self.pool)?;
        self.call(fragment, &members::CALL)
    }

    fn count_blocks(&mut self, locals: &Locals) -> Result<(), Refusal> {
        let Some(bytecodes) = locals.bytecodes else { return Ok(()) };
        for (number, block) in (0..).zip(&self.plan.blocks) {
            let mut fragment = self.count_kinds(block, locals)?;
            if block.is_loop {
                fragment = self.tell_bytecodes(fragment, bytecodes, |counts| counts.polled)?;
                let probe = match self.plan.body {
                    Body::BranchingLeaf => &members::POLL_LEAF,
                    _ => &members::POLL,
                };
                fragment = self.poll(fragment, locals.node, bytecodes, probe)?;
                if let Some(allocations) = locals.allocations {
                    let probe = &members::POLL_ALLOCATIONS;
                    fragment = self.poll(fragment, locals.node, allocations, probe)?;
                }
            }
            fragment = fragment.iinc(bytecodes, block.bytecodes as i32);
            if let Some(allocations) = locals.allocations
                && block.allocations > 0
            {
                fragment = fragment.iinc(allocations, block.allocations as i32);
            }
            if self.plan.has_line_probes() {
                fragment = self.count_line(fragment, number, locals)?;
            }
            self.edit.before(block.start, fragment);
        }
        Ok(())
    }

    /// Counts an execution of a block, or a cut, whose counter this is.
    fn count_line(
        &mut self,
        fragment: Fragment,
        counter: u32,
        locals: &Locals,
    ) -> Result<Fragment, Refusal> {
        let offset = byte_offset(self.plan.block_counter(counter));
        let fragment = fragment.load_long(locals.node).push_int(offset, self.pool)?;
        self.call(fragment, &members::COUNT)
    }

    /// Counts the kinds of a block's instructions.
    fn count_kinds(&mut self, block: &CountedBlock, locals: &Locals) -> Result<Fragment, Refusal> {
        let mut fragment = Fragment::new();
        if block.is_loop {
            if let Some((kinds, offset)) = locals.kinds {
                fragment = fragment.load_long(locals.node).push_int(offset, self.pool)?;
                fragment = self.call(fragment.load_long(kinds), &dataflow::probes::POLL_KINDS)?;
                fragment = fragment.store_long(kinds);
            }
            if let Some((copies, offset)) = locals.copies {
                fragment = fragment.load_long(locals.node).push_int(offset, self.pool)?;
                fragment = self.call(fragment.load_int(copies), &dataflow::probes::POLL_COPIES)?;
                fragment = fragment.store_int(copies);
            }
        }
        if let Some((kinds, _)) = locals.kinds
            && block.kinds > 0
        {
            fragment = fragment.load_long(kinds).push_long(block.kinds as i64, self.pool)?;
            fragment = fragment.simple(opcode::LADD).store_long(kinds);
        }
        Ok(fragment)
    }

    fn poll(
        &mut self,
        fragment: Fragment,
        node: Local,
        counter: Local,
        probe: &ProbeMethod,
    ) -> Result<Fragment, Refusal> {
        let fragment = self.call(fragment.load_long(node).load_int(counter), probe)?;
        Ok(fragment.store_int(counter))
    }

    /// Tells every callee where it hangs, or counts it where it cannot itself.
    fn announce_calls(&mut self, locals: &Locals) -> Result<(), Refusal> {
        let plan = self.plan;
        for (site, offset) in plan.sites_with_offsets() {
            let fragment = Fragment::new().load_long(locals.node);
            let fragment = fragment.push_int(byte_offset(offset), self.pool)?;
            let fragment = match site.callee {
                Callee::Derived(_) => continue,
                Callee::Probed => self.call(fragment, &members::CALL)?,
                Callee::Counted(_) => self.call(fragment, &members::COUNT)?,
                Callee::Plain(target) => {
                    let fragment = fragment.push_int(target.method as i32, self.pool)?;
                    let reset = self.reset_slot(locals)?;
                    self.edit.after(site.bci, reset);
                    self.call(fragment, &members::PLAIN)?
                }
            };
            self.edit.before(site.bci, fragment);
        }
        Ok(())
    }

    /// Counts what calls move, behind them: those that throw have not moved it all.
    fn count_moves(&mut self, code: &Code<'_>, locals: &Locals) -> Result<(), Refusal> {
        let Some((elements, offset)) = locals.moved else { return Ok(()) };
        for site in &self.plan.sites {
            let Some(moved) = site.moved else { continue };
            let mut after = Fragment::new();
            match moved {
                Moved::Elements => {
                    let before = Fragment::new().dup().simple(opcode::I2L).store_long(elements);
                    self.edit.before(site.bci, before);
                }
                Moved::Bytes => {
                    self.edit.before(site.bci, Fragment::new().dup2().store_long(elements));
                }
                Moved::BytesSet => {
                    // The value, whose word goes above the two of the number and back.
                    let before = Fragment::new().simple(opcode::DUP_X2).pop().dup2();
                    let before = before.store_long(elements);
                    let before = before.simple(opcode::DUP2_X1).pop2();
                    self.edit.before(site.bci, before);
                }
                Moved::Clone => {
                    let Some(array) = cloned_array(code, site.bci) else { continue };
                    let array = self.pool.class(array)?;
                    after = after.dup().checkcast(array).simple(opcode::ARRAYLENGTH);
                    after = after.simple(opcode::I2L).store_long(elements);
                }
            }
            after = after.load_long(locals.node).push_int(offset, self.pool)?;
            after = self.call(after.load_long(elements), &members::MOVED)?;
            self.edit.after(site.bci, after);
        }
        Ok(())
    }
}

impl Probes<'_, '_> {
    /// Counts what instructions allocate, behind them: those that throw have allocated nothing.
    fn count_bytes(&mut self, locals: &Locals) -> Result<(), Refusal> {
        let plan = self.plan;
        for (site, offset) in plan.bytes_sites() {
            let offset = byte_offset(offset);
            let array = Fragment::new().dup();
            let (operand, last, probe) = match site.made {
                Made::Instance(cell) => (Fragment::new(), Some(cell), &members::INSTANCE),
                Made::Array(shift) => {
                    (array.simple(opcode::ARRAYLENGTH), Some(shift.into()), &members::ARRAY)
                }
                Made::References => (array.simple(opcode::ARRAYLENGTH), None, &members::REFERENCES),
                Made::Nested(dimensions) => (array, Some(dimensions.into()), &members::NESTED),
            };
            let mut fragment = operand.load_long(locals.node).push_int(offset, self.pool)?;
            if let Some(last) = last {
                fragment = fragment.push_int(last as i32, self.pool)?;
            }
            let fragment = self.call(fragment, probe)?;
            self.edit.after(site.bci, fragment);
        }
        Ok(())
    }
}

/// Probes take offsets in bytes; a node has far fewer than 2^29 words.
fn byte_offset(words: u32) -> i32 {
    words as i32 * 4
}

/// The class of the arrays that a call of `clone` names.
fn cloned_array<'c>(code: &Code<'c>, bci: u32) -> Option<&'c [u8]> {
    let call = code.instruction_at(bci)?;
    code.constant_pool().member_ref(call.pool_index()?).ok().map(|callee| callee.owner)
}
