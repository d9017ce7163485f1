//! Real applications, rewritten by ASM as a second witness.

mod applications;
mod results;
