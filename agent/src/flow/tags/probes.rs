//! The methods of `java.lang.SubsumeTags` that instrumented code calls.

use crate::instrument::members::{Family, ProbeMethod};

/// Internal name of the class that they belong to.
pub const TAGS: &str = "java/lang/SubsumeTags";

macro_rules! probes {
    ($($constant:ident = $name:literal $descriptor:literal;)*) => {
        $(
            #[doc = concat!("`SubsumeTags.", $name, "`.")]
            pub const $constant: ProbeMethod = ProbeMethod::new(TAGS, $name, $descriptor);
        )*
        /// What tags add to classes of the JDK.
        pub const FAMILY: Family = Family {
            probes: &[$($constant),*],
            thread_fields: &[("birth", "I"), ("births", "J"), ("chain", "I")],
        };
    };
}

probes! {
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
pub const BORN: ProbeMethod = ProbeMethod::new(TAGS, "born", "(Ljava/lang/Object;)V");
