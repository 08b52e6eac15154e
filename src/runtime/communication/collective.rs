//! Collective ops, in two steps: the first contributes the operands, the second waits for the
//! operands of the other processes.

use crate::custom_call::{Attribute, Attributes};

use super::{Contribution, Grouping, MeetingKey, Movement, Process, Route, Values, Visit};

/// The groups and the channel of a collective op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collective {
    /// The name of the op, which all members must agree on.
    pub operation: String,
    /// Ops with different channels do not match; 0 without a channel.
    pub channel: i64,
    pub grouping: Grouping,
    /// Groups, or pairs of source and target, without padding.
    pub rows: Vec<Vec<usize>>,
    /// The size of the group, if the types of the operands determine it.
    pub size: Option<usize>,
    /// Whether the last operand of the op, which is not contributed, contains the members that are
    /// roots; the first member is the root of other broadcasts and reductions.
    pub has_dynamic_root: bool,
}

/// The state of a process between the two steps of a collective.
#[derive(Clone)]
pub enum Ticket {
    /// The collective, and the index among its members.
    Meeting {
        key: MeetingKey,
        place: usize,
        movement: Movement,
    },
    /// The process that sends to this one.
    Receive(Route),
    /// The process receives nothing.
    Outside,
}

/// The contributions of the members of a group to a process, in their order.
pub struct Brought {
    pub members: Vec<Contribution>,
    /// The index of the process among them.
    pub place: usize,
}

impl Collective {
    /// The movement of the members' contributions. A reduction whose group has a known
    /// [`size`](Self::size) contributes that number of slices.
    pub fn movement(&self) -> Movement {
        match (&*self.operation, self.has_dynamic_root) {
            ("stablehlo.all_to_all" | "stablehlo.reduce_scatter", _) => Movement::AllToAll,
            ("stablehlo.all_reduce" | "stablehlo.cross-replica-sum", _) if self.size.is_some() => {
                Movement::AllToAll
            }
            ("stablehlo.collective_broadcast", false) => Movement::Broadcast,
            ("stablehlo.collective_reduce", false) => Movement::Gather,
            _ => Movement::AllGather,
        }
    }

    /// The group of a process; `None` if it is not in any group.
    ///
    /// # Errors
    /// Returns an error message if groups are named that do not fit.
    pub fn group(&self, process: &Process) -> Result<Option<Vec<usize>>, String> {
        self.grouping.group_of(&self.rows, process)
    }

    /// The first step: contributes the operands. A movement [`AllToAll`](Movement::AllToAll) takes
    /// them in slices, whose number is the first dimension.
    ///
    /// # Errors
    /// Returns an error message if groups are named that do not fit.
    pub fn start(&self, process: &Process, values: &Values) -> Result<Ticket, String> {
        if self.operation == "stablehlo.collective_permute" {
            return self.permute(process, values);
        }
        let own = process.number();
        let Some(group) = self.group(process)? else {
            return match &*self.operation {
                "stablehlo.collective_broadcast" => Ok(Ticket::Outside),
                _ => Err("is run by a process that is in none of its groups".into()),
            };
        };
        if let Some(size) = self.size.filter(|size| *size != group.len()) {
            return Err(format!(
                "has types for {size} processes, but a group of {}",
                group.len()
            ));
        }
        let place = group.iter().position(|member| *member == own).unwrap_or(0);
        let movement = self.movement();
        let visit = Visit {
            channel: self.channel,
            members: &group,
            operation: &self.operation,
            movement,
        };
        let key = process.cluster.bring(own, &visit, values)?;
        if movement == Movement::Gather && place > 0 {
            process.cluster.leave(own, &key);
            return Ok(Ticket::Outside);
        }
        Ok(Ticket::Meeting {
            key,
            place,
            movement,
        })
    }

    /// Sends the operands to each process that is paired with this one.
    fn permute(&self, process: &Process, values: &Values) -> Result<Ticket, String> {
        let processes = process.cluster.size();
        let mut ticket = Ticket::Outside;
        for (source, target) in self.pairs(process)? {
            // Routes of permutations differ from routes of `send` by their sign, and from each
            // other by both ends.
            let route = Route {
                channel: -1 - (self.channel.max(0) * processes as i64 + source as i64),
                receiver: Some(target),
            };
            if source == process.number() {
                process.cluster.send(source, route, values.clone())?;
            }
            if target == process.number() {
                ticket = Ticket::Receive(route);
            }
        }
        Ok(ticket)
    }

    /// Section `send`: to the receivers on the channel, or to the processes paired with this one.
    ///
    /// # Errors
    /// Returns an error message if a pair names a process that does not exist.
    pub fn send(&self, process: &Process, values: &Values) -> Result<(), String> {
        let (own, channel) = (process.number(), self.channel);
        if self.rows.is_empty() {
            let receiver = None;
            process.cluster.send(own, Route { channel, receiver }, values.clone())?;
        }
        for (source, target) in self.pairs(process)? {
            if source == own {
                let receiver = Some(target);
                process.cluster.send(own, Route { channel, receiver }, values.clone())?;
            }
        }
        Ok(())
    }

    /// Section `recv`.
    ///
    /// # Errors
    /// Returns an error message if nothing will arrive.
    pub fn receive(&self, process: &Process) -> Result<Values, String> {
        let (own, channel) = (process.number(), self.channel);
        let receiver = if self.rows.is_empty() {
            None
        } else {
            let pairs = self.pairs(process)?;
            if !pairs.iter().any(|(_, target)| *target == own) {
                return Err("is run by a process that nothing is sent to".into());
            }
            Some(own)
        };
        process.cluster.receive(own, Route { channel, receiver })
    }

    fn pairs(&self, process: &Process) -> Result<Vec<(usize, usize)>, String> {
        let rows = self.rows.iter();
        rows.map(|row| match self.grouping.members(row, process)?[..] {
            [source, target] => Ok((source, target)),
            _ => Err("has no pairs of processes".into()),
        })
        .collect()
    }
}

impl Ticket {
    /// The second step: waits for all contributions. Returns `None` if the process receives
    /// nothing.
    ///
    /// # Errors
    /// Returns an error message if some will never arrive.
    pub fn wait(self, process: &Process) -> Result<Option<Brought>, String> {
        let number = process.number();
        let (members, place) = match self {
            Self::Meeting {
                key,
                place,
                movement,
            } => (process.cluster.meet(number, &key, movement)?, place),
            Self::Receive(route) => (vec![process.cluster.receive(number, route)?.into()], 0),
            Self::Outside => return Ok(None),
        };
        Ok(Some(Brought { members, place }))
    }
}

impl Collective {
    /// The collective that the attributes of a `halo.collective_start` call site describe.
    ///
    /// # Errors
    /// Returns an error message if one is missing or of another kind.
    pub fn from_attributes(attributes: &Attributes) -> Result<Self, String> {
        let name = attributes.text("grouping")?;
        let grouping = Grouping::ALL.iter().find(|(_, own)| *own == name);
        let size = attributes.0.contains_key("group_size");
        let size = size.then(|| attributes.integer("group_size"));
        Ok(Self {
            operation: attributes.text("source_op")?.to_owned(),
            channel: attributes.integer("channel")?,
            grouping: grouping.ok_or_else(|| format!("'{name}' is not a grouping"))?.0,
            rows: processes(attributes, "groups")?,
            size: size.transpose()?.map(process).transpose()?,
            has_dynamic_root: attributes.0.contains_key("has_dynamic_root"),
        })
    }

    /// The transfer that the attributes of a `halo.send` or `halo.recv` call site describe.
    /// `operation` is the op of the program.
    ///
    /// # Errors
    /// Returns the errors of [`from_attributes`](Self::from_attributes).
    pub fn transfer_from_attributes(
        operation: &str,
        attributes: &Attributes,
    ) -> Result<Self, String> {
        Ok(Self {
            operation: operation.to_owned(),
            channel: attributes.integer("channel")?,
            grouping: Grouping::FlattenedIds,
            rows: processes(attributes, "pairs")?,
            size: None,
            has_dynamic_root: false,
        })
    }
}

fn process(number: i64) -> Result<usize, String> {
    usize::try_from(number).map_err(|_| format!("{number} is not the number of a process"))
}

/// A list of lists of processes.
fn processes(attributes: &Attributes, name: &str) -> Result<Vec<Vec<usize>>, String> {
    let invalid = || format!("attribute '{name}' is not a list of lists of processes");
    let Attribute::List(rows) = attributes.required(name)? else {
        return Err(invalid());
    };
    let row = |row: &Attribute| match row {
        Attribute::List(row) => row
            .iter()
            .map(|number| process(number.integer().ok_or_else(invalid)?))
            .collect(),
        _ => Err(invalid()),
    };
    rows.iter().map(row).collect()
}
