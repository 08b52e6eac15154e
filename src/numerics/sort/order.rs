//! Orders of elements, mapped to unsigned integers.
//!
//! An element is stored in an encoding from which its key is cheap to compute. If the key
//! determines the element, the encoding is the key.

use super::Element;

/// An order of elements by keys.
pub trait Order<T>: Copy + Sync {
    /// Encodes an element.
    fn encoded(self, element: T) -> T;

    /// Decodes an element.
    fn decoded(self, form: T) -> T;

    /// The key of an encoded element, an unsigned integer with the same order.
    fn key(self, form: T) -> T;
}

/// The order of integers.
#[derive(Clone, Copy, Debug)]
pub struct Integers<T> {
    flipped: T,
}

impl<T: Element> Integers<T> {
    /// The order of signed or unsigned integers, larger ones last or first.
    pub fn new(signed: bool, descending: bool) -> Self {
        let sign = if signed { sign() } else { T::zero() };
        Self {
            flipped: sign ^ mask(descending),
        }
    }
}

impl<T: Element> Order<T> for Integers<T> {
    #[inline]
    fn encoded(self, element: T) -> T {
        element ^ self.flipped
    }

    #[inline]
    fn decoded(self, form: T) -> T {
        form ^ self.flipped
    }

    #[inline]
    fn key(self, form: T) -> T {
        form
    }
}

/// The total order of floats, in which a NaN without a sign is above infinity.
#[derive(Clone, Copy, Debug)]
pub struct Floats<T> {
    flipped: T,
}

impl<T: Element> Floats<T> {
    /// The order of floats, larger ones last or first.
    pub fn new(descending: bool) -> Self {
        Self {
            flipped: mask(descending),
        }
    }
}

impl<T: Element> Order<T> for Floats<T> {
    #[inline]
    fn encoded(self, element: T) -> T {
        let negative = mask::<T>(element & sign() != T::zero());
        element ^ (negative | sign()) ^ self.flipped
    }

    #[inline]
    fn decoded(self, form: T) -> T {
        let form = form ^ self.flipped;
        let negative = mask::<T>(form & sign() == T::zero());
        form ^ (negative | sign())
    }

    #[inline]
    fn key(self, form: T) -> T {
        form
    }
}

/// The order of floats in which zeros of both signs are equal, and perhaps all NaN.
#[derive(Clone, Copy, Debug)]
pub struct NormalizedFloats<T> {
    /// The largest magnitude of a float whose bits are kept.
    largest: T,
    floats: Floats<T>,
}

impl<T: Element> NormalizedFloats<T> {
    /// The order of floats with the given bits of infinity, larger ones last or first. All NaN may
    /// be equal and above infinity.
    pub fn new(infinity: T, nans_are_equal: bool, descending: bool) -> Self {
        Self {
            largest: if nans_are_equal {
                infinity
            } else {
                T::max_value()
            },
            floats: Floats::new(descending),
        }
    }

    /// The order by bits, if it is equivalent for these floats: no zero is negative, and no NaN
    /// exists if NaNs are equal.
    pub fn of_bits(self, floats: &[T]) -> Option<Floats<T>> {
        let differs = floats.iter().fold(false, |differs, float| {
            let is_negative_zero = *float == sign();
            differs | is_negative_zero | (*float & !sign::<T>() > self.largest)
        });
        (!differs).then_some(self.floats)
    }
}

impl<T: Element> Order<T> for NormalizedFloats<T> {
    #[inline]
    fn encoded(self, element: T) -> T {
        element
    }

    #[inline]
    fn decoded(self, form: T) -> T {
        form
    }

    #[inline]
    fn key(self, element: T) -> T {
        let magnitude = element & !sign::<T>();
        let element = match magnitude {
            _ if magnitude == T::zero() => magnitude,
            _ if magnitude > self.largest => sign::<T>() - T::one(),
            _ => element,
        };
        self.floats.encoded(element)
    }
}

fn sign<T: Element>() -> T {
    !(T::max_value() >> 1)
}

fn mask<T: Element>(all: bool) -> T {
    if all { T::max_value() } else { T::zero() }
}
