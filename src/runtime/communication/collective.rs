//! Ops in which several processes take part, in two steps: one brings its
//! operands, the other waits for what the others have brought.

use crate::custom_call::{Attribute, Attributes};

use super::{Contribution, Grouping, MeetingKey, Movement, Process, Route, Values, Visit};

/// What an op says of those who take part in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collective {
    /// The name of the op, which all members must agree on.
    pub operation: String,
    /// Ops with other channels do not meet; 0 where there is none.
    pub channel: i64,
    pub grouping: Grouping,
    /// Groups, or pairs of source and target, without padding.
    pub rows: Vec<Vec<usize>>,
    /// How large the group must be, where the types of what is brought say so.
    pub size: Option<usize>,
    /// Whether the last operand of the op, which is not brought, names the members that are
    /// roots; the first member is the root of other broadcasts and reductions.
    pub has_dynamic_root: bool,
}

/// What a process has of a collective between its two steps.
#[derive(Clone)]
pub enum Ticket {
    /// The meeting, and the place among its members.
    Meeting {
        key: MeetingKey,
        place: usize,
        movement: Movement,
    },
    /// The one that sends to this process.
    Receive(Route),
    /// Nothing comes to the process.
    Outside,
}

/// What the members of a group have brought for a process, in their order.
pub struct Brought {
    pub members: Vec<Contribution>,
    /// The place of the process among them.
    pub place: usize,
}

impl Collective {
    /// What the members get of what each brings. A reduction whose group has a known
    /// [`size`](Self::size) is brought in as many slices.
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

    /// The group that a process is in; nothing where it is in none.
    ///
    /// # Errors
    /// A message where groups are named that do not fit.
    pub fn group(&self, process: &Process) -> Result<Option<Vec<usize>>, String> {
        self.grouping.group_of(&self.rows, process)
    }

    /// The first step: brings the operands. Those of a movement
    /// [`AllToAll`](Movement::AllToAll) are in slices, whose number is the first dimension.
    ///
    /// # Errors
    /// A message where groups are named that do not fit.
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
            // Routes of permutations are told from those of `send` by their
            // sign, and from each other by both ends.
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

    /// Section `send`: to whoever receives on the channel, or to the processes
    /// that this one is paired with.
    ///
    /// # Errors
    /// A message where a pair names a process that is not there.
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
    /// A message where nothing will come.
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
    /// The second step: waits for what all have brought. Nothing, where nothing
    /// comes to the process.
    ///
    /// # Errors
    /// A message where some will never come.
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
    /// The collective that the attributes of a call site describe: those of
    /// `halo.collective_start`.
    ///
    /// # Errors
    /// A message where one is missing or of another kind.
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

    /// The transfer that the attributes of a call site describe: those of
    /// `halo.send` and `halo.recv`. `operation` is the op of the program.
    ///
    /// # Errors
    /// As [`from_attributes`](Self::from_attributes).
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
