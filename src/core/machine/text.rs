//! A machine as text: `znver4`, or `x86-64-v4:cores=4:last-cache=8388608/4`.

use super::{Cache, Machine};
use std::{fmt, ops::RangeInclusive};

const BYTES: RangeInclusive<i64> = 4 << 10..=1 << 40;

/// The sizes that a text may have, in order, with their ranges.
const SIZES: [(&str, RangeInclusive<i64>); 6] = [
    ("vector-bits", 128..=512),
    ("vector-registers", 8..=256),
    ("cores", 1..=1 << 16),
    ("first-cache", BYTES),
    ("second-cache", BYTES),
    ("last-cache", BYTES),
];

impl Machine {
    /// The machine of a text: the name of a row, and the sizes that differ; `None` for unknown
    /// names, sizes out of range and caches that are smaller than the ones before them.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        let mut machine = Self::of_kind(parts.next()?)?;
        let mut sizes = machine.sizes();
        for part in parts {
            let (key, value) = part.split_once('=')?;
            let (value, cores) = value.split_once('/').unwrap_or((value, "1"));
            let index = SIZES.iter().position(|(known, _)| *known == key)?;
            sizes[index] = Cache {
                bytes: value.parse().ok()?,
                cores: cores.parse().ok().filter(|cores| *cores > 0)?,
            };
        }
        let [bits, registers, cores, caches @ ..] = sizes;
        machine = Self {
            vector_bits: bits.share(),
            vector_registers: registers.share(),
            cores: cores.share(),
            caches,
            ..machine
        };
        machine.is_possible().then_some(machine)
    }

    fn sizes(&self) -> [Cache; 6] {
        let own = |bytes| Cache { bytes, cores: 1 };
        let [bits, registers, cores] = [self.vector_bits, self.vector_registers, self.cores];
        let [first, second, last] = self.caches;
        [own(bits), own(registers), own(cores), first, second, last]
    }

    /// Whether all sizes are in range, vectors have a power of two of bits, and no cache is smaller
    /// than the one before it.
    pub(super) fn is_possible(&self) -> bool {
        let mut sizes = self.sizes().into_iter().zip(&SIZES);
        sizes.all(|(size, (_, range))| size.cores > 0 && range.contains(&size.share()))
            && self.vector_bits.count_ones() == 1
            && self.has_caches_in_order()
    }

    /// Whether each cache is as large as the one before it or larger.
    pub(super) fn has_caches_in_order(&self) -> bool {
        let [first, second, last] = self.caches;
        first.share() <= second.share() && second.share() <= last.bytes
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.names[0];
        formatter.write_str(name)?;
        let row = Self::of_kind(name).unwrap_or(*self).sizes();
        for (((key, _), size), of_row) in SIZES.iter().zip(self.sizes()).zip(row) {
            match size {
                _ if size == of_row => {}
                Cache { bytes, cores: 1 } => write!(formatter, ":{key}={bytes}")?,
                Cache { bytes, cores } => write!(formatter, ":{key}={bytes}/{cores}")?,
            }
        }
        Ok(())
    }
}
