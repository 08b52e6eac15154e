//! Plans: choices that replace decisions of the model, such as measured ones.
//!
//! A plan is a text such as `tile=12x2/loops=held-panels/k=256`, of the choices that it makes; the
//! model makes all others. It may change the order of sums only by the length of the ranges of k,
//! in which the model differs between processors, too.
//!
//! | choice | meaning |
//! |---|---|
//! | `tile=12x2` | register tiles of 12 rows and two vectors |
//! | `loops=held-panels` | the loops around the tiles: [`Loops`] |
//! | `k=256` | the longest range of k that is summed up at once, in elements |
//! | `rows=8` | tiles of a block of the result along its rows |
//! | `columns=4` | the same along its columns |

use super::{CACHED_ROWS, LHS, Packing, RESULT, RHS, TASK_BYTES, Tiling, even_division::ceil_div};
use crate::{
    contraction::{
        isa::{Instructions, dot::Group},
        shape::{Element, Shape},
    },
    loops::contraction::Extension,
};
use std::{fmt, str::FromStr};

/// The longest side of a tile in rows, and in vectors.
const TILE: (i64, i64) = (16, 8);
/// Ranges of k to measure, in elements.
const RANGES: [i64; 4] = [128, 256, 512, 1024];
/// The most tiles to measure.
const TILES: usize = 5;

/// Declares [`Loops`] with a word for each variant.
macro_rules! loops {
    ($($(#[$meta:meta])* $variant:ident = $word:literal,)*) => {
        /// The loops around the tiles of a product.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Loops {
            $($(#[$meta])* $variant,)*
        }

        impl Loops {
            const ALL: &[(&str, Self)] = &[$(($word, Self::$variant),)*];
        }
    };
}

loops! {
    /// Few rows, which all tasks read.
    FewRows = "few-rows",
    /// One task per product.
    Task = "task",
    /// All rows are one block, and tasks have columns.
    RowBlock = "row-block",
    /// A task holds each panel of rhs in the L1 cache for its rows.
    HeldPanels = "held-panels",
    /// A task reads the columns that stay in its L2 cache for each panel of rows.
    Blocks = "blocks",
}

/// Choices that replace the model's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The rows and the vectors of a register tile.
    pub tile: Option<(i64, i64)>,
    pub loops: Option<Loops>,
    /// The longest range of k that is summed up at once.
    pub k: Option<i64>,
    /// Tiles of a block of the result.
    pub block_rows: Option<i64>,
    pub block_columns: Option<i64>,
}

/// A choice of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knob {
    Tile,
    Loops,
    K,
    Blocks,
}

impl Knob {
    pub const ALL: [Self; 4] = [Self::Tile, Self::Loops, Self::K, Self::Blocks];
}

impl fmt::Display for Plan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |loops| Loops::ALL.iter().find(|(_, known)| *known == loops);
        let choices = [
            self.tile.map(|(rows, vectors)| format!("tile={rows}x{vectors}")),
            self.loops.and_then(word).map(|(word, _)| format!("loops={word}")),
            self.k.map(|k| format!("k={k}")),
            self.block_rows.map(|rows| format!("rows={rows}")),
            self.block_columns.map(|columns| format!("columns={columns}")),
        ];
        let choices: Vec<String> = choices.into_iter().flatten().collect();
        formatter.write_str(&choices.join("/"))
    }
}

/// Parses the text of [`Display`](fmt::Display); the error is the invalid choice.
impl FromStr for Plan {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut plan = Self::default();
        for choice in text.split('/').filter(|_| !text.is_empty()) {
            let number =
                |text: &str| text.parse().ok().filter(|number| (1..=1 << 20).contains(number));
            let is_known = match choice.split_once('=') {
                Some(("tile", value)) => {
                    let sides = value.split_once('x');
                    plan.tile = sides.and_then(|(rows, vectors)| number(rows).zip(number(vectors)));
                    plan.tile.is_some()
                }
                Some(("loops", value)) => {
                    let known = Loops::ALL.iter().find(|(word, _)| *word == value);
                    plan.loops = known.map(|(_, loops)| *loops);
                    plan.loops.is_some()
                }
                Some(("k", value)) => {
                    plan.k = number(value);
                    plan.k.is_some()
                }
                Some(("rows", value)) => {
                    plan.block_rows = number(value);
                    plan.block_rows.is_some()
                }
                Some(("columns", value)) => {
                    plan.block_columns = number(value);
                    plan.block_columns.is_some()
                }
                _ => false,
            };
            if !is_known {
                return Err(choice.to_owned());
            }
        }
        Ok(plan)
    }
}

/// Plans by the signatures of products.
#[derive(Clone, Debug, Default)]
pub struct Plans(Vec<(String, Plan)>);

impl Plans {
    /// The signature of any product.
    pub const ANY: &str = "*";

    /// The plans in texts of the form `SIGNATURE:PLAN`.
    ///
    /// # Errors
    /// Returns a message with the text that has another form.
    pub fn parse(texts: &[String]) -> Result<Self, String> {
        let parse = |text: &String| {
            let (signature, plan) = text
                .split_once(':')
                .ok_or_else(|| format!("expected SIGNATURE:PLAN, found '{text}'"))?;
            let plan = plan.parse().map_err(|choice| {
                format!(
                    "expected choices such as tile=8x2, loops=blocks, k=256, rows=4 or columns=2, \
                     found '{choice}'"
                )
            })?;
            Ok((signature.to_owned(), plan))
        };
        texts.iter().map(parse).collect::<Result<_, String>>().map(Self)
    }

    /// The plan for a product. Without plans, its signature is not computed.
    pub fn of(&self, product: &Product) -> Option<&Plan> {
        let is_given = !self.0.is_empty();
        is_given.then(|| self.of_signature(&product.signature()))?
    }

    fn of_signature(&self, signature: &str) -> Option<&Plan> {
        let mut plans = self.0.iter();
        let found = plans.find(|(known, _)| known == signature || known == Self::ANY);
        found.map(|(_, plan)| plan)
    }
}

/// A product with its surroundings: the input of its planning.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    pub shape: Shape,
    pub instructions: Instructions,
    /// Whether it is in a parallel loop, so that it is not divided.
    pub is_nested: bool,
    /// Rhs is packed in advance if it takes at most this many bytes: it is constant or
    /// loop-invariant.
    pub invariant_bytes: i64,
}

impl Product {
    /// The tiling that the model chooses; `None` if plain loops are as fast.
    pub fn tiling(&self) -> Option<Tiling> {
        Tiling::of(self, &Plan::default())
    }

    /// The tiling by a plan.
    ///
    /// # Errors
    /// Returns the condition that a choice of the plan violates.
    pub fn tiling_by(&self, plan: &Plan) -> Result<Tiling, String> {
        let tiling = self.tiling().ok_or("expected a product that is tiled")?;
        let machine = &self.instructions.machine;
        if let Some((rows, vectors)) = plan.tile {
            let fixed =
                tiling.matrix_tiles.is_some() || tiling.group.is_some_and(Group::is_in_squares);
            if fixed {
                return Err("expected no choice of tiles, which the instructions determine".into());
            }
            // The sums, a row of rhs, and an element of lhs.
            let registers = rows * vectors + vectors + 1;
            let needed = ceil_div(self.shape.columns, tiling.tile.lanes);
            if registers > machine.vector_registers || rows > TILE.0 || vectors > TILE.1 {
                return Err(format!(
                    "expected a tile of at most {}x{} in {} registers",
                    TILE.0, TILE.1, machine.vector_registers
                ));
            }
            if rows > self.shape.rows || vectors > needed {
                return Err(format!(
                    "expected a tile of at most {}x{needed}",
                    self.shape.rows
                ));
            }
        }
        if let Some(loops) = plan.loops
            && loops != tiling.loops
            && (self.is_nested || tiling.loops == Loops::FewRows || loops == Loops::FewRows)
        {
            return Err(
                "expected the loops of the model for few rows and in parallel loops".into(),
            );
        }
        let planned = Tiling::of(self, plan).ok_or("expected a product that is tiled")?;
        if planned.loops == Loops::RowBlock
            && planned.loops != tiling.loops
            && self.shape.rows > CACHED_ROWS
        {
            return Err(format!("expected at most {CACHED_ROWS} rows in a block"));
        }
        if planned.loops == Loops::HeldPanels && planned.shape.columns <= planned.tile.columns {
            return Err("expected several panels of columns".into());
        }
        let most = planned.scratch_bytes();
        if most > TASK_BYTES && most > tiling.scratch_bytes() {
            return Err(format!(
                "expected packed blocks of at most {TASK_BYTES} bytes, found {most}"
            ));
        }
        Ok(planned)
    }

    /// The plans that differ from another one in a choice, most promising first.
    pub fn variants(&self, plan: &Plan, knob: Knob) -> Vec<Plan> {
        let Ok(tiling) = self.tiling_by(plan) else {
            return Vec::new();
        };
        let plans: Vec<Plan> = match knob {
            Knob::Tile => {
                let tiles = self.tiles(&tiling).into_iter();
                // Blocks in tiles of another size are others.
                let tiled = |tile| Plan {
                    tile: Some(tile),
                    block_rows: None,
                    block_columns: None,
                    ..*plan
                };
                tiles.map(tiled).collect()
            }
            Knob::Loops => {
                let loops = Loops::ALL.iter().map(|(_, loops)| *loops);
                let looped = |loops| Plan {
                    loops: Some(loops),
                    ..*plan
                };
                loops.map(looped).collect()
            }
            Knob::K => RANGES
                .into_iter()
                .map(|k| Plan {
                    k: Some(k),
                    ..*plan
                })
                .collect(),
            Knob::Blocks => {
                let (rows, columns) = (tiling.block_rows, tiling.block_columns);
                let blocks = [
                    (2 * rows, columns),
                    (rows / 2, columns),
                    (rows, 2 * columns),
                    (rows, columns / 2),
                ];
                let blocks = blocks.into_iter().filter(|(rows, columns)| rows.min(columns) > &0);
                let blocked = |(rows, columns)| Plan {
                    block_rows: Some(rows),
                    block_columns: Some(columns),
                    ..*plan
                };
                blocks.map(blocked).collect()
            }
        };
        let mut seen = vec![tiling.choices()];
        plans
            .into_iter()
            .filter(|plan| {
                let choices = self.tiling_by(plan).map(|tiling| tiling.choices());
                choices.is_ok_and(|choices| {
                    let is_new = !seen.contains(&choices);
                    seen.push(choices);
                    is_new
                })
            })
            .collect()
    }

    /// Tiles of all widths that fill the registers, and with the fewest rows out of bounds.
    fn tiles(&self, tiling: &Tiling) -> Vec<(i64, i64)> {
        let rows = self.shape.rows;
        let registers = self.instructions.machine.vector_registers;
        let needed = ceil_div(self.shape.columns, tiling.tile.lanes);
        let mut tiles = Vec::new();
        for vectors in [2, 3, 4, 1].into_iter().filter(|vectors| *vectors <= needed) {
            let most = ((registers - 1 - vectors) / vectors).min(TILE.0).min(rows);
            let computed = |tile: &i64| (ceil_div(rows, *tile) * tile, -tile);
            let even = (most / 2 + 1..=most).min_by_key(computed);
            tiles.extend([Some(most), even].into_iter().flatten().map(|rows| (rows, vectors)));
        }
        tiles.dedup();
        tiles.retain(|tile| *tile != (tiling.tile.rows, tiling.tile.vectors));
        tiles.truncate(TILES);
        tiles
    }

    /// The sizes, types and surroundings of the product, which identify its plan on a machine:
    /// `1x256x512x64-f32-f32-f32-f32-mk-kn` is one product of 256 rows, 512 columns and a depth of
    /// 64, with the types of lhs, rhs, result and sums, and both operands row-major.
    pub fn signature(&self) -> String {
        let Shape {
            batch,
            rows,
            columns,
            depth,
            operands,
            accumulator,
            has_lhs_rows,
            has_cached_rows,
            has_rhs_rows,
            patches,
        } = self.shape;
        let mut text = format!("{batch}x{rows}x{columns}x{depth}");
        for operand in [LHS, RHS, RESULT].map(|number| operands[number]) {
            text += &format!("-{}", type_name(operand.element));
            text += match operand.conversion {
                None => "",
                Some(Extension::Signed) => "s",
                Some(Extension::Unsigned) => "u",
                Some(Extension::Float) => "x",
            };
            text += if operand.is_computed { "c" } else { "" };
        }
        text += &format!("-{}", type_name(accumulator));
        text += if has_lhs_rows { "-mk" } else { "-km" };
        text += if has_rhs_rows { "-kn" } else { "-nk" };
        for (flag, word) in [
            (has_cached_rows, "-cached"),
            (self.is_nested, "-nested"),
            (self.invariant_bytes > 0, "-invariant"),
        ] {
            text += if flag { word } else { "" };
        }
        if let Some(patches) = patches {
            text += &format!("-patches{}", patches.operand);
            text += &patches.run.map_or(String::new(), |run| format!("r{run}"));
            if let Some(window) = patches.window {
                let apart = if window.are_apart { "a" } else { "" };
                text += &format!(
                    "w{}x{}s{}p{}{apart}",
                    window.taps, window.pixel, window.step, window.places
                );
            }
        }
        text
    }
}

fn type_name(element: Element) -> String {
    let bits = element.bits.unwrap_or_default();
    element.float.map_or(format!("i{bits}"), |kind| {
        format!("{kind:?}").to_lowercase()
    })
}

impl Tiling {
    /// All choices, as a plan.
    pub fn choices(&self) -> Plan {
        Plan {
            tile: Some((self.tile.rows, self.tile.vectors)),
            loops: Some(self.loops),
            k: Some(self.block_k),
            block_rows: Some(self.block_rows),
            block_columns: Some(self.block_columns),
        }
    }

    /// Bytes that a task packs on its stack.
    fn scratch_bytes(&self) -> i64 {
        let bytes = self.shape.accumulator.bits.map_or(1, |bits| ceil_div(bits, 8));
        let of_panels = |packing: Packing, block: i64, width: i64| match packing {
            Packing::Panel => width,
            Packing::Block => block * width,
            _ => 0,
        };
        let across = of_panels(self.lhs, self.block_rows, self.tile.rows)
            + of_panels(self.rhs, self.block_columns, self.tile.columns);
        ceil_div(across * self.block_k * bytes, self.unit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contraction::isa::{Bf16Products, IntegerProducts, OuterProducts};
    use halo_core::machine::{Machine, X86_64_V3, X86_64_V4};
    use halo_ir::FloatKind;

    fn product(rows: i64, columns: i64, depth: i64, machine: Machine) -> Product {
        let element = Element {
            bits: Some(32),
            float: Some(FloatKind::F32),
        };
        let mut shape = Shape::of_bytes(depth, [Extension::Signed; 2]);
        (shape.rows, shape.columns, shape.accumulator) = (rows, columns, element);
        for operand in &mut shape.operands {
            (operand.element, operand.conversion) = (element, None);
        }
        Product {
            shape,
            instructions: Instructions {
                machine,
                sve: false,
                bf16_products: Bf16Products::None,
                integer_products: IntegerProducts::None,
                outer_products: OuterProducts::None,
                streaming_bits: 512,
            },
            is_nested: false,
            invariant_bytes: 0,
        }
    }

    fn plan(text: &str) -> Plan {
        text.parse().unwrap()
    }

    #[test]
    fn plans_are_read_as_they_are_written() {
        for text in [
            "",
            "tile=12x2",
            "tile=4x3/loops=held-panels/k=256/rows=8/columns=4",
        ] {
            assert_eq!(plan(text).to_string(), text);
        }
        for (text, wrong) in [
            ("tile=12", "tile=12"),
            ("k=256/loops=some", "loops=some"),
            ("k=0", "k=0"),
            ("rows=-1", "rows=-1"),
            ("columns=4/", ""),
            ("size=4", "size=4"),
        ] {
            assert_eq!(text.parse::<Plan>(), Err(wrong.to_owned()));
        }
    }

    #[test]
    fn plans_have_signatures() {
        let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
        let plans = Plans::parse(&texts(&["a:k=64", "b:", "*:k=32"])).unwrap();
        assert_eq!(plans.of_signature("a"), Some(&plan("k=64")));
        assert_eq!(plans.of_signature("b"), Some(&Plan::default()));
        assert_eq!(plans.of_signature("c"), Some(&plan("k=32")));
        let error = |text: &str| Plans::parse(&texts(&[text])).unwrap_err();
        assert_eq!(error("k=64"), "expected SIGNATURE:PLAN, found 'k=64'");
        assert_eq!(
            error("a:k=x"),
            "expected choices such as tile=8x2, loops=blocks, k=256, rows=4 or columns=2, found 'k=x'"
        );
    }

    #[test]
    fn signatures_have_all_that_plans_depend_on() {
        let of = product(256, 512, 64, X86_64_V3);
        assert_eq!(of.signature(), "1x256x512x64-f32-f32-f32-f32-mk-kn");
        let mut other = of;
        other.shape.has_rhs_rows = false;
        other.invariant_bytes = 1;
        other.shape.operands[RHS].is_computed = true;
        let expected = "1x256x512x64-f32-f32c-f32-f32-mk-nk-invariant";
        assert_eq!(other.signature(), expected);
    }

    #[test]
    fn choices_replace_those_of_the_model() {
        let product = product(600, 512, 1024, X86_64_V4);
        let of_model = product.tiling().unwrap().choices();
        assert_eq!(
            product.tiling_by(&Plan::default()).unwrap().choices(),
            of_model
        );
        let text = "tile=6x4/loops=blocks/k=128/rows=2/columns=3";
        let tiling = product.tiling_by(&plan(text)).unwrap();
        // Blocks of k have about equal lengths.
        assert_eq!(tiling.choices().to_string(), text);
        for (text, error) in [
            (
                "tile=16x4",
                "expected a tile of at most 16x8 in 32 registers",
            ),
            ("loops=row-block", "expected at most 512 rows in a block"),
            (
                "loops=few-rows",
                "expected the loops of the model for few rows and in parallel loops",
            ),
            (
                "rows=4096",
                "expected packed blocks of at most 114688 bytes, found",
            ),
        ] {
            let found = product.tiling_by(&plan(text)).unwrap_err();
            assert!(found.starts_with(error), "{found}");
        }
    }

    #[test]
    fn variants_differ_in_a_choice_and_fit() {
        for machine in [X86_64_V3, X86_64_V4] {
            let product = product(49, 512, 1024, machine);
            let of_model = product.tiling().unwrap().choices();
            for knob in Knob::ALL {
                let variants = product.variants(&Plan::default(), knob);
                assert!(!variants.is_empty(), "{knob:?}");
                let mut seen = vec![of_model];
                for variant in variants {
                    let choices = product.tiling_by(&variant).unwrap().choices();
                    assert!(!seen.contains(&choices), "{variant}");
                    seen.push(choices);
                }
            }
        }
    }
}
