//! The methods of `java.lang.SubsumeNulls` that code calls.

use crate::probe::members::{Family, ProbeMethod, family};

family! {
    "SubsumeNulls" adds [("raised", "J"), ("place", "J")];
    MET = "met" "(Ljava/lang/Object;JI)V";
    EXPLICIT = "explicit" "()V";
    MADE = "made" "(Ljava/lang/Object;)V";
    UNCAUGHT = "uncaught" "(Ljava/lang/Object;)V";
    PARAMETER = "parameter" "(Ljava/lang/Object;J)J";
    RETURNS = "returns" "(Ljava/lang/Object;JI)V";
    RESULT = "result" "(Ljava/lang/Object;II)J";
    LOADED = "loaded" "(Ljava/lang/Object;II)V";
    STORED = "stored" "(Ljava/lang/Object;JI)I";
    LOADED_STATIC = "loadedStatic" "(Ljava/lang/Object;II)V";
    STORED_STATIC = "storedStatic" "(Ljava/lang/Object;JII)V";
    LOADED_ELEMENT = "loadedElement" "(Ljava/lang/Object;II)V";
    STORED_ELEMENT = "storedElement" "(Ljava/lang/Object;ILjava/lang/Object;JI)V";
    COPIED = "copied" "(Ljava/lang/Object;ILjava/lang/Object;III)V";
    CLONED = "cloned" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
}
