//! The attributes that a module of VHLO holds.
//!
//! Attributes and types refer to others by number, so that shared parts of an artifact stay shared.

use crate::types::TypeId;
use std::sync::Arc;

/// A byte string, not necessarily UTF-8.
pub type Bytes = Arc<[u8]>;

/// The number of an attribute of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttributeId(pub u32);

/// The enumerations of VHLO. Cases are numbered as in StableHLO.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Enumeration {
    ComparisonDirection,
    ComparisonType,
    CustomCallApiVersion,
    FftType,
    Precision,
    ResultAccuracyMode,
    RngAlgorithm,
    RngDistribution,
    Transpose,
}

impl Enumeration {
    /// The numbers of the cases.
    pub fn cases(self) -> std::ops::RangeInclusive<u32> {
        match self {
            Self::ComparisonDirection => 0..=5,
            Self::ComparisonType | Self::CustomCallApiVersion => 0..=4,
            Self::FftType | Self::Transpose => 0..=3,
            Self::Precision | Self::ResultAccuracyMode | Self::RngAlgorithm => 0..=2,
            Self::RngDistribution => 1..=2,
        }
    }
}

/// An attribute of VHLO, or of another dialect.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Attribute {
    Array(Vec<AttributeId>),
    Boolean(bool),
    Enumeration(Enumeration, u32),
    /// Names, which are strings, and values.
    Dictionary(Vec<(AttributeId, AttributeId)>),
    /// The bits of a float of the type.
    Float {
        ty: TypeId,
        bits: u64,
    },
    /// The bits of an integer of the type; bits beyond its width are zero.
    Integer {
        ty: TypeId,
        bits: u64,
    },
    OutputOperandAlias {
        output_tuple_indices: Vec<i64>,
        operand_index: i64,
        operand_tuple_indices: Vec<i64>,
    },
    String(Bytes),
    /// Elements in MLIR's storage format: all of them or, for a splat, one; booleans packed into
    /// bits.
    Tensor {
        ty: TypeId,
        data: Bytes,
    },
    Type(TypeId),
    /// Bounds of the dimensions of a tensor; `i64::MIN` for none.
    TypeExtensions(Vec<i64>),
    /// Tolerances as the bits of f64.
    ResultAccuracy {
        atol: u64,
        rtol: u64,
        ulps: i64,
        mode: AttributeId,
    },
    SubAxisInfo {
        pre_size: i64,
        size: i64,
    },
    AxisRef {
        name: AttributeId,
        sub_axis_info: Option<AttributeId>,
    },
    MeshAxis {
        name: AttributeId,
        size: i64,
    },
    Mesh {
        axes: AttributeId,
        device_ids: Option<AttributeId>,
    },
    ReplicaGroupMeshAxes {
        mesh: AttributeId,
        axes: AttributeId,
    },
    Builtin(Builtin),
    Location(Location),
    /// An attribute of another dialect, by its text.
    Text {
        dialect: Bytes,
        text: Bytes,
    },
    /// A component of a sharding, decoded to text after the artifact has been read.
    Sharding(Sharding),
}

/// Builtin attributes of MLIR: discardable attributes of the module and of ops outside of VHLO.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    Array(Vec<AttributeId>),
    Dictionary(Vec<(AttributeId, AttributeId)>),
    String(Bytes),
    FlatSymbolRef(AttributeId),
    Type(TypeId),
    Unit,
    Integer {
        ty: TypeId,
        bits: u64,
    },
    Float {
        ty: TypeId,
        bits: u64,
    },
    DenseArray {
        element: TypeId,
        size: u64,
        data: Bytes,
    },
    DenseElements {
        ty: TypeId,
        data: Bytes,
    },
}

/// The origin of an op.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Location {
    Unknown,
    FileLineCol {
        file: AttributeId,
        line: u64,
        column: u64,
    },
    /// Lines and columns of the start and the end.
    FileLineColRange {
        file: AttributeId,
        start: (u64, u64),
        end: (u64, u64),
    },
    Name {
        name: AttributeId,
        child: AttributeId,
    },
    CallSite {
        callee: AttributeId,
        caller: AttributeId,
    },
    Fused {
        locations: Vec<AttributeId>,
        metadata: Option<AttributeId>,
    },
}

/// Attributes of the Shardy dialect, `sdy`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sharding {
    ManualAxes(Vec<AttributeId>),
    MeshAxis {
        name: Bytes,
        size: i64,
    },
    Mesh {
        axes: Vec<AttributeId>,
        device_ids: Vec<i64>,
    },
    SubAxisInfo {
        pre_size: i64,
        size: i64,
    },
    AxisRef {
        name: Bytes,
        sub_axis_info: Option<AttributeId>,
    },
    Dimension {
        axes: Vec<AttributeId>,
        closed: bool,
        priority: Option<u64>,
    },
    Tensor {
        mesh_or_ref: AttributeId,
        dimensions: Vec<AttributeId>,
        replicated_axes: Vec<AttributeId>,
        unreduced_axes: Vec<AttributeId>,
        /// How values along these axes are combined: 0 adds, 1 is the maximum, 2 the minimum.
        reduction: u8,
    },
    PerValue(Vec<AttributeId>),
    DimMapping(Vec<i64>),
    TensorMapping(Vec<AttributeId>),
    OpShardingRule {
        factor_sizes: Vec<i64>,
        operand_mappings: Vec<AttributeId>,
        result_mappings: Vec<AttributeId>,
        reduction_factors: Vec<i64>,
        need_replication_factors: Vec<i64>,
        permutation_factors: Vec<i64>,
        blocked_propagation_factors: Vec<i64>,
        custom: bool,
    },
}

/// The references of an attribute or a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    Attribute(AttributeId),
    Type(TypeId),
}

impl Attribute {
    /// Calls a function with everything that the attribute refers to.
    pub fn visit(&self, mut function: impl FnMut(Reference)) {
        let mut one = |id: &AttributeId| function(Reference::Attribute(*id));
        match self {
            Self::Array(ids)
            | Self::Builtin(Builtin::Array(ids))
            | Self::Sharding(
                Sharding::ManualAxes(ids)
                | Sharding::Mesh { axes: ids, .. }
                | Sharding::Dimension { axes: ids, .. }
                | Sharding::PerValue(ids)
                | Sharding::TensorMapping(ids),
            ) => ids.iter().for_each(one),
            Self::Dictionary(entries) | Self::Builtin(Builtin::Dictionary(entries)) => {
                for (name, value) in entries {
                    one(name);
                    one(value);
                }
            }
            Self::Float { ty, .. }
            | Self::Integer { ty, .. }
            | Self::Tensor { ty, .. }
            | Self::Type(ty)
            | Self::Builtin(
                Builtin::Type(ty)
                | Builtin::Integer { ty, .. }
                | Builtin::Float { ty, .. }
                | Builtin::DenseArray { element: ty, .. }
                | Builtin::DenseElements { ty, .. },
            ) => function(Reference::Type(*ty)),
            Self::ResultAccuracy { mode: id, .. }
            | Self::MeshAxis { name: id, .. }
            | Self::Builtin(Builtin::FlatSymbolRef(id))
            | Self::Location(
                Location::FileLineCol { file: id, .. }
                | Location::FileLineColRange { file: id, .. },
            ) => one(id),
            Self::AxisRef {
                name: id,
                sub_axis_info: optional,
            }
            | Self::Mesh {
                axes: id,
                device_ids: optional,
            } => {
                one(id);
                optional.iter().for_each(one);
            }
            Self::ReplicaGroupMeshAxes { mesh: a, axes: b }
            | Self::Location(
                Location::Name { name: a, child: b }
                | Location::CallSite {
                    callee: a,
                    caller: b,
                },
            ) => {
                one(a);
                one(b);
            }
            Self::Location(Location::Fused {
                locations,
                metadata,
            }) => {
                locations.iter().for_each(&mut one);
                metadata.iter().for_each(one);
            }
            Self::Sharding(Sharding::AxisRef { sub_axis_info, .. }) => {
                sub_axis_info.iter().for_each(one);
            }
            Self::Sharding(Sharding::Tensor {
                mesh_or_ref,
                dimensions,
                replicated_axes,
                unreduced_axes,
                ..
            }) => {
                one(mesh_or_ref);
                for ids in [dimensions, replicated_axes, unreduced_axes] {
                    ids.iter().for_each(&mut one);
                }
            }
            Self::Sharding(Sharding::OpShardingRule {
                operand_mappings,
                result_mappings,
                ..
            }) => {
                operand_mappings.iter().for_each(&mut one);
                result_mappings.iter().for_each(one);
            }
            Self::Boolean(_)
            | Self::Enumeration(..)
            | Self::OutputOperandAlias { .. }
            | Self::String(_)
            | Self::TypeExtensions(_)
            | Self::SubAxisInfo { .. }
            | Self::Builtin(Builtin::String(_) | Builtin::Unit)
            | Self::Location(Location::Unknown)
            | Self::Text { .. }
            | Self::Sharding(
                Sharding::MeshAxis { .. } | Sharding::SubAxisInfo { .. } | Sharding::DimMapping(_),
            ) => {}
        }
    }
}
