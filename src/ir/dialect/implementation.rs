//! What the author of a dialect that is generated from ODS writes for an op.
//!
//! The generated code calls these traits where the record of an op asks for it, and does not
//! compile where one is missing:
//!
//! | ODS | trait |
//! |---|---|
//! | `let hasVerifier = 1` | [`Verifier`] |
//! | `let hasFolder = 1` | [`Folder`] |
//! | `let hasCanonicalizer = 1`, `let hasCanonicalizeMethod = 1` | [`Canonicalizer`] |
//! | the trait `InferTypeOpInterface`, and those that imply it | [`InferTypeOpInterface`] |

use crate::{
    Attribute, Builder, RewriteResult, Type,
    ops::Op,
    semantics::{FoldResult, OpParts, VerifyError},
};

/// Judges an op whose parts satisfy their constraints.
pub trait Verifier<'c>: Op<'c> {
    /// Whether the op is valid. Types of ops inside are not verified yet.
    ///
    /// # Errors
    /// What is wrong, as it is to stand behind the name of the op.
    fn verify(self) -> Result<(), VerifyError>;
}

/// Folds an op.
pub trait Folder<'c>: Op<'c> {
    /// The results of the op, or `None` to leave it alone. `constants` has for each operand
    /// its constant, if it is one.
    fn fold(self, constants: &[Option<Attribute<'c>>]) -> Option<Vec<FoldResult<'c, 'c>>>;
}

/// Rewrites an op in the pass `canonicalize`.
pub trait Canonicalizer<'c>: Op<'c> {
    /// Rewrites the op, as a [`Pattern`](crate::Pattern) does.
    ///
    /// # Errors
    /// [`no_match`](crate::no_match) leaves the op alone; other errors fail the pass.
    fn canonicalize(self, b: &Builder<'c>) -> RewriteResult;
}

/// Infers the types of the results of an op.
pub trait InferTypeOpInterface {
    /// The types, one for each result.
    ///
    /// # Errors
    /// Why the parts have no result types.
    fn infer_return_types<'c>(parts: &'c OpParts<'c>) -> Result<Vec<Type<'c>>, VerifyError>;
}
