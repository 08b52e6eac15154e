//! A program on the devices of its platform.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use halo_runtime::{Device, Executable};

use crate::status::Result;

/// A program that is compiled for one device, and loaded on others when it first runs there.
pub struct PerDevice {
    pub first: Arc<dyn Executable>,
    /// By the ordinals of their devices.
    others: Mutex<BTreeMap<usize, Arc<dyn Executable>>>,
}

impl PerDevice {
    pub fn new(first: Arc<dyn Executable>) -> Self {
        Self {
            first,
            others: Mutex::default(),
        }
    }

    /// The executable for a device.
    ///
    /// # Errors
    /// Returns the errors of [`Executable::on_device`].
    pub fn on(&self, device: &Device) -> Result<Arc<dyn Executable>> {
        let ordinal = device.executor.ordinal();
        if self.first.device().executor.ordinal() == ordinal {
            return Ok(Arc::clone(&self.first));
        }
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = others.get(&ordinal) {
            return Ok(Arc::clone(loaded));
        }
        let loaded: Arc<dyn Executable> = Arc::from(self.first.on_device(device)?);
        others.insert(ordinal, Arc::clone(&loaded));
        Ok(loaded)
    }
}
