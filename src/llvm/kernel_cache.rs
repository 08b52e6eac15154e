//! Caches the code of single kernels, so that other programs with the same kernel reuse it.
//!
//! A kernel is named by a hash of its contents (`kernel_digest.rs`) instead of its position in a
//! program:
//!
//! ```mlir
//! llvm.func internal @main_kernel_3(%x: !llvm.ptr) attributes {halo.kernel} { ... }
//! ```
//!
//! is compiled as
//!
//! ```mlir
//! llvm.func weak_odr @kernel_4f2a(%x: !llvm.ptr) attributes {halo.kernel} { ... }
//! ```
//!
//! Objects are stored under a hash of their bytes, once for all programs. Small kernels are
//! compiled together, and parts of a large one separately, so the entry of a kernel lists the
//! objects that contain it. A program whose kernels are in several objects may link one twice; the
//! linker takes the first.

use super::{
    compile::{Compilation, Object, compile},
    kernel_digest::Texts,
    partition::{Functions, Group},
};
use halo_ir::prelude::*;

use halo_backend::{
    CompilationCache,
    compilation_cache::{Key, KeyHasher},
};
use halo_runtime::{Error, Result};
use indexmap::IndexMap;
use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

/// The objects of a program: cached ones with its kernels, and new ones with the others. All are
/// cached afterwards. `looked_up` is called for each kernel, with whether it was cached, and
/// `started` with the number of partitions to compile.
///
/// # Errors
/// Returns the errors of [`compile`].
pub fn compile_cached(
    mut functions: Functions<'_>,
    compilation: &Compilation<'_>,
    cache: &CompilationCache,
    (looked_up, started): (&dyn Fn(bool), &dyn Fn(usize)),
) -> Result<Vec<Object>> {
    let mut search = Search {
        cache,
        settings: KeyHasher::new("kernel")
            .part(format!("{:?} {:?}", compilation.target, compilation.effort).as_bytes())
            .finish(),
        found: IndexMap::new(),
    };
    let (mut names, mut kernels) = (HashMap::new(), Vec::new());
    let (mut known, mut missing) = (HashSet::new(), HashMap::new());
    let mut texts = Texts::default();
    for kernel in std::mem::take(&mut functions.kernels) {
        let digest = functions.partition_of(&kernel).digest(&mut texts);
        let renamed = digest.and_then(|digest| {
            let renamed = new_names(&kernel, &shared_name(&digest))?;
            Some((search.key(&digest), renamed))
        });
        let Some((key, renamed)) = renamed else {
            // It stays with its callers, which no other program shares.
            match &mut functions.callers {
                Some(callers) => callers.join(kernel),
                None => functions.callers = Some(kernel),
            }
            continue;
        };
        names.extend(renamed);
        if !known.insert(key) {
            continue;
        }
        let hit = search.find(&key);
        looked_up(hit);
        if !hit {
            missing.extend(kernel.part_names().map(|name| (name, key)));
            kernels.push(kernel);
        }
    }
    functions.rename(names);
    functions.kernels = kernels;
    let callers = functions.callers.take();
    let callers = callers.map(|callers| functions.partition_of(&callers));
    let mut partitions = functions.partitions();
    let shared = partitions.len();
    partitions.extend(callers);
    started(partitions.len());
    let mut objects = compile(&partitions, compilation)?;
    let mut objects_of: IndexMap<Key, Vec<Key>> = IndexMap::new();
    for (number, (partition, object)) in partitions.iter().zip(&mut objects).enumerate() {
        let key = Key::from_bytes(blake3::derive_key("Halo object file", &object.code));
        cache.put(&key, &object.code);
        object.kept = Some(key);
        if number >= shared {
            continue;
        }
        for kernel in &partition.kernels {
            let of_kernel = missing.get(kernel);
            let of_kernel = of_kernel.ok_or_else(|| Error::internal("a part of no kernel"))?;
            objects_of.entry(*of_kernel).or_default().push(key);
        }
    }
    for (kernel, objects) in objects_of {
        cache.put(
            &kernel,
            &objects.iter().flat_map(Key::as_bytes).copied().collect::<Vec<_>>(),
        );
    }
    let of_cache = search.found.into_iter().map(|(key, code)| Object {
        name: "cache".to_owned(),
        code,
        time: Duration::ZERO,
        kept: Some(key),
    });
    objects.extend(of_cache);
    Ok(objects)
}

/// The name of a kernel in all programs.
fn shared_name(digest: &blake3::Hash) -> String {
    format!("kernel_{}", digest.to_hex())
}

impl Functions<'_> {
    /// The names that the kernels have in the cache. Kernels without a name are compiled with each
    /// program.
    pub fn shared_names(&self) -> Vec<Option<String>> {
        let mut texts = Texts::default();
        let kernels = self.kernels.iter();
        kernels
            .map(|kernel| self.partition_of(kernel).digest(&mut texts))
            .map(|digest| Some(shared_name(&digest?)))
            .collect()
    }
}

/// The new names of a kernel's functions. `None` if one is not named after it.
fn new_names<'c>(kernel: &Group<'c>, name: &str) -> Option<Vec<(&'c str, String)>> {
    let functions = kernel.functions.iter();
    let [of_kernel] = &kernel.kernels[..] else {
        return None;
    };
    functions
        .map(|function| {
            let old = function.attribute("sym_name").and_then(Attribute::string_value)?;
            let suffix = old.strip_prefix(&of_kernel[..])?;
            Some((old, format!("{name}{suffix}")))
        })
        .collect()
}

/// A query of the cache.
struct Search<'a> {
    cache: &'a CompilationCache,
    /// The build of Halo, the target and the effort.
    settings: Key,
    /// The objects that were found.
    found: IndexMap<Key, Vec<u8>>,
}

impl Search<'_> {
    fn key(&self, kernel: &blake3::Hash) -> Key {
        let key = blake3::keyed_hash(self.settings.as_bytes(), kernel.as_bytes());
        Key::from_bytes(*key.as_bytes())
    }

    /// Returns true if the objects of a kernel are in the cache.
    fn find(&mut self, kernel: &Key) -> bool {
        let objects = self.cache.get(kernel).unwrap_or_default();
        let (objects, rest) = objects.as_chunks();
        !objects.is_empty() && rest.is_empty() && objects.iter().all(|object| self.take(object))
    }

    /// Returns true if an object is in the cache.
    fn take(&mut self, object: &[u8; 32]) -> bool {
        let object = Key::from_bytes(*object);
        if self.found.contains_key(&object) {
            return true;
        }
        let code = self.cache.get(&object);
        let code = code.map(|code| self.found.insert(object, code));
        code.is_some()
    }
}
