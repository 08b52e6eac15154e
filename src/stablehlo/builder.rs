//! The builder of programs: values, regions and functions.

use crate::{
    elements::integers_in,
    error::{Error, ErrorKind},
    kinds,
    planned::{Planned, Region},
    semantics::{self, Dim, Inferred, Ty},
    text::{TextError, to_text},
    types::{ElementType, Type, Types},
};
use halo_vhlo::{
    Attribute, AttributeId, Block, Module, OpKind, Operation, Type as Vhlo, TypeId, ValueId,
    Version, attribute::Location as OpLocation, ops, stablehlo::defaults,
};
use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    fmt,
    panic::Location,
};

/// Builds a program: a public function, and others that it calls.
///
/// Ops are methods of [`Value`], or of the builder if their operands are lists. They do not return
/// errors: the first error is kept, ops of its value are ignored, and [`Builder::build`] returns
/// it, with the place of the call that made it.
pub struct Builder {
    name: String,
    pub(crate) types: Types,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    values: Vec<ValueInfo>,
    scopes: Vec<Scope>,
    scope_count: u32,
    functions: Vec<Operation>,
    names: HashSet<String>,
    /// The values of constants.
    constants: HashMap<ValueId, AttributeId>,
    error: Option<Error>,
}

struct ValueInfo {
    ty: TypeId,
    scope: u32,
}

/// A block that is being built.
struct Scope {
    id: u32,
    block: Block,
    /// Values outside of it are not visible.
    is_function: bool,
}

/// The value of an op that is invalid.
const INVALID: ValueId = ValueId(u32::MAX);

/// A value of a program: a parameter, an argument of a region, or a result of an op.
#[derive(Clone, Copy)]
pub struct Value<'b> {
    pub(crate) builder: &'b Builder,
    pub(crate) id: ValueId,
}

/// A function of a program that [`Builder::call`] calls.
#[derive(Clone, Debug)]
pub struct Function {
    pub(crate) name: String,
    pub(crate) inputs: Vec<Type>,
    pub(crate) results: Vec<Type>,
}

impl Function {
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A program that was built.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program in the ops of VHLO.
    pub module: Module,
}

impl Program {
    /// The text of the program.
    ///
    /// # Errors
    /// Returns an error for a module that no builder built, as [`to_text`].
    pub fn to_text(&self) -> Result<String, TextError> {
        to_text(&self.module)
    }

    /// The program as a portable artifact, which compilers read that have at least this version of
    /// StableHLO.
    ///
    /// # Errors
    /// Returns an error if the version has no form of something in the program.
    pub fn to_artifact(&self, version: Version) -> Result<Vec<u8>, halo_vhlo::Error> {
        halo_vhlo::write(&self.module, version)
    }
}

/// An op to add.
pub(crate) struct Plan<'b, 'a> {
    pub family: &'static str,
    pub operands: &'a [Value<'b>],
    pub attributes: Vec<(&'static str, AttributeId)>,
    pub regions: Vec<Region>,
    pub results: Results,
    /// The number of values to return for an invalid op.
    pub fallback: usize,
}

/// The types of the results of an op.
pub(crate) enum Results {
    Inferred,
    /// The shape is inferred.
    Element(TypeId),
    Types(Vec<TypeId>),
}

impl Builder {
    /// Starts a program whose public function has a name; the usual one is `main`.
    pub fn new(name: &str) -> Self {
        let builder = Self {
            name: name.to_owned(),
            types: Types::default(),
            state: RefCell::default(),
        };
        builder.state.borrow_mut().names.insert(name.to_owned());
        builder.open_scope(true);
        builder
    }

    /// Adds a parameter to the public function.
    #[track_caller]
    pub fn parameter(&self, ty: Type) -> Value<'_> {
        if self.state.borrow().scopes.len() != 1 {
            return self.fail("parameter", ErrorKind::InRegion);
        }
        let ty = self.types.intern(&ty);
        if let Err(kind) = self.check_type(ty) {
            return self.fail("parameter", kind);
        }
        self.argument(ty)
    }

    /// The error of the program so far.
    pub fn error(&self) -> Option<Error> {
        self.state.borrow().error.clone()
    }

    /// The program, whose public function returns these values.
    ///
    /// # Errors
    /// Returns the first error of the program.
    #[track_caller]
    pub fn build<'b>(&'b self, results: impl AsRef<[Value<'b>]>) -> Result<Program, Error> {
        let checked = self.check_operands(results.as_ref());
        if let Err(kind) = checked {
            self.fail("build", kind);
        } else if self.state.borrow().scopes.len() != 1 {
            self.fail("build", ErrorKind::InRegion);
        }
        if let Some(error) = self.error() {
            return Err(error);
        }
        let types = self.types_of(results.as_ref());
        let block = match self.state.borrow().scopes.first() {
            Some(scope) => scope.block.clone(),
            None => Block::default(),
        };
        let main = self.function_op(&self.name, block, results.as_ref(), types, "");
        let state = self.state.borrow();
        let mut operations = vec![main];
        operations.extend(state.functions.iter().cloned());
        let location = self.location();
        let root = Operation {
            kind: OpKind::Module,
            location,
            attributes: Vec::new(),
            operands: Vec::new(),
            results: Vec::new(),
            regions: vec![region_of(Block {
                arguments: Vec::new(),
                operations,
            })],
        };
        Ok(Program {
            module: Module {
                version: Version::CURRENT,
                attributes: self.types.attributes.borrow().clone(),
                types: self.types.types.borrow().clone(),
                values: state.values.iter().map(|value| value.ty).collect(),
                root,
            },
        })
    }

    /// Adds a private function: its parameters are the arguments of `body`.
    #[track_caller]
    pub fn function<'b, R: AsRef<[Value<'b>]>>(
        &'b self,
        name: &str,
        parameters: &[Type],
        body: impl FnOnce(&[Value<'b>]) -> R,
    ) -> Function {
        if !self.state.borrow_mut().names.insert(name.to_owned()) {
            self.fail("function", ErrorKind::DuplicateFunction(name.to_owned()));
        }
        let ids: Vec<TypeId> = parameters.iter().map(|ty| self.types.intern(ty)).collect();
        if let Some(kind) = ids.iter().find_map(|id| self.check_type(*id).err()) {
            self.fail("function", kind);
        }
        self.open_scope(true);
        let arguments: Vec<Value> = ids.iter().map(|ty| self.argument(*ty)).collect();
        let returned = body(&arguments);
        let returned = returned.as_ref();
        let checked = self.check_operands(returned);
        let block = self.close_scope();
        let mut results = Vec::new();
        match checked {
            Ok(()) => {
                results = self.types_of(returned);
                let op = self.function_op(name, block, returned, results.clone(), "private");
                self.state.borrow_mut().functions.push(op);
            }
            Err(kind) => _ = self.fail("function", kind),
        }
        Function {
            name: name.to_owned(),
            inputs: parameters.to_vec(),
            results: results.into_iter().map(|id| self.types.describe(id)).collect(),
        }
    }

    fn function_op(
        &self,
        name: &str,
        mut block: Block,
        results: &[Value],
        outputs: Vec<TypeId>,
        visibility: &str,
    ) -> Operation {
        let state = self.state.borrow();
        let type_of = |id: ValueId| state.values.get(id.0 as usize).map(|info| info.ty);
        let inputs = block.arguments.iter().filter_map(|(id, _)| type_of(*id)).collect();
        block.operations.push(self.return_op(results));
        let ty = self.types.add(Vhlo::Function { inputs, outputs });
        let named = [
            (
                "arg_attrs",
                self.types.attribute(Attribute::Array(Vec::new())),
            ),
            ("function_type", self.types.attribute(Attribute::Type(ty))),
            (
                "res_attrs",
                self.types.attribute(Attribute::Array(Vec::new())),
            ),
            ("sym_name", self.string(name)),
            ("sym_visibility", self.string(visibility)),
        ];
        self.operation("func", &named, Vec::new(), Vec::new(), vec![block])
    }

    fn return_op(&self, results: &[Value]) -> Operation {
        let operands = results.iter().map(|value| value.id).collect();
        self.operation("return", &[], operands, Vec::new(), Vec::new())
    }

    fn operation(
        &self,
        family: &str,
        attributes: &[(&'static str, AttributeId)],
        operands: Vec<ValueId>,
        results: Vec<ValueId>,
        blocks: Vec<Block>,
    ) -> Operation {
        let attributes = attributes.iter().map(|(name, id)| (name.as_bytes().into(), *id));
        Operation {
            kind: ops::newest(family).map_or(OpKind::Module, OpKind::Vhlo),
            location: self.location(),
            attributes: attributes.collect(),
            operands,
            results,
            regions: blocks.into_iter().map(region_of).collect(),
        }
    }

    fn location(&self) -> AttributeId {
        self.types.attribute(Attribute::Location(OpLocation::Unknown))
    }

    fn open_scope(&self, is_function: bool) {
        let mut state = self.state.borrow_mut();
        let id = state.scope_count;
        state.scope_count += 1;
        state.scopes.push(Scope {
            id,
            block: Block::default(),
            is_function,
        });
    }

    fn close_scope(&self) -> Block {
        let scope = self.state.borrow_mut().scopes.pop();
        scope.map(|scope| scope.block).unwrap_or_default()
    }

    /// A new argument of the innermost block.
    fn argument(&self, ty: TypeId) -> Value<'_> {
        let location = self.location();
        let id = self.value(ty);
        if let Some(scope) = self.state.borrow_mut().scopes.last_mut() {
            scope.block.arguments.push((id, location));
        }
        Value { builder: self, id }
    }

    fn value(&self, ty: TypeId) -> ValueId {
        let mut state = self.state.borrow_mut();
        let scope = state.scopes.last().map_or(0, |scope| scope.id);
        let id = ValueId(state.values.len() as u32);
        state.values.push(ValueInfo { ty, scope });
        id
    }

    /// Builds a region from its arguments.
    pub(crate) fn region<'b, R: AsRef<[Value<'b>]>>(
        &'b self,
        arguments: &[TypeId],
        body: impl FnOnce(&[Value<'b>]) -> R,
    ) -> Result<Region, ErrorKind> {
        self.open_scope(false);
        let values: Vec<Value> = arguments.iter().map(|ty| self.argument(*ty)).collect();
        let returned = body(&values);
        let checked = self.check_operands(returned.as_ref());
        let mut block = self.close_scope();
        checked?;
        block.operations.push(self.return_op(returned.as_ref()));
        Ok(Region {
            block,
            arguments: arguments.to_vec(),
            results: self.types_of(returned.as_ref()),
        })
    }

    /// Records an error, and returns an invalid value.
    #[track_caller]
    pub(crate) fn fail(&self, op: &str, kind: ErrorKind) -> Value<'_> {
        self.fail_at(op, kind, Location::caller())
    }

    fn fail_at(&self, op: &str, kind: ErrorKind, caller: &'static Location<'static>) -> Value<'_> {
        let mut state = self.state.borrow_mut();
        state.error.get_or_insert_with(|| Error {
            op: op.to_owned(),
            kind,
            caller,
        });
        self.invalid()
    }

    pub(crate) fn invalid(&self) -> Value<'_> {
        Value {
            builder: self,
            id: INVALID,
        }
    }

    pub(crate) fn type_id(&self, value: Value) -> TypeId {
        let state = self.state.borrow();
        match state.values.get(value.id.0 as usize) {
            Some(info) => info.ty,
            None => self.types.add(Vhlo::None),
        }
    }

    pub(crate) fn types_of(&self, values: &[Value]) -> Vec<TypeId> {
        values.iter().map(|value| self.type_id(*value)).collect()
    }

    /// Fails unless values are visible here.
    fn check_operands(&self, operands: &[Value]) -> Result<(), ErrorKind> {
        let state = self.state.borrow();
        for (operand, value) in operands.iter().enumerate() {
            if !std::ptr::eq(value.builder, self) {
                return Err(ErrorKind::OtherBuilder { operand });
            }
            let Some(info) = state.values.get(value.id.0 as usize) else {
                continue;
            };
            let functions = state.scopes.iter().rposition(|scope| scope.is_function);
            let visible = &state.scopes[functions.unwrap_or(0)..];
            if !visible.iter().any(|scope| scope.id == info.scope) {
                return Err(ErrorKind::OutOfScope { operand });
            }
        }
        Ok(())
    }

    /// Fails unless parameters and arguments may have a type.
    fn check_type(&self, ty: TypeId) -> Result<(), ErrorKind> {
        let ty = self.types.get(ty);
        let invalid = |expected: &str| ErrorKind::ResultType {
            result: 0,
            expected: expected.to_owned(),
            found: self.types.describe(ty.id),
        };
        let parts = ty.tuple_types().or_else(|| ty.future_types());
        if let Some(parts) = parts {
            return parts.iter().try_for_each(|part| self.check_type(part.id));
        }
        if !kinds::accepts("fpicqak", ty) {
            return Err(invalid("a tensor of StableHLO's element types"));
        }
        let negative = |dim: &Dim| dim.limit().is_some_and(|size| size < 0);
        if ty.dims().is_some_and(|dims| dims.iter().any(negative)) {
            return Err(invalid("a tensor without negative sizes"));
        }
        semantics::verify_type(semantics::Subject::Result(0), ty).map_err(ErrorKind::Constraint)
    }

    /// Adds an op. Returns invalid values after an error.
    #[track_caller]
    pub(crate) fn emit<'b>(&'b self, plan: Plan<'b, '_>) -> Vec<Value<'b>> {
        let fallback = vec![self.invalid(); plan.fallback];
        if let Err(kind) = self.check_operands(plan.operands) {
            self.fail(&name_of(plan.family), kind);
            return fallback;
        }
        let is_invalid = |value: &Value| value.id == INVALID;
        let returns = |region: &Region| region.block.operations.last().cloned();
        if plan.operands.iter().any(is_invalid)
            || plan.regions.iter().filter_map(returns).any(|op| op.operands.contains(&INVALID))
        {
            return fallback;
        }
        match self.checked(plan) {
            Ok(values) => values,
            Err((name, kind)) => {
                self.fail(&name, kind);
                fallback
            }
        }
    }

    fn checked<'b>(&'b self, plan: Plan<'b, '_>) -> Result<Vec<Value<'b>>, (String, ErrorKind)> {
        let name = name_of(plan.family);
        let fail = |kind| (name.clone(), kind);
        let (operands, constants): (Vec<TypeId>, Vec<_>) = {
            let state = self.state.borrow();
            let constant = |value: &Value| state.constants.get(&value.id).copied();
            let constants = plan.operands.iter().map(constant).collect();
            (self.types_of(plan.operands), constants)
        };
        let planned = Planned {
            types: &self.types,
            name: &name,
            operands: &operands,
            constants: &constants,
            results: &[],
            attributes: &plan.attributes,
            regions: &plan.regions,
        };
        let kinds = kinds::find(plan.family);
        if let Some(kinds) = kinds {
            let expected = kinds::distribute(kinds.operands, operands.len()).ok_or_else(|| {
                fail(ErrorKind::OperandCount {
                    expected: kinds.operands.len().to_string(),
                    found: operands.len(),
                })
            })?;
            for (operand, (kind, id)) in expected.into_iter().zip(&operands).enumerate() {
                if !kinds::accepts(kind, self.types.get(*id)) {
                    return Err(fail(ErrorKind::OperandType {
                        operand,
                        expected: kinds::describe(kind),
                        found: self.types.describe(*id),
                    }));
                }
            }
        }
        let rule = semantics::rule_of::<Planned>(plan.family);
        let results = match (&plan.results, rule.and_then(|rule| rule.infer)) {
            (Results::Types(types), _) => types.clone(),
            (Results::Inferred, Some(infer)) => {
                let inferred = infer(planned).map_err(|text| fail(ErrorKind::Constraint(text)))?;
                let types = inferred.into_iter().map(|result| Some(result.into_type()?.id));
                types
                    .collect::<Option<Vec<_>>>()
                    .ok_or_else(|| fail(ErrorKind::UnknownResultType))?
            }
            (Results::Element(element), Some(infer)) => {
                let inferred = infer(planned).map_err(|text| fail(ErrorKind::Constraint(text)))?;
                let element = self.types.get(*element);
                let types = inferred.into_iter().map(|result| match result {
                    Inferred::Tensor { dims, .. } => Some(element.tensor_of(&dims?).id),
                    Inferred::Type(ty) | Inferred::Like(_, ty) | Inferred::Default(ty) => {
                        Some(ty.with_element_type(element).id)
                    }
                });
                types
                    .collect::<Option<Vec<_>>>()
                    .ok_or_else(|| fail(ErrorKind::UnknownResultType))?
            }
            (_, None) => return Err(fail(ErrorKind::UnknownResultType)),
        };
        for id in &results {
            self.check_type(*id).map_err(fail)?;
        }
        if let Some(kinds) = kinds {
            let expected = kinds::distribute(kinds.results, results.len());
            for (result, (kind, id)) in expected.into_iter().flatten().zip(&results).enumerate() {
                if !kinds::accepts(kind, self.types.get(*id)) {
                    return Err(fail(ErrorKind::ResultType {
                        result,
                        expected: kinds::describe(kind),
                        found: self.types.describe(*id),
                    }));
                }
            }
            let element = |id: &TypeId| self.types.get(*id).element_type().id;
            let mut all = operands.iter().chain(&results);
            if kinds.same_elements
                && let Some(first) = operands.first()
                && let Some(other) = all.find(|id| element(id) != element(first))
            {
                let describe = |id: &TypeId| self.types.describe(*id);
                return Err(fail(ErrorKind::ElementTypes(
                    describe(first),
                    describe(other),
                )));
            }
        }
        let finished = Planned {
            results: &results,
            ..planned
        };
        semantics::verify(finished, rule).map_err(|text| fail(ErrorKind::Constraint(text)))?;
        let attributes = self.with_defaults(&plan);
        let made: Vec<ValueId> = results.iter().map(|ty| self.value(*ty)).collect();
        let ids = plan.operands.iter().map(|value| value.id).collect();
        let blocks = plan.regions.into_iter().map(|region| region.block).collect();
        let op = self.operation(plan.family, &attributes, ids, made.clone(), blocks);
        let mut state = self.state.borrow_mut();
        if plan.family == "constant"
            && let (Some(value), Some(id)) = (op.attribute("value"), made.first())
        {
            state.constants.insert(*id, value);
        }
        if let Some(scope) = state.scopes.last_mut() {
            scope.block.operations.push(op);
        }
        Ok(made.into_iter().map(|id| Value { builder: self, id }).collect())
    }

    /// The attributes with defaults for absent ones.
    fn with_defaults(&self, plan: &Plan) -> Vec<(&'static str, AttributeId)> {
        let mut attributes = plan.attributes.clone();
        let named = |name: &str| attributes.iter().find(|(own, _)| *own == name);
        let list = named("window_dimensions").or_else(|| named("input_spatial_dimensions"));
        let dimensions = list.and_then(|(_, id)| {
            integers_in(
                &self.types.types.borrow(),
                &self.types.attributes.borrow(),
                *id,
            )
        });
        let dimensions = dimensions.map_or(0, |(_, values)| values.len());
        for (name, default) in defaults(plan.family) {
            if !attributes.iter().any(|(own, _)| own == name) {
                let value = self.make(|maker| default.make(maker, dimensions));
                attributes.push((name, value));
            }
        }
        attributes
    }

    /// Replaces an attribute of the op that defines a value; false if it has no such attribute.
    pub(crate) fn replace_attribute(&self, value: Value, name: &str, id: AttributeId) -> bool {
        let mut state = self.state.borrow_mut();
        let operations = state.scopes.iter_mut().flat_map(|scope| &mut scope.block.operations);
        let mut found = operations.filter(|op| op.results.contains(&value.id));
        match found.next() {
            Some(op) if op.attribute(name).is_some() => {
                op.set_attribute(name, id);
                true
            }
            _ => false,
        }
    }

    pub(crate) fn string(&self, text: &str) -> AttributeId {
        self.types.attribute(Attribute::String(text.as_bytes().into()))
    }
}

fn name_of(family: &str) -> String {
    match family {
        "call" => "func.call".to_owned(),
        _ => format!("stablehlo.{family}"),
    }
}

fn region_of(block: Block) -> halo_vhlo::Region {
    halo_vhlo::Region {
        blocks: vec![block],
    }
}

impl<'b> AsRef<[Value<'b>]> for Value<'b> {
    fn as_ref(&self) -> &[Value<'b>] {
        std::slice::from_ref(self)
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let ty = self.builder.type_id(*self);
        write!(formatter, "%{}: {}", self.id.0, self.builder.types.get(ty))
    }
}

impl<'b> Value<'b> {
    /// The builder of the value's program.
    pub fn builder(self) -> &'b Builder {
        self.builder
    }

    /// The type of the value; `None` for the value of an op that is invalid.
    pub fn ty(self) -> Option<Type> {
        let id = self.builder.type_id(self);
        (self.id != INVALID).then(|| self.builder.types.describe(id))
    }

    /// The type of the elements of a tensor.
    pub fn element(self) -> Option<ElementType> {
        self.ty()?.element().cloned()
    }

    /// The dimensions of a tensor; none for any other value.
    pub fn dims(self) -> Vec<Dim> {
        self.ty().and_then(|ty| ty.dims().map(<[_]>::to_vec)).unwrap_or_default()
    }
}
