//! Rules on the sources of this repository.

mod imports;
mod map;
mod printing;
