//! `--check-numerics`: finds the first op of a program that makes NaN or an infinity.
//!
//! The program is compiled with `--halo-check-numerics`, which ends a run with a fault at little
//! cost. Only then is the program compiled again, with `--halo-observe-ops`, and run on the same
//! inputs: a `Finder` gets each result with its operands, and names the first op
//! whose result is a fault while its operands are none. If it finds none, such as after a sum of
//! infinite inputs, the results of this run are the results.

mod executable;
mod finder;

use std::env;
use std::ffi::OsString;
use std::str::FromStr;
use std::sync::Arc;

use clap::Args;
use halo_backend::{CompileOptions, Compiler, Program};
use halo_runtime::{Error, Executable, Result};

const VARIABLE: &str = "HALO_CHECK_NUMERICS";

/// The kinds by default.
const DEFAULT: &str = "nan,inf";

/// The kinds of results that are faults, if their operands are not of this kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    pub nan: bool,
    /// All infinities.
    pub inf: bool,
    /// Infinities that stand for a number that is too large, unlike `1 / 0`.
    pub overflow: bool,
    pub subnormal: bool,
}

impl FromStr for Kinds {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let mut kinds = Self::default();
        for name in text.split(',') {
            match name.trim() {
                "nan" => kinds.nan = true,
                "inf" => kinds.inf = true,
                "overflow" => kinds.overflow = true,
                "subnormal" => kinds.subnormal = true,
                other => {
                    return Err(format!(
                        "unknown kind '{other}', expected nan, inf, overflow or subnormal"
                    ));
                }
            }
        }
        Ok(kinds)
    }
}

impl Kinds {
    /// The passes that end a run with a fault.
    fn detecting(self) -> String {
        let Self {
            nan,
            inf,
            overflow,
            subnormal,
        } = self;
        let inf = inf || overflow;
        format!(
            "halo-check-numerics{{nan={nan} inf={inf} subnormal={subnormal}}},\
             func.func(halo-split-reductions)"
        )
    }
}

/// The option that checks numbers.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Wrong numbers")]
pub struct NumericsArguments {
    /// Find the first op whose result is NaN or infinite while its operands are not; KINDS are nan,
    /// inf, overflow (infinities of finite results that are too large) and subnormal [default
    /// without KINDS: nan,inf; without --check-numerics: HALO_CHECK_NUMERICS, which is 1 or kinds,
    /// or none]
    #[arg(
        long,
        value_name = "KINDS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = DEFAULT,
        conflicts_with_all = ["bisect", "distributed", "simulate", "runner"],
    )]
    pub check_numerics: Option<Kinds>,
}

impl NumericsArguments {
    /// The kinds that the command line or the environment specifies.
    ///
    /// # Errors
    /// Returns an invalid-input error if the environment has an invalid value.
    pub fn kinds(&self) -> Result<Option<Kinds>> {
        self.kinds_with(env::var_os(VARIABLE))
    }

    fn kinds_with(&self, variable: Option<OsString>) -> Result<Option<Kinds>> {
        let text = variable.unwrap_or_default();
        let parsed = |text: &str| {
            let kinds = text.parse().map(Some);
            kinds.map_err(|error| Error::invalid(format!("{VARIABLE}: {error}, or 1 or 0")))
        };
        match (self.check_numerics, &*text.to_string_lossy()) {
            (Some(given), _) => Ok(Some(given)),
            (None, "" | "0") => Ok(None),
            (None, "1") => parsed(DEFAULT),
            (None, text) => parsed(text),
        }
    }
}

/// Compiles a program whose runs fail with the first op that makes a fault.
///
/// # Errors
/// Returns the errors of [`Compiler::compile`]; an invalid-input error if the backend has no passes.
pub fn compile(
    compiler: &Arc<dyn Compiler>,
    program: &Program,
    options: &CompileOptions,
    kinds: Kinds,
) -> Result<Box<dyn Executable>> {
    executable::compile(compiler, program, options, kinds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_comes_before_the_environment() {
        let kinds = |given: Option<&str>, variable: &str| {
            let check_numerics = given.map(|text| text.parse().unwrap());
            NumericsArguments { check_numerics }.kinds_with(Some(variable.into()))
        };
        let of = |text: &str| Some(text.parse::<Kinds>().unwrap());
        assert_eq!(kinds(None, "").unwrap(), None);
        assert_eq!(kinds(None, "0").unwrap(), None);
        assert_eq!(kinds(None, "1").unwrap(), of("inf,nan"));
        assert_eq!(kinds(None, "overflow").unwrap(), of("overflow"));
        assert_eq!(kinds(Some("subnormal"), "1").unwrap(), of("subnormal"));
        assert_eq!(
            kinds(None, "infinity").unwrap_err().to_string(),
            "HALO_CHECK_NUMERICS: unknown kind 'infinity', expected nan, inf, overflow or \
             subnormal, or 1 or 0"
        );
    }
}
