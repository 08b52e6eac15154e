//! A dialect with all that a declaration can have, and with hooks that fail.

use halo_ir::{
    declare_op,
    dialect::{
        AttributeDeclaration, AttributeSyntax, DeclaredCodec, DialectDeclaration, OpTrait,
        Parameter, ParameterKind, SymbolName, TypeDeclaration,
    },
    ops::{Codec, Enumeration, codec},
    prelude::*,
    semantics::{FoldResult, OpParts, VerifyError},
    type_attribute,
};
use melior::Context;

pub static TILE_TYPE: TypeDeclaration = TypeDeclaration::new("tile.tile", "A matrix in registers")
    .parameters(&[
        Parameter::new("rows", ParameterKind::Integer),
        Parameter::new("columns", ParameterKind::Integer),
        Parameter::new("element", ParameterKind::Type),
    ])
    .assembly("`<` $rows `x` $columns `,` $element `>`")
    .verify(|parameters| {
        let sizes = parameters[..2].iter().copied();
        if sizes.filter_map(Attribute::integer_value).all(|size| size > 0) {
            Ok(())
        } else {
            Err("expects sizes above zero".into())
        }
    });

pub static LAYOUT: AttributeDeclaration = AttributeDeclaration::new("tile.layout", "An order")
    .parameters(&[
        Parameter::new("order", ParameterKind::String),
        Parameter::new("alignment", ParameterKind::Integer),
    ]);

/// The layout of a tile: reads the order.
struct Layout;

impl Codec for Layout {
    type Read<'c> = &'c str;
    type Write<'a, 'c: 'a> = Attribute<'c>;

    fn read(attribute: Attribute<'_>) -> Option<&str> {
        LAYOUT.parameter(attribute, "order")?.string_value()
    }

    fn write<'a, 'c: 'a>(_: &'c Context, value: Attribute<'c>) -> Option<Attribute<'c>> {
        Some(value)
    }
}

impl DeclaredCodec for Layout {
    const DESCRIPTION: &'static str = "a layout";
    const SYNTAX: AttributeSyntax = AttributeSyntax::Untyped;
}

pub static TOKEN: TypeDeclaration = TypeDeclaration::new("tile.token", "An order of effects");

declare_op! {
    /// Reads a tile.
    pub struct LoadOp = "tile.load" {
        operands { source: One(TensorOf(&AnyFloat)), indices: Variadic(Index) }
        results { tile: One(Of(&TILE_TYPE)) }
        attributes { layout: Optional(Layout) }
    }
    .traits(&[OpTrait::Reads])
    .assembly(
        "$source (`[` $indices^ `]`)? (`layout` `=` $layout^)? attr-dict `:` type($source) `->` \
         type($tile)",
    )
    .verify(verify_load)
}

fn verify_load(op: Operation) -> Result<(), VerifyError> {
    let load = op.cast::<LoadOp>().ok_or("is no load")?;
    let element = TILE_TYPE.parameter(load.tile().ty(), "element");
    let of_source = type_attribute(load.source().ty().element_type());
    if element == Some(of_source) {
        Ok(())
    } else {
        Err("expects elements of one type".into())
    }
}

declare_op! {
    /// Multiplies tiles.
    pub struct MatmulOp = "tile.matmul" {
        operands {
            lhs: One(Of(&TILE_TYPE)),
            rhs: One(Of(&TILE_TYPE)),
            bias: Optional(Of(&TILE_TYPE)),
            more: Variadic(AnyOf(&[Of(&TILE_TYPE), Index])),
        }
        results { product: One(Of(&TILE_TYPE)) }
        attributes {
            transposed: Optional(codec::Unit),
            steps: Required(codec::Signless<64>),
            label: Optional(codec::Text),
        }
    }
    .traits(&[OpTrait::Pure])
    .assembly(
        "$lhs `,` $rhs (`bias` $bias^ `:` type($bias))? (`with` $more^ `:` type($more))? \
         (`transposed` $transposed^)? `steps` $steps (`label` $label^):(`unlabelled`)? attr-dict \
         `:` type($lhs) `,` type($rhs)",
    )
    .infer(infer_matmul)
}

fn infer_matmul<'c>(parts: &'c OpParts<'c>) -> Result<Vec<Type<'c>>, VerifyError> {
    let [lhs, rhs, ..] = parts.operands[..] else {
        return Err("expects two operands".into());
    };
    let parameters = |ty| TILE_TYPE.parameters_of(ty).ok_or("expects tiles");
    let (lhs, rhs) = (parameters(lhs.ty())?, parameters(rhs.ty())?);
    if lhs[1] != rhs[0] {
        return Err(format!("expects {} rows in rhs, but has {}", lhs[1], rhs[0]).into());
    }
    let tile = TILE_TYPE.get(parts.context, &[lhs[0], rhs[1], lhs[2]]);
    Ok(vec![tile.map_err(|error| error.to_string())?])
}

declare_op! {
    /// Makes a constant.
    pub struct ConstantOp = "tile.constant" {
        results { result: One(AnyInteger) }
        attributes { value: Required(codec::Any) }
    }
    .traits(&[OpTrait::Pure, OpTrait::ConstantLike])
    .assembly("attr-dict $value `:` type($result)")
}

declare_op! {
    /// Adds.
    pub struct AddOp = "tile.add" {
        operands { lhs: One(AnyInteger), rhs: One(AnyInteger) }
        results { sum: One(AnyInteger) }
    }
    .traits(&[OpTrait::Pure, OpTrait::Commutative, OpTrait::SameOperandsAndResultType])
    .assembly("$lhs `,` $rhs attr-dict `:` type($sum)")
    .fold(fold_add)
    .canonicalize(canonicalize_add)
}

fn fold_add<'c>(
    op: Operation<'c>,
    constants: &[Option<Attribute<'c>>],
) -> Option<Vec<FoldResult<'c, 'c>>> {
    let add = op.cast::<AddOp>()?;
    let numbers: Vec<_> = constants.iter().map(|constant| (*constant)?.integer_value()).collect();
    match numbers[..] {
        [_, Some(0)] => Some(vec![FoldResult::Value(add.lhs())]),
        [Some(lhs), Some(rhs)] => {
            let sum = integer_attribute(add.sum().ty(), lhs + rhs);
            Some(vec![FoldResult::Attribute(sum)])
        }
        _ => None,
    }
}

fn canonicalize_add<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let add = op.cast::<AddOp>().ok_or(RewriteError::NoMatch)?;
    if add.lhs() != add.rhs() {
        return Err(no_match("the operands differ"));
    }
    let doubled = DoubleOp::build(b, add.lhs()).value();
    b.replace(op, &[doubled]);
    Ok(())
}

declare_op! {
    /// Doubles.
    pub struct DoubleOp = "tile.double" {
        operands { input: One(AnyInteger) }
        results { output: One(AnyInteger) }
    }
    .traits(&[OpTrait::Pure, OpTrait::SameOperandsAndResultType])
    .assembly("$input attr-dict `:` type($input)")
}

declare_op! {
    /// Runs its body a number of times.
    pub struct LoopOp = "tile.loop" {
        operands { count: One(Index) }
        results { results: Variadic(Any) }
        regions { body: One }
    }
    .traits(&[OpTrait::SingleBlock, OpTrait::RecursiveEffects])
    .assembly("$count (`->` type($results)^)? $body attr-dict-with-keyword")
}

declare_op! {
    /// Ends a body.
    pub struct YieldOp = "tile.yield" {
        operands { values: Variadic(Any) }
    }
    .traits(&[OpTrait::Terminator, OpTrait::Pure, OpTrait::ReturnLike])
    .assembly("($values^ `:` type($values))? attr-dict")
}

declare_op! {
    /// A named body.
    pub struct KernelOp = "tile.kernel" {
        attributes { sym_name: Required(SymbolName), entry: Optional(codec::Symbol), of: Optional(codec::OfType) }
        regions { body: One }
    }
    .traits(&[
        OpTrait::Symbol,
        OpTrait::SymbolTable,
        OpTrait::IsolatedFromAbove,
        OpTrait::SingleBlock,
        OpTrait::NoTerminator,
    ])
    .assembly("$sym_name (`entry` $entry^)? (`of` $of^)? attr-dict-with-keyword $body")
}

declare_op! {
    /// Goes to a block.
    pub struct GotoOp = "tile.goto" {
        successors { target: One }
    }
    .traits(&[OpTrait::Terminator])
    .assembly("$target attr-dict")
}

/// How to round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Down,
    Up,
}

impl Enumeration for Mode {
    const CASES: &'static [(&'static str, u64)] = &[("down", 0), ("up", 5)];

    fn number(self) -> u64 {
        match self {
            Self::Down => 0,
            Self::Up => 5,
        }
    }

    fn from_number(number: u64) -> Option<Self> {
        [Self::Down, Self::Up].into_iter().find(|mode| mode.number() == number)
    }
}

pub static MODE: AttributeDeclaration = AttributeDeclaration::new("tile.mode", "A mode")
    .parameters(&[Parameter::new("value", ParameterKind::Case(Mode::CASES))])
    .assembly("$value");

/// The mode in an attribute of the dialect.
pub struct ModeAttribute;

impl Codec for ModeAttribute {
    type Read<'c> = Mode;
    type Write<'a, 'c: 'a> = Mode;

    fn read(attribute: Attribute<'_>) -> Option<Mode> {
        let number = MODE.parameter(attribute, "value")?.integer_value()?;
        Mode::from_number(number as u64)
    }

    fn write<'a, 'c: 'a>(context: &'c Context, value: Mode) -> Option<Attribute<'c>> {
        let number = integer_attribute(integer_type(context, 64), value.number() as i64);
        MODE.get(context, &[number]).ok()
    }
}

impl DeclaredCodec for ModeAttribute {
    const DESCRIPTION: &'static str = "#tile.mode";
    const SYNTAX: AttributeSyntax = AttributeSyntax::Parameters("tile.mode");
}

declare_op! {
    /// Rounds numbers of one type.
    pub struct RoundOp = "tile.round" {
        operands { lhs: One(Any), rhs: One(Any), width: One(Exactly("si8")) }
        results { rounded: One(Any) }
        attributes {
            mode: Required(codec::EnumInteger<Mode, 32>),
            otherwise: Default(ModeAttribute = Mode::Up),
            steps: Default(codec::Signless<64> = 1),
            axes: Default(codec::I64s = &[0, 1]),
        }
    }
    .traits(&[OpTrait::Pure])
    .all_types_match(&[&["lhs", "rhs", "rounded"]])
    .assembly(
        "$mode `(` $lhs `,` `` $rhs `)` `[` $width `]` (`steps` $steps^)? `or` $otherwise \
         (`axes` $axes^)? attr-dict `:` type($rhs)",
    )
}

declare_op! {
    /// Turns a number around.
    pub struct NegateOp = "tile.negate" {
        operands { input: One(Any) }
        results { output: One(Any) }
    }
    .traits(&[OpTrait::Pure, OpTrait::SameOperandsAndResultType, OpTrait::Involution])
    .assembly("$input attr-dict `:` type($input)")
}

declare_op! {
    /// Makes a number positive.
    pub struct AbsOp = "tile.abs" {
        operands { input: One(Any) }
        results { output: One(Any) }
    }
    .traits(&[OpTrait::NoMemoryEffect, OpTrait::SameOperandsAndResultType, OpTrait::Idempotent])
    .assembly("$input attr-dict `:` type($input)")
}

declare_op! {
    /// A part of a loop.
    pub struct StageOp = "tile.stage" {
        operands { inputs: Variadic(Any) }
        regions { body: One(Exactly(1)), others: Variadic(AtMost(1)) }
    }
    .traits(&[OpTrait::SingleBlock, OpTrait::NoTerminator, OpTrait::SameOperandsElementType])
    .parents(&["tile.loop", "tile.kernel"])
    .assembly("($inputs^ `:` type($inputs))? $body $others attr-dict")
}

declare_op! {
    /// Runs its body, which has an implicit terminator.
    pub struct PipelineOp = "tile.pipeline" {
        regions { body: One(Exactly(1)) }
    }
    .traits(&[OpTrait::SingleBlock, OpTrait::NoRegionArguments, OpTrait::RecursiveEffects])
    .implicit_terminator("tile.yield")
    .assembly("$body attr-dict")
}

declare_op! {
    /// Has unknown effects, no format, and two groups of results.
    pub struct OpaqueOp = "tile.opaque" {
        operands { inputs: Variadic(Any) }
        results { first: Optional(Index), rest: Variadic(Any) }
    }
}

declare_op! {
    /// Writes.
    pub struct StoreOp = "tile.store" {
        operands { value: One(Any), flags: One(Integer(8)) }
    }
    .traits(&[OpTrait::Writes])
    .assembly("operands attr-dict `:` type(operands)")
}

declare_op! {
    /// Its folder panics.
    pub struct FoldPanicsOp = "tile.fold_panics" { results { result: One(Index) } }
    .traits(&[OpTrait::Pure])
    .assembly("attr-dict")
    .fold(|_, _| panic!("no such luck"))
}

declare_op! {
    /// Its folder changes the op.
    pub struct FoldEditsOp = "tile.fold_edits" { results { result: One(Index) } }
    .assembly("attr-dict")
    .fold(|op, _| {
        op.remove_attribute("test");
        None
    })
}

declare_op! {
    /// Its verifier panics.
    pub struct VerifyPanicsOp = "tile.verify_panics" {}
    .assembly("attr-dict")
    .verify(|_| panic!("no such luck"))
}

fn no_number() -> i64 {
    panic!("no such luck")
}

declare_op! {
    /// The default of its attribute panics.
    pub struct DefaultPanicsOp = "tile.default_panics" {
        attributes { number: Default(codec::Index = no_number()) }
    }
    .assembly("attr-dict")
}

declare_op! {
    /// Its rewrite panics, or fails.
    pub struct RewritePanicsOp = "tile.rewrite_panics" { attributes { fails: Optional(codec::Unit) } }
    .assembly("(`fails` $fails^)? attr-dict")
    .canonicalize(|_, op| if op.cast::<RewritePanicsOp>().is_some_and(|op| op.fails() == Some(true)) {
Err(RewriteError::Invalid("cannot be rewritten".to_owned()))
} else {
panic!("no such luck")
})
}

declare_op! {
    /// Its rewrite does not terminate.
    pub struct EndlessOp = "tile.endless" {}
    .assembly("attr-dict")
    .canonicalize(|b, op| {
        EndlessOp::build(b).insert();
        b.erase(op);
Ok(())
    })
}

declare_op! {
    /// Its rewrite marks it, once.
    pub struct SettleOp = "tile.settle" { attributes { settled: Optional(codec::Unit) } }
    .assembly("(`settled` $settled^)? attr-dict")
    .canonicalize(|b, op| match op.cast::<SettleOp>().and_then(|op| op.settled()) {
        Some(_) => Err(RewriteError::NoMatch),
        None => {
            SettleOp::build(b, Some(true)).insert();
            b.erase(op);
Ok(())
        }
    })
}

declare_op! {
    /// Folds to a value of another type.
    pub struct MistypedOp = "tile.mistyped" {
        operands { input: One(Any) }
        results { result: One(Index) }
    }
    .assembly("$input attr-dict `:` type($input)")
    .fold(|op, _| Some(vec![FoldResult::Value(op.cast::<MistypedOp>()?.input())]))
}

pub static TILE: DialectDeclaration = DialectDeclaration::new("tile", "Tiles of matrices")
    .ops(&[
        LoadOp::DECLARATION,
        MatmulOp::DECLARATION,
        ConstantOp::DECLARATION,
        AddOp::DECLARATION,
        DoubleOp::DECLARATION,
        LoopOp::DECLARATION,
        YieldOp::DECLARATION,
        KernelOp::DECLARATION,
        GotoOp::DECLARATION,
        OpaqueOp::DECLARATION,
        StoreOp::DECLARATION,
        RoundOp::DECLARATION,
        PipelineOp::DECLARATION,
        NegateOp::DECLARATION,
        AbsOp::DECLARATION,
        StageOp::DECLARATION,
        FoldPanicsOp::DECLARATION,
        FoldEditsOp::DECLARATION,
        VerifyPanicsOp::DECLARATION,
        DefaultPanicsOp::DECLARATION,
        RewritePanicsOp::DECLARATION,
        EndlessOp::DECLARATION,
        SettleOp::DECLARATION,
        MistypedOp::DECLARATION,
    ])
    .types(&[&TILE_TYPE, &TOKEN])
    .attributes(&[&LAYOUT, &MODE])
    .constant(ConstantOp::DECLARATION)
    .dependent_dialects(&["arith"]);
