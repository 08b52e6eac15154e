//! Rewrite patterns in safe Rust.
//!
//! A [`Pattern`] is a closure over ops of one type, which it rewrites through a [`Builder`]. Errors
//! of a pattern become diagnostics at the op; panics are caught, since none may cross into C++.
//!
//! ```
//! use halo_ir::{apply_greedily, prelude::*};
//!
//! static PASS: PassDeclaration =
//!     PassDeclaration::new("swap-constants", "Move constant operands to the right", |pass| {
//!         let swap = Pattern::new::<arith::AddIOp>(|b, add| {
//!             let (lhs, rhs) = (add.lhs(), add.rhs());
//!             if lhs.defined_by::<arith::ConstantOp>().is_none() {
//!                 return Err(no_match("the left operand is not constant"));
//!             }
//!             if rhs.defined_by::<arith::ConstantOp>().is_some() {
//!                 return Err(no_match("both operands are constant"));
//!             }
//!             b.replace(*add, &[arith::addi(b, rhs, lhs)]);
//!             Ok(())
//!         });
//!         apply_greedily(pass, &[swap])
//!     });
//! # let _ = PASS;
//! ```
//!
//! Upstream's greedy driver erases unused ops and folds, so it borrows the pass: no handle of the
//! pass lives across it. Handles of a pattern live as long as one call of it. A closure may borrow
//! other values, but not a handle of the pass, since the driver borrows the pass mutably:
//!
//! ```compile_fail,E0502
//! use halo_ir::{apply_greedily, prelude::*};
//!
//! fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
//!     let found = pass.operation().collect_nested(|_| true);
//!     let read = Pattern::new::<arith::AddIOp>(|_, _| {
//!         found[0].name(); // The driver may have freed it.
//!         Ok(())
//!     });
//!     apply_greedily(pass, &[read])
//! }
//! ```
//!
//! The environment variable `HALO_EXPLAIN_REWRITES` makes each reason for no match a remark at the
//! op: of all passes if it is `1`, else of the named passes, separated by commas.

#[doc(hidden)]
pub mod fuel;
pub(crate) mod limit;

use crate::{
    build_error::{BuildError, Reported},
    builder::Builder,
    diagnostics::{self, reported_errors},
    edit::with_builder,
    graveyard,
    handles::{Location, Operation},
    operation::OperationExt,
    ops::definition::Op,
    pass::{
        PassInvocation,
        failure::{PassFailure, emit_error, internal_error, running_pass},
    },
    rewrite::limit::{does_not_end, rewrite_limit},
    semantics::without_folding,
    walk::WalkOrder,
};
use halo_core::panics::{self, Panic};
use melior::{GreedyRewriteDriverConfig, create_op_rewrite_pattern, ir::OperationRef};
use std::{
    any::type_name_of_val,
    borrow::Cow,
    cell::{Cell, RefCell},
    cmp::Reverse,
    collections::{HashMap, HashSet},
    env, fmt,
    rc::Rc,
    sync::OnceLock,
};

/// The reason for which a pattern did not rewrite an op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RewriteError {
    /// The pattern does not apply; the op is unchanged.
    NoMatch,
    /// The pattern does not apply, for a reason; the op is unchanged. Created by [`no_match`].
    NoMatchBecause(Cow<'static, str>),
    /// The op cannot be handled; the message becomes a diagnostic at the op.
    Invalid(String),
}

/// The reason for which a pattern does not apply to an op.
pub fn no_match(reason: impl Into<Cow<'static, str>>) -> RewriteError {
    RewriteError::NoMatchBecause(reason.into())
}

impl RewriteError {
    /// Returns true if the pattern does not apply.
    pub fn is_no_match(&self) -> bool {
        !matches!(self, Self::Invalid(_))
    }
}

impl fmt::Display for RewriteError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::NoMatch => formatter.write_str("the rewrite does not apply to the op"),
            Self::NoMatchBecause(reason) => {
                write!(formatter, "the rewrite does not apply to the op: {reason}")
            }
            Self::Invalid(message) => formatter.write_str(message),
        }
    }
}

impl std::error::Error for RewriteError {}

impl From<BuildError> for RewriteError {
    fn from(error: BuildError) -> Self {
        Self::Invalid(format!("internal error: {error}"))
    }
}

/// The outcome of a pattern.
pub type RewriteResult<T = ()> = Result<T, RewriteError>;

/// The function of a pattern, for ops of any lifetime.
type Rewrite<'a> = dyn for<'c> Fn(&Builder<'c>, Operation<'c>) -> RewriteResult + 'a;

/// A rewrite of ops of one name.
#[derive(Clone)]
pub struct Pattern<'a> {
    root: Cow<'static, str>,
    rule: &'static str,
    benefit: u32,
    rewrite: Rc<Rewrite<'a>>,
}

impl<'a> Pattern<'a> {
    /// A pattern of benefit 1 for ops of a type. It rewrites the op or returns the reason for no
    /// match. The insertion point is before the op.
    pub fn new<O: Op<'static>>(
        rewrite: impl for<'c> Fn(&Builder<'c>, O::At<'c>) -> RewriteResult + 'a,
    ) -> Self {
        let rule = type_name_of_val(&rewrite);
        let pattern = Self::named(O::NAME, move |b, op| rewrite(b, Op::from_unchecked(op)));
        Self { rule, ..pattern }
    }

    /// A pattern of benefit 1 for ops of a name. It rewrites the op or returns the reason for no
    /// match. The insertion point is before the op.
    pub fn named(
        root: impl Into<Cow<'static, str>>,
        rewrite: impl for<'c> Fn(&Builder<'c>, Operation<'c>) -> RewriteResult + 'a,
    ) -> Self {
        Self {
            root: root.into(),
            rule: type_name_of_val(&rewrite),
            benefit: 1,
            rewrite: Rc::new(rewrite),
        }
    }

    /// The pattern with another benefit. Of the patterns for an op, the one of the highest benefit
    /// is tried first.
    #[must_use]
    pub fn benefit(self, benefit: u32) -> Self {
        Self { benefit, ..self }
    }

    /// The name of the ops that the pattern rewrites.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// The path of the function that rewrites.
    #[doc(hidden)]
    pub fn rule(&self) -> &'static str {
        self.rule
    }
}

impl fmt::Debug for Pattern<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter
            .debug_struct("Pattern")
            .field("root", &self.root)
            .field("benefit", &self.benefit)
            .finish_non_exhaustive()
    }
}

/// Returns true if reasons for no match are reported for the pass that runs on this thread.
fn is_explained() -> bool {
    static WANTED: OnceLock<String> = OnceLock::new();
    let wanted = WANTED.get_or_init(|| env::var("HALO_EXPLAIN_REWRITES").unwrap_or_default());
    match wanted.as_str() {
        "" | "0" => false,
        "1" => true,
        passes => {
            running_pass().is_some_and(|pass| passes.split(',').any(|name| name.trim() == pass))
        }
    }
}

/// The state of an application of patterns.
struct Progress {
    /// Whether an error was reported.
    failed: Cell<bool>,
    rewrites: Cell<u64>,
    limit: u64,
    /// The reported reasons for no match, by location: drivers revisit ops.
    explained: RefCell<HashSet<(String, String)>>,
}

impl Progress {
    fn new(operation: Operation) -> Rc<Self> {
        Rc::new(Self {
            failed: Cell::new(false),
            rewrites: Cell::new(0),
            limit: rewrite_limit(operation),
            explained: RefCell::default(),
        })
    }

    /// Reports an error, if it is the first one.
    fn fail(&self, location: Location, message: &str) {
        if !self.failed.replace(true) {
            emit_error(location, message);
        }
    }

    /// Reports the reason for no match, if requested.
    fn explain(&self, root: &str, location: Location, reason: &str) {
        if !is_explained() {
            return;
        }
        let message = format!("pattern for '{root}' does not match: {reason}");
        let said = (location.to_string(), message.clone());
        if self.explained.borrow_mut().insert(said) {
            drop(diagnostics::remark(location, message));
        }
    }

    fn result(&self) -> Result<(), PassFailure> {
        if self.failed.get() {
            Err(PassFailure)
        } else {
            Ok(())
        }
    }
}

/// Applies a pattern to an op, whose position the builder's insertion point is. Returns
/// whether the op was rewritten.
fn rewrite<'c>(
    pattern: &Pattern,
    builder: &Builder<'c>,
    operation: Operation<'c>,
    progress: &Progress,
) -> bool {
    let (root, location) = (pattern.root(), operation.location());
    // The driver terminates when nothing matches.
    if progress.rewrites.get() >= progress.limit {
        progress.fail(location, &does_not_end(root, progress.limit));
        return false;
    }
    let reported = reported_errors();
    let rewrite = || panics::catch(|| (pattern.rewrite)(builder, operation));
    let is_applied = |result: &Result<RewriteResult, Panic>| match result {
        Ok(Err(error)) => !error.is_no_match(),
        Ok(Ok(())) | Err(_) => true,
    };
    let Some(result) = fuel::apply(pattern.rule(), operation, rewrite, is_applied) else {
        return false;
    };
    match result {
        Ok(Ok(())) => {
            progress.rewrites.set(progress.rewrites.get() + 1);
            return true;
        }
        Ok(Err(RewriteError::NoMatch)) => {}
        Ok(Err(RewriteError::NoMatchBecause(reason))) => {
            progress.explain(root, location, &reason);
        }
        // MLIR has reported why an op could not be created.
        Ok(Err(RewriteError::Invalid(_))) if reported_errors() > reported => {
            progress.failed.set(true);
        }
        Ok(Err(RewriteError::Invalid(message))) => progress.fail(location, &message),
        Err(panic) if panic.is::<Reported>() => progress.failed.set(true),
        Err(panic) => {
            let error = internal_error();
            let message = format!("{error}, in the pattern for '{root}': {panic}");
            progress.fail(location, &message);
        }
    }
    false
}

/// Makes a set of patterns for upstream's drivers.
///
/// # Safety
///
/// The set must be dropped before the patterns.
unsafe fn pattern_set(
    operation: Operation,
    patterns: &[Pattern],
    progress: &Rc<Progress>,
) -> PatternSet {
    let context = operation.context();
    // SAFETY: The context is valid; the set is destroyed below.
    let set = unsafe { mlir_sys::mlirRewritePatternSetCreate(context.to_raw()) };
    for pattern in patterns {
        let progress = Rc::clone(progress);
        // SAFETY: The caller drops the set first.
        let pattern: &'static Pattern<'static> =
            unsafe { std::mem::transmute::<&Pattern<'_>, &'static Pattern<'static>>(pattern) };
        let pattern = create_op_rewrite_pattern(
            &pattern.root,
            pattern.benefit,
            context,
            move |_, operation, rewriter| {
                // SAFETY: The driver passes a valid op and a rewriter that live for the length of
                // this call; no handle is kept.
                let (operation, builder) = unsafe {
                    let operation = OperationRef::from_raw(operation);
                    let base = mlir_sys::mlirPatternRewriterAsBase(rewriter);
                    let context = operation.context();
                    let builder = Builder::from_raw(context, base, operation.location());
                    (operation, builder)
                };
                let context = operation.context().to_raw();
                let (rewritten, stale) = graveyard::owning(context, None, || {
                    rewrite(pattern, &builder, operation, &progress)
                });
                if let Some(location) = stale {
                    progress.fail(location, STALE);
                }
                rewritten
            },
            &[],
        );
        // SAFETY: The set is valid and takes over the pattern.
        unsafe { mlir_sys::mlirRewritePatternSetAdd(set, pattern.into_raw()) };
    }
    // SAFETY: The patterns move from one set to the other, and the empty one is destroyed, which
    // freezing does not do.
    unsafe {
        let frozen = mlir_sys::mlirFreezeRewritePattern(set);
        mlir_sys::mlirRewritePatternSetDestroy(set);
        PatternSet(frozen)
    }
}

/// A pattern left a use of an erased value or block.
const STALE: &str = "internal error: the op uses a value or block that a pattern erased";

/// Patterns for drivers. melior's set is leaked by its drivers.
struct PatternSet(mlir_sys::MlirFrozenRewritePatternSet);

impl PatternSet {
    /// Applies the patterns until none matches. Returns false if that does not converge.
    fn apply_greedily(&self, operation: Operation, config: &GreedyRewriteDriverConfig) -> bool {
        // SAFETY: Op, set and configuration are valid.
        let outcome = unsafe {
            mlir_sys::mlirApplyPatternsAndFoldGreedilyWithOp(
                operation.to_raw(),
                self.0,
                config.to_raw(),
            )
        };
        outcome.value != 0
    }
}

impl Drop for PatternSet {
    fn drop(&mut self) {
        // SAFETY: The set is valid and used no more.
        unsafe { mlir_sys::mlirFrozenRewritePatternSetDestroy(self.0) };
    }
}

/// Applies patterns to all ops inside the op of a pass until none matches, folding ops of dialects
/// other than Halo's.
pub fn apply_greedily(pass: &mut PassInvocation, patterns: &[Pattern]) -> Result<(), PassFailure> {
    let operation = pass.operation();
    let progress = Progress::new(operation);
    // SAFETY: The patterns are borrowed for the length of this call, which drops the set.
    let set = unsafe { pattern_set(operation, patterns, &progress) };
    let config = GreedyRewriteDriverConfig::new();
    let ended = without_folding(|| set.apply_greedily(operation, &config));
    progress.result()?;
    if !ended {
        emit_error(operation.location(), "rewriting did not come to an end");
        return Err(PassFailure);
    }
    Ok(())
}

/// Applies patterns to all ops inside the op of a pass until none matches, without folding: for
/// passes whose patterns decide themselves about folding. If the driver gives up before the last
/// match, the program stays as it is then.
pub fn apply_without_folding(
    pass: &mut PassInvocation,
    patterns: &[Pattern],
) -> Result<(), PassFailure> {
    let config = GreedyRewriteDriverConfig::new();
    config.enable_folding(false);
    apply_configured(pass, patterns, &config)
}

/// Applies patterns like [`apply_without_folding`], and leaves constants at the positions that the
/// patterns choose: for passes with readable output.
pub fn apply_in_place(pass: &mut PassInvocation, patterns: &[Pattern]) -> Result<(), PassFailure> {
    let config = GreedyRewriteDriverConfig::new();
    config.enable_folding(false);
    config.enable_constant_cse(false);
    apply_configured(pass, patterns, &config)
}

fn apply_configured(
    pass: &mut PassInvocation,
    patterns: &[Pattern],
    config: &GreedyRewriteDriverConfig,
) -> Result<(), PassFailure> {
    let operation = pass.operation();
    let progress = Progress::new(operation);
    // SAFETY: As in `apply_greedily`.
    let set = unsafe { pattern_set(operation, patterns, &progress) };
    // The driver iterates over the program a limited number of times; remaining matches then stay.
    set.apply_greedily(operation, config);
    progress.result()
}

/// Applies patterns once to each op that exists inside `operation` at the beginning, inner ones
/// first, without folding.
pub fn apply_patterns_once(operation: Operation, patterns: &[Pattern]) -> Result<(), PassFailure> {
    let progress = Progress::new(operation);
    let mut by_root: HashMap<&str, Vec<&Pattern>> = HashMap::new();
    for pattern in patterns {
        by_root.entry(pattern.root()).or_default().push(pattern);
    }
    for patterns in by_root.values_mut() {
        patterns.sort_by_key(|pattern| Reverse(pattern.benefit));
    }
    let mut matched = Vec::new();
    operation.walk(WalkOrder::PostOrder, |nested| {
        if nested != operation && by_root.contains_key(nested.name()) {
            matched.push(nested);
        }
    });
    for nested in matched {
        // A pattern may have erased it, or its parent.
        if !nested.is_inside(operation) {
            continue;
        }
        let patterns = by_root.get(nested.name()).into_iter().flatten();
        with_builder(nested, |builder| {
            for pattern in patterns {
                builder.set_before(nested);
                if rewrite(pattern, builder, nested, &progress) {
                    break;
                }
            }
        });
    }
    progress.result()
}
