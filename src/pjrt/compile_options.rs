//! The options of a compilation: the used fields of XLA's `CompileOptionsProto`.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use halo_backend::Partitioning;
use prost::Message;

use crate::status::{Result, Status};

/// `xla.CompileOptionsProto`.
#[derive(Clone, PartialEq, Message)]
pub struct CompileOptions {
    #[prost(bool, tag = "2")]
    pub parameter_is_tupled_arguments: bool,
    #[prost(message, optional, tag = "3")]
    pub build: Option<BuildOptions>,
    /// XLA's options, none of which Halo supports.
    #[prost(btree_map = "string, message", tag = "7")]
    pub overrides: BTreeMap<String, OptionOverride>,
}

/// `xla.OptionOverrideProto`: a string, if it is one.
#[derive(Clone, PartialEq, Message)]
pub struct OptionOverride {
    #[prost(string, optional, tag = "1")]
    pub text: Option<String>,
}

/// `xla.ExecutableBuildOptionsProto`.
#[derive(Clone, PartialEq, Message)]
pub struct BuildOptions {
    #[prost(int64, tag = "1")]
    pub device_ordinal: i64,
    #[prost(int64, tag = "4")]
    pub num_replicas: i64,
    #[prost(int64, tag = "5")]
    pub num_partitions: i64,
    #[prost(message, optional, tag = "9")]
    pub device_assignment: Option<DeviceAssignment>,
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

/// The options in the bytes of a caller; no bytes are the defaults.
///
/// # Errors
/// Returns an invalid-argument error if they are not of this type; an unimplemented error for
/// arguments in a tuple.
pub fn read(bytes: &[u8]) -> Result<Assignment> {
    let options = CompileOptions::decode(bytes)
        .map_err(|error| Status::invalid(format!("invalid CompileOptionsProto: {error}")))?;
    if options.parameter_is_tupled_arguments {
        return Err(Status::unimplemented(
            "programs whose arguments are a tuple",
        ));
    }
    for (name, value) in &options.overrides {
        check_override(name, value)?;
    }
    let build = options.build.unwrap_or_default();
    let count = |number: i64| usize::try_from(number.max(1)).unwrap_or(1);
    let (replicas, partitions) = (count(build.num_replicas), count(build.num_partitions));
    let devices = match &build.device_assignment {
        // A single device may be chosen by its number; `-1` chooses none.
        None if replicas * partitions == 1 => vec![build.device_ordinal.max(0)],
        None => (0..(replicas * partitions) as i64).collect(),
        Some(assignment) => assignment.devices(replicas, partitions)?,
    };
    Ok(Assignment {
        replicas,
        partitions,
        devices,
    })
}

/// Options of XLA that are true or false, and that programs set most.
const BOOLEANS: [&str; 7] = [
    "xla_cpu_enable_fast_math",
    "xla_cpu_enable_fast_min_max",
    "xla_cpu_use_thunk_runtime",
    "xla_dump_hlo_as_text",
    "xla_embed_ir_in_executable",
    "xla_enable_fast_math",
    "xla_gpu_enable_latency_hiding_scheduler",
];

/// XLA's options have no effect, but a wrong name or value is an error.
fn check_override(name: &str, value: &OptionOverride) -> Result<()> {
    if !name.starts_with("xla_") {
        let message = format!("No such compile option: '{name}'");
        return Err(Status::invalid(message));
    }
    let text = value.text.as_deref().map(str::to_ascii_lowercase);
    let is_wrong = text.is_some_and(|text| !["true", "false", "1", "0"].contains(&text.as_str()));
    if is_wrong && BOOLEANS.contains(&name) {
        Err(Status::invalid(format!(
            "While setting option {name}, '{}' is not a valid bool value.",
            value.text.as_deref().unwrap_or_default()
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
        assert_eq!(read(&[]), Ok(expected));
        assert!(read(&[0xff]).is_err());
    }

    #[test]
    fn options_of_xla_are_checked() {
        let check = |name: &str, text: Option<&str>| {
            let text = text.map(str::to_owned);
            let overrides = BTreeMap::from([(name.to_owned(), OptionOverride { text })]);
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
        let options = read(include_bytes!("tests/compile_options.pb")).unwrap();
        assert_eq!((options.replicas, options.partitions), (2, 3));
        assert_eq!(options.devices, [5, 4, 3, 2, 1, 0]);
        let own = DeviceAssignment::decode(&*options.serialize()).unwrap();
        assert_eq!(own.devices(2, 3).unwrap(), options.devices);
    }
}
