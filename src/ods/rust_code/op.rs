//! The Rust code of an op: its type, accessors, builder and function.

use super::{documentation, push};
use crate::model::{Argument, Arity, Attribute, Group, Op, Presence, ResultTypes, Sizing};

/// The crate of the generated code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// The name of `Build`.
    Ir,
    /// Another, which adds methods to `Build` by a trait.
    Other,
}

/// Appends an op.
pub fn write(text: &mut String, op: &Op, home: Home) {
    type_and_info(text, op);
    push(text, format_args!("impl<'c> {}<'c> {{\n", op.class));
    operand_accessors(text, op);
    result_accessors(text, op);
    for (index, group) in op.regions.iter().enumerate() {
        let (kind, call) = match group.arity {
            Arity::Variadic => ("Vec<RegionRef<'c, 'c>>", "regions"),
            Arity::One | Arity::Optional => ("RegionRef<'c, 'c>", "region"),
        };
        method(text, &group.name, "self", kind, |text| {
            push(
                text,
                format_args!("access::{call}(self.0, {index}, {:?})", group.name),
            );
        });
    }
    for (index, group) in op.successors.iter().enumerate() {
        let (kind, call) = match group.arity {
            Arity::Variadic => ("Vec<Block<'c>>", "successors"),
            Arity::One | Arity::Optional => ("Block<'c>", "successor"),
        };
        method(text, &group.name, "self", kind, |text| {
            push(
                text,
                format_args!("access::{call}(self.0, {index}, {:?})", group.name),
            );
        });
    }
    for attribute in &op.attributes {
        attribute_accessors(text, attribute);
    }
    builder(text, op);
    text.push_str("}\n");
    optional_parts(text, op, home);
    function(text, op);
}

fn type_and_info(text: &mut String, op: &Op) {
    let Op { class, name, .. } = op;
    let summary = format!("`{name}`: {}", op.summary);
    text.push('\n');
    documentation(text, &summary, &op.description);
    push(
        text,
        format_args!(
            "#[derive(Clone, Copy, Debug, PartialEq, Eq)]\n\
             pub struct {class}<'c>(Operation<'c>);\n\
             impl {class}<'_> {{\n    \
             const INFO: &'static OpInfo = &OpInfo {{\n        \
             name: {name:?},\n"
        ),
    );
    let groups = |text: &mut String, field: &str, groups: &[Group], sizing: Sizing| {
        push(text, format_args!("        {field}: Groups {{ groups: &["));
        for group in groups {
            push(
                text,
                format_args!(
                    "Group {{ name: {:?}, arity: Arity::{:?} }}, ",
                    group.ods, group.arity
                ),
            );
        }
        push(text, format_args!("], sizing: Sizing::{sizing:?} }},\n"));
    };
    groups(text, "operands", &op.operands, op.operand_sizing);
    groups(text, "results", &op.results, op.result_sizing);
    text.push_str("        required: &[");
    for attribute in &op.attributes {
        if attribute.presence == Presence::Required {
            push(text, format_args!("{:?}, ", attribute.ods));
        }
    }
    text.push_str("],\n");
    push(
        text,
        format_args!(
            "    }};\n}}\n\
             impl<'c> Op<'c> for {class}<'c> {{\n    \
             const INFO: &'static OpInfo = Self::INFO;\n    \
             type At<'a> = {class}<'a>;\n    \
             #[inline]\n    \
             fn from_unchecked(operation: Operation<'c>) -> Self {{ Self(operation) }}\n    \
             #[inline]\n    \
             fn operation(self) -> Operation<'c> {{ self.0 }}\n}}\n\n\
             impl<'c> std::ops::Deref for {class}<'c> {{\n    \
             type Target = Operation<'c>;\n    \
             fn deref(&self) -> &Operation<'c> {{ &self.0 }}\n}}\n"
        ),
    );
}

fn method(
    text: &mut String,
    name: &str,
    parameters: &str,
    result: &str,
    body: impl FnOnce(&mut String),
) {
    push(
        text,
        format_args!("    #[inline]\n    pub fn {name}({parameters}) -> {result} {{ "),
    );
    body(text);
    text.push_str(" }\n");
}

fn operand_accessors(text: &mut String, op: &Op) {
    let fixed = op.operands.iter().all(|group| group.arity == Arity::One);
    for (index, group) in op.operands.iter().enumerate() {
        let (kind, call) = of_arity(group.arity, "operand");
        method(text, &group.name, "self", kind, |text| {
            if fixed {
                push(
                    text,
                    format_args!("access::operand_at(self.0, {index}, {:?})", group.name),
                )
            } else {
                push(
                    text,
                    format_args!("access::{call}(self.0, Self::INFO, {index})"),
                )
            }
        });
    }
}

fn result_accessors(text: &mut String, op: &Op) {
    let fixed = op.results.iter().all(|group| group.arity == Arity::One);
    for (index, group) in op.results.iter().enumerate() {
        let (kind, call) = of_arity(group.arity, "result");
        method(text, &group.name, "self", kind, |text| {
            if fixed {
                push(
                    text,
                    format_args!("access::result_at(self.0, {index}, {:?})", group.name),
                )
            } else {
                push(
                    text,
                    format_args!("access::{call}(self.0, Self::INFO, {index})"),
                )
            }
        });
    }
}

/// The type of an accessor, and the function that it calls.
fn of_arity(arity: Arity, part: &str) -> (&'static str, String) {
    match arity {
        Arity::One => ("Value<'c>", part.to_owned()),
        Arity::Optional => ("Option<Value<'c>>", format!("optional_{part}")),
        Arity::Variadic => ("Vec<Value<'c>>", format!("{part}s")),
    }
}

fn attribute_accessors(text: &mut String, attribute: &Attribute) {
    let Attribute {
        ods, name, value, ..
    } = attribute;
    let (codec, read, write) = (&value.codec, &value.read, &value.write);
    match &attribute.presence {
        Presence::Required => method(text, name, "self", read, |text| {
            push(
                text,
                format_args!("access::attribute::<{codec}>(self.0, {ods:?})"),
            );
        }),
        Presence::Optional => method(text, name, "self", &format!("Option<{read}>"), |text| {
            push(
                text,
                format_args!("access::optional_attribute::<{codec}>(self.0, {ods:?})"),
            );
        }),
        Presence::Default(default) => method(text, name, "self", read, |text| {
            push(
                text,
                format_args!(
                    "access::optional_attribute::<{codec}>(self.0, {ods:?}).unwrap_or({default})"
                ),
            );
        }),
    }
    let plain = name.trim_end_matches('_');
    push(
        text,
        format_args!(
            "    #[inline]\n    pub fn set_{plain}(self, {name}: {write}) {{ \
             access::set_attribute::<{codec}>(self.0, {ods:?}, {name}); }}\n"
        ),
    );
    if attribute.is_removable {
        push(
            text,
            format_args!(
                "    #[inline]\n    pub fn remove_{plain}(self) {{ \
                 OperationExt::remove_attribute(self.0, {ods:?}); }}\n"
            ),
        );
    }
}

/// A parameter of the builder of an op.
struct Parameter {
    name: String,
    kind: String,
}

/// The required arguments of an op's builder, in the order of ODS: operands and attributes, result
/// types, successors, regions.
fn parameters(op: &Op) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    let mut add = |name: &str, kind: &str| {
        parameters.push(Parameter {
            name: name.to_owned(),
            kind: kind.to_owned(),
        });
    };
    for argument in &op.arguments {
        match *argument {
            Argument::Operand(index) => {
                let group = &op.operands[index];
                match group.arity {
                    Arity::One => add(&group.name, "Value<'c>"),
                    Arity::Variadic => add(&group.name, "&[Value<'c>]"),
                    Arity::Optional => {}
                }
            }
            Argument::Attribute(index) => {
                let attribute = &op.attributes[index];
                if attribute.presence == Presence::Required {
                    add(&attribute.name, &attribute.value.write);
                }
            }
        }
    }
    if op.result_types == ResultTypes::Given {
        for group in &op.results {
            match group.arity {
                Arity::One => add(&type_name(group), "Type<'c>"),
                Arity::Variadic => add(&type_name(group), "&[Type<'c>]"),
                Arity::Optional => {}
            }
        }
    }
    for group in &op.successors {
        match group.arity {
            Arity::Variadic => add(&group.name, "&[Block<'c>]"),
            Arity::One | Arity::Optional => add(&group.name, "Block<'c>"),
        }
    }
    for group in &op.regions {
        match group.arity {
            Arity::Variadic => add(&group.name, "Vec<Region<'c>>"),
            Arity::One | Arity::Optional => add(&group.name, "Region<'c>"),
        }
    }
    parameters
}

/// The name of the parameter for the type of a result.
fn type_name(group: &Group) -> String {
    let name = group.name.trim_end_matches('_');
    match group.arity {
        Arity::Variadic => format!("{name}_types"),
        Arity::One | Arity::Optional => format!("{name}_type"),
    }
}

fn builder(text: &mut String, op: &Op) {
    text.push_str(
        "    /// Starts the op; see the documentation of `ops`.\n    \
         #[inline]\n    pub fn build(builder: &Builder<'c>",
    );
    for Parameter { name, kind } in parameters(op) {
        push(text, format_args!(", {name}: {kind}"));
    }
    text.push_str(") -> Build<'c, Self> {\n        Build::new(builder)\n");
    if !op.operands.is_empty() {
        text.push_str("            .operands(&[");
        list(text, &op.operands, |group| group.name.clone());
        text.push_str("])\n");
    }
    for attribute in &op.attributes {
        if attribute.presence == Presence::Required {
            push(
                text,
                format_args!(
                    "            .coded::<{}>({:?}, {})\n",
                    attribute.value.codec, attribute.ods, attribute.name
                ),
            );
        }
    }
    let one_for_each = |text: &mut String, of: &str| {
        text.push_str("            .types(&[");
        for _ in &op.results {
            push(text, format_args!("&[{of}], "));
        }
        text.push_str("])\n");
    };
    match &op.result_types {
        ResultTypes::Given if op.results.is_empty() => {}
        ResultTypes::Given => {
            text.push_str("            .types(&[");
            list(text, &op.results, type_name);
            text.push_str("])\n");
        }
        ResultTypes::OfOperand(operand) => one_for_each(text, &format!("{operand}.ty()")),
        ResultTypes::OfAttribute(attribute) => {
            one_for_each(text, &format!("{attribute}.ty()"));
        }
        ResultTypes::Inferred => text.push_str("            .infer()\n"),
    }
    for group in &op.successors {
        let call = match group.arity {
            Arity::Variadic => group.name.clone(),
            Arity::One | Arity::Optional => format!("&[{}]", group.name),
        };
        push(text, format_args!("            .successors({call})\n"));
    }
    for group in &op.regions {
        let call = match group.arity {
            Arity::Variadic => group.name.clone(),
            Arity::One | Arity::Optional => format!("[{}]", group.name),
        };
        push(text, format_args!("            .regions({call})\n"));
    }
    text.push_str("    }\n");
}

/// Groups as slices; an optional one is empty at first.
fn list(text: &mut String, groups: &[Group], name: impl Fn(&Group) -> String) {
    for group in groups {
        match group.arity {
            Arity::One => push(text, format_args!("&[{}], ", name(group))),
            Arity::Optional => text.push_str("&[], "),
            Arity::Variadic => push(text, format_args!("{}, ", name(group))),
        }
    }
}

/// A method's name that does not collide with the methods of every builder.
fn part(name: &str) -> String {
    const TAKEN: [&str; 16] = [
        "attribute",
        "coded",
        "infer",
        "insert",
        "into_spec",
        "maybe",
        "new",
        "operand",
        "operands",
        "optional_type",
        "regions",
        "result_types",
        "successors",
        "try_insert",
        "types",
        "value",
    ];
    if TAKEN.contains(&name) {
        format!("{name}_")
    } else {
        name.to_owned()
    }
}

/// The builder's methods for optional parts of an op.
fn optional_parts(text: &mut String, op: &Op, home: Home) {
    // Signatures and bodies.
    let mut methods: Vec<(String, String)> = Vec::new();
    let mut method = |name: &str, parameter: &str, kind: &str, body: String| {
        let signature = format!("fn {}(self, {parameter}: {kind}) -> Self", part(name));
        methods.push((signature, body));
    };
    for (index, group) in op.operands.iter().enumerate() {
        if group.arity == Arity::Optional {
            let name = &group.name;
            let body = format!("self.operand({index}, {name})");
            method(name, name, "Value<'c>", body);
        }
    }
    if op.result_types == ResultTypes::Given {
        for (index, group) in op.results.iter().enumerate() {
            if group.arity == Arity::Optional {
                let body = format!("self.optional_type({index}, r#type)");
                method(&type_name(group), "r#type", "Type<'c>", body);
            }
        }
    }
    for attribute in &op.attributes {
        if attribute.presence != Presence::Required {
            let (name, value) = (&attribute.name, &attribute.value);
            let body = format!("self.coded::<{}>({:?}, {name})", value.codec, attribute.ods);
            method(name, name, &value.write, body);
        }
    }
    if methods.is_empty() {
        return;
    }
    let class = &op.class;
    let visibility = match home {
        Home::Ir => {
            push(text, format_args!("impl<'c> Build<'c, {class}<'c>> {{\n"));
            "pub "
        }
        Home::Other => {
            push(
                text,
                format_args!(
                    "/// The optional parts of `{}`, for its builder.\n\
                     pub trait {class}Build<'c>: Sized {{\n",
                    op.name
                ),
            );
            for (signature, _) in &methods {
                push(text, format_args!("    {signature};\n"));
            }
            push(
                text,
                format_args!("}}\nimpl<'c> {class}Build<'c> for Build<'c, {class}<'c>> {{\n"),
            );
            ""
        }
    };
    for (signature, body) in &methods {
        push(
            text,
            format_args!("    #[inline]\n    {visibility}{signature} {{ {body} }}\n"),
        );
    }
    text.push_str("}\n");
}

fn function(text: &mut String, op: &Op) {
    let (result, end) = if op.is_value() {
        ("Value<'c>".to_owned(), "value")
    } else {
        (format!("{}<'c>", op.class), "insert")
    };
    push(
        text,
        format_args!(
            "#[doc = {:?}]\n#[inline]\n#[track_caller]\npub fn {}<'c>(builder: &Builder<'c>",
            format!("`{}`: {}", op.name, op.summary),
            op.function
        ),
    );
    let parameters = parameters(op);
    for Parameter { name, kind } in &parameters {
        push(text, format_args!(", {name}: {kind}"));
    }
    push(
        text,
        format_args!(") -> {result} {{ {}::build(builder", op.class),
    );
    for Parameter { name, .. } in &parameters {
        push(text, format_args!(", {name}"));
    }
    push(text, format_args!(").{end}() }}\n"));
}
