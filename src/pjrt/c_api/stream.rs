//! The extension for streams of other libraries.

use super::*;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct GetStreamForExternalReadyEventsArgs {
    pub struct_size: usize,
    pub device: *mut Device,
    pub stream: isize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct WaitUntilBufferReadyOnStreamArgs {
    pub struct_size: usize,
    pub stream: isize,
    pub buffer: *mut Buffer,
}
