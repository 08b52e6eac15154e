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
use crate::status::{Result, Status};

/// The used fields of `xla.OpSharding`.
#[derive(Clone, PartialEq, Message)]
pub struct OpSharding {
    /// 0: replicated. 2: a tuple. 3: tiled. 6: each device has a partial sum.
    #[prost(int32, tag = "1")]
    kind: i32,
    #[prost(int64, repeated, tag = "3")]
    tile_assignment_dimensions: Vec<i64>,
    #[prost(int64, repeated, tag = "4")]
    tile_assignment_devices: Vec<i64>,
    #[prost(message, repeated, tag = "5")]
    pub tuple_shardings: Vec<OpSharding>,
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
    /// The devices as 0, 1, 2, ... in a shape, transposed.
    #[prost(int64, repeated, tag = "9")]
    iota_reshape_dims: Vec<i64>,
    #[prost(int64, repeated, tag = "10")]
    iota_transpose_perm: Vec<i64>,
    /// A sharding along axes of a mesh, instead of all other fields.
    #[prost(bytes = "vec", optional, tag = "14")]
    named_sharding: Option<Vec<u8>>,
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
const MAXIMAL: i32 = 1;
const TUPLE: i32 = 2;
const OTHER: i32 = 3;
const UNREDUCED: i32 = 6;

impl OpSharding {
    pub fn tuple(tuple_shardings: Vec<Self>) -> Self {
        Self {
            kind: TUPLE,
            tuple_shardings,
            ..Self::default()
        }
    }

    /// The sharding of a tensor as a string, as in `mhlo.sharding`.
    ///
    /// # Errors
    /// Returns an unimplemented error for other kinds.
    pub fn text(&self) -> Result<String> {
        let list = |numbers: &[i64]| {
            let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
            numbers.join(",")
        };
        let devices = &self.tile_assignment_devices;
        match self.kind {
            _ if self.named_sharding.is_some() => {}
            REPLICATED => return Ok("{replicated}".to_owned()),
            MAXIMAL => return Ok(format!("{{maximal device={}}}", list(devices))),
            OTHER if self.last_tile_dims.is_empty() => {
                let sizes = list(&self.tile_assignment_dimensions);
                let transposed = match &self.iota_transpose_perm[..] {
                    [] => String::new(),
                    order => format!("T({})", list(order)),
                };
                let devices = match &self.iota_reshape_dims[..] {
                    [] => list(devices),
                    shape => format!("<=[{}]{transposed}", list(shape)),
                };
                let last = if self.replicate_on_last_tile_dim {
                    " last_tile_dim_replicate"
                } else {
                    ""
                };
                return Ok(format!("{{devices=[{sizes}]{devices}{last}}}"));
            }
            _ => {}
        }
        Err(Status::unimplemented(format!(
            "sharding {self:?} of an operand or result of a custom partitioning"
        )))
    }

    pub fn new(tiling: Option<&Tiling>) -> Self {
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
            ..Self::default()
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
            ..Self::default()
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

    /// The bytes are of jaxlib 0.12.0.1, of `NamedSharding` on a mesh of x=4 and y=2.
    #[test]
    fn shardings_of_xla_are_strings() {
        let text = |bytes: &[u8]| OpSharding::decode(bytes).unwrap().text();
        for (bytes, expected) in [
            (&b""[..], "{replicated}"),
            (
                b"\x08\x03\x1a\x03\x04\x01\x020\x01J\x01\x08R\x01\x00",
                "{devices=[4,1,2]<=[8]T(0) last_tile_dim_replicate}",
            ),
            (
                b"\x08\x03\x1a\x02\x02\x04J\x02\x04\x02R\x02\x01\x00",
                "{devices=[2,4]<=[4,2]T(1,0)}",
            ),
            (b"\x08\x03\x1a\x01\x02\"\x02\x01\x00", "{devices=[2]1,0}"),
            (b"\x08\x01\"\x01\x03", "{maximal device=3}"),
        ] {
            assert_eq!(text(bytes).unwrap(), expected);
        }
        // Manual; and a sharding along axes of a mesh.
        for bytes in [&b"\x08\x04"[..], b"r\x00"] {
            let error = text(bytes).unwrap_err();
            assert_eq!(error.code, crate::c_api::ErrorCode::UNIMPLEMENTED);
        }
    }

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
