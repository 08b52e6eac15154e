//! Programs of many ops with a planted bug.

use std::fmt::Write;

/// Ops whose results stay in [-1, 1].
const UNARY: [&str; 4] = ["sine", "tanh", "cosine", "logistic"];
const BINARY: [&str; 3] = ["minimum", "maximum", "multiply"];

/// A chain of elementwise ops. Each op uses the previous one and an earlier one, and each fifth
/// adds to a sum, with one subtraction of a hyperbolic tangent in the middle.
pub fn chain(ops: usize, shape: &str) -> String {
    let ty = format!("tensor<{shape}xf32>");
    let mut body = String::new();
    let last = chain_lines(&mut body, ops, &ty, "%a", "%b");
    format!("func.func @main(%a: {ty}, %b: {ty}) -> {ty} {{\n{body}  return {last} : {ty}\n}}\n")
}

/// The lines of a chain; sets the name of the last value, a sum that includes the subtraction.
fn chain_lines(body: &mut String, ops: usize, ty: &str, first: &str, second: &str) -> String {
    let (mut last, mut other, mut sum) = (first.to_owned(), second.to_owned(), first.to_owned());
    for number in 0..ops {
        let name = format!("%v{number}");
        let line = match number {
            _ if number == ops / 2 => format!("stablehlo.tanh {other}"),
            _ if number == ops / 2 + 1 => format!("stablehlo.subtract {last}, {other}"),
            _ if number == ops - 1 || number == ops / 2 + 2 || number % 5 == 4 => {
                format!("stablehlo.add {sum}, {last}")
            }
            _ if number % 3 == 0 => {
                format!("stablehlo.{} {last}, {other}", BINARY[number / 3 % 3])
            }
            _ => format!("stablehlo.{} {last}", UNARY[number % 4]),
        };
        let _ = writeln!(body, "  {name} = {line} : {ty}");
        if line.starts_with("stablehlo.add") {
            sum = name
        } else {
            other = std::mem::replace(&mut last, name)
        }
    }
    sum
}

/// Layers of a product, a bias, an activation and a normalization by a sum, each on the previous
/// one, with one subtraction of a maximum.
pub fn layers(count: usize) -> String {
    let mut body = String::new();
    let mut last = "%a".to_owned();
    for layer in 0..count {
        let _ = write!(
            body,
            "  %w{layer} = stablehlo.dot_general {last}, %w, contracting_dims = [1] x [0] : \
             (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>\n  \
             %b{layer} = stablehlo.add %w{layer}, {last} : tensor<8x16xf32>\n  \
             %t{layer} = stablehlo.tanh %b{layer} : tensor<8x16xf32>\n  \
             %z{layer} = stablehlo.constant dense<0.0> : tensor<f32>\n  \
             %s{layer} = stablehlo.reduce(%t{layer} init: %z{layer}) applies stablehlo.add \
             across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>\n  \
             %r{layer} = stablehlo.broadcast_in_dim %s{layer}, dims = [0] : (tensor<8xf32>) -> \
             tensor<8x16xf32>\n  \
             %m{layer} = stablehlo.maximum %r{layer}, %t{layer} : tensor<8x16xf32>\n"
        );
        let op = if layer == count / 2 {
            "subtract"
        } else {
            "add"
        };
        let _ = write!(
            body,
            "  %d{layer} = stablehlo.{op} %m{layer}, %t{layer} : tensor<8x16xf32>\n  \
             %x{layer} = stablehlo.sine %d{layer} : tensor<8x16xf32>\n"
        );
        last = format!("%x{layer}");
    }
    format!(
        "func.func @main(%a: tensor<8x16xf32>, %w: tensor<16x16xf32>) -> tensor<8x16xf32> {{\n\
         {body}  return {last} : tensor<8x16xf32>\n}}\n"
    )
}

/// Functions that call one another, each with a chain, one of which has the subtraction.
pub fn calls(functions: usize, ops: usize) -> String {
    let ty = "tensor<4x8xf32>";
    let mut text = String::new();
    for number in 0..functions {
        let mut body = String::new();
        let mut last = chain_lines(&mut body, ops, ty, "%a", "%b");
        if number != functions / 2 {
            body = body.replace("stablehlo.subtract", "stablehlo.add");
        }
        if number + 1 < functions {
            let next = number + 1;
            let _ = writeln!(
                body,
                "  %c = call @f{next}({last}, %a) : ({ty}, {ty}) -> {ty}"
            );
            last = "%c".to_owned();
        }
        let visibility = if number == 0 {
            "@main"
        } else {
            &format!("private @f{number}")
        };
        let _ = write!(
            text,
            "func.func {visibility}(%a: {ty}, %b: {ty}) -> {ty} {{\n{body}  return {last} : {ty}\n}}\n"
        );
    }
    text
}

/// A loop of three iterations around a conditional, with a chain in its body and in both branches.
pub fn regions(ops: usize) -> String {
    let ty = "tensor<4x8xf32>";
    let (mut body, mut first, mut second) = (String::new(), String::new(), String::new());
    let inner = chain_lines(&mut body, ops / 2, ty, "%x", "%b");
    let body = body.replace("stablehlo.subtract", "stablehlo.add");
    let rename = |text: &str, letter: &str| text.replace("%v", letter);
    let left = chain_lines(&mut first, ops / 4, ty, &inner, "%a");
    let right = chain_lines(&mut second, ops / 4, ty, &inner, "%a");
    let branch = |text: &str, last: &str, letter: &str| {
        // The value of the body keeps its name.
        let text = text.replace(&inner, "%inner");
        let (text, last) = (rename(&text, letter), rename(last, letter));
        format!("{text}    stablehlo.return {last} : {ty}\n").replace("%inner", &inner)
    };
    format!(
        "func.func @main(%a: {ty}, %b: {ty}) -> {ty} {{\n  \
         %zero = stablehlo.constant dense<0> : tensor<i32>\n  \
         %one = stablehlo.constant dense<1> : tensor<i32>\n  \
         %three = stablehlo.constant dense<3> : tensor<i32>\n  \
         %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, {ty}\n    cond {{\n      \
         %go = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>\n      \
         stablehlo.return %go : tensor<i1>\n    }} do {{\n{body}  \
         %odd = stablehlo.compare EQ, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>\n  \
         %y = \"stablehlo.if\"(%odd) ({{\n{}  }}, {{\n{}  }}) : (tensor<i1>) -> {ty}\n  \
         %j = stablehlo.add %i, %one : tensor<i32>\n      \
         stablehlo.return %j, %y : tensor<i32>, {ty}\n    }}\n  return %r#1 : {ty}\n}}\n",
        branch(&first, &left, "%l"),
        branch(
            &second.replace("stablehlo.subtract", "stablehlo.add"),
            &right,
            "%m"
        ),
    )
}

/// A chain whose every tenth value is a result.
pub fn many_results(ops: usize) -> String {
    let text = chain(ops, "4x8");
    let values: Vec<String> = (0..ops).step_by(10).map(|it| format!("%v{it}")).collect();
    let types = vec!["tensor<4x8xf32>"; values.len()].join(", ");
    let last = format!("return %v{} : tensor<4x8xf32>", ops - 1);
    text.replace(&last, &format!("return {} : {types}", values.join(", ")))
        .replace("-> tensor<4x8xf32>", &format!("-> ({types})"))
}

/// A chain on tensors of dynamic size.
pub fn dynamic(ops: usize) -> String {
    chain(ops, "?x8")
}

/// A chain whose arguments and results are tuples, with a token.
pub fn tuples(ops: usize) -> String {
    let ty = "tensor<4x8xf32>";
    let mut body = String::new();
    let last = chain_lines(&mut body, ops, ty, "%a", "%b");
    format!(
        "func.func @main(%t: tuple<{ty}, {ty}>, %k: !stablehlo.token) \
         -> (tuple<{ty}, {ty}>, !stablehlo.token) {{\n  \
         %a = stablehlo.get_tuple_element %t[0] : (tuple<{ty}, {ty}>) -> {ty}\n  \
         %b = stablehlo.get_tuple_element %t[1] : (tuple<{ty}, {ty}>) -> {ty}\n{body}  \
         %n = stablehlo.after_all %k, %k : !stablehlo.token\n  \
         %r = stablehlo.tuple {last}, %a : tuple<{ty}, {ty}>\n  \
         return %r, %n : tuple<{ty}, {ty}>, !stablehlo.token\n}}\n"
    )
}
