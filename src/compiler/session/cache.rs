//! Executables from the cache of compiled code ([`CompilationCache`]).
//!
//! An executable has two keys. The first is a hash of the source bytes, which needs no MLIR
//! context. It leads to the second, a hash of the parsed program, printed without locations and
//! names of values: programs that differ only in these share the code. Data that depends on
//! locations, for run-time messages, is stored with the first key. Both keys contain the options,
//! the target and, like all keys, the code of this process.
//!
//! A compilation that prints its steps, or has edited pipelines, bypasses the cache.

use crate::specialization::Inputs;
use halo_backend::{
    CompilationCache, CompileOptions, Program, Specialize,
    compilation_cache::{Key, KeyHasher},
};
use halo_core::PrintOptions;
use halo_runtime::{
    CustomCallSite, Plan, Result, Signature, communication::run_parallel::RUN_PARALLEL,
};
use melior::ir::{
    Module,
    operation::{OperationLike, OperationPrintingFlags},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{sync::Arc, time::Instant};

/// The cache entry of an executable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stored {
    /// The data from which the target restores the executable, in the target's encoding.
    #[serde(with = "serde_bytes")]
    pub code: Vec<u8>,
    /// As in [`Metadata`](crate::lowering::Metadata).
    pub arena_largest: String,
    /// As in [`Metadata`](crate::lowering::Metadata).
    pub custom_calls: Vec<CustomCallSite>,
}

impl Stored {
    /// The cache entry of a plan.
    ///
    /// # Errors
    /// Returns an internal error if the plan is invalid.
    pub fn of_plan(plan: &Plan) -> Result<Self> {
        let mut bare = plan.clone();
        bare.arena_largest.clear();
        for site in &mut bare.custom_calls {
            site.location.clear();
        }
        Ok(Self {
            code: bare.to_bytes()?,
            arena_largest: plan.arena_largest.clone(),
            custom_calls: plan.custom_calls.clone(),
        })
    }

    /// The plan in the entry, the inverse of [`of_plan`](Self::of_plan).
    ///
    /// # Errors
    /// Returns invalid input for other entries.
    pub fn into_plan(self) -> Result<Plan> {
        let mut plan = Plan::from_bytes(&self.code)?;
        plan.arena_largest = self.arena_largest;
        plan.custom_calls = self.custom_calls;
        Ok(plan)
    }

    /// Separates the locations.
    fn split(mut self) -> (Unlocated, Locations) {
        let locations = Locations {
            arena_largest: std::mem::take(&mut self.arena_largest),
            custom_calls: self
                .custom_calls
                .iter_mut()
                .map(|site| std::mem::take(&mut site.location))
                .collect(),
        };
        let unlocated = Unlocated {
            calls_have_locations: locations.custom_calls.iter().any(|text| !text.is_empty()),
            stored: self,
        };
        (unlocated, locations)
    }
}

/// The data shared by equal programs.
#[derive(Serialize, Deserialize)]
struct Unlocated {
    /// Set if run-time messages contain locations of the program. Then the entry is used only for a
    /// program whose locations are stored.
    calls_have_locations: bool,
    stored: Stored,
}

/// The locations in the program.
#[derive(Default, Serialize, Deserialize)]
struct Locations {
    arena_largest: String,
    custom_calls: Vec<String>,
}

impl Unlocated {
    fn with(self, locations: Locations) -> Option<Stored> {
        let mut stored = self.stored;
        if locations.custom_calls.len() != stored.custom_calls.len() {
            return None;
        }
        stored.arena_largest = locations.arena_largest;
        for (site, location) in stored.custom_calls.iter_mut().zip(locations.custom_calls) {
            site.location = location;
        }
        Some(stored)
    }

    fn without_locations(self) -> Option<Stored> {
        (!self.calls_have_locations).then_some(self.stored)
    }
}

/// A source program: the key of its code, and its locations.
#[derive(Serialize, Deserialize)]
struct Source {
    canonical: [u8; 32],
    locations: Locations,
}

/// Returns true if a compilation prints its steps or has edited pipelines. Line tables are included
/// because they contain files and lines, which equal programs do not share.
pub fn is_watched(options: &CompileOptions) -> bool {
    options.debug_info
        || options.dump_dir.is_some()
        || options.record.is_some()
        || options.bisection.is_some()
        || !options.print_ir_after.is_empty()
        || !options.pipeline_edits.is_empty()
        || std::env::var_os("HALO_EXPLAIN_REWRITES").is_some()
}

/// The cache entry of one executable.
pub struct Entry<'a> {
    cache: Arc<CompilationCache>,
    options: &'a CompileOptions,
    /// The target and the options.
    settings: Key,
    /// The source program.
    source: Key,
    /// The parsed program, once it is known.
    canonical: Option<Key>,
}

/// Identifies an executable of a program: the program or its size computation (`depth` times), and
/// the inputs that it is specialized for.
#[derive(Clone, Copy, Default)]
pub struct Part<'a> {
    pub depth: usize,
    pub inputs: Option<Inputs<'a>>,
}

impl<'a> Entry<'a> {
    /// The cache that has the entry.
    pub fn cache(&self) -> &CompilationCache {
        &self.cache
    }

    /// The options of the compilation.
    pub fn options(&self) -> &'a CompileOptions {
        self.options
    }

    /// The entry of an executable, if it may be cached. `ty` is the type of
    /// the target, and `identity` its [`Target::cache_identity`](crate::Target::cache_identity).
    pub fn of(
        (ty, identity): (&str, Option<String>),
        program: &Program,
        options: &'a CompileOptions,
        part: Part<'_>,
    ) -> Option<Self> {
        // A new option belongs in the key, unless the code does not depend on it.
        let CompileOptions {
            entry,
            threads: _,
            dump_dir: _,
            observers: _,
            no_constant_folding,
            processor: _,
            architecture: _,
            backend,
            custom_calls: _,
            pipeline_edits: _,
            print_ir_after: _,
            partitioning,
            topology,
            entry_layouts,
            external_constants: _,
            debug_info: _,
            cache,
            tuning,
            no_tiered_compilation: _,
            specialize,
            record: _,
            reproducer: _,
            bisection: _,
        } = options;
        let cache = cache.as_ref()?;
        if is_watched(options) {
            return None;
        }
        let settings = KeyHasher::new("settings")
            .part(ty.as_bytes())
            .part(identity?.as_bytes())
            .part(&[
                u8::from(*no_constant_folding),
                u8::from(tuning.is_some()),
                u8::from(*specialize == Specialize::Never),
            ])
            .part(format!("{backend:?} {partitioning:?} {entry_layouts}").as_bytes())
            .optional(topology.as_ref().map(|topology| topology.code.as_slice()))
            .finish();
        let source = KeyHasher::new("source")
            .part(settings.as_bytes())
            .part(program.name.as_bytes())
            .part(&program.code)
            .optional(entry.as_deref().map(str::as_bytes))
            .part(&part.depth.to_le_bytes());
        let inputs = part.inputs.map(|inputs| inputs.arguments.as_bytes());
        let mut source = source.optional(inputs);
        for size in part.inputs.map_or(&[][..], |inputs| inputs.sizes) {
            let text = size.display(PrintOptions::ALL).to_string();
            source = source.part(text.as_bytes());
        }
        Some(Self {
            cache: Arc::clone(cache),
            options,
            settings,
            source: source.finish(),
            canonical: None,
        })
    }

    /// The entry for the same source bytes.
    pub fn of_source(&self) -> Option<Stored> {
        let source: Source = self.read(&self.source)?;
        let unlocated: Unlocated = self.read(&Key::from_bytes(source.canonical))?;
        unlocated.with(source.locations)
    }

    /// The entry for an equal program.
    pub fn of_canonical(&mut self, module: &Module, signature: &Signature) -> Option<Stored> {
        let flags = OperationPrintingFlags::new().print_generic_operation_form().use_local_scope();
        let text = module.as_operation().to_string_with_flags(flags).ok()?;
        let signature = format!("{signature} {:?}", signature.aliases);
        let key = KeyHasher::new("canonical")
            .part(self.settings.as_bytes())
            .part(signature.as_bytes())
            .part(text.as_bytes())
            .finish();
        self.canonical = Some(key);
        let stored = self.read::<Unlocated>(&key)?.without_locations()?;
        let locations = Locations {
            arena_largest: String::new(),
            custom_calls: vec![String::new(); stored.custom_calls.len()],
        };
        self.write_source(key, locations);
        Some(stored)
    }

    /// Stores an executable.
    pub fn store(&self, stored: Stored) {
        let start = Instant::now();
        let runs_others = |site: &CustomCallSite| site.target == RUN_PARALLEL;
        let Some(canonical) = self.canonical else {
            return;
        };
        // The parallel programs are separate executables.
        if stored.custom_calls.iter().any(runs_others) {
            return;
        }
        let (unlocated, locations) = stored.split();
        self.write(&canonical, &unlocated);
        self.write_source(canonical, locations);
        let observers = &self.options.observers;
        observers.phase_finished("cache (stored)", start.elapsed());
    }

    /// Records the occurrence of a shape that is compiled in the baseline tier. Returns true if any
    /// process has recorded it before.
    pub fn note_meeting(&self) -> bool {
        let key = KeyHasher::new("met").part(self.source.as_bytes()).finish();
        let was_met = self.read::<bool>(&key).is_some();
        if !was_met {
            self.write(&key, &true);
        }
        was_met
    }

    fn write_source(&self, canonical: Key, locations: Locations) {
        let canonical = *canonical.as_bytes();
        let source = Source {
            canonical,
            locations,
        };
        self.write(&self.source, &source);
    }

    fn read<V: DeserializeOwned>(&self, key: &Key) -> Option<V> {
        postcard::from_bytes(&self.cache.get(key)?).ok()
    }

    fn write(&self, key: &Key, value: &impl Serialize) {
        if let Ok(bytes) = postcard::to_extend(value, Vec::new()) {
            self.cache.put(key, &bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(location: &str) -> Stored {
        let mut site = CustomCallSite::new("twice", Vec::new(), Vec::new());
        site.location = location.to_owned();
        Stored {
            code: vec![1, 2, 3],
            arena_largest: "a.mlir:3:4".to_owned(),
            custom_calls: vec![site],
        }
    }

    #[test]
    fn locations_are_apart_from_code() {
        let given = stored("a.mlir:1:2");
        let (unlocated, locations) = given.clone().split();
        assert_eq!(unlocated.stored.arena_largest, "");
        assert_eq!(unlocated.stored.custom_calls[0].location, "");
        assert_eq!(unlocated.with(locations).unwrap(), given);
    }

    #[test]
    fn calls_with_locations_are_not_shared() {
        let (unlocated, _) = stored("a.mlir:1:2").split();
        assert!(unlocated.without_locations().is_none());
        let (unlocated, _) = stored("").split();
        let shared = unlocated.without_locations().unwrap();
        assert_eq!(shared.arena_largest, "");
        let (unlocated, _) = stored("").split();
        assert!(unlocated.with(Locations::default()).is_none());
    }
}
