//! Which class loaders know the runtime class, in a JVM that the agent came into late.
//!
//! There classes call the runtime class by its name, and the JVM asks the loader of the
//! calling class for it. A loader that does not find it, because it passes on only what it
//! knows, would end the program's method by an error; so each loader is asked once before
//! any of its classes gets a probe. The JVM remembers its answer and does not ask again.
//!
//! A loader is code of the program, which may wait for anything. Threads of the program ask
//! the loader whose class they load. Threads that work for the agent ask none, since the one
//! that serves `jstack` is among them: they note loaders, a thread that has nothing else to
//! do asks these ([`ask_noted`]), and nobody waits long for it.
//!
//! Classes that are loaded from a loader while it is asked are left as they are at first, and
//! get their probes when it has answered: at the latest when they are linked, before anything
//! of them is executed, if it answers soon. Nobody waits for it while a class is being loaded,
//! which is when loaders hold their locks.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use jvmti_bindings::sys::jni::{jclass, jobject};
use parking_lot::{Condvar, Mutex, MutexGuard};
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::global_class::GlobalClass;
use super::jni::Jni;
use super::own_work::is_own_thread;
use super::retransformation::{retransform, skip};
use super::second_thread;
use super::session::Session;

/// What a loader says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Its classes can call the runtime class.
    Knows,
    /// They cannot.
    DoesNot,
    /// It has not answered so far.
    Open,
}

// The tag of a loader: its number, and in the two lowest bits what is known of it. Without a
// tag it has not been asked.
const STATE: i64 = 3;
const KNOWS: i64 = 1;
const DOES_NOT: i64 = 2;
/// It is being asked, by a thread further out or by another one, or will be.
const IS_ASKED: i64 = 3;

/// Why a class is left as it is.
pub const UNKNOWN_RUNTIME: &str = "its loader does not know java.lang.SubsumeRuntime";
const NO_ANSWER: &str = "its loader has not answered whether it knows java.lang.SubsumeRuntime";

/// How long a class that is linked waits for the answer of its loader.
const LINKING: Duration = Duration::from_millis(500);
/// How long the agent's threads wait for the next answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// How many loaders may keep a thread each that waits for their answers.
const MOST_WAITING: usize = 4;

static ASKING: Mutex<Asking> = Mutex::new(Asking::NONE);
/// A loader has answered.
static ANSWERED: Condvar = Condvar::new();

thread_local! {
    /// Numbers of the loaders that this thread is asking.
    static ASKED_HERE: RefCell<Vec<i64>> = const { RefCell::new(Vec::new()) };
}

/// What is open. Tags of loaders change only while it is locked.
struct Asking {
    /// The last number that a loader got.
    last: i64,
    /// Loaders that are to be asked, by their numbers.
    noted: Vec<(i64, GlobalClass)>,
    /// How many of those that were noted are being asked.
    being_asked: usize,
    /// How many of those have answered.
    answers: u64,
    /// Classes that were loaded without probes: the loader's number, and the name.
    loaded: FxHashSet<(i64, Box<[u8]>)>,
    /// Those of them that are linked.
    linked: Vec<(i64, GlobalClass)>,
}

impl Asking {
    const NONE: Self = Self {
        last: 0,
        noted: Vec::new(),
        being_asked: 0,
        answers: 0,
        loaded: FxHashSet::with_hasher(FxBuildHasher),
        linked: Vec::new(),
    };

    /// The next number, for a loader that is going to be asked.
    fn begin(&mut self, session: &Session, loader: jobject) -> i64 {
        self.last += 1;
        session.jvmti.set_tag(loader, self.last << 2 | IS_ASKED);
        self.last
    }
}

/// What the loader of a class says, which the JVM hands over: one that is being loaded, or
/// `loaded`. If it has not answered, the class is kept in mind. A thread of the program
/// executes code of the loader for that, the first time.
pub fn ask_for(
    session: &Session,
    jni: Jni,
    loader: jobject,
    name: &[u8],
    loaded: Option<jclass>,
) -> Answer {
    if loader.is_null() {
        return Answer::Knows;
    }
    let mut asking = ASKING.lock();
    let tag = session.jvmti.tag(loader);
    let number = match tag & STATE {
        KNOWS => return Answer::Knows,
        DOES_NOT => return Answer::DoesNot,
        0 if !is_own_thread() => {
            let number = asking.begin(session, loader);
            drop(asking);
            return ask(session, jni, number, loader);
        }
        0 => note_in(&mut asking, session, jni, loader),
        _ => tag >> 2,
    };
    match loaded {
        Some(class) => {
            let class = jni.global(class).map(GlobalClass::new);
            asking.linked.extend(class.map(|class| (number, class)));
        }
        None => drop(asking.loaded.insert((number, name.into()))),
    }
    Answer::Open
}

/// Notes that a loader is to be asked, if nobody has.
pub fn note(session: &Session, jni: Jni, loader: jobject) {
    let mut asking = ASKING.lock();
    if !loader.is_null() && session.jvmti.tag(loader) == 0 {
        note_in(&mut asking, session, jni, loader);
    }
}

fn note_in(asking: &mut Asking, session: &Session, jni: Jni, loader: jobject) -> i64 {
    let number = asking.begin(session, loader);
    match jni.global(loader) {
        Some(loader) => asking.noted.push((number, GlobalClass::new(loader))),
        // No memory for the reference: the next class that needs the answer asks for it.
        None => session.jvmti.set_tag(loader, 0),
    }
    number
}

/// Asks a loader, which has its number, and goes on with its classes.
fn ask(session: &Session, jni: Jni, number: i64, loader: jobject) -> Answer {
    let ends = EndsAsking { session, jni, number, loader, knows: false };
    ASKED_HERE.with_borrow_mut(|asked| asked.push(number));
    ends.with(session.unrecorded(jni, || {
        let Some(runtime) = session.runtime.get() else { return false };
        let runtime = runtime.reference();
        jni.class_in_loader(runtime, "java.lang.SubsumeRuntime", loader)
            .is_some_and(|found| jni.is_same(found, runtime))
    }))
}

/// Whatever happens, a loader does not stay one that is being asked.
struct EndsAsking<'a> {
    session: &'a Session,
    jni: Jni,
    number: i64,
    loader: jobject,
    knows: bool,
}

impl EndsAsking<'_> {
    fn with(mut self, knows: bool) -> Answer {
        self.knows = knows;
        if knows { Answer::Knows } else { Answer::DoesNot }
    }
}

impl Drop for EndsAsking<'_> {
    fn drop(&mut self) {
        let Self { session, jni, number, loader, knows } = *self;
        ASKED_HERE.with_borrow_mut(|asked| asked.retain(|&asked| asked != number));
        let mut asking = ASKING.lock();
        let state = if knows { KNOWS } else { DOES_NOT };
        session.jvmti.set_tag(loader, number << 2 | state);
        let is_of_it = |class: &mut (i64, GlobalClass)| class.0 == number;
        let waiting: Vec<_> = asking.linked.extract_if(.., is_of_it).collect();
        ANSWERED.notify_all();
        drop(asking);
        let refused = (!knows).then_some(UNKNOWN_RUNTIME);
        go_on(session, jni, waiting.into_iter().map(|(_, class)| class), refused);
    }
}

/// Gives the classes their probes, or lists them for the reason.
fn go_on(
    session: &Session,
    jni: Jni,
    classes: impl Iterator<Item = GlobalClass>,
    refused: Option<&str>,
) {
    for class in classes {
        go_on_with(session, jni, class.reference(), refused);
        jni.forget_global(class.reference());
    }
}

fn go_on_with(session: &Session, jni: Jni, class: jclass, refused: Option<&str>) {
    match refused {
        Some(reason) => skip(session, class, reason),
        // What was recorded may have ended meanwhile.
        None if session.recorder.is_instrumenting() => {
            session.unrecorded(jni, || retransform(session, &[class]));
        }
        None => {}
    }
}

/// The JVM has linked a class. If it was loaded while its loader was asked, it gets its probes
/// now, or as soon as the loader has answered.
pub fn linked(session: &Session, jni: Jni, class: jclass) {
    let mut asking = ASKING.lock();
    if asking.loaded.is_empty() {
        return;
    }
    let Ok(loader) = session.jvmti.class_loader(class) else { return };
    if loader.is_null() {
        return;
    }
    let number = session.jvmti.tag(loader) >> 2;
    let name = session.jvmti.class_name(class).unwrap_or_default();
    if !asking.loaded.remove(&(number, name)) {
        return;
    }
    match wait_for(&mut asking, session, number, loader) {
        Answer::Open => {
            let class = jni.global(class).map(GlobalClass::new);
            asking.linked.extend(class.map(|class| (number, class)));
        }
        answer => {
            drop(asking);
            go_on_with(session, jni, class, (answer == Answer::DoesNot).then_some(UNKNOWN_RUNTIME));
        }
    }
}

/// Waits a little for the answer of a loader, unless it is this thread that asks it.
fn wait_for(
    asking: &mut MutexGuard<'_, Asking>,
    session: &Session,
    number: i64,
    loader: jobject,
) -> Answer {
    let until = Instant::now() + LINKING;
    loop {
        match session.jvmti.tag(loader) & STATE {
            KNOWS => return Answer::Knows,
            DOES_NOT => return Answer::DoesNot,
            _ => {}
        }
        let is_asked_here = ASKED_HERE.with_borrow(|asked| asked.contains(&number));
        if is_asked_here || ANSWERED.wait_until(asking, until).timed_out() {
            return Answer::Open;
        }
    }
}

/// Has the loaders asked that were noted, and waits for them, though not long for any.
pub fn ask_noted(session: &'static Session, jni: Jni) {
    // Those of the JDK do not wait for the program. (While it is locked, no code in Java is
    // executed: the JVM tells of what that links, and comes by here.)
    let builtin = session.runtime.get().and_then(|runtime| {
        jni.boot_class(runtime.reference(), "jdk.internal.loader.BuiltinClassLoader")
    });
    let is_builtin = |noted: &mut (i64, GlobalClass)| {
        builtin.is_some_and(|class| jni.is_instance(noted.1.reference(), class))
    };
    let mut asking = ASKING.lock();
    let own: Vec<_> = asking.noted.extract_if(.., is_builtin).collect();
    drop(asking);
    for (number, loader) in own {
        ask(session, jni, number, loader.reference());
        jni.forget_global(loader.reference());
    }
    let mut asking = ASKING.lock();
    while !asking.noted.is_empty() && asking.being_asked < MOST_WAITING {
        let waiting_before = asking.being_asked;
        drop(asking);
        if second_thread::run(session, jni, move |jni| ask_one_after_the_other(session, jni))
            .is_none()
        {
            return ask_one_after_the_other(session, jni);
        }
        asking = ASKING.lock();
        let (mut answers, mut until) = (asking.answers, Instant::now() + PATIENCE);
        while asking.being_asked > waiting_before || !asking.noted.is_empty() {
            if ANSWERED.wait_until(&mut asking, until).timed_out() {
                break;
            }
            if asking.answers != answers {
                (answers, until) = (asking.answers, Instant::now() + PATIENCE);
            }
        }
    }
    // The other loaders are asked when a class is loaded from them.
    for (_, loader) in std::mem::take(&mut asking.noted) {
        session.jvmti.set_tag(loader.reference(), 0);
        jni.forget_global(loader.reference());
    }
}

fn ask_one_after_the_other(session: &Session, jni: Jni) {
    loop {
        let mut asking = ASKING.lock();
        let Some((number, loader)) = asking.noted.pop() else { return };
        asking.being_asked += 1;
        drop(asking);
        jni.in_frame(16, || ask(session, jni, number, loader.reference()));
        jni.forget_global(loader.reference());
        let mut asking = ASKING.lock();
        asking.being_asked -= 1;
        asking.answers += 1;
        ANSWERED.notify_all();
    }
}

/// Lists the classes that have been linked and whose loaders have not answered.
pub fn list_open(session: &Session) {
    let waiting = std::mem::take(&mut ASKING.lock().linked);
    let Some(jni) = session.vm.current() else { return };
    go_on(session, jni, waiting.into_iter().map(|(_, class)| class), Some(NO_ANSWER));
}

/// From now on no class waits for an answer.
pub fn forget(session: &Session) {
    list_open(session);
    ASKING.lock().loaded.clear();
}
