//! Ops under construction, by their names.

use super::{Builder, conformance};
use crate::{
    build_error::{BuildError, Reported},
    diagnostics::reported_errors,
    dialect::declared_ops,
    graveyard::{self, bug, expected},
    handles::{Attribute, Block, Operation, Type, Value},
    operation::OperationExt,
    ops::definition::OpInfo,
    region::Region,
    validity,
};
use melior::ir::{
    AttributeLike, BlockLike, Identifier, OperationRef, RegionLike, TypeLike, ValueLike,
};
use mlir_sys::{MlirBlock, MlirNamedAttribute, MlirOperation, MlirType, MlirValue};
use std::panic::resume_unwind;

/// An op under construction.
#[must_use = "an op exists only once it is inserted"]
pub struct OpSpec<'c> {
    builder: Builder<'c>,
    name: String,
    operands: Vec<MlirValue>,
    results: Vec<MlirType>,
    infer: bool,
    attributes: Vec<MlirNamedAttribute>,
    successors: Vec<MlirBlock>,
    regions: Vec<Region<'c>>,
    /// The ODS record of the op, if it has one.
    info: Option<&'static OpInfo>,
    /// The first invalid part.
    problem: Option<&'static str>,
}

impl<'c> OpSpec<'c> {
    pub(super) fn new(builder: Builder<'c>, name: &str) -> Self {
        Self {
            builder,
            name: name.to_owned(),
            operands: Vec::new(),
            results: Vec::new(),
            infer: false,
            attributes: Vec::new(),
            successors: Vec::new(),
            regions: Vec::new(),
            info: None,
            problem: None,
        }
    }

    /// Records the error of a part.
    fn check(&mut self, holds: bool, problem: &'static str) {
        if !holds {
            self.problem = self.problem.or(Some(problem));
        }
    }

    /// Sets the ODS definition of the op, so that it need not be looked up.
    pub(crate) fn of_kind(mut self, info: &'static OpInfo) -> Self {
        self.info = Some(info);
        self
    }

    /// Adds operands.
    pub fn operands(mut self, operands: &[Value<'c>]) -> Self {
        for operand in operands {
            self.problem = self.problem.or(self.builder.unusable(*operand));
            self.operands.push(operand.to_raw());
        }
        self
    }

    /// Adds a result.
    pub fn result(self, result: Type<'c>) -> Self {
        self.results(&[result])
    }

    /// Adds results.
    pub fn results(mut self, results: &[Type<'c>]) -> Self {
        for result in results {
            let context = validity::context_of_type(*result);
            let holds = validity::is_of(self.builder.context, context);
            self.check(holds, "the type of a result is of another context");
            self.results.push(result.to_raw());
        }
        self
    }

    /// Lets the op infer its result types.
    pub fn infer_results(mut self) -> Self {
        self.infer = true;
        self
    }

    /// Sets an attribute.
    pub fn attribute(mut self, name: &str, attribute: impl Into<Attribute<'c>>) -> Self {
        let attribute = attribute.into();
        let context = validity::context_of_attribute(attribute);
        let holds = context.is_some_and(|context| validity::is_of(self.builder.context, context));
        self.check(holds, "an attribute is absent or of another context");
        self.attributes.push(MlirNamedAttribute {
            name: Identifier::new(self.builder.context, name).to_raw(),
            attribute: attribute.to_raw(),
        });
        self
    }

    /// Sets the successor blocks of the op.
    pub fn successors(mut self, blocks: &[Block<'c>]) -> Self {
        for block in blocks {
            self.check(block.parent_region().is_some(), "a successor was erased");
            let holds = self.builder.is_home_of(block.to_raw());
            self.check(holds, "a successor is of another context");
            self.successors.push(block.to_raw());
        }
        self
    }

    /// Adds a region.
    pub fn region(mut self, region: Region<'c>) -> Self {
        let holds = region
            .context()
            .is_none_or(|context| validity::is_of(self.builder.context, context));
        self.check(holds, "a region is of another context");
        self.regions.push(region);
        self
    }

    /// Creates the op at the insertion point.
    ///
    /// # Panics
    /// Panics if [`Self::try_insert`] fails.
    #[track_caller]
    pub fn insert(self) -> Operation<'c> {
        let before = reported_errors();
        match self.try_insert() {
            Ok(operation) => operation,
            // Type inference has reported the reason.
            Err(_) if reported_errors() > before => resume_unwind(Box::new(Reported)),
            Err(error) => bug(error),
        }
    }

    /// Creates an op whose name or parts come from a user.
    ///
    /// # Errors
    /// Returns an error if the op's definition has other numbers of parts or other kinds of
    /// attributes, its result types cannot be inferred, a part is of another context or was erased,
    /// or the insertion point was erased.
    pub fn try_insert(mut self) -> Result<Operation<'c>, BuildError> {
        if let Some(problem) = self.problem {
            return Err(self.failure(problem));
        }
        let Some(block) = self.builder.insertion_block() else {
            return Err(self.failure("there is no insertion point, or it was erased"));
        };
        let context = validity::context_of_location(self.builder.location);
        if !self.builder.is_home_of(block) || !validity::is_of(self.builder.context, context) {
            return Err(self.failure("the insertion point or the location is of another context"));
        }
        if graveyard::is_read_only() {
            return Err(self.failure("this function can only read the program"));
        }
        let info = self.info.or_else(|| conformance::info_of(&self.name));
        let created = self.create(info)?;
        // SAFETY: The op was just created, and is inserted or added to the erased IR.
        unsafe {
            let operation = OperationRef::from_raw(created);
            if let Some(problem) = conformance::misfit(operation, info, &self.attributes) {
                graveyard::take_operation(None, operation);
                return Err(self.failure(&problem));
            }
            let inserted = mlir_sys::mlirRewriterBaseInsert(self.builder.rewriter, created);
            Ok(OperationRef::from_raw(inserted))
        }
    }

    fn failure(&self, reason: &str) -> BuildError {
        BuildError::because(format!("cannot create op '{}': {reason}", self.name))
    }

    /// Creates the op, which is detached.
    fn create(&mut self, info: Option<&OpInfo>) -> Result<MlirOperation, BuildError> {
        let name = self.name.clone();
        if let Some(problem) = conformance::wrong_counts(
            info,
            self.operands.len(),
            (!self.infer).then_some(self.results.len()),
        ) {
            let message = format!("cannot create op '{name}': {problem}");
            return Err(BuildError::because(message));
        }
        // The state points to the name until the op is created.
        let text = melior::StringRef::new(&name);
        let is_declared = declared_ops::info_of(&name).is_some();
        let context = self.builder.context.to_raw();
        // SAFETY: Context and text are valid.
        let is_loaded =
            || unsafe { mlir_sys::mlirContextIsRegisteredOperation(context, text.to_raw()) };
        if is_declared && !is_loaded() {
            return Err(self.failure("its dialect is not loaded"));
        }
        // SAFETY: The parts are valid and of one context; the state copies the arrays, and
        // the regions are handed over with it.
        unsafe {
            let mut state =
                mlir_sys::mlirOperationStateGet(text.to_raw(), self.builder.location.to_raw());
            let regions: Vec<_> = self.regions.iter().map(RegionLike::to_raw).collect();
            // MLIR destroys the regions if it fails to infer, and it infers nothing for a declared
            // op without attributes.
            if self.infer && (!regions.is_empty() || is_declared) {
                state.nOperands = self.operands.len() as isize;
                state.operands = self.operands.as_mut_ptr();
                state.nAttributes = self.attributes.len() as isize;
                state.attributes = self.attributes.as_mut_ptr();
                state.nRegions = regions.len() as isize;
                state.regions = regions.as_ptr().cast_mut();
                self.results =
                    conformance::inferred(&state).ok_or_else(|| BuildError::new(&name))?;
                self.infer = false;
                state =
                    mlir_sys::mlirOperationStateGet(text.to_raw(), self.builder.location.to_raw());
            }
            mlir_sys::mlirOperationStateAddOperands(
                &mut state,
                self.operands.len() as isize,
                self.operands.as_ptr(),
            );
            mlir_sys::mlirOperationStateAddAttributes(
                &mut state,
                self.attributes.len() as isize,
                self.attributes.as_ptr(),
            );
            mlir_sys::mlirOperationStateAddSuccessors(
                &mut state,
                self.successors.len() as isize,
                self.successors.as_ptr(),
            );
            if self.infer {
                mlir_sys::mlirOperationStateEnableResultTypeInference(&mut state)
            } else {
                mlir_sys::mlirOperationStateAddResults(
                    &mut state,
                    self.results.len() as isize,
                    self.results.as_ptr(),
                )
            }
            let regions: Vec<_> =
                std::mem::take(&mut self.regions).into_iter().map(Region::into_raw).collect();
            mlir_sys::mlirOperationStateAddOwnedRegions(
                &mut state,
                regions.len() as isize,
                regions.as_ptr(),
            );
            let created = mlir_sys::mlirOperationCreate(&mut state);
            if created.ptr.is_null() {
                Err(BuildError::new(&name))
            } else {
                Ok(created)
            }
        }
    }

    /// Creates the op and returns its first result.
    ///
    /// # Panics
    /// Panics if the op cannot be created, or has no results.
    #[track_caller]
    pub fn value(self) -> Value<'c> {
        let name = self.name.clone();
        let first = self.insert().results().first().copied();
        expected(first.ok_or_else(|| BuildError::new(name)))
    }
}
