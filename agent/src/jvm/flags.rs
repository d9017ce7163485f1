//! HotSpot's flags, read and written in place.
//!
//! Exact counts need that compiled code executes the bytecodes it was given,
//! and speed needs that the compilers accept larger methods. Users should not
//! have to pass a dozen flags for that, so the agent writes them itself when
//! recording starts, and puts back what it found when recording stops: classes
//! then run plain, and are to be compiled like that. [`vm_structs`] knows where
//! they are.
//!
//! [`vm_structs`]: super::vm_structs

use std::ffi::CStr;

use parking_lot::Mutex;

use super::vm_output;
use super::vm_structs::{
    self, BoolFlag, Flag, NumberFlag, bool_flag, flag, jvm_arguments, number_flag,
};

/// What a flag is to be while recording is on.
#[derive(Debug, Clone, Copy)]
enum Wanted {
    Is(bool),
    AtLeast(i64),
    AtMost(i64),
    /// So many powers of two more, up to [`LATEST`].
    LaterBy(i64),
}

/// A flag that differs from what the user, or the JVM, has chosen.
#[derive(Debug, Clone, Copy)]
enum Saved {
    Bool(BoolFlag, bool),
    Number(NumberFlag, i64),
}

/// Flags while recording is on, as they were before. The compilers read them in
/// each compilation, and switching rewrites all classes, after which everything
/// is compiled again.
static SAVED: Mutex<Vec<Saved>> = Mutex::new(Vec::new());

/// The size of the JVM's table of symbols, as it was before.
static SYMBOL_TABLE: Mutex<Option<Saved>> = Mutex::new(None);

/// Buckets of the table of symbols: two symbols in each for a server of 15,000 classes. By
/// itself the JVM begins with 32,768 and lets lists grow eight long. A switch looks up all
/// names of all classes, and these lists were a quarter of its time. 2 MB.
const SYMBOL_BUCKETS: i64 = 1 << 18;

const CHECK_INTRINSICS: &CStr = c"CheckIntrinsics";

/// Flags that say what objects are like, and have the JVM leave room for tags.
const FOR_TAGS: [(&CStr, Kind); 3] = [
    (c"UseCompressedOops", Kind::Bool),
    (c"ObjectAlignmentInBytes", Kind::Number),
    (c"hashCode", Kind::Number),
];

/// What a flag has to be.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Bool,
    Number,
}

/// What exact counts need. A JVM without C2 lacks C2's flags.
const EXACT: [(&CStr, bool); 4] = [
    // A method with an intrinsic but without the annotation keeps its bytecodes
    // only while this check is on.
    (CHECK_INTRINSICS, true),
    // Optimised away together with the counts of the methods they would call.
    (c"OptimizeStringConcat", false),
    (c"EliminateAutoBox", false),
    // Thrown without running the exception's constructor.
    (c"OmitStackTraceInFastThrow", false),
];

/// Lets the compilers accept methods that grew by their probes.
///
/// No more than that: with higher limits, methods are not faster in the end,
/// and compiling them takes so long that the program runs interpreted code
/// meanwhile.
const FOR_PROBES: [(&CStr, Wanted); 5] = [
    (c"DontCompileHugeMethods", Wanted::Is(false)),
    // What is trivial stays so with the probe of a leaf in it.
    (c"MaxTrivialSize", Wanted::AtLeast(16)),
    (c"C1MaxTrivialSize", Wanted::AtLeast(16)),
    (c"FreqInlineSize", Wanted::AtLeast(500)),
    // What is compiled to so many bytes already is called: with probes in it, another copy
    // costs more than the call.
    (c"InlineSmallCode", Wanted::AtMost(500)),
];

/// Leaves C2 the hottest methods.
///
/// C2 takes about three times as long for methods with probes, so most of a run of seconds was
/// C2. These flags have C1 compile all methods with counters, but without profiles of types
/// and branches. Only after 16 times as many calls, or 8 times as many iterations, as
/// without the agent, C1 compiles a method again, with the profiles that C2 needs. DESIGN.md
/// has the figures.
const FOR_HOTTEST: [(&CStr, Wanted); 4] = [
    // C1 leaves out profiles while more methods than this wait for each of C2's threads.
    (c"Tier3DelayOn", Wanted::AtMost(-1)),
    // Methods with so many percent of C1's thresholds would get profiles all the same.
    (c"TieredOldPercentage", Wanted::AtLeast(1 << 24)),
    // Powers of two. C1 compiles code that asks for more after so many calls and iterations.
    (c"Tier2InvokeNotifyFreqLog", Wanted::LaterBy(4)),
    (c"Tier2BackedgeNotifyFreqLog", Wanted::LaterBy(3)),
];

/// Counters in compiled code have 31 bits, so that they hold no higher power of two for long.
const LATEST: i64 = 24;

/// What this JVM, a HotSpot, does not have of what counts need to be exact, each
/// named: later releases may keep it elsewhere, or have no such thing any more.
/// `tags` are those of objects.
pub fn missing_facts(tags: bool) -> Vec<String> {
    let mut missing = vm_structs::missing_descriptions();
    // Without the descriptions no flag is found, and those are the cause.
    if missing.is_empty() {
        let exact = EXACT.iter().map(|&(name, _)| (name, Kind::Bool));
        let exact = exact.filter(|&(name, _)| name == CHECK_INTRINSICS || has_second_compiler());
        let for_tags = if tags { &FOR_TAGS[..] } else { &[] };
        missing.extend(exact.chain(for_tags.iter().copied()).filter_map(|(name, kind)| {
            let shown = name.to_string_lossy();
            match (flag(name), kind) {
                (None, _) => Some(format!("flag {shown}")),
                (Some(Flag::Bool(_)), Kind::Bool) | (Some(Flag::Number(_)), Kind::Number) => None,
                (Some(_), Kind::Bool) => Some(format!("flag {shown} that is a bool")),
                (Some(_), Kind::Number) => Some(format!("flag {shown} that is a whole number")),
            }
        }));
    }
    missing
}

fn has_second_compiler() -> bool {
    flag(c"MaxInlineSize").is_some()
}

/// Bytes of a reference in the heap.
pub fn reference_bytes() -> u8 {
    if get_bool(c"UseCompressedOops").unwrap_or(false) { 4 } else { 8 }
}

/// Sets the flags as recording needs them; `for_hottest` leaves C2 the hottest methods.
pub fn set_for_recording(for_hottest: bool) {
    let mut saved = SAVED.lock();
    if !saved.is_empty() {
        return;
    }
    let exact = EXACT.iter().map(|&(name, value)| (name, Wanted::Is(value)));
    // Where the agent cannot leave out single lines, the JVM prints nothing at all.
    let silence = (!vm_output::leave_out_lines_about_intrinsics())
        .then_some((c"DisplayVMOutput", Wanted::Is(false)));
    let for_hottest = FOR_HOTTEST.into_iter().filter(|_| for_hottest && has_tiers());
    for (name, wanted) in exact.chain(FOR_PROBES).chain(for_hottest).chain(silence) {
        saved.extend(set(name, wanted));
    }
}

/// Puts back what [`set_for_recording`] has changed.
pub fn restore() {
    SAVED.lock().drain(..).for_each(put_back);
}

/// Has the JVM compile with C1 only, before it makes compilers. False if it is told not to
/// compile in tiers, where the flag has no effect.
pub fn leave_out_c2() -> bool {
    // C1 without counters, as with this flag on the command line.
    const C1: i64 = 1;
    let level = number_flag(c"TieredStopAtLevel").filter(|_| has_tiers());
    if let Some(flag) = level {
        flag.set(flag.get().min(C1));
    }
    level.is_some()
}

fn has_tiers() -> bool {
    get_bool(c"TieredCompilation") == Some(true)
}

/// Has the JVM make a large table of symbols, before it makes one.
pub fn enlarge_symbol_table() {
    *SYMBOL_TABLE.lock() = set(c"SymbolTableSize", Wanted::AtLeast(SYMBOL_BUCKETS));
}

/// Puts back what [`enlarge_symbol_table`] has changed, once the table is made.
pub fn restore_symbol_table_size() {
    SYMBOL_TABLE.lock().take().into_iter().for_each(put_back);
}

fn put_back(saved: Saved) {
    match saved {
        Saved::Bool(flag, value) => flag.set(value),
        Saved::Number(flag, value) => flag.set(value),
    }
}

/// Gives a flag its value, if it is there and of the kind; says what it was if that was
/// another one.
fn set(name: &CStr, wanted: Wanted) -> Option<Saved> {
    match wanted {
        Wanted::Is(value) => {
            let flag = bool_flag(name)?;
            let old = flag.get();
            flag.set(value);
            (old != value).then_some(Saved::Bool(flag, old))
        }
        Wanted::AtLeast(bound) => set_number(name, |old| old.max(bound)),
        Wanted::AtMost(bound) => set_number(name, |old| old.min(bound)),
        Wanted::LaterBy(more) => set_number(name, |old| old.max((old + more).min(LATEST))),
    }
}

/// Gives a flag that is a number a value that follows from the one it has.
fn set_number(name: &CStr, new: impl FnOnce(i64) -> i64) -> Option<Saved> {
    let flag = number_flag(name)?;
    let old = flag.get();
    let new = new(old);
    flag.set(new);
    (old != new).then_some(Saved::Number(flag, old))
}

/// What the JVM was told to do with an archive of classes that it cannot do
/// while the agent is to see all classes; a line for the user.
pub fn impossible_class_archive() -> Option<&'static str> {
    const MUST_USE: &str = "-Xshare:on and -XX:AOTMode=on forbid agents that see all classes; \
         use -Xshare:auto or -XX:AOTMode=auto";
    const MUST_MAKE: &str = "the JVM cannot make an archive of classes or an AOT cache while an \
         agent sees all classes; make it without the agent";
    let arguments = jvm_arguments();
    let last = |prefix: &[u8]| {
        arguments.iter().rev().find_map(|argument| argument.to_bytes().strip_prefix(prefix))
    };
    let (share, aot) = (last(b"-Xshare:"), last(b"-XX:AOTMode="));
    if matches!(aot, Some(b"record" | b"create"))
        || last(b"-XX:AOTCacheOutput=").is_some()
        || last(b"-XX:ArchiveClassesAtExit=").is_some()
        || share == Some(b"dump")
    {
        // Later JVMs crash in the attempt.
        return Some(MUST_MAKE);
    }
    let must_use = get_bool(c"RequireSharedSpaces").unwrap_or(false)
        // Later JVMs keep it elsewhere.
        || share == Some(b"on")
        || aot == Some(b"on");
    must_use.then_some(MUST_USE)
}

/// True if no other agent was asked for, who might rewrite classes, too.
pub fn is_only_agent() -> bool {
    const AGENTS: [&[u8]; 4] = [b"-agentpath:", b"-agentlib:", b"-javaagent:", b"-Xrun"];
    let is_agent =
        |argument: &&CStr| AGENTS.iter().any(|&prefix| argument.to_bytes().starts_with(prefix));
    jvm_arguments().iter().filter(|argument| is_agent(argument)).count() == 1
}

/// Has the JVM not even try its archive of classes, because it may print that
/// it cannot use it.
pub fn forgo_class_archive() {
    set_bool(c"UseSharedSpaces", false);
    // Later JVMs keep that elsewhere, out of reach.
}

/// What object headers are like.
#[derive(Debug, Clone, Copy)]
pub struct Headers {
    /// The mark holds the class.
    pub are_compact: bool,
    /// The class behind the mark takes four bytes.
    pub have_narrow_classes: bool,
}

/// What object headers of this JVM are like.
pub fn headers() -> Headers {
    Headers {
        are_compact: get_bool(c"UseCompactObjectHeaders").unwrap_or(false),
        have_narrow_classes: get_bool(c"UseCompressedClassPointers").unwrap_or(true),
    }
}

/// Objects take multiples of so many bytes.
pub fn object_alignment() -> i32 {
    number_flag(c"ObjectAlignmentInBytes")
        .and_then(|flag| i32::try_from(flag.get()).ok())
        .unwrap_or(8)
}

/// Has the JVM leave room for tags in object headers, before there are objects.
pub fn leave_room_for_tags() {
    if let Some(flag) = number_flag(c"hashCode") {
        // Hashes that the JVM makes itself are numbers from 1 on, which are no tags.
        flag.set(3);
    }
    // Biased locks would lie in the same bits; later JVMs have none.
    set_bool(c"UseBiasedLocking", false);
}

/// True under `-Xcheck:jni`, where the JVM complains of foreign signal handlers.
pub fn checks_jni() -> bool {
    get_bool(c"CheckJNICalls").unwrap_or(false)
}

/// False if the user has forbidden that others attach to the JVM.
pub fn lets_attach() -> bool {
    get_bool(c"DisableAttachMechanism") == Some(false)
}

fn get_bool(name: &CStr) -> Option<bool> {
    bool_flag(name).map(BoolFlag::get)
}

fn set_bool(name: &CStr, value: bool) {
    if let Some(flag) = bool_flag(name) {
        flag.set(value);
    }
}
