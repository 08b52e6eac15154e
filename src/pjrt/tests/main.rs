//! The plug-in as frameworks see it.

mod common;
mod interface;
mod layout;
