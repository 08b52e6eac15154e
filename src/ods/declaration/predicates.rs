//! Predicates of ODS, which are C++, as expressions of Rust.
//!
//! The predicates of MLIR's constraints are recognized by their text. So is each combination of
//! them, such as a tensor of rank 2 whose elements are f32 or i64.

use crate::records::Record;

/// Translates the predicate of a constraint on a type. `declared` maps the C++ classes of the
/// dialect's types to expressions.
pub fn of_type(
    constraint: Record,
    subject: &str,
    declared: &dyn Fn(&str, &str) -> Option<String>,
) -> Option<String> {
    translate(constraint.record("predicate")?, subject, declared)
}

/// The predicate of a constraint if it is one text, without white space.
pub fn text_of(constraint: Record) -> Option<String> {
    let text = constraint.record("predicate")?.text("predExpr")?;
    Some(normalized(text))
}

/// C++ without white space, without the namespaces of LLVM and MLIR, and without enclosing
/// parentheses.
fn normalized(text: &str) -> String {
    let text: String = text.split_whitespace().collect();
    let text = text.replace("::llvm::", "").replace("::mlir::", "");
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    match inner {
        Some(inner) if is_balanced(inner) => inner.to_owned(),
        _ => text,
    }
}

fn is_balanced(text: &str) -> bool {
    let mut depth = 0;
    for letter in text.chars() {
        depth += match letter {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

type Declared<'d> = &'d dyn Fn(&str, &str) -> Option<String>;

fn translate(predicate: Record, subject: &str, declared: Declared) -> Option<String> {
    if let Some(text) = predicate.text("predExpr") {
        return leaf(&normalized(text), subject, declared);
    }
    let children = predicate.list("children");
    let all = |separator: &str| {
        let parts = children.iter().map(|child| translate(*child, subject, declared));
        let parts: Vec<String> = parts.collect::<Option<_>>()?;
        if let [only] = &parts[..] {
            return Some(only.clone());
        }
        Some(format!("({})", parts.join(separator)))
    };
    let only = |subject: &str| match children[..] {
        [child] => translate(child, subject, declared),
        _ => None,
    };
    match predicate.record("kind")?.name() {
        "PredCombinerAnd" => all(" && "),
        "PredCombinerOr" => all(" || "),
        "PredCombinerNot" => Some(format!("!{}", only(subject)?)),
        "PredCombinerSubstLeaves" => match normalized(predicate.text("replacement")?).as_str() {
            // The parameter of the enclosing function.
            "elementType" => only(subject),
            "cast<ComplexType>($_self).getElementType()" => Some(format!(
                "complex_element_holds({subject}, |element| {})",
                only("element")?
            )),
            _ => None,
        },
        "PredCombinerConcat" => {
            let suffix = normalized(predicate.text("suffix")?);
            suffix
                .ends_with("(cast<ShapedType>($_self).getElementType())")
                .then(|| only("element"))?
                .map(|inner| format!("element_holds({subject}, |element| {inner})"))
        }
        _ => None,
    }
}

/// Translates one condition.
fn leaf(text: &str, subject: &str, declared: Declared) -> Option<String> {
    if text == "true" {
        return Some("true".to_owned());
    }
    if let Some(class) = text.strip_prefix("isa<").and_then(|rest| rest.strip_suffix(">($_self)")) {
        return is_a(class, subject).or_else(|| declared(class, subject));
    }
    if let Some(call) = text.strip_prefix("$_self.") {
        return method(call, subject);
    }
    for class in ["ShapedType", "VectorType"] {
        let cast = format!("cast<{class}>($_self).");
        if let Some(call) = text.strip_prefix(&cast) {
            return shape(call, subject);
        }
    }
    None
}

fn is_a(class: &str, subject: &str) -> Option<String> {
    let function = match class {
        "ComplexType" => "is_complex",
        "FloatType" => "is_float",
        "FunctionType" => "is_function",
        "IndexType" => "is_index",
        "IntegerType" => "is_integer",
        "MemRefType" => "is_memref",
        "NoneType" => "is_none",
        "RankedTensorType" => "is_ranked_tensor",
        "ShapedType" => "is_shaped",
        "TensorType" => "is_tensor",
        "TupleType" => "is_tuple",
        "VectorType" => "is_vector",
        "BFloat16Type" => return Some(format!("is({subject}, \"bf16\")")),
        "FloatTF32Type" => return Some(format!("is({subject}, \"tf32\")")),
        _ => {
            // `Float8E5M2Type` is `f8E5M2`.
            let format = class.strip_prefix("Float")?.strip_suffix("Type")?;
            let is_format = format.starts_with(|first: char| first.is_ascii_digit());
            return is_format.then(|| format!("is({subject}, \"f{format}\")"));
        }
    };
    Some(format!("{function}({subject})"))
}

fn method(call: &str, subject: &str) -> Option<String> {
    if call == "hasTrait<ValueSemantics>()" {
        return Some(format!("(is_tensor({subject}) || is_vector({subject}))"));
    }
    let (name, width) = call.strip_suffix(')')?.split_once('(')?;
    let function = match name {
        "isSignlessInteger" => "is_signless_integer",
        "isSignedInteger" => "is_signed_integer",
        "isUnsignedInteger" => "is_unsigned_integer",
        "isInteger" => "is_integer",
        "isIndex" => "is_index",
        "isSignlessIntOrIndex" => {
            return Some(format!(
                "(is_signless_integer({subject}) || is_index({subject}))"
            ));
        }
        _ => {
            let width = name.strip_prefix("isF")?;
            let is_number = width.chars().all(|digit| digit.is_ascii_digit());
            return is_number.then(|| format!("is({subject}, \"f{width}\")"));
        }
    };
    match width {
        "" => Some(format!("{function}({subject})")),
        _ => {
            let width: u32 = width.parse().ok()?;
            Some(format!(
                "({function}({subject}) && has_width({subject}, {width}))"
            ))
        }
    }
}

fn shape(call: &str, subject: &str) -> Option<String> {
    match call {
        "hasRank()" => Some(format!("rank({subject}).is_some()")),
        "hasStaticShape()" => Some(format!("static_shape_of({subject}).is_some()")),
        _ => {
            let (operator, number) = comparison(call.strip_prefix("getRank()")?)?;
            let number = usize::try_from(number).ok()?;
            Some(format!(
                "rank({subject}).is_some_and(|rank| rank {operator} {number})"
            ))
        }
    }
}

/// `>=2` as an operator and a number.
pub fn comparison(text: &str) -> Option<(&str, i64)> {
    let length = text.find(|letter| !"<>=!".contains(letter))?;
    let (operator, number) = text.split_at(length);
    let is_known = matches!(operator, "==" | "!=" | "<" | "<=" | ">" | ">=");
    is_known.then_some((operator, number.parse().ok()?))
}

/// Translates a further condition on the number or the length of an attribute.
pub fn of_attribute(constraint: Record, subject: &str) -> Option<String> {
    let text = text_of(constraint)?;
    let number = |condition: String| Some(format!("number_holds({subject}, |it| {condition})"));
    let of_integer = "cast<IntegerAttr>($_self).";
    if text == format!("!{of_integer}getValue().isNegative()") {
        return number("it >= 0".to_owned());
    }
    if let Some(rest) = text.strip_prefix(of_integer) {
        return match rest {
            "getValue().isStrictlyPositive()" => number("it > 0".to_owned()),
            "getValue().isPowerOf2()" => number("it > 0 && it & (it - 1) == 0".to_owned()),
            _ => {
                let (operator, limit) = comparison(rest.strip_prefix("getInt()")?)?;
                number(format!("it {operator} {limit}"))
            }
        };
    }
    for class in ["ArrayAttr", "DenseArrayAttr"] {
        if let Some(rest) = text.strip_prefix(&format!("cast<{class}>($_self).size()")) {
            let (operator, limit) = comparison(rest)?;
            return Some(format!(
                "length_holds({subject}, |it| it {operator} {limit})"
            ));
        }
    }
    None
}
