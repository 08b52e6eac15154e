//! The enumerations of the messages.

use super::Words;

pub(super) const RANDOM_DISTRIBUTION: Words =
    &[(0, "RNG_INVALID"), (1, "RNG_UNIFORM"), (2, "RNG_NORMAL")];

pub(super) const FFT_TYPE: Words = &[(0, "FFT"), (1, "IFFT"), (2, "RFFT"), (3, "IRFFT")];

pub(super) const RANDOM_ALGORITHM: Words =
    &[(0, "RNG_DEFAULT"), (1, "RNG_THREE_FRY"), (2, "RNG_PHILOX")];

pub(super) const PADDING_TYPE: Words = &[
    (0, "PADDING_INVALID"),
    (1, "PADDING_VALID"),
    (2, "PADDING_SAME"),
];

pub(super) const CUSTOM_CALL_SCHEDULE: Words = &[
    (0, "SCHEDULE_NONE"),
    (1, "SCHEDULE_LATEST"),
    (2, "SCHEDULE_EARLIEST"),
];

pub(super) const CUSTOM_CALL_API_VERSION: Words = &[
    (0, "API_VERSION_UNSPECIFIED"),
    (1, "API_VERSION_ORIGINAL"),
    (2, "API_VERSION_STATUS_RETURNING"),
    (3, "API_VERSION_STATUS_RETURNING_UNIFIED"),
    (4, "API_VERSION_TYPED_FFI"),
];

pub(super) const TRI_STATE: Words = &[
    (0, "TRI_STATE_UNSPECIFIED"),
    (1, "TRI_STATE_TRUE"),
    (2, "TRI_STATE_FALSE"),
];

pub(super) const CONVOLUTION_KIND: Words = &[
    (0, "CONVOLUTION_KIND_UNSET"),
    (1, "CONVOLUTION_KIND_FPROP"),
    (2, "CONVOLUTION_KIND_DGRAD"),
    (3, "CONVOLUTION_KIND_WGRAD"),
];

pub(super) const PRIMITIVE_TYPE: Words = &[
    (0, "PRIMITIVE_TYPE_INVALID"),
    (1, "PRED"),
    (30, "S1"),
    (26, "S2"),
    (21, "S4"),
    (2, "S8"),
    (3, "S16"),
    (4, "S32"),
    (5, "S64"),
    (31, "U1"),
    (27, "U2"),
    (22, "U4"),
    (6, "U8"),
    (7, "U16"),
    (8, "U32"),
    (9, "U64"),
    (10, "F16"),
    (11, "F32"),
    (16, "BF16"),
    (12, "F64"),
    (19, "F8E5M2"),
    (28, "F8E4M3"),
    (20, "F8E4M3FN"),
    (23, "F8E4M3B11FNUZ"),
    (29, "F8E3M4"),
    (24, "F8E5M2FNUZ"),
    (25, "F8E4M3FNUZ"),
    (32, "F4E2M1FN"),
    (33, "F8E8M0FNU"),
    (15, "C64"),
    (18, "C128"),
    (13, "TUPLE"),
    (14, "OPAQUE_TYPE"),
    (17, "TOKEN"),
    (34, "BUFFER"),
];

pub(super) const SHARDING_TYPE: Words = &[
    (0, "REPLICATED"),
    (1, "MAXIMAL"),
    (2, "TUPLE"),
    (3, "OTHER"),
    (4, "MANUAL"),
    (5, "UNKNOWN"),
    (6, "UNREDUCED"),
];

pub(super) const SHARD_GROUP_TYPE: Words = &[(0, "AS"), (1, "LIKE")];

pub(super) const PRECISION: Words = &[(0, "DEFAULT"), (1, "HIGH"), (2, "HIGHEST")];

pub(super) const ALGORITHM: Words = &[
    (0, "ALG_UNSET"),
    (1, "ALG_DOT_ANY_F8_ANY_F8_F32"),
    (2, "ALG_DOT_ANY_F8_ANY_F8_F32_FAST_ACCUM"),
    (3, "ALG_DOT_F16_F16_F16"),
    (4, "ALG_DOT_F16_F16_F32"),
    (5, "ALG_DOT_BF16_BF16_BF16"),
    (6, "ALG_DOT_BF16_BF16_F32"),
    (7, "ALG_DOT_BF16_BF16_F32_X3"),
    (8, "ALG_DOT_BF16_BF16_F32_X6"),
    (9, "ALG_DOT_TF32_TF32_F32"),
    (10, "ALG_DOT_TF32_TF32_F32_X3"),
    (11, "ALG_DOT_F32_F32_F32"),
    (12, "ALG_DOT_F64_F64_F64"),
    (13, "ALG_DOT_BF16_BF16_F32_X9"),
];

pub(super) const TRANSPOSE: Words = &[
    (0, "TRANSPOSE_INVALID"),
    (1, "NO_TRANSPOSE"),
    (2, "TRANSPOSE"),
    (3, "ADJOINT"),
];

pub(super) const ACCURACY_MODE: Words = &[(0, "DEFAULT"), (1, "HIGHEST")];

pub(super) const ALIAS_KIND: Words = &[(0, "UNDEFINED_ALIAS"), (1, "MAY_ALIAS"), (2, "MUST_ALIAS")];
