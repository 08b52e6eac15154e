//! Backend-specific options.

use std::collections::BTreeMap;

use halo_core::nearest::nearest;
use halo_runtime::{Error, Result};

/// A backend-specific option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackendOption {
    /// As in `--backend-option=NAME=VALUE`.
    pub name: &'static str,
    /// One line: the effect of the option.
    pub summary: &'static str,
    /// The allowed values; the first one is the default.
    pub values: &'static [&'static str],
}

/// The options of a backend that were chosen, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BackendOptions(BTreeMap<String, String>);

impl BackendOptions {
    /// Sets a value, which replaces an earlier one.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.insert(name.into(), value.into());
    }

    /// The value that was chosen, or the option's default.
    pub fn get(&self, option: &BackendOption) -> &str {
        let default = option.values.first().copied().unwrap_or_default();
        self.0.get(option.name).map_or(default, String::as_str)
    }

    /// Checks that a backend has all options that were set, with their values.
    ///
    /// # Errors
    /// Returns an invalid-input error that names the unsupported option and lists the options of
    /// the backend.
    pub fn check(&self, backend: &str, declared: &[BackendOption]) -> Result<()> {
        for (name, value) in &self.0 {
            let Some(option) = declared.iter().find(|option| option.name == name) else {
                let known = known_options(name, declared);
                return Err(Error::invalid(format!(
                    "backend '{backend}' has no option '{name}'; {known}"
                )));
            };
            if !option.values.contains(&value.as_str()) {
                return Err(Error::invalid(format!(
                    "option '{name}' is one of {}, not '{value}'",
                    option.values.join(", ")
                )));
            }
        }
        Ok(())
    }
}

/// The supported options, with the closest match to a misspelled name.
fn known_options(name: &str, declared: &[BackendOption]) -> String {
    if declared.is_empty() {
        return "it has none".to_owned();
    }
    let names: Vec<&str> = declared.iter().map(|option| option.name).collect();
    let all = names.join(", ");
    match nearest(name, names) {
        Some(nearest) => format!("did you mean '{nearest}'? There are: {all}"),
        None => format!("there are: {all}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(name: &str, declared: &[BackendOption]) -> String {
        let mut options = BackendOptions::default();
        options.set(name, "on");
        options.check("toy", declared).unwrap_err().to_string()
    }

    #[test]
    fn unknown_options_are_told_with_the_known_ones() {
        let option = |name| BackendOption {
            name,
            summary: "",
            values: &["off", "on"],
        };
        let declared = [option("subnormals"), option("checks")];
        for (name, rest) in [
            (
                "subnormal",
                "did you mean 'subnormals'? There are: subnormals, checks",
            ),
            (
                "chekcs",
                "did you mean 'checks'? There are: subnormals, checks",
            ),
            ("speed", "there are: subnormals, checks"),
        ] {
            let expected = format!("backend 'toy' has no option '{name}'; {rest}");
            assert_eq!(message(name, &declared), expected);
        }
        assert_eq!(
            message("speed", &[]),
            "backend 'toy' has no option 'speed'; it has none"
        );
    }
}
