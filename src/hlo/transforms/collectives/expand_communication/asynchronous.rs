//! `async_start` and `async_done`.

use super::collectives;
use crate::communication::is_collective;
use halo_ir::prelude::*;

/// A body with a single collective starts at the first op and ends at the second one; any other
/// body is executed immediately.
pub fn expand<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let body = op.body(0).ok_or_else(|| no_match("a region is empty"))?;
    let done = done(op)?;
    let operands = op.operands();
    let results = match single_collective(op) {
        Some(collective) => {
            let ticket = collectives::start(b, collective, &operands)?;
            match done {
                Some(done) => {
                    b.set_before(done);
                    collectives::finish(b, collective, ticket, &operands)?
                }
                None => Vec::new(),
            }
        }
        None => b.inline_before(body, op, &operands),
    };
    if let Some(done) = done {
        b.replace(done, &results);
    }
    b.erase(op);
    Ok(())
}

/// The op that waits for the future, if any.
fn done<'c>(op: Operation<'c>) -> RewriteResult<Option<Operation<'c>>> {
    let futures = op.results();
    let users: Vec<Operation> =
        futures.into_iter().flat_map(Value::uses).map(|(user, _)| user).collect();
    match users[..] {
        [] => Ok(None),
        [done] if done.isa::<stablehlo::AsyncDoneOp>() => Ok(Some(done)),
        _ => Err(RewriteError::Invalid(
            "has a future that is not just used by one 'stablehlo.async_done', which compiled \
             programs need"
                .into(),
        )),
    }
}

/// The collective in the body of an `async_start`, if the body only applies it to its arguments and
/// returns its results.
fn single_collective<'c>(op: Operation<'c>) -> Option<Operation<'c>> {
    let body = op.body(0)?;
    let [collective, terminator] = body.operations()[..] else {
        return None;
    };
    let same = |left: &[Value<'c>], right: &[Value<'c>]| left == right;
    (is_collective(collective.name())
        && same(&collective.operands(), &body.arguments())
        && same(&terminator.operands(), &collective.results()))
    .then_some(collective)
}
