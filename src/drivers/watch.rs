//! Observation of the compilations that the tools start.

use crate::{
    logging,
    progress::Progress,
    timing::{Timing, TimingFormat},
};
use halo_backend::observer::{CompileObserver, Observers};
use std::{io::Write, sync::Arc};

/// The reports of a tool about its compilations.
pub struct Watch {
    timing: Option<(TimingFormat, Arc<Timing>)>,
    observers: Observers,
}

impl Watch {
    /// Collects times if a report of them is wanted. If `is_quiet`, nothing else writes to standard
    /// error meanwhile, and a terminal shows the progress.
    pub fn new(timing: Option<TimingFormat>, is_quiet: bool) -> Self {
        let mut observers = Observers::default();
        let timing = timing.map(|format| (format, Arc::new(Timing::default())));
        if let Some((_, timing)) = &timing {
            observers.add(timing.clone());
        }
        if is_quiet
            && !logging::is_wanted()
            && let Some(progress) = Progress::on_terminal()
        {
            observers.add(Arc::new(progress));
        }
        Self { timing, observers }
    }

    /// Forwards the events to another observer, too.
    pub fn add(&mut self, observer: Arc<dyn CompileObserver>) {
        self.observers.add(observer);
    }

    /// For the options of compilations.
    pub fn observers(&self) -> Observers {
        self.observers.clone()
    }

    /// Writes the report, if requested.
    pub fn report(&self, err: &mut dyn Write) {
        if let Some((format, timing)) = &self.timing {
            // Errors of standard error are ignored.
            let _ = err.write_all(timing.report().text(*format).as_bytes());
        }
    }
}
