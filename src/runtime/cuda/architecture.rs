//! Names of architectures, `sm_90`, and their compatibility with devices.

use crate::{Error, Result};

/// The target of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Architecture {
    /// Ten times the major version of the compute capability, and the minor.
    version: u32,
    reach: Reach,
}

/// The compatibility of code with devices of other versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// On all newer ones, for which PTX is compiled.
    Newer,
    /// On newer ones of the same major version: `sm_100f`.
    Family,
    /// On none: `sm_90a`.
    None,
}

fn parse(name: &str) -> Option<Architecture> {
    let digits = name.strip_prefix("sm_")?;
    let (digits, reach) = match digits.strip_suffix(['a', 'f']) {
        Some(rest) if digits.ends_with('a') => (rest, Reach::None),
        Some(rest) => (rest, Reach::Family),
        None => (digits, Reach::Newer),
    };
    if digits.len() > 4 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let version = digits.parse().ok()?;
    Some(Architecture { version, reach })
}

/// Checks that a device of a version, such as 90, runs code for an architecture.
///
/// # Errors
/// Returns an invalid-input error if it does not, or if the name is invalid.
pub(super) fn check(name: &str, device: u32) -> Result<()> {
    let architecture = parse(name).ok_or_else(|| {
        Error::invalid(format!(
            "'{name}' is not an architecture of CUDA such as sm_80"
        ))
    })?;
    let runs = match architecture.reach {
        Reach::Newer => architecture.version <= device,
        Reach::Family => architecture.version <= device && architecture.version / 10 == device / 10,
        Reach::None => architecture.version == device,
    };
    if runs {
        Ok(())
    } else {
        Err(Error::invalid(format!(
            "the code is for {name}, and the device is of sm_{device}"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_devices_run_older_code() {
        let runs = |name, device| check(name, device).is_ok();
        assert!(runs("sm_80", 80) && runs("sm_80", 90) && runs("sm_89", 120));
        assert!(!runs("sm_90", 89) && !runs("sm_100", 90));
        assert!(runs("sm_90a", 90) && !runs("sm_90a", 100));
        assert!(runs("sm_100f", 103) && !runs("sm_100f", 120) && !runs("sm_103f", 100));
        assert_eq!(
            check("sm_90", 80).unwrap_err().to_string(),
            "the code is for sm_90, and the device is of sm_80"
        );
    }

    #[test]
    fn other_names_are_errors() {
        for name in [
            "", "sm_", "sm_a", "sm_-9", "sm_+9", "gfx90a", "sm_99999", "sm_90b",
        ] {
            assert_eq!(
                check(name, 90).unwrap_err().to_string(),
                format!("'{name}' is not an architecture of CUDA such as sm_80")
            );
        }
    }
}
