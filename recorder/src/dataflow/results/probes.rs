//! The methods of `java.lang.SubsumeResults` that code calls.

use crate::probe::members::{Family, ProbeMethod, family};

family! {
    "SubsumeResults" adds [("results", "J")];
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
