//! Kinds of device.

use std::sync::Arc;

use crate::{Result, StreamExecutor};

/// A kind of device, such as the host's processor or CUDA, and the devices of
/// that kind in this machine.
pub trait Platform: Send + Sync {
    /// The name, in lower case: `host`, `cuda`.
    fn name(&self) -> &str;

    /// How many devices there are; ordinals run from 0 to one less.
    fn device_count(&self) -> usize;

    /// The device of an ordinal; the same object at every call.
    ///
    /// # Errors
    /// Invalid input if there is none, execution if it does not start.
    fn executor(&self, ordinal: usize) -> Result<Arc<dyn StreamExecutor>>;
}
