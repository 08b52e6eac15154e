//! The traits that the author of a dialect generated from ODS implements for an op.
//!
//! The generated code calls these traits if the record of an op requires it, and does not compile
//! if one is missing:
//!
//! | ODS | trait |
//! |---|---|
//! | `let hasVerifier = 1` | [`Verifier`] |
//! | `let hasFolder = 1` | [`Folder`] |
//! | `let hasCanonicalizer = 1`, `let hasCanonicalizeMethod = 1` | [`Canonicalizer`] |
//! | the trait `InferTypeOpInterface`, and traits that imply it | [`InferTypeOpInterface`] |

use crate::{
    builder::Builder,
    handles::{Attribute, Type},
    ops::definition::Op,
    rewrite::RewriteResult,
    semantics::{FoldResult, OpParts, VerifyError},
};

/// Verifies an op whose parts satisfy their constraints.
pub trait Verifier<'c>: Op<'c> {
    /// Verifies the op. Types of ops inside are not verified yet.
    ///
    /// # Errors
    /// Returns the error message, without the name of the op.
    fn verify(self) -> Result<(), VerifyError>;
}

/// Folds an op.
pub trait Folder<'c>: Op<'c> {
    /// The results of the op, or `None` to not fold. `constants` has for each operand its constant,
    /// if it is one.
    fn fold(self, constants: &[Option<Attribute<'c>>]) -> Option<Vec<FoldResult<'c, 'c>>>;
}

/// Rewrites an op in the pass `canonicalize`.
pub trait Canonicalizer<'c>: Op<'c> {
    /// Rewrites the op, as a [`Pattern`](crate::Pattern) does.
    ///
    /// # Errors
    /// [`no_match`](crate::no_match) does not change the op; other errors fail the pass.
    fn canonicalize(self, b: &Builder<'c>) -> RewriteResult;
}

/// Infers the types of the results of an op.
pub trait InferTypeOpInterface {
    /// The types, one for each result.
    ///
    /// # Errors
    /// Returns the reason for which the result types cannot be inferred.
    fn infer_return_types<'c>(parts: &'c OpParts<'c>) -> Result<Vec<Type<'c>>, VerifyError>;
}
