//! Flushing of subnormal numbers to zero.
//!
//! Processors compute with subnormal numbers many times slower than with others, so that a program
//! with decaying values, such as the tails of a softmax, can take twice as long. XLA lets its
//! threads flush them. Halo's results are exact unless a program was compiled to flush.
//!
//! The mode is a register of the thread. It is set around generated code only: Rust requires the
//! default, so it is restored for functions that generated code calls, and for the compiler if a
//! caller's threads have another mode, as XLA's threads do.

use std::marker::PhantomData;

/// Whether this processor supports flushing.
pub const CAN_FLUSH: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// The mode of the thread until this is dropped.
pub struct SubnormalMode {
    before: register::Word,
    /// The register belongs to one thread.
    _of_thread: PhantomData<*const ()>,
}

impl SubnormalMode {
    /// Makes zeros of subnormal operands and results.
    pub fn flush() -> Self {
        Self::with(register::FLUSH)
    }

    /// Computes with subnormals, as the standard specifies.
    pub fn exact() -> Self {
        Self::with(0)
    }

    fn with(flush: register::Word) -> Self {
        let before = register::read();
        let after = before & !register::FLUSH | flush;
        if after != before {
            register::write(after);
        }
        Self {
            before,
            _of_thread: PhantomData,
        }
    }
}

impl Drop for SubnormalMode {
    fn drop(&mut self) {
        if register::read() != self.before {
            register::write(self.before);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod register {
    use std::arch::asm;

    pub type Word = u32;

    /// Flush to zero, for results, and denormals are zero, for operands (MXCSR).
    pub const FLUSH: Word = 1 << 15 | 1 << 6;

    pub fn read() -> Word {
        let mut word: Word = 0;
        // SAFETY: writes the four bytes of `word`.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack, preserves_flags)) };
        word
    }

    pub fn write(word: Word) {
        // SAFETY: reads four bytes; the modes of rounding and exceptions do not change, and Rust
        // executes no arithmetic in another mode than the default.
        unsafe {
            asm!("ldmxcsr [{}]", in(reg) &raw const word, options(nostack, preserves_flags, readonly));
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod register {
    use std::arch::asm;

    pub type Word = u64;

    /// Flush to zero, for operands and results (FPCR).
    pub const FLUSH: Word = 1 << 24;

    pub fn read() -> Word {
        let word: Word;
        // SAFETY: reads a register.
        unsafe { asm!("mrs {}, fpcr", out(reg) word, options(nomem, nostack, preserves_flags)) };
        word
    }

    pub fn write(word: Word) {
        // SAFETY: the modes of rounding and exceptions do not change, and Rust executes no
        // arithmetic in another mode than the default.
        unsafe { asm!("msr fpcr, {}", in(reg) word, options(nostack, preserves_flags)) };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod register {
    pub type Word = u32;
    pub const FLUSH: Word = 0;

    pub fn read() -> Word {
        0
    }

    pub fn write(_: Word) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    fn half_of_the_least() -> f32 {
        black_box(f32::MIN_POSITIVE) / black_box(2.0)
    }

    #[test]
    fn the_mode_ends_with_its_scope() {
        if !CAN_FLUSH {
            return;
        }
        let exact = half_of_the_least();
        assert!(exact > 0.0);
        {
            let _flush = SubnormalMode::flush();
            assert_eq!(half_of_the_least().to_bits(), 0);
            {
                let _exact = SubnormalMode::exact();
                assert_eq!(half_of_the_least(), exact);
            }
            assert_eq!(half_of_the_least().to_bits(), 0);
        }
        assert_eq!(half_of_the_least(), exact);
    }
}
