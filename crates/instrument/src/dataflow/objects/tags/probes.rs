//! The methods of `java.lang.SubsumeTags` and `java.lang.SubsumeAllocations` that
//! instrumented code calls.

use crate::probe::members::{Family, ProbeMethod, family};

family! {
    adds [("birth", "I"), ("births", "J"), ("chain", "I"), ("stack", "J"), ("stackBytes", "J")];
    "SubsumeTags" {
        TAG = "tag" "(Ljava/lang/Object;)I";
        CHAIN = "chain" "()I";
        OWNER_WITHIN = "ownerWithin" "(II)I";
        OWNER_BEYOND = "ownerBeyond" "(II)I";
    }
    "SubsumeAllocations" {
        EXPECT = "expect" "(II)V";
        TAKE = "take" "()I";
        GIVE = "give" "(I)V";
        PENDING = "pending" "()I";
        ARRAY = "array" "(Ljava/lang/Object;IIII)V";
        ARRAYS = "arrays" "(Ljava/lang/Object;III)V";
        CLONED = "cloned" "(Ljava/lang/Object;II)V";
        MADE = "made" "(Ljava/lang/Object;II)V";
    }
}

/// `SubsumeAllocations.allocated`, which only `Object`'s constructor calls.
pub const ALLOCATED: ProbeMethod =
    ProbeMethod::new("java/lang/SubsumeAllocations", "allocated", "(Ljava/lang/Object;)V");
