//! Each number is computed by hand from the formulas of the module's documentation.

use super::*;
use crate::topology::{Level, Shape};
use std::collections::BTreeMap;

/// A latency of 10 us, 1 GB/s, and 3 GB/s of memory, so that a byte is combined in 1 ns.
fn level(size: usize) -> Level {
    Level {
        name: "switch".to_owned(),
        size,
        shape: Shape::Switch,
        latency: 10e-6,
        overhead: 0.0,
        bandwidth: 1e9,
        shared: None,
    }
}

fn topology(levels: Vec<Level>) -> Topology {
    Topology {
        device: Device {
            flops: 1e12,
            flops_by_type: BTreeMap::new(),
            transcendentals: 1e11,
            bandwidth: 3e9,
            memory: None,
            overhead: 0.0,
        },
        levels,
        algorithms: Algorithms::Best,
        overlap: true,
    }
}

fn micros_on(topology: &Topology, exchange: &Exchange, algorithm: Algorithm) -> f64 {
    let network = Network::new(topology, topology.devices());
    let cost = network.by_one(exchange, algorithm).unwrap();
    (cost.seconds * 1e9).round() / 1e3
}

fn exchange(kind: Kind, bytes: f64, members: usize) -> Exchange {
    Exchange {
        kind,
        bytes,
        groups: vec![(0..members).collect()],
    }
}

fn micros(kind: Kind, algorithm: Algorithm, bytes: f64, members: usize) -> f64 {
    let topology = topology(vec![level(members)]);
    micros_on(&topology, &exchange(kind, bytes, members), algorithm)
}

/// 8 members, 80 kB: `b / B` is 80 us, and so is `b c`.
#[test]
fn formulas_of_thakur_rabenseifner_and_gropp() {
    use Algorithm::*;
    let time = |kind, algorithm| micros(kind, algorithm, 80e3, 8);
    // 7 (10 + 80)
    assert_eq!(time(Kind::AllGather, Ring), 630.0);
    // 3 * 10 + 7 * 80
    assert_eq!(time(Kind::AllGather, RecursiveDoubling), 590.0);
    assert_eq!(time(Kind::AllGather, Bruck), 590.0);
    // 3 * 10 + 7/8 (80 + 80)
    assert_eq!(time(Kind::ReduceScatter, HalvingDoubling), 170.0);
    // 7 (10 + 10 + 10)
    assert_eq!(time(Kind::ReduceScatter, Ring), 210.0);
    // 3 (10 + 80 + 80)
    assert_eq!(time(Kind::AllReduce, RecursiveDoubling), 510.0);
    // 6 * 10 + 7/8 (160 + 80)
    assert_eq!(time(Kind::AllReduce, HalvingDoubling), 270.0);
    // 14 * 10 + 7/8 (160 + 80)
    assert_eq!(time(Kind::AllReduce, Ring), 350.0);
    // 3 (10 + 40)
    assert_eq!(time(Kind::AllToAll, Bruck), 150.0);
    // 3 (10 + 80)
    assert_eq!(time(Kind::Broadcast, BinomialTree), 270.0);
    // (3 + 7) 10 + 2 * 7/8 * 80
    assert_eq!(time(Kind::Broadcast, ScatterAllGather), 240.0);
    // 3 (10 + 80 + 80)
    assert_eq!(time(Kind::Reduce, BinomialTree), 510.0);
}

/// One round: all messages of a member share its link.
#[test]
fn direct_exchanges() {
    let time = |kind, bytes, members| micros(kind, Algorithm::Direct, bytes, members);
    // 10 + 7 * 80
    assert_eq!(time(Kind::AllGather, 80e3, 8), 570.0);
    // 2 * 10 + 7/8 (160 + 80)
    assert_eq!(time(Kind::AllReduce, 80e3, 8), 230.0);
    // Less than 32 KiB: 10 + 7 * 16 + 7 * 16
    assert_eq!(time(Kind::AllReduce, 16e3, 8), 234.0);
    // Two members: 10 + 80 + 80
    assert_eq!(time(Kind::AllReduce, 80e3, 2), 170.0);
    // 10 + 7/8 * 80
    assert_eq!(time(Kind::AllToAll, 80e3, 8), 80.0);
    // 10 + 7/8 (80 + 80)
    assert_eq!(time(Kind::ReduceScatter, 80e3, 8), 150.0);
    // 10 + 7 * 80
    assert_eq!(time(Kind::Broadcast, 80e3, 8), 570.0);
    // 10 + 7 * 80 + 7 * 80
    assert_eq!(time(Kind::Reduce, 80e3, 8), 1130.0);
    assert_eq!(time(Kind::Permute, 80e3, 2), 90.0);
}

/// At 3 GB/s, a byte that is copied is read and written in 2/3 ns. Of 60 kB and 4 members, a
/// gather copies 60 kB and 240 kB, an all_reduce in parts 60 kB and 15 kB and 120 kB.
#[test]
fn programs_of_halo_copy() {
    let topology = Topology {
        algorithms: Algorithms::Halo,
        ..topology(vec![level(4)])
    };
    let network = Network::new(&topology, 4);
    let time = |kind, bytes| {
        let seconds = network.cost(&exchange(kind, bytes, 4)).seconds;
        (seconds * 1e9).round() / 1e3
    };
    // 10 + 3 * 60, and 300 copied
    assert_eq!(time(Kind::AllGather, 60e3), 190.0 + 200.0);
    // 2 * 10 + 3/4 (120 + 60), and 195 copied
    assert_eq!(time(Kind::AllReduce, 60e3), 155.0 + 130.0);
}

/// Six messages after the first one, 2 us each.
#[test]
fn further_messages_have_an_overhead() {
    let level = Level {
        overhead: 2e-6,
        ..level(8)
    };
    let gather = exchange(Kind::AllGather, 80e3, 8);
    let time = micros_on(&topology(vec![level]), &gather, Algorithm::Direct);
    assert_eq!(time, 582.0);
}

/// The bytes that a rank sends, by `docs/distributed.md`.
#[test]
fn volumes() {
    let topology = topology(vec![level(4)]);
    let network = Network::new(&topology, 4);
    let sent = |kind, bytes| {
        let cost = network.cost_by(&exchange(kind, bytes, 4), Algorithm::Direct);
        cost.sent
    };
    assert_eq!(sent(Kind::AllGather, 100.0), 300.0);
    assert_eq!(sent(Kind::AllReduce, 100.0), 300.0);
    assert_eq!(sent(Kind::AllReduce, 40e3), 60e3);
    assert_eq!(sent(Kind::ReduceScatter, 100.0), 75.0);
    assert_eq!(sent(Kind::AllToAll, 100.0), 75.0);
    assert_eq!(sent(Kind::Broadcast, 100.0), 300.0);
    assert_eq!(sent(Kind::Reduce, 100.0), 100.0);
}

/// Two nodes of four; a node sends 1 GB/s, a device within it 10 GB/s.
fn two_nodes() -> Topology {
    let inner = Level {
        latency: 1e-6,
        bandwidth: 10e9,
        ..level(4)
    };
    topology(vec![inner, level(2)])
}

/// Of 8 members, 4 send 80 kB to each of 4 others across: 16 * 80 us on the link of a node. A
/// ring crosses once in each step.
#[test]
fn links_between_nodes_are_shared() {
    let gather = exchange(Kind::AllGather, 80e3, 8);
    assert_eq!(micros_on(&two_nodes(), &gather, Algorithm::Direct), 1290.0);
    // 7 (10 + 80)
    assert_eq!(micros_on(&two_nodes(), &gather, Algorithm::Ring), 630.0);
    // Four groups of two, each across: 10 + 4 * 80, and combining 80.
    let reduce = Exchange {
        kind: Kind::AllReduce,
        bytes: 80e3,
        groups: (0..4).map(|place| vec![place, place + 4]).collect(),
    };
    assert_eq!(micros_on(&two_nodes(), &reduce, Algorithm::Direct), 410.0);
}

/// 400 kB: within a node reduce_scatter of 400 kB (1 + 3/4 * 40 + 3/4 * 400), across all_reduce
/// of 100 kB by four groups (10 + 4 * 100 + 100), within all_gather of 100 kB (1 + 3 * 10).
/// Exchanging halves across saves bytes: 2 (10 + 4 * 50) + 50.
#[test]
fn nodes_reduce_by_themselves_first() {
    let topology = two_nodes();
    let network = Network::new(&topology, 8);
    let reduce = exchange(Kind::AllReduce, 400e3, 8);
    let cost = network.hierarchical(&reduce).unwrap();
    let (within, across, gather) = (331.0, 470.0, 31.0);
    assert_eq!((cost.seconds * 1e9).round() / 1e3, within + across + gather);
    assert_eq!(network.fastest(&reduce).algorithm, Algorithm::Hierarchical);
}

/// A ring of 8: messages load all links on their way. To the opposite device
/// there are 4 hops up, which 4 messages share.
#[test]
fn rings_load_the_links_on_the_way() {
    let ring = Level {
        shape: Shape::Ring,
        ..level(8)
    };
    let topology = topology(vec![ring]);
    let shift = |by: usize| Exchange {
        kind: Kind::Permute,
        bytes: 80e3,
        groups: (0..8).map(|from| vec![from, (from + by) % 8]).collect(),
    };
    let time = |by| micros_on(&topology, &shift(by), Algorithm::Direct);
    assert_eq!(time(1), 90.0);
    assert_eq!(time(7), 90.0);
    // 2 hops, 2 messages on each link.
    assert_eq!(time(2), 180.0);
    assert_eq!(time(4), 360.0);
    // 1 + 2 + 3 hops each way, and 4 hops one way: 10 messages up on each link.
    let gather = exchange(Kind::AllGather, 80e3, 8);
    assert_eq!(micros_on(&topology, &gather, Algorithm::Direct), 840.0);
}

/// 8 ranks on 2 processors: each waits for its turn of 4, two times three slices of 1 ms.
#[test]
fn ranks_wait_for_processors() {
    let machine = Level {
        shared: Some(crate::topology::Shared {
            flops: 1e12,
            bandwidth: 24e9,
            processors: 2,
            slice: 1e-3,
        }),
        ..level(8)
    };
    let topology = topology(vec![machine]);
    let gather = exchange(Kind::AllGather, 80e3, 8);
    // 4 (10 + 7 * 80) + 6000
    assert_eq!(micros_on(&topology, &gather, Algorithm::Direct), 8280.0);
}

/// The cost of 4096 members in 3 levels is computed in linear time.
#[test]
fn thousands_of_processes() {
    let topology = topology(vec![level(8), level(16), level(32)]);
    let network = Network::new(&topology, 4096);
    for kind in [
        Kind::AllGather,
        Kind::AllReduce,
        Kind::AllToAll,
        Kind::ReduceScatter,
    ] {
        let cost = network.cost(&exchange(kind, 1e6, 4096));
        assert!(
            cost.seconds > 1e-3 && cost.seconds < 1e3,
            "{kind:?} {cost:?}"
        );
    }
}

#[test]
fn small_messages_take_few_steps_and_large_ones_few_bytes() {
    let topology = topology(vec![level(8)]);
    let network = Network::new(&topology, 8);
    let by = |bytes| network.cost(&exchange(Kind::Broadcast, bytes, 8)).algorithm;
    assert_eq!(by(100.0), Algorithm::Direct);
    assert_eq!(by(20e3), Algorithm::BinomialTree);
    assert_eq!(by(1e7), Algorithm::ScatterAllGather);
}
