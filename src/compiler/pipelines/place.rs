//! Places in the phases of a backend, by name.

use super::phase::{Phase, for_each_pass};
use halo_core::nearest::nearest;
use halo_ir::pipeline::{Pipeline, Step};

/// A phase or passes, as [`edits`](super::edits) documents them.
pub(super) struct Place<'t> {
    phase: Option<&'t str>,
    name: &'t str,
    which: Which,
}

/// The index among passes of the same name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Only,
    Number(usize),
    All,
}

/// The index of a phase, and positions of steps, from the outermost to the pass.
pub(super) type Path = (usize, Vec<usize>);

impl<'t> Place<'t> {
    pub fn parse(text: &'t str) -> Result<Self, String> {
        let (text, which) = match text.split_once('#') {
            None => (text, Which::Only),
            Some((text, "all")) => (text, Which::All),
            Some((text, number)) => match number.parse() {
                Ok(number) if number > 0 => (text, Which::Number(number)),
                _ => {
                    return Err(format!(
                        "'{}' has '#{}', which is neither a number from 1 on nor 'all'",
                        text, number
                    ));
                }
            },
        };
        let (phase, name) = match text.split_once('/') {
            Some((phase, name)) => (Some(phase), name),
            None => (None, text),
        };
        Ok(Self { phase, name, which })
    }

    /// The index of the phase, if the place is one.
    pub fn phase(&self, phases: &[Phase]) -> Option<usize> {
        let is_name = self.phase.is_none() && self.which == Which::Only;
        is_name
            .then(|| phases.iter().position(|phase| phase.name == self.name))
            .flatten()
    }

    /// Returns true if the phases have a pass of this name.
    pub fn is_known(&self, phases: &[Phase]) -> bool {
        let mut is_known = false;
        for phase in phases {
            for_each_pass(&phase.pipeline, &mut |pass| {
                is_known |= pass.name() == self.name
            });
        }
        is_known
    }

    /// The passes, in order; at least one.
    pub fn passes(&self, phases: &[Phase]) -> Result<Vec<Path>, String> {
        let mut found: Vec<Path> = Vec::new();
        let mut is_phase = false;
        for (number, phase) in phases.iter().enumerate() {
            if self.phase.is_none_or(|name| phase.name == name) {
                is_phase = true;
                let mut path = Vec::new();
                self.find(&phase.pipeline, &mut path, &mut |path| {
                    found.push((number, path.to_vec()));
                });
            }
        }
        if let Some(name) = self.phase
            && !is_phase
        {
            let names = || phases.iter().map(|phase| &*phase.name);
            return Err(format!(
                "there is no phase '{name}'{}; there are: {}",
                hint(name, names()),
                names().collect::<Vec<_>>().join(", ")
            ));
        }
        match (self.which, found.len()) {
            (_, 0) => Err(self.unknown(phases)),
            (Which::Number(number), count) if number > count => Err(format!(
                "'{}' is there {}, so there is no '{}#{number}'",
                self.name,
                times(count),
                self.name
            )),
            (Which::Number(number), _) => Ok(vec![found.swap_remove(number - 1)]),
            (Which::Only, 2..) => {
                let places = self.ambiguous(phases, &found);
                Err(format!("{places}, or {}#all", self.name))
            }
            _ => Ok(found),
        }
    }

    /// The only pass at the place.
    pub fn only_pass(&self, phases: &[Phase]) -> Result<Path, String> {
        if let Which::Number(_) = self.which {
            return self.passes(phases).map(|mut found| found.swap_remove(0));
        }
        let all = Self {
            which: Which::All,
            ..*self
        };
        let mut found = all.passes(phases)?;
        match found.len() {
            1 => Ok(found.swap_remove(0)),
            _ => Err(self.ambiguous(phases, &found)),
        }
    }

    fn find(&self, pipeline: &Pipeline, path: &mut Vec<usize>, add: &mut impl FnMut(&[usize])) {
        for (position, step) in pipeline.steps.iter().enumerate() {
            path.push(position);
            match step {
                Step::Pass(pass) if pass.name() == self.name => add(path),
                Step::Pass(_) => {}
                Step::Nested { pipeline, .. } => self.find(pipeline, path, add),
            }
            path.pop();
        }
    }

    fn unknown(&self, phases: &[Phase]) -> String {
        let name = self.name;
        let mut names: Vec<&str> = Vec::new();
        for phase in phases {
            let wanted = self.phase.is_none_or(|wanted| phase.name == wanted);
            if wanted {
                for_each_pass(&phase.pipeline, &mut |pass| names.push(pass.name()));
            }
        }
        match self.phase {
            Some(phase) => {
                let hint = hint(name, names);
                format!("phase '{phase}' has no pass '{name}'{hint}")
            }
            None => {
                let known: Vec<&str> = phases.iter().map(|phase| &*phase.name).collect();
                let hint = hint(name, known.iter().copied().chain(names));
                let known = known.join(", ");
                format!("no phase or pass is named '{name}'{hint}; the phases are: {known}")
            }
        }
    }

    fn ambiguous(&self, phases: &[Phase], found: &[Path]) -> String {
        let name = self.name;
        let mut places: Vec<String> = Vec::new();
        for (number, phase) in phases.iter().enumerate() {
            let count = found.iter().filter(|(other, _)| *other == number).count();
            let phase = &phase.name;
            match count {
                0 => {}
                1 => places.push(format!("{phase}/{name}")),
                _ => places.extend((1..=count).map(|which| format!("{phase}/{name}#{which}"))),
            }
        }
        format!(
            "'{name}' is there {}: say {}",
            times(found.len()),
            places.join(", ")
        )
    }
}

fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

/// A suggestion for a misspelt name.
pub(super) fn hint<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    match nearest(name, known) {
        Some(known) => format!("; did you mean '{known}'?"),
        None => String::new(),
    }
}
