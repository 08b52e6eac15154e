//! Small records, in TableGen's output format.

use crate::{
    Error, Output, Source, generate,
    model::AttributeValue,
    names::{camel, class, snake},
    records::Records,
};

/// The records of a dialect `toy` with one op, whose fields are given.
fn toy(op: &str, others: &str) -> Records {
    let text = format!(
        r#"{{
        "!instanceof": {{ "Op": ["Toy_TestOp"] }},
        "InferTypeOpInterface": {{ "!superclasses": ["Trait"] }},
        "SameOperandsAndResultType": {{ "!superclasses": ["Trait"] }},
        "AttrSizedOperandSegments": {{ "!superclasses": ["Trait"] }},
        "Toy": {{ "!superclasses": ["Dialect"], "name": "toy" }},
        "Any": {{ "!superclasses": ["TypeConstraint"] }},
        "Many": {{ "!superclasses": ["TypeConstraint", "Variadic"] }},
        "Perhaps": {{ "!superclasses": ["TypeConstraint", "Optional"] }},
        "Bit": {{ "!superclasses": ["TypeConstraint"], "builderCall": "$_builder.getI1Type()" }},
        "I64": {{ "!superclasses": ["TypeConstraint", "I"], "bitwidth": 64 }},
        "I64Attr": {{ "!superclasses": ["Attr"], "storageType": "::mlir::IntegerAttr",
                      "valueType": {{ "def": "I64" }} }},
        "PerhapsI64": {{ "!superclasses": ["Attr"], "isOptional": 1,
                         "baseAttr": {{ "def": "I64Attr" }} }},
        "SevenAttr": {{ "!superclasses": ["Attr"], "defaultValue": "7",
                        "baseAttr": {{ "def": "I64Attr" }} }},
        "UnitAttr": {{ "!superclasses": ["Attr"], "storageType": "::mlir::UnitAttr",
                       "isOptional": 1 }},
        "Body": {{ "!superclasses": ["RegionConstraint"] }},
        {others}
        "Toy_TestOp": {{ "!superclasses": ["Op"], "opName": "test.one", "summary": "a \"test\"",
            "opDialect": {{ "def": "Toy" }}, {op} }}
        }}"#
    );
    Records::parse(text.as_bytes()).unwrap()
}

/// The fields of an op: arguments, results, regions and traits.
fn fields(
    arguments: &[(&str, &str)],
    results: &[(&str, &str)],
    regions: &[&str],
    traits: &[&str],
) -> String {
    let dag = |parts: &[(&str, &str)]| {
        let parts: Vec<_> = parts
            .iter()
            .map(|(record, name)| format!(r#"[{{ "def": "{record}" }}, "{name}"]"#))
            .collect();
        format!(r#"{{ "args": [{}] }}"#, parts.join(", "))
    };
    let regions: Vec<_> = regions.iter().map(|name| ("Body", *name)).collect();
    let traits: Vec<_> = traits.iter().map(|name| format!(r#"{{ "def": "{name}" }}"#)).collect();
    format!(
        r#""arguments": {}, "results": {}, "regions": {}, "successors": {{ "args": [] }},
           "traits": [{}]"#,
        dag(arguments),
        dag(results),
        dag(&regions),
        traits.join(", ")
    )
}

fn output(records: &Records) -> Result<Output, Error> {
    let source = Source {
        module: "toy",
        records,
        ops: None,
        enum_attributes: false,
    };
    generate(&[source], &[])
}

/// The module of an op, with white space normalized to single spaces.
fn module(op: &str, others: &str) -> String {
    let output = output(&toy(op, others)).unwrap();
    let words: Vec<_> = output.modules["toy"].split_whitespace().collect();
    words.join(" ")
}

#[track_caller]
fn assert_contains(text: &str, part: &str) {
    assert!(text.contains(part), "no `{part}` in\n{text}");
}

#[test]
fn names_are_rust() {
    for (ods, rust) in [
        ("lowerBound", "lower_bound"),
        ("mma.sync", "mma_sync"),
        ("yield", "yield_"),
        ("layoutA", "layout_a"),
        ("b1Op", "b1_op"),
        ("CConv", "c_conv"),
        ("static_offsets", "static_offsets"),
    ] {
        assert_eq!(snake(ods), rust);
    }
    for (ods, rust) in [
        ("slt", "Slt"),
        ("NON_TRANSPOSE", "NonTranspose"),
        ("AlwaysFalse", "AlwaysFalse"),
        ("16x128b", "_16x128b"),
        ("self", "Self_"),
    ] {
        assert_eq!(camel(ods), rust);
    }
    assert_eq!(class("Arith_AddFOp"), "AddFOp");
    assert_eq!(class("LoadOp"), "LoadOp");
}

#[test]
fn an_op_of_one_type_takes_none() {
    let op = fields(
        &[("Any", "lhs"), ("Any", "rhs")],
        &[("Any", "result")],
        &[],
        &["SameOperandsAndResultType"],
    );
    let text = module(&op, "");
    assert_contains(&text, r#"name: "toy.test.one","#);
    assert_contains(&text, "pub struct TestOp<'c>(Operation<'c>);");
    assert_contains(
        &text,
        "pub fn test_one<'c>(builder: &Builder<'c>, lhs: Value<'c>, rhs: Value<'c>) \
         -> Value<'c>",
    );
    assert_contains(&text, ".types(&[&[lhs.ty()], ])");
    assert_contains(
        &text,
        r#"pub fn rhs(self) -> Value<'c> { access::operand_at(self.0, 1, "rhs") }"#,
    );
}

#[test]
fn a_type_that_nothing_tells_is_given() {
    let op = fields(&[("Any", "in")], &[("Any", "out")], &[], &[]);
    let text = module(&op, "");
    assert_contains(&text, "in_: Value<'c>, out_type: Type<'c>) -> Value<'c>");
    assert_contains(&text, ".types(&[&[out_type], ])");
}

#[test]
fn types_follow_by_constraints_and_matches() {
    // A type that is always the same.
    let op = fields(&[("Many", "parts")], &[("Bit", "result")], &[], &[]);
    assert_contains(&module(&op, ""), ".infer()");
    // The type of an operand with the same type.
    let matches = r#""Match": { "!superclasses": ["AllTypesMatch"], "values": ["b", "result"] },"#;
    let arguments = [("Any", "a"), ("Any", "b")];
    let op = fields(&arguments, &[("Any", "result")], &[], &["Match"]);
    assert_contains(&module(&op, matches), ".types(&[&[b.ty()], ])");
    // A type that C++ code derives from the type of an operand.
    let matches =
        r#""Match": { "!superclasses": ["TypesMatchWith"], "lhs": "a", "rhs": "result" },"#;
    assert_contains(&module(&op, matches), ".infer()");
    // Two results, one with a known type.
    let op = fields(&[("Any", "a")], &[("Bit", "x"), ("Any", "y")], &[], &[]);
    assert_contains(&module(&op, ""), "x_type: Type<'c>, y_type: Type<'c>");
    // In a file without the interface, no op has it.
    let records = toy(&op, "");
    assert!(records.get("InferTypeOpInterface").is_some());
}

#[test]
fn groups_and_what_may_lack_are_told_apart() {
    let op = fields(
        &[
            ("Any", "base"),
            ("Perhaps", "mask"),
            ("Many", "indices"),
            ("I64Attr", "axis"),
        ],
        &[],
        &["body"],
        &["AttrSizedOperandSegments"],
    );
    let text = module(&op, "");
    assert_contains(&text, "sizing: Sizing::Segments");
    assert_contains(&text, "required: &[\"axis\", ]");
    assert_contains(
        &text,
        "pub fn build(builder: &Builder<'c>, base: Value<'c>, indices: &[Value<'c>], axis: i64, \
         body: Region<'c>)",
    );
    assert_contains(&text, ".operands(&[&[base], &[], indices, ])");
    assert_contains(
        &text,
        "pub fn mask(self) -> Option<Value<'c>> { access::optional_operand(self.0, Self::INFO, 1) }",
    );
    assert_contains(
        &text,
        "pub fn mask(self, mask: Value<'c>) -> Self { self.operand(1, mask) }",
    );
    assert_contains(&text, r#".coded::<codec::Signless<64>>("axis", axis)"#);
    assert_contains(&text, ".regions([body])");
    // An op with a region returns itself, not a value.
    assert_contains(&text, "-> TestOp<'c>");
}

#[test]
fn attributes_have_defaults() {
    let op = fields(
        &[
            ("PerhapsI64", "alignment"),
            ("SevenAttr", "value"),
            ("UnitAttr", "fast"),
        ],
        &[],
        &[],
        &[],
    );
    let text = module(&op, "");
    assert_contains(&text, "pub fn alignment(self) -> Option<i64>");
    assert_contains(&text, "pub fn remove_alignment(self)");
    assert_contains(
        &text,
        r#"pub fn value(self) -> i64 { access::optional_attribute::<codec::Signless<64>>(self.0, "value").unwrap_or(7) }"#,
    );
    assert_contains(&text, "pub fn fast(self) -> bool");
    assert_contains(&text, "pub fn remove_fast(self)");
    // C++ code assumes that it is always present.
    assert!(!text.contains("remove_value"));
    // `value` ends every builder.
    assert_contains(&text, "pub fn value_(self, value: i64) -> Self");
}

const ENUM: &str = r#"
    "Less": { "!superclasses": ["EnumCase"], "symbol": "LT", "str": "lt", "value": 2 },
    "More": { "!superclasses": ["EnumCase"], "symbol": "GT", "str": "gt", "value": 4 },
    "Order": { "!superclasses": ["EnumInfo", "Attr"], "className": "Order", "cppNamespace": "::toy",
               "cppType": "::toy::Order", "bitwidth": 64, "summary": "",
               "enumerants": [{ "def": "Less" }, { "def": "More" }] },
    "OrderAttr": { "!superclasses": ["Attr", "EnumAttr"], "enum": { "def": "Order" },
                   "cppType": "::toy::OrderAttr", "dialect": { "def": "Toy" } },
    "OrderOrMore": { "!superclasses": ["Attr"], "baseAttr": { "def": "OrderAttr" },
                     "defaultValue": "::toy::Order::GT" },
    "Orders": { "!superclasses": ["Attr", "TypedArrayAttrBase"], "elementAttr": { "def": "OrderAttr" } },
"#;

#[test]
fn enums_are_rust_enums() {
    let op = fields(
        &[
            ("Order", "number"),
            ("OrderAttr", "order"),
            ("OrderOrMore", "other"),
            ("Orders", "all"),
        ],
        &[],
        &[],
        &[],
    );
    let text = module(&op, ENUM);
    let path = "crate::ops::toy::Order";
    assert_contains(&text, "pub enum Order {");
    assert_contains(&text, "Lt = 2,");
    assert_contains(&text, r#"Self::Gt => "gt","#);
    assert_contains(&text, &format!("codec::EnumInteger<{path}, 64>"));
    assert_contains(&text, &format!("codec::EnumAttribute<{path}, 0>"));
    assert_contains(&text, &format!(".unwrap_or({path}::Gt)"));
    assert_contains(&text, &format!("pub fn all(self) -> Vec<{path}>"));
    let output = output(&toy(&op, ENUM)).unwrap();
    assert_eq!(
        output.enum_attributes,
        "HALO_ENUM_ATTRIBUTE(toy, ::toy::OrderAttr, ::toy::Order)\n"
    );
}

#[test]
fn attributes_that_rust_has_are_taken() {
    let records = toy(&fields(&[("OrderAttr", "order")], &[], &[], &[]), ENUM);
    let known = AttributeValue {
        class: "::toy::OrderAttr".to_owned(),
        codec: "crate::Order".to_owned(),
        read: "crate::Order".to_owned(),
        write: "&crate::Order".to_owned(),
    };
    let source = Source {
        module: "toy",
        records: &records,
        ops: None,
        enum_attributes: false,
    };
    let output = generate(&[source], &[known]).unwrap();
    assert_contains(&output.modules["toy"], "pub fn order(self) -> crate::Order");
    assert_contains(&output.modules["toy"], "order: &crate::Order");
    assert!(!output.modules["toy"].contains("pub enum"));
}

#[test]
fn enum_attributes_that_no_op_has_get_a_codec() {
    let instances = r#""!instanceof": { "EnumAttr": ["OrderAttr"] }, "!unused": {"#;
    let text = ENUM.replace(
        r#""dialect": { "def": "Toy" }"#,
        r#""cppClassName": "OrderAttr", "dialect": { "def": "Toy" }"#,
    );
    let text = format!(
        r#"{{ {instances} }}, "Toy": {{ "!superclasses": ["Dialect"], "name": "toy" }}, {} }}"#,
        text.trim_end().trim_end_matches(',')
    );
    let records = Records::parse(text.as_bytes()).unwrap();
    let of = |enum_attributes| {
        let source = Source {
            module: "toy",
            records: &records,
            ops: None,
            enum_attributes,
        };
        generate(&[source], &[]).unwrap()
    };
    let path = "crate::ops::toy::Order";
    let alias = format!("pub type OrderAttr = codec::EnumAttribute<{path}, 0>;");
    assert_contains(&of(true).modules["toy"], &alias);
    assert!(of(false).enum_attributes.is_empty());
}

#[test]
fn records_of_another_form_are_errors() {
    for text in ["", "[]", "{", "\"op\""] {
        assert!(Records::parse(text.as_bytes()).is_err());
    }
    let records = toy(r#""arguments": null"#, "");
    let error = output(&records).unwrap_err();
    assert_eq!(error.0, "record 'Toy_TestOp' lacks 'arguments'");
    let records = toy(&fields(&[], &[], &[], &[]), "");
    let source = Source {
        module: "toy",
        records: &records,
        ops: Some(&["test.one", "test.two"]),
        enum_attributes: false,
    };
    let error = generate(&[source], &[]).err().unwrap();
    assert_eq!(error.0, "dialect 'toy' has no op 'test.two'");
}
