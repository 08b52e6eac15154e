//! The extension that describes the shardings of the parameters and outputs of a program for
//! several partitions: frameworks assemble arrays from the shards that each device returns.

use std::ffi::c_char;

use halo::hlo::sharding::{Reduction, Tiling};
use prost::Message;

use crate::c_api::{
    ExtensionBase, ExtensionType, ShardingsExecutableOutputShardingsArgs,
    ShardingsExecutableParameterShardingsArgs, ShardingsExtension,
};
use crate::extension::{base, table};
use crate::program;
use crate::status::Result;

/// The used fields of `xla.OpSharding`.
#[derive(Clone, PartialEq, Message)]
struct OpSharding {
    /// 0: replicated. 3: tiled. 6: each device has a partial sum.
    #[prost(int32, tag = "1")]
    kind: i32,
    #[prost(int64, repeated, tag = "3")]
    tile_assignment_dimensions: Vec<i64>,
    #[prost(int64, repeated, tag = "4")]
    tile_assignment_devices: Vec<i64>,
    /// The last dimension of the assignment are devices with the same tile.
    #[prost(bool, tag = "6")]
    replicate_on_last_tile_dim: bool,
    /// The meaning of the last dimensions of the assignment: devices with the same tile, or with
    /// partial sums of it.
    #[prost(int32, repeated, tag = "8")]
    last_tile_dims: Vec<i32>,
    /// The combination of partial results, if they are not partial sums.
    #[prost(message, repeated, tag = "7")]
    metadata: Vec<OpMetadata>,
}

/// `xla.OpMetadata`.
#[derive(Clone, PartialEq, Message)]
struct OpMetadata {
    #[prost(string, tag = "1")]
    op_type: String,
    #[prost(string, tag = "2")]
    op_name: String,
}

impl OpMetadata {
    fn of(reduction: Reduction) -> Vec<Self> {
        let name = match reduction {
            Reduction::Sum => return Vec::new(),
            Reduction::Max => "MAX",
            Reduction::Min => "MIN",
        };
        vec![Self {
            op_type: "sdy::reduction_op".to_owned(),
            op_name: name.to_owned(),
        }]
    }
}

const REPLICATED: i32 = 0;
const OTHER: i32 = 3;
const UNREDUCED: i32 = 6;

impl OpSharding {
    fn new(tiling: Option<&Tiling>) -> Self {
        let Some(tiling) = tiling else {
            return Self {
                kind: REPLICATED,
                ..Self::default()
            };
        };
        if !tiling.terms.is_empty() {
            return Self::of_terms(tiling);
        }
        let owners = tiling.owners();
        let copies = owners.first().map_or(1, Vec::len);
        let sizes = tiling.counts.iter().copied();
        let sizes = sizes.chain((copies > 1).then_some(copies));
        Self {
            kind: OTHER,
            tile_assignment_dimensions: sizes.map(|size| size as i64).collect(),
            tile_assignment_devices: owners.concat().iter().map(|one| *one as i64).collect(),
            replicate_on_last_tile_dim: copies > 1,
            last_tile_dims: Vec::new(),
            metadata: Vec::new(),
        }
    }

    fn of_terms(tiling: &Tiling) -> Self {
        let sums = tiling.sums();
        let metadata = OpMetadata::of(tiling.reduction);
        let terms = sums.first().map_or(1, Vec::len);
        let copies = sums.len() / tiling.tile_count();
        if sums.len() == 1 {
            return Self {
                kind: UNREDUCED,
                metadata,
                ..Self::default()
            };
        }
        let sizes = tiling.counts.iter().copied().chain([terms]);
        let sizes = sizes.chain((copies > 1).then_some(copies));
        let tiles = sums.chunks(copies);
        let devices = tiles.flat_map(|groups| {
            (0..terms).flat_map(|term| groups.iter().map(move |group| group[term] as i64))
        });
        Self {
            kind: OTHER,
            tile_assignment_dimensions: sizes.map(|size| size as i64).collect(),
            tile_assignment_devices: devices.collect(),
            replicate_on_last_tile_dim: false,
            metadata,
            last_tile_dims: [UNREDUCED]
                .into_iter()
                .chain((copies > 1).then_some(REPLICATED))
                .collect(),
        }
    }
}

/// The serialized `xla.OpSharding` of a value.
pub fn serialized(tiling: Option<&Tiling>) -> Vec<u8> {
    OpSharding::new(tiling).encode_to_vec()
}

/// The shardings of all parameters, or of all outputs, for C; none for a program of one partition.
#[derive(Default)]
pub struct Shardings {
    _own: Box<[Vec<u8>]>,
    pointers: Vec<*const c_char>,
    sizes: Vec<usize>,
}

// SAFETY: the pointers are to immutable data that the list owns.
unsafe impl Send for Shardings {}
// SAFETY: as above.
unsafe impl Sync for Shardings {}

impl Shardings {
    /// The shardings of values, `None` for undivided ones.
    pub fn new(tilings: &[Option<Tiling>]) -> Self {
        let shardings = tilings.iter().map(Option::as_ref);
        let own: Box<[Vec<u8>]> = shardings.map(serialized).collect();
        Self {
            pointers: own.iter().map(|bytes| bytes.as_ptr().cast()).collect(),
            sizes: own.iter().map(Vec::len).collect(),
            _own: own,
        }
    }

    /// Null without shardings.
    fn as_raw(&self) -> (usize, *const *const c_char, *const usize) {
        match self.sizes.len() {
            0 => (0, std::ptr::null(), std::ptr::null()),
            count => (count, self.pointers.as_ptr(), self.sizes.as_ptr()),
        }
    }
}

unsafe fn of_parameters(arguments: &mut ShardingsExecutableParameterShardingsArgs) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let program = unsafe { program::borrow(arguments.executable) }?;
    let (count, shardings, sizes) = program.parameter_shardings.as_raw();
    arguments.num_parameters = count;
    arguments.shardings = shardings;
    arguments.sharding_sizes = sizes;
    Ok(())
}

unsafe fn of_outputs(arguments: &mut ShardingsExecutableOutputShardingsArgs) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let program = unsafe { program::borrow(arguments.executable) }?;
    let (count, shardings, sizes) = program.output_shardings.as_raw();
    arguments.num_outputs = count;
    arguments.shardings = shardings;
    arguments.sharding_sizes = sizes;
    Ok(())
}

/// `PJRT_Shardings_Extension`, before others of the list.
pub const fn extension(next: *const ExtensionBase) -> ShardingsExtension {
    table! {
        ShardingsExtension {
            base: base::<ShardingsExtension>(ExtensionType::SHARDINGS, next),
        }
        functions {
            shardings_executable_parameter_shardings(ShardingsExecutableParameterShardingsArgs) = of_parameters,
            shardings_executable_output_shardings(ShardingsExecutableOutputShardingsArgs) = of_outputs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes are of jaxlib 0.10.2: `SerializeToString()` of `HloSharding.iota_tile` and
    /// `HloSharding.replicate()` as `OpSharding`.
    #[test]
    fn shardings_are_written_as_by_xla() {
        let tiling = Tiling {
            counts: vec![1, 2],
            tiles: vec![vec![0, 0], vec![0, 1], vec![0, 0], vec![0, 1]],
            terms: Vec::new(),
            reduction: Reduction::Sum,
        };
        let sharding = OpSharding::new(Some(&tiling));
        assert_eq!(sharding.tile_assignment_dimensions, [1, 2, 2]);
        assert_eq!(sharding.tile_assignment_devices, [0, 2, 1, 3]);
        assert!(sharding.replicate_on_last_tile_dim);
        assert!(OpSharding::new(None).encode_to_vec().is_empty());
        // `P(None, None, unreduced={"y"})` on a mesh of x=2 and y=2.
        let terms = Tiling {
            counts: vec![1, 1],
            tiles: vec![vec![0, 0]; 4],
            terms: vec![0, 1, 0, 1],
            reduction: Reduction::Sum,
        };
        let sharding = OpSharding::new(Some(&terms));
        assert_eq!(sharding.tile_assignment_dimensions, [1, 1, 2, 2]);
        assert_eq!(sharding.tile_assignment_devices, [0, 2, 1, 3]);
        assert_eq!(sharding.last_tile_dims, [UNREDUCED, REPLICATED]);
        let all = Tiling {
            terms: vec![0, 1, 2, 3],
            ..terms
        };
        // b"\x08\x06"
        assert_eq!(OpSharding::new(Some(&all)).encode_to_vec(), [8, 6]);
        let maxima = Tiling {
            reduction: Reduction::Max,
            ..all
        };
        // Of jaxlib 0.12.0.
        let bytes = OpSharding::new(Some(&maxima)).encode_to_vec();
        assert_eq!(bytes, b"\x08\x06:\x18\n\x11sdy::reduction_op\x12\x03MAX");
        assert_eq!(Shardings::default().as_raw().0, 0);
        assert_eq!(Shardings::new(&[None, Some(tiling)]).as_raw().0, 2);
    }
}
