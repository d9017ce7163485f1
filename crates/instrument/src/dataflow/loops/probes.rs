//! The methods of `java.lang.SubsumeLoops` that code calls.

use crate::probe::members::{Family, ProbeMethod, family};

family! {
    "SubsumeLoops" adds [("loops", "J")];
    DEPTH = "depth" "()I";
    ITERATION = "iteration" "(IIIJ)V";
    LEAF_ITERATION = "leafIteration" "(IIIJ)V";
    LEFT = "left" "(II)V";
    RETURNED = "returned" "(I)V";
    SUSPEND = "suspend" "()I";
    RESUME = "resume" "(I)V";
    READ_FIELD_INT = "readField" "(Ljava/lang/Object;IIIJ)V";
    READ_FIELD_LONG = "readField" "(Ljava/lang/Object;JIIJ)V";
    READ_FIELD_FLOAT = "readField" "(Ljava/lang/Object;FIIJ)V";
    READ_FIELD_DOUBLE = "readField" "(Ljava/lang/Object;DIIJ)V";
    READ_FIELD_REFERENCE = "readField" "(Ljava/lang/Object;Ljava/lang/Object;IIJ)V";
    READ_ELEMENT_INT = "readElement" "(Ljava/lang/Object;IIIJ)V";
    READ_ELEMENT_LONG = "readElement" "(Ljava/lang/Object;IJIJ)V";
    READ_ELEMENT_FLOAT = "readElement" "(Ljava/lang/Object;IFIJ)V";
    READ_ELEMENT_DOUBLE = "readElement" "(Ljava/lang/Object;IDIJ)V";
    READ_ELEMENT_REFERENCE = "readElement" "(Ljava/lang/Object;ILjava/lang/Object;IJ)V";
    WRITTEN = "written" "(Ljava/lang/Object;I)V";
    WRITTEN_OF = "written" "(Ljava/lang/Object;ILjava/lang/Object;)V";
    EFFECT = "effect" "()V";
    LOCAL_EFFECT = "effect" "(II)V";
    GIVEN_INT = "given" "(III)V";
    GIVEN_LONG = "given" "(JII)V";
    GIVEN_FLOAT = "given" "(FII)V";
    GIVEN_DOUBLE = "given" "(DII)V";
    GIVEN_REFERENCE = "given" "(Ljava/lang/Object;II)V";
    COPIED = "copied" "(Ljava/lang/Object;ILjava/lang/Object;IIIJ)V";
    CLONES = "clones" "(Ljava/lang/Object;IJ)V";
    CLONED = "cloned" "(Ljava/lang/Object;)V";
}
