//! Elements that are sorted, and the numbers that go with them.
//!
//! Threads write to positions of one slice that only their sum tells apart, which safe
//! Rust has no type for but that of atomics: relaxed stores cost what others do.

use num_traits::{PrimInt, Unsigned};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

/// A value of which threads write some each to one slice.
pub trait Slot: Copy + Default + Send + Sync {
    /// The place of a value.
    type Shared: Sync;

    /// The places of a slice.
    fn shared(slots: &mut [Self]) -> &[Self::Shared];

    /// Writes a value.
    ///
    /// # Panics
    /// If there is no such place, and the type has values.
    fn put(places: &[Self::Shared], at: usize, value: Self);
}

/// An element, as an unsigned integer of its bits.
pub trait Element: Slot + PrimInt + Unsigned {
    /// Its width.
    const BITS: u32;

    /// The bits from the given one on, as far as a digit has them.
    fn digit(self, shift: u32) -> usize;
}

/// What goes with an element: nothing, or its number in the source.
pub trait Tag: Slot {
    /// The tag of an element.
    fn of(index: usize) -> Self;
}

macro_rules! element {
    ($($element:ty, $shared:ty);* $(;)?) => {$(
        impl Slot for $element {
            type Shared = $shared;

            fn shared(slots: &mut [Self]) -> &[$shared] {
                const { assert!(align_of::<$element>() == align_of::<$shared>()) };
                // SAFETY: An atomic has the size and the bits of its integer, and, as
                // was compared, its alignment. The slice is borrowed mutably for as long
                // as the places are, so that nothing else reads or writes it.
                unsafe { &*(std::ptr::from_mut(slots) as *const [$shared]) }
            }

            #[inline]
            fn put(places: &[$shared], at: usize, value: Self) {
                places[at].store(value, Ordering::Relaxed);
            }
        }

        impl Element for $element {
            const BITS: u32 = <$element>::BITS;

            #[inline]
            fn digit(self, shift: u32) -> usize {
                (self >> shift) as usize
            }
        }
    )*};
}

element! {
    u8, AtomicU8;
    u16, AtomicU16;
    u32, AtomicU32;
    u64, AtomicU64;
}

impl Slot for () {
    type Shared = ();

    fn shared(slots: &mut [()]) -> &[()] {
        slots
    }

    fn put(_: &[()], _: usize, (): ()) {}
}

impl Tag for () {
    fn of(_: usize) {}
}

impl Tag for u32 {
    #[inline]
    fn of(index: usize) -> Self {
        index as Self
    }
}
