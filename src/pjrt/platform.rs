//! The name and version of the plug-in, its options and environment variables.

use std::path::PathBuf;
use std::sync::OnceLock;

use halo_runtime::host::HostPlatform;

use crate::named_value::Value;
use crate::status::{Result, Status};

/// The platform's name in frameworks, and the environment variable that overrides it.
const NAME: &str = "halo";
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

/// The platform's name in frameworks: `halo`, unless the environment specifies another one, such as
/// `cpu` for programs that select devices by name.
pub fn name() -> &'static str {
    static CHOSEN: OnceLock<String> = OnceLock::new();
    CHOSEN.get_or_init(|| {
        let name = std::env::var(NAME_VARIABLE).ok();
        name.filter(|name| !name.is_empty()).unwrap_or_else(|| NAME.to_string())
    })
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

/// The kind of the devices: the name of the processor.
pub fn device_kind() -> String {
    let device = HostPlatform::device();
    device.executor.description().name.clone()
}

/// The option of a client with one device.
pub fn one_device() -> (String, Value) {
    (DEVICE_COUNT_OPTION.to_owned(), Value::Integer(1))
}

/// The number of devices from the options of the caller, or from the environment, or one.
///
/// # Errors
/// Returns an invalid-argument error if it is not a number from 1 to 1024.
pub fn device_count(options: &[(String, Value)]) -> Result<usize> {
    let mut count = None;
    for (name, value) in options {
        match (name.as_str(), value) {
            (DEVICE_COUNT_OPTION, Value::Integer(number)) => {
                count = Some(parse_device_count(&number.to_string())?);
            }
            (DEVICE_COUNT_OPTION, Value::Text(text)) => count = Some(parse_device_count(text)?),
            (DEVICE_COUNT_OPTION, _) => {
                let message = format!("option '{DEVICE_COUNT_OPTION}' must be a number");
                return Err(Status::invalid(message));
            }
            // Frameworks pass additional options, such as the platform's name.
            _ => {}
        }
    }
    match (count, std::env::var(DEVICE_COUNT_VARIABLE)) {
        (Some(count), _) => Ok(count),
        (None, Ok(text)) => parse_device_count(&text)
            .map_err(|error| Status::invalid(format!("{DEVICE_COUNT_VARIABLE}: {error}"))),
        (None, Err(_)) => Ok(1),
    }
}

/// The folder of the cache, if the caller specifies one.
///
/// # Errors
/// Returns an invalid-argument error if it is not a string.
pub fn cache_dir(options: &[(String, Value)]) -> Result<Option<PathBuf>> {
    let found = options.iter().rfind(|(name, _)| name == CACHE_DIR_OPTION);
    match found {
        None => Ok(None),
        Some((_, Value::Text(path))) => Ok(Some(PathBuf::from(path))),
        Some(_) => {
            let message = format!("option '{CACHE_DIR_OPTION}' must be a path");
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
        assert_eq!(device_count(&count), Ok(3));
        assert!(device_count(&option("device_count", Value::Integer(0))).is_err());
        assert_eq!(cache_dir(&count), Ok(None));
        let folder = option("cache_dir", Value::Text("kept".to_owned()));
        assert_eq!(cache_dir(&folder), Ok(Some(PathBuf::from("kept"))));
        assert!(cache_dir(&option("cache_dir", Value::Integer(1))).is_err());
    }
}
