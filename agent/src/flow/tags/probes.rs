//! The methods of `java.lang.SubsumeTags` that instrumented code calls.

use crate::instrument::members::{Family, ProbeMethod, family};

family! {
    "SubsumeTags" adds [("birth", "I"), ("births", "J"), ("chain", "I")];
    TAG = "tag" "(Ljava/lang/Object;)I";
    EXPECT = "expect" "(II)V";
    TAKE = "take" "()I";
    GIVE = "give" "(I)V";
    PENDING = "pending" "()I";
    CHAIN = "chain" "()I";
    ARRAY = "array" "(Ljava/lang/Object;IIII)V";
    ARRAYS = "arrays" "(Ljava/lang/Object;III)V";
    CLONED = "cloned" "(Ljava/lang/Object;II)V";
    MADE = "made" "(Ljava/lang/Object;II)V";
}

/// `SubsumeTags.born`, which only `Object`'s constructor calls.
pub const BORN: ProbeMethod =
    ProbeMethod::new("java/lang/SubsumeTags", "born", "(Ljava/lang/Object;)V");
