//! Dimensions: static, bounded or dynamic sizes, and their combination.
//!
//! Section "Dynamism" of the specification: a dimension `?` may have any size,
//! one with `#stablehlo.bounds` any size up to its bound.

use std::fmt;

/// One dimension of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dim {
    /// A static size.
    Static(i64),
    /// A run-time size with an upper bound.
    Bounded(i64),
    /// A run-time size.
    Dynamic,
}

impl Dim {
    /// The static size.
    pub fn size(self) -> Option<i64> {
        match self {
            Self::Static(size) => Some(size),
            Self::Bounded(_) | Self::Dynamic => None,
        }
    }

    /// The maximum size, if it is known.
    pub fn limit(self) -> Option<i64> {
        match self {
            Self::Static(limit) | Self::Bounded(limit) => Some(limit),
            Self::Dynamic => None,
        }
    }

    /// Returns true if the two may be the same size at run time.
    pub fn agrees_with(self, other: Self) -> bool {
        match (self, other) {
            (Self::Static(left), Self::Static(right)) => left == right,
            (Self::Static(size), Self::Bounded(bound))
            | (Self::Bounded(bound), Self::Static(size)) => size <= bound,
            _ => true,
        }
    }

    /// The combined size of two values of one size: the specification's rule for operands that must
    /// have the same shape. They must be compatible.
    pub fn meet(self, other: Self) -> Self {
        match (self, other) {
            (Self::Static(size), _) | (_, Self::Static(size)) => Self::Static(size),
            (Self::Bounded(left), Self::Bounded(right)) => Self::Bounded(left.min(right)),
            (Self::Bounded(bound), _) | (_, Self::Bounded(bound)) => Self::Bounded(bound),
            (Self::Dynamic, Self::Dynamic) => Self::Dynamic,
        }
    }

    /// A size that includes both: the rule for branches, of which one is taken. They must be
    /// compatible.
    pub fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Static(left), Self::Static(right)) if left == right => self,
            _ => match (self.limit(), other.limit()) {
                (Some(left), Some(right)) => Self::Bounded(left.max(right)),
                _ => Self::Dynamic,
            },
        }
    }

    /// The size of a concatenation of two values: the rule of `concatenate`.
    pub fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Static(left), Self::Static(right)) => {
                left.checked_add(right).map_or(Self::Dynamic, Self::Static)
            }
            _ => match (self.limit(), other.limit()) {
                (Some(left), Some(right)) => {
                    left.checked_add(right).map_or(Self::Dynamic, Self::Bounded)
                }
                _ => Self::Dynamic,
            },
        }
    }

    /// The dimension after applying a monotonic function to its size.
    pub fn map(self, function: impl Fn(i64) -> i64) -> Self {
        match self {
            Self::Static(size) => Self::Static(function(size)),
            Self::Bounded(bound) => Self::Bounded(function(bound)),
            Self::Dynamic => Self::Dynamic,
        }
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Static(size) => write!(formatter, "{size}"),
            Self::Bounded(bound) => write!(formatter, "?(<={bound})"),
            Self::Dynamic => formatter.write_str("?"),
        }
    }
}

/// The text of a shape in a message: `2x?x4`.
pub struct ShapeText<'a>(pub &'a [Dim]);

impl fmt::Display for ShapeText<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        if self.0.is_empty() {
            return formatter.write_str("of a scalar");
        }
        for (index, dim) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "x" };
            write!(formatter, "{separator}{dim}")?;
        }
        Ok(())
    }
}

/// Returns true if two shapes may be the same at run time.
pub fn shapes_agree(left: &[Dim], right: &[Dim]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| left.agrees_with(*right))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [Dim; 5] = [
        Dim::Static(2),
        Dim::Static(4),
        Dim::Bounded(3),
        Dim::Bounded(4),
        Dim::Dynamic,
    ];

    #[test]
    fn rules_do_not_depend_on_the_order() {
        for left in SIZES {
            for right in SIZES {
                assert_eq!(left.plus(right), right.plus(left));
                if left.agrees_with(right) {
                    assert_eq!(left.meet(right), right.meet(left));
                    assert_eq!(left.join(right), right.join(left));
                }
            }
        }
    }

    #[test]
    fn operands_of_one_shape_say_the_most_together() {
        assert_eq!(Dim::Dynamic.meet(Dim::Static(2)), Dim::Static(2));
        assert_eq!(Dim::Bounded(3).meet(Dim::Static(2)), Dim::Static(2));
        assert_eq!(Dim::Bounded(3).meet(Dim::Dynamic), Dim::Bounded(3));
        assert_eq!(Dim::Bounded(3).meet(Dim::Bounded(4)), Dim::Bounded(3));
    }

    #[test]
    fn branches_say_the_least_together() {
        assert_eq!(Dim::Static(2).join(Dim::Static(2)), Dim::Static(2));
        assert_eq!(Dim::Static(2).join(Dim::Dynamic), Dim::Dynamic);
        assert_eq!(Dim::Static(2).join(Dim::Bounded(3)), Dim::Bounded(3));
        assert_eq!(Dim::Bounded(3).join(Dim::Bounded(4)), Dim::Bounded(4));
        assert_eq!(Dim::Bounded(3).join(Dim::Dynamic), Dim::Dynamic);
    }

    #[test]
    fn sums_are_known_as_far_as_their_parts() {
        assert_eq!(Dim::Static(2).plus(Dim::Static(4)), Dim::Static(6));
        assert_eq!(Dim::Static(2).plus(Dim::Bounded(3)), Dim::Bounded(5));
        assert_eq!(Dim::Bounded(3).plus(Dim::Bounded(4)), Dim::Bounded(7));
        assert_eq!(Dim::Bounded(3).plus(Dim::Dynamic), Dim::Dynamic);
        assert_eq!(Dim::Static(i64::MAX).plus(Dim::Static(1)), Dim::Dynamic);
    }

    #[test]
    fn dynamic_dimensions_agree_with_anything() {
        assert!(Dim::Dynamic.agrees_with(Dim::Static(3)));
        assert!(Dim::Bounded(3).agrees_with(Dim::Dynamic));
        assert!(!Dim::Static(2).agrees_with(Dim::Static(3)));
    }

    #[test]
    fn a_size_agrees_with_a_bound_that_holds_it() {
        assert!(Dim::Static(4).agrees_with(Dim::Bounded(4)));
        assert!(!Dim::Bounded(4).agrees_with(Dim::Static(5)));
        assert!(Dim::Bounded(4).agrees_with(Dim::Bounded(9)));
    }

    #[test]
    fn shapes_of_different_rank_disagree() {
        assert!(!shapes_agree(&[], &[Dim::Dynamic]));
        assert!(shapes_agree(&[], &[]));
    }

    #[test]
    fn shapes_are_spelled_as_in_types() {
        let shape = [Dim::Static(2), Dim::Dynamic, Dim::Bounded(4)];
        assert_eq!(ShapeText(&shape).to_string(), "2x?x?(<=4)");
        assert_eq!(ShapeText(&[]).to_string(), "of a scalar");
    }
}
