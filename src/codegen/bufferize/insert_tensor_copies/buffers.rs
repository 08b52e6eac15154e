//! The buffer of each tensor, assuming that every write so far is in place.

use crate::explain::Reason;
use halo_ir::prelude::*;
use std::collections::HashMap;

/// The buffer of a tensor: an allocation, or a slice of one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Buffer {
    allocation: usize,
    /// The key of the slice; zero for the whole allocation.
    slice: usize,
    /// True if dimensions of a slice were collapsed, which may require a copy.
    collapsed: bool,
}

/// The state of an allocation.
struct Allocation<'c> {
    writable: Result<(), Reason>,
    /// The tensors that are stored in it and may be read later.
    members: Vec<Member<'c>>,
    /// The ops that write to it, in order.
    writers: Vec<Operation<'c>>,
}

#[derive(Clone, Copy)]
struct Member<'c> {
    value: Value<'c>,
    /// The number of the last op that reads it.
    last_use: usize,
}

/// The buffers of all visited tensors.
#[derive(Default)]
pub struct Buffers<'c> {
    allocations: Vec<Allocation<'c>>,
    buffers: HashMap<usize, Buffer>,
}

impl<'c> Buffers<'c> {
    /// Creates an allocation, with the reason if it must not be written to.
    pub fn allocate(&mut self, writable: Result<(), Reason>) -> Buffer {
        self.allocations.push(Allocation {
            writable,
            members: Vec::new(),
            writers: Vec::new(),
        });
        Buffer {
            allocation: self.allocations.len() - 1,
            slice: 0,
            collapsed: false,
        }
    }

    /// The number of allocations. Later allocations have at least this number.
    pub fn count(&self) -> usize {
        self.allocations.len()
    }

    /// Returns true if a buffer is one of the first `count` allocations.
    pub fn is_older(&self, buffer: Buffer, count: usize) -> bool {
        buffer.allocation < count
    }

    /// Records that a tensor is stored in a buffer, until the op of number
    /// `last_use`.
    pub fn bind(&mut self, value: Value<'c>, buffer: Buffer, last_use: usize) {
        self.buffers.insert(value.key(), buffer);
        self.allocations[buffer.allocation].members.push(Member { value, last_use });
    }

    /// The buffer of a tensor. An unknown tensor has a separate buffer that
    /// must not be written to.
    pub fn of(&mut self, value: Value<'c>) -> Buffer {
        match self.buffers.get(&value.key()) {
            Some(buffer) => *buffer,
            None => {
                let buffer = self.allocate(Err(Reason::UnknownMemory));
                self.bind(value, buffer, usize::MAX);
                buffer
            }
        }
    }

    /// The buffer of a slice.
    pub fn slice(&self, buffer: Buffer, slice: Value<'c>) -> Buffer {
        Buffer {
            slice: slice.key(),
            ..buffer
        }
    }

    /// A buffer with another shape.
    pub fn reshape(&self, buffer: Buffer) -> Buffer {
        Buffer {
            collapsed: buffer.slice != 0,
            ..buffer
        }
    }

    /// Returns true if two tensors have the same buffer and the same layout.
    pub fn same(&mut self, one: Value<'c>, other: Value<'c>) -> bool {
        self.of(one) == self.of(other) && one.ty() == other.ty()
    }

    /// Returns true if a buffer is a whole allocation.
    pub fn is_whole(&self, buffer: Buffer) -> bool {
        buffer.slice == 0
    }

    /// Returns true if a slice selects exactly a buffer.
    pub fn is_slice(&self, buffer: Buffer, slice: Value<'c>) -> bool {
        buffer.slice == slice.key()
    }

    pub fn shares_memory(&mut self, one: Value<'c>, other: Value<'c>) -> bool {
        self.of(one).allocation == self.of(other).allocation
    }

    pub fn is_writable(&self, buffer: Buffer) -> bool {
        self.writable(buffer).is_ok()
    }

    /// Returns the reason as an error if an allocation must not be written to.
    pub fn writable(&self, buffer: Buffer) -> Result<(), Reason> {
        self.allocations[buffer.allocation].writable
    }

    /// Forbids all further writes to an allocation.
    pub fn freeze(&mut self, buffer: Buffer) {
        self.allocations[buffer.allocation].writable = Err(Reason::HeldByOtherOp);
    }

    /// The ops that wrote to an allocation so far, in order.
    pub fn writers(&self, buffer: Buffer) -> &[Operation<'c>] {
        &self.allocations[buffer.allocation].writers
    }

    /// Records that an op writes to an allocation.
    pub fn write(&mut self, buffer: Buffer, writer: Operation<'c>) {
        self.allocations[buffer.allocation].writers.push(writer);
    }

    /// The tensors in an allocation that an op of number `now` or later may
    /// read. Those without reads from `kept` on are dropped.
    pub fn live(&mut self, buffer: Buffer, now: usize, kept: usize) -> Vec<Value<'c>> {
        let members = &mut self.allocations[buffer.allocation].members;
        members.retain(|member| member.last_use >= kept);
        let live = members.iter().filter(|member| member.last_use >= now);
        live.map(|member| member.value).collect()
    }

    /// The tensors that have exactly this buffer.
    pub fn members(&self, buffer: Buffer) -> impl Iterator<Item = Value<'c>> {
        let members = &self.allocations[buffer.allocation].members;
        members
            .iter()
            .map(|member| member.value)
            .filter(move |value| self.buffers.get(&value.key()) == Some(&buffer))
    }
}
