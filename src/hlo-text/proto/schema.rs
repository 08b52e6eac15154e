//! The messages of `xla/service/hlo.proto` and `xla/xla_data.proto`: the fields
//! that a module's meaning is said by, with their numbers. What is not here is
//! passed over where it is read.

mod words;

use Kind::{Bytes, Double, Flag, Float, Integer, Message, Text, Word};
use words::*;

/// The fields of a message: numbers, names and types.
pub(super) struct Schema(pub(super) &'static [(u32, &'static str, Kind)]);

/// The names of an enumeration.
pub(super) type Words = &'static [(i64, &'static str)];

/// The type of a field. Numbers may be repeated, packed or one by one.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Integer,
    Flag,
    Float,
    Double,
    Text,
    Bytes,
    Word(Words),
    Message(&'static Schema),
}

impl Schema {
    /// The field of a number.
    pub(super) fn numbered(&self, number: u32) -> Option<(&'static str, Kind)> {
        let mut fields = self.0.iter();
        let found = fields.find(|field| field.0 == number)?;
        Some((found.1, found.2))
    }

    /// The field of a name.
    pub(super) fn named(&self, name: &str) -> Option<(u32, Kind)> {
        let mut fields = self.0.iter();
        let found = fields.find(|field| field.1 == name)?;
        Some((found.0, found.2))
    }
}

pub(super) static HLO_SNAPSHOT: Schema = Schema(&[
    (1, "hlo", Message(&HLO_PROTO)),
    (2, "arguments", Message(&LITERAL)),
    (3, "result", Message(&LITERAL)),
    (4, "execution_platform", Text),
]);

pub(super) static HLO_PROTO: Schema = Schema(&[(1, "hlo_module", Message(&HLO_MODULE))]);

pub(super) static HLO_MODULE: Schema = Schema(&[
    (1, "name", Text),
    (2, "entry_computation_name", Text),
    (3, "computations", Message(&HLO_COMPUTATION)),
    (4, "host_program_shape", Message(&PROGRAM_SHAPE)),
    (5, "id", Integer),
    (6, "entry_computation_id", Integer),
    (7, "schedule", Message(&HLO_SCHEDULE)),
    (8, "input_output_alias", Message(&HLO_INPUT_OUTPUT_ALIAS)),
    (
        10,
        "cross_program_prefetches",
        Message(&CROSS_PROGRAM_PREFETCH),
    ),
    (11, "is_dynamic", Flag),
    (12, "spmd_output_sharding", Message(&OP_SHARDING)),
    (14, "spmd_parameters_shardings", Message(&OP_SHARDING)),
    (16, "use_auto_spmd_partitioning", Flag),
    (17, "stack_frame_index", Message(&STACK_FRAME_INDEX)),
    (18, "buffer_donor", Message(&HLO_BUFFER_DONOR)),
    (19, "frontend_attributes", Message(&FRONTEND_ATTRIBUTES)),
]);

static HLO_COMPUTATION: Schema = Schema(&[
    (1, "name", Text),
    (2, "instructions", Message(&HLO_INSTRUCTION)),
    (4, "program_shape", Message(&PROGRAM_SHAPE)),
    (5, "id", Integer),
    (6, "root_id", Integer),
    (7, "is_fusion_computation", Flag),
    (8, "execution_thread", Text),
]);

static HLO_INSTRUCTION: Schema = Schema(&[
    (1, "name", Text),
    (2, "opcode", Text),
    (3, "shape", Message(&SHAPE)),
    (7, "metadata", Message(&OP_METADATA)),
    (8, "literal", Message(&LITERAL)),
    (9, "parameter_number", Integer),
    (11, "fusion_kind", Text),
    (13, "tuple_index", Integer),
    (14, "dimensions", Integer),
    (15, "window", Message(&WINDOW)),
    (
        16,
        "convolution_dimension_numbers",
        Message(&CONVOLUTION_DIMENSION_NUMBERS),
    ),
    (17, "slice_dimensions", Message(&SLICE_DIMENSIONS)),
    (18, "exponent_bits", Integer),
    (19, "mantissa_bits", Integer),
    (20, "dynamic_slice_sizes", Integer),
    (21, "padding_config", Message(&PADDING_CONFIG)),
    (22, "outfeed_config", Bytes),
    (23, "distribution", Word(RANDOM_DISTRIBUTION)),
    (24, "epsilon", Float),
    (25, "feature_index", Integer),
    (26, "channel_id", Integer),
    (27, "infeed_config", Bytes),
    (28, "custom_call_target", Text),
    (29, "outfeed_shape", Message(&SHAPE)),
    (30, "dot_dimension_numbers", Message(&DOT_DIMENSION_NUMBERS)),
    (31, "fft_type", Word(FFT_TYPE)),
    (32, "fft_length", Integer),
    (
        33,
        "gather_dimension_numbers",
        Message(&GATHER_DIMENSION_NUMBERS),
    ),
    (34, "gather_slice_sizes", Integer),
    (35, "id", Integer),
    (36, "operand_ids", Integer),
    (37, "control_predecessor_ids", Integer),
    (38, "called_computation_ids", Integer),
    (40, "sharding", Message(&OP_SHARDING)),
    (43, "backend_config", Bytes),
    (47, "is_host_transfer", Flag),
    (
        48,
        "scatter_dimension_numbers",
        Message(&SCATTER_DIMENSION_NUMBERS),
    ),
    (49, "replica_groups", Message(&REPLICA_GROUP)),
    (50, "feature_group_count", Integer),
    (51, "precision_config", Message(&PRECISION_CONFIG)),
    (52, "source_target_pairs", Message(&SOURCE_TARGET)),
    (54, "domain_entry_sharding", Message(&OP_SHARDING)),
    (55, "domain_exit_sharding", Message(&OP_SHARDING)),
    (56, "constrain_layout", Flag),
    (57, "operand_shapes_with_layout", Message(&SHAPE)),
    (58, "batch_group_count", Integer),
    (
        59,
        "triangular_solve_options",
        Message(&TRIANGULAR_SOLVE_OPTIONS),
    ),
    (60, "is_stable", Flag),
    (61, "parameter_replication", Message(&PARAMETER_REPLICATION)),
    (62, "cholesky_options", Message(&CHOLESKY_OPTIONS)),
    (63, "comparison_direction", Text),
    (65, "custom_call_has_side_effect", Flag),
    (66, "delta", Integer),
    (67, "indices_are_sorted", Flag),
    (68, "frontend_attributes", Message(&FRONTEND_ATTRIBUTES)),
    (69, "unique_indices", Flag),
    (70, "rng_algorithm", Word(RANDOM_ALGORITHM)),
    (71, "use_global_device_ids", Flag),
    (72, "comparison_type", Text),
    (
        74,
        "output_operand_aliasing",
        Message(&OUTPUT_OPERAND_ALIASING),
    ),
    (75, "padding_type", Word(PADDING_TYPE)),
    (76, "custom_call_schedule", Word(CUSTOM_CALL_SCHEDULE)),
    (77, "custom_call_api_version", Word(CUSTOM_CALL_API_VERSION)),
    (79, "async_execution_thread", Text),
    (80, "cross_program_prefetch_index", Integer),
    (81, "k", Integer),
    (85, "largest", Flag),
    (
        87,
        "collective_device_list",
        Message(&COLLECTIVE_DEVICE_LIST),
    ),
    (89, "is_composite", Flag),
    (
        90,
        "ragged_dot_dimension_numbers",
        Message(&RAGGED_DOT_DIMENSION_NUMBERS),
    ),
    (91, "result_accuracy", Message(&RESULT_ACCURACY)),
    (
        92,
        "iota_collective_device_list",
        Message(&IOTA_REPLICA_GROUP_LIST),
    ),
    (
        93,
        "mesh_axes_replica_group_list",
        Message(&MESH_AXES_REPLICA_GROUP_LIST),
    ),
    (94, "is_reverse", Flag),
    (95, "num_carries", Integer),
    (96, "is_associative", Word(TRI_STATE)),
    (97, "conv_kind", Word(CONVOLUTION_KIND)),
]);

pub(super) static SHAPE: Schema = Schema(&[
    (2, "element_type", Word(PRIMITIVE_TYPE)),
    (3, "dimensions", Integer),
    (4, "tuple_shapes", Message(&SHAPE)),
    (5, "layout", Message(&LAYOUT)),
    (6, "is_dynamic_dimension", Flag),
]);

static LAYOUT: Schema = Schema(&[
    (1, "minor_to_major", Integer),
    (6, "tiles", Message(&TILE)),
    (7, "element_size_in_bits", Integer),
    (8, "memory_space", Integer),
    (10, "physical_shape", Message(&SHAPE)),
    (11, "index_primitive_type", Word(PRIMITIVE_TYPE)),
    (12, "pointer_primitive_type", Word(PRIMITIVE_TYPE)),
    (15, "dynamic_shape_metadata_prefix_bytes", Integer),
    (16, "tail_padding_alignment_in_elements", Integer),
    (17, "split_configs", Message(&SPLIT_CONFIG)),
]);

static TILE: Schema = Schema(&[(1, "dimensions", Integer)]);

static SPLIT_CONFIG: Schema = Schema(&[(1, "dimension", Integer), (2, "split_indices", Integer)]);

static OP_METADATA: Schema = Schema(&[
    (1, "op_type", Text),
    (2, "op_name", Text),
    (3, "source_file", Text),
    (4, "source_line", Integer),
    (12, "deduplicated_name", Text),
    (15, "stack_frame_id", Integer),
    (16, "scheduling_name", Text),
    (17, "source_end_line", Integer),
    (18, "source_column", Integer),
    (19, "source_end_column", Integer),
]);

pub(super) static LITERAL: Schema = Schema(&[
    (1, "shape", Message(&SHAPE)),
    (2, "preds", Flag),
    (3, "u8s", Bytes),
    (4, "s32s", Integer),
    (5, "s64s", Integer),
    (6, "u32s", Integer),
    (7, "u64s", Integer),
    (8, "f32s", Float),
    (9, "f64s", Double),
    (10, "tuple_literals", Message(&LITERAL)),
    (11, "f16s", Bytes),
    (12, "c64s", Float),
    (13, "bf16s", Bytes),
    (15, "s8s", Bytes),
    (16, "u16s", Bytes),
    (17, "s16s", Bytes),
    (18, "c128s", Double),
    (19, "f8e5m2s", Bytes),
    (20, "f8e4m3fns", Bytes),
    (21, "s4s", Bytes),
    (22, "u4s", Bytes),
    (23, "f8e4m3b11fnuzs", Bytes),
    (24, "f8e5m2fnuzs", Bytes),
    (25, "f8e4m3fnuzs", Bytes),
    (26, "s2s", Bytes),
    (27, "u2s", Bytes),
    (28, "f8e4m3s", Bytes),
    (29, "f8e3m4s", Bytes),
    (30, "s1s", Bytes),
    (31, "u1s", Bytes),
    (32, "f4e2m1fns", Bytes),
    (33, "f8e8m0fnus", Bytes),
]);

static WINDOW: Schema = Schema(&[(1, "dimensions", Message(&WINDOW_DIMENSION))]);

static WINDOW_DIMENSION: Schema = Schema(&[
    (1, "size", Integer),
    (2, "stride", Integer),
    (3, "padding_low", Integer),
    (4, "padding_high", Integer),
    (5, "window_dilation", Integer),
    (6, "base_dilation", Integer),
    (7, "window_reversal", Flag),
]);

static CONVOLUTION_DIMENSION_NUMBERS: Schema = Schema(&[
    (3, "kernel_input_feature_dimension", Integer),
    (4, "kernel_output_feature_dimension", Integer),
    (6, "kernel_spatial_dimensions", Integer),
    (7, "input_batch_dimension", Integer),
    (8, "input_feature_dimension", Integer),
    (9, "output_batch_dimension", Integer),
    (10, "output_feature_dimension", Integer),
    (11, "input_spatial_dimensions", Integer),
    (12, "output_spatial_dimensions", Integer),
]);

static SLICE_DIMENSIONS: Schema = Schema(&[
    (1, "start", Integer),
    (2, "limit", Integer),
    (3, "stride", Integer),
]);

static PADDING_CONFIG: Schema = Schema(&[(1, "dimensions", Message(&PADDING_CONFIG_DIMENSION))]);

static PADDING_CONFIG_DIMENSION: Schema = Schema(&[
    (1, "edge_padding_low", Integer),
    (2, "edge_padding_high", Integer),
    (3, "interior_padding", Integer),
]);

static DOT_DIMENSION_NUMBERS: Schema = Schema(&[
    (1, "lhs_contracting_dimensions", Integer),
    (2, "rhs_contracting_dimensions", Integer),
    (3, "lhs_batch_dimensions", Integer),
    (4, "rhs_batch_dimensions", Integer),
]);

static GATHER_DIMENSION_NUMBERS: Schema = Schema(&[
    (1, "offset_dims", Integer),
    (2, "collapsed_slice_dims", Integer),
    (3, "start_index_map", Integer),
    (4, "index_vector_dim", Integer),
    (5, "operand_batching_dims", Integer),
    (6, "start_indices_batching_dims", Integer),
]);

static OP_SHARDING: Schema = Schema(&[
    (1, "type", Word(SHARDING_TYPE)),
    (3, "tile_assignment_dimensions", Integer),
    (4, "tile_assignment_devices", Integer),
    (5, "tuple_shardings", Message(&OP_SHARDING)),
    (6, "replicate_on_last_tile_dim", Flag),
    (7, "metadata", Message(&OP_METADATA)),
    (8, "last_tile_dims", Word(SHARDING_TYPE)),
    (9, "iota_reshape_dims", Integer),
    (10, "iota_transpose_perm", Integer),
    (11, "is_shard_group", Flag),
    (12, "shard_group_id", Integer),
    (13, "shard_group_type", Word(SHARD_GROUP_TYPE)),
    (14, "named_sharding", Message(&NAMED_SHARDING)),
]);

static NAMED_SHARDING: Schema = Schema(&[
    (1, "tuple_shardings", Message(&NAMED_SHARDING)),
    (2, "mesh", Message(&MESH)),
    (3, "dim_shardings", Message(&DIMENSION_SHARDING)),
    (4, "replicated_axes", Message(&AXIS_REF)),
    (5, "unreduced_axes", Message(&AXIS_REF)),
    (6, "metadata", Message(&OP_METADATA)),
    (7, "manual_axes", Message(&AXIS_REF)),
]);

static MESH: Schema = Schema(&[
    (1, "axes", Message(&MESH_AXIS)),
    (2, "device_ids", Integer),
    (3, "iota_device_ids", Message(&MESH_IOTA)),
]);

static MESH_IOTA: Schema = Schema(&[
    (1, "iota_reshape_dims", Integer),
    (2, "iota_transpose_perm", Integer),
]);

static MESH_AXIS: Schema = Schema(&[(1, "name", Text), (2, "size", Integer)]);

static DIMENSION_SHARDING: Schema =
    Schema(&[(1, "axes", Message(&AXIS_REF)), (2, "is_closed", Flag)]);

static AXIS_REF: Schema = Schema(&[
    (1, "mesh_axis_index", Integer),
    (2, "sub_axis_info", Message(&SUB_AXIS)),
]);

static SUB_AXIS: Schema = Schema(&[(1, "pre_size", Integer), (2, "size", Integer)]);

static SCATTER_DIMENSION_NUMBERS: Schema = Schema(&[
    (1, "update_window_dims", Integer),
    (2, "inserted_window_dims", Integer),
    (3, "scatter_dims_to_operand_dims", Integer),
    (4, "index_vector_dim", Integer),
    (5, "input_batching_dims", Integer),
    (6, "scatter_indices_batching_dims", Integer),
]);

static REPLICA_GROUP: Schema = Schema(&[(1, "replica_ids", Integer)]);

static PRECISION_CONFIG: Schema = Schema(&[
    (1, "operand_precision", Word(PRECISION)),
    (2, "algorithm", Word(ALGORITHM)),
]);

static SOURCE_TARGET: Schema = Schema(&[(1, "source", Integer), (2, "target", Integer)]);

static TRIANGULAR_SOLVE_OPTIONS: Schema = Schema(&[
    (1, "left_side", Flag),
    (2, "lower", Flag),
    (3, "unit_diagonal", Flag),
    (4, "transpose_a", Word(TRANSPOSE)),
]);

static PARAMETER_REPLICATION: Schema = Schema(&[(1, "replicated_at_leaf_buffers", Flag)]);

static CHOLESKY_OPTIONS: Schema = Schema(&[(1, "lower", Flag)]);

static FRONTEND_ATTRIBUTES: Schema = Schema(&[(1, "map", Message(&FRONTEND_ATTRIBUTE))]);

static FRONTEND_ATTRIBUTE: Schema = Schema(&[(1, "key", Text), (2, "value", Text)]);

static OUTPUT_OPERAND_ALIASING: Schema = Schema(&[
    (1, "output_shape_index", Integer),
    (2, "operand_index", Integer),
    (3, "operand_shape_index", Integer),
]);

static COLLECTIVE_DEVICE_LIST: Schema = Schema(&[
    (1, "replica_groups", Message(&REPLICA_GROUP)),
    (
        2,
        "iota_replica_group_list",
        Message(&IOTA_REPLICA_GROUP_LIST),
    ),
]);

static IOTA_REPLICA_GROUP_LIST: Schema = Schema(&[
    (1, "num_replica_groups", Integer),
    (2, "num_devices_per_group", Integer),
    (3, "iota_reshape_dims", Integer),
    (4, "iota_transpose_perm", Integer),
]);

static RAGGED_DOT_DIMENSION_NUMBERS: Schema = Schema(&[
    (1, "dot_dimension_numbers", Message(&DOT_DIMENSION_NUMBERS)),
    (2, "lhs_ragged_dimensions", Integer),
    (3, "rhs_group_dimensions", Integer),
]);

static RESULT_ACCURACY: Schema = Schema(&[
    (1, "mode", Word(ACCURACY_MODE)),
    (2, "tolerance", Message(&TOLERANCE)),
]);

static TOLERANCE: Schema = Schema(&[
    (1, "atol", Double),
    (2, "rtol", Double),
    (3, "ulps", Integer),
]);

static MESH_AXES_REPLICA_GROUP_LIST: Schema =
    Schema(&[(1, "mesh", Message(&MESH)), (2, "axes", Message(&AXIS_REF))]);

static PROGRAM_SHAPE: Schema = Schema(&[
    (1, "parameters", Message(&SHAPE)),
    (2, "result", Message(&SHAPE)),
    (3, "parameter_names", Text),
]);

static HLO_SCHEDULE: Schema = Schema(&[(1, "sequences", Message(&SEQUENCE))]);

static SEQUENCE: Schema = Schema(&[
    (1, "key", Integer),
    (2, "value", Message(&INSTRUCTION_SEQUENCE)),
]);

static INSTRUCTION_SEQUENCE: Schema = Schema(&[(1, "instruction_ids", Integer)]);

static HLO_INPUT_OUTPUT_ALIAS: Schema = Schema(&[(1, "entries", Message(&ALIAS_ENTRY))]);

static ALIAS_ENTRY: Schema = Schema(&[
    (1, "output_shape_index", Integer),
    (2, "parameter_number", Integer),
    (3, "parameter_shape_index", Integer),
    (4, "kind", Word(ALIAS_KIND)),
]);

static CROSS_PROGRAM_PREFETCH: Schema = Schema(&[
    (1, "parameter", Integer),
    (2, "index", Integer),
    (3, "offset", Integer),
]);

static STACK_FRAME_INDEX: Schema = Schema(&[
    (1, "file_names", Text),
    (2, "function_names", Text),
    (3, "file_locations", Message(&FILE_LOCATION)),
    (4, "stack_frames", Message(&STACK_FRAME)),
]);

static FILE_LOCATION: Schema = Schema(&[
    (1, "file_name_id", Integer),
    (2, "function_name_id", Integer),
    (3, "line", Integer),
    (4, "column", Integer),
    (5, "end_line", Integer),
    (6, "end_column", Integer),
]);

static STACK_FRAME: Schema = Schema(&[
    (1, "file_location_id", Integer),
    (2, "parent_frame_id", Integer),
]);

static HLO_BUFFER_DONOR: Schema = Schema(&[(1, "entries", Message(&BUFFER_DONOR_ENTRY))]);

static BUFFER_DONOR_ENTRY: Schema = Schema(&[
    (1, "parameter_number", Integer),
    (2, "parameter_shape_index", Integer),
]);
