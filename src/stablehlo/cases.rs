//! The cases of the enumerations.

use halo_vhlo::attribute::Enumeration;

/// The name of a case, such as `FFT`.
pub(crate) fn case_name(kind: Enumeration, case: u32) -> Option<&'static str> {
    let names: &[&str] = match kind {
        Enumeration::ComparisonDirection => &["EQ", "NE", "GE", "GT", "LE", "LT"],
        Enumeration::ComparisonType => &["NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"],
        Enumeration::CustomCallApiVersion => &[],
        Enumeration::FftType => &["FFT", "IFFT", "RFFT", "IRFFT"],
        Enumeration::Precision => &["DEFAULT", "HIGH", "HIGHEST"],
        Enumeration::ResultAccuracyMode => &["DEFAULT", "HIGHEST", "TOLERANCE"],
        Enumeration::RngAlgorithm => &["DEFAULT", "THREE_FRY", "PHILOX"],
        Enumeration::RngDistribution => &["", "UNIFORM", "NORMAL"],
        Enumeration::Transpose => &["TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"],
    };
    names.get(case as usize).copied()
}

/// Declares an enumeration with the cases of StableHLO.
macro_rules! enumeration {
    ($(#[$doc:meta])* $name:ident { $($(#[$case_doc:meta])* $case:ident = $number:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $name {
            $($(#[$case_doc])* $case = $number,)+
        }

        impl $name {
            pub(crate) const KIND: Enumeration = Enumeration::$name;
        }
    };
}

enumeration! {
    /// The relation that `compare` tests.
    ComparisonDirection { #[default] Eq = 0, Ne = 1, Ge = 2, Gt = 3, Le = 4, Lt = 5, }
}
enumeration! {
    /// The order that `compare` uses.
    ComparisonType {
        /// The default for the element type.
        #[default]
        NoType = 0,
        Float = 1,
        TotalOrder = 2,
        Signed = 3,
        Unsigned = 4,
    }
}
enumeration! {
    /// Direction and elements of `fft`.
    FftType { #[default] Fft = 0, Ifft = 1, Rfft = 2, Irfft = 3, }
}
enumeration! {
    /// The accuracy that a backend may trade for speed on one operand.
    Precision { #[default] Default = 0, High = 1, Highest = 2, }
}
enumeration! {
    /// The generator of `rng_bit_generator`.
    RngAlgorithm { #[default] Default = 0, ThreeFry = 1, Philox = 2, }
}
enumeration! {
    /// The distribution that `rng` draws from.
    RngDistribution { #[default] Uniform = 1, Normal = 2, }
}
enumeration! {
    /// The transposition of the matrix of `triangular_solve`.
    Transpose { #[default] NoTranspose = 1, Transpose = 2, Adjoint = 3, }
}
enumeration! {
    /// The calling convention of a custom call's target.
    CustomCallApiVersion {
        Unspecified = 0,
        #[default]
        Original = 1,
        StatusReturning = 2,
        StatusReturningUnified = 3,
        TypedFfi = 4,
    }
}
