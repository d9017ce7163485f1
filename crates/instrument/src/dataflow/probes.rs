//! The methods of `java.lang.SubsumeDataflow` that code calls.

use crate::probe::RuntimeClass;
use crate::probe::members::{Family, ProbeMethod, family};

family! {
    "SubsumeDataflow" adds [("edges", "J")];
    FIELD = "field" "(II)J";
    FIELD_OF = "fieldOf" "(Ljava/lang/Object;I)J";
    ELEMENT = "element" "(I)J";
    ELEMENT_OF = "elementOf" "(Ljava/lang/Object;)J";
    PRODUCER = "producer" "(Ljava/lang/Object;)J";
    STORE = "store" "(JII)I";
    STORE_IN = "storeIn" "(JLjava/lang/Object;I)I";
    CONSUMED = "consumed" "(J)V";
    CONSUMED_FIELD = "consumedField" "(II)V";
    CONSUMED_FIELD_OF = "consumedFieldOf" "(Ljava/lang/Object;I)V";
    CONSUMED_ELEMENT = "consumedElement" "(I)V";
    CONSUMED_ELEMENT_OF = "consumedElementOf" "(Ljava/lang/Object;)V";
    KINDS = "kinds" "(JIJI)V";
    TAKE_KINDS_OFF = "takeKindsOff" "(JIJ)V";
    POLL_KINDS = "pollKinds" "(JIJ)J";
    ADD = "add" "(JII)V";
    LACKS = "lacks" "(I)Z";
    POLL_COPIES = "pollCopies" "(JII)I";
}

/// The runtime classes behind the probes of shadows, where objects carry tags.
pub const RUNTIME_CLASSES: &[RuntimeClass] = &[
    RuntimeClass::initialised_by(
        "SubsumeDataflow",
        "canFollow",
        "java.lang.SubsumeDataflow cannot be initialised",
    ),
    RuntimeClass::new("SubsumeStack"),
    RuntimeClass::new("SubsumeWeakEntry"),
    RuntimeClass::new("SubsumeFieldNumbers"),
    RuntimeClass::initialised_by(
        "SubsumeIntrinsics",
        "canFollow",
        "java.lang.SubsumeIntrinsics cannot be initialised",
    ),
];
