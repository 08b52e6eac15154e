//! Loops and conditionals on tensors of bounded size, which grow and shrink.

use super::{Precision, Value, Writer, type_of};
use std::fmt::Write;

/// The text of a chain of ops on one bounded tensor.
struct Ops {
    /// The type, `tensor<?xi32, #stablehlo.bounds<6>>`, of the tensor.
    bounded: String,
    element: &'static str,
    bound: i64,
    lines: String,
    /// The name of the last result.
    last: String,
    count: usize,
}

impl Ops {
    fn step(&mut self, text: &str) {
        let number = self.count;
        let (last, r#type, bound) = (&self.last, &self.bounded, self.bound);
        let element = self.element;
        let text = text
            .replace("$s", last)
            .replace("$V", r#type)
            .replace("$L", &bound.to_string())
            .replace("$E", element)
            .replace('$', &format!("%v{number}_"));
        let _ = writeln!(
            self.lines,
            "    %v{number}_n = stablehlo.get_dimension_size {last}, dim = 0 : ({type}) -> tensor<i32>\n{text}"
        );
        self.last = format!("%v{number}_o");
        self.count += 1;
    }
}

/// Ops on a bounded tensor `$s` of the type `$V`, its size `$n`, its bound `$L`, its elements
/// `$E`, and an iteration `%i`. The result is `$o`.
const STEPS: &[&str] = &[
    "    $k = stablehlo.add $n, %one : tensor<i32>
    $m = stablehlo.minimum $k, %bound : tensor<i32>
    $o = stablehlo.set_dimension_size $s, $m, dim = 0 : ($V, tensor<i32>) -> $V",
    "    $k = stablehlo.subtract $n, %one : tensor<i32>
    $m = stablehlo.maximum $k, %zero : tensor<i32>
    $o = stablehlo.set_dimension_size $s, $m, dim = 0 : ($V, tensor<i32>) -> $V",
    "    $o = stablehlo.set_dimension_size %whole, $n, dim = 0 : (tensor<$Lx$E>, tensor<i32>) -> $V",
    "    $k = stablehlo.maximum $s, $s : $V
    $o = stablehlo.add $k, %whole : ($V, tensor<$Lx$E>) -> $V",
    "    $o = stablehlo.reverse $s, dims = [0] : $V",
    "    $k = stablehlo.reduce($s init: %some) applies stablehlo.add across dimensions = [0] : ($V, tensor<$E>) -> tensor<$E>
    $m = stablehlo.reshape $n : (tensor<i32>) -> tensor<1xi32>
    $o = stablehlo.dynamic_broadcast_in_dim $k, $m, dims = [] : (tensor<$E>, tensor<1xi32>) -> $V",
    "    $k = stablehlo.reduce($s init: %some) applies stablehlo.maximum across dimensions = [0] : ($V, tensor<$E>) -> tensor<$E>
    $m = stablehlo.reshape $n : (tensor<i32>) -> tensor<1xi32>
    $h = stablehlo.dynamic_broadcast_in_dim $k, $m, dims = [] : (tensor<$E>, tensor<1xi32>) -> $V
    $o = stablehlo.subtract $h, $s : $V",
    "    $k = stablehlo.reshape %some : (tensor<$E>) -> tensor<1x$E>
    $m = stablehlo.maximum $n, %one : tensor<i32>
    $h = stablehlo.set_dimension_size $s, $m, dim = 0 : ($V, tensor<i32>) -> $V
    $o = stablehlo.dynamic_update_slice $h, $k, %i : ($V, tensor<1x$E>, tensor<i32>) -> $V",
    "    $k = stablehlo.pad $s, %some, low = [1], high = [-1], interior = [0] : ($V, tensor<$E>) -> $V
    $o = stablehlo.set_dimension_size $k, $n, dim = 0 : ($V, tensor<i32>) -> $V",
    "    $p = stablehlo.compare LT, $n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    $o = \"stablehlo.if\"($p) ({
      $m = stablehlo.set_dimension_size %whole, %bound, dim = 0 : (tensor<$Lx$E>, tensor<i32>) -> $V
      stablehlo.return $m : $V
    }, {
      $m = stablehlo.add $s, $s : $V
      stablehlo.return $m : $V
    }) : (tensor<i1>) -> $V",
    "    $o = \"stablehlo.case\"(%i) ({
      stablehlo.return $s : $V
    }, {
      $m = stablehlo.set_dimension_size $s, %one, dim = 0 : ($V, tensor<i32>) -> $V
      stablehlo.return $m : $V
    }) : (tensor<i32>) -> $V",
    "    $o = \"stablehlo.sort\"($s) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%left: tensor<$E>, %right: tensor<$E>):
      %less = stablehlo.compare GT, %left, %right : (tensor<$E>, tensor<$E>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    }) : ($V) -> $V",
    "    $w:2 = stablehlo.while($j = %zero, $q = $s) : tensor<i32>, $V
    cond {
      $c = stablehlo.compare LT, $j, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return $c : tensor<i1>
    } do {
      $k = stablehlo.get_dimension_size $q, dim = 0 : ($V) -> tensor<i32>
      $l = stablehlo.subtract %bound, $k : tensor<i32>
      $m = stablehlo.set_dimension_size $q, $l, dim = 0 : ($V, tensor<i32>) -> $V
      $h = stablehlo.add $j, %one : tensor<i32>
      stablehlo.return $h, $m : tensor<i32>, $V
    }
    $o = stablehlo.add $w#1, $w#1 : $V",
];

impl Writer<'_> {
    /// A loop, or a conditional, on a tensor whose size changes in it. Its result is padded to its
    /// bound with zeros, so that other ops can use it.
    pub(super) fn bounded_control_flow(&mut self) {
        let element = *self.pick.one(&["i32", "i32", "i64", "ui8"]);
        let bound = self.pick.between(1, 6);
        let whole = self.constant_of(element, vec![bound]);
        let some = self.constant_of(element, vec![]);
        let size = self.pick.between(0, bound);
        let rounds = self.pick.between(0, 4);
        for value in [&whole, &some] {
            self.mark_used(value);
        }
        let bounded = format!("tensor<?x{element}, #stablehlo.bounds<{bound}>>");
        let is_loop = !self.pick.once_in(3);
        let mut ops = Ops {
            bounded: bounded.clone(),
            element,
            bound,
            lines: String::new(),
            last: if is_loop {
                "%s".to_owned()
            } else {
                "%init".to_owned()
            },
            count: 0,
        };
        for _ in 0..=self.pick.below(4) {
            let step = self.pick.one(STEPS);
            ops.step(step);
        }
        let first = self.values.len();
        let body = ops
            .lines
            .replace("%whole", &whole.name)
            .replace("%some", &some.name)
            .replace("%init", &format!("%init{first}"));
        let mut text = format!(
            "  %zero{first} = stablehlo.constant dense<0> : tensor<i32>
  %one{first} = stablehlo.constant dense<1> : tensor<i32>
  %size{first} = stablehlo.constant dense<{size}> : tensor<i32>
  %bound{first} = stablehlo.constant dense<{bound}> : tensor<i32>
  %rounds{first} = stablehlo.constant dense<{rounds}> : tensor<i32>
  %init{first} = stablehlo.set_dimension_size {whole}, %size{first}, dim = 0 : ({static_type}, tensor<i32>) -> {bounded}\n",
            whole = whole.name,
            static_type = whole.r#type(),
        );
        let last = &ops.last;
        let result = if is_loop {
            let _ = writeln!(
                    text,
                    "  %loop{first}:2 = stablehlo.while(%i = %zero{first}, %s = %init{first}) : tensor<i32>, {bounded}
  cond {{
    %p = stablehlo.compare LT, %i, %rounds{first} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
{body}    %next = stablehlo.add %i, %one{first} : tensor<i32>
    stablehlo.return %next, {last} : tensor<i32>, {bounded}
  }}"
                );
            format!("%loop{first}#1")
        } else {
            let body = body.replace("%i,", &format!("%rounds{first},"));
            let body = body
                .replace("%i ", &format!("%rounds{first} "))
                .replace("(%i)", &format!("(%rounds{first})"));
            let _ = writeln!(
                    text,
                    "  %p{first} = stablehlo.compare GT, %rounds{first}, %one{first} : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %branch{first} = \"stablehlo.if\"(%p{first}) ({{
{body}    stablehlo.return {last} : {bounded}
  }}, {{
    stablehlo.return %init{first} : {bounded}
  }}) : (tensor<i1>) -> {bounded}"
                );
            format!("%branch{first}")
        };
        // The constants next to the op have unique names.
        for name in ["%zero", "%one", "%bound"] {
            text = rename(&text, name, &format!("{name}{first}"));
        }
        self.lines.push(text.trim_end().to_owned());
        self.bounded_result(
            format!("stablehlo.get_dimension_size {result}, dim = 0 : ({bounded}) -> tensor<i32>"),
            ("i32", vec![]),
        );
        let filled = type_of(element, &[bound]);
        self.bounded_result(
            format!(
                "stablehlo.set_dimension_size {result}, %bound{first}, dim = 0 : ({bounded}, tensor<i32>) -> {filled}"
            ),
            (element, vec![bound]),
        );
    }

    /// A value of static size that is computed from a bounded one.
    fn bounded_result(&mut self, text: String, (element, dims): (&'static str, Vec<i64>)) {
        let id = self.values.len();
        let name = format!("%{id}");
        self.lines.push(format!("  {name} = {text}"));
        self.values.push(Value {
            name,
            id,
            element,
            dims,
            precision: Precision::Exact,
            bits: true,
        });
        self.used.push(false);
    }
}

/// Renames a value, but not names that begin with its name.
fn rename(text: &str, name: &str, new: &str) -> String {
    let mut renamed = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, after) = rest.split_at(at);
        let behind = &after[name.len()..];
        let is_whole = !behind.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        renamed.push_str(before);
        renamed.push_str(if is_whole { new } else { name });
        rest = behind;
    }
    renamed + rest
}
