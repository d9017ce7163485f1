//! The methods of `java.lang.SubsumeCosts` that code calls.

use crate::probe::members::{Family, ProbeMethod, family};

family! {
    adds [("place", "J")];
    "SubsumeCosts" {
        DEPENDS = "depends" "(JIJI)V";
        WAS_NATIVE = "wasNative" "(JII)I";
        LOADED = "loaded" "(Ljava/lang/Object;IIJI)I";
        STORED = "stored" "(Ljava/lang/Object;IIJI)I";
        STORED_REFERENCE = "storedReference" "(Ljava/lang/Object;ILjava/lang/Object;IIJI)I";
        STORED_EARLY = "storedEarly" "(IIIJI)I";
        STORED_REFERENCE_EARLY = "storedReferenceEarly" "(IILjava/lang/Object;IIJI)I";
        LOADED_OWN = "loadedOwn" "(IIJI)I";
        STORED_OWN = "storedOwn" "(IIJI)I";
        STORED_OWN_REFERENCE = "storedOwnReference" "(ILjava/lang/Object;IIJI)I";
        LOADED_STATIC = "loadedStatic" "(IIJI)V";
        STORED_STATIC = "storedStatic" "(IIJI)V";
        STORED_STATIC_REFERENCE = "storedStaticReference" "(Ljava/lang/Object;IIJI)V";
        LOADED_ELEMENT = "loadedElement" "(Ljava/lang/Object;IIJI)V";
        STORED_ELEMENT = "storedElement" "(Ljava/lang/Object;IIJI)V";
        STORED_ELEMENT_REFERENCE = "storedElementReference"
            "(Ljava/lang/Object;ILjava/lang/Object;IJI)V";
        COPIED = "copied" "(Ljava/lang/Object;ILjava/lang/Object;III)V";
        CLONED = "cloned" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
        CLONED_UNLESS_OVERRIDDEN =
            "clonedUnlessOverridden" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    }
}
