//! Platforms by name, for compiled programs.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::executable::Device;
use crate::platform::Platform;
use crate::transfer_manager::TransferManager;

/// The end of a message about the platform `cuda` in a build that does not support it.
const LACKS_CUDA: &str = "; 'cuda' needs the feature 'cuda' of halo-runtime";

/// The platforms of an application, each with the way to transfer values to its memory.
#[derive(Clone, Default)]
pub struct Platforms(Vec<(Arc<dyn Platform>, Arc<dyn TransferManager>)>);

impl Platforms {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a platform, or replaces the platform of the same name.
    pub fn register(
        &mut self,
        platform: Arc<dyn Platform>,
        transfer_manager: Arc<dyn TransferManager>,
    ) {
        let new = (platform, transfer_manager);
        match self.0.iter_mut().find(|(present, _)| present.name() == new.0.name()) {
            Some(present) => *present = new,
            None => self.0.push(new),
        }
    }

    /// Adds a platform, unless there is one of the same name.
    pub fn register_if_absent(
        &mut self,
        platform: Arc<dyn Platform>,
        transfer_manager: Arc<dyn TransferManager>,
    ) {
        if !self.iter().any(|present| present.name() == platform.name()) {
            self.0.push((platform, transfer_manager));
        }
    }

    /// All platforms, in the order of registration.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Platform>> {
        self.0.iter().map(|(platform, _)| platform)
    }

    /// A device of the platform of this name.
    ///
    /// # Errors
    /// Returns an invalid-input error that lists the platforms, or the platform's error for the
    /// device.
    pub fn device(&self, platform: &str, ordinal: usize) -> Result<Device> {
        let found = self.0.iter().find(|(candidate, _)| candidate.name() == platform);
        let (platform, transfer_manager) = found.ok_or_else(|| {
            let names: Vec<&str> = self.iter().map(|platform| platform.name()).collect();
            let lacks_feature = cfg!(not(feature = "cuda")) && platform == "cuda";
            Error::invalid(format!(
                "unknown platform '{platform}'; there are: {}{}",
                names.join(", "),
                if lacks_feature { LACKS_CUDA } else { "" }
            ))
        })?;
        Ok(Device {
            executor: platform.executor(ordinal)?,
            transfer_manager: Arc::clone(transfer_manager),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{HostPlatform, HostTransferManager};

    #[test]
    fn platforms_by_name() {
        let mut platforms = Platforms::new();
        let message =
            |platforms: &Platforms| platforms.device("cuda", 0).err().unwrap().to_string();
        let lacks = if cfg!(feature = "cuda") {
            ""
        } else {
            LACKS_CUDA
        };
        assert_eq!(
            message(&platforms),
            format!("unknown platform 'cuda'; there are: {lacks}")
        );
        for _ in 0..2 {
            let host = Arc::new(HostPlatform::new());
            platforms.register(host, Arc::new(HostTransferManager));
        }
        assert_eq!(platforms.iter().count(), 1);
        assert_eq!(
            platforms.device("host", 0).unwrap().executor.platform(),
            "host"
        );
        assert_eq!(
            message(&platforms),
            format!("unknown platform 'cuda'; there are: host{lacks}")
        );
    }
}
