//! Programs of dynamic shape, compiled anew for each shape that they meet.
//!
//! Kernels are generated for static shapes. A program of dynamic shapes is
//! compiled when its inputs are known: the types of the inputs, and the values
//! of those inputs that sizes depend on, are substituted by
//! `--stablehlo-refine-arguments`, and `--stablehlo-refine-shapes` propagates
//! them to every op. Sizes that folding cannot compute are computed first, by a
//! separate program, and become constants. Compiled programs are cached by
//! these inputs. A failed shape assertion and sizes that do not fit are errors
//! of that run; the next one starts anew.
//!
//! ```mlir
//! func.func @main(%n: tensor<i64>, %x: tensor<?x4xf32>) -> tensor<?xf32>
//! ```
//!
//! is, for `%n = 20` and a value of 5 rows, the program
//!
//! ```mlir
//! func.func @main(%n: tensor<i64>, %x: tensor<5x4xf32>) -> tensor<20xf32>
//! ```

mod sizes;

use halo_core::{ElementType, Literal, PrintOptions};
use halo_hlo::transforms::{
    set_dimension_size_expander, stablehlo_canonicalize_dynamism,
    stablehlo_refine_arguments::refine, stablehlo_refine_shapes,
};
use halo_ir::{
    Operation, collect_operations,
    ops::{OperationExt, stablehlo},
    pipeline,
    pipeline::Pipeline,
    result_types_of, shape_of,
};
use halo_runtime::{Device, DeviceBuffer, Error, Executable, ExecuteOptions, Result, Signature};
use melior::{
    Context,
    ir::{Module, Type, ValueLike, operation::OperationLike, r#type::TupleType},
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

pub use sizes::{computed_sizes, keep_sizes};
use sizes::{set_sizes, sized_by};

/// The passes that propagate known shapes. Assertions about shapes are custom
/// calls, created when the program runs.
fn refine_shapes() -> Pipeline {
    pipeline![
        &stablehlo_refine_shapes::PASS,
        &stablehlo_canonicalize_dynamism::PASS,
    ]
}

/// The passes that propagate computed sizes.
fn expand_dimension_sizes() -> Pipeline {
    pipeline![&set_dimension_size_expander::PASS]
}

/// How many compiled programs are kept.
const MOST_SPECIALIZATIONS: usize = 256;

/// Whether some value of the program has a shape that is not known.
pub fn is_dynamic(module: &Module) -> bool {
    let has_dynamic = |op: Operation| {
        result_types_of(op).into_iter().any(has_dynamic_shape)
            || op
                .regions()
                .flat_map(halo_ir::blocks_of)
                .flat_map(halo_ir::arguments_of)
                .any(|argument| has_dynamic_shape(argument.r#type()))
    };
    !collect_operations(halo_ir::root_of(module), has_dynamic).is_empty()
}

/// Whether a tensor, or one in a tuple, has a dimension of unknown size.
fn has_dynamic_shape(r#type: Type) -> bool {
    if let Some(tuple) = halo_ir::type_as::<TupleType>(r#type) {
        return (0..tuple.type_count())
            .filter_map(|index| tuple.r#type(index).ok())
            .any(has_dynamic_shape);
    }
    halo_ir::is_tensor(r#type) && shape_of(r#type).is_none_or(|shape| shape.contains(&None))
}

/// The inputs that a program is specialized for.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The types of the arguments, or their values, as
    /// `--stablehlo-refine-arguments` reads them.
    pub arguments: &'a str,
    /// The [computed sizes](computed_sizes).
    pub sizes: &'a [Literal],
}

/// Substitutes the known properties of the inputs and propagates all shapes.
///
/// # Errors
/// Invalid input, at the op, if shapes contradict one another.
pub fn resolve(context: &Context, module: &mut Module, inputs: Option<Inputs<'_>>) -> Result<()> {
    if let Some(inputs) = inputs {
        let main = halo_frontend::entry_of(module)?;
        set_sizes(main, inputs.sizes).map_err(Error::internal)?;
        refine(main, inputs.arguments).map_err(Error::internal)?;
    }
    halo_hlo::run_pipeline(context, module, &refine_shapes())?;
    // A dimension may be as long as another one is after it was cut.
    let count = |module: &Module| {
        let cut = |op: Operation| op.isa::<stablehlo::SetDimensionSizeOp>();
        collect_operations(halo_ir::root_of(module), cut).len()
    };
    let mut left = count(module);
    while left > 0 {
        halo_hlo::run_pipeline(context, module, &expand_dimension_sizes())?;
        halo_hlo::run_pipeline(context, module, &refine_shapes())?;
        let now = count(module);
        if now == left {
            break;
        }
        left = now;
    }
    // A size that is computed at run time may not fit its use in the program.
    halo_hlo::verify(context, module)
}

/// Makes an executable for inputs.
pub type Specialize = Box<dyn Fn(Inputs<'_>) -> Result<Box<dyn Executable>> + Send + Sync>;

/// The compiled programs, by the types and values of arguments, and computed
/// sizes.
type Compiled = HashMap<(String, Vec<String>), Arc<dyn Executable>>;

/// A program that is compiled when the shapes of its inputs are known.
pub struct SpecializingExecutable {
    signature: Signature,
    device: Device,
    /// The inputs whose values sizes are computed from.
    sized_by: Vec<bool>,
    /// The program that computes sizes, where there is one.
    sizes: Option<Box<dyn Executable>>,
    specialize: Specialize,
    compiled: Mutex<Compiled>,
}

impl SpecializingExecutable {
    /// An executable for a module whose functions are all inlined, with the
    /// program that [`keep_sizes`] makes of it, unless it has no computed sizes.
    pub fn new(
        module: &Module,
        signature: Signature,
        device: Device,
        sizes: Option<Box<dyn Executable>>,
        specialize: Specialize,
    ) -> Self {
        Self {
            sized_by: halo_frontend::entry_of(module)
                .map(sized_by)
                .unwrap_or_default(),
            signature,
            device,
            sizes,
            specialize,
            compiled: Mutex::default(),
        }
    }

    /// The program for these inputs, compiled now or before.
    fn specialization(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
    ) -> Result<Arc<dyn Executable>> {
        self.signature
            .check_inputs(inputs.iter().map(DeviceBuffer::shape))?;
        let arguments = self.arguments(options, inputs)?;
        let sizes = self.sizes(options, inputs)?;
        let shown = sizes
            .iter()
            .map(|size| size.display(PrintOptions::ALL).to_string());
        let key = (arguments.clone(), shown.collect::<Vec<_>>());
        let lock = || self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(executable) = lock().get(&key) {
            return Ok(Arc::clone(executable));
        }
        // Other threads may run compiled programs during this compilation.
        let executable: Arc<dyn Executable> = Arc::from((self.specialize)(Inputs {
            arguments: &arguments,
            sizes: &sizes,
        })?);
        let mut compiled = lock();
        if compiled.len() >= MOST_SPECIALIZATIONS {
            compiled.clear();
        }
        compiled.insert(key, Arc::clone(&executable));
        Ok(executable)
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

    /// The types of the inputs, or their values where sizes depend on them.
    fn arguments(&self, options: &ExecuteOptions<'_>, inputs: &[DeviceBuffer]) -> Result<String> {
        // A compilation in progress has no value yet.
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
        self.specialization(options, inputs)?
            .execute_into(options, inputs, outputs)
    }

    fn execute(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
    ) -> Result<Vec<DeviceBuffer>> {
        self.specialization(options, inputs)?
            .execute(options, inputs)
    }
}
