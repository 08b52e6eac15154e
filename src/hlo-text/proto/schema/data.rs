//! The messages of `xla/xla_data.proto`.

use super::super::text::{self, FieldText, ReadText};
use super::messages;
use crate::ParseError;

messages! {
    struct ShapeProto {
        #[prost(int32, tag = 2)] element_type: i32,
        #[prost(int64, repeated, tag = 3)] dimensions: Vec<i64>,
        #[prost(message, repeated, tag = 4)] tuple_shapes: Vec<ShapeProto>,
        #[prost(message, optional, tag = 5)] layout: Option<LayoutProto>,
        #[prost(bool, repeated, tag = 6)] is_dynamic_dimension: Vec<bool>,
    }

    struct LayoutProto {
        #[prost(int64, repeated, tag = 1)] minor_to_major: Vec<i64>,
        #[prost(message, repeated, tag = 6)] tiles: Vec<TileProto>,
        #[prost(int64, tag = 7)] element_size_in_bits: i64,
        #[prost(int64, tag = 8)] memory_space: i64,
        #[prost(message, optional, boxed, tag = 10)] physical_shape: Option<Box<ShapeProto>>,
        #[prost(int32, tag = 11)] index_primitive_type: i32,
        #[prost(int32, tag = 12)] pointer_primitive_type: i32,
        #[prost(int64, tag = 15)] dynamic_shape_metadata_prefix_bytes: i64,
        #[prost(int64, tag = 16)] tail_padding_alignment_in_elements: i64,
        #[prost(message, repeated, tag = 17)] split_configs: Vec<SplitConfigProto>,
    }

    struct TileProto {
        #[prost(int64, repeated, tag = 1)] dimensions: Vec<i64>,
    }

    struct SplitConfigProto {
        #[prost(int64, tag = 1)] dimension: i64,
        #[prost(int64, repeated, tag = 2)] split_indices: Vec<i64>,
    }

    struct OpMetadata {
        #[prost(string, tag = 1)] op_type: String,
        #[prost(string, tag = 2)] op_name: String,
        #[prost(string, tag = 3)] source_file: String,
        #[prost(int64, tag = 4)] source_line: i64,
        #[prost(string, tag = 12)] deduplicated_name: String,
        #[prost(int64, tag = 15)] stack_frame_id: i64,
        #[prost(string, tag = 16)] scheduling_name: String,
        #[prost(int64, tag = 17)] source_end_line: i64,
        #[prost(int64, tag = 18)] source_column: i64,
        #[prost(int64, tag = 19)] source_end_column: i64,
    }

    struct LiteralProto {
        #[prost(message, optional, tag = 1)] shape: Option<ShapeProto>,
        #[prost(bool, repeated, tag = 2)] preds: Vec<bool>,
        #[prost(bytes = "vec", tag = 3)] u8s: Vec<u8>,
        #[prost(int32, repeated, tag = 4)] s32s: Vec<i32>,
        #[prost(int64, repeated, tag = 5)] s64s: Vec<i64>,
        #[prost(uint32, repeated, tag = 6)] u32s: Vec<u32>,
        #[prost(uint64, repeated, tag = 7)] u64s: Vec<u64>,
        #[prost(float, repeated, tag = 8)] f32s: Vec<f32>,
        #[prost(double, repeated, tag = 9)] f64s: Vec<f64>,
        #[prost(message, repeated, tag = 10)] tuple_literals: Vec<LiteralProto>,
        #[prost(bytes = "vec", tag = 11)] f16s: Vec<u8>,
        #[prost(float, repeated, tag = 12)] c64s: Vec<f32>,
        #[prost(bytes = "vec", tag = 13)] bf16s: Vec<u8>,
        #[prost(bytes = "vec", tag = 15)] s8s: Vec<u8>,
        #[prost(bytes = "vec", tag = 16)] u16s: Vec<u8>,
        #[prost(bytes = "vec", tag = 17)] s16s: Vec<u8>,
        #[prost(double, repeated, tag = 18)] c128s: Vec<f64>,
        #[prost(bytes = "vec", tag = 19)] f8e5m2s: Vec<u8>,
        #[prost(bytes = "vec", tag = 20)] f8e4m3fns: Vec<u8>,
        #[prost(bytes = "vec", tag = 21)] s4s: Vec<u8>,
        #[prost(bytes = "vec", tag = 22)] u4s: Vec<u8>,
        #[prost(bytes = "vec", tag = 23)] f8e4m3b11fnuzs: Vec<u8>,
        #[prost(bytes = "vec", tag = 24)] f8e5m2fnuzs: Vec<u8>,
        #[prost(bytes = "vec", tag = 25)] f8e4m3fnuzs: Vec<u8>,
        #[prost(bytes = "vec", tag = 26)] s2s: Vec<u8>,
        #[prost(bytes = "vec", tag = 27)] u2s: Vec<u8>,
        #[prost(bytes = "vec", tag = 28)] f8e4m3s: Vec<u8>,
        #[prost(bytes = "vec", tag = 29)] f8e3m4s: Vec<u8>,
        #[prost(bytes = "vec", tag = 32)] f4e2m1fns: Vec<u8>,
        #[prost(bytes = "vec", tag = 33)] f8e8m0fnus: Vec<u8>,
    }

    struct Window {
        #[prost(message, repeated, tag = 1)] dimensions: Vec<WindowDimension>,
    }

    struct WindowDimension {
        #[prost(int64, tag = 1)] size: i64,
        #[prost(int64, tag = 2)] stride: i64,
        #[prost(int64, tag = 3)] padding_low: i64,
        #[prost(int64, tag = 4)] padding_high: i64,
        #[prost(int64, tag = 5)] window_dilation: i64,
        #[prost(int64, tag = 6)] base_dilation: i64,
        #[prost(bool, tag = 7)] window_reversal: bool,
    }

    struct ConvolutionDimensionNumbers {
        #[prost(int64, tag = 3)] kernel_input_feature_dimension: i64,
        #[prost(int64, tag = 4)] kernel_output_feature_dimension: i64,
        #[prost(int64, repeated, tag = 6)] kernel_spatial_dimensions: Vec<i64>,
        #[prost(int64, tag = 7)] input_batch_dimension: i64,
        #[prost(int64, tag = 8)] input_feature_dimension: i64,
        #[prost(int64, tag = 9)] output_batch_dimension: i64,
        #[prost(int64, tag = 10)] output_feature_dimension: i64,
        #[prost(int64, repeated, tag = 11)] input_spatial_dimensions: Vec<i64>,
        #[prost(int64, repeated, tag = 12)] output_spatial_dimensions: Vec<i64>,
    }

    struct PaddingConfig {
        #[prost(message, repeated, tag = 1)] dimensions: Vec<PaddingConfigDimension>,
    }

    struct PaddingConfigDimension {
        #[prost(int64, tag = 1)] edge_padding_low: i64,
        #[prost(int64, tag = 2)] edge_padding_high: i64,
        #[prost(int64, tag = 3)] interior_padding: i64,
    }

    struct DotDimensionNumbers {
        #[prost(int64, repeated, tag = 1)] lhs_contracting_dimensions: Vec<i64>,
        #[prost(int64, repeated, tag = 2)] rhs_contracting_dimensions: Vec<i64>,
        #[prost(int64, repeated, tag = 3)] lhs_batch_dimensions: Vec<i64>,
        #[prost(int64, repeated, tag = 4)] rhs_batch_dimensions: Vec<i64>,
    }

    struct GatherDimensionNumbers {
        #[prost(int64, repeated, tag = 1)] offset_dims: Vec<i64>,
        #[prost(int64, repeated, tag = 2)] collapsed_slice_dims: Vec<i64>,
        #[prost(int64, repeated, tag = 3)] start_index_map: Vec<i64>,
        #[prost(int64, tag = 4)] index_vector_dim: i64,
        #[prost(int64, repeated, tag = 5)] operand_batching_dims: Vec<i64>,
        #[prost(int64, repeated, tag = 6)] start_indices_batching_dims: Vec<i64>,
    }

    struct OpSharding {
        #[prost(int32, tag = 1)] r#type: i32,
        #[prost(int64, repeated, tag = 3)] tile_assignment_dimensions: Vec<i64>,
        #[prost(int64, repeated, tag = 4)] tile_assignment_devices: Vec<i64>,
        #[prost(message, repeated, tag = 5)] tuple_shardings: Vec<OpSharding>,
        #[prost(bool, tag = 6)] replicate_on_last_tile_dim: bool,
        #[prost(int32, repeated, tag = 8)] last_tile_dims: Vec<i32>,
        #[prost(int64, repeated, tag = 9)] iota_reshape_dims: Vec<i64>,
        #[prost(int64, repeated, tag = 10)] iota_transpose_perm: Vec<i64>,
        #[prost(bool, tag = 11)] is_shard_group: bool,
        #[prost(int64, tag = 12)] shard_group_id: i64,
        #[prost(int32, tag = 13)] shard_group_type: i32,
        #[prost(message, optional, boxed, tag = 14)]
        named_sharding: Option<Box<NamedShardingProto>>,
    }

    struct NamedShardingProto {
        #[prost(message, repeated, tag = 1)] tuple_shardings: Vec<NamedShardingProto>,
        #[prost(message, optional, tag = 2)] mesh: Option<MeshProto>,
        #[prost(message, repeated, tag = 3)] dim_shardings: Vec<DimensionSharding>,
        #[prost(message, repeated, tag = 4)] replicated_axes: Vec<AxisRefProto>,
        #[prost(message, repeated, tag = 5)] unreduced_axes: Vec<AxisRefProto>,
        #[prost(message, repeated, tag = 7)] manual_axes: Vec<AxisRefProto>,
    }

    struct MeshProto {
        #[prost(message, repeated, tag = 1)] axes: Vec<MeshAxis>,
        #[prost(int64, repeated, tag = 2)] device_ids: Vec<i64>,
        #[prost(message, optional, tag = 3)] iota_device_ids: Option<IotaDeviceIds>,
    }

    struct IotaDeviceIds {
        #[prost(int64, repeated, tag = 1)] iota_reshape_dims: Vec<i64>,
        #[prost(int64, repeated, tag = 2)] iota_transpose_perm: Vec<i64>,
    }

    struct MeshAxis {
        #[prost(string, tag = 1)] name: String,
        #[prost(int64, tag = 2)] size: i64,
    }

    struct DimensionSharding {
        #[prost(message, repeated, tag = 1)] axes: Vec<AxisRefProto>,
        #[prost(bool, tag = 2)] is_closed: bool,
    }

    struct AxisRefProto {
        #[prost(int64, tag = 1)] mesh_axis_index: i64,
        #[prost(message, optional, tag = 2)] sub_axis_info: Option<SubAxis>,
    }

    struct SubAxis {
        #[prost(int64, tag = 1)] pre_size: i64,
        #[prost(int64, tag = 2)] size: i64,
    }

    struct ScatterDimensionNumbers {
        #[prost(int64, repeated, tag = 1)] update_window_dims: Vec<i64>,
        #[prost(int64, repeated, tag = 2)] inserted_window_dims: Vec<i64>,
        #[prost(int64, repeated, tag = 3)] scatter_dims_to_operand_dims: Vec<i64>,
        #[prost(int64, tag = 4)] index_vector_dim: i64,
        #[prost(int64, repeated, tag = 5)] input_batching_dims: Vec<i64>,
        #[prost(int64, repeated, tag = 6)] scatter_indices_batching_dims: Vec<i64>,
    }

    struct ReplicaGroup {
        #[prost(int64, repeated, tag = 1)] replica_ids: Vec<i64>,
    }

    struct PrecisionConfig {
        #[prost(int32, repeated, tag = 1)] operand_precision: Vec<i32>,
        #[prost(int32, tag = 2)] algorithm: i32,
    }

    struct SourceTarget {
        #[prost(int64, tag = 1)] source: i64,
        #[prost(int64, tag = 2)] target: i64,
    }

    struct TriangularSolveOptions {
        #[prost(bool, tag = 1)] left_side: bool,
        #[prost(bool, tag = 2)] lower: bool,
        #[prost(bool, tag = 3)] unit_diagonal: bool,
        #[prost(int32, tag = 4)] transpose_a: i32,
    }

    struct ParameterReplication {
        #[prost(bool, repeated, tag = 1)] replicated_at_leaf_buffers: Vec<bool>,
    }

    struct CholeskyOptions {
        #[prost(bool, tag = 1)] lower: bool,
    }

    struct FrontendAttributes {
        #[prost(message, repeated, tag = 1)] map: Vec<FrontendAttribute>,
    }

    struct FrontendAttribute {
        #[prost(string, tag = 1)] key: String,
        #[prost(string, tag = 2)] value: String,
    }

    struct OutputOperandAliasing {
        #[prost(int64, repeated, tag = 1)] output_shape_index: Vec<i64>,
        #[prost(int64, tag = 2)] operand_index: i64,
        #[prost(int64, repeated, tag = 3)] operand_shape_index: Vec<i64>,
    }

    struct CollectiveDeviceListProto {
        #[prost(message, repeated, tag = 1)] replica_groups: Vec<ReplicaGroup>,
        #[prost(message, optional, tag = 2)]
        iota_replica_group_list: Option<IotaReplicaGroupListProto>,
    }

    struct IotaReplicaGroupListProto {
        #[prost(int64, tag = 1)] num_replica_groups: i64,
        #[prost(int64, tag = 2)] num_devices_per_group: i64,
        #[prost(int64, repeated, tag = 3)] iota_reshape_dims: Vec<i64>,
        #[prost(int64, repeated, tag = 4)] iota_transpose_perm: Vec<i64>,
    }

    struct RaggedDotDimensionNumbers {
        #[prost(message, optional, tag = 1)] dot_dimension_numbers: Option<DotDimensionNumbers>,
        #[prost(int64, repeated, tag = 2)] lhs_ragged_dimensions: Vec<i64>,
        #[prost(int64, repeated, tag = 3)] rhs_group_dimensions: Vec<i64>,
    }

    struct ResultAccuracy {
        #[prost(int32, tag = 1)] mode: i32,
        #[prost(message, optional, tag = 2)] tolerance: Option<Tolerance>,
    }

    struct Tolerance {
        #[prost(double, tag = 1)] atol: f64,
        #[prost(double, tag = 2)] rtol: f64,
        #[prost(int64, tag = 3)] ulps: i64,
    }

    struct MeshAxesReplicaGroupListProto {
        #[prost(message, optional, tag = 1)] mesh: Option<MeshProto>,
        #[prost(message, repeated, tag = 2)] axes: Vec<AxisRefProto>,
    }

    struct ProgramShapeProto {
        #[prost(message, repeated, tag = 1)] parameters: Vec<ShapeProto>,
        #[prost(message, optional, tag = 2)] result: Option<ShapeProto>,
        #[prost(string, repeated, tag = 3)] parameter_names: Vec<String>,
    }
}
