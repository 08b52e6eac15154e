//! The C library of the functions that object files of `halo-compile` may call, for tests: with the
//! features of the workspace, so that no crate is compiled again.

extern crate halo_runtime as _;
