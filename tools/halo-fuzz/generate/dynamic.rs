//! Programs whose sizes are known when they run.
//!
//! A program has three inputs, of the sizes `a`, `a` by `b`, and `b` by 5. The size of each value is
//! a polynomial of these, so that ops get operands of equal sizes.

use super::{Precision, Program, list};
use crate::pick::Pick;

/// The values of `a` and `b` in one run.
pub type Sizes = (usize, usize);

/// The shapes of the inputs of a run.
pub fn input_shapes((a, b): Sizes) -> [Vec<usize>; 3] {
    [vec![a], vec![a, b], vec![b, 5]]
}

/// `a * ab[0] + b * ab[1] + product * a * b + fixed`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Dim {
    ab: [i64; 2],
    product: i64,
    fixed: i64,
}

const A: Dim = Dim {
    ab: [1, 0],
    product: 0,
    fixed: 0,
};
const B: Dim = Dim { ab: [0, 1], ..A };

impl Dim {
    fn fixed(size: i64) -> Self {
        Self {
            fixed: size,
            ..Self::default()
        }
    }

    fn is_dynamic(self) -> bool {
        self != Self::fixed(self.fixed)
    }

    fn plus(self, other: Self) -> Self {
        Self {
            ab: [self.ab[0] + other.ab[0], self.ab[1] + other.ab[1]],
            product: self.product + other.product,
            fixed: self.fixed + other.fixed,
        }
    }
}

#[derive(Clone, Debug)]
struct Value {
    name: String,
    element: &'static str,
    dims: Vec<Dim>,
    precision: Precision,
}

fn type_of(element: &str, dims: &[Dim]) -> String {
    let size = |dim: &Dim| {
        if dim.is_dynamic() {
            "?x".to_owned()
        } else {
            format!("{}x", dim.fixed)
        }
    };
    format!(
        "tensor<{}{element}>",
        dims.iter().map(size).collect::<String>()
    )
}

struct Writer<'p> {
    pick: &'p mut Pick,
    lines: Vec<String>,
    values: Vec<Value>,
    count: usize,
}

/// A random program, and the sizes of three runs, of which one has sizes of at most 1.
pub fn program(pick: &mut Pick) -> (Program, [Sizes; 3]) {
    let value = |name: &str, element, dims: &[Dim]| Value {
        name: name.to_owned(),
        element,
        dims: dims.to_vec(),
        precision: Precision::Exact,
    };
    let inputs = [
        value("%x", "f32", &[A]),
        value("%y", "f32", &[A, B]),
        value("%z", "i32", &[B, Dim::fixed(5)]),
    ];
    let mut writer = Writer {
        pick,
        lines: Vec::new(),
        values: inputs.to_vec(),
        count: 0,
    };
    for (name, input) in [("%a", "%x"), ("%b", "%z")] {
        let ty = if name == "%a" {
            "tensor<?xf32>"
        } else {
            "tensor<?x5xi32>"
        };
        let size = format!("stablehlo.get_dimension_size {input}, dim = 0 : ({ty}) -> tensor<i32>");
        writer.lines.push(format!("{name}0 = {size}"));
        writer.lines.push(format!(
            "{name} = stablehlo.reshape {name}0 : (tensor<i32>) -> tensor<1xi32>"
        ));
    }
    for _ in 0..=writer.pick.below(10) {
        writer.op();
    }
    let results: Vec<Value> = writer.values.iter().skip(3).rev().take(3).cloned().collect();
    let results = if results.is_empty() {
        inputs.to_vec()
    } else {
        results
    };
    let text = |part: fn(&Value) -> String| results.iter().map(part).collect::<Vec<_>>().join(", ");
    let types = text(|value| type_of(value.element, &value.dims));
    let text = format!(
        "func.func @main(%x: tensor<?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x5xi32>) -> ({types}) \
         {{\n  {body}\n  return {names} : {types}\n}}\n",
        body = writer.lines.join("\n  "),
        names = text(|value| value.name.clone()),
    );
    let program = Program {
        text,
        results: results.iter().map(|value| value.precision).collect(),
    };
    let most = [8, 20, 70];
    let mut size = || {
        let most = *pick.one(&most);
        pick.below(1 + most)
    };
    let large = [(size(), size()), (size(), size())];
    let small = (pick.below(2), pick.below(2));
    (program, [small, large[0], large[1]])
}

impl Writer<'_> {
    fn name(&mut self) -> String {
        self.count += 1;
        format!("%v{}", self.count)
    }

    fn line(&mut self, text: &str) -> String {
        let name = self.name();
        self.lines.push(format!("{name} = {text}"));
        name
    }

    /// An op with one result, which becomes a value.
    fn emit(&mut self, text: &str, like: (&'static str, Vec<Dim>), precision: Precision) -> Value {
        let (element, dims) = like;
        let text = text.replace("RESULT", &type_of(element, &dims));
        let value = Value {
            name: self.line(&text),
            element,
            dims,
            precision,
        };
        self.values.push(value.clone());
        value
    }

    /// A vector of integers.
    fn numbers(&mut self, numbers: &[i64]) -> String {
        let text = format!(
            "stablehlo.constant dense<[{}]> : tensor<{}xi32>",
            list(numbers),
            numbers.len()
        );
        self.line(&text)
    }

    /// A vector of sizes.
    fn shape(&mut self, dims: &[Dim]) -> String {
        let sizes: Vec<String> = dims.iter().map(|dim| self.size(*dim)).collect();
        let types = vec!["tensor<1xi32>"; dims.len()].join(", ");
        let sizes = sizes.join(", ");
        self.line(&format!(
            "stablehlo.concatenate {sizes}, dim = 0 : ({types}) -> tensor<{}xi32>",
            dims.len()
        ))
    }

    fn size(&mut self, dim: Dim) -> String {
        let mut sum = self.numbers(&[dim.fixed]);
        let ab = (dim.product != 0).then(|| self.line("stablehlo.multiply %a, %b : tensor<1xi32>"));
        let terms = [("%a".to_owned(), dim.ab[0]), ("%b".to_owned(), dim.ab[1])];
        let terms = terms.into_iter().chain(ab.map(|ab| (ab, dim.product)));
        for (symbol, factor) in terms.filter(|(_, factor)| *factor != 0) {
            let factor = self.numbers(&[factor]);
            let term = self.line(&format!(
                "stablehlo.multiply {symbol}, {factor} : tensor<1xi32>"
            ));
            sum = self.line(&format!("stablehlo.add {sum}, {term} : tensor<1xi32>"));
        }
        sum
    }

    fn zero(&mut self, element: &str) -> String {
        let zero = if element == "f32" { "0.0" } else { "0" };
        self.line(&format!(
            "stablehlo.constant dense<{zero}> : tensor<{element}>"
        ))
    }

    /// A value that a condition holds for.
    fn find(&mut self, holds: impl Fn(&Value) -> bool) -> Option<Value> {
        let found: Vec<&Value> = self.values.iter().filter(|value| holds(value)).collect();
        (!found.is_empty()).then(|| (*self.pick.one(&found)).clone())
    }

    fn op(&mut self) {
        let _ = match self.pick.below(19) {
            0 | 1 => self.unary(),
            2..5 => self.binary(),
            5 => self.select(),
            6 => self.broadcast(),
            7 => self.transpose(),
            8 => self.reverse(),
            9 => self.concatenate(),
            10 => self.pad(),
            11 => self.reduce(),
            12 => self.dot(),
            13 => self.flatten(),
            14 => self.iota(),
            15 => self.sort(),
            16 => self.gather(),
            17 => self.repeat(),
            _ => self.branch(),
        };
    }

    fn unary(&mut self) -> Option<Value> {
        let value = self.find(|_| true)?;
        let is_exact = value.precision == Precision::Exact && value.element == "f32";
        let (name, precision) = match self.pick.below(3) {
            0 if is_exact => ("tanh", Precision::Rounded),
            1 => ("abs", value.precision),
            _ => ("negate", value.precision),
        };
        let text = format!("stablehlo.{name} {} : RESULT", value.name);
        Some(self.emit(&text, (value.element, value.dims), precision))
    }

    /// A value, and another one of its type.
    fn two(&mut self) -> Option<(Value, Value)> {
        let value = self.find(|value| value.precision == Precision::Exact)?;
        let like = value.clone();
        let other = self.find(|other| {
            other.precision == Precision::Exact
                && (other.element, &other.dims) == (like.element, &like.dims)
        })?;
        Some((value, other))
    }

    fn binary(&mut self) -> Option<Value> {
        let (lhs, rhs) = self.two()?;
        let name = *self.pick.one(&["add", "subtract", "multiply", "maximum", "minimum"]);
        let text = format!("stablehlo.{name} {}, {} : RESULT", lhs.name, rhs.name);
        // Extremes of zeros have either sign.
        let precision = match name {
            "maximum" | "minimum" if lhs.element == "f32" => Precision::Equal,
            _ => Precision::Exact,
        };
        Some(self.emit(&text, (lhs.element, lhs.dims), precision))
    }

    fn select(&mut self) -> Option<Value> {
        let (lhs, rhs) = self.two()?;
        let (ty, condition) = (type_of(lhs.element, &lhs.dims), type_of("i1", &lhs.dims));
        let (left, right) = (&lhs.name, &rhs.name);
        let less = self.line(&format!(
            "stablehlo.compare LT, {left}, {right} : ({ty}, {ty}) -> {condition}"
        ));
        let text = format!("stablehlo.select {less}, {right}, {left} : {condition}, RESULT");
        Some(self.emit(&text, (lhs.element, lhs.dims), Precision::Exact))
    }

    fn broadcast(&mut self) -> Option<Value> {
        let value = self.find(|value| value.dims.len() < 3)?;
        let new = *self.pick.one(&[A, B, Dim::fixed(3), Dim::fixed(1)]);
        let position = self.pick.below(value.dims.len() + 1);
        let mut dims = value.dims.clone();
        dims.insert(position, new);
        let shape = self.shape(&dims);
        let map: Vec<i64> =
            (0..dims.len()).filter(|dim| *dim != position).map(|dim| dim as i64).collect();
        let ty = type_of(value.element, &value.dims);
        let text = format!(
            "stablehlo.dynamic_broadcast_in_dim {}, {shape}, dims = [{}] : ({ty}, tensor<{}xi32>) -> RESULT",
            value.name,
            list(&map),
            dims.len()
        );
        Some(self.emit(&text, (value.element, dims), value.precision))
    }

    fn transpose(&mut self) -> Option<Value> {
        let value = self.find(|value| value.dims.len() > 1)?;
        let by = 1 + self.pick.below(value.dims.len() - 1);
        let mut order: Vec<i64> = (0..value.dims.len() as i64).collect();
        order.rotate_left(by);
        let dims = order.iter().map(|dim| value.dims[*dim as usize]).collect();
        let ty = type_of(value.element, &value.dims);
        let text = format!(
            "stablehlo.transpose {}, dims = [{}] : ({ty}) -> RESULT",
            value.name,
            list(&order)
        );
        Some(self.emit(&text, (value.element, dims), value.precision))
    }

    fn reverse(&mut self) -> Option<Value> {
        let value = self.find(|value| !value.dims.is_empty())?;
        let dim = self.pick.below(value.dims.len());
        let text = format!("stablehlo.reverse {}, dims = [{dim}] : RESULT", value.name);
        Some(self.emit(&text, (value.element, value.dims), value.precision))
    }

    fn concatenate(&mut self) -> Option<Value> {
        let value = self.find(|value| !value.dims.is_empty())?;
        let dim = self.pick.below(value.dims.len());
        let other = self.find(|other| {
            let mut dims = other.dims.clone();
            if dims.len() != value.dims.len() {
                return false;
            }
            dims[dim] = value.dims[dim];
            other.element == value.element && dims == value.dims
        })?;
        let mut dims = value.dims.clone();
        dims[dim] = dims[dim].plus(other.dims[dim]);
        let types = [&value, &other].map(|value| type_of(value.element, &value.dims)).join(", ");
        let text = format!(
            "stablehlo.concatenate {}, {}, dim = {dim} : ({types}) -> RESULT",
            value.name, other.name
        );
        Some(self.emit(
            &text,
            (value.element, dims),
            value.precision.max(other.precision),
        ))
    }

    fn pad(&mut self) -> Option<Value> {
        let value = self.find(|value| !value.dims.is_empty())?;
        let rank = value.dims.len();
        let edges = [0, 1].map(|_| (0..rank).map(|_| self.pick.between(0, 2)).collect::<Vec<_>>());
        let grown = |(dim, (low, high)): (&Dim, (&i64, &i64))| dim.plus(Dim::fixed(low + high));
        let dims = value.dims.iter().zip(edges[0].iter().zip(&edges[1])).map(grown).collect();
        let zero = self.zero(value.element);
        let [low, high] = edges.map(|edge| self.numbers(&edge));
        let none = self.numbers(&vec![0; rank]);
        let (ty, sizes) = (
            type_of(value.element, &value.dims),
            format!("tensor<{rank}xi32>"),
        );
        let text = format!(
            "stablehlo.dynamic_pad {}, {zero}, {low}, {high}, {none} : \
             ({ty}, tensor<{}>, {sizes}, {sizes}, {sizes}) -> RESULT",
            value.name, value.element
        );
        Some(self.emit(&text, (value.element, dims), value.precision))
    }

    fn reduce(&mut self) -> Option<Value> {
        let value = self.find(|value| !value.dims.is_empty())?;
        let dim = self.pick.below(value.dims.len());
        let mut dims = value.dims.clone();
        dims.remove(dim);
        let is_sum = self.pick.once_in(2);
        let precision = match (value.element, is_sum) {
            ("f32", true) => Precision::Summed,
            ("f32", false) => value.precision.max(Precision::Equal),
            _ => value.precision,
        };
        let op = if is_sum { "add" } else { "maximum" };
        let zero = self.zero(value.element);
        let ty = type_of(value.element, &value.dims);
        let text = format!(
            "stablehlo.reduce({} init: {zero}) applies stablehlo.{op} across dimensions = [{dim}] : \
             ({ty}, tensor<{}>) -> RESULT",
            value.name, value.element
        );
        Some(self.emit(&text, (value.element, dims), precision))
    }

    fn dot(&mut self) -> Option<Value> {
        let lhs = self.find(|value| value.dims.len() == 2)?;
        let rhs = self.find(|value| {
            value.dims.len() == 2
                && value.element == lhs.element
                && value.dims.contains(&lhs.dims[1])
        })?;
        let by = rhs.dims.iter().position(|dim| *dim == lhs.dims[1])?;
        let precision = match lhs.element {
            "f32" => Precision::Summed,
            _ => lhs.precision.max(rhs.precision),
        };
        let dims = vec![lhs.dims[0], rhs.dims[1 - by]];
        let types = [&lhs, &rhs].map(|value| type_of(value.element, &value.dims)).join(", ");
        let text = format!(
            "stablehlo.dot_general {}, {}, contracting_dims = [1] x [{by}] : ({types}) -> RESULT",
            lhs.name, rhs.name
        );
        Some(self.emit(&text, (lhs.element, dims), precision))
    }

    /// Makes one dimension of two, or of a single one two.
    fn flatten(&mut self) -> Option<Value> {
        let value = self.find(|value| value.dims == [A, B] || value.dims == [B, A])?;
        let product = Dim {
            product: 1,
            ..Dim::default()
        };
        let dims = match self.pick.below(3) {
            0 => vec![product],
            1 => vec![value.dims[1], value.dims[0]],
            _ => vec![value.dims[0], Dim::fixed(1), value.dims[1]],
        };
        let shape = self.shape(&dims);
        let ty = type_of(value.element, &value.dims);
        let text = format!(
            "stablehlo.dynamic_reshape {}, {shape} : ({ty}, tensor<{}xi32>) -> RESULT",
            value.name,
            dims.len()
        );
        Some(self.emit(&text, (value.element, dims), value.precision))
    }

    fn iota(&mut self) -> Option<Value> {
        let dims = vec![
            *self.pick.one(&[A, B]),
            *self.pick.one(&[A, B, Dim::fixed(5)]),
        ];
        let shape = self.shape(&dims);
        let element = *self.pick.one(&["f32", "i32"]);
        let dim = self.pick.below(2);
        let text =
            format!("stablehlo.dynamic_iota {shape}, dim = {dim} : (tensor<2xi32>) -> RESULT");
        Some(self.emit(&text, (element, dims), Precision::Exact))
    }

    fn sort(&mut self) -> Option<Value> {
        let value =
            self.find(|value| !value.dims.is_empty() && value.precision == Precision::Exact)?;
        let (dim, element) = (self.pick.below(value.dims.len()), value.element);
        let text = format!(
            "\"stablehlo.sort\"({}) <{{dimension = {dim} : i64, is_stable = true}}> ({{\n  \
             ^bb0(%l: tensor<{element}>, %r: tensor<{element}>):\n    \
             %less = stablehlo.compare LT, %l, %r : (tensor<{element}>, tensor<{element}>) -> \
             tensor<i1>\n    \
             stablehlo.return %less : tensor<i1>\n  \
             }}) : (RESULT) -> RESULT",
            value.name
        );
        Some(self.emit(&text, (element, value.dims), Precision::Exact))
    }

    /// Rows of a table, at indices that are clamped.
    fn gather(&mut self) -> Option<Value> {
        // Slices are not larger than the table.
        let table = self.find(|value| value.dims.len() == 2 && value.dims[0].fixed > 0)?;
        let indices = self.find(|value| value.element == "i32" && value.dims.len() == 2)?;
        let sizes = self.shape(&[Dim::fixed(1), table.dims[1]]);
        let types = [&table, &indices].map(|value| type_of(value.element, &value.dims)).join(", ");
        let text = format!(
            "\"stablehlo.dynamic_gather\"({}, {}, {sizes}) <{{dimension_numbers = \
             #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], \
             index_vector_dim = 2>}}> : ({types}, tensor<2xi32>) -> RESULT",
            table.name, indices.name
        );
        let dims = vec![indices.dims[0], indices.dims[1], table.dims[1]];
        Some(self.emit(&text, (table.element, dims), table.precision))
    }

    /// A loop that adds a value thrice.
    fn repeat(&mut self) -> Option<Value> {
        let (start, step) = self.two()?;
        let ty = type_of(start.element, &start.dims);
        let first = self.zero("i32");
        let text = format!(
            "stablehlo.while(%i = {first}, %s = {}) : tensor<i32>, {ty}\n  \
             cond {{\n    \
             %most = stablehlo.constant dense<3> : tensor<i32>\n    \
             %more = stablehlo.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>\n    \
             stablehlo.return %more : tensor<i1>\n  \
             }} do {{\n    \
             %one = stablehlo.constant dense<1> : tensor<i32>\n    \
             %next = stablehlo.add %i, %one : tensor<i32>\n    \
             %sum = stablehlo.add %s, {} : {ty}\n    \
             stablehlo.return %next, %sum : tensor<i32>, {ty}\n  \
             }}",
            start.name, step.name
        );
        let name = self.name();
        self.lines.push(format!("{name}:2 = {text}"));
        let value = Value {
            name: format!("{name}#1"),
            ..start
        };
        self.values.push(value.clone());
        Some(value)
    }

    fn branch(&mut self) -> Option<Value> {
        let (lhs, rhs) = self.two()?;
        let compared = self.pick.between(0, 9);
        let bound = self.line(&format!(
            "stablehlo.constant dense<{compared}> : tensor<i32>"
        ));
        let holds = self.line(&format!(
            "stablehlo.compare LT, %a0, {bound} : (tensor<i32>, tensor<i32>) -> tensor<i1>"
        ));
        let ty = type_of(lhs.element, &lhs.dims);
        let text = format!(
            "\"stablehlo.if\"({holds}) ({{\n    \
             %sum = stablehlo.add {0}, {1} : {ty}\n    \
             stablehlo.return %sum : {ty}\n  \
             }}, {{\n    \
             stablehlo.return {1} : {ty}\n  \
             }}) : (tensor<i1>) -> RESULT",
            lhs.name, rhs.name
        );
        Some(self.emit(&text, (lhs.element, lhs.dims), Precision::Exact))
    }
}
