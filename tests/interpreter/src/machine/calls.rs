//! Calls: arguments and results take their shadows along, which is what the
//! paper's tracking stack is for (rules METHOD ENTRY and RETURN).

use classfile::{access, opcode as op};
use profile::MethodId;
use profile::dataflow::{SiteKind, TagId};

use super::value::{Slot, Value};
use super::{DEEPEST, Frame, Machine, Stop};
use crate::rules::{Context, Owner, Rules, SiteName};

impl<R: Rules> Machine<'_, R> {
    /// `invokevirtual` to `invokeinterface`.
    pub(super) fn call(
        &mut self,
        frame: &mut Frame<R::Shadow>,
        opcode: u8,
        index: u16,
    ) -> Result<(), Stop> {
        let is_resolved = self.classes[frame.class.0 as usize].resolved.contains_key(&index);
        if !is_resolved && let Some(done) = self.polymorphic(frame, opcode, index) {
            return done;
        }
        let resolved = self.resolve_method(frame.class, index)?;
        let method = &self.methods[resolved.0 as usize];
        let count = method.parameters.len() + usize::from(!method.is_static());
        let mut arguments = frame.stack.split_off(frame.stack.len() - count);
        let selected = match opcode {
            op::INVOKESTATIC => {
                let class = method.class;
                self.initialise(class)?;
                resolved
            }
            op::INVOKESPECIAL => {
                self.base(frame, arguments[0])?;
                resolved
            }
            _ => {
                self.base(frame, arguments[0])?;
                self.select(resolved, arguments[0].value)?
            }
        };
        let constructed = match opcode {
            op::INVOKESPECIAL => arguments[0].value.reference(),
            _ => None,
        };
        let is_constructor =
            constructed.is_some() && &*self.methods[selected.0 as usize].name == "<init>";
        if is_constructor && constructed != frame.uninitialised {
            self.constructed(frame, arguments[0]);
        }
        let callee = &self.methods[selected.0 as usize];
        let result = if callee.body.is_some() {
            if callee.following.values {
                let receivers = usize::from(!callee.is_static());
                self.pass_nulls(frame, receivers, &mut arguments[receivers..]);
            }
            if opcode == op::INVOKESTATIC && frame.following.values {
                let owner = self.passed_owner(frame, index)?;
                self.activate(selected, arguments, Context { owner, ..frame.context })?
            } else {
                self.invoke(selected, arguments, frame.context)?
            }
        } else {
            let outer = std::mem::replace(&mut self.calling, frame.context);
            let result = self.native(frame, selected, &arguments);
            self.calling = outer;
            result?
        };
        if is_constructor {
            frame.uninitialised.take_if(|of| constructed == Some(*of));
        }
        let is_followed = frame.following.values;
        let is_answer = !self.methods[selected.0 as usize].following.values
            || self.methods[selected.0 as usize].body.is_none();
        if is_followed && !is_answer && result.is_some_and(|result| result.value == Value::Null) {
            self.rules.take_result();
        }
        frame.stack.extend(result.map(|result| match is_answer {
            _ if !is_followed => Slot::plain(result.value),
            true => self.answered(frame, result),
            false => result,
        }));
        Ok(())
    }

    /// Nulls among the arguments of a method that is followed, those behind the receiver.
    pub(super) fn pass_nulls(
        &mut self,
        frame: &Frame<R::Shadow>,
        receivers: usize,
        arguments: &mut [Slot<R::Shadow>],
    ) {
        for (number, argument) in (1..).zip(arguments) {
            if argument.value == Value::Null {
                let here = frame.here();
                argument.shadow = self.rules.argument(here, number, receivers, argument.shadow);
            }
        }
    }

    /// What code that is not followed answers a call with.
    pub(super) fn answered(
        &mut self,
        frame: &Frame<R::Shadow>,
        result: Slot<R::Shadow>,
    ) -> Slot<R::Shadow> {
        match result.value {
            Value::Null => {
                let shadow = self.rules.answer(frame.here(), result.shadow);
                Slot { shadow, ..result }
            }
            _ => result,
        }
    }

    /// The owner that a call passes on to a static method: the receiver that the caller
    /// has or was passed, none if that is not known yet; else the call by which this class was entered if the callee is
    /// of this class, too; else the call itself.
    fn passed_owner(
        &mut self,
        frame: &Frame<R::Shadow>,
        index: u16,
    ) -> Result<Option<Owner>, Stop> {
        let file = self.file(frame.class);
        let named = file.constant_pool().member_ref(index).map_err(Stop::broken)?;
        match self.context_in(frame).owner {
            Some(receiver @ Owner::Receiver(_)) => return Ok(Some(receiver)),
            Some(call @ Owner::Call(_)) if named.owner == file.this_class() => {
                return Ok(Some(call));
            }
            None if frame.uninitialised.is_some() => return Ok(None),
            _ => {}
        }
        let name = SiteName {
            method: self.method_name(frame.method),
            bci: frame.bci as u16,
            class: String::new(),
            kind: SiteKind::Call,
        };
        let line = self.line(frame.method, frame.bci);
        Ok(Some(Owner::Call(self.registry.site(name, Some(frame.method), line))))
    }

    /// The context of what a frame makes or calls now: before its object is initialised,
    /// a constructor does not know who it is of, unless its caller has said that.
    pub(super) fn context_in(&self, frame: &Frame<R::Shadow>) -> Context {
        let unknown = frame.uninitialised.map(|object| self.object(object).tag);
        match unknown.filter(|&tag| self.is_untracked(tag)) {
            Some(_) => Context { owner: None, ..frame.context },
            None => frame.context,
        }
    }

    pub(super) fn is_untracked(&self, tag: TagId) -> bool {
        let site = self.registry.objects.tags[tag.0 as usize].site;
        self.registry.objects.sites[site.0 as usize].kind == SiteKind::Untracked
    }

    /// The method that a virtual call of `resolved` reaches.
    pub(super) fn select(&mut self, resolved: MethodId, receiver: Value) -> Result<MethodId, Stop> {
        let receiver = self.not_null(receiver)?;
        let method = &self.methods[resolved.0 as usize];
        if method.flags & access::PRIVATE != 0 {
            return Ok(resolved);
        }
        let class = self.object(receiver).class;
        let found = self.find_method(class, &method.name, &method.descriptor);
        let found = found.ok_or_else(|| Stop::unsupported("a method that nobody declares"))?;
        if self.methods[found.0 as usize].is_abstract() {
            return Err(self.throw("java/lang/AbstractMethodError"));
        }
        Ok(found)
    }

    /// Runs a method that has code, for a caller in this context that passes on no
    /// owner.
    ///
    /// # Errors
    /// What the interpreted program throws, or that the interpreter lacks something.
    pub fn invoke(
        &mut self,
        method: MethodId,
        arguments: Vec<Slot<R::Shadow>>,
        caller: Context,
    ) -> Result<Option<Slot<R::Shadow>>, Stop> {
        let invoked = &self.methods[method.0 as usize];
        let context = if invoked.is_static() {
            Context { owner: None, ..caller }
        } else {
            self.context_of(arguments[0].value, caller, &invoked.name)
        };
        let context = match invoked.following.receiver {
            true => context,
            // What it calls has the chain of the next frame outwards with probes.
            false => Context { chain: caller.chain, ..context },
        };
        self.activate(method, arguments, context)
    }

    /// Runs a method that has code in a context of its own.
    fn activate(
        &mut self,
        method: MethodId,
        mut arguments: Vec<Slot<R::Shadow>>,
        context: Context,
    ) -> Result<Option<Slot<R::Shadow>>, Stop> {
        if self.active.len() >= DEEPEST {
            return Err(self.throw("java/lang/StackOverflowError"));
        }
        let invoked = &self.methods[method.0 as usize];
        let Some(body) = &invoked.body else {
            return Err(Stop::Unsupported(format!("a call of {}", self.method_name(method))));
        };
        let mut locals = vec![Slot::plain(Value::Null); usize::from(body.code.max_locals())];
        let mut at = 0;
        let following = invoked.following;
        if following.values
            && &*invoked.name == "<init>"
            && let Some(tag) = self.tag_of(arguments[0].value)
        {
            arguments[0].shadow = self.rules.this(arguments[0].shadow, tag);
        }
        for argument in &arguments {
            locals[at] = if following.values { *argument } else { Slot::plain(argument.value) };
            at += if argument.value.is_wide() { 2 } else { 1 };
        }
        let class = invoked.class;
        let uninitialised = match (&*invoked.name, invoked.is_static()) {
            ("<init>", false) => arguments[0].value.reference(),
            _ => None,
        };
        if let Some(object) = uninitialised
            && &*self.classes[class.0 as usize].name == "java/lang/Object"
        {
            self.count(object);
        }
        let slot = self.registry.slot(R::context(context, &self.registry));
        let mut frame = Frame {
            method,
            class,
            locals,
            stack: Vec::new(),
            bci: 0,
            opcode: op::NOP,
            context,
            following,
            uninitialised,
            slot,
        };
        let outer = std::mem::replace(&mut self.calling, context);
        self.active.push(method);
        let result = self.run(&mut frame);
        self.active.pop();
        self.calling = outer;
        let known = |slot: Slot<R::Shadow>| match following.values {
            true => slot,
            false => Slot::plain(slot.value),
        };
        let result = result.map(|returned| returned.map(known));
        result.map_err(|stop| match stop {
            Stop::Unsupported(what) => {
                Stop::Unsupported(format!("{what}\n    in {}", self.method_name(method)))
            }
            thrown @ Stop::Thrown(_) => thrown,
        })
    }

    /// The context of an instance method: the receiver's site, and the chain
    /// with it (Bond and McKinley's `3 * g + site`).
    ///
    /// A constructor does not know who it is of, unless its caller has said that.
    fn context_of(&self, receiver: Value, caller: Context, method: &str) -> Context {
        let tag = self.tag_of(receiver).unwrap_or_default();
        let site = self.registry.objects.tags[tag.0 as usize].site;
        let chain = caller.chain.unwrap_or_default();
        let is_unknown = method == "<init>" && self.is_untracked(tag);
        let number = if is_unknown { 0 } else { self.registry.number(site) };
        let chain = chain.wrapping_mul(3).wrapping_add(number);
        // A chain that is 0 is none.
        Context { owner: Some(Owner::Receiver(site)), chain: (chain != 0).then_some(chain) }
    }

    /// Calls a method by name on an object, for the JVM's own purposes.
    ///
    /// # Errors
    /// What the interpreted program throws, or that the interpreter lacks something.
    pub fn call_virtual(
        &mut self,
        receiver: Value,
        name: &str,
        descriptor: &str,
    ) -> Result<Option<Slot<R::Shadow>>, Stop> {
        let object = self.not_null(receiver)?;
        let class = self.object(object).class;
        let method = self
            .find_method(class, name, descriptor)
            .ok_or_else(|| Stop::Unsupported(format!("{name}{descriptor}")))?;
        if self.methods[method.0 as usize].body.is_none() {
            return self.plain_native(method, &[receiver]).map(|value| value.map(Slot::plain));
        }
        self.invoke(method, vec![Slot::plain(receiver)], self.calling)
    }
}
