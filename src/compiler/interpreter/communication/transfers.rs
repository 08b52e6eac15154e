//! Sections `infeed`, `outfeed`, `send` and `recv`.

use super::super::{
    call::Call,
    evaluator::{Evaluated, Failure},
    value::Value,
};
use super::cluster::Route;
use super::groups::{Grouping, channel, members, rows};

/// Section `infeed`: the next values of the queue, which `run_parallel` fills.
pub fn infeed(call: &Call) -> Evaluated {
    let mut values = call
        .evaluator
        .process
        .cluster
        .infeed()
        .ok_or("finds the infeed empty")?;
    values.push(Value::Token);
    Ok(values)
}

/// Section `outfeed`: the queue is not read by anyone.
pub fn outfeed(_: &Call) -> Evaluated {
    Ok(vec![Value::Token])
}

/// Section `send`: to whoever receives on the channel, or to the processes that
/// this one is paired with.
pub fn send(call: &Call) -> Evaluated {
    let count = call.operands.len().saturating_sub(1);
    let values = call.operands[..count].to_vec();
    let process = &call.evaluator.process;
    for (source, route) in routes(call)? {
        if source.is_none_or(|source| source == process.number()) {
            process.cluster.send(route, values.clone());
        }
    }
    Ok(vec![Value::Token])
}

/// Section `recv`.
pub fn recv(call: &Call) -> Evaluated {
    let process = &call.evaluator.process;
    let own = process.number();
    let route = routes(call)?
        .into_iter()
        .map(|(_, route)| route)
        .find(|route| route.receiver.is_none_or(|receiver| receiver == own))
        .ok_or("is run by a process that nothing is sent to")?;
    let mut values = process.cluster.receive(own, route)?;
    values.push(Value::Token);
    Ok(values)
}

/// The routes that the op names, with the process that sends on each.
fn routes(call: &Call) -> Result<Vec<(Option<usize>, Route)>, Failure> {
    let channel = channel(call);
    if call.op.flag("is_host_transfer") || call.op.attribute("source_target_pairs").is_none() {
        let receiver = None;
        return Ok(vec![(None, Route { channel, receiver })]);
    }
    let process = &call.evaluator.process;
    let grouping = Grouping::FlattenedIds;
    rows(call, "source_target_pairs", grouping, process)?
        .into_iter()
        .map(|pair| match members(&pair, grouping, process)?[..] {
            [source, target] => Ok((
                Some(source),
                Route {
                    channel,
                    receiver: Some(target),
                },
            )),
            _ => Err("has no pairs of processes".into()),
        })
        .collect()
}
