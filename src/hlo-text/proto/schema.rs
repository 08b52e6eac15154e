//! The messages of `xla/service/hlo.proto`, and in [`data`] of `xla/xla_data.proto`: the fields
//! that the syntax tree represents. Others are skipped.
//!
//! Integers of attributes are `int64`, whatever their width, and enumerations are numbers that
//! [`enumerations`] names: the encoding is the same.

mod data;
pub(super) mod enumerations;

use super::text::{self, FieldText, ReadText};
use crate::ParseError;

pub(super) use data::*;

/// Declares messages, whose fields are also read from text by their names.
macro_rules! messages {
    ($(struct $message:ident {
        $(#[prost($($encoding:tt)*)] $field:ident: $type:ty,)*
    })*) => {$(
        #[derive(Clone, PartialEq, prost::Message)]
        pub(in crate::proto) struct $message {
            $(#[prost($($encoding)*)] pub(in crate::proto) $field: $type,)*
        }

        impl ReadText for $message {
            fn read_text(&mut self, field: &FieldText) -> Result<(), ParseError> {
                for inner in field.message()? {
                    match text::identifier(inner.name) {
                        $(stringify!($field) => self.$field.read_text(inner)?,)*
                        _ => {}
                    }
                }
                Ok(())
            }
        }
    )*};
}
use messages;

messages! {
    struct HloSnapshot {
        #[prost(message, optional, tag = 1)] hlo: Option<HloProto>,
        #[prost(message, repeated, tag = 2)] arguments: Vec<LiteralProto>,
        #[prost(message, optional, tag = 3)] result: Option<LiteralProto>,
    }

    struct HloProto {
        #[prost(message, optional, tag = 1)] hlo_module: Option<HloModuleProto>,
    }

    struct HloModuleProto {
        #[prost(string, tag = 1)] name: String,
        #[prost(string, tag = 2)] entry_computation_name: String,
        #[prost(message, repeated, tag = 3)] computations: Vec<HloComputationProto>,
        #[prost(message, optional, tag = 4)] host_program_shape: Option<ProgramShapeProto>,
        #[prost(int64, optional, tag = 6)] entry_computation_id: Option<i64>,
        #[prost(message, optional, tag = 7)] schedule: Option<HloScheduleProto>,
        #[prost(message, optional, tag = 8)] input_output_alias: Option<HloInputOutputAliasProto>,
        #[prost(message, repeated, tag = 10)] cross_program_prefetches: Vec<CrossProgramPrefetch>,
        #[prost(bool, tag = 11)] is_dynamic: bool,
        #[prost(message, optional, tag = 12)] spmd_output_sharding: Option<OpSharding>,
        #[prost(message, repeated, tag = 14)] spmd_parameters_shardings: Vec<OpSharding>,
        #[prost(bool, tag = 16)] use_auto_spmd_partitioning: bool,
        #[prost(message, optional, tag = 17)] stack_frame_index: Option<StackFrameIndexProto>,
        #[prost(message, optional, tag = 18)] buffer_donor: Option<HloBufferDonorProto>,
        #[prost(message, optional, tag = 19)] frontend_attributes: Option<FrontendAttributes>,
    }

    struct HloComputationProto {
        #[prost(string, tag = 1)] name: String,
        #[prost(message, repeated, tag = 2)] instructions: Vec<HloInstructionProto>,
        #[prost(message, optional, tag = 4)] program_shape: Option<ProgramShapeProto>,
        #[prost(int64, tag = 5)] id: i64,
        #[prost(int64, tag = 6)] root_id: i64,
        #[prost(bool, tag = 7)] is_fusion_computation: bool,
        #[prost(string, tag = 8)] execution_thread: String,
    }

    struct HloInstructionProto {
        #[prost(string, tag = 1)] name: String,
        #[prost(string, tag = 2)] opcode: String,
        #[prost(message, optional, tag = 3)] shape: Option<ShapeProto>,
        #[prost(message, optional, boxed, tag = 7)] metadata: Option<Box<OpMetadata>>,
        #[prost(message, optional, boxed, tag = 8)] literal: Option<Box<LiteralProto>>,
        #[prost(int64, tag = 9)] parameter_number: i64,
        #[prost(string, tag = 11)] fusion_kind: String,
        #[prost(int64, tag = 13)] tuple_index: i64,
        #[prost(int64, repeated, tag = 14)] dimensions: Vec<i64>,
        #[prost(message, optional, boxed, tag = 15)] window: Option<Box<Window>>,
        #[prost(message, optional, boxed, tag = 16)]
        convolution_dimension_numbers: Option<Box<ConvolutionDimensionNumbers>>,
        #[prost(message, repeated, tag = 17)] slice_dimensions: Vec<SliceDimensions>,
        #[prost(int64, tag = 18)] exponent_bits: i64,
        #[prost(int64, tag = 19)] mantissa_bits: i64,
        #[prost(int64, repeated, tag = 20)] dynamic_slice_sizes: Vec<i64>,
        #[prost(message, optional, boxed, tag = 21)] padding_config: Option<Box<PaddingConfig>>,
        #[prost(string, tag = 22)] outfeed_config: String,
        #[prost(int32, tag = 23)] distribution: i32,
        #[prost(float, tag = 24)] epsilon: f32,
        #[prost(int64, tag = 25)] feature_index: i64,
        #[prost(int64, tag = 26)] channel_id: i64,
        #[prost(string, tag = 27)] infeed_config: String,
        #[prost(string, tag = 28)] custom_call_target: String,
        #[prost(message, optional, boxed, tag = 29)] outfeed_shape: Option<Box<ShapeProto>>,
        #[prost(message, optional, boxed, tag = 30)]
        dot_dimension_numbers: Option<Box<DotDimensionNumbers>>,
        #[prost(int32, tag = 31)] fft_type: i32,
        #[prost(int64, repeated, tag = 32)] fft_length: Vec<i64>,
        #[prost(message, optional, boxed, tag = 33)]
        gather_dimension_numbers: Option<Box<GatherDimensionNumbers>>,
        #[prost(int64, repeated, tag = 34)] gather_slice_sizes: Vec<i64>,
        #[prost(int64, tag = 35)] id: i64,
        #[prost(int64, repeated, tag = 36)] operand_ids: Vec<i64>,
        #[prost(int64, repeated, tag = 37)] control_predecessor_ids: Vec<i64>,
        #[prost(int64, repeated, tag = 38)] called_computation_ids: Vec<i64>,
        #[prost(message, optional, boxed, tag = 40)] sharding: Option<Box<OpSharding>>,
        #[prost(string, tag = 43)] backend_config: String,
        #[prost(bool, tag = 47)] is_host_transfer: bool,
        #[prost(message, optional, boxed, tag = 48)]
        scatter_dimension_numbers: Option<Box<ScatterDimensionNumbers>>,
        #[prost(message, repeated, tag = 49)] replica_groups: Vec<ReplicaGroup>,
        #[prost(int64, tag = 50)] feature_group_count: i64,
        #[prost(message, optional, boxed, tag = 51)] precision_config: Option<Box<PrecisionConfig>>,
        #[prost(message, repeated, tag = 52)] source_target_pairs: Vec<SourceTarget>,
        #[prost(message, optional, boxed, tag = 54)] domain_entry_sharding: Option<Box<OpSharding>>,
        #[prost(message, optional, boxed, tag = 55)] domain_exit_sharding: Option<Box<OpSharding>>,
        #[prost(bool, tag = 56)] constrain_layout: bool,
        #[prost(message, repeated, tag = 57)] operand_shapes_with_layout: Vec<ShapeProto>,
        #[prost(int64, tag = 58)] batch_group_count: i64,
        #[prost(message, optional, boxed, tag = 59)]
        triangular_solve_options: Option<Box<TriangularSolveOptions>>,
        #[prost(bool, tag = 60)] is_stable: bool,
        #[prost(message, optional, boxed, tag = 61)]
        parameter_replication: Option<Box<ParameterReplication>>,
        #[prost(message, optional, boxed, tag = 62)] cholesky_options: Option<Box<CholeskyOptions>>,
        #[prost(string, tag = 63)] comparison_direction: String,
        #[prost(bool, tag = 65)] custom_call_has_side_effect: bool,
        #[prost(int64, tag = 66)] delta: i64,
        #[prost(bool, tag = 67)] indices_are_sorted: bool,
        #[prost(message, optional, boxed, tag = 68)]
        frontend_attributes: Option<Box<FrontendAttributes>>,
        #[prost(bool, tag = 69)] unique_indices: bool,
        #[prost(int32, tag = 70)] rng_algorithm: i32,
        #[prost(bool, tag = 71)] use_global_device_ids: bool,
        #[prost(string, tag = 72)] comparison_type: String,
        #[prost(message, repeated, tag = 74)] output_operand_aliasing: Vec<OutputOperandAliasing>,
        #[prost(int32, tag = 75)] padding_type: i32,
        #[prost(int32, tag = 76)] custom_call_schedule: i32,
        #[prost(int32, tag = 77)] custom_call_api_version: i32,
        #[prost(string, tag = 79)] async_execution_thread: String,
        #[prost(int64, optional, tag = 80)] cross_program_prefetch_index: Option<i64>,
        #[prost(int64, tag = 81)] k: i64,
        #[prost(bool, tag = 85)] largest: bool,
        #[prost(message, optional, boxed, tag = 87)]
        collective_device_list: Option<Box<CollectiveDeviceListProto>>,
        #[prost(bool, tag = 89)] is_composite: bool,
        #[prost(message, optional, boxed, tag = 90)]
        ragged_dot_dimension_numbers: Option<Box<RaggedDotDimensionNumbers>>,
        #[prost(message, optional, boxed, tag = 91)] result_accuracy: Option<Box<ResultAccuracy>>,
        #[prost(message, optional, boxed, tag = 92)]
        iota_collective_device_list: Option<Box<IotaReplicaGroupListProto>>,
        #[prost(message, optional, boxed, tag = 93)]
        mesh_axes_replica_group_list: Option<Box<MeshAxesReplicaGroupListProto>>,
        #[prost(bool, tag = 94)] is_reverse: bool,
        #[prost(int64, tag = 95)] num_carries: i64,
        #[prost(int32, tag = 96)] is_associative: i32,
        #[prost(int32, tag = 97)] conv_kind: i32,
    }

    struct SliceDimensions {
        #[prost(int64, tag = 1)] start: i64,
        #[prost(int64, tag = 2)] limit: i64,
        #[prost(int64, optional, tag = 3)] stride: Option<i64>,
    }

    struct HloScheduleProto {
        #[prost(message, repeated, tag = 1)] sequences: Vec<Sequence>,
    }

    struct Sequence {
        #[prost(int64, tag = 1)] key: i64,
        #[prost(message, optional, tag = 2)] value: Option<InstructionSequence>,
    }

    struct InstructionSequence {
        #[prost(int64, repeated, tag = 1)] instruction_ids: Vec<i64>,
    }

    struct HloInputOutputAliasProto {
        #[prost(message, repeated, tag = 1)] entries: Vec<AliasEntry>,
    }

    struct AliasEntry {
        #[prost(int64, repeated, tag = 1)] output_shape_index: Vec<i64>,
        #[prost(int64, tag = 2)] parameter_number: i64,
        #[prost(int64, repeated, tag = 3)] parameter_shape_index: Vec<i64>,
        #[prost(int32, tag = 4)] kind: i32,
    }

    struct CrossProgramPrefetch {
        #[prost(int64, tag = 1)] parameter: i64,
        #[prost(int64, repeated, tag = 2)] index: Vec<i64>,
        #[prost(int64, tag = 3)] offset: i64,
    }

    struct StackFrameIndexProto {
        #[prost(string, repeated, tag = 1)] file_names: Vec<String>,
        #[prost(string, repeated, tag = 2)] function_names: Vec<String>,
        #[prost(message, repeated, tag = 3)] file_locations: Vec<FileLocation>,
        #[prost(message, repeated, tag = 4)] stack_frames: Vec<StackFrame>,
    }

    struct FileLocation {
        #[prost(int64, tag = 1)] file_name_id: i64,
        #[prost(int64, tag = 2)] function_name_id: i64,
        #[prost(int64, tag = 3)] line: i64,
        #[prost(int64, tag = 4)] column: i64,
        #[prost(int64, tag = 5)] end_line: i64,
        #[prost(int64, tag = 6)] end_column: i64,
    }

    struct StackFrame {
        #[prost(int64, tag = 1)] file_location_id: i64,
        #[prost(int64, tag = 2)] parent_frame_id: i64,
    }

    struct HloBufferDonorProto {
        #[prost(message, repeated, tag = 1)] entries: Vec<BufferDonorEntry>,
    }

    struct BufferDonorEntry {
        #[prost(int64, tag = 1)] parameter_number: i64,
        #[prost(int64, repeated, tag = 2)] parameter_shape_index: Vec<i64>,
    }
}
