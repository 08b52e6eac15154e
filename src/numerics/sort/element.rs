//! Elements to be sorted, and their tags.
//!
//! Threads write to disjoint positions of one slice, which only the prefix sums guarantee. In safe
//! Rust only atomics allow that: relaxed stores cost as much as plain ones.

use num_traits::{PrimInt, Unsigned};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

/// A value that several threads write to one slice, at different positions.
pub trait Slot: Copy + Default + Send + Sync {
    /// The shared storage of a value.
    type Shared: Sync;

    /// A slice as shared storage.
    fn shared(slots: &mut [Self]) -> &[Self::Shared];

    /// Writes a value.
    ///
    /// # Panics
    /// Panics if the position is out of range, and the type has values.
    fn put(places: &[Self::Shared], at: usize, value: Self);
}

/// An element, as an unsigned integer with its bits.
pub trait Element: Slot + PrimInt + Unsigned {
    /// Its width.
    const BITS: u32;

    /// The digit from the given bit on.
    fn digit(self, shift: u32) -> usize;
}

/// Data that moves with an element: nothing, or its index in the source.
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
                // SAFETY: An atomic has the size and the bits of its integer, and, as checked
                // above, its alignment. The slice is borrowed mutably as long as the shared
                // storage, so there are no other accesses.
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
