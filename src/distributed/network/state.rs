//! The state of a rank: values that have arrived, frames to be sent, and the statuses of the
//! others. It does not depend on MPI, so that tests deliver frames directly.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use halo_core::Literal;
use halo_runtime::communication::{Contribution, Values};

use super::engine::Watched;
use super::fault::{Cause, Fault};
use super::frame::{Address, Frame, Key, Report, Status, Waiting};

/// Values of up to this size are in the frame that announces them, so that many small ones, such as
/// the values of a combined collective, are one message; larger ones follow it, without a copy.
const INLINE_BYTES: usize = 16 << 10;

/// Returns true if a value of this size is in the frame that announces it.
pub fn is_inline(bytes: usize) -> bool {
    bytes <= INLINE_BYTES
}

/// A slice of a value to be sent.
#[derive(Clone)]
pub struct Piece {
    pub literal: Arc<Literal>,
    pub shape: String,
    pub range: Range<usize>,
}

impl Piece {
    /// The whole value.
    pub fn whole(literal: &Arc<Literal>) -> Self {
        Self {
            literal: Arc::clone(literal),
            shape: literal.shape().to_string(),
            range: 0..literal.bytes().len(),
        }
    }

    fn bytes(&self) -> &[u8] {
        &self.literal.bytes()[self.range.clone()]
    }
}

/// A frame for another rank, and the payload that follows it.
pub struct Outgoing {
    pub to: usize,
    pub frame: Frame,
    pub payload: Vec<Piece>,
}

/// The traffic of a rank: bytes of values, and messages with values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Volume {
    pub sent_bytes: u64,
    pub sent_messages: u64,
    pub received_bytes: u64,
    pub received_messages: u64,
}

/// The values that have arrived for a meeting.
#[derive(Default)]
struct Arrivals {
    from: BTreeMap<usize, (String, Contribution)>,
    /// This rank's program does not read it.
    is_left: bool,
}

/// The state of a rank.
pub struct State {
    pub rank: usize,
    pub size: usize,
    pub outgoing: VecDeque<Outgoing>,
    meetings: HashMap<Key, Arrivals>,
    routes: HashMap<Key, VecDeque<Values>>,
    /// Offered values without a receiver.
    offered: HashMap<Key, VecDeque<Vec<Piece>>>,
    /// Offers and requests, in order, of the routes whose home this rank is.
    matching: HashMap<Key, (VecDeque<usize>, VecDeque<usize>)>,
    /// The number of meetings of a group that the program has joined.
    pub visits: HashMap<Key, u64>,
    /// The waits of the program's threads.
    pub waiting: BTreeMap<u64, Waiting>,
    sent: Vec<u64>,
    received: Vec<u64>,
    /// The last reported statuses of the others.
    pub statuses: BTreeMap<usize, Status>,
    pub fault: Option<Fault>,
    pub reports: BTreeMap<usize, Report>,
    pub goodbyes: BTreeSet<usize>,
    pub volume: Volume,
    /// Processes whose end the system reports.
    pub watched: Vec<Watched>,
    /// Whether this rank's message is printed, once decided.
    pub prints: Option<bool>,
    /// The fault was reported to the program.
    pub is_told: bool,
    /// The program has not detected the fault in time.
    pub speaks_for_program: bool,
    /// The program is done; the rank ends when all are.
    pub is_closing: bool,
    /// All ranks must end at once.
    pub is_aborting: bool,
}

impl State {
    pub fn new(rank: usize, size: usize) -> Self {
        Self {
            rank,
            size,
            outgoing: VecDeque::new(),
            meetings: HashMap::new(),
            routes: HashMap::new(),
            offered: HashMap::new(),
            matching: HashMap::new(),
            visits: HashMap::new(),
            waiting: BTreeMap::new(),
            sent: vec![0; size],
            received: vec![0; size],
            statuses: BTreeMap::new(),
            fault: None,
            reports: BTreeMap::new(),
            goodbyes: BTreeSet::new(),
            volume: Volume::default(),
            watched: Vec::new(),
            prints: None,
            is_told: false,
            speaks_for_program: false,
            is_closing: false,
            is_aborting: false,
        }
    }

    /// Records the reason for which no rank can continue; only the first one counts.
    pub fn fail(&mut self, rank: usize, cause: Cause) {
        if self.fault.is_none() {
            tracing::debug!(rank, ?cause, "fault");
            self.fault = Some(Fault { rank, cause });
        }
    }

    pub fn post(&mut self, to: usize, frame: Frame, payload: Vec<Piece>) {
        if frame.moves() {
            self.sent[to] += 1;
        }
        self.outgoing.push_back(Outgoing { to, frame, payload });
    }

    /// Sends a frame without values to all others.
    pub fn broadcast(&mut self, frame: &Frame) {
        let own = self.rank;
        for to in (0..self.size).filter(|to| *to != own) {
            self.post(to, frame.clone(), Vec::new());
        }
    }

    /// Sends values to another rank. Values that are not `counted` are not from the program.
    pub fn send(&mut self, to: usize, address: Address, pieces: Vec<Piece>, counted: bool) {
        let size: usize = pieces.iter().map(|piece| piece.range.len()).sum();
        if counted {
            self.volume.sent_bytes += size as u64;
            self.volume.sent_messages += 1;
        }
        let shapes = pieces.iter().map(|piece| piece.shape.clone()).collect();
        let is_inline = |piece: &Piece| is_inline(piece.range.len());
        let (inline, payload): (Vec<Piece>, Vec<Piece>) = pieces.into_iter().partition(is_inline);
        let frame = Frame::Values {
            address,
            shapes,
            bytes: inline.iter().flat_map(Piece::bytes).copied().collect(),
            counted,
        };
        self.post(to, frame, payload);
    }

    /// Stores received values.
    pub fn arrive(&mut self, from: usize, address: Address, values: Values, counted: bool) {
        self.received[from] += 1;
        if counted {
            let size: usize = values.iter().map(|value| value.bytes().len()).sum();
            self.volume.received_bytes += size as u64;
            self.volume.received_messages += 1;
        }
        match address {
            Address::Meeting { key, operation } => self.contribute(key, from, operation, values),
            Address::Route(key) => self.routes.entry(key).or_default().push_back(values),
        }
    }

    /// Takes a frame without values.
    pub fn deliver(&mut self, from: usize, frame: Frame) {
        if frame.moves() {
            self.received[from] += 1;
        }
        match frame {
            Frame::Values { .. } => {}
            Frame::Offer(route) => self.offer(route, from),
            Frame::Want(route) => self.want(route, from),
            Frame::Grant { route, receiver } => self.grant(route, receiver),
            Frame::Beat(status) => {
                self.statuses.insert(from, status);
            }
            Frame::Report(report) => {
                match report.fault.clone() {
                    Some(fault) => self.fail(fault.rank, fault.cause),
                    None => self.fail(from, Cause::Failed),
                }
                self.reports.insert(from, report);
            }
            Frame::Goodbye => {
                self.goodbyes.insert(from);
            }
        }
    }

    /// Stores the contribution of a rank, which may be this one, to a meeting.
    pub fn contribute(&mut self, key: Key, from: usize, operation: String, values: Values) {
        let arrivals = self.meetings.entry(key).or_default();
        if !arrivals.is_left {
            arrivals.from.insert(from, (operation, values.into()));
        }
    }

    /// The op of another rank that joined a meeting with a different op.
    pub fn other_operation(&self, key: Key, operation: &str) -> Option<String> {
        let arrivals = self.meetings.get(&key)?;
        let mut others = arrivals.from.values().map(|(other, _)| other);
        others.find(|other| *other != operation).cloned()
    }

    /// The op with which this rank has joined a meeting.
    pub fn operation(&self, key: Key) -> String {
        let arrivals = self.meetings.get(&key);
        let own = arrivals.and_then(|arrivals| arrivals.from.get(&self.rank));
        own.map(|(operation, _)| operation.clone()).unwrap_or_default()
    }

    /// Returns the contributions of ranks to a meeting, in their order, or the ranks whose
    /// contributions are missing. Returning the contributions ends the meeting for this rank.
    pub fn meet(&mut self, key: Key, ranks: &[usize]) -> Result<Vec<Contribution>, Vec<usize>> {
        let arrivals = self.meetings.entry(key).or_default();
        let missing = ranks.iter().filter(|rank| !arrivals.from.contains_key(rank));
        let missing: Vec<usize> = missing.copied().collect();
        if !missing.is_empty() {
            return Err(missing);
        }
        let brought = self.meetings.remove(&key).unwrap_or_default();
        let values = ranks.iter().filter_map(|rank| brought.from.get(rank));
        Ok(values.map(|(_, values)| Arc::clone(values)).collect())
    }

    /// Returns true if the program takes part in a meeting whose values it has not read: values of
    /// others may arrive during its computation.
    pub fn expects_values(&self) -> bool {
        let mut meetings = self.meetings.values();
        meetings.any(|arrivals| arrivals.from.contains_key(&self.rank))
    }

    /// Leaves a meeting whose values the program does not read.
    pub fn leave(&mut self, key: Key) {
        let arrivals = self.meetings.entry(key).or_default();
        arrivals.is_left = true;
        arrivals.from.clear();
    }

    /// The next values of a route.
    pub fn take(&mut self, route: Key) -> Option<Values> {
        self.routes.get_mut(&route)?.pop_front()
    }

    /// Puts values on a route of this rank.
    pub fn put(&mut self, route: Key, values: Values) {
        self.routes.entry(route).or_default().push_back(values);
    }

    /// Offers values to the receiver on a route, and notifies its home.
    pub fn offer_values(&mut self, route: Key, values: Vec<Piece>) {
        self.offered.entry(route).or_default().push_back(values);
        match route.home(self.size) {
            home if home == self.rank => self.offer(route, home),
            home => self.post(home, Frame::Offer(route), Vec::new()),
        }
    }

    /// Requests the next values of a route, and notifies its home.
    pub fn want_values(&mut self, route: Key) {
        match route.home(self.size) {
            home if home == self.rank => self.want(route, home),
            home => self.post(home, Frame::Want(route), Vec::new()),
        }
    }

    fn offer(&mut self, route: Key, from: usize) {
        self.matching.entry(route).or_default().0.push_back(from);
        self.bring_together(route);
    }

    fn want(&mut self, route: Key, from: usize) {
        self.matching.entry(route).or_default().1.push_back(from);
        self.bring_together(route);
    }

    fn bring_together(&mut self, route: Key) {
        let Some((offers, wants)) = self.matching.get_mut(&route) else {
            return;
        };
        let (Some(sender), Some(receiver)) = (offers.front().copied(), wants.front().copied())
        else {
            return;
        };
        offers.pop_front();
        wants.pop_front();
        if sender == self.rank {
            self.grant(route, receiver)
        } else {
            self.post(sender, Frame::Grant { route, receiver }, Vec::new())
        }
    }

    fn grant(&mut self, route: Key, receiver: usize) {
        let offered = self.offered.get_mut(&route);
        let Some(pieces) = offered.and_then(VecDeque::pop_front) else {
            return;
        };
        if receiver == self.rank {
            let values = pieces.into_iter().map(|piece| piece.literal).collect();
            self.put(route, values);
        } else {
            self.send(receiver, Address::Route(route), pieces, true)
        }
    }

    /// Announces that the program is done: the rank ends when all others have announced it, too.
    pub fn say_goodbye(&mut self) {
        self.is_closing = true;
        self.broadcast(&Frame::Goodbye);
    }

    /// The status of this rank.
    pub fn status(&self) -> Status {
        Status {
            waiting: self.waiting.values().next().cloned(),
            sent: self.sent.clone(),
            received: self.received.clone(),
        }
    }
}
