//! Builder of LLVM dialect ops for the runtime ABI.

use halo_ir::{ops::llvm, prelude::*};

/// A builder of LLVM dialect ops, and of functions in a module.
pub struct LlvmCode<'c> {
    /// The builder at the insertion point.
    pub b: Builder<'c>,
    /// The module that functions are added to.
    pub module: Operation<'c>,
}

impl<'c> LlvmCode<'c> {
    /// The same module with another insertion point.
    pub fn at(&self, b: Builder<'c>) -> Self {
        Self {
            b,
            module: self.module,
        }
    }

    pub fn pointer(&self) -> Type<'c> {
        melior::dialect::llvm::r#type::pointer(self.b.context(), 0)
    }

    pub fn parse_type(&self, text: &str) -> RewriteResult<Type<'c>> {
        Type::parse(self.b.context(), text)
            .ok_or_else(|| RewriteError::Invalid(format!("internal error: no type {text}")))
    }

    pub fn i64(&self) -> Type<'c> {
        integer_type(self.b.context(), 64)
    }

    pub fn constant(&self, ty: Type<'c>, value: i64) -> Value<'c> {
        let value = integer_attribute(ty, value);
        llvm::mlir_constant(&self.b, value, ty)
    }

    /// The address of element `index` of an array or of field `index` of a
    /// structure.
    pub fn element_address(
        &self,
        base: Value<'c>,
        element: Type<'c>,
        indices: &[i32],
    ) -> Value<'c> {
        let pointer = self.pointer();
        llvm::getelementptr(&self.b, base, &[], indices, element, pointer)
    }

    /// The fields of a structure in memory.
    pub fn fields(
        &self,
        base: Value<'c>,
        structure: Type<'c>,
        types: &[Type<'c>],
    ) -> RewriteResult<Vec<Value<'c>>> {
        let fields = types.iter().enumerate();
        fields
            .map(|(index, ty)| {
                let address = self.element_address(base, structure, &[0, index as i32]);
                Ok(llvm::load(&self.b, address, *ty))
            })
            .collect()
    }

    pub fn call_symbol(
        &self,
        callee: &str,
        operands: &[Value<'c>],
        result: Option<Type<'c>>,
    ) -> llvm::CallOp<'c> {
        let call = llvm::CallOp::build(&self.b, operands, &[], &[])
            .callee(callee)
            .maybe(result, |call, ty| call.result_type(ty));
        call.insert()
    }

    /// Adds a function to the end of the module.
    pub fn function(
        &self,
        name: &str,
        ty: &str,
        parameters: &[Type<'c>],
        internal: bool,
        fill: impl FnOnce(&Self, &[Value<'c>]) -> RewriteResult,
    ) -> RewriteResult<Operation<'c>> {
        let body = self.module.body(0).ok_or_else(|| no_match("a region is empty"))?;
        self.b.with_insertion_point(|b| {
            b.set_to_end(body);
            let region = b.region(parameters, |b, arguments| fill(&self.at(*b), arguments))?;
            let linkage = linkage(b.context(), if internal { "internal" } else { "external" })?;
            let function = llvm::LLVMFuncOp::build(b, name, self.parse_type(ty)?, region);
            Ok(function.linkage(linkage).insert().operation())
        })
    }
}

/// `#llvm.linkage<name>`
pub fn linkage<'c>(context: &'c Context, name: &str) -> RewriteResult<Attribute<'c>> {
    Attribute::parse(context, &format!("#llvm.linkage<{name}>"))
        .ok_or_else(|| RewriteError::Invalid("internal error: llvm is not loaded".into()))
}

/// Disables LLVM's optimizations for a function that only calls kernels.
pub fn skip_optimization(function: Operation) {
    let unit = unit_attribute(function.context());
    for name in ["optimize_none", "no_inline"] {
        function.set_attribute(name, unit);
    }
}
