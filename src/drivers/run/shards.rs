//! The shards of inputs and results of a rank.

use std::path::Path;
use std::sync::Arc;

use halo_core::{Literal, Shape, ShapePattern, npy, random::Generator};
use halo_distributed::arrays::{SharedFile, copy_block, cut, pad, read_shard, unpad};
use halo_distributed::checkpoint::{self, Checkpoint, Saved};
use halo_runtime::{Error, Result, Shard, Sharding, Shardings, Signature};

use super::distributed::Job;
use super::value::Value;

/// The shardings of the inputs and results of a program, without tokens.
pub struct Division {
    inputs: Vec<Option<Sharding>>,
    outputs: Vec<Option<Sharding>>,
    partition: usize,
}

impl Division {
    pub fn new(job: &Job, signature: &Signature, shardings: Shardings) -> Self {
        let without = |all: Vec<Option<Sharding>>, tokens: &[usize], count: usize| {
            let all = all.into_iter().enumerate();
            let kept = all.filter(|(number, _)| !tokens.contains(number));
            let mut kept: Vec<_> = kept.map(|(_, sharding)| sharding).collect();
            kept.resize(count, None);
            kept
        };
        let tokens = &signature.tokens;
        Self {
            inputs: without(
                shardings.arguments,
                &tokens.arguments,
                signature.inputs.len(),
            ),
            outputs: without(shardings.results, &tokens.results, signature.outputs.len()),
            partition: job.process.partition,
        }
    }

    fn shard(&self, sharding: Option<&Sharding>, sizes: &[usize]) -> Shard {
        match sharding {
            Some(sharding) => sharding.shard(self.partition),
            None => Shard::all(sizes),
        }
    }

    fn of(all: &[Option<Sharding>], number: usize) -> Option<&Sharding> {
        all.get(number).and_then(Option::as_ref)
    }

    /// The shards of a rank's inputs: from a checkpoint, from the command line, and random ones for
    /// the remaining inputs if there is a seed.
    ///
    /// # Errors
    /// Returns the errors of [`super::value::inputs`].
    pub fn inputs(
        &self,
        job: &Job,
        signature: &Signature,
        given: &[Value],
        seed: Option<u64>,
    ) -> Result<Vec<Literal>> {
        let checkpoint = job.arguments.load.as_deref().map(Checkpoint::open).transpose()?;
        let kept = checkpoint.as_ref().map_or(0, Checkpoint::len);
        super::value::check_count(signature, kept + given.len(), seed.is_some())?;
        let mut generator = Generator::new(seed.unwrap_or(0));
        let mut inputs = Vec::new();
        for (number, pattern) in signature.inputs.iter().enumerate() {
            let sharding = Self::of(&self.inputs, number);
            let input = match (&checkpoint, given.get(number.saturating_sub(kept))) {
                (Some(checkpoint), _) if number < kept => {
                    let sizes = if pattern.is_static() {
                        pattern.to_shape()?.dims().to_vec()
                    } else {
                        checkpoint.shape(number)?.dims().to_vec()
                    };
                    let shard = self.shard(sharding, &sizes);
                    pad(checkpoint.read(number, &shard)?, &shard)?
                }
                (_, Some(value)) => {
                    let part = self.load(value, pattern, sharding)?;
                    let shard = self.shard(sharding, part.dims());
                    pad(part, &shard)?
                }
                (_, None) => {
                    let shard = self.shard(sharding, pattern.to_shape()?.dims());
                    let whole = Shape::new(pattern.element_type(), shard.whole.clone())?;
                    pad(cut(&generator.literal(&whole)?, &shard)?, &shard)?
                }
            };
            inputs.push(input);
        }
        signature.check_inputs(inputs.iter().map(Literal::shape))?;
        Ok(inputs)
    }

    /// The shard of an expected result.
    ///
    /// # Errors
    /// Returns an invalid-input error if it cannot be read.
    pub fn expected(&self, number: usize, value: &Value, shape: &ShapePattern) -> Result<Literal> {
        self.load(value, shape, Self::of(&self.outputs, number))
    }

    /// A result as the program returned it, without padding.
    ///
    /// # Errors
    /// Returns an execution error if memory is exhausted.
    pub fn result(&self, number: usize, result: Literal) -> Result<Literal> {
        let shard = self.shard(Self::of(&self.outputs, number), result.dims());
        unpad(result, &shard)
    }

    fn load(
        &self,
        value: &Value,
        pattern: &ShapePattern,
        sharding: Option<&Sharding>,
    ) -> Result<Literal> {
        let (Some(sharding), true) = (sharding, pattern.is_static()) else {
            return value.load(pattern);
        };
        let shard = sharding.shard(self.partition);
        let element_type = pattern.element_type();
        if let Value::File(path) = value {
            return read_shard(path, element_type, &shard);
        }
        let dims: Vec<Option<usize>> = shard.whole.iter().copied().map(Some).collect();
        cut(&value.load(&ShapePattern::new(element_type, dims))?, &shard)
    }

    /// Writes a result: each partition of the first replica its shard of one file, or rank 0 all of
    /// it.
    ///
    /// # Errors
    /// Returns an invalid-input error that names the file; an execution error if a rank never
    /// arrives.
    pub fn write(&self, job: &Job, number: usize, path: &Path, result: &Literal) -> Result<()> {
        let sharding = Self::of(&self.outputs, number);
        let shard = self.shard(sharding, result.dims());
        if job.arguments.gather_results {
            return self.gather(job, sharding, path, result, &shard);
        }
        let whole = Shape::new(result.element_type(), shard.whole.clone())?;
        let file = SharedFile::new(path, &job.token("a result")?, job.is_first());
        file.create(&whole)?;
        job.meet("the files of results")?;
        let saved = Saved {
            part: result,
            sharding,
        };
        if job.process.replica == 0 && saved.is_written_by(self.partition) {
            file.write(result, &shard)?;
        }
        job.meet("the files of results")?;
        file.complete()
    }

    fn gather(
        &self,
        job: &Job,
        sharding: Option<&Sharding>,
        path: &Path,
        result: &Literal,
        shard: &Shard,
    ) -> Result<()> {
        let parts = job.session.gather("the results", &Arc::new(result.clone()));
        let parts = parts.map_err(Error::execution)?;
        if !job.is_first() {
            return Ok(());
        }
        let shape = Shape::new(result.element_type(), shard.whole.clone())?;
        let mut whole = Literal::try_zeros(shape)?;
        let zeros = vec![0; shard.whole.len()];
        for partition in 0..job.partitioning.partitions.get() {
            let own = match sharding {
                Some(sharding) => sharding.shard(partition),
                None => shard.clone(),
            };
            let part = parts.get(job.rank_of(partition));
            let part = part.ok_or_else(|| Error::execution("a result was not sent"))?;
            copy_block(part, &zeros, &mut whole, &own.start, &own.sizes);
        }
        Ok(npy::write(path, &whole)?)
    }

    /// Keeps all results in a directory.
    ///
    /// # Errors
    /// Returns an invalid-input error that names the file; an execution error if a rank never
    /// arrives.
    pub fn save(&self, job: &Job, directory: &Path, results: &[Literal]) -> Result<()> {
        let saved = results.iter().enumerate().map(|(number, part)| Saved {
            part,
            sharding: Self::of(&self.outputs, number),
        });
        let saved: Vec<Saved> = saved.collect();
        let token = job.token("a checkpoint")?;
        if job.process.replica == 0 {
            checkpoint::write_shards(directory, &token, &saved, self.partition)?;
        }
        job.meet("the checkpoint")?;
        if job.process.number() == 0 {
            let partitions = job.partitioning.partitions.get();
            checkpoint::commit(directory, &token, &saved, partitions)?;
        }
        job.meet("the checkpoint")
    }
}
