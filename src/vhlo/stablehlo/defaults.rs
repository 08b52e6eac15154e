//! The defaults of the optional attributes of StableHLO.
//!
//! VHLO has no defaults: export writes them out, and import omits them.

use super::AttributeMaker;
use crate::{Arena, Attribute, AttributeId, Type, attribute::Enumeration};

/// The value of an omitted attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
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
pub fn defaults(family: &str) -> &'static [(&'static str, Default)] {
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
pub fn left_out_together(family: &str) -> Option<&'static [&'static str]> {
    match family {
        "custom_call" => Some(&["operand_layouts", "result_layouts"]),
        _ => None,
    }
}

impl Default {
    /// Returns true if an attribute has the default value.
    pub fn is(self, id: AttributeId, attributes: &Arena<Attribute>) -> bool {
        let splat = |wanted: i64| match attributes.get(id) {
            Attribute::Tensor { data, .. } => {
                let (words, rest) = data.as_chunks::<8>();
                let same = words.iter().all(|word| *word == wanted.to_le_bytes());
                same && rest.is_empty() && !words.is_empty()
            }
            _ => false,
        };
        match (self, attributes.get(id)) {
            (Self::False, Attribute::Boolean(value)) => !value,
            (Self::Integer(wanted), Attribute::Integer { bits, .. }) => *bits as i64 == wanted,
            (Self::EmptyString | Self::EmptyConfiguration, Attribute::String(bytes)) => {
                bytes.is_empty()
            }
            (Self::EmptyArray, Attribute::Array(elements)) => elements.is_empty(),
            (Self::EmptyDictionary | Self::EmptyConfiguration, Attribute::Dictionary(entries)) => {
                entries.is_empty()
            }
            (Self::EmptyTensor, Attribute::Tensor { data, .. }) => data.is_empty(),
            (Self::PerDimension(wanted), _) => splat(wanted),
            (Self::NoPadding, _) => splat(0),
            (Self::FalsePerDimension, Attribute::Tensor { data, .. }) => {
                !data.is_empty() && data.iter().all(|byte| *byte == 0)
            }
            (Self::PlainPrecision, Attribute::Array(elements)) => {
                let default = Attribute::Enumeration(Enumeration::Precision, 0);
                elements.iter().all(|id| *attributes.get(*id) == default)
            }
            (Self::NoComparisonType, Attribute::Enumeration(Enumeration::ComparisonType, 0))
            | (
                Self::OriginalApiVersion,
                Attribute::Enumeration(Enumeration::CustomCallApiVersion, 1),
            ) => true,
            (
                Self::AnyAccuracy,
                Attribute::ResultAccuracy {
                    atol: 0,
                    rtol: 0,
                    ulps: 0,
                    mode,
                },
            ) => {
                *attributes.get(*mode) == Attribute::Enumeration(Enumeration::ResultAccuracyMode, 0)
            }
            // They are parts of a structure, which is absent as a whole.
            (Self::NoAlgorithm, _) => false,
            _ => false,
        }
    }

    /// The attribute for an op with `dimensions` spatial dimensions.
    pub fn make(self, maker: &mut AttributeMaker, dimensions: usize) -> AttributeId {
        match self {
            Self::False => maker.boolean(false),
            Self::Integer(value) => maker.integer(value),
            Self::EmptyString | Self::EmptyConfiguration => maker.string(""),
            Self::EmptyArray => maker.attributes.intern(Attribute::Array(Vec::new())),
            Self::EmptyDictionary => maker.attributes.intern(Attribute::Dictionary(Vec::new())),
            Self::EmptyTensor => maker.list(&[]),
            Self::PerDimension(value) => maker.list(&vec![value; dimensions]),
            Self::FalsePerDimension => maker.booleans(&vec![false; dimensions]),
            Self::NoPadding => maker.integers(vec![dimensions as i64, 2], &vec![0; 2 * dimensions]),
            Self::PlainPrecision => {
                let precision = maker.case(Enumeration::Precision, 0);
                maker.attributes.intern(Attribute::Array(vec![precision; 2]))
            }
            Self::NoComparisonType => maker.case(Enumeration::ComparisonType, 0),
            Self::OriginalApiVersion => maker.case(Enumeration::CustomCallApiVersion, 1),
            Self::AnyAccuracy => maker.accuracy(0, [0.0; 2], 0),
            Self::NoAlgorithm => {
                let none = maker.types.intern(Type::None);
                maker.attributes.intern(Attribute::Type(none))
            }
        }
    }
}
