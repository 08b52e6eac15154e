//! The options of the cache of compiled code, on the command lines of all tools that
//! compile.

use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use halo_backend::{CompilationCache, compilation_cache::DEFAULT_LIMIT};
use halo_runtime::{Error, Result};

const DIRECTORY: &str = "HALO_CACHE_DIR";
const LIMIT: &str = "HALO_CACHE_LIMIT";

/// The options of the cache of compiled code.
#[derive(Args, Clone, Debug, Default)]
pub struct CacheArguments {
    /// Cache compiled code in this directory, for later runs; an empty name disables the cache
    /// [default: HALO_CACHE_DIR, or none]
    #[arg(
        long,
        value_name = "DIR",
        value_parser = OsStringValueParser::new().map(PathBuf::from)
    )]
    pub cache_dir: Option<PathBuf>,

    /// The most that the cache may hold, such as 500M or 2G [default: HALO_CACHE_LIMIT, or
    /// 1G]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub cache_limit: Option<u64>,
}

impl CacheArguments {
    /// The cache that the command line or the environment names.
    ///
    /// # Errors
    /// Returns an invalid-input error if the environment has a size that is invalid.
    pub fn cache(&self) -> Result<Option<Arc<CompilationCache>>> {
        self.cache_with(|name| env::var_os(name))
    }

    fn cache_with(
        &self,
        variable: impl Fn(&str) -> Option<std::ffi::OsString>,
    ) -> Result<Option<Arc<CompilationCache>>> {
        let directory = self.cache_dir.clone();
        let directory = directory.or_else(|| variable(DIRECTORY).map(PathBuf::from));
        let Some(directory) = directory.filter(|path| !path.as_os_str().is_empty()) else {
            return Ok(None);
        };
        let limit = match (self.cache_limit, variable(LIMIT)) {
            (Some(limit), _) => limit,
            (None, Some(text)) if !text.is_empty() => of_variable(&text)?,
            (None, _) => DEFAULT_LIMIT,
        };
        Ok(Some(Arc::new(CompilationCache::new(directory, limit))))
    }
}

fn of_variable(text: &OsStr) -> Result<u64> {
    let text = text.to_string_lossy();
    size(&text).map_err(|error| Error::invalid(format!("{LIMIT}: '{text}': {error}")))
}

/// Parses a number of bytes, optionally with a unit, K, M or G, of 1024 bytes or its powers.
fn size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 1 << 10),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 1 << 20),
        Some(b'g' | b'G') => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1u64),
    };
    let number: u64 = crate::count(digits)?;
    number.checked_mul(unit).ok_or_else(|| "it is too large".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn cache(arguments: &CacheArguments, variables: &[(&str, &str)]) -> Result<Option<PathBuf>> {
        let value = |name: &str| {
            let found = variables.iter().find(|(other, _)| *other == name);
            found.map(|(_, value)| value.into())
        };
        let cache = arguments.cache_with(value)?;
        Ok(cache.map(|cache| cache.path().to_owned()))
    }

    #[test]
    fn the_command_line_comes_before_the_environment() {
        let none = CacheArguments::default();
        let given = |path: &str| CacheArguments {
            cache_dir: Some(path.into()),
            cache_limit: None,
        };
        let set = [(DIRECTORY, "/b")];
        assert_eq!(cache(&none, &[]).unwrap(), None);
        let found = cache(&none, &set).unwrap();
        assert_eq!(found.as_deref(), Some(Path::new("/b")));
        let found = cache(&given("/a"), &set).unwrap();
        assert_eq!(found.as_deref(), Some(Path::new("/a")));
        assert_eq!(cache(&given(""), &set).unwrap(), None);
        assert_eq!(cache(&none, &[(DIRECTORY, "")]).unwrap(), None);
    }

    #[test]
    fn sizes_have_units() {
        for (text, expected) in [("7", 7), ("2k", 2048), ("500M", 500 << 20), ("3G", 3 << 30)] {
            assert_eq!(size(text), Ok(expected));
        }
        for wrong in ["", "G", "-1", "1.5G", "1T", "99999999999G", "€"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
        let set = [(DIRECTORY, "/b"), (LIMIT, "much")];
        let error = cache(&CacheArguments::default(), &set).unwrap_err();
        assert_eq!(
            error.to_string(),
            "HALO_CACHE_LIMIT: 'much': not a whole number"
        );
    }
}
