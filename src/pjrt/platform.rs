//! The platform of a client: name and backend. The version of the plug-in, its options and
//! environment variables.

use std::path::PathBuf;
use std::sync::Arc;

use halo_backend::Backend;

use crate::library::Plugin;
use crate::named_value::{self, Value};
use crate::status::{Result, Status};

/// The options with the backend and the platform's name in frameworks, and the environment variable
/// with the name of the default backend's platform.
const BACKEND_OPTION: &str = "backend";
const NAME_OPTION: &str = "platform_name";
const NAME_VARIABLE: &str = "HALO_PLATFORM_NAME";

/// The option and the environment variable for the number of devices.
const DEVICE_COUNT_OPTION: &str = "device_count";
const DEVICE_COUNT_VARIABLE: &str = "HALO_DEVICE_COUNT";

/// The option with the folder of the cache.
const CACHE_DIR_OPTION: &str = "cache_dir";

/// The variable of the environment with the folder for dumps.
const DUMP_VARIABLE: &str = "HALO_DUMP_DIR";

/// The maximum number of devices, each of which has a thread.
const MAX_DEVICES: usize = 1024;

/// A backend with the name of its platform in frameworks.
pub struct Platform {
    /// The name in frameworks: the plug-in's for its default backend, and `halo_cuda` for the
    /// backend `cuda` of the plug-in `halo`, unless the caller specifies another one, such as `cpu`
    /// for programs that select devices by name.
    pub name: String,
    pub backend: Backend,
}

impl Platform {
    /// The platform that the options of the caller select.
    ///
    /// # Errors
    /// Returns the errors of [`named`](Self::named), and an invalid-argument error for an option
    /// that is not a string.
    pub fn of(options: &[(String, Value)]) -> Result<Arc<Self>> {
        Self::named(text(options, BACKEND_OPTION)?, text(options, NAME_OPTION)?)
    }

    /// The platform of a backend, by default the first one, with a name.
    ///
    /// # Errors
    /// Returns an invalid-argument error for an unknown backend.
    pub fn named(backend: Option<&str>, name: Option<&str>) -> Result<Arc<Self>> {
        let plugin = Plugin::own()?;
        let (backend, is_default) = plugin.backend(backend)?;
        let default = || {
            if is_default {
                let name = std::env::var(NAME_VARIABLE).ok().filter(|name| !name.is_empty());
                name.unwrap_or_else(|| plugin.platform.to_owned())
            } else {
                format!("{}_{}", plugin.platform, backend.name.replace('-', "_"))
            }
        };
        let name = name.map_or_else(default, str::to_owned);
        Ok(Arc::new(Self { name, backend }))
    }

    /// The device of a number. Devices beyond the machine's share these.
    ///
    /// # Errors
    /// Returns an error of the backend's platform if the machine has no device.
    pub fn device(&self, id: usize) -> Result<halo_runtime::Device> {
        let platform = &self.backend.platform;
        Ok(halo_runtime::Device {
            executor: platform.executor(id % platform.device_count().max(1))?,
            transfer_manager: Arc::clone(&self.backend.transfer_manager),
        })
    }
}

/// The version of Halo, with the exact build: executables of other builds are not loaded.
pub fn version() -> String {
    format!("halo {} ({})", env!("CARGO_PKG_VERSION"), halo::BUILD)
}

/// The folder for dumps of a program after every phase, if the environment specifies one: a
/// subfolder with the name of the program.
pub fn dump_dir(program: &str) -> Option<PathBuf> {
    let directory = std::env::var_os(DUMP_VARIABLE).filter(|name| !name.is_empty())?;
    Some(PathBuf::from(directory).join(program))
}

/// The number of devices from the options of the caller, or from the environment, or `machine`, the
/// machine's.
///
/// # Errors
/// Returns an invalid-argument error if it is not a number from 1 to 1024.
pub fn device_count(options: &[(String, Value)], machine: usize) -> Result<usize> {
    let count = named_value::number(options, DEVICE_COUNT_OPTION)?;
    let count = count.map(|text| parse_device_count(&text)).transpose()?;
    match (count, std::env::var(DEVICE_COUNT_VARIABLE)) {
        (Some(count), _) => Ok(count),
        (None, Ok(text)) => parse_device_count(&text)
            .map_err(|error| Status::invalid(format!("{DEVICE_COUNT_VARIABLE}: {error}"))),
        (None, Err(_)) => Ok(machine.clamp(1, MAX_DEVICES)),
    }
}

/// The folder of the cache, if the caller specifies one.
///
/// # Errors
/// Returns an invalid-argument error if it is not a string.
pub fn cache_dir(options: &[(String, Value)]) -> Result<Option<PathBuf>> {
    Ok(text(options, CACHE_DIR_OPTION)?.map(PathBuf::from))
}

/// The text of an option, if the caller specifies it.
fn text<'a>(options: &'a [(String, Value)], option: &str) -> Result<Option<&'a str>> {
    let found = options.iter().rfind(|(name, _)| name == option);
    match found {
        None => Ok(None),
        Some((_, Value::Text(text))) => Ok(Some(text)),
        Some(_) => {
            let message = format!("option '{option}' must be a string");
            Err(Status::invalid(message))
        }
    }
}

/// A number of devices as text.
///
/// # Errors
/// Returns an invalid-argument error if it is not a number from 1 to 1024.
pub fn parse_device_count(text: &str) -> Result<usize> {
    let count = text.trim().parse().ok();
    count.filter(|count| (1..=MAX_DEVICES).contains(count)).ok_or_else(|| {
        Status::invalid(format!(
            "the number of devices must be from 1 to {MAX_DEVICES}, not '{text}'"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_name_devices_and_a_folder() {
        let option = |name: &str, value| vec![(name.to_owned(), value)];
        let count = option("device_count", Value::Integer(3));
        assert_eq!(device_count(&count, 1), Ok(3));
        assert!(device_count(&option("device_count", Value::Integer(0)), 1).is_err());
        assert_eq!(
            device_count(&option("device_count", Value::Text("2".to_owned())), 1),
            Ok(2)
        );
        assert!(device_count(&option("device_count", Value::Boolean(true)), 1).is_err());
        assert_eq!(cache_dir(&count), Ok(None));
        let folder = option("cache_dir", Value::Text("kept".to_owned()));
        assert_eq!(cache_dir(&folder), Ok(Some(PathBuf::from("kept"))));
        assert!(cache_dir(&option("cache_dir", Value::Integer(1))).is_err());
    }
}
