//! The Rust code of the types and attributes of a declared dialect.

use super::{documentation, push};
use crate::declaration::{Kind, Parametric};

/// The declaration of a type or an attribute, as a constant of its Rust type.
fn declaration_of(text: &mut String, one: &Parametric, what: &str) {
    let parameters: Vec<String> = one
        .parameters
        .iter()
        .map(|parameter| {
            let kind = match &parameter.kind {
                Kind::Integer => "Integer".to_owned(),
                Kind::Text => "String".to_owned(),
                Kind::Type => "Type".to_owned(),
                Kind::Attribute => "Attribute".to_owned(),
                Kind::Case(path) => format!("Case(<{path} as Enumeration>::CASES)"),
            };
            format!("Parameter::new({:?}, ParameterKind::{kind})", parameter.ods)
        })
        .collect();
    push(
        text,
        format_args!(
            "    /// Its declaration in the dialect.\n    \
             pub const DECLARATION: &'static {what}Declaration = {{\n        \
             const PARAMETERS: &[Parameter] = &[{}];\n        \
             &{what}Declaration::new({:?}, {:?})\n            .parameters(PARAMETERS)\n",
            parameters.join(", "),
            one.name,
            one.summary
        ),
    );
    if let Some(format) = &one.assembly {
        push(text, format_args!("            .assembly({format:?})\n"));
    }
    if one.verifies {
        let read: Vec<String> = (0..one.parameters.len())
            .map(|number| at(one, number, "Some(parameters.to_vec())"))
            .collect();
        push(
            text,
            format_args!(
                "            .verify(|parameters| <{}{} as {}Verifier>::verify({}))\n",
                one.class,
                if one.case.is_some() { "" } else { "<'_>" },
                one.class,
                read.join(", ")
            ),
        );
    }
    text.push_str("    };\n");
}

/// The functions of `generated::parameters` that read and write a kind.
fn functions(kind: &Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Integer => ("integer", "from_integer"),
        Kind::Text => ("text", "from_text"),
        Kind::Type => ("ty", "from_type"),
        Kind::Attribute => ("attribute", "from_attribute"),
        Kind::Case(_) => ("case", "from_case"),
    }
}

/// The Rust type of a parameter, with a lifetime for borrowed data.
fn rust_type(kind: &Kind, lifetime: &str) -> String {
    match kind {
        Kind::Integer => "i64".to_owned(),
        Kind::Text => format!("&{lifetime} str"),
        Kind::Type => format!("Type<{lifetime}>"),
        Kind::Attribute => format!("Attribute<{lifetime}>"),
        Kind::Case(path) => path.clone(),
    }
}

/// Reads a parameter of a list.
fn at(one: &Parametric, number: usize, all: &str) -> String {
    let (read, _) = functions(&one.parameters[number].kind);
    format!("parameters::at({all}, {number}, parameters::{read})")
}

/// The list of the parameters of `get`, and the list of the attributes that they become.
fn given(one: &Parametric) -> (String, String) {
    let (mut names, mut attributes) = (String::new(), String::new());
    for parameter in &one.parameters {
        let kind = match &parameter.kind {
            Kind::Text => "&str".to_owned(),
            kind => rust_type(kind, "'c"),
        };
        let (_, write) = functions(&parameter.kind);
        push(&mut names, format_args!(", {}: {kind}", parameter.name));
        push(
            &mut attributes,
            format_args!("parameters::{write}(context, {}), ", parameter.name),
        );
    }
    (names, attributes)
}

/// The trait that the author implements for the verifier that ODS requests.
fn verifier(text: &mut String, one: &Parametric) {
    if !one.verifies {
        return;
    }
    let parameters: Vec<String> = one
        .parameters
        .iter()
        .map(|one| format!("{}: {}", one.name, rust_type(&one.kind, "'_")))
        .collect();
    push(
        text,
        format_args!(
            "\n/// The verifier of `genVerifyDecl`: checks whether `{}` may have parameters.\n\
             pub trait {}Verifier {{\n    \
             /// # Errors\n    /// What is wrong with them.\n    \
             fn verify({}) -> Result<(), VerifyError>;\n}}\n",
            one.name,
            one.class,
            parameters.join(", ")
        ),
    );
}

/// The handle of a type or an attribute, which `what` describes.
pub fn parametric(text: &mut String, one: &Parametric, what: &str) {
    let class = &one.class;
    let field = match what {
        "Type" => "ty",
        _ => "attribute",
    };
    verifier(text, one);
    text.push('\n');
    documentation(
        text,
        &format!("`{}`: {}", one.name, one.summary),
        &one.description,
    );
    let (names, attributes) = given(one);
    push(
        text,
        format_args!(
            "#[derive(Clone, Copy, Debug, PartialEq, Eq)]\n\
             pub struct {class}<'c>({what}<'c>);\n\
             impl<'c> {class}<'c> {{\n"
        ),
    );
    declaration_of(text, one, what);
    push(
        text,
        format_args!(
            "    /// The one with these parameters.\n    ///\n    /// # Errors\n    \
             /// Where they are not valid, or the context has not loaded the dialect.\n    \
             pub fn get(context: &'c Context{names}) -> Result<Self, BuildError> {{\n        \
             Ok(Self(Self::DECLARATION.get(context, &[{attributes}])?))\n    }}\n    \
             /// Casts it, if it is one.\n    \
             pub fn cast({field}: {what}<'c>) -> Option<Self> {{\n        \
             Self::DECLARATION.is({field}).then_some(Self({field}))\n    }}\n    \
             /// It as any other.\n    \
             pub fn {field}(self) -> {what}<'c> {{ self.0 }}\n"
        ),
    );
    for (number, parameter) in one.parameters.iter().enumerate() {
        let read = at(one, number, "Self::DECLARATION.parameters_of(self.0)");
        push(
            text,
            format_args!(
                "    pub fn {}(self) -> {} {{ {read} }}\n",
                parameter.name,
                rust_type(&parameter.kind, "'c")
            ),
        );
    }
    text.push_str("}\n");
}

/// The codec of the attribute, whose value is its handle.
pub fn codec(text: &mut String, one: &Parametric) {
    let (class, name) = (&one.class, &one.name);
    push(
        text,
        format_args!(
            "impl Codec for {class}<'static> {{\n    \
             type Read<'c> = {class}<'c>;\n    \
             type Write<'a, 'c: 'a> = {class}<'c>;\n    \
             fn read<'c>(attribute: Attribute<'c>) -> Option<{class}<'c>> {{ {class}::cast(attribute) }}\n    \
             fn write<'a, 'c: 'a>(_: &'c Context, value: {class}<'c>) -> Option<Attribute<'c>> {{ \
             Some(value.0) }}\n}}\n\
             impl DeclaredCodec for {class}<'static> {{\n    \
             const DESCRIPTION: &'static str = {:?};\n    \
             const SYNTAX: AttributeSyntax = AttributeSyntax::Parameters({name:?});\n}}\n",
            format!("#{name}")
        ),
    );
}

/// An attribute that holds a case of an enum: it is read and written as the case.
pub fn case_attribute(text: &mut String, one: &Parametric, path: &str) {
    let (class, name) = (&one.class, &one.name);
    verifier(text, one);
    text.push('\n');
    documentation(
        text,
        &format!("`{name}`: {}", one.summary),
        &one.description,
    );
    push(text, format_args!("pub struct {class};\nimpl {class} {{\n"));
    declaration_of(text, one, "Attribute");
    push(
        text,
        format_args!(
            "}}\n\
             impl Codec for {class} {{\n    \
             type Read<'c> = {path};\n    \
             type Write<'a, 'c: 'a> = {path};\n    \
             fn read<'c>(attribute: Attribute<'c>) -> Option<{path}> {{\n        \
             parameters::case(*Self::DECLARATION.parameters_of(attribute)?.first()?)\n    }}\n    \
             fn write<'a, 'c: 'a>(context: &'c Context, value: {path}) -> Option<Attribute<'c>> {{\n        \
             Self::DECLARATION.get(context, &[parameters::from_case(context, value)]).ok()\n    }}\n}}\n\
             impl DeclaredCodec for {class} {{\n    \
             const DESCRIPTION: &'static str = {:?};\n    \
             const SYNTAX: AttributeSyntax = AttributeSyntax::Parameters({name:?});\n}}\n",
            format!("#{name}")
        ),
    );
}
