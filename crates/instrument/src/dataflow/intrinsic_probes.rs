//! The methods of `java.lang.SubsumeIntrinsics`: models of intrinsics, called where
//! values move without a bytecode.

use crate::probe::members::{Family, ProbeMethod, family};

family! {
    "SubsumeIntrinsics" adds [];
    COPIED = "copied" "(Ljava/lang/Object;Ljava/lang/Object;II)I";
    CLONED = "cloned" "(Ljava/lang/Object;Ljava/lang/Object;I)I";
    LOCATION_AT = "locationAt" "(Ljava/lang/Object;J)J";
    STORE_AT = "storeAt" "(JLjava/lang/Object;JI)I";
    STORE_AT_IF = "storeAtIf" "(IJLjava/lang/Object;JI)I";
}
