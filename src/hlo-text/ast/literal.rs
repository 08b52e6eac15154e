use halo_core::Literal;

/// The value of a constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// In row-major order, whatever layout the shape names. NaN are compared by
    /// their bits.
    Array(Literal),
    Tuple(Vec<Constant>),
    /// `{...}`: the printer left the elements out.
    Elided,
}
