//! The methods of `java.lang.SubsumeResults` that code calls.

use crate::probe::members::{Family, ProbeMethod, family};

family! {
    "SubsumeResults" adds [("results", "J"), ("bytecodes", "J")];
    ENTERED_BY = "entered" "(Ljava/lang/Object;I)J";
    ENTERED_BY_J = "entered" "(Ljava/lang/Object;JI)J";
    ENTERED_BY_L = "entered" "(Ljava/lang/Object;Ljava/lang/Object;I)J";
    ENTERED_BY_JJ = "entered" "(Ljava/lang/Object;JJI)J";
    ENTERED_BY_JL = "entered" "(Ljava/lang/Object;JLjava/lang/Object;I)J";
    ENTERED_BY_LJ = "entered" "(Ljava/lang/Object;Ljava/lang/Object;JI)J";
    ENTERED_BY_LL = "entered" "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;I)J";
    ENTERED_STATIC = "enteredStatic" "(I)J";
    ENTERED_STATIC_J = "enteredStatic" "(JI)J";
    ENTERED_STATIC_L = "enteredStatic" "(Ljava/lang/Object;I)J";
    ENTERED_STATIC_JJ = "enteredStatic" "(JJI)J";
    ENTERED_STATIC_JL = "enteredStatic" "(JLjava/lang/Object;I)J";
    ENTERED_STATIC_LJ = "enteredStatic" "(Ljava/lang/Object;JI)J";
    ENTERED_STATIC_LL = "enteredStatic" "(Ljava/lang/Object;Ljava/lang/Object;I)J";
    BEGUN_BY = "begun" "(Ljava/lang/Object;I)J";
    BEGUN = "begun" "(I)J";
    INPUT_INT = "input" "(JI)V";
    INPUT_LONG = "input" "(JJ)V";
    INPUT_FLOAT = "input" "(JF)V";
    INPUT_DOUBLE = "input" "(JD)V";
    INPUT_REFERENCE = "input" "(JLjava/lang/Object;)V";
    ENTERED = "entered" "(J)J";
    BEGUN_DEEP = "begun" "(Ljava/lang/Object;II)J";
    INPUT_DEEP = "input" "(JLjava/lang/Object;I)V";
    RETURNED_DEEP = "returned" "(Ljava/lang/Object;JII)V";
    SUSPEND = "suspend" "()J";
    LEFT = "left" "(JI)V";
    COUNTED = "counted" "(I)V";
    POLLED = "polled" "(I)V";
    RETURNED = "returned" "(JJI)V";
    RETURNED_FLOAT = "returned" "(FJI)V";
    RETURNED_DOUBLE = "returned" "(DJI)V";
    RETURNED_REFERENCE = "returned" "(Ljava/lang/Object;JI)V";
    WROTE = "wrote" "(Ljava/lang/Object;)V";
    WROTE_BY_OFFSET = "wroteByOffset" "(Ljava/lang/Object;)V";
    WROTE_SOMEWHERE = "wroteSomewhere" "()V";
}

/// The probe at the entry of a method that has such arguments: first letters of their
/// descriptors, an integer being a `J`. Methods with others tell of each by itself.
pub fn entered(is_static: bool, arguments: &[u8]) -> Option<&'static ProbeMethod> {
    Some(match (is_static, arguments) {
        (false, b"") => &ENTERED_BY,
        (false, b"J") => &ENTERED_BY_J,
        (false, b"L") => &ENTERED_BY_L,
        (false, b"JJ") => &ENTERED_BY_JJ,
        (false, b"JL") => &ENTERED_BY_JL,
        (false, b"LJ") => &ENTERED_BY_LJ,
        (false, b"LL") => &ENTERED_BY_LL,
        (true, b"") => &ENTERED_STATIC,
        (true, b"J") => &ENTERED_STATIC_J,
        (true, b"L") => &ENTERED_STATIC_L,
        (true, b"JJ") => &ENTERED_STATIC_JJ,
        (true, b"JL") => &ENTERED_STATIC_JL,
        (true, b"LJ") => &ENTERED_STATIC_LJ,
        (true, b"LL") => &ENTERED_STATIC_LL,
        _ => return None,
    })
}
