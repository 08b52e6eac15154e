//! The sizes of runs of a program of dynamic shape.

use super::{HostAllocation, abi::SizesPoint};
use crate::{DeviceBuffer, Error, Result, Signature};
use halo_core::{Shape, ShapePattern, literal::scalar_at};
use serde::{Deserialize, Serialize};

/// An element of an input that sizes depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeElement {
    pub input: usize,
    /// The position in row-major order.
    pub position: usize,
}

/// The function that plans the sizes of a run.
pub struct PlannedSizes {
    pub function: SizesPoint,
    /// The messages of its checks, in order.
    pub messages: Vec<String>,
    /// The elements whose values follow the sizes of the inputs.
    pub elements: Vec<SizeElement>,
}

/// The sizes of one run.
pub(super) struct RunSizes {
    /// The argument of [`SizesPoint`], filled.
    pub table: Vec<i64>,
    pub outputs: Vec<Shape>,
    pub arena_size: usize,
}

impl PlannedSizes {
    /// Plans a run with inputs of the shapes of the signature.
    ///
    /// # Errors
    /// Returns an invalid-input error if a check fails, or a size is impossible.
    pub(super) fn plan(&self, signature: &Signature, inputs: &[DeviceBuffer]) -> Result<RunSizes> {
        let of_inputs = signature.inputs.iter().zip(inputs).flat_map(|(pattern, input)| {
            let sizes = pattern.dims().iter().zip(input.shape().dims());
            sizes.filter(|(known, _)| known.is_none()).map(|(_, size)| *size as i64)
        });
        let mut table: Vec<i64> = of_inputs.collect();
        for element in &self.elements {
            table.push(element.value(inputs)?);
        }
        let given = table.len();
        let unknown =
            |pattern: &ShapePattern| pattern.dims().iter().filter(|known| known.is_none()).count();
        let planned: usize = signature.outputs.iter().map(unknown).sum();
        table.resize(given + planned + 1, 0);
        // SAFETY: The code is for this signature, so that the table has all sizes.
        let failed = unsafe { (self.function)(table.as_mut_ptr()) };
        if let Some(number) = usize::try_from(failed).ok().filter(|number| *number > 0) {
            let message = self.messages.get(number - 1).map_or("", String::as_str);
            let (sizes, elements) = table[..given].split_at(given - self.elements.len());
            let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
            let elements = self.elements.iter().zip(elements).map(|(element, value)| {
                format!(
                    ", element {} of input {} is {value}",
                    element.position, element.input
                )
            });
            return Err(Error::invalid(format!(
                "@{}: {message}; the dynamic sizes of the inputs are {}{}",
                signature.name,
                sizes.join(", "),
                elements.collect::<String>()
            )));
        }
        let mut sizes = table[given..].iter().copied();
        let impossible =
            |size: i64| Error::invalid(format!("@{} cannot have a size of {size}", signature.name));
        let outputs = signature.outputs.iter().map(|pattern| {
            let dims = pattern.dims().iter().map(|known| match known {
                Some(size) => Ok(*size),
                None => {
                    let size = sizes.next().unwrap_or(-1);
                    usize::try_from(size).map_err(|_| impossible(size))
                }
            });
            let dims = dims.collect::<Result<Vec<usize>>>()?;
            Shape::new(pattern.element_type(), dims.as_slice())
                .map_err(|error| Error::invalid(error.to_string()))
        });
        let outputs = outputs.collect::<Result<Vec<Shape>>>()?;
        let arena = sizes.next().unwrap_or(-1);
        let arena_size = usize::try_from(arena).map_err(|_| impossible(arena))?;
        Ok(RunSizes {
            table,
            outputs,
            arena_size,
        })
    }
}

impl SizeElement {
    /// The element of an input of the shape of the signature.
    fn value(self, inputs: &[DeviceBuffer]) -> Result<i64> {
        let lacking = || Error::internal(format!("input {} lacks an element", self.input));
        let input = inputs.get(self.input).ok_or_else(lacking)?;
        if self.position >= input.shape().element_count() {
            return Err(lacking());
        }
        let memory = input.memory().downcast::<HostAllocation>()?.read();
        let value = scalar_at(
            input.shape().element_type(),
            memory.as_bytes(),
            self.position,
        );
        Ok(value.to_i128() as i64)
    }
}

impl RunSizes {
    /// Checks the shapes of given outputs.
    ///
    /// # Errors
    /// Returns an invalid-input error that names the wrong output.
    pub(super) fn check_outputs(&self, name: &str, outputs: &[DeviceBuffer]) -> Result<()> {
        for (number, (expected, output)) in self.outputs.iter().zip(outputs).enumerate() {
            if expected != output.shape() {
                let given = output.shape();
                return Err(Error::invalid(format!(
                    "output {number} of @{name} is {expected}, but {given} was given"
                )));
            }
        }
        Ok(())
    }
}
