//! Which classes local variables refer to, for code that has no stack map
//! frames: worked out as the verifier of old class files does, but by names
//! alone.

use crate::read::code::{Code, ExceptionEntry};
use crate::read::constant_pool::tag;
use crate::read::descriptor;
use crate::read::instruction::Instruction;
use crate::read::opcode;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of a local slot or stack word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Type {
    /// No reference, or not the same kind of thing on all paths.
    Top,
    Null,
    /// An object of the class with this number in [`Names`].
    Class(usize),
    /// What the verifier works out for a slot at a position.
    WorkedOut(u32, usize),
    /// Created by the `new` at this position, not yet initialised.
    New(u32),
    /// `this` before `super(...)`.
    UninitializedThis,
}

impl Type {
    /// The type where control joins at `bci`.
    fn join(self, other: Type, bci: u32, slot: usize) -> Type {
        match (self, other) {
            _ if self == other => self,
            (Type::Null, reference @ (Type::Class(_) | Type::WorkedOut(..)))
            | (reference @ (Type::Class(_) | Type::WorkedOut(..)), Type::Null) => reference,
            (Type::Class(_) | Type::WorkedOut(..), Type::Class(_) | Type::WorkedOut(..)) => {
                Type::WorkedOut(bci, slot)
            }
            _ => Type::Top,
        }
    }

    /// Whether it is a reference of some class.
    pub(super) fn is_class(self) -> bool {
        matches!(self, Type::Class(_) | Type::WorkedOut(..))
    }

    /// Whether the verifier would ask for the superclass of both.
    pub(super) fn clashes_with(self, other: Type) -> bool {
        self != other && self.is_class() && other.is_class()
    }
}

/// The types at one place; a long or double takes two entries.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct State {
    pub(super) locals: Vec<Type>,
    pub(super) stack: Vec<Type>,
}

/// Class names by number, as in constant pool entries: `[I`, `java/lang/Object`.
#[derive(Default)]
struct Names(Vec<Vec<u8>>);

impl Names {
    fn class(&mut self, name: &[u8]) -> Type {
        let known = self.0.iter().position(|known| known == name);
        Type::Class(known.unwrap_or_else(|| {
            self.0.push(name.to_vec());
            self.0.len() - 1
        }))
    }

    /// The type of a field, parameter or result.
    fn field_type(&mut self, descriptor: &[u8]) -> Type {
        match descriptor {
            [b'L', name @ .., b';'] => self.class(name),
            [b'[', ..] => self.class(descriptor),
            _ => Type::Top,
        }
    }

    fn array_of(&mut self, component: &[u8]) -> Type {
        let mut name = b"[".to_vec();
        if component.starts_with(b"[") {
            name.extend_from_slice(component);
        } else {
            name.push(b'L');
            name.extend_from_slice(component);
            name.push(b';');
        }
        self.class(&name)
    }

    /// What an array of this type holds.
    fn component(&mut self, array: Type, bci: u32) -> Type {
        let Type::Class(number) = array else {
            return match array {
                Type::Null => Type::Null,
                _ => Type::WorkedOut(bci, usize::MAX),
            };
        };
        match self.0.get(number).cloned().as_deref() {
            Some([b'[', component @ ..]) => self.field_type(component),
            _ => Type::Top,
        }
    }
}

/// The types of one method, worked out by following all paths until nothing
/// changes any more.
pub(super) struct Inference<'c> {
    code: &'c Code<'c>,
    names: Names,
    pub(super) handlers: Vec<ExceptionEntry>,
    /// The types where blocks start; `None` before one is reached.
    pub(super) blocks: BTreeMap<u32, Option<State>>,
    work: Vec<u32>,
    /// What was known before each `jsr`, by the position behind it.
    calls: BTreeMap<u32, State>,
    /// Blocks that end with `ret`.
    returns: Vec<u32>,
}

impl<'c> Inference<'c> {
    pub(super) fn new(code: &'c Code<'c>) -> Self {
        let leaders = code
            .instructions()
            .flat_map(|instruction| {
                let behind = opcode::ends_block(instruction.opcode).then(|| instruction.end());
                instruction.targets().chain(behind)
            })
            .chain(code.exception_table().map(|entry| entry.handler))
            .chain([0]);
        let mut inference = Inference {
            code,
            names: Names::default(),
            handlers: code.exception_table().collect(),
            blocks: leaders.map(|bci| (bci, None)).collect(),
            work: Vec::new(),
            calls: BTreeMap::new(),
            returns: Vec::new(),
        };
        let start = inference.entry();
        inference.reach(0, start);
        while let Some(block) = inference.work.pop() {
            inference.run_block(block);
        }
        inference
    }

    /// The types that a call starts with.
    fn entry(&mut self) -> State {
        let method = self.code.method();
        let mut locals = Vec::new();
        if !method.is_static() {
            let is_object = method.class().this_class() == b"java/lang/Object";
            locals.push(match method.name() {
                b"<init>" if !is_object => Type::UninitializedThis,
                _ => self.names.class(method.class().this_class()),
            });
        }
        for parameter in descriptor::parameters(method.descriptor()) {
            locals.push(self.names.field_type(parameter));
            locals.extend((1..descriptor::words(parameter)).map(|_| Type::Top));
        }
        locals.resize(usize::from(self.code.max_locals()), Type::Top);
        State { locals, stack: Vec::new() }
    }

    /// Joins a state into that at the start of a block.
    fn reach(&mut self, bci: u32, state: State) {
        let Some(place) = self.blocks.get_mut(&bci) else { return };
        let joined = match place {
            None => state,
            Some(known) => {
                let slots = known.locals.iter().zip(&state.locals).enumerate();
                let locals = slots.map(|(slot, (a, b))| a.join(*b, bci, slot)).collect();
                // Words of the stack are numbered behind those that slots can have.
                let words = known.stack.iter().zip(&state.stack).enumerate();
                let stack = words.map(|(at, (a, b))| a.join(*b, bci, at + 0x1_0000)).collect();
                State { locals, stack }
            }
        };
        if place.as_ref() != Some(&joined) {
            *place = Some(joined);
            self.work.push(bci);
        }
    }

    fn run_block(&mut self, start: u32) {
        let Some(Some(mut state)) = self.blocks.get(&start).cloned() else { return };
        let mut bci = start;
        while let Some(instruction) = self.code.instruction_at(bci) {
            self.reach_handlers(bci, &state);
            if self.step(&instruction, &mut state).is_none() {
                return; // No JVM would accept the code.
            }
            bci = instruction.end();
            match instruction.opcode {
                opcode::RET => return self.return_from_subroutine(start, &state),
                opcode::JSR | opcode::JSR_W => {
                    let before = State {
                        stack: state.stack.iter().copied().take(state.stack.len() - 1).collect(),
                        locals: state.locals.clone(),
                    };
                    self.calls.insert(bci, before);
                    let returns = std::mem::take(&mut self.returns);
                    self.work.extend(returns);
                }
                _ => {}
            }
            for target in instruction.targets() {
                self.reach(target, state.clone());
            }
            let goes_on = !opcode::is_unconditional(instruction.opcode)
                && !matches!(instruction.opcode, opcode::JSR | opcode::JSR_W);
            if !goes_on {
                return;
            }
            if self.blocks.contains_key(&bci) {
                return self.reach(bci, state);
            }
        }
    }

    fn reach_handlers(&mut self, bci: u32, state: &State) {
        for index in 0..self.handlers.len() {
            let entry = self.handlers[index];
            if (entry.start..entry.end).contains(&bci) {
                let caught = match entry.catch_type {
                    0 => b"java/lang/Throwable",
                    index => self.code.constant_pool().class_name(index).unwrap_or_default(),
                };
                let stack = vec![self.names.class(caught)];
                self.reach(entry.handler, State { locals: state.locals.clone(), stack });
            }
        }
    }

    /// Behind a `jsr` the variables that the subroutine left alone are what
    /// they were before. Which these are is not worked out: where both
    /// differ, the type is one that nothing else is equal to.
    fn return_from_subroutine(&mut self, block: u32, state: &State) {
        if !self.returns.contains(&block) {
            self.returns.push(block);
        }
        for (behind, before) in self.calls.clone() {
            let slots = before.locals.iter().zip(&state.locals).enumerate();
            let locals = slots.map(|(slot, (&before, &after))| match (before, after) {
                (known, Type::Top) | (Type::Top, known) => known,
                _ => before.join(after, behind, slot),
            });
            let locals = locals.collect();
            self.reach(behind, State { locals, stack: before.stack });
        }
    }

    /// Of pairs of a handler and a slot that refers to something in the code
    /// that it covers, those where the handler cannot use the slot.
    pub(super) fn unusable(&self, held: &BTreeSet<(u32, u16)>) -> BTreeMap<u32, Vec<u16>> {
        let mut unusable: BTreeMap<u32, Vec<u16>> = BTreeMap::new();
        if !self.returns.is_empty() {
            // Behind subroutines the types are not known well enough.
            return unusable;
        }
        for &(handler, slot) in held {
            let known = self.blocks.get(&handler).and_then(Option::as_ref);
            let usable = known.and_then(|state| state.locals.get(usize::from(slot)));
            if usable == Some(&Type::Top) {
                unusable.entry(handler).or_default().push(slot);
            }
        }
        unusable
    }

    /// Carries out one instruction; `None` if the stack runs empty.
    pub(super) fn step(&mut self, instruction: &Instruction<'_>, state: &mut State) -> Option<()> {
        let State { locals, stack } = state;
        let depth = stack.len();
        match instruction.opcode {
            opcode::ALOAD | opcode::ALOAD_0..=opcode::ALOAD_3 => {
                stack.push(*locals.get(usize::from(instruction.local()?))?);
                return Some(());
            }
            opcode::ASTORE | opcode::ASTORE_0..=opcode::ASTORE_3 => {
                *locals.get_mut(usize::from(instruction.local()?))? = stack.pop()?;
                return Some(());
            }
            opcode::ISTORE..=opcode::DSTORE | opcode::ISTORE_0..=opcode::DSTORE_3 => {
                let (words, _) = opcode::stack_effect(instruction.opcode);
                stack.truncate(depth.checked_sub(words.into())?);
                let first = usize::from(instruction.local()?);
                locals.get_mut(first..first + usize::from(words))?.fill(Type::Top);
                return Some(());
            }
            opcode::DUP..=opcode::SWAP => return shuffle(instruction.opcode, stack),
            _ => {}
        }
        let pool = self.code.constant_pool();
        let index = instruction.pool_index().unwrap_or_default();
        let (mut pops, mut pushes) = opcode::stack_effect(instruction.opcode);
        let mut pushed = Type::Top;
        match instruction.opcode {
            opcode::ACONST_NULL => pushed = Type::Null,
            opcode::LDC | opcode::LDC_W => match pool.tag(index) {
                Some(tag::STRING) => pushed = self.names.class(b"java/lang/String"),
                Some(tag::CLASS) => pushed = self.names.class(b"java/lang/Class"),
                _ => {}
            },
            opcode::AALOAD => {
                let array = *stack.get(depth.checked_sub(2)?)?;
                pushed = self.names.component(array, instruction.bci);
            }
            opcode::NEW => pushed = Type::New(instruction.bci),
            opcode::NEWARRAY => {
                let letters = b"ZCFDBSIJ";
                let code = instruction.constant()?.checked_sub(4)?;
                let letter = *letters.get(usize::try_from(code).ok()?)?;
                pushed = self.names.class(&[b'[', letter]);
            }
            opcode::ANEWARRAY => pushed = self.names.array_of(pool.class_name(index).ok()?),
            opcode::CHECKCAST => pushed = self.names.class(pool.class_name(index).ok()?),
            opcode::MULTIANEWARRAY => {
                pops = u8::try_from(instruction.constant()?).ok()?;
                pushed = self.names.class(pool.class_name(index).ok()?);
            }
            opcode::GETSTATIC..=opcode::PUTFIELD => {
                let field = pool.member_ref(index).ok()?.descriptor;
                let words = descriptor::words(field) as u8;
                let is_read = matches!(instruction.opcode, opcode::GETSTATIC | opcode::GETFIELD);
                let object = u8::from(instruction.opcode >= opcode::GETFIELD);
                (pops, pushes) = if is_read { (object, words) } else { (object + words, 0) };
                pushed = self.names.field_type(field);
            }
            opcode::INVOKEVIRTUAL..=opcode::INVOKEDYNAMIC => {
                return self.call(instruction, state);
            }
            _ => {}
        }
        stack.truncate(depth.checked_sub(pops.into())?);
        stack.extend((0..pushes).map(|_| pushed));
        Some(())
    }

    fn call(&mut self, instruction: &Instruction<'_>, state: &mut State) -> Option<()> {
        let pool = self.code.constant_pool();
        let index = instruction.pool_index()?;
        let is_dynamic = instruction.opcode == opcode::INVOKEDYNAMIC;
        let (name, descriptor) = if is_dynamic {
            let called = pool.invoke_dynamic(index).ok()?;
            (called.name, called.descriptor)
        } else {
            let called = pool.member_ref(index).ok()?;
            (called.name, called.descriptor)
        };
        let arguments = usize::from(descriptor::argument_words(descriptor));
        state.stack.truncate(state.stack.len().checked_sub(arguments)?);
        if !is_dynamic && instruction.opcode != opcode::INVOKESTATIC {
            let receiver = state.stack.pop()?;
            if name == b"<init>" {
                self.initialise(receiver, state)?;
            }
        }
        let result = descriptor::return_type(descriptor);
        let pushed = self.names.field_type(result);
        state.stack.extend((0..descriptor::words(result)).map(|_| pushed));
        Some(())
    }

    fn initialise(&mut self, receiver: Type, state: &mut State) -> Option<()> {
        let class = match receiver {
            Type::UninitializedThis => self.code.method().class().this_class(),
            Type::New(bci) => {
                let index = self.code.instruction_at(bci)?.pool_index()?;
                self.code.constant_pool().class_name(index).ok()?
            }
            _ => return Some(()),
        };
        let initialised = self.names.class(class);
        for place in state.locals.iter_mut().chain(&mut state.stack) {
            if *place == receiver {
                *place = initialised;
            }
        }
        Some(())
    }
}

/// The instructions from `dup` to `swap`, which move words.
fn shuffle(code: u8, stack: &mut Vec<Type>) -> Option<()> {
    let (moved, below) = match code {
        opcode::DUP => (1, 0),
        opcode::DUP_X1 | opcode::SWAP => (1, 1),
        opcode::DUP_X2 => (1, 2),
        opcode::DUP2 => (2, 0),
        opcode::DUP2_X1 => (2, 1),
        _ => (2, 2),
    };
    let top = stack.len().checked_sub(moved)?;
    let place = top.checked_sub(below)?;
    if code == opcode::SWAP {
        stack.swap(place, top);
        return Some(());
    }
    let words = stack.get(top..)?.to_vec();
    stack.splice(place..place, words);
    Some(())
}
