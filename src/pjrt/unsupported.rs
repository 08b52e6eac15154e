//! Functions of the interface that Halo does not support, and why.

use crate::c_api;
use crate::status::{Result, Status};

/// Streams are arguments of the callbacks of a run for `recv`, so that no caller has one.
pub unsafe fn stream<T>(_: &mut T) -> Result<()> {
    Err(Status::unimplemented(
        "streams to devices: Halo compiles no program that receives values from its caller during \
         a run, so that no callback gets a stream",
    ))
}

/// Null is valid, as for other objects.
pub unsafe fn destroy_stream(arguments: &mut c_api::CopyToDeviceStreamDestroyArgs) -> Result<()> {
    if arguments.stream.is_null() {
        Ok(())
    } else {
        // SAFETY: the function has no requirements.
        unsafe { stream(arguments) }
    }
}

/// A device runs its programs in order, so that one that waits for such a buffer would keep the
/// program from running that computes it.
pub unsafe fn alias_buffer<T>(_: &mut T) -> Result<()> {
    Err(Status::unimplemented(
        "buffers that later get the value of another buffer: a program that waits for one would \
         block the queue of its device, which may have to compute the value first",
    ))
}
