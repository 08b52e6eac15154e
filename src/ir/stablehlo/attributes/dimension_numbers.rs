//! The roles of an operand's dimensions.

use super::access::dimension_struct;

dimension_struct! {
    /// `#stablehlo.dot`, the dimensions of `dot_general`.
    DotDimensionNumbers, RawDot,
    haloDotDimensionNumbersRead, haloDotDimensionNumbersBuild {
        lhs_batching_dimensions: dims,
        rhs_batching_dimensions: dims,
        lhs_contracting_dimensions: dims,
        rhs_contracting_dimensions: dims,
    }
}

dimension_struct! {
    /// `#chlo.ragged_dot`, the dimensions of `chlo.ragged_dot`.
    RaggedDotDimensionNumbers, RawRaggedDot,
    haloRaggedDotDimensionNumbersRead, haloRaggedDotDimensionNumbersBuild {
        lhs_batching_dimensions: dims,
        rhs_batching_dimensions: dims,
        lhs_contracting_dimensions: dims,
        rhs_contracting_dimensions: dims,
        lhs_ragged_dimensions: dims,
        rhs_group_dimensions: dims,
    }
}

dimension_struct! {
    /// `#stablehlo.gather`, the dimensions of `gather` and `dynamic_gather`.
    GatherDimensionNumbers, RawGather,
    haloGatherDimensionNumbersRead, haloGatherDimensionNumbersBuild {
        offset_dims: dims,
        collapsed_slice_dims: dims,
        operand_batching_dims: dims,
        start_indices_batching_dims: dims,
        start_index_map: dims,
        index_vector_dim: number,
    }
}

dimension_struct! {
    /// `#stablehlo.scatter`, the dimensions of `scatter`.
    ScatterDimensionNumbers, RawScatter,
    haloScatterDimensionNumbersRead, haloScatterDimensionNumbersBuild {
        update_window_dims: dims,
        inserted_window_dims: dims,
        input_batching_dims: dims,
        scatter_indices_batching_dims: dims,
        scatter_dims_to_operand_dims: dims,
        index_vector_dim: number,
    }
}

dimension_struct! {
    /// `#stablehlo.conv`, the dimensions of `convolution` and `dynamic_conv`.
    ConvDimensionNumbers, RawConv,
    haloConvDimensionNumbersRead, haloConvDimensionNumbersBuild {
        input_batch_dimension: number,
        input_feature_dimension: number,
        input_spatial_dimensions: dims,
        kernel_input_feature_dimension: number,
        kernel_output_feature_dimension: number,
        kernel_spatial_dimensions: dims,
        output_batch_dimension: number,
        output_feature_dimension: number,
        output_spatial_dimensions: dims,
    }
}
