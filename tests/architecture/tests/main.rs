//! Rules on the sources of this repository.

mod imports;
mod links;
mod map;
mod pages;
mod printing;
mod prose;
mod scripts;
mod words;
