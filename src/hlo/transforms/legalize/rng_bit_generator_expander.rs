//! `--rng-bit-generator-expander`: expands random bits to integer arithmetic.
//!
//! The generators compute each block of bits from a counter alone, so that all blocks are one
//! computation on tensors, which every backend vectorizes. The algorithms come from J. Salmon and
//! others, "Parallel Random Numbers: As Easy as 1, 2, 3" (2011), with counters and results arranged
//! as in XLA. `DEFAULT` is `PHILOX`.
//!
//! ```mlir
//! %next, %bits = stablehlo.rng_bit_generator %state, algorithm = PHILOX
//!   : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32>)
//! ```
//!
//! becomes, without the rounds,
//!
//! ```mlir
//! %number = stablehlo.iota dim = 0 : tensor<2xui64>
//! %counter = stablehlo.add %first, %number : tensor<2xui64>
//! // %x0, %x1, %x2, %x3 : tensor<2x1xui32> are made of the counter.
//! %blocks = stablehlo.concatenate %x0, %x1, %x2, %x3, dim = 1
//!   : (tensor<2x1xui32>, tensor<2x1xui32>, tensor<2x1xui32>, tensor<2x1xui32>) -> tensor<2x4xui32>
//! %bits = stablehlo.reshape %blocks : (tensor<2x4xui32>) -> tensor<8xui32>
//! ```

use super::formula::{Expression, Formula};
use halo_ir::{apply_greedily, prelude::*, stablehlo::attributes::RngAlgorithm};
use melior::ir::r#type::IntegerType;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "rng-bit-generator-expander",
    "Decompose rng_bit_generator into integer arithmetic",
    |pass| apply_greedily(pass, &patterns()),
)
.dependent_dialects(&["stablehlo"]);

fn patterns() -> Vec<Pattern<'static>> {
    vec![Pattern::new::<stablehlo::RngBitGeneratorOp>(expand)]
}

fn expand<'c>(b: &Builder<'c>, op: stablehlo::RngBitGeneratorOp<'c>) -> RewriteResult {
    let [next, bits] = [op.output_state(), op.output()].map(|result| result.ty());
    let dims = bits.static_shape().ok_or_else(|| no_match("a shape is dynamic"))?;
    let words = words(b, op.initial_state())?;
    let width = bits
        .element_type()
        .bit_width()
        .ok_or_else(|| no_match("the element type has no width"))?;
    let generator = Generator {
        b: *b,
        word: IntegerType::unsigned(b.context(), 64).into(),
        half: IntegerType::unsigned(b.context(), 32).into(),
        wide: width == 64,
    };
    let (words, drawn) = match op.rng_algorithm() {
        RngAlgorithm::ThreeFry => generator.three_fry(&words, &dims)?,
        RngAlgorithm::Philox | RngAlgorithm::Default => generator.philox(&words, &dims)?,
    };
    let state = generator.state(&words, next)?;
    let drawn = stablehlo::convert_elements(b, drawn, bits.element_type());
    b.replace(op.operation(), &[state, drawn]);
    Ok(())
}

/// A state as scalars of 64 bits, the lower half of each first.
fn words<'c>(b: &Builder<'c>, state: Value<'c>) -> RewriteResult<Vec<Value<'c>>> {
    let word: Type = IntegerType::unsigned(b.context(), 64).into();
    let element = state.ty().element_type();
    let count: i64 = state
        .ty()
        .static_shape()
        .ok_or_else(|| no_match("a shape is dynamic"))?
        .iter()
        .product();
    let width = element.integer_width().filter(|width| matches!(width, 32 | 64));
    let parts = i64::from(64 / width.ok_or_else(|| no_match("the state is not of 32 or 64 bits"))?);
    if !(2..=3).contains(&(count / parts)) {
        return Err(no_match("the state has another number of words"));
    }
    let flat = stablehlo::reshape(b, state, tensor_type(&[count], element));
    let scalar = |index: i64| {
        let part = stablehlo::vector_part(b, flat, index, index + 1);
        stablehlo::reshape(b, part, tensor_type(&[], element))
    };
    (0..count / parts)
        .map(|number| {
            let low = scalar(number * parts);
            let formula = Formula::new(b, low);
            let low = unsigned(b, formula.value(low)).convert(word);
            if parts == 1 {
                return formula.finish(low, tensor_type(&[], word));
            }
            let high = scalar(number * parts + 1);
            let high = unsigned(b, formula.value(high)).convert(word);
            formula.finish(low.or(high.shift_left(32)), tensor_type(&[], word))
        })
        .collect()
}

/// The bits of an integer as unsigned.
fn unsigned<'f, 'c>(b: &Builder<'c>, x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let width = x.element().and_then(Type::integer_width);
    match width {
        Some(width) if !x.element().is_some_and(Type::is_unsigned) => {
            x.bitcast(IntegerType::unsigned(b.context(), width).into())
        }
        _ => x,
    }
}

struct Generator<'c> {
    b: Builder<'c>,
    /// `ui64`
    word: Type<'c>,
    /// `ui32`
    half: Type<'c>,
    /// Set if elements use 64 bits of a block instead of 32.
    wide: bool,
}

impl<'c> Generator<'c> {
    /// A scalar, broadcast.
    fn repeat(&self, scalar: Value<'c>, count: i64) -> Value<'c> {
        let ty = tensor_type(&[count], scalar.ty().element_type());
        stablehlo::broadcast_in_dim(&self.b, scalar, &[], ty)
    }

    /// The indices of the blocks.
    fn numbers(&self, count: i64) -> RewriteResult<Value<'c>> {
        Ok(stablehlo::iota(
            &self.b,
            0,
            tensor_type(&[count], self.word),
        ))
    }

    /// `low | high << 32`
    fn join<'f>(&self, low: Expression<'f, 'c>, high: Expression<'f, 'c>) -> Expression<'f, 'c> {
        let high = high.convert(self.word).shift_left(32);
        low.convert(self.word).or(high)
    }

    fn low<'f>(&self, x: Expression<'f, 'c>) -> Expression<'f, 'c> {
        x.and(0xffff_ffff_i64).convert(self.half)
    }

    fn high<'f>(&self, x: Expression<'f, 'c>) -> Expression<'f, 'c> {
        x.shift_right_logical(32).convert(self.half)
    }

    /// Threefry-2x32 with 20 rounds.
    fn three_fry(
        &self,
        words: &[Value<'c>],
        dims: &[i64],
    ) -> RewriteResult<(Vec<Value<'c>>, Value<'c>)> {
        const ROTATIONS: [[i64; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
        // A block gives two adjacent elements along one dimension: the first of even size, or else
        // the largest.
        let full = if dims.is_empty() { &[1][..] } else { dims };
        let even = full.iter().position(|size| size % 2 == 0);
        let largest = full.iter().max();
        let split = even.or_else(|| full.iter().position(|size| Some(size) == largest));
        let split = split.unwrap_or(0);
        let mut halved = full.to_vec();
        if !self.wide {
            halved[split] = (halved[split] + 1) / 2;
        }
        let count: i64 = halved.iter().product();
        let numbers = self.numbers(count)?;
        let formula = Formula::new(&self.b, numbers);
        let counter = formula.value(self.repeat(words[1], count)) + formula.value(numbers);
        let key = formula.value(self.repeat(words[0], count));
        let (first, second) = (self.low(key), self.high(key));
        let keys = [first, second, first.xor(second).xor(0x1BD1_1BDA_i64)];
        let mut x = [self.low(counter) + keys[0], self.high(counter) + keys[1]];
        for group in 0..5 {
            for rotation in ROTATIONS[group % 2] {
                x[0] = x[0] + x[1];
                let rotated = x[1].shift_left(rotation);
                x[1] = rotated.or(x[1].shift_right_logical(32 - rotation)).xor(x[0]);
            }
            x[0] = x[0] + keys[(group + 1) % 3];
            x[1] = x[1] + keys[(group + 2) % 3] + x[1].integer(group as i64 + 1);
        }
        let next = self.advance(words[1], count)?;
        let state = vec![words[0], next];
        if self.wide {
            let drawn = formula.finish(self.join(x[0], x[1]), tensor_type(&[count], self.word))?;
            return Ok((state, self.shaped(drawn, dims)));
        }
        let [first, second] = x;
        let flat = tensor_type(&[count], self.half);
        let parts = [formula.finish(first, flat)?, formula.finish(second, flat)?];
        let mut paired = halved.clone();
        paired.insert(split + 1, 1);
        let drawn = self.interleave(&parts, &paired, split + 1);
        let mut padded = halved;
        padded[split] *= 2;
        let drawn = self.shaped(drawn, &padded);
        let drawn = self.part(drawn, full);
        Ok((state, self.shaped(drawn, dims)))
    }

    /// Philox-4x32 with 10 rounds. The counter has 128 bits; with a state of two
    /// words, its upper half is the key.
    fn philox(
        &self,
        words: &[Value<'c>],
        dims: &[i64],
    ) -> RewriteResult<(Vec<Value<'c>>, Value<'c>)> {
        let (low_word, high_word) = match words {
            [_, low, high] => (*low, *high),
            _ => (words[1], words[0]),
        };
        let per_block = if self.wide { 2 } else { 4 };
        let elements: i64 = dims.iter().product();
        let count = (elements + per_block - 1) / per_block;
        let numbers = self.numbers(count)?;
        let formula = Formula::new(&self.b, numbers);
        let first = formula.value(self.repeat(low_word, count));
        let counter = first + formula.value(numbers);
        let carry = counter.lt(first).convert(self.word);
        let upper = formula.value(self.repeat(high_word, count)) + carry;
        let mut x = [
            self.low(counter),
            self.high(counter),
            self.low(upper),
            self.high(upper),
        ];
        let key = formula.value(self.repeat(words[0], count));
        let mut key = [self.low(key), self.high(key)];
        for _ in 0..10 {
            let first = x[0].convert(self.word) * x[0].convert(self.word).integer(0xD251_1F53);
            let second = x[2].convert(self.word) * x[2].convert(self.word).integer(0xCD9E_8D57);
            x = [
                self.high(second).xor(x[1]).xor(key[0]),
                self.low(second),
                self.high(first).xor(x[3]).xor(key[1]),
                self.low(first),
            ];
            key[0] = key[0] + key[0].integer(0x9E37_79B9);
            key[1] = key[1] + key[1].integer(0xBB67_AE85);
        }
        let parts: Vec<Expression> = if self.wide {
            vec![self.join(x[0], x[1]), self.join(x[2], x[3])]
        } else {
            x.to_vec()
        };
        let element = if self.wide { self.word } else { self.half };
        let parts = parts
            .into_iter()
            .map(|part| formula.finish(part, tensor_type(&[count], element)))
            .collect::<Result<Vec<_>, _>>()?;
        let drawn = self.interleave(&parts, &[count, 1], 1);
        let drawn = self.shaped(drawn, &[count * per_block]);
        let drawn = self.shaped(self.part(drawn, &[elements]), dims);
        let next = self.advance(low_word, count)?;
        let mut state = vec![words[0], next];
        if words.len() == 3 {
            let scalar = Formula::new(&self.b, next);
            let carry = scalar.value(next).lt(scalar.value(low_word)).convert(self.word);
            let high = scalar.value(high_word) + carry;
            state.push(scalar.finish(high, tensor_type(&[], self.word))?);
        }
        Ok((state, drawn))
    }

    /// The counter after a number of blocks.
    fn advance(&self, counter: Value<'c>, count: i64) -> RewriteResult<Value<'c>> {
        let formula = Formula::new(&self.b, counter);
        let counter = formula.value(counter);
        formula.finish(
            counter + counter.integer(count),
            tensor_type(&[], self.word),
        )
    }

    /// Reshapes vectors, and concatenates them along a dimension.
    fn interleave(&self, parts: &[Value<'c>], dims: &[i64], dim: usize) -> Value<'c> {
        let shaped = parts.iter().map(|part| self.shaped(*part, dims)).collect::<Vec<_>>();
        stablehlo::concatenate(&self.b, &shaped, dim as i64)
    }

    fn shaped(&self, value: Value<'c>, dims: &[i64]) -> Value<'c> {
        let ty = tensor_type(dims, value.ty().element_type());
        if value.ty() == ty {
            return value;
        }
        stablehlo::reshape(&self.b, value, ty)
    }

    /// The first elements along each dimension.
    fn part(&self, value: Value<'c>, dims: &[i64]) -> Value<'c> {
        let ty = tensor_type(dims, value.ty().element_type());
        if value.ty() == ty {
            return value;
        }
        let (start, strides) = (vec![0; dims.len()], vec![1; dims.len()]);
        stablehlo::slice(&self.b, value, &start, dims, &strides)
    }

    /// Words as a state.
    fn state(&self, words: &[Value<'c>], ty: Type<'c>) -> RewriteResult<Value<'c>> {
        let element = ty.element_type();
        let narrow = element.integer_width() == Some(32);
        let mut parts = Vec::new();
        for word in words {
            let formula = Formula::new(&self.b, *word);
            let value = formula.value(*word);
            let halves = if narrow {
                vec![self.low(value), self.high(value)]
            } else {
                vec![value]
            };
            for half in halves {
                let half = half.bitcast(element);
                let half = formula.finish(half, tensor_type(&[], element))?;
                parts.push(self.shaped(half, &[1]));
            }
        }
        let joined = stablehlo::concatenate(&self.b, &parts, 0);
        let dims = ty.static_shape().ok_or_else(|| no_match("a shape is dynamic"))?;
        Ok(self.shaped(joined, &dims))
    }
}
