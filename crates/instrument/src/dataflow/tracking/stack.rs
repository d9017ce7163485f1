//! The tracking stack: the methods of `java.lang.SubsumeStack` that code calls.

use crate::probe::members::{Family, ProbeMethod, family};

family! {
    "SubsumeStack" adds [("callee", "I"), ("owner", "I"), ("result", "J"), ("a0", "J"), ("a1", "J"), ("a2", "J"), ("a3", "J"), ("a4", "J"), ("a5", "J"), ("a6", "J"), ("a7", "J")];
    NO_ARGUMENTS = "noArguments" "()V";
    UNFOLLOWED = "unfollowed" "()V";
    UNFOLLOWED_HANDLE = "unfollowedHandle" "()V";
    ARGUMENTS_1 = "arguments" "(JI)V";
    ARGUMENTS_2 = "arguments" "(JJI)V";
    ARGUMENTS_3 = "arguments" "(JJJI)V";
    ARGUMENTS_4 = "arguments" "(JJJJI)V";
    MORE_ARGUMENTS = "moreArguments" "(JJJJ)V";
    DROPPED = "dropped" "(J)V";
    ENTERED = "entered" "(I)I";
    OWNER = "owner" "(I)V";
    OWNER_ALONE = "ownerAlone" "(II)V";
    ENTERED_STATIC = "enteredStatic" "(I)I";
    PASSED_OWNER = "passedOwner" "()I";
    PARAMETER_0 = "parameter0" "(I)J";
    PARAMETER_1 = "parameter1" "(I)J";
    PARAMETER_2 = "parameter2" "(I)J";
    PARAMETER_3 = "parameter3" "(I)J";
    PARAMETER_4 = "parameter4" "(I)J";
    PARAMETER_5 = "parameter5" "(I)J";
    PARAMETER_6 = "parameter6" "(I)J";
    PARAMETER_7 = "parameter7" "(I)J";
    INTERRUPTED = "interrupted" "(I)I";
    RESUME = "resume" "(JJJJJJJJII)V";
    RETURNS = "returns" "(JI)V";
    RESULT = "result" "(I)J";
    NOT_TAKEN = "notTaken" "(I)J";
}

/// The tracking stack has room for the shadows of so many arguments.
pub const TRACKED_ARGUMENTS: usize = PARAMETERS.len();

/// Read the tracking stack.
pub const PARAMETERS: [ProbeMethod; 8] = [
    PARAMETER_0,
    PARAMETER_1,
    PARAMETER_2,
    PARAMETER_3,
    PARAMETER_4,
    PARAMETER_5,
    PARAMETER_6,
    PARAMETER_7,
];

/// Write its first part: of one, two, three or four arguments.
pub const ARGUMENTS: [ProbeMethod; 4] = [ARGUMENTS_1, ARGUMENTS_2, ARGUMENTS_3, ARGUMENTS_4];
