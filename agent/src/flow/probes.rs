//! The methods of `java.lang.SubsumeFlow` that code calls.

use crate::instrument::members::{Family, ProbeMethod};

/// Internal name of the class that they belong to.
pub const FLOW: &str = "java/lang/SubsumeFlow";

macro_rules! probes {
    ($($constant:ident = $name:literal $descriptor:literal;)*) => {
        $(
            #[doc = concat!("`SubsumeFlow.", $name, "`.")]
            pub const $constant: ProbeMethod = ProbeMethod::new(FLOW, $name, $descriptor);
        )*
        /// What recordings of data flow add to classes of the JDK.
        pub const FAMILY: Family = Family {
            probes: &[$($constant),*],
            thread_fields: &[
                ("edges", "J"),
                ("callee", "I"),
                ("result", "J"),
                ("a0", "J"),
                ("a1", "J"),
                ("a2", "J"),
                ("a3", "J"),
                ("a4", "J"),
                ("a5", "J"),
                ("a6", "J"),
                ("a7", "J"),
            ],
        };
    };
}

probes! {
    FIELD = "field" "(II)J";
    FIELD_OF = "fieldOf" "(Ljava/lang/Object;I)J";
    ELEMENT = "element" "(I)J";
    ELEMENT_OF = "elementOf" "(Ljava/lang/Object;)J";
    PRODUCER = "producer" "(Ljava/lang/Object;)J";
    STORE = "store" "(JII)I";
    STORE_IN = "storeIn" "(JLjava/lang/Object;I)I";
    COPIED = "copied" "(Ljava/lang/Object;Ljava/lang/Object;II)I";
    CLONED = "cloned" "(Ljava/lang/Object;Ljava/lang/Object;I)I";
    CONSUMED = "consumed" "(J)V";
    CONSUMED_ELEMENT = "consumedElement" "(I)V";
    CONSUMED_ELEMENT_OF = "consumedElementOf" "(Ljava/lang/Object;)V";
    NO_ARGUMENTS = "noArguments" "()V";
    ARGUMENTS_1 = "arguments" "(JI)V";
    ARGUMENTS_2 = "arguments" "(JJI)V";
    ARGUMENTS_3 = "arguments" "(JJJI)V";
    ARGUMENTS_4 = "arguments" "(JJJJI)V";
    MORE_ARGUMENTS = "moreArguments" "(JJJJ)V";
    ENTERED = "entered" "(I)I";
    PARAMETER_0 = "parameter0" "(I)J";
    PARAMETER_1 = "parameter1" "(I)J";
    PARAMETER_2 = "parameter2" "(I)J";
    PARAMETER_3 = "parameter3" "(I)J";
    PARAMETER_4 = "parameter4" "(I)J";
    PARAMETER_5 = "parameter5" "(I)J";
    PARAMETER_6 = "parameter6" "(I)J";
    PARAMETER_7 = "parameter7" "(I)J";
    INTERRUPTED = "interrupted" "(I)I";
    RESUME = "resume" "(JJJJJJJJI)V";
    LOCATION_AT = "locationAt" "(Ljava/lang/Object;J)J";
    STORE_AT = "storeAt" "(JLjava/lang/Object;JI)I";
    STORE_AT_IF = "storeAtIf" "(IJLjava/lang/Object;JI)I";
    RETURNS = "returns" "(JI)V";
    RESULT = "result" "(I)J";
    KINDS = "kinds" "(JIJ)V";
    TAKE_KINDS_OFF = "takeKindsOff" "(JIJ)V";
    POLL_KINDS = "pollKinds" "(JIJ)J";
    ADD = "add" "(JII)V";
    POLL_COPIES = "pollCopies" "(JII)I";
}

/// The tracking stack has room for the shadows of so many arguments.
pub const TRACKED_ARGUMENTS: usize = PARAMETERS.len();

/// Read the tracking stack.
pub const PARAMETERS: [ProbeMethod; 8] = [
    PARAMETER_0,
    PARAMETER_1,
    PARAMETER_2,
    PARAMETER_3,
    PARAMETER_4,
    PARAMETER_5,
    PARAMETER_6,
    PARAMETER_7,
];

/// Write its first part: of one, two, three or four arguments.
pub const ARGUMENTS: [ProbeMethod; 4] = [ARGUMENTS_1, ARGUMENTS_2, ARGUMENTS_3, ARGUMENTS_4];
