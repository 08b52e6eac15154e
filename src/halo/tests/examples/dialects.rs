use halo::{
    compiler,
    ir::{
        declare_op,
        diagnostics::{parse_module, with_diagnostics},
        dialect::{
            self, AttributeConstraint, AttributeDeclaration, AttributeSyntax, DeclaredCodec,
            DialectDeclaration, MemoryEffect, OpAttribute, OpDeclaration, OpRegion, OpTrait,
            Parameter, ParameterKind, Part, RegionBranch, RegionSuccessor, SymbolName,
            TypeConstraint, TypeDeclaration, declaration_of, operand_group, result_group,
        },
        ops::{Arity, Codec, Group, Groups, OpInfo, Sizing, codec},
        root_of,
        semantics::{FoldResult, OpParts, VerifyError},
    },
    melior::Context,
    prelude::*,
};

/// `!matrix.tile<4>`: a type with a parameter, and its constraint.
static TILE: TypeDeclaration = TypeDeclaration::new("matrix.tile", "Rows of registers")
    .parameters(&[Parameter::new("rows", ParameterKind::Integer)])
    .assembly("`<` $rows `>`")
    .verify(|parameters| match parameters[0].integer_value() {
        Some(1..) => Ok(()),
        _ => Err(VerifyError::new("expects rows")),
    });

static ORDER: AttributeDeclaration = AttributeDeclaration::new("matrix.order", "An order")
    .parameters(&[Parameter::new("name", ParameterKind::String)]);

/// An attribute as the value of its accessor.
struct Order;

impl Codec for Order {
    type Read<'c> = &'c str;
    type Write<'a, 'c: 'a> = &'a str;

    fn read(attribute: Attribute<'_>) -> Option<&str> {
        ORDER.parameter(attribute, "name")?.string_value()
    }

    fn write<'a, 'c: 'a>(context: &'c Context, name: &'a str) -> Option<Attribute<'c>> {
        ORDER.get(context, &[string_attribute(context, name)]).ok()
    }
}

impl DeclaredCodec for Order {
    const DESCRIPTION: &'static str = "an order";
    const SYNTAX: AttributeSyntax = AttributeSyntax::Untyped;
}

declare_op! {
    /// Joins tiles.
    pub struct JoinOp = "matrix.join" {
        operands { first: One(Of(&TILE)), more: Variadic(Of(&TILE)) }
        results { joined: One(Of(&TILE)) }
        attributes {
            order: Optional(Order),
            reversed: Optional(codec::Unit),
        }
    }
    .traits(&[OpTrait::Pure])
    .assembly(
        "$first (`,` $more^)? (`order` $order^)? (`reversed` $reversed^)? attr-dict `:` type(operands)",
    )
    .infer(infer_join)
    .fold(|op, _| if operand_group(op, "more")?.is_empty() {
Some(vec![FoldResult::Value(op.cast::<JoinOp>()?.first())])
} else {
None
})
}

/// Infers the result types from the parts of an op that need not exist yet.
fn infer_join<'c>(parts: &'c OpParts<'c>) -> Result<Vec<Type<'c>>, VerifyError> {
    let rows = |operand: &halo::ir::Value<'c>| {
        let rows = TILE.parameter(operand.ty(), "rows");
        rows.and_then(Attribute::integer_value).unwrap_or(0)
    };
    let sum: i64 = parts.operands.iter().map(rows).sum();
    let sum = integer_attribute(integer_type(parts.context, 64), sum);
    let tile = TILE.get(parts.context, &[sum]);
    Ok(vec![tile.map_err(|error| error.to_string())?])
}

declare_op! {
    /// A named body.
    pub struct KernelOp = "matrix.kernel" {
        attributes { sym_name: Required(SymbolName) }
        regions { body: One }
    }
    .traits(&[OpTrait::Symbol, OpTrait::IsolatedFromAbove, OpTrait::SingleBlock, OpTrait::NoTerminator])
    .assembly("$sym_name attr-dict-with-keyword $body")
}

declare_op! {
    /// Terminates a body; it may be omitted in text.
    pub struct EndOp = "matrix.end" {}
    .traits(&[OpTrait::Terminator, OpTrait::ReturnLike, OpTrait::Pure])
    .assembly("attr-dict")
}

declare_op! {
    /// Reads a tile and runs its body, or not. The default limit is 8.
    pub struct GuardOp = "matrix.guard" {
        operands { tile: One(Of(&TILE)) }
        attributes { limit: Default(codec::Signless<64> = 8) }
        regions { body: One }
    }
    .traits(&[OpTrait::SingleBlock])
    .parents(&["matrix.kernel"])
    .implicit_terminator("matrix.end")
    .effects(&[("tile", MemoryEffect::Reads)])
    .region_branch(RegionBranch {
        entry: &[RegionSuccessor::Region("body"), RegionSuccessor::Parent],
        exits: &[&[RegionSuccessor::Parent]],
        inputs: None,
        produced_arguments: 0,
    })
    .assembly("$tile (`below` $limit^)? $body attr-dict `:` type($tile)")
}

declare_op! {
    /// Selects one of two values, whose types are the result's.
    pub struct ChooseOp = "matrix.choose" {
        operands { first: One(Any), second: One(Any) }
        results { chosen: One(Any) }
    }
    .traits(&[OpTrait::Pure])
    .all_types_match(&[&["first", "second", "chosen"]])
    .assembly("$first `,` $second attr-dict `:` type($first)")
}

static MATRIX: DialectDeclaration = DialectDeclaration::new("matrix", "Tiles of matrices")
    .ops(&[
        JoinOp::DECLARATION,
        KernelOp::DECLARATION,
        EndOp::DECLARATION,
        GuardOp::DECLARATION,
        ChooseOp::DECLARATION,
    ])
    .types(&[&TILE])
    .attributes(&[&ORDER]);

const PROGRAM: &[u8] = b"
matrix.kernel @k {
^bb0(%a: !matrix.tile<4>, %b: !matrix.tile<2>):
  %0 = matrix.join %a, %b order #matrix.order<\"rows\"> : none : !matrix.tile<4>, !matrix.tile<2>
  matrix.guard %a {
    %1 = matrix.choose %a, %a : !matrix.tile<4>
  } : !matrix.tile<4>
}";

fn check(join: Operation, arguments: &[halo::ir::Value]) -> Option<()> {
    let declaration: &OpDeclaration = declaration_of(join.name())?;
    assert!(declaration.has(OpTrait::Pure));
    assert_eq!(operand_group(join, "more")?.len(), 1);
    assert_eq!(result_group(join, "joined")?.len(), 1);
    let op = join.cast::<JoinOp>()?;
    assert_eq!((op.first(), op.order()), (arguments[0], Some("rows")));
    let rows = TILE.parameters_of(op.joined().ty())?;
    assert_eq!(rows[0].integer_value(), Some(6));
    // A declaration is data.
    let order: &OpAttribute = &declaration.attributes[0];
    assert!(order.name == "order" && order.is_optional);
    let body: &OpRegion = &KernelOp::DECLARATION.regions[0];
    assert_eq!((body.name, body.arity), ("body", Arity::One));
    let no_successors: &[Part] = KernelOp::DECLARATION.successors;
    assert!(no_successors.is_empty());
    let info: &OpInfo = JoinOp::INFO;
    let operands: &Groups = &info.operands;
    assert_eq!(operands.sizing, Sizing::Rest);
    let more: &Group = &operands.groups[1];
    assert_eq!((more.name, more.arity), ("more", Arity::Variadic));
    // Constraints can be checked directly.
    let tile: TypeConstraint = TypeConstraint::Of(&TILE);
    assert!(tile.holds(op.joined().ty()));
    let even = AttributeConstraint::of("an even number", |attribute| {
        attribute.integer_value().is_some_and(|number| number % 2 == 0)
    });
    assert!(even.is_met_by(rows[0]));
    Some(())
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A `Plugin` registers its dialects; contexts that are made afterwards have them.
    dialect::register(&MATRIX)?;
    let context = compiler::context();
    let module = parse_module(&context, PROGRAM, "a.mlir").ok_or("no program")?;
    let join = root_of(&module).collect_nested(|op| op.isa::<JoinOp>())[0];
    let kernel = join.enclosing::<KernelOp>().ok_or("no kernel")?;
    assert_eq!(kernel.sym_name(), "k");
    let body = kernel.operation().body(0).ok_or("no body")?;
    check(join, &body.arguments()).ok_or("the op has other parts")?;
    let guard = kernel.collect_nested(|op| op.isa::<GuardOp>());
    let guard = guard[0].cast::<GuardOp>().ok_or("no guard")?;
    assert_eq!(guard.limit(), 8);
    let by_hand = OpAttribute::with_default(
        "limit",
        <codec::Signless<64> as DeclaredCodec>::CONSTRAINT,
        |context| Some(integer_attribute(integer_type(context, 64), 8)),
    );
    assert_eq!(by_hand.name, GuardOp::DECLARATION.attributes[0].name);

    let (none, errors) = with_diagnostics(&context, || {
        parse_module(
            &context,
            b"matrix.kernel @k {\n^bb0(%a: !matrix.tile<0>):\n}",
            "b.mlir",
        )
    });
    assert!(
        none.is_none() && errors[0].message.contains("expects rows"),
        "{errors:?}"
    );
    Ok(())
}
