//! Threads run to their end where they are started.

use super::super::class::ClassId;
use super::super::value::{ObjectId, Slot, Value};
use super::super::{Machine, Stop};
use super::{Answer, Call, nothing, value};
use crate::rules::{Context, Rules};

impl<R: Rules> Machine<'_, R> {
    pub(super) fn thread_native(&mut self, call: &Call<'_>) -> Answer {
        if call.class != "java/lang/Thread" {
            return None;
        }
        match call.name {
            "currentThread" => {
                Some(self.current_thread().map(|thread| Some(Value::Object(thread))))
            }
            "start" => Some(self.start(call.arguments[0])),
            "join"
            | "setDaemon"
            | "setName"
            | "setPriority0"
            | "interrupt0"
            | "yield"
            | "yield0"
            | "ensureMaterializedForStackWalk"
            | "sleep"
            | "sleep0"
            | "onSpinWait"
            | "clearInterruptEvent" => nothing(),
            "genThreadName" => {
                Some(self.new_string("Thread-1").map(|name| Some(Value::Object(name))))
            }
            "isAlive" => value(Value::Int(0)),
            "getNextThreadIdOffset" => value(Value::Long(0)),
            "scopedValueBindings" | "findScopedValueBindings" | "scopedValueCache" => {
                value(Value::Null)
            }
            _ => None,
        }
    }

    fn current_thread(&mut self) -> Result<ObjectId, Stop> {
        if let Some(thread) = self.thread {
            return Ok(thread);
        }
        let class = self.class("java/lang/Thread")?;
        let tag = self.untracked_tag(class);
        let thread = self.blank(class, tag);
        self.thread = Some(thread);
        let group_class = self.class("java/lang/ThreadGroup")?;
        let tag = self.untracked_tag(group_class);
        let group = self.blank(group_class, tag);
        self.poke(group, "maxPriority", Value::Int(10));
        // In JDK 17 in the thread itself, later in an object of its own.
        let described = if self.describes_threads_apart(class) {
            let holder_class = self.class("java/lang/Thread$FieldHolder")?;
            let tag = self.untracked_tag(holder_class);
            let holder = self.blank(holder_class, tag);
            self.poke(thread, "holder", Value::Object(holder));
            holder
        } else {
            thread
        };
        self.poke(described, "group", Value::Object(group));
        self.poke(described, "priority", Value::Int(5));
        self.poke(described, "threadStatus", Value::Int(5));
        let name = self.new_string("main")?;
        self.poke(thread, "name", Value::Object(name));
        self.initialise(class)?;
        Ok(thread)
    }

    fn describes_threads_apart(&self, thread: ClassId) -> bool {
        self.find_field(thread, "holder", "Ljava/lang/Thread$FieldHolder;").is_some()
    }

    fn start(&mut self, thread: Value) -> Result<Option<Value>, Stop> {
        let started = self.not_null(thread)?;
        let class = self.object(started).class;
        let run = self.find_method(class, "run", "()V");
        let run = run.ok_or_else(|| Stop::unsupported("a thread without run"))?;
        if let Some(name) = self.peek(started, "name").and_then(Value::reference) {
            let name = self.text_of(name);
            self.started.insert(name);
        }
        let thread_class = self.class("java/lang/Thread")?;
        if !self.describes_threads_apart(thread_class) {
            // In JDK 17 the group of a thread has an array of those that were started.
            self.count_assigned(started);
        }
        let starting = self.thread.replace(started);
        // A new thread has no receivers yet.
        let result = self.invoke(run, vec![Slot::plain(thread)], Context::default());
        self.thread = starting;
        match result {
            // The exception of a thread ends the thread.
            Ok(_) | Err(Stop::Thrown(_)) => Ok(None),
            Err(stop) => Err(stop),
        }
    }
}
