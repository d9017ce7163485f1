//! The types that our recordings declare: those of HotSpot with the fields that we can fill.
//! Readers learn from these declarations how values are stored.

/// Number of the event that holds the declarations.
pub const METADATA: u64 = 0;
/// Number of the events that hold constants.
pub const CONSTANTS: u64 = 1;

/// Numbers of the types.
pub mod class {
    pub const BOOLEAN: u64 = 4;
    pub const INT: u64 = 7;
    pub const LONG: u64 = 8;
    pub const STRING: u64 = 9;
    pub const CLASS: u64 = 20;
    pub const THREAD: u64 = 21;
    pub const FRAME_TYPE: u64 = 22;
    pub const THREAD_STATE: u64 = 23;
    pub const STACK_TRACE: u64 = 24;
    pub const STACK_FRAME: u64 = 25;
    pub const METHOD: u64 = 26;
    pub const PACKAGE: u64 = 27;
    pub const SYMBOL: u64 = 28;
    pub const EXECUTION_SAMPLE: u64 = 101;
    pub const ALLOCATION_SAMPLE: u64 = 102;
    pub const JVM_INFORMATION: u64 = 103;
    pub const LABEL: u64 = 200;
    pub const CATEGORY: u64 = 201;
    pub const CONTENT_TYPE: u64 = 202;
    pub const TIMESTAMP: u64 = 203;
    pub const DATA_AMOUNT: u64 = 204;
}

/// What a type is one of, where it matters.
pub const EVENT: &str = "jdk.jfr.Event";
const ANNOTATION: &str = "java.lang.annotation.Annotation";

/// A type.
pub struct Class {
    pub id: u64,
    pub name: &'static str,
    /// Its superclass; empty if that does not matter.
    pub parent: &'static str,
    /// Readers take its only field for it.
    pub is_simple: bool,
    pub fields: &'static [Field],
    pub notes: &'static [Note],
}

/// A field of a type.
pub struct Field {
    pub name: &'static str,
    pub class: u64,
    pub form: Form,
    pub notes: &'static [Note],
}

/// How a field is stored.
#[derive(PartialEq, Eq)]
pub enum Form {
    Value,
    /// The index of a constant; 0 for none.
    Constant,
    /// How many, and the values.
    Array,
}

/// An annotation: its type, and names and texts of its values.
pub struct Note {
    pub class: u64,
    pub values: &'static [(&'static str, &'static str)],
}

const fn plain(id: u64, name: &'static str, fields: &'static [Field]) -> Class {
    Class { id, name, parent: "", is_simple: false, fields, notes: &[] }
}

const fn simple(id: u64, name: &'static str, fields: &'static [Field]) -> Class {
    Class { is_simple: true, ..plain(id, name, fields) }
}

const fn event(
    id: u64,
    name: &'static str,
    fields: &'static [Field],
    notes: &'static [Note],
) -> Class {
    Class { parent: EVENT, notes, ..plain(id, name, fields) }
}

const fn annotation(
    id: u64,
    name: &'static str,
    fields: &'static [Field],
    notes: &'static [Note],
) -> Class {
    Class { parent: ANNOTATION, notes, ..plain(id, name, fields) }
}

const fn value(name: &'static str, class: u64) -> Field {
    Field { name, class, form: Form::Value, notes: &[] }
}

const fn constant(name: &'static str, class: u64) -> Field {
    Field { form: Form::Constant, ..value(name, class) }
}

const fn array(name: &'static str, class: u64) -> Field {
    Field { form: Form::Array, ..value(name, class) }
}

const fn noted(field: Field, notes: &'static [Note]) -> Field {
    Field { notes, ..field }
}

const fn label(values: &'static [(&'static str, &'static str); 1]) -> Note {
    Note { class: class::LABEL, values }
}

/// When the event began.
const START: Field = noted(
    value("startTime", class::LONG),
    &[
        label(&[("value", "Start Time")]),
        Note { class: class::TIMESTAMP, values: &[("value", "TICKS")] },
    ],
);
const CONTENT: &[Note] = &[Note { class: class::CONTENT_TYPE, values: &[] }];
const VALUE: &[Field] = &[value("value", class::STRING)];

/// All types.
pub const CLASSES: [Class; 21] = {
    use class::*;
    [
        plain(BOOLEAN, "boolean", &[]),
        plain(INT, "int", &[]),
        plain(LONG, "long", &[]),
        plain(STRING, "java.lang.String", &[]),
        plain(
            CLASS,
            "java.lang.Class",
            &[constant("name", SYMBOL), constant("package", PACKAGE), value("modifiers", INT)],
        ),
        plain(
            THREAD,
            "java.lang.Thread",
            &[
                value("osName", STRING),
                value("osThreadId", LONG),
                value("javaName", STRING),
                value("javaThreadId", LONG),
            ],
        ),
        simple(FRAME_TYPE, "jdk.types.FrameType", &[value("description", STRING)]),
        simple(THREAD_STATE, "jdk.types.ThreadState", &[value("name", STRING)]),
        plain(
            STACK_TRACE,
            "jdk.types.StackTrace",
            &[value("truncated", BOOLEAN), array("frames", STACK_FRAME)],
        ),
        plain(
            STACK_FRAME,
            "jdk.types.StackFrame",
            &[
                constant("method", METHOD),
                value("lineNumber", INT),
                value("bytecodeIndex", INT),
                constant("type", FRAME_TYPE),
            ],
        ),
        plain(
            METHOD,
            "jdk.types.Method",
            &[
                constant("type", CLASS),
                constant("name", SYMBOL),
                constant("descriptor", SYMBOL),
                value("modifiers", INT),
                value("hidden", BOOLEAN),
            ],
        ),
        plain(PACKAGE, "jdk.types.Package", &[constant("name", SYMBOL)]),
        simple(SYMBOL, "jdk.types.Symbol", &[value("string", STRING)]),
        event(
            EXECUTION_SAMPLE,
            "jdk.ExecutionSample",
            &[
                START,
                noted(constant("sampledThread", THREAD), &[label(&[("value", "Thread")])]),
                noted(constant("stackTrace", STACK_TRACE), &[label(&[("value", "Stack Trace")])]),
                noted(constant("state", THREAD_STATE), &[label(&[("value", "Thread State")])]),
            ],
            &[
                label(&[("value", "Method Profiling Sample")]),
                Note {
                    class: CATEGORY,
                    values: &[("value-0", "Java Virtual Machine"), ("value-1", "Profiling")],
                },
            ],
        ),
        event(
            ALLOCATION_SAMPLE,
            "jdk.ObjectAllocationSample",
            &[
                START,
                noted(constant("eventThread", THREAD), &[label(&[("value", "Event Thread")])]),
                noted(constant("stackTrace", STACK_TRACE), &[label(&[("value", "Stack Trace")])]),
                noted(constant("objectClass", CLASS), &[label(&[("value", "Object Class")])]),
                noted(
                    value("weight", LONG),
                    &[
                        label(&[("value", "Sample Weight")]),
                        Note { class: DATA_AMOUNT, values: &[("value", "BYTES")] },
                    ],
                ),
            ],
            &[
                label(&[("value", "Object Allocation Sample")]),
                Note { class: CATEGORY, values: &[("value-0", "Java Application")] },
            ],
        ),
        event(
            JVM_INFORMATION,
            "jdk.JVMInformation",
            &[
                START,
                noted(value("jvmName", STRING), &[label(&[("value", "JVM Name")])]),
                noted(
                    value("javaArguments", STRING),
                    &[label(&[("value", "Java Application Arguments")])],
                ),
                noted(value("pid", LONG), &[label(&[("value", "Process Identifier")])]),
            ],
            &[
                label(&[("value", "JVM Information")]),
                Note { class: CATEGORY, values: &[("value-0", "Java Virtual Machine")] },
            ],
        ),
        annotation(LABEL, "jdk.jfr.Label", VALUE, &[]),
        annotation(CATEGORY, "jdk.jfr.Category", &[array("value", STRING)], &[]),
        annotation(CONTENT_TYPE, "jdk.jfr.ContentType", &[], &[]),
        annotation(TIMESTAMP, "jdk.jfr.Timestamp", VALUE, CONTENT),
        annotation(DATA_AMOUNT, "jdk.jfr.DataAmount", VALUE, CONTENT),
    ]
};
