//! The methods of `java.lang.SubsumeTypestate` that code calls.

use crate::probe::members::{Family, ProbeMethod, family};

family! {
    "SubsumeTypestate" adds [("typestates", "J")];
    CALLED = "called" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    RETURNED_INT = "returned" "(ILjava/lang/Object;Ljava/lang/Object;I)V";
    RETURNED_REFERENCE = "returned" "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;I)V";
    MADE = "made" "(Ljava/lang/Object;I)V";
}
