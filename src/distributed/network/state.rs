//! The state of a rank: values that have arrived, frames to be sent, and the statuses of the
//! others. It does not depend on the connection of the ranks, so that tests deliver frames directly.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use halo_core::{Literal, Shape};
use halo_runtime::communication::{Contribution, Values};

use super::engine::Watched;
use super::fault::{Cause, Fault};
use super::frame::{Address, Exchange, Frame, Key, Report, Status, Waiting};

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

/// The contributions that have arrived for a meeting.
#[derive(Default)]
struct Arrivals {
    /// The op and the values of a process: for all processes of this rank, or for one of them.
    from: BTreeMap<(usize, Option<usize>), (String, Contribution)>,
    /// The number of processes of this rank that have read the contributions, or do not read them.
    done: usize,
    is_joined: bool,
    /// No process of this rank reads contributions any more.
    is_closed: bool,
}

/// The exchanges of the processes of a grid.
#[derive(Default)]
pub struct Grid {
    meetings: HashMap<Key, Arrivals>,
    routes: HashMap<Key, VecDeque<Values>>,
    /// The number of meetings of a group that a process of this rank has joined.
    pub visits: HashMap<(usize, Key), u64>,
    /// The programs of the ranks that have sent values.
    pub programs: BTreeMap<usize, String>,
    /// Processes that have failed, with the reasons for which they could not wait any longer.
    pub failed: BTreeMap<usize, Option<String>>,
}

/// The state of a rank.
pub struct State {
    pub rank: usize,
    pub size: usize,
    /// Frames for ranks without a link.
    pub outgoing: VecDeque<Outgoing>,
    /// The threads that send frames, by rank.
    pub links: Vec<Option<Sender<Outgoing>>>,
    pub grids: HashMap<Key, Grid>,
    /// Grids that have failed on this rank, to which others still send.
    pub closed: HashSet<Key>,
    /// Offered values without a receiver, and the programs that offered them.
    offered: HashMap<Exchange, VecDeque<(String, Vec<Piece>)>>,
    /// Offers and requests, in order, of the routes whose home this rank is.
    matching: HashMap<Exchange, (VecDeque<usize>, VecDeque<usize>)>,
    /// The waits of the program's threads.
    pub waiting: BTreeMap<u64, Waiting>,
    sent: Vec<u64>,
    received: Vec<u64>,
    /// The last reported statuses of the others.
    pub statuses: BTreeMap<usize, Status>,
    pub fault: Option<Fault>,
    /// Ranks that cannot be reached any more. Programs that do not wait for them continue.
    pub lost: BTreeMap<usize, Cause>,
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
            links: Vec::new(),
            grids: HashMap::new(),
            closed: HashSet::new(),
            offered: HashMap::new(),
            matching: HashMap::new(),
            waiting: BTreeMap::new(),
            sent: vec![0; size],
            received: vec![0; size],
            statuses: BTreeMap::new(),
            fault: None,
            lost: BTreeMap::new(),
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
        let outgoing = Outgoing { to, frame, payload };
        match self.links.get(to) {
            // A lost rank is reported to the programs that wait for it.
            Some(Some(link)) => drop(link.send(outgoing)),
            _ => self.outgoing.push_back(outgoing),
        }
    }

    /// Sends a frame without values to all others.
    pub fn broadcast(&mut self, frame: &Frame) {
        let own = self.rank;
        for to in (0..self.size).filter(|to| *to != own) {
            self.post(to, frame.clone(), Vec::new());
        }
    }

    /// Sends values of a program to another rank. Values that are not `counted` are of the tool.
    pub fn send(
        &mut self,
        to: usize,
        address: Address,
        program: &str,
        pieces: Vec<Piece>,
        counted: bool,
    ) {
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
            program: program.to_owned(),
            shapes,
            bytes: inline.iter().flat_map(Piece::bytes).copied().collect(),
            counted,
        };
        self.post(to, frame, payload);
    }

    /// Stores received values of a program.
    pub fn arrive(
        &mut self,
        from: usize,
        address: Address,
        program: String,
        values: Values,
        counted: bool,
    ) {
        self.received[from] += 1;
        if counted {
            let size: usize = values.iter().map(|value| value.bytes().len()).sum();
            self.volume.received_bytes += size as u64;
            self.volume.received_messages += 1;
        }
        let grid = address.exchange().grid;
        if self.closed.contains(&grid) {
            return;
        }
        self.grid(grid).programs.insert(from, program);
        match address {
            Address::Meeting {
                exchange,
                from,
                to,
                operation,
            } => self.contribute(exchange, (from, to), operation, values),
            Address::Route(route) => self.put(route, values),
        }
    }

    /// The exchanges of a grid.
    pub fn grid(&mut self, grid: Key) -> &mut Grid {
        self.grids.entry(grid).or_default()
    }

    /// Takes a frame without values.
    pub fn deliver(&mut self, from: usize, frame: Frame) {
        if frame.moves() {
            self.received[from] += 1;
        }
        match frame {
            Frame::Offer(route) => self.offer(route, from),
            Frame::Want(route) => self.want(route, from),
            Frame::Grant { route, receiver } => self.grant(route, receiver),
            Frame::Failed {
                grid,
                process,
                reason,
            } if !self.closed.contains(&grid) => {
                self.grid(grid).failed.insert(process, reason);
            }
            Frame::Values { .. } | Frame::Failed { .. } => {}
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

    fn arrivals(&mut self, exchange: Exchange) -> &mut Arrivals {
        self.grid(exchange.grid).meetings.entry(exchange.key).or_default()
    }

    /// Joins a meeting with the contribution of a process of this rank.
    pub fn join(&mut self, exchange: Exchange, process: usize, operation: &str, values: Values) {
        self.arrivals(exchange).is_joined = true;
        self.contribute(exchange, (process, None), operation.to_owned(), values);
    }

    /// Stores the contribution of a process to a meeting.
    fn contribute(
        &mut self,
        exchange: Exchange,
        from: (usize, Option<usize>),
        operation: String,
        values: Values,
    ) {
        let arrivals = self.arrivals(exchange);
        if !arrivals.is_closed {
            arrivals.from.insert(from, (operation, values.into()));
        }
    }

    /// The op of another process that joined a meeting with a different op.
    pub fn other_operation(&mut self, exchange: Exchange, operation: &str) -> Option<String> {
        let mut others = self.arrivals(exchange).from.values().map(|(other, _)| other);
        others.find(|other| *other != operation).cloned()
    }

    /// The op with which a process of this rank has joined a meeting.
    pub fn operation(&mut self, exchange: Exchange, process: usize) -> String {
        let own = self.arrivals(exchange).from.get(&(process, None));
        own.map(|(operation, _)| operation.clone()).unwrap_or_default()
    }

    /// Returns the contributions of members to a meeting for a process of this rank, in their
    /// order, or the members whose contributions are missing. A contribution is for this process,
    /// or for all (`false`). Returning the contributions ends the meeting for this process, one of
    /// `readers` of this rank.
    pub fn meet(
        &mut self,
        exchange: Exchange,
        process: usize,
        members: &[usize],
        readers: usize,
    ) -> Result<Vec<(Contribution, bool)>, Vec<usize>> {
        let arrivals = self.arrivals(exchange);
        let find = |member: usize| {
            let own = arrivals.from.get(&(member, Some(process)));
            let found = own.or_else(|| arrivals.from.get(&(member, None)));
            found.map(|(_, values)| (Arc::clone(values), own.is_some()))
        };
        let found: Vec<Option<_>> = members.iter().map(|member| find(*member)).collect();
        let missing = members.iter().zip(&found).filter(|(_, found)| found.is_none());
        let missing: Vec<usize> = missing.map(|(member, _)| *member).collect();
        if !missing.is_empty() {
            return Err(missing);
        }
        arrivals.from.retain(|(_, to), _| *to != Some(process));
        arrivals.done += 1;
        if arrivals.done == readers {
            self.grid(exchange.grid).meetings.remove(&exchange.key);
        }
        Ok(found.into_iter().flatten().collect())
    }

    /// Returns true if the program takes part in a meeting whose values it has not read: values of
    /// others may arrive during its computation.
    pub fn expects_values(&self) -> bool {
        let mut meetings = self.grids.values().flat_map(|grid| grid.meetings.values());
        meetings.any(|arrivals| arrivals.is_joined && !arrivals.is_closed)
    }

    /// Leaves a meeting whose values one of `readers` processes of this rank does not read.
    pub fn leave(&mut self, exchange: Exchange, readers: usize) {
        let arrivals = self.arrivals(exchange);
        arrivals.done += 1;
        if arrivals.done == readers {
            arrivals.is_closed = true;
            arrivals.from.clear();
        }
    }

    /// The next values of a route.
    pub fn take(&mut self, route: Exchange) -> Option<Values> {
        self.grid(route.grid).routes.get_mut(&route.key)?.pop_front()
    }

    /// Puts values on a route of this rank.
    pub fn put(&mut self, route: Exchange, values: Values) {
        self.grid(route.grid).routes.entry(route.key).or_default().push_back(values);
    }

    /// Offers values to the receiver on a route, and notifies its home.
    pub fn offer_values(&mut self, route: Exchange, program: &str, values: Vec<Piece>) {
        self.offered.entry(route).or_default().push_back((program.to_owned(), values));
        match route.key.home(self.size) {
            home if home == self.rank => self.offer(route, home),
            home => self.post(home, Frame::Offer(route), Vec::new()),
        }
    }

    /// Requests the next values of a route, and notifies its home.
    pub fn want_values(&mut self, route: Exchange) {
        match route.key.home(self.size) {
            home if home == self.rank => self.want(route, home),
            home => self.post(home, Frame::Want(route), Vec::new()),
        }
    }

    fn offer(&mut self, route: Exchange, from: usize) {
        self.matching.entry(route).or_default().0.push_back(from);
        self.bring_together(route);
    }

    fn want(&mut self, route: Exchange, from: usize) {
        self.matching.entry(route).or_default().1.push_back(from);
        self.bring_together(route);
    }

    fn bring_together(&mut self, route: Exchange) {
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

    fn grant(&mut self, route: Exchange, receiver: usize) {
        let offered = self.offered.get_mut(&route);
        let Some((program, pieces)) = offered.and_then(VecDeque::pop_front) else {
            return;
        };
        if receiver == self.rank {
            let values = pieces.into_iter().map(|piece| piece.literal).collect();
            self.put(route, values);
        } else {
            self.send(receiver, Address::Route(route), &program, pieces, true)
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

/// Values of some shapes, which are filled with received bytes.
///
/// # Errors
/// Returns an error message for an invalid shape, and if there is not enough memory.
pub fn allocate(shapes: &[String]) -> Result<Vec<Literal>, String> {
    let shapes = shapes.iter().map(|shape| {
        let shape: Shape = shape.parse().map_err(|error| format!("{error}"))?;
        Literal::try_zeros(shape).map_err(|error| error.to_string())
    });
    shapes.collect()
}

/// Fills the inline values of a frame with its bytes.
///
/// # Errors
/// Returns an error message if there are too few bytes.
pub fn fill(values: &mut [Literal], mut bytes: &[u8]) -> Result<(), String> {
    for value in values {
        let target = value.bytes_mut();
        if !is_inline(target.len()) {
            continue;
        }
        let (own, others) = bytes.split_at_checked(target.len()).ok_or("a message is too short")?;
        target.copy_from_slice(own);
        bytes = others;
    }
    Ok(())
}
