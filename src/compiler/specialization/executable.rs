//! An executable that compiles its program for each new input shape.

use super::{
    sizes::sized_by,
    tiers::{Specialization, Specialize},
};
use halo_backend::background::Jobs;
use halo_core::{ElementType, Literal, PrintOptions};
use halo_runtime::{Device, DeviceBuffer, Error, Executable, ExecuteOptions, Result, Signature};
use melior::ir::Module;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The maximum number of cached programs.
const MOST_SPECIALIZATIONS: usize = 256;

/// The types and values of arguments, and computed sizes, as text.
type Key = (String, Vec<String>);

/// A program that is compiled when the shapes of its inputs are known.
pub struct SpecializingExecutable {
    signature: Signature,
    device: Device,
    /// The inputs whose values determine sizes.
    sized_by: Vec<bool>,
    /// The program that computes sizes, if there is one.
    sizes: Option<Box<dyn Executable>>,
    specialize: Arc<Specialize>,
    compiled: Mutex<HashMap<Key, Arc<Specialization>>>,
    /// Background compilations, which are cancelled with the executable.
    jobs: Jobs,
}

impl SpecializingExecutable {
    /// An executable for a module whose functions are all inlined, with the program that
    /// [`keep_sizes`](super::keep_sizes) derives from it, unless it has no computed sizes.
    pub fn new(
        module: &Module,
        signature: Signature,
        device: Device,
        sizes: Option<Box<dyn Executable>>,
        specialize: Box<Specialize>,
    ) -> Self {
        let sized_by = halo_frontend::entry_of(module).map(sized_by).unwrap_or_default();
        Self {
            signature,
            device,
            sized_by,
            sizes,
            specialize: Arc::from(specialize),
            compiled: Mutex::default(),
            jobs: Jobs::default(),
        }
    }

    /// The program for these inputs, compiled now or before.
    fn specialization(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
    ) -> Result<Arc<dyn Executable>> {
        self.signature.check_inputs(inputs.iter().map(DeviceBuffer::shape))?;
        let arguments = self.arguments(options, inputs)?;
        let sizes = self.sizes(options, inputs)?;
        let shown = sizes.iter().map(|size| size.display(PrintOptions::ALL).to_string());
        let key = (arguments.clone(), shown.collect::<Vec<_>>());
        let specialization = self.kept(&key, || Specialization::new(arguments, sizes));
        // Other threads may run compiled programs during this compilation.
        let compiled = specialization.meet(&self.specialize, &self.jobs);
        if compiled.is_err() {
            self.forget(&key, &specialization);
        }
        compiled
    }

    fn compiled(&self) -> MutexGuard<'_, HashMap<Key, Arc<Specialization>>> {
        self.compiled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cached program for a key; a new one is not compiled yet.
    fn kept(&self, key: &Key, new: impl FnOnce() -> Specialization) -> Arc<Specialization> {
        let mut compiled = self.compiled();
        if let Some(found) = compiled.get(key) {
            return Arc::clone(found);
        }
        if compiled.len() >= MOST_SPECIALIZATIONS {
            compiled.clear();
        }
        let new = Arc::new(new());
        compiled.insert(key.clone(), Arc::clone(&new));
        new
    }

    /// Removes a program that failed, unless another thread compiles it.
    fn forget(&self, key: &Key, failed: &Arc<Specialization>) {
        let mut compiled = self.compiled();
        let is_unused = compiled.get(key).is_some_and(|kept| {
            // References of the table and of the caller.
            Arc::ptr_eq(kept, failed) && Arc::strong_count(kept) == 2
        });
        if is_unused {
            compiled.remove(key);
        }
    }

    /// The computed sizes for these inputs.
    fn sizes(&self, options: &ExecuteOptions<'_>, inputs: &[DeviceBuffer]) -> Result<Vec<Literal>> {
        let Some(sizes) = &self.sizes else {
            return Ok(Vec::new());
        };
        let sizes = sizes.execute(options, inputs)?;
        if let Some(stream) = options.stream {
            stream.block_until_done()?;
        }
        sizes.iter().map(|size| self.device.to_host(size)).collect()
    }

    /// The types of the inputs, or their values if sizes depend on them.
    fn arguments(&self, options: &ExecuteOptions<'_>, inputs: &[DeviceBuffer]) -> Result<String> {
        // A pending computation has no value yet.
        if let Some(stream) = options.stream
            && self.sized_by.contains(&true)
        {
            stream.block_until_done()?;
        }
        let texts = inputs
            .iter()
            .zip(&self.sized_by)
            .enumerate()
            .map(|(position, (input, sized_by))| {
                if !sized_by {
                    return Ok(input.shape().to_string());
                }
                let element = input.shape().element_type();
                if !element.is_integer() && element != ElementType::I1 {
                    return Err(Error::invalid(format!(
                        "sizes in @{} are computed from input {position}, whose elements are \
                         {element}; they can be computed from integers",
                        self.signature.name
                    )));
                }
                let value = self.device.to_host(input)?;
                Ok(value.display(PrintOptions::ALL).to_string())
            })
            .collect::<Result<Vec<String>>>()?;
        Ok(texts.join(", "))
    }
}

impl Executable for SpecializingExecutable {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn device(&self) -> &Device {
        &self.device
    }

    fn execute_into(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
        outputs: &[DeviceBuffer],
    ) -> Result<()> {
        self.specialization(options, inputs)?.execute_into(options, inputs, outputs)
    }

    fn execute(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
    ) -> Result<Vec<DeviceBuffer>> {
        self.specialization(options, inputs)?.execute(options, inputs)
    }

    fn finish_compilation(&self) -> bool {
        let kept: Vec<_> = self.compiled().values().cloned().collect();
        let quick: Vec<_> =
            kept.iter().filter(|specialization| specialization.is_quick()).collect();
        for specialization in &quick {
            specialization.optimize(&self.specialize, &self.jobs);
        }
        self.jobs.wait();
        quick.iter().any(|specialization| !specialization.is_quick())
    }
}

#[cfg(test)]
#[path = "executable_tests.rs"]
mod tests;
