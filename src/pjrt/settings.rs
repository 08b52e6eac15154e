//! Settings of compilations and runs, in the order of precedence: options of one compilation,
//! XLA's flags with the same meaning, options of the client, and variables of the environment.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use halo_backend::{Backend, CompileOptions, EditAction, PipelineEdit};

use crate::named_value::{self, Value};
use crate::status::{Result, Status};

/// The number of threads of a program: an option of the client, and a variable.
const THREADS_OPTION: &str = "threads";
const THREADS_VARIABLE: &str = "HALO_THREADS";

/// The cores of each device: an option of the client, and a variable.
const CORES_OPTION: &str = "device_cores";
const CORES_VARIABLE: &str = "HALO_DEVICE_CORES";

/// The prefix of Halo's options of a compilation.
const PREFIX: &str = "halo_";

/// The option of backends that compile fast, and its value.
const OPTIMIZATION: &str = "optimization";
const QUICK: &str = "quick";

/// The pass that XLA's flags name `rematerialization`.
const REMATERIALIZATION: &str = "halo-rematerialize";

/// The settings of one compilation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The threads of the program and of its compilation.
    pub threads: Option<NonZeroUsize>,
    /// Whether the code is compiled fast, by backends that can.
    pub is_quick: bool,
    /// Whether values are kept in memory that are cheaper to compute again.
    pub keeps_values: bool,
    /// The folder for a dump of each program after every phase.
    pub dump_dir: Option<PathBuf>,
    /// Options of the backend.
    pub backend: Vec<(String, String)>,
}

impl Settings {
    /// Sets an option of a compilation. Returns false if Halo does not have it.
    ///
    /// # Errors
    /// Returns an invalid-argument error for a wrong value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool> {
        match (name, name.strip_prefix(PREFIX)) {
            (_, Some(THREADS_OPTION)) => self.threads = Some(count(name, value)?),
            (_, Some(option)) => {
                let option = option.replace('_', "-");
                self.backend.push((option, value.to_owned()));
            }
            ("xla_cpu_multi_thread_eigen", _) => {
                if is_false(value) {
                    self.threads = Some(NonZeroUsize::MIN);
                }
            }
            ("xla_backend_optimization_level", _) => self.is_quick = ["0", "1"].contains(&value),
            ("xla_dump_to", _) => self.dump_dir = Some(PathBuf::from(value)),
            ("xla_disable_hlo_passes", _) => {
                let mut passes = value.split(',');
                self.keeps_values = passes.any(|pass| pass == "rematerialization");
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Writes the settings to the options of a compilation by a backend. `program` names the folder
    /// for its dump.
    ///
    /// # Errors
    /// Returns an invalid-argument error for an option or value that the backend does not have.
    pub fn apply(
        &self,
        backend: &Backend,
        options: &mut CompileOptions,
        program: &str,
    ) -> Result<()> {
        options.threads = self.threads.or(options.threads);
        if let Some(dump_dir) = &self.dump_dir {
            options.dump_dir = Some(dump_dir.join(program));
        }
        let known = backend.compiler.description().options;
        if self.is_quick && known.iter().any(|option| option.name == OPTIMIZATION) {
            options.backend.set(OPTIMIZATION, QUICK);
        }
        for (name, value) in &self.backend {
            options.backend.set(name, value);
        }
        options.backend.check(backend.name, known)?;
        if self.keeps_values {
            let mut edited = options.clone();
            edited.pipeline_edits.push(PipelineEdit {
                action: EditAction::Remove,
                place: REMATERIALIZATION.to_owned(),
                passes: String::new(),
            });
            if backend.compiler.check_pipeline(&edited).is_ok() {
                *options = edited;
            }
        }
        Ok(())
    }
}

fn is_false(value: &str) -> bool {
    ["0", "false"].contains(&value.to_ascii_lowercase().as_str())
}

fn count(name: &str, value: &str) -> Result<NonZeroUsize> {
    value
        .trim()
        .parse()
        .map_err(|_| Status::invalid(format!("{name} must be a number from 1, not '{value}'")))
}

/// The number of threads of each program, if the client or the environment specifies one.
///
/// # Errors
/// Returns an invalid-argument error if it is not a number from 1.
pub fn threads(options: &[(String, Value)]) -> Result<Option<NonZeroUsize>> {
    number(options, THREADS_OPTION, THREADS_VARIABLE)
}

/// The number of cores that each device has to itself; `None` if devices share all cores.
///
/// # Errors
/// Returns an invalid-argument error if it is not a number from 1.
pub fn device_cores(options: &[(String, Value)]) -> Result<Option<NonZeroUsize>> {
    number(options, CORES_OPTION, CORES_VARIABLE)
}

fn number(
    options: &[(String, Value)],
    option: &str,
    variable: &str,
) -> Result<Option<NonZeroUsize>> {
    if let Some(text) = named_value::number(options, option)? {
        return count(&format!("option '{option}'"), &text).map(Some);
    }
    match std::env::var(variable) {
        Ok(text) if !text.is_empty() => count(variable, &text).map(Some),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_a_compilation_are_of_halo_or_mean_the_same() {
        let mut settings = Settings::default();
        for (name, value) in [
            ("halo_threads", "3"),
            ("halo_sve_vector_bits", "256"),
            ("xla_backend_optimization_level", "0"),
            ("xla_disable_hlo_passes", "cse,rematerialization"),
            ("xla_dump_to", "folder"),
        ] {
            assert_eq!(settings.set(name, value), Ok(true), "{name}");
        }
        let expected = Settings {
            threads: NonZeroUsize::new(3),
            is_quick: true,
            keeps_values: true,
            dump_dir: Some(PathBuf::from("folder")),
            backend: vec![("sve-vector-bits".to_owned(), "256".to_owned())],
        };
        assert_eq!(settings, expected);
        assert_eq!(
            settings.set("xla_cpu_multi_thread_eigen", "False"),
            Ok(true)
        );
        assert_eq!(settings.threads, NonZeroUsize::new(1));
        assert_eq!(settings.set("xla_gpu_autotune_level", "0"), Ok(false));
        let error = settings.set("halo_threads", "0").unwrap_err().to_string();
        assert_eq!(error, "halo_threads must be a number from 1, not '0'");
    }

    #[test]
    fn options_of_a_client_are_numbers() {
        let option = |value| vec![("threads".to_owned(), value)];
        assert_eq!(
            threads(&option(Value::Integer(2))),
            Ok(NonZeroUsize::new(2))
        );
        assert_eq!(
            threads(&option(Value::Text("4".to_owned()))),
            Ok(NonZeroUsize::new(4))
        );
        assert!(threads(&option(Value::Boolean(true))).is_err());
        assert!(threads(&option(Value::Integer(0))).is_err());
        assert_eq!(device_cores(&option(Value::Integer(2))), Ok(None));
    }
}
