//! Values of attributes with a structure: windows, convolution dimensions, slices, paddings,
//! aliases, accuracies, metadata.

use super::{
    cursor::{Cursor, Item},
    grammar::Rule,
    text,
    tree::integer,
};
use crate::ParseError;
use crate::{
    Alias, AliasKind, ConvolutionDimensionNumbers, Metadata, PaddingDimension, ResultAccuracy,
    SliceRange, Window, WindowDimension,
};

/// `{size=3x3 stride=2x2 pad=1_1x1_1}`
pub(super) fn take_window(cursor: &mut Cursor) -> Result<Window, ParseError> {
    let item = cursor.take(Rule::window)?;
    let mut dimensions: Vec<WindowDimension> = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    let parts: Vec<Item> = item.children().collect();
    // The size determines the number of dimensions, wherever it stands.
    for pair in parts.chunks_exact(2) {
        let [key, value] = pair else { continue };
        if key.text() == "size" && dimensions.is_empty() {
            let count = value.text().split('x').count();
            dimensions.resize_with(count, WindowDimension::default);
        }
    }
    for pair in parts.chunks_exact(2) {
        let [key, value] = pair else { continue };
        let name = key.text();
        if seen.contains(&name) {
            let message = format!("'{name}' is written twice");
            return Err(cursor.error_at(key.offset(), message));
        }
        seen.push(name);
        let mut numbers: Vec<&str> = value.text().split('x').collect();
        if name == "rhs_reversal" {
            // XLA reads the first ones, and takes 0 for missing ones.
            numbers.resize(dimensions.len(), "0");
        }
        if numbers.len() != dimensions.len() {
            let message = format!(
                "'{name}' has {} dimensions, but 'size' has {}",
                numbers.len(),
                dimensions.len()
            );
            return Err(cursor.error_at(value.offset(), message));
        }
        for (dimension, number) in dimensions.iter_mut().zip(numbers) {
            let at = value.offset();
            if name == "pad" {
                let Some((low, high)) = number.split_once('_') else {
                    return Err(cursor.error_at(at, "a padding is two numbers joined by '_'"));
                };
                dimension.padding_low = integer(cursor, at, low)?;
                dimension.padding_high = integer(cursor, at, high)?;
                continue;
            }
            let number = integer(cursor, at, number)?;
            match name {
                "size" => dimension.size = number,
                "stride" => dimension.stride = number,
                "lhs_dilate" => dimension.base_dilation = number,
                "rhs_dilate" => dimension.window_dilation = number,
                "rhs_reversal" => dimension.window_reversal = number == 1,
                _ => {
                    let message = format!("a window has no field '{name}'");
                    return Err(cursor.error_at(key.offset(), message));
                }
            }
        }
    }
    Ok(Window { dimensions })
}

/// `b01f_01io->b01f`
pub(super) fn take_dimension_labels(
    cursor: &mut Cursor,
) -> Result<ConvolutionDimensionNumbers, ParseError> {
    let item = cursor.take(Rule::dimension_labels)?;
    let parse = || {
        let (input, rest) = item.text().split_once('_')?;
        let (kernel, output) = rest.split_once("->")?;
        let input = labels(input, ['b', 'f'])?;
        let kernel = labels(kernel, ['i', 'o'])?;
        let output = labels(output, ['b', 'f'])?;
        let spatial = input.1.len();
        if kernel.1.len() != spatial || output.1.len() != spatial {
            return None;
        }
        Some(ConvolutionDimensionNumbers {
            input_batch: input.0[0],
            input_feature: input.0[1],
            input_spatial: input.1,
            kernel_input_feature: kernel.0[0],
            kernel_output_feature: kernel.0[1],
            kernel_spatial: kernel.1,
            output_batch: output.0[0],
            output_feature: output.0[1],
            output_spatial: output.1,
        })
    };
    parse().ok_or_else(|| {
        let message = "these labels do not name each dimension once";
        cursor.error_at(item.offset(), message)
    })
}

/// The positions of two letters, and of the digits 0, 1, ... in this order.
fn labels(text: &str, letters: [char; 2]) -> Option<([i64; 2], Vec<i64>)> {
    let mut named = [None; 2];
    let mut spatial = [None; 10];
    for (position, label) in text.chars().enumerate() {
        let slot = match label {
            // A dimension that the convolution does not use.
            '?' => continue,
            _ if label == letters[0] => &mut named[0],
            _ if label == letters[1] => &mut named[1],
            _ => spatial.get_mut(usize::try_from(label.to_digit(10)?).ok()?)?,
        };
        if slot.replace(i64::try_from(position).ok()?).is_some() {
            return None;
        }
    }
    let count = spatial.iter().flatten().count();
    let spatial: Option<Vec<i64>> = spatial.into_iter().take(count).collect();
    Some(([named[0]?, named[1]?], spatial?))
}

/// `{[0:4:2], [1:3]}`
pub(super) fn take_slice_ranges(cursor: &mut Cursor) -> Result<Vec<SliceRange>, ParseError> {
    let item = cursor.take(Rule::slice_ranges)?;
    let ranges = item.children().map(|range| {
        let numbers = range.integers(cursor)?;
        match numbers.as_slice() {
            [start, limit, rest @ ..] => Ok(SliceRange {
                start: *start,
                limit: *limit,
                stride: rest.first().copied().unwrap_or(1),
            }),
            _ => Err(cursor.expected_at(range.offset(), "a start and a limit")),
        }
    });
    ranges.collect()
}

/// `0_0x1_2_1`
pub(super) fn take_padding(cursor: &mut Cursor) -> Result<Vec<PaddingDimension>, ParseError> {
    let item = cursor.take(Rule::padding)?;
    let dimensions = item.text().split('x').map(|dimension| {
        let numbers = dimension.split('_');
        let numbers = numbers.map(|number| integer(cursor, item.offset(), number));
        match numbers.collect::<Result<Vec<_>, ParseError>>()?.as_slice() {
            [low, high, rest @ ..] if rest.len() < 2 => Ok(PaddingDimension {
                low: *low,
                high: *high,
                interior: rest.first().copied().unwrap_or_default(),
            }),
            _ => {
                let message = "a padding is two or three numbers joined by '_'";
                Err(cursor.error_at(item.offset(), message))
            }
        }
    });
    dimensions.collect()
}

/// `{ {0}: (0, {}, may-alias), {1}: (1, {0}) }`
pub(super) fn take_aliases(cursor: &mut Cursor) -> Result<Vec<Alias>, ParseError> {
    let item = cursor.take(Rule::aliases)?;
    item.children().map(|part| alias(cursor, &part)).collect()
}

fn alias(cursor: &Cursor, item: &Item) -> Result<Alias, ParseError> {
    let mut lists = Vec::new();
    let mut parameter = 0;
    let mut kind = None;
    for part in item.children() {
        match part.rule() {
            Rule::integers => lists.push(part.integers(cursor)?),
            Rule::integer => parameter = part.integer(cursor)?,
            _ => {
                kind = Some(match part.text() {
                    "may-alias" => AliasKind::May,
                    "must-alias" => AliasKind::Must,
                    _ => {
                        return Err(
                            cursor.expected_at(part.offset(), "'may-alias' or 'must-alias'")
                        );
                    }
                });
            }
        }
    }
    let mut lists = lists.into_iter();
    Ok(Alias {
        output_index: lists.next().unwrap_or_default(),
        parameter,
        parameter_index: lists.next().unwrap_or_default(),
        kind,
    })
}

/// `{ (0, {}), (1, {0}) }`
pub(super) fn take_buffer_donors(cursor: &mut Cursor) -> Result<Vec<(i64, Vec<i64>)>, ParseError> {
    let item = cursor.take(Rule::buffer_donors)?;
    let donors = item.children().map(|donor| {
        let mut parameter = 0;
        let mut index = Vec::new();
        for part in donor.children() {
            match part.rule() {
                Rule::integer => parameter = part.integer(cursor)?,
                _ => index = part.integers(cursor)?,
            }
        }
        Ok((parameter, index))
    });
    donors.collect()
}

/// `{mode=highest}`, `{tolerance={atol=0.1, rtol=0.1, ulps=10}}`
pub(super) fn take_result_accuracy(cursor: &mut Cursor) -> Result<ResultAccuracy, ParseError> {
    let item = cursor.take(Rule::result_accuracy)?;
    let inner = item.only_child(cursor)?;
    if inner.rule() == Rule::accuracy_mode {
        let mode = inner.only_child(cursor)?;
        return Ok(ResultAccuracy::Mode(mode.text().to_owned()));
    }
    let (mut atol, mut rtol, mut ulps) = (0.0, 0.0, 0);
    let parts: Vec<Item> = inner.children().collect();
    for pair in parts.chunks_exact(2) {
        let [key, value] = pair else { continue };
        match key.text() {
            "atol" => atol = decimal(cursor, value)?,
            "rtol" => rtol = decimal(cursor, value)?,
            // XLA also parses a fraction, and truncates it.
            _ => ulps = decimal(cursor, value)? as i64,
        }
    }
    Ok(ResultAccuracy::Tolerance { atol, rtol, ulps })
}

/// The number that an item is.
pub(super) fn decimal(cursor: &Cursor, item: &Item) -> Result<f64, ParseError> {
    let number = item.text().parse();
    number.map_err(|_| cursor.error_at(item.offset(), format!("'{}' is not a number", item.text())))
}

/// `{op_type="Add" op_name="f/add" source_file="f.py" source_line=3}`
pub(super) fn take_metadata(cursor: &mut Cursor) -> Result<Metadata, ParseError> {
    let item = cursor.take(Rule::metadata)?;
    let mut metadata = Metadata::default();
    let mut seen: Vec<&str> = Vec::new();
    for field in item.children() {
        let mut parts = field.children();
        let (Some(key), Some(value)) = (parts.next(), parts.next()) else {
            continue;
        };
        let name = key.text();
        if seen.contains(&name) {
            let message = format!("'{name}' is written twice");
            return Err(cursor.error_at(key.offset(), message));
        }
        seen.push(name);
        let string = || {
            if value.rule() != Rule::string {
                return Err(cursor.expected_at(value.offset(), "a string"));
            }
            text::of(cursor, &value).map(Some)
        };
        let number = || {
            if value.rule() != Rule::integer {
                return Err(cursor.expected_at(value.offset(), "an integer"));
            }
            value.integer(cursor).map(Some)
        };
        match name {
            "op_type" => metadata.op_type = string()?,
            "op_name" => metadata.op_name = string()?,
            "source_file" => metadata.source_file = string()?,
            "source_line" => metadata.source_line = number()?,
            "source_end_line" => metadata.source_end_line = number()?,
            "source_column" => metadata.source_column = number()?,
            "source_end_column" => metadata.source_end_column = number()?,
            "stack_frame_id" => metadata.stack_frame_id = number()?,
            _ => {
                let written = (name.to_owned(), value.text().to_owned());
                metadata.others.push(written);
            }
        }
    }
    Ok(metadata)
}
