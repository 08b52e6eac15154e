//! The enumerations of the messages.

/// An enumeration: its name, and the names of its values from 0 on.
pub(crate) struct Enumeration(&'static str, &'static [&'static str]);

impl Enumeration {
    /// The enumeration of a field.
    pub(crate) fn of_field(field: &str) -> Option<&'static Self> {
        Some(match field {
            "algorithm" => &ALGORITHM,
            "conv_kind" => &CONVOLUTION_KIND,
            "custom_call_api_version" => &CUSTOM_CALL_API_VERSION,
            "custom_call_schedule" => &CUSTOM_CALL_SCHEDULE,
            "distribution" => &RANDOM_DISTRIBUTION,
            "element_type" | "index_primitive_type" | "pointer_primitive_type" => &PRIMITIVE_TYPE,
            "fft_type" => &FFT_TYPE,
            "is_associative" => &TRI_STATE,
            "kind" => &ALIAS_KIND,
            "mode" => &ACCURACY_MODE,
            "operand_precision" => &PRECISION,
            "padding_type" => &PADDING_TYPE,
            "rng_algorithm" => &RANDOM_ALGORITHM,
            "shard_group_type" => &SHARD_GROUP_TYPE,
            "transpose_a" => &TRANSPOSE,
            "type" | "last_tile_dims" => &SHARDING_TYPE,
            _ => return None,
        })
    }

    /// The name of a number.
    ///
    /// # Errors
    /// Returns an error if the number is newer than the enumeration here.
    pub(crate) fn name(&self, number: i32) -> Result<&'static str, String> {
        let index = usize::try_from(number).ok();
        let found = index.and_then(|index| self.1.get(index)).copied();
        found.ok_or_else(|| format!("expected a value of {}, got {number}", self.0))
    }

    /// The number of a name.
    ///
    /// # Errors
    /// Returns an error if the name is not in the enumeration.
    pub(crate) fn number(&self, name: &str) -> Result<i32, String> {
        let found = (0..).zip(self.1).find(|(_, value)| **value == name);
        let found = found.map(|(number, _)| number);
        found.ok_or_else(|| format!("expected a value of {}, got '{name}'", self.0))
    }
}

pub(crate) static RANDOM_DISTRIBUTION: Enumeration = Enumeration(
    "RandomDistribution",
    &["RNG_INVALID", "RNG_UNIFORM", "RNG_NORMAL"],
);

pub(crate) static FFT_TYPE: Enumeration = Enumeration("FftType", &["FFT", "IFFT", "RFFT", "IRFFT"]);

pub(crate) static RANDOM_ALGORITHM: Enumeration = Enumeration(
    "RandomAlgorithm",
    &["RNG_DEFAULT", "RNG_THREE_FRY", "RNG_PHILOX"],
);

pub(crate) static PADDING_TYPE: Enumeration = Enumeration(
    "PaddingType",
    &["PADDING_INVALID", "PADDING_VALID", "PADDING_SAME"],
);

pub(crate) static CUSTOM_CALL_SCHEDULE: Enumeration = Enumeration(
    "CustomCallSchedule",
    &["SCHEDULE_NONE", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"],
);

pub(crate) static CUSTOM_CALL_API_VERSION: Enumeration = Enumeration(
    "CustomCallApiVersion",
    &[
        "API_VERSION_UNSPECIFIED",
        "API_VERSION_ORIGINAL",
        "API_VERSION_STATUS_RETURNING",
        "API_VERSION_STATUS_RETURNING_UNIFIED",
        "API_VERSION_TYPED_FFI",
    ],
);

pub(crate) static TRI_STATE: Enumeration = Enumeration(
    "TriState",
    &["TRI_STATE_UNSPECIFIED", "TRI_STATE_TRUE", "TRI_STATE_FALSE"],
);

pub(crate) static CONVOLUTION_KIND: Enumeration = Enumeration(
    "ConvolutionKind",
    &[
        "CONVOLUTION_KIND_UNSET",
        "CONVOLUTION_KIND_FPROP",
        "CONVOLUTION_KIND_DGRAD",
        "CONVOLUTION_KIND_WGRAD",
    ],
);

pub(crate) static PRIMITIVE_TYPE: Enumeration = Enumeration(
    "PrimitiveType",
    &[
        "PRIMITIVE_TYPE_INVALID",
        "PRED",
        "S8",
        "S16",
        "S32",
        "S64",
        "U8",
        "U16",
        "U32",
        "U64",
        "F16",
        "F32",
        "F64",
        "TUPLE",
        "OPAQUE_TYPE",
        "C64",
        "BF16",
        "TOKEN",
        "C128",
        "F8E5M2",
        "F8E4M3FN",
        "S4",
        "U4",
        "F8E4M3B11FNUZ",
        "F8E5M2FNUZ",
        "F8E4M3FNUZ",
        "S2",
        "U2",
        "F8E4M3",
        "F8E3M4",
        "S1",
        "U1",
        "F4E2M1FN",
        "F8E8M0FNU",
        "BUFFER",
    ],
);

pub(crate) static SHARDING_TYPE: Enumeration = Enumeration(
    "OpSharding.Type",
    &[
        "REPLICATED",
        "MAXIMAL",
        "TUPLE",
        "OTHER",
        "MANUAL",
        "UNKNOWN",
        "UNREDUCED",
    ],
);

pub(crate) static PRECISION: Enumeration =
    Enumeration("PrecisionConfig.Precision", &["DEFAULT", "HIGH", "HIGHEST"]);

pub(crate) static ALGORITHM: Enumeration = Enumeration(
    "PrecisionConfig.Algorithm",
    &[
        "ALG_UNSET",
        "ALG_DOT_ANY_F8_ANY_F8_F32",
        "ALG_DOT_ANY_F8_ANY_F8_F32_FAST_ACCUM",
        "ALG_DOT_F16_F16_F16",
        "ALG_DOT_F16_F16_F32",
        "ALG_DOT_BF16_BF16_BF16",
        "ALG_DOT_BF16_BF16_F32",
        "ALG_DOT_BF16_BF16_F32_X3",
        "ALG_DOT_BF16_BF16_F32_X6",
        "ALG_DOT_TF32_TF32_F32",
        "ALG_DOT_TF32_TF32_F32_X3",
        "ALG_DOT_F32_F32_F32",
        "ALG_DOT_F64_F64_F64",
        "ALG_DOT_BF16_BF16_F32_X9",
    ],
);

pub(crate) static TRANSPOSE: Enumeration = Enumeration(
    "TriangularSolveOptions.Transpose",
    &["TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"],
);

pub(crate) static ALIAS_KIND: Enumeration =
    Enumeration("Kind", &["UNDEFINED_ALIAS", "MAY_ALIAS", "MUST_ALIAS"]);

pub(crate) static SHARD_GROUP_TYPE: Enumeration =
    Enumeration("OpSharding.ShardGroupType", &["AS", "LIKE"]);

pub(crate) static ACCURACY_MODE: Enumeration =
    Enumeration("ResultAccuracy.Mode", &["DEFAULT", "HIGHEST"]);
