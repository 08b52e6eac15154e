//! Programs for several partitions: some of their values have shardings.

use super::{Program, Value, Writer};

/// The axes of a mesh: names and sizes.
pub type Mesh = &'static [(&'static str, i64)];

const MESHES: &[Mesh] = &[
    &[("x", 2)],
    &[("x", 3)],
    &[("x", 4)],
    &[("x", 2), ("y", 2)],
    &[("x", 2), ("y", 3)],
    &[("x", 8)],
    &[("x", 4), ("y", 2)],
    &[("x", 2), ("y", 2), ("z", 2)],
];

/// The additional data of a partitioned program.
pub struct Division {
    axes: Mesh,
    /// Names, types with attributes, and constants that they replace.
    arguments: Vec<(String, String, String)>,
}

/// A program with shardings.
pub struct Divided {
    pub program: Program,
    pub mesh: Mesh,
    /// The results without a sharding.
    pub open_results: Vec<bool>,
    /// A program that returns the arguments.
    pub arguments: String,
}

impl Writer<'_> {
    pub(super) fn choose_mesh(&mut self) {
        let axes = MESHES[self.pick.below(MESHES.len())];
        self.division = Some(Division {
            axes,
            arguments: Vec::new(),
        });
    }

    /// A size that axes divide, or almost.
    pub(super) fn size_to_divide(&mut self) -> i64 {
        *self.pick.one(&[1, 2, 3, 4, 4, 5, 6, 6, 7, 8, 8, 8, 12])
    }

    /// A random sharding. Many dimensions are not divisible.
    fn sharding(&mut self, dims: &[i64]) -> Option<String> {
        let mut axes = self.division.as_ref()?.axes.to_vec();
        let mut parts = Vec::new();
        for size in dims {
            let mut names = Vec::new();
            while self.pick.once_in(2) && !axes.is_empty() {
                let number = self.pick.below(axes.len());
                let (name, _) = axes[number];
                if *size == 0 {
                    break;
                }
                names.push(format!("\"{name}\""));
                axes.remove(number);
            }
            if self.pick.once_in(3) {
                names.push("?".to_owned());
            }
            parts.push(format!("{{{}}}", names.join(", ")));
        }
        Some(format!("@mesh, [{}]", parts.join(", ")))
    }

    /// Constrains the sharding of a value.
    pub(super) fn constrain(&mut self) {
        let value = self.any();
        let Some(sharding) = self.sharding(&value.dims) else {
            return;
        };
        let attributes = format!(
            "call_target_name = \"Sharding\", sdy.sharding = #sdy.sharding_per_value<[<{sharding}>]>"
        );
        let result = (value.element, value.dims.clone());
        let precision = value.precision;
        self.emit("custom_call", &[&value], &attributes, "", result, precision);
    }

    /// A value of a region, possibly with a sharding: its name, and the lines that constrain it.
    pub(super) fn constrained(&mut self, name: &str, like: &Value) -> (String, String) {
        let sharding = if self.division.is_some() && self.pick.once_in(2) {
            self.sharding(&like.dims)
        } else {
            None
        };
        let Some(sharding) = sharding else {
            return (name.to_owned(), String::new());
        };
        let own = format!("%divided_{}", name.replace('%', "").replace('#', "_"));
        let r#type = like.r#type();
        let line = format!(
            "    {own} = stablehlo.custom_call @Sharding({name}) {{sdy.sharding = \
             #sdy.sharding_per_value<[<{sharding}>]>}} : ({type}) -> {type}\n"
        );
        (own, line)
    }

    /// An argument that replaces a constant.
    pub(super) fn argument(&mut self, element: &'static str, dims: &[i64], text: &str) -> Value {
        let value = Value {
            name: format!("%{}", self.values.len()),
            id: self.values.len(),
            element,
            dims: dims.to_vec(),
            precision: super::Precision::Exact,
            bits: false,
        };
        let r#type = value.r#type();
        let sharding = if self.pick.once_in(4) {
            None
        } else {
            self.sharding(dims)
        };
        let typed = match sharding {
            Some(sharding) => format!("{type} {{sdy.sharding = #sdy.sharding<{sharding}>}}"),
            None => r#type.clone(),
        };
        let constant = format!("stablehlo.constant dense<{text}> : {type}");
        if let Some(division) = &mut self.division {
            let name = value.name.clone();
            division.arguments.push((name, typed, constant));
        }
        self.values.push(value.clone());
        self.used.push(false);
        value
    }

    pub(super) fn finish_divided(mut self) -> Divided {
        let results: Vec<Value> =
            self.values.iter().filter(|one| !self.used[one.id]).cloned().collect();
        let shardings: Vec<Option<String>> = results
            .iter()
            .map(|value| {
                if self.pick.once_in(3) {
                    None
                } else {
                    self.sharding(&value.dims)
                }
            })
            .collect();
        let typed = results.iter().zip(&shardings);
        let typed: Vec<String> = typed
            .map(|(value, sharding)| match sharding {
                Some(own) => format!("{} {{sdy.sharding = #sdy.sharding<{own}>}}", value.r#type()),
                None => value.r#type(),
            })
            .collect();
        let names: Vec<&str> = results.iter().map(|value| value.name.as_str()).collect();
        let types: Vec<String> = results.iter().map(Value::r#type).collect();
        let (axes, arguments) = match self.division {
            Some(division) => (division.axes, division.arguments),
            None => (&[][..], Vec::new()),
        };
        let sizes: Vec<String> =
            axes.iter().map(|(name, size)| format!("\"{name}\"={size}")).collect();
        let parameters: Vec<String> =
            arguments.iter().map(|(name, typed, _)| format!("{name}: {typed}")).collect();
        let text = format!(
            "module attributes {{sdy.meshes = {{mesh = #sdy.mesh<[{sizes}]>}}}} {{\n\
             func.func @main({parameters}) -> ({typed}) {{\n{body}\n  return {names} : {types}\n}}\n}}\n",
            sizes = sizes.join(", "),
            parameters = parameters.join(", "),
            typed = typed.join(", "),
            body = self.lines.join("\n"),
            names = names.join(", "),
            types = types.join(", "),
        );
        let type_of = |constant: &str| constant.rsplit(" : ").next().unwrap_or_default().to_owned();
        let types: Vec<String> =
            arguments.iter().map(|(_, _, constant)| type_of(constant)).collect();
        let constants: Vec<String> = arguments
            .iter()
            .map(|(name, _, constant)| format!("  {name} = {constant}"))
            .collect();
        let names: Vec<&str> = arguments.iter().map(|(name, ..)| name.as_str()).collect();
        let (types, names) = (types.join(", "), names.join(", "));
        let end = if arguments.is_empty() {
            String::new()
        } else {
            format!(" {names} : {types}")
        };
        let constants = constants.join("\n");
        Divided {
            program: Program {
                text,
                results: results.iter().map(|value| value.precision).collect(),
            },
            mesh: axes,
            open_results: shardings.iter().map(Option::is_none).collect(),
            arguments: format!(
                "func.func @main() -> ({types}) {{\n{constants}\n  return{end}\n}}\n"
            ),
        }
    }
}
