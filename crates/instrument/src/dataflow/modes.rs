//! The modes of data flow. This is the one list of them.

use super::copies::CopiesMode;
use super::costs::CostsMode;
use super::loops::LoopsMode;
use super::mode::DataflowMode;
use super::nulls::NullsMode;
use super::results::ResultsMode;
use super::typestate::TypestateMode;

/// All of them, in the order in which messages list them.
pub static ALL: [&dyn DataflowMode; 7] = [
    &CopiesMode,
    &CostsMode,
    &NullsMode,
    &LoopsMode { has_growth: false },
    &LoopsMode { has_growth: true },
    &ResultsMode,
    &TypestateMode,
];
