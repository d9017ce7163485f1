//! The probes of one method.

use crate::constructor_regions::ConstructorRegions;
use crate::instrument::Plan;
use crate::probe_pool::ProbePool;
use classfile::{
    ClassEditor, Code, CodeEdit, ControlFlow, Fragment, HandlerFrame, Local, LocalType, Refusal,
    opcode,
};

/// Collects the probes of a method in a [`CodeEdit`].
pub struct MethodProbes<'e, 'a> {
    code: &'e Code<'a>,
    editor: &'e mut ClassEditor<'a>,
    pool: ProbePool,
    /// Identifies the method, and its call sites, to the probes.
    number: i32,
    edit: CodeEdit,
    /// What `enter` returned.
    token: Local,
    /// What `mark` returned: a local of two slots.
    mark: Local,
    /// What `witness` returned: a local that holds a reference.
    witness: Local,
    /// Bytecodes executed by this activation.
    executed: Local,
}

impl<'e, 'a> MethodProbes<'e, 'a> {
    /// Prepares the probes of a method, with the locals that they need.
    ///
    /// # Errors
    /// If there is no room for more locals.
    pub fn new(
        code: &'e Code<'a>,
        editor: &'e mut ClassEditor<'a>,
        pool: ProbePool,
        number: i32,
    ) -> Result<MethodProbes<'e, 'a>, Refusal> {
        let mut edit = CodeEdit::new(code);
        let token = edit.new_local(LocalType::Int);
        let mark = edit.new_local(LocalType::Long);
        let witness = edit.new_local(LocalType::Object(pool.object_class));
        let executed = edit.new_local(LocalType::Int);
        Ok(MethodProbes { code, editor, pool, number, edit, token, mark, witness, executed })
    }

    /// Places all probes of a plan.
    ///
    /// # Errors
    /// If the constant pool is full.
    pub fn place(mut self, plan: Plan) -> Result<CodeEdit, Refusal> {
        let initialising: Vec<u32> = self.code.constructor_calls();
        let entry = self.enter()?;
        self.edit.at_entry(entry);
        match plan {
            Plan::Probes => {
                self.count_blocks();
                self.mark_handlers();
            }
            Plan::EveryInstruction => self.count_instructions(),
        }
        for instruction in self.code.instructions() {
            let bci = instruction.bci;
            if opcode::is_return(instruction.opcode) {
                let exit = self.exit();
                self.edit.before(bci, exit);
            }
            if opcode::is_invoke(instruction.opcode) {
                let initialises = initialising.contains(&bci);
                if plan == Plan::Probes {
                    self.announce_call(bci)?;
                }
                if initialises {
                    // No handler may cover this call, so the activation ends
                    // before it and begins again after it.
                    let exit = self.exit();
                    self.edit.before(bci, exit);
                    let enter = self.enter()?;
                    self.edit.after(bci, enter);
                }
                if plan == Plan::Probes {
                    let returned = Fragment::new().invokestatic(self.pool.returned, 0, 0);
                    // A way around it, which nobody takes, needs a frame.
                    let never = Fragment::new().push_int(0, self.editor.pool())?;
                    self.edit.after_unless(bci, never, returned)?;
                }
            }
        }
        self.catch_exceptions(&initialising);
        Ok(self.edit)
    }

    fn enter(&mut self) -> Result<Fragment, Refusal> {
        Ok(Fragment::new()
            .push_int(self.number, self.editor.pool())?
            .invokestatic(self.pool.enter, 1, 1)
            .store_int(self.token)
            .load_int(self.token)
            .invokestatic(self.pool.mark, 1, 2)
            .store_long(self.mark)
            .invokestatic(self.pool.witness, 0, 1)
            .store_reference(self.witness)
            .push_int(0, self.editor.pool())?
            .store_int(self.executed))
    }

    fn exit(&self) -> Fragment {
        Fragment::new()
            .load_int(self.token)
            .load_long(self.mark)
            .load_reference(self.witness)
            .load_int(self.executed)
            .invokestatic(self.pool.exit, 5, 0)
    }

    fn announce_call(&mut self, bci: u32) -> Result<(), Refusal> {
        let call = Fragment::new()
            .push_int(self.number + (bci % 100) as i32, self.editor.pool())?
            .invokestatic(self.pool.call, 1, 0);
        self.edit.before(bci, call);
        Ok(())
    }

    /// Counts the instructions of every basic block when it begins.
    fn count_blocks(&mut self) {
        for block in ControlFlow::new(self.code).blocks() {
            let count = Fragment::new().iinc(self.executed, block.instruction_count as i32);
            self.edit.before(block.start, count);
        }
    }

    fn mark_handlers(&mut self) {
        let mut handlers: Vec<u32> =
            self.code.exception_table().map(|entry| entry.handler).collect();
        handlers.sort_unstable();
        handlers.dedup();
        for handler in handlers {
            let caught = Fragment::new().invokestatic(self.pool.caught, 0, 0);
            self.edit.before(handler, caught);
        }
    }

    /// Counts every instruction when it begins. The fragment behind each
    /// instruction changes nothing; it is there to be relocated.
    fn count_instructions(&mut self) {
        for instruction in self.code.instructions() {
            let count = Fragment::new().iinc(self.executed, 1);
            self.edit.before(instruction.bci, count);
            let jumps = matches!(instruction.opcode, opcode::JSR | opcode::JSR_W)
                || opcode::is_unconditional(instruction.opcode);
            if !jumps {
                let nothing = Fragment::new().iinc(self.executed, 0);
                self.edit.after(instruction.bci, nothing);
            }
        }
    }

    /// Ends the activation when an exception leaves the method.
    fn catch_exceptions(&mut self, initialising: &[u32]) {
        let method = self.code.method();
        let is_constructor = method.name() == b"<init>";
        if is_constructor && method.class().super_class().is_none() {
            // HotSpot registers finalizable objects at the return of
            // Object's constructor; its C2 compiler (17 and 25) crashes when
            // a handler covers that return.
            return;
        }
        if !is_constructor {
            let handler = self.exit().athrow();
            let all = 0..self.code.length();
            self.edit.catch_all(all, HandlerFrame::NewLocalsOnly, handler);
            return;
        }
        let regions = ConstructorRegions::new(self.code, initialising);
        if !regions.before.is_empty() {
            let handler = self.exit().athrow();
            self.edit.catch_all_ranges(&regions.before, HandlerFrame::UninitializedThis, handler);
        }
        if !regions.after.is_empty() {
            let handler = self.exit().athrow();
            self.edit.catch_all_ranges(&regions.after, HandlerFrame::NewLocalsOnly, handler);
        }
    }
}
