/// `{size=3x3 stride=2x2 pad=1_1x1_1 lhs_dilate=... rhs_dilate=...
/// rhs_reversal=...}`, by dimension.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    pub dimensions: Vec<WindowDimension>,
}

/// A window along one dimension; fields that the text omits have their defaults here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowDimension {
    pub size: i64,
    pub stride: i64,
    pub padding_low: i64,
    pub padding_high: i64,
    /// Of the operand: `lhs_dilate`.
    pub base_dilation: i64,
    /// Of the window: `rhs_dilate`.
    pub window_dilation: i64,
    pub window_reversal: bool,
}

impl Default for WindowDimension {
    fn default() -> Self {
        Self {
            size: 1,
            stride: 1,
            padding_low: 0,
            padding_high: 0,
            base_dilation: 1,
            window_dilation: 1,
            window_reversal: false,
        }
    }
}

/// `b01f_01io->b01f`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConvolutionDimensionNumbers {
    pub input_batch: i64,
    pub input_feature: i64,
    pub input_spatial: Vec<i64>,
    pub kernel_input_feature: i64,
    pub kernel_output_feature: i64,
    pub kernel_spatial: Vec<i64>,
    pub output_batch: i64,
    pub output_feature: i64,
    pub output_spatial: Vec<i64>,
}

/// `[start:limit:stride]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceRange {
    pub start: i64,
    pub limit: i64,
    /// 1 if not written.
    pub stride: i64,
}

/// `low_high_interior` of one dimension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PaddingDimension {
    pub low: i64,
    pub high: i64,
    /// 0 if not written.
    pub interior: i64,
}

/// `{op_type="Add" op_name="f/add" source_file="f.py" source_line=3 ...}`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    pub op_type: Option<String>,
    pub op_name: Option<String>,
    pub source_file: Option<String>,
    pub source_line: Option<i64>,
    pub source_end_line: Option<i64>,
    pub source_column: Option<i64>,
    pub source_end_column: Option<i64>,
    /// Into [`super::StackFrames`].
    pub stack_frame_id: Option<i64>,
    /// Everything else (`deduplicated_name`, `profile_type={...}`,
    /// `scheduling_name`, ...): names and values as they are written.
    pub others: Vec<(String, String)>,
}

/// `{0}: (1, {2}, may-alias)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The position within the result's tuple.
    pub output_index: Vec<i64>,
    pub parameter: i64,
    /// The position within that parameter's or operand's tuple.
    pub parameter_index: Vec<i64>,
    /// Written for `input_output_alias` only.
    pub kind: Option<AliasKind>,
}

/// Whether an alias is mandatory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AliasKind {
    May,
    Must,
}

/// `{mode=highest}` or `{tolerance={atol=0.1, rtol=0.1, ulps=10}}`
#[derive(Clone, Debug, PartialEq)]
pub enum ResultAccuracy {
    Mode(String),
    Tolerance { atol: f64, rtol: f64, ulps: i64 },
}
