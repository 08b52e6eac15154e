//! Rewrite patterns in safe Rust.
//!
//! A [`Pattern`] names the op that it matches and rewrites it through a
//! [`Builder`]. Errors of a pattern become diagnostics at the op; panics are
//! caught, since none may cross into C++.
//!
//! Upstream's greedy driver erases ops that are not used and folds, so it takes the
//! pass: no handle of the pass lives across it. Handles of a pattern live as long as one
//! call of it.

use super::{
    BuildError, Builder, Location, Operation, blocks_of, context_of, graveyard, is_inside, name_of,
    operations_of, visit, with_builder,
};
use crate::diagnostics::reported_errors;
use crate::pass::{
    PassFailure, PassInvocation, Reported, emit_error, internal_error, panic_message,
};
use crate::semantics::without_folding;
use melior::{
    GreedyRewriteDriverConfig, create_op_rewrite_pattern,
    ir::{OperationRef, operation::OperationLike},
};
use std::{
    cell::Cell,
    cmp::Reverse,
    collections::HashMap,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
};

/// Why a pattern did not rewrite an op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RewriteError {
    /// The pattern does not apply; the op is unchanged.
    NoMatch,
    /// The op cannot be handled; the message becomes a diagnostic at the op.
    Invalid(String),
}

impl fmt::Display for RewriteError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::NoMatch => formatter.write_str("the op has no lowering in this form"),
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
pub type RewriteResult = Result<(), RewriteError>;

/// A rewrite of ops of one name.
#[derive(Clone, Copy)]
pub struct Pattern {
    /// The name of the op that the pattern matches.
    pub root: &'static str,
    /// Patterns of higher benefit are tried first.
    pub benefit: u32,
    /// Rewrites the op or says why not. The insertion point is before the op.
    pub rewrite: for<'c> fn(&Builder<'c>, Operation<'c>) -> RewriteResult,
}

impl Pattern {
    /// A pattern of benefit 1.
    pub const fn new(
        root: &'static str,
        rewrite: for<'c> fn(&Builder<'c>, Operation<'c>) -> RewriteResult,
    ) -> Self {
        Self {
            root,
            benefit: 1,
            rewrite,
        }
    }
}

/// A rewrite of ops of one name that depends on options of its pass.
#[derive(Clone, Copy)]
pub struct OptionPattern<O> {
    /// The name of the op that the pattern matches.
    pub root: &'static str,
    /// Patterns of higher benefit are tried first.
    pub benefit: u32,
    /// Rewrites the op or says why not. The insertion point is before the op.
    pub rewrite: for<'c> fn(&Builder<'c>, Operation<'c>, &O) -> RewriteResult,
}

impl<O> OptionPattern<O> {
    /// A pattern of benefit 1.
    pub const fn new(
        root: &'static str,
        rewrite: for<'c> fn(&Builder<'c>, Operation<'c>, &O) -> RewriteResult,
    ) -> Self {
        Self {
            root,
            benefit: 1,
            rewrite,
        }
    }
}

/// A rewrite that carries its options.
type BoundRewrite = Box<dyn for<'c> Fn(&Builder<'c>, Operation<'c>) -> RewriteResult>;

/// A pattern with what it needs to run.
struct Bound {
    root: &'static str,
    benefit: u32,
    rewrite: BoundRewrite,
}

impl Bound {
    fn plain(pattern: &Pattern) -> Self {
        Self {
            root: pattern.root,
            benefit: pattern.benefit,
            rewrite: Box::new(pattern.rewrite),
        }
    }
}

/// The rewrites that one application of patterns may make, for each op that it begins
/// with and beside: only patterns that undo each other come near to that.
const REWRITES_PER_OP: u64 = 1000;
const MORE_REWRITES: u64 = 100_000;

/// How an application of patterns goes.
struct Progress {
    /// Whether an error was reported.
    failed: Cell<bool>,
    rewrites: Cell<u64>,
    limit: u64,
}

impl Progress {
    fn new(operation: Operation) -> Rc<Self> {
        let mut operations = 0;
        visit(operation, &mut |_| operations += 1);
        Rc::new(Self {
            failed: Cell::new(false),
            rewrites: Cell::new(0),
            limit: operations * REWRITES_PER_OP + MORE_REWRITES,
        })
    }

    /// Reports an error, if it is the first one.
    fn fail(&self, location: Location, message: &str) {
        if !self.failed.replace(true) {
            emit_error(location, message);
        }
    }

    fn result(&self) -> Result<(), PassFailure> {
        match self.failed.get() {
            true => Err(PassFailure),
            false => Ok(()),
        }
    }
}

/// Applies a pattern to an op, whose position the builder's insertion point is. Returns
/// whether the op was rewritten.
fn rewrite<'c>(
    root: &str,
    pattern: impl FnOnce(&Builder<'c>, Operation<'c>) -> RewriteResult,
    builder: &Builder<'c>,
    operation: Operation<'c>,
    progress: &Progress,
) -> bool {
    let location = operation.location();
    // The driver comes to an end when nothing matches.
    if progress.rewrites.get() >= progress.limit {
        let limit = progress.limit;
        let message =
            format!("rewriting does not end: '{root}' still matches after {limit} rewrites");
        progress.fail(location, &message);
        return false;
    }
    let reported = reported_errors();
    match catch_unwind(AssertUnwindSafe(|| pattern(builder, operation))) {
        Ok(Ok(())) => {
            progress.rewrites.set(progress.rewrites.get() + 1);
            return true;
        }
        Ok(Err(RewriteError::NoMatch)) => {}
        // MLIR has told why an op could not be created.
        Ok(Err(RewriteError::Invalid(_))) if reported_errors() > reported => {
            progress.failed.set(true);
        }
        Ok(Err(RewriteError::Invalid(message))) => progress.fail(location, &message),
        Err(payload) if payload.is::<Reported>() => progress.failed.set(true),
        Err(payload) => {
            let message = panic_message(payload.as_ref());
            let error = internal_error();
            let message = format!("{error}, in the pattern for '{root}': {message}");
            progress.fail(location, &message);
        }
    }
    false
}

fn pattern_set(operation: Operation, patterns: Vec<Bound>, progress: &Rc<Progress>) -> PatternSet {
    let context = context_of(operation);
    // SAFETY: The context is valid; the set is destroyed below.
    let set = unsafe { mlir_sys::mlirRewritePatternSetCreate(context.to_raw()) };
    for pattern in patterns {
        let progress = Rc::clone(progress);
        let pattern = create_op_rewrite_pattern(
            pattern.root,
            pattern.benefit,
            context,
            move |_, operation, rewriter| {
                // SAFETY: The driver hands over a valid op and a rewriter that
                // live for the length of this call; no handle is kept.
                let (operation, builder) = unsafe {
                    let operation = OperationRef::from_raw(operation);
                    let base = mlir_sys::mlirPatternRewriterAsBase(rewriter);
                    let context = context_of(operation);
                    let builder = Builder::from_raw(context, base, operation.location());
                    (operation, builder)
                };
                let context = context_of(operation).to_raw();
                let (rewritten, stale) = graveyard::owning(context, None, || {
                    let bound = &pattern.rewrite;
                    rewrite(pattern.root, bound, &builder, operation, &progress)
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
    // SAFETY: The patterns move from one set to the other, and the empty one is
    // destroyed, which freezing does not do.
    unsafe {
        let frozen = mlir_sys::mlirFreezeRewritePattern(set);
        mlir_sys::mlirRewritePatternSetDestroy(set);
        PatternSet(frozen)
    }
}

/// A pattern left a use of what it erased.
const STALE: &str = "internal error: the op uses a value or block that a pattern erased";

/// Patterns that drivers apply. melior's own set is leaked by its drivers.
struct PatternSet(mlir_sys::MlirFrozenRewritePatternSet);

impl PatternSet {
    /// Applies the patterns until none matches. False if that has no end.
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

/// Applies patterns to all ops inside the op of a pass until none matches, folding
/// ops of other dialects than Halo's along the way.
pub fn apply_greedily(pass: &mut PassInvocation, patterns: &[Pattern]) -> Result<(), PassFailure> {
    let operation = pass.operation();
    let progress = Progress::new(operation);
    let set = pattern_set(
        operation,
        patterns.iter().map(Bound::plain).collect(),
        &progress,
    );
    let config = GreedyRewriteDriverConfig::new();
    let ended = without_folding(|| set.apply_greedily(operation, &config));
    progress.result()?;
    if !ended {
        emit_error(operation.location(), "rewriting did not come to an end");
        return Err(PassFailure);
    }
    Ok(())
}

/// Applies patterns to all ops inside the op of a pass until none matches, folding
/// nothing: for passes whose patterns say themselves what is folded. Where the
/// driver gives up before the last match, the program stands as it is then.
pub fn apply_without_folding<O: Clone + 'static>(
    pass: &mut PassInvocation,
    patterns: &[OptionPattern<O>],
    options: &O,
) -> Result<(), PassFailure> {
    let config = GreedyRewriteDriverConfig::new();
    config.enable_folding(false);
    apply_configured(pass, patterns, options, &config)
}

/// Applies patterns as [`apply_without_folding`] does, and leaves constants
/// where the patterns put them: for passes whose output is read.
pub fn apply_in_place<O: Clone + 'static>(
    pass: &mut PassInvocation,
    patterns: &[OptionPattern<O>],
    options: &O,
) -> Result<(), PassFailure> {
    let config = GreedyRewriteDriverConfig::new();
    config.enable_folding(false);
    config.enable_constant_cse(false);
    apply_configured(pass, patterns, options, &config)
}

fn apply_configured<O: Clone + 'static>(
    pass: &mut PassInvocation,
    patterns: &[OptionPattern<O>],
    options: &O,
    config: &GreedyRewriteDriverConfig,
) -> Result<(), PassFailure> {
    let operation = pass.operation();
    let progress = Progress::new(operation);
    let bound = patterns
        .iter()
        .map(|pattern| {
            let (rewrite, options) = (pattern.rewrite, options.clone());
            Bound {
                root: pattern.root,
                benefit: pattern.benefit,
                rewrite: Box::new(move |builder, operation| rewrite(builder, operation, &options)),
            }
        })
        .collect();
    let set = pattern_set(operation, bound, &progress);
    // The driver goes through the program a number of times; what still matches then
    // stays.
    set.apply_greedily(operation, config);
    progress.result()
}

/// Applies patterns once to each op that is inside `operation` at the beginning, inner
/// ones first, without folding.
pub fn apply_patterns_once(operation: Operation, patterns: &[Pattern]) -> Result<(), PassFailure> {
    let progress = Progress::new(operation);
    let mut by_root: HashMap<&str, Vec<&Pattern>> = HashMap::new();
    for pattern in patterns {
        by_root.entry(pattern.root).or_default().push(pattern);
    }
    for patterns in by_root.values_mut() {
        patterns.sort_by_key(|pattern| Reverse(pattern.benefit));
    }
    let mut matched = Vec::new();
    visit_inner_first(operation, &mut |nested| {
        if nested != operation && by_root.contains_key(name_of(nested)) {
            matched.push(nested);
        }
    });
    for nested in matched {
        // A pattern may have erased it, or what it is in.
        if !is_inside(nested, operation) {
            continue;
        }
        let patterns = by_root.get(name_of(nested)).into_iter().flatten();
        with_builder(nested, |builder| {
            for pattern in patterns {
                builder.set_before(nested);
                if rewrite(pattern.root, pattern.rewrite, builder, nested, &progress) {
                    break;
                }
            }
        });
    }
    progress.result()
}

fn visit_inner_first<'c>(operation: Operation<'c>, function: &mut impl FnMut(Operation<'c>)) {
    for block in operation.regions().flat_map(blocks_of) {
        for nested in operations_of(block) {
            visit_inner_first(nested, function);
        }
    }
    function(operation);
}

/// The ops inside `operation` for which the predicate holds, outer ones first.
/// The list is taken before anything is changed.
pub fn collect_operations<'c>(
    operation: Operation<'c>,
    mut predicate: impl FnMut(Operation<'c>) -> bool,
) -> Vec<Operation<'c>> {
    let mut found = Vec::new();
    let mut pending = vec![operation];
    while let Some(parent) = pending.pop() {
        if parent != operation && predicate(parent) {
            found.push(parent);
        }
        let children: Vec<_> = parent
            .regions()
            .flat_map(blocks_of)
            .flat_map(operations_of)
            .collect();
        pending.extend(children.into_iter().rev());
    }
    found
}
