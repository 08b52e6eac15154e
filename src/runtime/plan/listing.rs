//! Plans as text, for people and for tests: a line for each step.

use std::fmt::{self, Display, Formatter};

use super::{
    BufferReference, ConditionalKind, FillPattern, Gemm, GemmMatrix, GemmPrecision, KernelArgument,
    Plan, Slice, Swizzle, TensorMap, TensorMapDimension, Thunk,
};

impl Display for BufferReference {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(number) => write!(formatter, "input {number}"),
            Self::Output(number) => write!(formatter, "output {number}"),
            Self::Arena => formatter.write_str("arena"),
            Self::Constant(number) => write!(formatter, "constant {number}"),
        }
    }
}

impl Display for Slice {
    /// `arena[64..80]`: the first byte, and the exclusive end.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let end = u128::from(self.offset) + u128::from(self.size);
        write!(formatter, "{}[{}..{end}]", self.buffer, self.offset)
    }
}

impl Display for KernelArgument {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Buffer(slice) => slice.fmt(formatter),
            Self::Scalar(bytes) => {
                formatter.write_str("0x")?;
                let mut bytes = bytes.iter().rev();
                bytes.try_for_each(|byte| write!(formatter, "{byte:02x}"))
            }
            Self::Counter(body) => write!(formatter, "counter of sequence {body}"),
            Self::TensorMap(map) => map.fmt(formatter),
        }
    }
}

impl Display for TensorMap {
    /// `map of arena[0..8192] bf16 sizes 64x64 strides 2,128 box 64x32 swizzle 128`: the contiguous
    /// dimension first.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let of = |number: fn(&TensorMapDimension) -> u64, separator| {
            let numbers: Vec<String> =
                self.dimensions.iter().map(|dimension| number(dimension).to_string()).collect();
            numbers.join(separator)
        };
        let swizzle = match self.swizzle {
            Swizzle::None => "",
            Swizzle::Bytes128 => " swizzle 128",
        };
        write!(
            formatter,
            "map of {} {} sizes {} strides {} box {}{swizzle}",
            self.slice,
            self.element_type,
            of(|dimension| dimension.size, "x"),
            of(|dimension| dimension.stride, ","),
            of(|dimension| dimension.box_size.into(), "x"),
        )
    }
}

impl Display for FillPattern {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Byte(byte) => write!(formatter, "{byte:#04x}"),
            Self::Half(half) => write!(formatter, "{half:#06x}"),
            Self::Word(word) => write!(formatter, "{word:#010x}"),
        }
    }
}

impl Display for Plan {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let target = &self.target;
        writeln!(
            formatter,
            "plan for {} {}: {}",
            target.platform, target.architecture, self.signature
        )?;
        writeln!(formatter, "arena: {} bytes", self.arena_size)?;
        for (number, constant) in self.constants.iter().enumerate() {
            writeln!(formatter, "constant {number}: {} bytes", constant.len())?;
        }
        for (number, kernel) in self.kernels.iter().enumerate() {
            write!(formatter, "kernel {number}: {}", kernel.name)?;
            match kernel.static_shared_memory {
                0 => writeln!(formatter)?,
                bytes => writeln!(formatter, ", {bytes} bytes of shared memory")?,
            }
        }
        for (number, site) in self.custom_calls.iter().enumerate() {
            writeln!(formatter, "custom call {number}: @{}", site.target)?;
        }
        for (number, sequence) in self.sequences.iter().enumerate() {
            writeln!(formatter, "sequence {number}:")?;
            for thunk in sequence {
                writeln!(formatter, "  {}", Step { plan: self, thunk })?;
            }
        }
        Ok(())
    }
}

/// A step with the plan that its kernels and calls belong to.
struct Step<'a> {
    plan: &'a Plan,
    thunk: &'a Thunk,
}

impl Display for Step<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self.thunk {
            Thunk::Launch {
                kernel,
                grid: [x, y, z],
                block: [width, height, depth],
                dynamic_shared_memory,
                arguments,
            } => {
                let name = self.plan.kernels.get(*kernel as usize);
                let name = name.map_or("?", |kernel| &kernel.name);
                write!(
                    formatter,
                    "launch {name} grid {x}x{y}x{z} block {width}x{height}x{depth}"
                )?;
                if *dynamic_shared_memory > 0 {
                    write!(formatter, " shared {dynamic_shared_memory}")?;
                }
                write!(formatter, " ({})", list(arguments))
            }
            Thunk::Copy { source, target } => write!(formatter, "copy {source} to {target}"),
            Thunk::Fill { target, pattern } => write!(formatter, "fill {target} with {pattern}"),
            Thunk::Gemm(gemm) => gemm.fmt(formatter),
            Thunk::CustomCall {
                site,
                operands,
                results,
            } => {
                let target = self.plan.custom_calls.get(*site as usize);
                let target = target.map_or("?", |site| &site.target);
                let (operands, results) = (list(operands), list(results));
                write!(formatter, "call @{target} ({operands}) to ({results})")
            }
            Thunk::While {
                condition,
                predicate,
                body,
            } => write!(
                formatter,
                "while {predicate} after sequence {condition}: sequence {body}"
            ),
            Thunk::Conditional {
                kind,
                index,
                branches,
            } => {
                let kind = match kind {
                    ConditionalKind::Predicate => "if",
                    ConditionalKind::Index => "case",
                };
                write!(formatter, "{kind} {index}: sequences {}", list(branches))
            }
            Thunk::For {
                lower,
                upper,
                step,
                body,
            } => write!(
                formatter,
                "for {lower} to {upper} by {step}: sequence {body}"
            ),
        }
    }
}

impl Display for Gemm {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Self { batch, m, n, k, .. } = self;
        write!(formatter, "gemm {m}x{k} by {k}x{n}")?;
        if *batch > 1 {
            write!(formatter, " batch {batch}")?;
        }
        match self.precision {
            GemmPrecision::Full => {}
            GemmPrecision::Tf32 => formatter.write_str(" in tf32")?,
            GemmPrecision::Bf16 => formatter.write_str(" in bf16")?,
        }
        let [a, b, c] = [&self.a, &self.b, &self.c].map(matrix);
        write!(formatter, " ({a}, {b}) to ({c})")
    }
}

fn matrix(matrix: &GemmMatrix) -> String {
    let transposed = if matrix.transposed { " transposed" } else { "" };
    let GemmMatrix {
        slice,
        element_type,
        leading_dimension,
        ..
    } = matrix;
    format!("{slice} {element_type} rows every {leading_dimension}{transposed}")
}

fn list(items: &[impl Display]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    items.join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::sample::everything;

    #[test]
    fn every_step_has_a_line() {
        assert_eq!(
            everything().to_string(),
            "\
plan for fake fake_2: @main(tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
arena: 256 bytes
constant 0: 16 bytes
kernel 0: add
kernel 1: scale
kernel 2: count
custom call 0: @twice
sequence 0:
  copy input 0[0..16] to arena[0..16]
  fill arena[64..68] with 0x00000007
  launch add grid 1x1x1 block 4x1x1 (arena[0..16], constant 0[0..16], output 1[0..16])
  gemm 2x2 by 2x2 (input 0[0..16] f32 rows every 2, input 1[0..16] f32 rows every 2 transposed) \
to (output 0[0..16] f32 rows every 2)
  call @twice (arena[0..16]) to (arena[16..32])
  while arena[64..65] after sequence 1: sequence 2
  for -1 to 3 by 2: sequence 3
sequence 1:
sequence 2:
  case arena[64..68]: sequences 4, 5
sequence 3:
  launch count grid 1x1x1 block 4x1x1 (counter of sequence 3, output 1[0..16], 0x00000001)
sequence 4:
sequence 5:
"
        );
    }
}
