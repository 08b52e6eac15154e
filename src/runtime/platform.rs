//! Kinds of device.

use std::sync::Arc;

use crate::{Result, StreamExecutor};

/// A kind of device, such as the host's processor or CUDA, and the devices of
/// that kind in this machine.
pub trait Platform: Send + Sync {
    /// The name, in lower case: `host`, `cuda`.
    fn name(&self) -> &str;

    /// The number of devices; ordinals run from 0 to one less.
    fn device_count(&self) -> usize;

    /// The device of an ordinal; the same object at every call.
    ///
    /// # Errors
    /// Returns an invalid-input error if there is none, an execution error if it does not start.
    fn executor(&self, ordinal: usize) -> Result<Arc<dyn StreamExecutor>>;
}
