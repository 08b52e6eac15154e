//! The correspondence of attributes of VHLO and of StableHLO.

/// The StableHLO representation of an attribute of VHLO, if it is not the usual one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// The same kind.
    Plain,
    /// `array<i64: ...>` for a tensor of one dimension.
    Integers,
    /// `array<i1: ...>` for a tensor of one dimension.
    Booleans,
    /// A reference to a symbol for a string.
    Symbol,
    /// References to symbols for strings.
    Symbols,
    /// An attribute whose presence means true.
    Unit,
    /// A number with names, `1 : i32`.
    ApiVersion,
}

/// The encoding of an attribute of an op of StableHLO.
pub fn encoding(family: &str, name: &str) -> Encoding {
    match (family, name) {
        ("call", "callee") | ("composite", "decomposition") => Encoding::Symbol,
        ("custom_call", "called_computations") => Encoding::Symbols,
        ("custom_call", "api_version") => Encoding::ApiVersion,
        (
            "all_gather"
            | "all_reduce"
            | "collective_broadcast"
            | "collective_reduce"
            | "reduce_scatter",
            "use_global_device_ids" | "has_dynamic_root",
        ) => Encoding::Unit,
        ("convolution" | "dynamic_conv", "window_reversal") => Encoding::Booleans,
        ("convolution" | "dynamic_conv", "lhs_dilation" | "rhs_dilation" | "window_strides")
        | ("broadcast", "broadcast_sizes")
        | ("broadcast_in_dim", "broadcast_dimensions")
        | (
            "dynamic_broadcast_in_dim",
            "broadcast_dimensions" | "known_expanding_dimensions" | "known_nonexpanding_dimensions",
        )
        | ("dynamic_slice" | "gather", "slice_sizes")
        | ("fft", "fft_length")
        | ("map" | "reduce" | "reverse", "dimensions")
        | ("pad", "edge_padding_low" | "edge_padding_high" | "interior_padding")
        | (
            "reduce_window",
            "base_dilations" | "window_dilations" | "window_dimensions" | "window_strides",
        )
        | ("select_and_scatter", "window_dimensions" | "window_strides")
        | ("slice", "start_indices" | "limit_indices" | "strides")
        | ("transpose", "permutation") => Encoding::Integers,
        _ => Encoding::Plain,
    }
}

/// The attributes of VHLO that represent a structure of StableHLO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structure {
    ConvDimensionNumbers,
    DotAlgorithm,
    DotDimensionNumbers,
    GatherDimensionNumbers,
    ScatterDimensionNumbers,
    /// `channel_id`; the type of the channel follows from the op.
    Channel,
    /// `channel_id` and `channel_type`.
    ChannelWithType,
}

/// The structures among the attributes of an op of StableHLO, by name.
pub fn structures(family: &str) -> &'static [(&'static str, Structure)] {
    match family {
        "convolution" | "dynamic_conv" => &[("dimension_numbers", Structure::ConvDimensionNumbers)],
        "dot_general" => &[
            ("dot_dimension_numbers", Structure::DotDimensionNumbers),
            ("algorithm", Structure::DotAlgorithm),
        ],
        "gather" | "dynamic_gather" => &[("dimension_numbers", Structure::GatherDimensionNumbers)],
        "scatter" => &[(
            "scatter_dimension_numbers",
            Structure::ScatterDimensionNumbers,
        )],
        "all_gather"
        | "all_reduce"
        | "all_to_all"
        | "collective_broadcast"
        | "collective_permute"
        | "collective_reduce"
        | "reduce_scatter" => &[("channel_handle", Structure::Channel)],
        "send" | "recv" => &[("channel_handle", Structure::ChannelWithType)],
        _ => &[],
    }
}

impl Structure {
    /// The attributes of VHLO that it is split into.
    pub fn parts(self) -> &'static [&'static str] {
        match self {
            Self::ConvDimensionNumbers => &[
                "input_batch_dimension",
                "input_feature_dimension",
                "input_spatial_dimensions",
                "kernel_input_feature_dimension",
                "kernel_output_feature_dimension",
                "kernel_spatial_dimensions",
                "output_batch_dimension",
                "output_feature_dimension",
                "output_spatial_dimensions",
            ],
            Self::DotAlgorithm => &[
                "accumulation_type",
                "allow_imprecise_accumulation",
                "lhs_component_count",
                "lhs_precision_type",
                "num_primitive_operations",
                "rhs_component_count",
                "rhs_precision_type",
            ],
            Self::DotDimensionNumbers => &[
                "lhs_batching_dimensions",
                "rhs_batching_dimensions",
                "lhs_contracting_dimensions",
                "rhs_contracting_dimensions",
            ],
            Self::GatherDimensionNumbers => &[
                "offset_dims",
                "collapsed_slice_dims",
                "operand_batching_dims",
                "start_indices_batching_dims",
                "start_index_map",
                "index_vector_dim",
            ],
            Self::ScatterDimensionNumbers => &[
                "update_window_dims",
                "inserted_window_dims",
                "input_batching_dims",
                "scatter_indices_batching_dims",
                "scatter_dims_to_operand_dims",
                "index_vector_dim",
            ],
            Self::Channel => &["channel_id"],
            Self::ChannelWithType => &["channel_id", "channel_type"],
        }
    }
}
