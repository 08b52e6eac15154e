//! Parses damaged protocol buffers of modules for a given time:
//!
//! ```sh
//! cargo run --release -p halo-hlo-text --example hlo_proto_fuzz -- SECONDS [FILE...]
//! ```
//!
//! Any outcome but a module or an error is a bug.

use std::time::{Duration, Instant};

use halo_hlo_text::{parse, parse_proto, parse_snapshot};

/// Xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// A copy with some bytes changed, moved, doubled or gone.
fn damaged(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(8) {
        let at = random.below(bytes.len());
        let end = (at + random.below(16)).min(bytes.len());
        match random.below(5) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let part = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, part);
            }
            3 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            _ if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            _ => {}
        }
    }
    bytes
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().and_then(|text| text.parse().ok());
    let end = Instant::now() + Duration::from_secs(seconds.unwrap_or(10));
    let mut seeds: Vec<Vec<u8>> = arguments.filter_map(|path| std::fs::read(path).ok()).collect();
    seeds.push(include_bytes!("../tests/data/proto.pb").to_vec());
    seeds.push(include_bytes!("../tests/data/snapshot.pb").to_vec());
    for text in [
        include_str!("../tests/data/attributes.hlo"),
        include_str!("../tests/data/literals.hlo"),
        include_str!("../tests/data/control_flow.hlo"),
    ] {
        seeds.extend(parse(text).ok().and_then(|module| module.to_proto().ok()));
    }
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut count, mut read) = (0_u64, 0_u64);
    while Instant::now() < end {
        let seed = &seeds[random.below(seeds.len())];
        let bytes = damaged(seed, &mut random);
        if let Ok(module) = parse_proto(&bytes) {
            read += 1;
            // Every module that can be read can be written.
            if let Ok(bytes) = module.to_proto() {
                let again = parse_proto(&bytes);
                assert!(again.is_ok(), "{:?}", again.err());
            }
        }
        let _ = parse_snapshot(&bytes);
        count += 1;
    }
    println!("{count} messages, {read} of them modules");
}
