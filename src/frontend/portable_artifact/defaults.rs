//! The defaults of the optional attributes of StableHLO.
//!
//! VHLO has no defaults: export writes them out, and import omits them.

/// The value of an omitted attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Default {
    False,
    Integer(i64),
    EmptyString,
    /// An empty dictionary for the typed interface, else an empty string.
    EmptyConfiguration,
    EmptyArray,
    EmptyDictionary,
    /// `tensor<0xi64>`
    EmptyTensor,
    /// The number for every spatial dimension.
    PerDimension(i64),
    /// False for every spatial dimension.
    FalsePerDimension,
    /// Two zeros for every spatial dimension.
    NoPadding,
    /// `DEFAULT` for both operands.
    PlainPrecision,
    NoComparisonType,
    OriginalApiVersion,
    /// Mode `DEFAULT` without tolerances.
    AnyAccuracy,
    NoAlgorithm,
}

/// The defaults of the attributes of an op, by the names in VHLO.
pub(super) fn defaults(family: &str) -> &'static [(&'static str, Default)] {
    match family {
        "func" => &[
            ("arg_attrs", Default::EmptyArray),
            ("res_attrs", Default::EmptyArray),
            ("sym_visibility", Default::EmptyString),
        ],
        "all_gather" | "all_reduce" | "reduce_scatter" => &[
            ("channel_id", Default::Integer(0)),
            ("use_global_device_ids", Default::False),
        ],
        "all_to_all" | "collective_permute" => &[("channel_id", Default::Integer(0))],
        "collective_broadcast" => &[
            ("channel_id", Default::Integer(0)),
            ("has_dynamic_root", Default::False),
        ],
        "collective_reduce" => &[
            ("channel_id", Default::Integer(0)),
            ("has_dynamic_root", Default::False),
            ("use_global_device_ids", Default::False),
        ],
        "cholesky" => &[("lower", Default::False)],
        "compare" => &[("compare_type", Default::NoComparisonType)],
        "composite" => &[
            ("composite_attributes", Default::EmptyDictionary),
            ("version", Default::Integer(0)),
        ],
        "convolution" => &[
            ("lhs_dilation", Default::PerDimension(1)),
            ("padding", Default::NoPadding),
            ("precision_config", Default::PlainPrecision),
            ("rhs_dilation", Default::PerDimension(1)),
            ("window_reversal", Default::FalsePerDimension),
            ("window_strides", Default::PerDimension(1)),
        ],
        "dynamic_conv" => &[
            ("lhs_dilation", Default::PerDimension(1)),
            ("precision_config", Default::PlainPrecision),
            ("rhs_dilation", Default::PerDimension(1)),
            ("window_reversal", Default::FalsePerDimension),
            ("window_strides", Default::PerDimension(1)),
        ],
        "custom_call" => &[
            ("api_version", Default::OriginalApiVersion),
            ("backend_config", Default::EmptyConfiguration),
            ("called_computations", Default::EmptyArray),
            ("has_side_effect", Default::False),
            ("operand_layouts", Default::EmptyArray),
            ("output_operand_aliases", Default::EmptyArray),
            ("result_layouts", Default::EmptyArray),
            ("result_tilings", Default::EmptyArray),
        ],
        "dot_general" => &[
            ("accumulation_type", Default::NoAlgorithm),
            ("allow_imprecise_accumulation", Default::NoAlgorithm),
            ("lhs_component_count", Default::NoAlgorithm),
            ("lhs_precision_type", Default::NoAlgorithm),
            ("num_primitive_operations", Default::NoAlgorithm),
            ("precision_config", Default::PlainPrecision),
            ("rhs_component_count", Default::NoAlgorithm),
            ("rhs_precision_type", Default::NoAlgorithm),
        ],
        "dot" => &[("precision_config", Default::PlainPrecision)],
        "dynamic_broadcast_in_dim" => &[
            ("known_expanding_dimensions", Default::EmptyTensor),
            ("known_nonexpanding_dimensions", Default::EmptyTensor),
        ],
        "dynamic_gather" | "gather" => &[("indices_are_sorted", Default::False)],
        "infeed" => &[
            ("infeed_config", Default::EmptyString),
            ("layout", Default::EmptyArray),
        ],
        "outfeed" => &[("outfeed_config", Default::EmptyString)],
        "recv" | "send" => &[
            ("is_host_transfer", Default::False),
            ("source_target_pairs", Default::EmptyTensor),
        ],
        "reduce_window" => &[
            ("base_dilations", Default::PerDimension(1)),
            ("padding", Default::NoPadding),
            ("window_dilations", Default::PerDimension(1)),
            ("window_strides", Default::PerDimension(1)),
        ],
        "scatter" => &[
            ("indices_are_sorted", Default::False),
            ("unique_indices", Default::False),
        ],
        "select_and_scatter" => &[
            ("padding", Default::NoPadding),
            ("window_strides", Default::PerDimension(1)),
        ],
        "sort" => &[
            ("dimension", Default::Integer(-1)),
            ("is_stable", Default::False),
        ],
        "cbrt"
        | "cosine"
        | "exponential"
        | "exponential_minus_one"
        | "log"
        | "log_plus_one"
        | "logistic"
        | "rsqrt"
        | "sine"
        | "sqrt"
        | "tan"
        | "tanh" => &[("result_accuracy", Default::AnyAccuracy)],
        _ => &[],
    }
}

/// The attributes of an op that are omitted together or not at all.
pub(super) fn left_out_together(family: &str) -> Option<&'static [&'static str]> {
    match family {
        "custom_call" => Some(&["operand_layouts", "result_layouts"]),
        _ => None,
    }
}
