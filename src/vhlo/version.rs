//! Versions of the VHLO dialect, without other dependencies.

use crate::Error;
use std::{fmt, str::FromStr};

/// A version of the VHLO dialect. Ops, attributes and types change with the minor number; the patch
/// number only identifies the release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
}

/// The prefix of the name of an artifact's producer.
const PRODUCER: &str = "StableHLO_v";

impl Version {
    /// The oldest supported version.
    pub const MINIMUM: Self = Self::new(0, 9);

    /// The newest version whose ops are all known.
    pub const CURRENT: Self = Self::new(1, 21);

    pub const fn new(major: u32, minor: u32) -> Self {
        Self {
            major,
            minor,
            patch: 0,
        }
    }

    /// The version in the producer of an artifact, `StableHLO_v1.2.3`.
    pub(crate) fn from_producer(producer: &str) -> Option<Self> {
        producer.strip_prefix(PRODUCER)?.parse().ok()
    }

    pub(crate) fn producer(self) -> String {
        format!("{PRODUCER}{self}")
    }

    /// The version without its patch number, which does not affect the dialect.
    pub(crate) fn of_dialect(self) -> Self {
        Self::new(self.major, self.minor)
    }

    /// The version of MLIR's bytecode that artifacts of this version are
    /// written in.
    pub(crate) fn bytecode(self) -> u64 {
        match self {
            _ if self < Self::new(0, 10) => 0,
            _ if self < Self::new(0, 12) => 1,
            _ if self < Self::new(0, 14) => 3,
            _ if self < Self::new(0, 15) => 4,
            _ => 6,
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl FromStr for Version {
    type Err = Error;

    /// Parses three numbers, `1.10.0`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let invalid = || Error::Version {
            text: text.to_owned(),
        };
        let mut parts = text.split('.').map(|part| {
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| part.parse().ok()).flatten()
        });
        let mut next = || parts.next().flatten().ok_or_else(invalid);
        let version = Self {
            major: next()?,
            minor: next()?,
            patch: next()?,
        };
        match parts.next() {
            None => Ok(version),
            Some(_) => Err(invalid()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_three_numbers() {
        let version: Version = "1.10.3".parse().expect("a version");
        assert_eq!((version.major, version.minor, version.patch), (1, 10, 3));
        assert!(Version::new(1, 9) < version && version < Version::new(1, 11));
        for text in [
            "",
            "1",
            "1.2",
            "1.2.3.4",
            "1..3",
            "v1.2.3",
            "1.2.+3",
            "1.2.99999999999",
        ] {
            assert!(text.parse::<Version>().is_err(), "{text}");
        }
    }

    #[test]
    fn producers_name_versions() {
        let version = Version::new(1, 7);
        assert_eq!(version.producer(), "StableHLO_v1.7.0");
        assert_eq!(Version::from_producer("StableHLO_v1.7.0"), Some(version));
        assert_eq!(Version::from_producer("MLIR22"), None);
    }
}
