//! PJRT, the interface in C between frameworks and the runtimes of devices
//! (<https://openxla.org/xla/pjrt>): its types, and a client.
//!
//! A plug-in is a shared library that exports `GetPjrtApi`. [`Client`] loads it; `halo-pjrt` makes
//! plug-ins of Halo's backends.

pub mod c_api;
mod call;
mod client;
mod element_type;

pub use client::{Buffer, Client, Executable};
pub use element_type::{from_buffer_type, to_buffer_type};
