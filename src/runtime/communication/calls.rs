//! The custom calls by which compiled programs communicate.
//!
//! | call | operands | results |
//! |---|---|---|
//! | [`REPLICA_ID`], [`PARTITION_ID`] | | the number |
//! | [`COLLECTIVE_START`] | the op's | a ticket |
//! | [`COLLECTIVE_WAIT`] | the ticket | the index in the group, the size of the group |
//! | [`COLLECTIVE_MEMBER`] | the ticket, an index | the contribution of that member; zeros if nothing is received |
//! | [`COLLECTIVE_END`] | the ticket | |
//! | [`SEND`], [`OUTFEED`] | the op's | |
//! | [`RECV`], [`INFEED`] | | the op's |
//! | [`PRINT`], [`PROBE`], [`EXPECT_SERIALIZED_EQ`] | a value | |
//!
//! Tickets, slots and sizes are i64 scalars. The attributes of a call are the attributes of the
//! corresponding op of the dialect `halo`, or of the program's op if there is none. Errors name the
//! program's op, as the interpreter does: `source_op` of a collective.

use std::sync::Arc;

use halo_core::standard_output::print_line;
use halo_core::{Literal, NativeType, PrintOptions};

use super::{Collective, Values};
use crate::Error;
use crate::custom_call::{Attribute, CustomCall, CustomCallRegistry, View};

pub const REPLICA_ID: &str = "halo.replica_id";
pub const PARTITION_ID: &str = "halo.partition_id";
pub const COLLECTIVE_START: &str = "halo.collective_start";
pub const COLLECTIVE_WAIT: &str = "halo.collective_wait";
pub const COLLECTIVE_MEMBER: &str = "halo.collective_member";
pub const COLLECTIVE_END: &str = "halo.collective_end";
pub const SEND: &str = "halo.send";
pub const RECV: &str = "halo.recv";
pub const INFEED: &str = "halo.infeed";
pub const OUTFEED: &str = "halo.outfeed";
pub const PRINT: &str = "halo.print";
pub const PROBE: &str = "halo.probe";
pub const EXPECT_SERIALIZED_EQ: &str = "halo.expect_serialized_eq";

const SEND_OP: &str = "stablehlo.send";
const RECV_OP: &str = "stablehlo.recv";

pub(crate) fn register(registry: &mut CustomCallRegistry) {
    let mut add = |name: &'static str, op: Option<&'static str>, run: Run| {
        registry.register(name, move |call| {
            run(call).map_err(|message| {
                let source = call.site.attributes.text("source_op").ok();
                let op = op.or(source).unwrap_or(name);
                let message = format!("'{op}' op {message}");
                call.failure = Some(Error::execution_at(&call.site.location, &*message));
                message
            })
        });
    };
    add(REPLICA_ID, Some("stablehlo.replica_id"), replica_id);
    add(PARTITION_ID, Some("stablehlo.partition_id"), partition_id);
    add(COLLECTIVE_START, None, start);
    add(COLLECTIVE_WAIT, None, wait);
    add(COLLECTIVE_MEMBER, None, member);
    add(COLLECTIVE_END, None, end);
    add(SEND, Some(SEND_OP), send);
    add(RECV, Some(RECV_OP), recv);
    add(INFEED, Some("stablehlo.infeed"), infeed);
    add(OUTFEED, Some("stablehlo.outfeed"), outfeed);
    add(PRINT, Some("interpreter.print"), print);
    add(PROBE, Some("interpreter.probe"), probe);
    add(
        EXPECT_SERIALIZED_EQ,
        Some("check.expect_serialized_eq"),
        expect_serialized_eq,
    );
}

type Run = fn(&mut CustomCall<'_>) -> Result<(), String>;

fn replica_id(call: &mut CustomCall<'_>) -> Result<(), String> {
    let number = call.process.replica as u32;
    put(call, 0, number)
}

fn partition_id(call: &mut CustomCall<'_>) -> Result<(), String> {
    let number = call.process.partition as u32;
    put(call, 0, number)
}

fn start(call: &mut CustomCall<'_>) -> Result<(), String> {
    let collective = Collective::from_attributes(&call.site.attributes)?;
    let ticket = collective.start(call.process, &operands(call)?)?;
    let number = call.process.keep(ticket);
    put(call, 0, number)
}

fn wait(call: &mut CustomCall<'_>) -> Result<(), String> {
    let (place, size) = match call.process.wait_for(scalar(call, 0)?)? {
        Some(brought) => (brought.place, brought.members.len()),
        None => (0, 0),
    };
    put(call, 0, place as i64)?;
    put(call, 1, size as i64)
}

fn member(call: &mut CustomCall<'_>) -> Result<(), String> {
    let Some(brought) = call.process.wait_for(scalar(call, 0)?)? else {
        for result in &mut call.results {
            result.bytes.fill(0);
        }
        return Ok(());
    };
    let place = scalar(call, 1)?;
    let values = usize::try_from(place).ok();
    let values = values.and_then(|place| brought.members.get(place));
    let values = values.ok_or_else(|| {
        let count = brought.members.len();
        format!("has root {place} in a group of {count}")
    })?;
    give(call, values)
}

fn end(call: &mut CustomCall<'_>) -> Result<(), String> {
    call.process.leave(scalar(call, 0)?);
    Ok(())
}

fn send(call: &mut CustomCall<'_>) -> Result<(), String> {
    let transfer = Collective::transfer_from_attributes(SEND_OP, &call.site.attributes)?;
    transfer.send(call.process, &operands(call)?)
}

fn recv(call: &mut CustomCall<'_>) -> Result<(), String> {
    let transfer = Collective::transfer_from_attributes(RECV_OP, &call.site.attributes)?;
    let values = transfer.receive(call.process)?;
    give(call, &values)
}

fn infeed(call: &mut CustomCall<'_>) -> Result<(), String> {
    let values = call.process.cluster.infeed(call.process.number())?;
    give(call, &values)
}

fn outfeed(call: &mut CustomCall<'_>) -> Result<(), String> {
    call.process.cluster.outfeed(operands(call)?);
    Ok(())
}

fn print(call: &mut CustomCall<'_>) -> Result<(), String> {
    for value in operands(call)? {
        print_line(value.display(PrintOptions::default()))
            .map_err(|error| format!("cannot print: {error}"))?;
    }
    Ok(())
}

fn probe(call: &mut CustomCall<'_>) -> Result<(), String> {
    let name = call.site.attributes.text("probe_id")?;
    let value = operand(call, 0)?.to_literal()?;
    call.process.cluster.probes.keep(name, value);
    Ok(())
}

fn expect_serialized_eq(call: &mut CustomCall<'_>) -> Result<(), String> {
    let attributes = &call.site.attributes;
    let name = attributes.text("probe_id")?;
    let run = attributes.0.get("iter").map_or(Some(0), Attribute::integer);
    let run = run.ok_or("attribute 'iter' is not the number of a run")?;
    let value = operand(call, 0)?.to_literal()?;
    call.process.cluster.probes.expect(name, run, &value)
}

fn operand<'a>(call: &'a CustomCall<'_>, number: usize) -> Result<&'a View<'a>, String> {
    let operand = call.operands.get(number);
    operand.ok_or_else(|| format!("is called without operand {number}"))
}

fn scalar(call: &CustomCall<'_>, number: usize) -> Result<i64, String> {
    let value = operand(call, number)?.to_literal()?;
    match value.as_slice::<i64>() {
        Ok([value]) => Ok(*value),
        _ => Err(format!("expects a number as operand {number}")),
    }
}

fn operands(call: &CustomCall<'_>) -> Result<Values, String> {
    let operands = call.operands.iter();
    operands.map(|operand| operand.to_literal().map(Arc::new)).collect()
}

fn put<T: NativeType>(call: &mut CustomCall<'_>, number: usize, value: T) -> Result<(), String> {
    let value = Literal::scalar(value);
    match call.results.get_mut(number) {
        Some(result) if result.bytes.len() == value.bytes().len() => {
            result.bytes.copy_from_slice(value.bytes());
            Ok(())
        }
        _ => Err(format!("has no place for {value:?}")),
    }
}

/// Copies values into the results.
fn give(call: &mut CustomCall<'_>, values: &[Arc<Literal>]) -> Result<(), String> {
    if values.len() != call.results.len() {
        let (expected, given) = (call.results.len(), values.len());
        return Err(format!("expects {expected} values, but {given} were given"));
    }
    for (result, value) in call.results.iter_mut().zip(values) {
        if value.shape() != result.shape {
            return Err(format!("meets {} and {}", result.shape, value.shape()));
        }
        result.bytes.copy_from_slice(value.bytes());
    }
    Ok(())
}
