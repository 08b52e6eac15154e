//! Numbers in the locations of ops, which all passes preserve.
//!
//! A pass gives new ops the locations of the ops that they replace. A stamp is a name around a
//! location, `loc("halo.node.7"("a.mlir":3:8))`, which diagnostics and profiles skip; a
//! fused location has the stamps of all its parts.

use halo_ir::{Location, LocationKind, prelude::*};

use std::collections::BTreeSet;

/// The kind of numbered position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamp {
    /// The ops of the entry after the phase `hlo`.
    Node,
    /// The positions in the entry for which buffers are planned.
    Time,
}

impl Stamp {
    const fn prefix(self) -> &'static str {
        match self {
            Self::Node => "halo.node.",
            Self::Time => "halo.time.",
        }
    }

    /// The number in the name of a location, if it is a stamp of this kind.
    fn number(self, name: &str) -> Option<u32> {
        name.strip_prefix(self.prefix())?.parse().ok()
    }

    /// Stamps an op with a number.
    pub fn put(self, op: Operation, number: usize) {
        let name = format!("{}{number}", self.prefix());
        let context = op.context();
        op.set_location(Location::name(context, &name, op.location()));
    }

    /// The numbers in a location. For an inlined function, the numbers of the function's op, not of
    /// the call.
    pub fn numbers(self, location: Location) -> BTreeSet<u32> {
        let mut numbers = BTreeSet::new();
        self.collect(location, &mut numbers);
        numbers
    }

    fn collect(self, location: Location, numbers: &mut BTreeSet<u32>) {
        match location.kind() {
            LocationKind::Name { name, child } => {
                numbers.extend(self.number(&name));
                self.collect(child, numbers);
            }
            LocationKind::CallSite { callee, .. } => self.collect(callee, numbers),
            kind => {
                for part in kind.parts() {
                    self.collect(part, numbers);
                }
            }
        }
    }
}
