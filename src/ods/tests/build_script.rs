//! Dialects of ODS files, through TableGen.

use halo_ods::build_script::Dialect;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

/// The beginning of each file, and the number of its lines.
const BASE: &str = r#"include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/Properties.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
def Toy_Dialect : Dialect { let name = "toy"; let cppNamespace = "::toy"; }
class Toy_Op<string name, list<Trait> traits = []> : Op<Toy_Dialect, name, traits>;
"#;
const LINES: usize = 8;

/// A folder for one test.
fn folder() -> PathBuf {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ods-{number}"));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The module of a dialect, with white space normalized to single spaces, or the error message.
fn generated(definitions: &str) -> Result<String, String> {
    let folder = folder();
    let source = folder.join("toy.td");
    fs::write(&source, format!("{BASE}{definitions}")).unwrap();
    let result = Dialect::new(&source).generate(&folder);
    let files = result.map_err(|error| {
        let place = format!("{}/", folder.display());
        error.to_string().replace(&place, "")
    })?;
    assert!(files.contains(&source), "{files:?}");
    let text = fs::read_to_string(folder.join("toy.rs")).unwrap();
    Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[track_caller]
fn assert_contains(text: &str, part: &str) {
    assert!(text.contains(part), "no `{part}` in\n{text}");
}

#[test]
fn an_op_has_its_declaration_and_its_face() {
    let text = generated(
        r#"
def Toy_Small : Type<CPred<"isSmall($_self)">, "small type">;
def Toy_MixOp : Toy_Op<"mix", [NoMemoryEffect, AttrSizedOperandSegments,
    SameOperandsElementType, DeclareOpInterfaceMethods<InferTypeOpInterface>,
    HasParent<"BoxOp">]> {
  let summary = "Mixes";
  let description = [{
    Some text:
    ```
    %0 = toy.mix
    ```
  }];
  let arguments = (ins Variadic<F32>:$in, Optional<SI8>:$addedBias, Toy_Small:$small,
    RankedTensorOf<[F32, I64]>:$table, OptionalAttr<StrAttr>:$label, UnitAttr:$fast,
    DefaultValuedAttr<DenseI64ArrayAttr, "{1, 2}">:$steps, I64Prop:$count,
    DefaultValuedProp<BoolProp, "true">:$exact, UI32Attr:$width, SymbolNameAttr:$sym_name);
  let results = (outs Index:$out);
  let assemblyFormat = "$small `,` $table attr-dict `:` type($table)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}
def Toy_EndOp : Toy_Op<"end", [Terminator]>;
def Toy_JumpOp : Toy_Op<"jump", [Terminator]> {
  let successors = (successor AnySuccessor:$next, VariadicSuccessor<AnySuccessor>:$others);
}
def Toy_BoxOp : Toy_Op<"box", [SingleBlockImplicitTerminator<"EndOp">, NoRegionArguments]> {
  let regions = (region SizedRegion<1>:$body, VariadicRegion<MinSizedRegion<2>>:$more);
  let results = (outs F8E5M2:$narrow);
  let arguments = (ins Arg<AnyMemRef, "read", [MemRead]>:$from);
}
"#,
    )
    .unwrap();
    for part in [
        "mod ods { use halo::ir::dialect::generated::*;",
        r#"pub static TOY: DialectDeclaration = DialectDeclaration::new("toy", "") .ops(&[BoxOp::DECLARATION, EndOp::DECLARATION, JumpOp::DECLARATION, MixOp::DECLARATION])"#,
        r#"#[doc = "`toy.mix`: Mixes"] #[doc = ""] #[doc = "Some text:"] #[doc = "```text"]"#,
        r#"Group { name: "addedBias", arity: Arity::Optional }"#,
        "pub fn added_bias(self) -> Option<Value<'c>>",
        "const OPERANDS: &[TypeConstraint] = &[TypeConstraint::F32, TypeConstraint::Exactly(\"si8\"), ",
        r#"TypeConstraint::Where("small type", |r#type| super::is_small(r#type)), "#,
        "(is_ranked_tensor(r#type) && element_holds(r#type, |element| (is(element, \"f32\") || (is_signless_integer(element) && has_width(element, 64)))))",
        r#"OpAttribute::optional("label", <codec::Text as DeclaredCodec>::CONSTRAINT)"#,
        r#"OpAttribute::optional("fast", <codec::Unit as DeclaredCodec>::CONSTRAINT)"#,
        "<codec::I64s as Codec>::write(context, &[1, 2])",
        "pub fn steps(self) -> Vec<i64> { access::optional_attribute::<codec::I64s>(self.0, \"steps\").unwrap_or(Vec::from([1, 2])) }",
        r#"OpAttribute::required("count", <codec::Signless<64> as DeclaredCodec>::CONSTRAINT)"#,
        "<codec::Bool as Codec>::write(context, true)",
        r#"OpAttribute::required("width", <codec::Unsigned<32> as DeclaredCodec>::CONSTRAINT)"#,
        r#"OpAttribute::required("sym_name", <SymbolName as DeclaredCodec>::CONSTRAINT)"#,
        "const TRAITS: &[OpTrait] = &[OpTrait::NoMemoryEffect, OpTrait::SameOperandsElementType]",
        r#"const PARENTS: &[&str] = &["toy.box"]"#,
        ".verify(|op| Verifier::verify(MixOp::from_unchecked(op)))",
        ".canonicalize(|b, op| Canonicalizer::canonicalize(MixOp::from_unchecked(op), b))",
        ".infer(|parts| <MixOp as InferTypeOpInterface>::infer_return_types(parts))",
        r#"OpRegion { name: "body", arity: Arity::One, blocks: BlockCount::Exactly(1) }, OpRegion { name: "more", arity: Arity::Variadic, blocks: BlockCount::AtLeast(2) }"#,
        "&[OpTrait::SingleBlock, OpTrait::NoRegionArguments, OpTrait::Reads]",
        r#".implicit_terminator("toy.end")"#,
        r#"const RESULTS: &[TypeConstraint] = &[TypeConstraint::Exactly("f8E5M2")]"#,
        r#"&[Part { name: "next", arity: Arity::One }, Part { name: "others", arity: Arity::Variadic }]"#,
    ] {
        assert_contains(&text, part);
    }
}

#[test]
fn types_attributes_and_enums_have_rust_types() {
    let text = generated(
        r#"
def Toy_Order : I32Enum<"Order", "an order", [I32EnumCase<"Row", 0, "row">,
    I32EnumCase<"Column", 4, "column">]> { let cppNamespace = "::toy"; }
def Toy_OrderAttr : EnumAttr<Toy_Dialect, Toy_Order, "order">;
def Toy_Side : I32EnumAttr<"Side", "a side", [I32EnumAttrCase<"Left", 0, "left">]> {
  let cppNamespace = "::toy";
}
def Toy_Tile : TypeDef<Toy_Dialect, "Tile"> {
  let mnemonic = "tile";
  let parameters = (ins "int64_t":$rows, "::mlir::Type":$element, StringRefParameter<"n">:$name,
    EnumParameter<Toy_Order>:$order);
  let assemblyFormat = "`<` params `>`";
  let genVerifyDecl = 1;
}
def Toy_LayoutAttr : AttrDef<Toy_Dialect, "Layout"> {
  let mnemonic = "layout";
  let parameters = (ins "::mlir::Attribute":$map);
}
def Toy_LoadOp : Toy_Op<"load", [Pure, AllTypesMatch<["from", "tile"]>]> {
  let arguments = (ins Toy_Tile:$from, Toy_LayoutAttr:$layout, Toy_OrderAttr:$order,
    DefaultValuedAttr<Toy_Side, "::toy::Side::Left">:$side,
    ConfinedAttr<I64ArrayAttr, [ArrayMinCount<2>]>:$sizes);
  let results = (outs Toy_Tile:$tile);
}
"#,
    )
    .unwrap();
    for part in [
        ".types(&[TileType::DECLARATION]) .attributes(&[LayoutAttr::DECLARATION, OrderAttr::DECLARATION])",
        "pub fn get(context: &'c Context, rows: i64, element: Type<'c>, name: &str, order: Order) -> Result<Self, BuildError>",
        "pub fn element(self) -> Type<'c> { parameters::at(Self::DECLARATION.parameters_of(self.0), 1, parameters::ty) }",
        r#"Parameter::new("order", ParameterKind::Case(<Order as Enumeration>::CASES))"#,
        r#".assembly("`<` $rows `,` $element `,` $name `,` $order `>`")"#,
        "pub trait TileTypeVerifier {",
        "fn verify(rows: i64, element: Type<'_>, name: &'_ str, order: Order) -> Result<(), VerifyError>;",
        "pub fn layout(self) -> LayoutAttr<'c> { access::attribute::<LayoutAttr<'static>>(self.0, \"layout\") }",
        "pub fn order(self) -> Order { access::attribute::<OrderAttr>(self.0, \"order\") }",
        r#"const SYNTAX: AttributeSyntax = AttributeSyntax::Parameters("toy.order");"#,
        "|context| <codec::EnumInteger<Side, 32> as Codec>::write(context, Side::Left)",
        r#"const CASES: &'static [(&'static str, u64)] = &[("row", 0), ("column", 4), ]"#,
        "is_met_by(attribute) && length_holds(attribute, |it| it >= 2)",
        "TypeConstraint::Of(TileType::DECLARATION)",
        r#"const ALL_TYPES_MATCH: &[&[&str]] = &[&["from", "tile"]]"#,
    ] {
        assert_contains(&text, part);
    }
}

/// A feature that declared dialects do not support is an error at the line of the record.
#[test]
fn what_cannot_be_declared_is_refused_with_its_place() {
    for (definition, message) in [
        (
            r#"def Toy_AOp : Toy_Op<"a"> { let hasCustomAssemblyFormat = 1; }"#,
            "op 'toy.a' has an assembly format in C++, which a declared op cannot have",
        ),
        (
            r#"def Toy_AOp : Toy_Op<"a"> { let assemblyFormat = "custom<X>(attr-dict)"; }"#,
            "op 'toy.a' has 'custom' in its assembly format, which a declared op cannot have",
        ),
        (
            r#"def Toy_AOp : Toy_Op<"a"> { let hasRegionVerifier = 1; }"#,
            "op 'toy.a' has a verifier of its regions, which a declared op does not have",
        ),
        (
            r#"def Toy_AOp : Toy_Op<"a", [SingleBlockImplicitTerminator<"YieldOp">]>;"#,
            "op 'toy.a' has the terminator 'YieldOp', which is not an op of the included files",
        ),
        (
            r#"def Toy_AOp : Toy_Op<"a", [SameVariadicOperandSize]>;"#,
            "op 'toy.a' has the trait 'SameVariadicOperandSize', which a declared op does not have",
        ),
        (
            r#"def Toy_AOp : Toy_Op<"a", [TypesMatchWith<"x", "a", "b", "$_self">]>;"#,
            "op 'toy.a' has the trait 'TypesMatchWith', which a declared op does not have",
        ),
        (
            r#"def Toy_AOp : Toy_Op<"a", [HasParent<"BOp">]>;"#,
            "op 'toy.a' has the parent 'BOp', which is not an op of the included files",
        ),
        (
            r#"def Toy_AOp : Toy_Op<"a"> { let arguments = (ins Variadic<I1>:$a, Variadic<I1>:$b); }"#,
            "op 'toy.a' must have an attribute of the sizes of its groups of operands exactly if \
             more than one has any number of values",
        ),
        (
            r#"def Toy_AOp : Toy_Op<"a"> { let arguments = (ins Type<CPred<"f($_self)">, "odd">:$x); }"#,
            "op 'toy.a' has operand 'x' with the constraint 'odd' in C++, which has no name by \
             which a function of Rust could say it",
        ),
        (
            r#"def Toy_AOp : Toy_Op<"a"> { let arguments = (ins DefaultValuedAttr<I64Attr, "f()">:$x); }"#,
            "op 'toy.a' has attribute 'x' with the default `f()`, which is C++ and not a literal",
        ),
        (
            r#"def Toy_AOp : Toy_Op<"a"> { let arguments = (ins ArrayProp<I64Prop>:$x); }"#,
            "op 'toy.a' has attribute 'x' of a kind of property that has no Rust type",
        ),
        (
            r#"def Toy_T : TypeDef<Toy_Dialect, "T"> { let mnemonic = "t"; let parameters = (ins ArrayRefParameter<"int64_t">:$x); }"#,
            "type 'Toy_T' has a parameter 'x' of a kind that a declared dialect does not have",
        ),
        (
            r#"def Toy_T : TypeDef<Toy_Dialect, "T"> { let mnemonic = "t"; let hasCustomAssemblyFormat = 1; }"#,
            "type 'Toy_T' has an assembly format in C++, which a declared dialect cannot have",
        ),
    ] {
        // One line before, so that the number differs from the first line's.
        let error = generated(&format!("\n{definition}\n")).unwrap_err();
        assert_eq!(error, format!("toy.td:{}: error: {message}", LINES + 2));
    }
}

#[test]
fn wrong_files_are_errors() {
    let error = generated("def Toy_AOp : Nothing;").unwrap_err();
    assert!(error.starts_with("toy.td:9:"), "{error}");
    assert_contains(&error, "error: Couldn't find class 'Nothing'");

    let second = r#"def Other_Dialect : Dialect { let name = "other"; }"#;
    let error = generated(second).unwrap_err();
    let expected =
        "toy.td: error: the file has the dialects other, toy: choose one by `.name(...)`";
    assert_eq!(error, expected);

    let missing = Dialect::new("nothing.td").generate(&folder()).unwrap_err();
    assert_contains(&missing.to_string(), "nothing.td");
}

#[test]
fn included_files_are_found_and_told() {
    let folder = folder();
    let includes = folder.join("files to include");
    fs::create_dir_all(&includes).unwrap();
    fs::write(includes.join("Base.td"), BASE).unwrap();
    let source = folder.join("ops.td");
    fs::write(
        &source,
        "include \"Base.td\"\ndef Toy_AOp : Toy_Op<\"a\">;\n",
    )
    .unwrap();
    let dialect = Dialect::new(&source).include(&includes).name("toy");
    let files = dialect.ir_path("halo_ir").generate(&folder).unwrap();
    assert!(files.contains(&includes.join("Base.td")), "{files:?}");
    let text = fs::read_to_string(folder.join("toy.rs")).unwrap();
    assert_contains(&text, "use halo_ir::dialect::generated::*;");
}
