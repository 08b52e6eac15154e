//! Short forms of the ops of the LLVM dialect that interfaces are made of.

use halo_ir::{
    Attribute, Builder, Operation, RewriteError, Type, Value, integer_attribute, integer_type,
    string_attribute, type_attribute,
};
use melior::{Context, ir::attribute::FlatSymbolRefAttribute};

/// Creates ops of the LLVM dialect, and functions of a module.
pub struct LlvmCode<'c> {
    /// Where ops are created.
    pub b: Builder<'c>,
    /// The module that functions are added to.
    pub module: Operation<'c>,
}

impl<'c> LlvmCode<'c> {
    pub fn pointer(&self) -> Result<Type<'c>, RewriteError> {
        self.parse_type("!llvm.ptr")
    }

    pub fn parse_type(&self, text: &str) -> Result<Type<'c>, RewriteError> {
        Type::parse(self.b.context(), text)
            .ok_or_else(|| RewriteError::Invalid(format!("internal error: no type {text}")))
    }

    pub fn i64(&self) -> Type<'c> {
        integer_type(self.b.context(), 64)
    }

    pub fn constant(&self, r#type: Type<'c>, value: i64) -> Result<Value<'c>, RewriteError> {
        Ok(self
            .b
            .op("llvm.mlir.constant")
            .attribute("value", integer_attribute(r#type, value))
            .result(r#type)
            .value()?)
    }

    /// The address of element `index` of an array or of field `index` of a
    /// structure.
    pub fn element_address(
        &self,
        base: Value<'c>,
        element: Type<'c>,
        indices: &[i32],
    ) -> Result<Value<'c>, RewriteError> {
        use melior::ir::attribute::DenseI32ArrayAttribute;
        let indices: Attribute = DenseI32ArrayAttribute::new(self.b.context(), indices).into();
        Ok(self
            .b
            .op("llvm.getelementptr")
            .operands(&[base])
            .attribute("rawConstantIndices", indices)
            .attribute("elem_type", type_attribute(element))
            .attribute(
                "noWrapFlags",
                integer_attribute(integer_type(self.b.context(), 32), 0),
            )
            .result(self.pointer()?)
            .value()?)
    }

    pub fn load(&self, address: Value<'c>, r#type: Type<'c>) -> Result<Value<'c>, RewriteError> {
        Ok(self.b.value("llvm.load", &[address], r#type)?)
    }

    pub fn store(&self, value: Value<'c>, address: Value<'c>) -> Result<(), RewriteError> {
        self.b
            .op("llvm.store")
            .operands(&[value, address])
            .insert()?;
        Ok(())
    }

    pub fn call_symbol(
        &self,
        callee: &str,
        operands: &[Value<'c>],
        result: Option<Type<'c>>,
    ) -> Result<Operation<'c>, RewriteError> {
        let mut spec = self
            .b
            .op("llvm.call")
            .operands(operands)
            .attribute(
                "callee",
                FlatSymbolRefAttribute::new(self.b.context(), callee),
            )
            .attribute(
                "operandSegmentSizes",
                segments(&self.b, &[operands.len() as i32, 0]),
            )
            .attribute("op_bundle_sizes", segments(&self.b, &[]));
        if let Some(result) = result {
            spec = spec.result(result);
        }
        Ok(spec.insert()?)
    }

    /// Adds a function to the end of the module.
    pub fn function(
        &self,
        name: &str,
        r#type: &str,
        parameters: &[Type<'c>],
        internal: bool,
        fill: impl FnOnce(&Self, &[Value<'c>]) -> Result<(), RewriteError>,
    ) -> Result<Operation<'c>, RewriteError> {
        let body = halo_ir::body_of(self.module, 0).ok_or(RewriteError::NoMatch)?;
        self.b.with_insertion_point(|b| {
            b.set_to_end(body);
            let region = b.region(parameters, |b, arguments| {
                let code = Self {
                    b: *b,
                    module: self.module,
                };
                fill(&code, arguments)
            })?;
            let linkage = linkage(b.context(), if internal { "internal" } else { "external" })?;
            Ok(b.op("llvm.func")
                .attribute("sym_name", string_attribute(b.context(), name))
                .attribute("function_type", type_attribute(self.parse_type(r#type)?))
                .attribute("linkage", linkage)
                .region(region)
                .insert()?)
        })
    }
}

/// `#llvm.linkage<name>`
pub fn linkage<'c>(context: &'c Context, name: &str) -> Result<Attribute<'c>, RewriteError> {
    Attribute::parse(context, &format!("#llvm.linkage<{name}>"))
        .ok_or_else(|| RewriteError::Invalid("internal error: llvm is not loaded".into()))
}

/// `array<i32: ...>`
pub fn segments<'c>(b: &Builder<'c>, sizes: &[i32]) -> Attribute<'c> {
    melior::ir::attribute::DenseI32ArrayAttribute::new(b.context(), sizes).into()
}
