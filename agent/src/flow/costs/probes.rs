//! The methods of `java.lang.SubsumeCosts` that code calls.

use crate::instrument::members::{Family, ProbeMethod};

/// Internal name of the class that they belong to.
pub const COSTS: &str = "java/lang/SubsumeCosts";

macro_rules! probes {
    ($($constant:ident = $name:literal $descriptor:literal;)*) => {
        $(
            #[doc = concat!("`SubsumeCosts.", $name, "`.")]
            pub const $constant: ProbeMethod = ProbeMethod::new(COSTS, $name, $descriptor);
        )*
        /// What recordings of costs add to classes of the JDK.
        pub const FAMILY: Family = Family {
            probes: &[$($constant),*],
            thread_fields: &[("frequencies", "J")],
        };
    };
}

probes! {
    OUTER = "outer" "()I";
    CHAIN = "chain" "(ILjava/lang/Object;)I";
    CHAIN_OF = "chainOf" "(II)I";
    WITHIN = "within" "(I)V";
    SLOT = "slot" "(I)I";
    COUNTERS = "counters" "(II)J";
    DEPENDS = "depends" "(JI)V";
    WAS_NATIVE = "wasNative" "(JII)I";
    LOADED = "loaded" "(Ljava/lang/Object;II)I";
    STORED = "stored" "(Ljava/lang/Object;II)I";
    STORED_REFERENCE = "storedReference" "(Ljava/lang/Object;ILjava/lang/Object;II)I";
    STORED_EARLY = "storedEarly" "(III)I";
    STORED_REFERENCE_EARLY = "storedReferenceEarly" "(IILjava/lang/Object;II)I";
    LOADED_STATIC = "loadedStatic" "(II)V";
    STORED_STATIC = "storedStatic" "(II)V";
    STORED_STATIC_REFERENCE = "storedStaticReference" "(Ljava/lang/Object;II)V";
    LOADED_ELEMENT = "loadedElement" "(Ljava/lang/Object;II)V";
    STORED_ELEMENT = "storedElement" "(Ljava/lang/Object;II)V";
    STORED_ELEMENT_REFERENCE = "storedElementReference" "(Ljava/lang/Object;ILjava/lang/Object;I)V";
    COPIED = "copied" "(Ljava/lang/Object;ILjava/lang/Object;III)V";
    CLONED = "cloned" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
}
