//! Types of buffers and vectors in the text of ops.

/// A type such as `memref<8x16xf32, strided<[32, 1], offset: ?>>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memref {
    /// The bytes of an element.
    pub element: i64,
    /// The bytes from an element to the next one along each dimension, if they are known.
    pub strides: Vec<Option<i64>>,
    /// The bytes of all elements, if all sizes are known and they have no gaps.
    pub bytes: Option<i64>,
}

impl Memref {
    /// The first such type in a text.
    pub fn first(text: &str) -> Option<Self> {
        Self::begin(text.split_once("memref<")?.1)
    }

    fn begin(text: &str) -> Option<Self> {
        let inside = &text[..end(text)?];
        let (shape, layout) = inside.split_once(',').unwrap_or((inside, ""));
        let (sizes, element) = shape_of(shape);
        let element = bytes(element)?;
        let known: Option<Vec<i64>> = sizes.iter().copied().collect();
        let layout = layout.trim();
        let strides = match layout.strip_prefix("strided<[") {
            Some(rest) => strides(rest, element),
            None if layout.contains("affine_map") => vec![None; sizes.len()],
            None => dense(&sizes, element),
        };
        let all = known.map(|sizes| {
            sizes
                .iter()
                .fold(element, |all, it| all.saturating_mul(*it))
        });
        Some(Self {
            element,
            strides,
            bytes: all.filter(|_| !layout.starts_with("strided<")),
        })
    }
}

/// Where the parameters of a type end, behind its `<`.
fn end(text: &str) -> Option<usize> {
    let mut depth = 1;
    let mut letters = text.char_indices();
    letters.find_map(|(place, letter)| {
        match letter {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(place)
    })
}

/// `8x?xf32` in sizes and the element.
fn shape_of(text: &str) -> (Vec<Option<i64>>, &str) {
    let mut sizes = Vec::new();
    let mut rest = text;
    while let Some((size, behind)) = rest.split_once('x') {
        match size.trim_matches(['[', ']']).parse() {
            Ok(size) => sizes.push(Some(size)),
            Err(_) if size == "?" => sizes.push(None),
            Err(_) => break,
        }
        rest = behind;
    }
    (sizes, rest)
}

/// The bytes of an element; those of parts of a byte are one.
fn bytes(element: &str) -> Option<i64> {
    if let Some(part) = element.strip_prefix("complex<") {
        return Some(2 * bytes(part.trim_end_matches('>'))?);
    }
    if element == "index" {
        return Some(8);
    }
    let digits = element.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    let bits: String = digits.chars().take_while(char::is_ascii_digit).collect();
    let bits: i64 = bits.parse().ok()?;
    (1..=1024).contains(&bits).then_some((bits + 7) / 8)
}

/// `32, 1], offset: ?>` in bytes.
fn strides(text: &str, element: i64) -> Vec<Option<i64>> {
    let list = text.split(']').next().unwrap_or_default();
    let strides = list.split(',').map(|stride| {
        let stride: i64 = stride.trim().parse().ok()?;
        Some(stride.saturating_mul(element))
    });
    strides.collect()
}

fn dense(sizes: &[Option<i64>], element: i64) -> Vec<Option<i64>> {
    let mut stride = Some(element);
    let strides = sizes.iter().rev().map(|size| {
        let own = stride;
        stride = stride
            .zip(*size)
            .map(|(stride, size)| stride.saturating_mul(size));
        own
    });
    let mut strides: Vec<Option<i64>> = strides.collect();
    strides.reverse();
    strides
}

/// The elements and the bytes of the last vector in a text.
pub fn last_vector(text: &str) -> Option<(f64, f64)> {
    let inside = text.rsplit_once("vector<")?.1;
    let (sizes, element) = shape_of(&inside[..end(inside)?]);
    let sizes: Option<Vec<i64>> = sizes.into_iter().collect();
    let elements: f64 = sizes?.iter().map(|size| *size as f64).product();
    Some((elements, elements * bytes(element)? as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_and_sizes_are_in_bytes() {
        let of = |text: &str| Memref::first(text).unwrap();
        let dense = of("%0 = vector.load %a[%i, %j] : memref<8x16xf32>, vector<4xf32>");
        assert_eq!(
            (&dense.strides[..], dense.bytes),
            (&[Some(64), Some(4)][..], Some(512))
        );
        let strided = of("memref<?x64xbf16, strided<[2304, 1], offset: ?>>");
        assert_eq!(
            (&strided.strides[..], strided.bytes),
            (&[Some(4608), Some(2)][..], None)
        );
        let dynamic = of("memref<4x?x2xcomplex<f32>>");
        assert_eq!(dynamic.strides, [None, Some(16), Some(8)]);
        assert_eq!(of("memref<f64>").bytes, Some(8));
        assert_eq!(of("memref<3xi1>").bytes, Some(3));
        let mapped = of("memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>");
        assert_eq!(mapped.strides, [None, None]);
        assert_eq!(Memref::first("memref<"), None);
        assert_eq!(Memref::first("memref<4x!type>"), None);
    }

    #[test]
    fn vectors_have_elements_and_bytes() {
        let text = "%a[%i] : memref<8xf32>, vector<16xi1>, vector<8x16xf32>";
        assert_eq!(last_vector(text), Some((128.0, 512.0)));
        assert_eq!(last_vector("memref<8xf32>"), None);
    }
}
