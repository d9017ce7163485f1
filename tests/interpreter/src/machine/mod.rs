//! A small JVM that runs a program and applies the rules to every instruction.
//!
//! It knows no shortcuts: each local variable, each place on the operand stack
//! and each heap location has a shadow of its own. Threads run to their end
//! where they are started; nothing is ever collected.

mod allocation;
mod arithmetic;
mod calls;
mod class;
mod dynamic;
mod execute;
mod following;
mod heap;
mod heap_access;
mod loading;
mod names;
mod natives;
mod opaque;
mod proxy;
mod stack;
mod strings;
mod value;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::rc::Rc;

use profile::MethodId;

use crate::class_path::ClassPath;
use crate::rules::{Context, Here, Numbering, Registry, Rules, Selective};
use class::{Class, ClassId, Field, Method};
pub use following::{Following, Unfollowed};
use heap::Object;
use value::{ObjectId, Slot, Value};

/// Deeper than any program goes that does not run into a loop of calls.
const DEEPEST: usize = 3_000;

/// Why the machine stops in the middle of a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// An exception.
    Thrown(ObjectId),
    /// The program needs what this machine does not have.
    Unsupported(String),
}

impl Stop {
    fn broken(error: impl fmt::Display) -> Self {
        Self::Unsupported(format!("a broken class file: {error}"))
    }

    fn unsupported(what: &str) -> Self {
        Self::Unsupported(what.to_owned())
    }
}

/// What came of a program.
#[derive(Debug)]
pub struct Interpreted<G> {
    /// The graph.
    pub graph: G,
    /// Class with dots, name and descriptor of each method.
    pub methods: Vec<String>,
    /// Names, as Java writes them, of the program's own classes.
    pub own: BTreeSet<String>,
    /// How often each method executed each opcode.
    pub executed: BTreeMap<(MethodId, u8), u64>,
    /// Methods whose values were not followed.
    pub unfollowed: BTreeSet<String>,
    /// What the program printed.
    pub printed: String,
    /// Names of the threads that it started.
    pub threads: BTreeSet<String>,
}

/// What a run takes over from a recording, because it cannot know it.
#[derive(Debug, Default)]
pub struct Recorded {
    /// The numbers that contexts are hashed from.
    pub numbering: Numbering,
    /// Classes of the JDK whose initialisers ran while it was recorded. Those of
    /// all others are taken to have run before: what they make is untracked.
    pub initialised: BTreeSet<String>,
    /// The chain of receivers in which reflection calls a method, by its name.
    pub reflected: BTreeMap<String, u32>,
    /// Code that is not followed.
    pub unfollowed: Unfollowed,
}

/// A program in execution.
#[derive(Debug)]
pub struct Machine<'a, R: Rules> {
    class_path: &'a ClassPath,
    /// The instance of the framework.
    pub rules: Selective<R>,
    /// Its sites, tags and fields.
    pub registry: Registry,
    printed: String,
    executed: BTreeMap<(MethodId, u8), u64>,
    classes: Vec<Class<R::Writer>>,
    by_name: HashMap<Rc<str>, ClassId>,
    fields: Vec<Field>,
    methods: Vec<Method>,
    heap: Vec<Object<R::Writer>>,
    interned: HashMap<Vec<u16>, ObjectId>,
    thread: Option<ObjectId>,
    started: BTreeSet<String>,
    /// What a native executes in the name of; the innermost activation.
    calling: Context,
    /// The methods whose activations have not ended, the innermost one last.
    active: Vec<MethodId>,
    /// Of exceptions that reflection has thrown itself: which accessor did.
    accessors: HashMap<ObjectId, ClassId>,
    /// How many initialisers are active that a JVM runs before it records.
    early: u32,
    initialised_late: BTreeSet<String>,
    reflected: BTreeMap<String, u32>,
    unfollowed: Unfollowed,
    proxies: u32,
    /// Milliseconds and nanoseconds alike.
    time: i64,
    thread_numbers: i64,
    /// The objects of lambdas that capture nothing.
    singletons: HashMap<ClassId, ObjectId>,
}

/// An activation of a method.
#[derive(Debug)]
struct Frame<S> {
    method: MethodId,
    class: ClassId,
    locals: Vec<Slot<S>>,
    stack: Vec<Slot<S>>,
    bci: u32,
    opcode: u8,
    context: Context,
    following: Following,
    /// In a constructor, its object until the next constructor has returned.
    uninitialised: Option<ObjectId>,
    /// The slot of the context, by which nodes are told apart.
    slot: u32,
}

impl<S: Copy> Frame<S> {
    fn here(&self) -> Here {
        Here {
            method: self.method,
            bci: self.bci,
            opcode: self.opcode,
            context: self.context,
            is_followed: self.following.values,
            forgets: self.following.stores,
        }
    }

    fn push(&mut self, slot: Slot<S>) {
        self.stack.push(slot);
    }

    fn pop(&mut self) -> Slot<S> {
        self.stack.pop().expect("verified code does not pop from an empty stack")
    }
}

impl<'a, R: Rules> Machine<'a, R> {
    /// Nothing has happened yet.
    ///
    /// Sites have `slots` context slots. `recorded` is what is taken from the
    /// recording to compare with.
    pub fn new(class_path: &'a ClassPath, rules: R, slots: u32, recorded: Recorded) -> Self {
        let registry = Registry::new(slots, recorded.numbering);
        Self {
            class_path,
            rules: Selective { rules },
            registry,
            printed: String::new(),
            executed: BTreeMap::new(),
            classes: Vec::new(),
            by_name: HashMap::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            heap: Vec::new(),
            interned: HashMap::new(),
            thread: None,
            started: BTreeSet::new(),
            calling: Context::default(),
            active: Vec::new(),
            accessors: HashMap::new(),
            early: 0,
            initialised_late: recorded.initialised,
            reflected: recorded.reflected,
            unfollowed: recorded.unfollowed,
            proxies: 0,
            time: 0,
            thread_numbers: 0,
            singletons: HashMap::new(),
        }
    }

    /// Runs `main` of a class.
    ///
    /// # Errors
    /// The exception that nobody caught, or what the machine cannot do.
    pub fn run_main(&mut self, class: &str, arguments: &[&str]) -> Result<(), String> {
        self.main(class, arguments).map_err(|stop| match stop {
            Stop::Thrown(exception) => self.describe(exception),
            Stop::Unsupported(what) => format!("the machine lacks: {what}"),
        })
    }

    fn main(&mut self, class: &str, arguments: &[&str]) -> Result<(), Stop> {
        let class = self.class(class)?;
        let mut array = Vec::new();
        for argument in arguments {
            array.push(Value::Object(self.new_string(argument)?));
        }
        let strings = self.class("[Ljava/lang/String;")?;
        let array = self.untracked_array(strings, array);
        self.initialise(class)?;
        let main = self
            .find_method(class, "main", "([Ljava/lang/String;)V")
            .ok_or_else(|| Stop::unsupported("a program without main"))?;
        let outside = Self::outside();
        self.invoke(main, vec![Slot::plain(Value::Object(array))], outside).map(drop)
    }

    /// An exception in words.
    fn describe(&mut self, exception: ObjectId) -> String {
        let class = self.heap[exception.0 as usize].class;
        let name = self.classes[class.0 as usize].java_name();
        let message = self.find_field(class, "detailMessage", "Ljava/lang/String;");
        let message = message.and_then(|field| {
            let index = self.fields[field.0 as usize].index;
            self.heap[exception.0 as usize].fields().get(index)?.value.reference()
        });
        match message {
            Some(message) => format!("{name}: {}", self.text_of(message)),
            None => name,
        }
    }

    /// Class with dots, name and descriptor of a method.
    pub fn method_name(&self, method: MethodId) -> String {
        let method = &self.methods[method.0 as usize];
        let class = self.classes[method.class.0 as usize].java_name();
        format!("{class}.{}{}", method.name, method.descriptor)
    }

    /// What came of the run: the graph that `graph` makes of the rules' state,
    /// the tables and a function for lines.
    pub fn finish<G>(
        mut self,
        graph: impl FnOnce(&R, Registry, &dyn Fn(MethodId, u32) -> u16) -> G,
    ) -> Interpreted<G> {
        let registry = std::mem::take(&mut self.registry);
        let methods = 0..self.methods.len() as u32;
        let unfollowed = (0..).map(MethodId).zip(&self.methods);
        let unfollowed = unfollowed.filter(|(_, method)| !method.following.values);
        let unfollowed = unfollowed.map(|(id, _)| self.method_name(id)).collect();
        Interpreted {
            graph: graph(&self.rules.rules, registry, &|method, bci| self.line(method, bci)),
            methods: methods.map(|at| self.method_name(MethodId(at))).collect(),
            own: self.classes.iter().filter(|c| c.is_own).map(Class::java_name).collect(),
            executed: self.executed,
            unfollowed,
            printed: self.printed,
            threads: self.started,
        }
    }

    /// The source line of an instruction, 0 if unknown.
    pub fn line(&self, method: MethodId, bci: u32) -> u16 {
        let body = self.methods[method.0 as usize].body.as_ref();
        body.and_then(|body| body.code.line_of(bci)).unwrap_or_default()
    }
}
