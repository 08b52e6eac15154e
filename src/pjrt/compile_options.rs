//! The options of a compilation: the used fields of XLA's `CompileOptionsProto`.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use halo_backend::Partitioning;
use prost::Message;

use crate::settings::Settings;
use crate::status::{Result, Status};

/// `xla.CompileOptionsProto`.
#[derive(Clone, PartialEq, Message)]
pub struct CompileOptions {
    #[prost(bool, tag = "2")]
    pub parameter_is_tupled_arguments: bool,
    #[prost(message, optional, tag = "3")]
    pub build: Option<BuildOptions>,
    /// Options by name: Halo's, and XLA's.
    #[prost(btree_map = "string, message", tag = "7")]
    pub overrides: BTreeMap<String, OptionOverride>,
}

/// `xla.OptionOverrideProto`.
#[derive(Clone, PartialEq, Message)]
pub struct OptionOverride {
    #[prost(oneof = "OptionValue", tags = "1, 2, 3, 4")]
    pub value: Option<OptionValue>,
}

/// The value of an option.
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum OptionValue {
    #[prost(string, tag = "1")]
    Text(String),
    #[prost(bool, tag = "2")]
    Boolean(bool),
    #[prost(int64, tag = "3")]
    Integer(i64),
    #[prost(double, tag = "4")]
    Float(f64),
}

/// `xla.DebugOptions`: XLA's flags, as the environment and the caller set them.
#[derive(Clone, PartialEq, Message)]
pub struct DebugOptions {
    #[prost(string, tag = "30")]
    pub xla_disable_hlo_passes: String,
    #[prost(int32, optional, tag = "31")]
    pub xla_backend_optimization_level: Option<i32>,
    #[prost(bool, optional, tag = "60")]
    pub xla_cpu_multi_thread_eigen: Option<bool>,
    #[prost(string, tag = "109")]
    pub xla_dump_to: String,
}

/// `xla.ExecutableBuildOptionsProto`.
#[derive(Clone, PartialEq, Message)]
pub struct BuildOptions {
    #[prost(int64, tag = "1")]
    pub device_ordinal: i64,
    #[prost(message, optional, tag = "3")]
    pub debug_options: Option<DebugOptions>,
    #[prost(int64, tag = "4")]
    pub num_replicas: i64,
    #[prost(int64, tag = "5")]
    pub num_partitions: i64,
    #[prost(message, optional, tag = "9")]
    pub device_assignment: Option<DeviceAssignment>,
    /// From -1 to 1, before JAX 0.11.
    #[prost(float, tag = "20")]
    pub exec_time_optimization_effort: f32,
    /// 9 is level 0, and 0 the default.
    #[prost(int32, tag = "24")]
    pub optimization_level: i32,
}

/// `xla.DeviceAssignmentProto`: for each partition, the device of each replica.
#[derive(Clone, PartialEq, Message)]
pub struct DeviceAssignment {
    #[prost(int32, tag = "1")]
    pub replica_count: i32,
    #[prost(int32, tag = "2")]
    pub computation_count: i32,
    #[prost(message, repeated, tag = "3")]
    pub computations: Vec<ComputationDevice>,
}

/// `xla.DeviceAssignmentProto.ComputationDevice`.
#[derive(Clone, PartialEq, Message)]
pub struct ComputationDevice {
    #[prost(int64, repeated, tag = "1")]
    pub replica_devices: Vec<i64>,
}

/// On which devices a program runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    pub replicas: usize,
    pub partitions: usize,
    /// The number of the device of each replica, and for each of these of each partition.
    pub devices: Vec<i64>,
}

/// The devices and settings in the bytes of a caller; no bytes are the defaults.
///
/// # Errors
/// Returns an invalid-argument error if they are not of this type; an unimplemented error for
/// arguments in a tuple.
pub fn read(bytes: &[u8]) -> Result<(Assignment, Settings)> {
    let options = CompileOptions::decode(bytes)
        .map_err(|error| Status::invalid(format!("invalid CompileOptionsProto: {error}")))?;
    if options.parameter_is_tupled_arguments {
        return Err(Status::unimplemented(
            "programs whose arguments are a tuple",
        ));
    }
    let build = options.build.unwrap_or_default();
    let mut settings = build.settings()?;
    for (name, value) in &options.overrides {
        let text = value.text();
        check_override(name, &text)?;
        settings.set(name, &text)?;
    }
    let count = |number: i64| usize::try_from(number.max(1)).unwrap_or(1);
    let (replicas, partitions) = (count(build.num_replicas), count(build.num_partitions));
    let devices = match &build.device_assignment {
        // A single device may be chosen by its number; `-1` chooses none.
        None if replicas * partitions == 1 => vec![build.device_ordinal.max(0)],
        None => (0..(replicas * partitions) as i64).collect(),
        Some(assignment) => assignment.devices(replicas, partitions)?,
    };
    let assignment = Assignment {
        replicas,
        partitions,
        devices,
    };
    Ok((assignment, settings))
}

impl OptionOverride {
    fn text(&self) -> String {
        match &self.value {
            None => String::new(),
            Some(OptionValue::Text(text)) => text.clone(),
            Some(OptionValue::Boolean(value)) => value.to_string(),
            Some(OptionValue::Integer(value)) => value.to_string(),
            Some(OptionValue::Float(value)) => value.to_string(),
        }
    }
}

/// `jax.config.jax_optimization_level`: the levels whose code is compiled fast.
const QUICK_LEVELS: [i32; 2] = [9, 1];

impl BuildOptions {
    /// The settings by XLA's flags and efforts.
    fn settings(&self) -> Result<Settings> {
        let mut settings = Settings::default();
        let flags = self.debug_options.clone().unwrap_or_default();
        let level = flags.xla_backend_optimization_level.map(|level| level.to_string());
        let multi_thread = flags.xla_cpu_multi_thread_eigen.map(|value| value.to_string());
        for (name, value) in [
            ("xla_disable_hlo_passes", flags.xla_disable_hlo_passes),
            ("xla_dump_to", flags.xla_dump_to),
            ("xla_backend_optimization_level", level.unwrap_or_default()),
            (
                "xla_cpu_multi_thread_eigen",
                multi_thread.unwrap_or_default(),
            ),
        ] {
            if !value.is_empty() {
                settings.set(name, &value)?;
            }
        }
        settings.is_quick |= self.exec_time_optimization_effort < 0.0
            || QUICK_LEVELS.contains(&self.optimization_level);
        Ok(settings)
    }
}

/// Options of XLA that are true or false, and that programs set most.
const BOOLEANS: [&str; 8] = [
    "xla_cpu_multi_thread_eigen",
    "xla_cpu_enable_fast_math",
    "xla_cpu_enable_fast_min_max",
    "xla_cpu_use_thunk_runtime",
    "xla_dump_hlo_as_text",
    "xla_embed_ir_in_executable",
    "xla_enable_fast_math",
    "xla_gpu_enable_latency_hiding_scheduler",
];

/// Most of XLA's options have no effect, but a wrong name or value is an error.
fn check_override(name: &str, value: &str) -> Result<()> {
    if !name.starts_with("xla_") && !name.starts_with("halo_") {
        let message = format!("No such compile option: '{name}'");
        return Err(Status::invalid(message));
    }
    let text = value.to_ascii_lowercase();
    let is_wrong = !["", "true", "false", "1", "0"].contains(&text.as_str());
    if is_wrong && BOOLEANS.contains(&name) {
        Err(Status::invalid(format!(
            "While setting option {name}, '{value}' is not a valid bool value."
        )))
    } else {
        Ok(())
    }
}

impl DeviceAssignment {
    fn devices(&self, replicas: usize, partitions: usize) -> Result<Vec<i64>> {
        let is_grid = self.computations.len() == partitions
            && self.computations.iter().all(|row| row.replica_devices.len() == replicas);
        if !is_grid {
            return Err(Status::invalid(format!(
                "the device assignment is not one of {replicas} replicas and {partitions} \
                 partitions"
            )));
        }
        let device = |replica: usize, partition: usize| {
            self.computations[partition].replica_devices[replica]
        };
        let replicas = (0..replicas).map(|replica| (0..partitions).map(move |one| (replica, one)));
        Ok(replicas.flatten().map(|(replica, one)| device(replica, one)).collect())
    }
}

impl Assignment {
    /// The processes that the tensors of a program are divided among; `None` for one partition,
    /// whose program is compiled unchanged.
    pub fn partitioning(&self) -> Option<Partitioning> {
        let count = |number: usize| NonZeroUsize::new(number).unwrap_or(NonZeroUsize::MIN);
        (self.partitions > 1).then(|| Partitioning {
            replicas: count(self.replicas),
            partitions: count(self.partitions),
        })
    }

    /// The bytes of a `DeviceAssignmentProto`.
    pub fn serialize(&self) -> Vec<u8> {
        let row = |partition: usize| ComputationDevice {
            replica_devices: (0..self.replicas)
                .map(|replica| self.devices[replica * self.partitions + partition])
                .collect(),
        };
        let assignment = DeviceAssignment {
            replica_count: self.replicas as i32,
            computation_count: self.partitions as i32,
            computations: (0..self.partitions).map(row).collect(),
        };
        assignment.encode_to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_options_are_one_device() {
        let expected = Assignment {
            replicas: 1,
            partitions: 1,
            devices: vec![0],
        };
        assert_eq!(expected.partitioning(), None);
        assert_eq!(read(&[]), Ok((expected, Settings::default())));
        assert!(read(&[0xff]).is_err());
    }

    #[test]
    fn options_of_xla_are_checked() {
        let check = |name: &str, text: Option<&str>| {
            let value = text.map(|text| OptionValue::Text(text.to_owned()));
            let overrides = BTreeMap::from([(name.to_owned(), OptionOverride { value })]);
            let options = CompileOptions {
                overrides,
                ..CompileOptions::default()
            };
            let outcome = read(&options.encode_to_vec());
            outcome.map_err(|error| error.to_string())
        };
        let boolean = "xla_embed_ir_in_executable";
        for (name, text) in [
            (boolean, None),
            (boolean, Some("True")),
            ("xla_other", Some("a")),
        ] {
            assert!(check(name, text).is_ok(), "{name}");
        }
        let message = check("other", None).unwrap_err();
        assert_eq!(message, "No such compile option: 'other'");
        let message = check(boolean, Some("maybe")).unwrap_err();
        assert!(
            message.ends_with("'maybe' is not a valid bool value."),
            "{message}"
        );
    }

    /// The bytes are of jaxlib 0.10.2, `CompileOptions.SerializeAsString()` with 2 replicas, 3
    /// partitions and the devices `[[5, 4, 3], [2, 1, 0]]`.
    #[test]
    fn the_options_of_jax_are_read() {
        let (options, settings) = read(include_bytes!("tests/compile_options.pb")).unwrap();
        assert_eq!(settings, Settings::default());
        assert_eq!((options.replicas, options.partitions), (2, 3));
        assert_eq!(options.devices, [5, 4, 3, 2, 1, 0]);
        let own = DeviceAssignment::decode(&*options.serialize()).unwrap();
        assert_eq!(own.devices(2, 3).unwrap(), options.devices);
    }
}
