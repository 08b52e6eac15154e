//! A rule, and a rule under construction.

use halo_ir::prelude::*;

/// An operand or a result of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tensor {
    Operand(usize),
    Result(usize),
}

/// The combination of partial results of partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combiner {
    Add,
    Multiply,
    Maximum,
    Minimum,
    And,
    Or,
    /// The body of a reduction, which combines the partial values of all its results at once.
    Body,
}

impl Combiner {
    /// The op that combines two partial values, if it is a single op.
    pub fn op_name(self) -> Option<&'static str> {
        match self {
            Self::Add => Some("stablehlo.add"),
            Self::Multiply => Some("stablehlo.multiply"),
            Self::Maximum => Some("stablehlo.maximum"),
            Self::Minimum => Some("stablehlo.minimum"),
            Self::And => Some("stablehlo.and"),
            Self::Or => Some("stablehlo.or"),
            Self::Body => None,
        }
    }
}

/// The operand elements that a result position depends on, along a dimension: `extent` many from
/// `position * stride + offset`. Elements outside of the operand are padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub stride: i64,
    pub offset: i64,
    pub extent: i64,
}

/// The role of a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A part of the results depends on the same part of the operands.
    Parallel,
    /// Missing in the results: partitions compute partial results, which are combined.
    Reduced(Combiner),
    /// A part of the result depends on a window of the operand.
    Window(Window),
    /// A part of the result depends on the mirrored part of the operand.
    Mirrored,
    /// Must be whole on every partition.
    Whole,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor {
    /// The size; for a window or a whole factor, the size in the result.
    pub size: i64,
    pub kind: Kind,
}

/// For each dimension of a tensor its factors, from major to minor.
pub type Factors = Vec<Vec<usize>>;

/// The factors of an op.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    pub factors: Vec<Factor>,
    pub operands: Vec<Factors>,
    pub results: Vec<Factors>,
    /// The op moves elements or is elementwise, so that shardings of results also apply to the
    /// operands. Such ops propagate before others.
    pub is_pass_through: bool,
    /// For each operand, the start of its windows in the result: for a concatenation, one after the
    /// other. Empty if all are 0.
    pub starts: Vec<i64>,
    /// The op broadcasts its operand, whose sharding should not determine the result's, and
    /// propagates last.
    pub is_expanding: bool,
}

impl Rule {
    /// Several tensors of the same sizes with the same sharding.
    pub fn same_sizes(sizes: &[i64], count: usize) -> Self {
        let factors = sizes.iter().map(|size| Factor {
            size: *size,
            kind: Kind::Parallel,
        });
        let each: Factors = (0..sizes.len()).map(|factor| vec![factor]).collect();
        Self {
            factors: factors.collect(),
            operands: vec![each; count],
            is_pass_through: true,
            ..Self::default()
        }
    }

    /// The operands and results that have dimensions.
    pub fn tensors(&self) -> impl Iterator<Item = (Tensor, &Factors)> {
        let operands = self.operands.iter().enumerate();
        let results = self.results.iter().enumerate();
        operands
            .map(|(number, own)| (Tensor::Operand(number), own))
            .chain(results.map(|(number, own)| (Tensor::Result(number), own)))
            .filter(|(_, own)| !own.is_empty())
    }

    /// The window of an operand for a factor.
    pub fn window_of(&self, operand: usize, factor: Factor) -> Option<Window> {
        let Kind::Window(window) = factor.kind else {
            return None;
        };
        let start = self.starts.get(operand).copied().unwrap_or(0);
        Some(Window {
            offset: window.offset - start,
            ..window
        })
    }

    pub fn factors_of(&self, tensor: Tensor) -> &Factors {
        match tensor {
            Tensor::Operand(number) => &self.operands[number],
            Tensor::Result(number) => &self.results[number],
        }
    }
}

/// The sizes of a value that can be divided.
pub fn sizes_of(value: Value) -> Option<Vec<i64>> {
    let ty = value.ty();
    ty.static_shape().filter(|_| ty.is_tensor() && ty.encoding().is_none())
}

pub(super) type Build = fn(Operation, &mut Draft) -> Option<()>;

/// A rule under construction.
pub(super) struct Draft {
    pub(super) rule: Rule,
    pub(super) operands: Vec<Vec<i64>>,
    pub(super) results: Vec<Vec<i64>>,
}

impl Draft {
    pub(super) fn new(op: Operation) -> Self {
        let sizes = |values: Vec<Value>| -> Vec<Vec<i64>> {
            let own = values.into_iter().map(sizes_of);
            own.map(Option::unwrap_or_default).collect()
        };
        let (operands, results) = (sizes(op.operands()), sizes(op.results()));
        let empty = |all: &[Vec<i64>]| all.iter().map(|own| vec![Vec::new(); own.len()]).collect();
        Self {
            rule: Rule {
                operands: empty(&operands),
                results: empty(&results),
                ..Rule::default()
            },
            operands,
            results,
        }
    }

    pub(super) fn sizes(&self, tensor: Tensor) -> &[i64] {
        let own = match tensor {
            Tensor::Operand(number) => self.operands.get(number),
            Tensor::Result(number) => self.results.get(number),
        };
        own.map_or(&[], Vec::as_slice)
    }

    pub(super) fn rank(&self, tensor: Tensor) -> usize {
        self.sizes(tensor).len()
    }

    /// Appends a factor to dimensions.
    pub(super) fn factor(&mut self, size: i64, kind: Kind, at: &[(Tensor, usize)]) {
        let number = self.rule.factors.len();
        self.rule.factors.push(Factor { size, kind });
        for (tensor, dimension) in at {
            let own = match tensor {
                Tensor::Operand(number) => self.rule.operands.get_mut(*number),
                Tensor::Result(number) => self.rule.results.get_mut(*number),
            };
            if let Some(own) = own.and_then(|own| own.get_mut(*dimension)) {
                own.push(number);
            }
        }
    }

    /// Makes one factor of whole dimensions, except for dimensions with another size than the last.
    pub(super) fn dimensions(&mut self, kind: Kind, at: &[(Tensor, usize)]) {
        let size =
            |(tensor, dimension): &(Tensor, usize)| self.sizes(*tensor).get(*dimension).copied();
        let Some(own) = at.last().and_then(size) else {
            return;
        };
        // An empty window.
        let is_empty = at.iter().any(|one| size(one) == Some(0));
        let kind = match kind {
            Kind::Window(_) if is_empty => Kind::Whole,
            kind => kind,
        };
        let moves = !matches!(kind, Kind::Parallel | Kind::Reduced(_));
        let at = at.iter().copied();
        let at: Vec<_> = at.filter(|one| moves || size(one) == Some(own)).collect();
        self.factor(own, kind, &at);
    }

    pub(super) fn parallel(&mut self, at: &[(Tensor, usize)]) {
        self.dimensions(Kind::Parallel, at);
    }

    /// The remaining dimensions must be whole.
    pub(super) fn finish(mut self) -> Rule {
        let all = self.rule.tensors();
        let open = all.flat_map(|(tensor, own)| {
            let dims = own.iter().enumerate();
            dims.filter(|(_, factors)| factors.is_empty())
                .map(move |(dimension, _)| (tensor, dimension))
                .collect::<Vec<_>>()
        });
        for at in open.collect::<Vec<_>>() {
            self.dimensions(Kind::Whole, &[at]);
        }
        self.rule
    }
}

pub(super) fn index(number: i64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

pub(super) fn contains(numbers: &[i64], dimension: usize) -> bool {
    numbers.iter().any(|number| index(*number) == dimension)
}
