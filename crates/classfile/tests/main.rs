//! Class files, read and edited: what is made by an assembler of ours, and what it comes to.

mod assembler;

mod branches;
mod constructors;
mod control_flow;
mod frames;
mod kinds;
mod landing_pads;
mod limits;
mod moves;
mod placement;
mod reading;
mod ssa;
mod tables;
