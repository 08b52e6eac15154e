//! Shardings and replica groups.

use std::fmt::{self, Write};

use super::Printer;
use crate::{DeviceList, OpShardingType, ReplicaGroups, Sharding};

impl Printer<'_> {
    pub(super) fn replica_groups(&mut self, groups: &ReplicaGroups) -> fmt::Result {
        match groups {
            ReplicaGroups::List(groups) => self.integer_lists(groups),
            ReplicaGroups::Mesh(text) => self.out.write_str(text),
            ReplicaGroups::Iota(groups) => {
                self.bracketed(&groups.dimensions)?;
                self.iota(&groups.reshape_dimensions, &groups.transpose_permutation)
            }
        }
    }

    /// `{{0,1},{2}}`
    pub(super) fn integer_lists(&mut self, lists: &[Vec<i64>]) -> fmt::Result {
        self.out.push('{');
        self.list(lists, ",", |printer, list| printer.braced_integers(list))?;
        self.out.write_char('}')
    }

    /// `[2,4]`
    fn bracketed(&mut self, numbers: &[i64]) -> fmt::Result {
        self.out.push('[');
        self.integers(numbers)?;
        self.out.write_char(']')
    }

    /// `<=[4,2]T(1,0)`
    fn iota(&mut self, dimensions: &[i64], permutation: &[i64]) -> fmt::Result {
        self.out.push_str("<=");
        self.bracketed(dimensions)?;
        if permutation.is_empty() {
            return Ok(());
        }
        self.out.push_str("T(");
        self.integers(permutation)?;
        self.out.write_char(')')
    }

    pub(super) fn sharding(&mut self, sharding: &Sharding) -> fmt::Result {
        let (kind, suffix) = match sharding {
            Sharding::Named(text) => return self.out.write_str(text),
            Sharding::Tuple(elements) => {
                self.out.push('{');
                self.indexed_list(elements, Self::sharding)?;
                return self.out.write_char('}');
            }
            Sharding::Single { kind, suffix } => (kind, suffix),
        };
        self.out.push('{');
        match kind {
            OpShardingType::Replicated => self.out.push_str("replicated"),
            OpShardingType::Manual => self.out.push_str("manual"),
            OpShardingType::Unknown => self.out.push_str("unknown"),
            OpShardingType::Unreduced => self.out.push_str("unreduced"),
            OpShardingType::Maximal(device) => write!(self.out, "maximal device={device}")?,
            OpShardingType::Tiled(tiles) => {
                self.out.push_str("devices=");
                self.bracketed(&tiles.dimensions)?;
                match &tiles.devices {
                    DeviceList::List(devices) => self.integers(devices)?,
                    DeviceList::Iota {
                        reshape_dimensions,
                        transpose_permutation,
                    } => self.iota(reshape_dimensions, transpose_permutation)?,
                }
            }
        }
        let is_printed = |word: &&String| self.options.metadata || !word.starts_with("metadata=");
        for word in suffix.iter().filter(is_printed) {
            self.out.push(' ');
            self.out.push_str(word);
        }
        self.out.write_char('}')
    }
}
