//! Arithmetic on scalars.
//!
//! Integers are computed in 32 or 64 bits, which C does not promote, and results of other widths
//! are truncated. Values of f16 are computed in f32. Rounding the result is exact for sums,
//! products, quotients and square roots, since f32 has more than twice as many digits.

use super::super::c_code::{Binary, CCode, boolean, signed, unsigned, value_types};
use super::constants;
use halo_ir::{
    conversion::{Conversion, Lowered, OpConversion},
    ops::{
        complex,
        emitc::{self, CmpPredicate},
        math, ub,
    },
    prelude::*,
};

/// Adds the lowerings of `arith`, `complex` and `math`.
pub fn add(conversion: Conversion) -> Conversion {
    conversion
        .lowering_of("arith", 0, |op| Scalar::of(op)?.arith())
        .lowering_of("math", 0, |op| Scalar::of(op)?.math())
        .lowering::<complex::ConstantOp>(0, |op, constant| {
            let parts = constant.value().into_iter().zip(&op.results);
            parts
                .map(|(value, ty)| constants::scalar(CCode(&op.builder), value, *ty))
                .collect()
        })
        .lowering::<complex::CreateOp>(0, |op, _| Ok(op.operands.clone()))
        .lowering::<complex::ReOp>(0, |op, _| Ok(op.operands[..1].to_vec()))
        .lowering::<complex::ImOp>(0, |op, _| Ok(op.operands[1..].to_vec()))
        .lowering::<ub::PoisonOp>(0, |op, _| {
            let code = CCode(&op.builder);
            let results = op.results.iter();
            Ok(results.map(|ty| code.literal("0", *ty)).collect())
        })
}

/// The C library function of a `math` op, if the library has it for `float` and `double`.
fn library_function(name: &str) -> Option<&'static str> {
    Some(match name {
        math::AbsFOp::NAME => "fabs",
        math::AcosOp::NAME => "acos",
        math::AcoshOp::NAME => "acosh",
        math::AsinOp::NAME => "asin",
        math::AsinhOp::NAME => "asinh",
        math::AtanOp::NAME => "atan",
        math::Atan2Op::NAME => "atan2",
        math::AtanhOp::NAME => "atanh",
        math::CbrtOp::NAME => "cbrt",
        math::CeilOp::NAME => "ceil",
        math::CopySignOp::NAME => "copysign",
        math::CosOp::NAME => "cos",
        math::CoshOp::NAME => "cosh",
        math::ErfOp::NAME => "erf",
        math::ErfcOp::NAME => "erfc",
        math::ExpOp::NAME => "exp",
        math::Exp2Op::NAME => "exp2",
        math::ExpM1Op::NAME => "expm1",
        math::FloorOp::NAME => "floor",
        math::FmaOp::NAME => "fma",
        math::LogOp::NAME => "log",
        math::Log10Op::NAME => "log10",
        math::Log1pOp::NAME => "log1p",
        math::Log2Op::NAME => "log2",
        math::PowFOp::NAME => "pow",
        math::RoundOp::NAME => "round",
        // In the default rounding mode.
        math::RoundEvenOp::NAME => "nearbyint",
        math::SinOp::NAME => "sin",
        math::SinhOp::NAME => "sinh",
        math::SqrtOp::NAME => "sqrt",
        math::TanOp::NAME => "tan",
        math::TanhOp::NAME => "tanh",
        math::TruncOp::NAME => "trunc",
        _ => return None,
    })
}

/// The signedness of an op's operands.
#[derive(Clone, Copy, PartialEq)]
enum Sign {
    Signed,
    Unsigned,
}
use Sign::{Signed, Unsigned};

impl Sign {
    /// The prefix of type and function names.
    fn letter(self) -> &'static str {
        match self {
            Signed => "i",
            Unsigned => "u",
        }
    }

    /// The integer type of so many bits.
    fn integer(self, context: &Context, bits: u32) -> Type<'_> {
        match self {
            Signed => signed(context, bits),
            Unsigned => unsigned(context, bits),
        }
    }
}

/// The C operator of an integer op.
fn integer_operator(name: &str) -> Option<(Binary, Sign)> {
    let binary: (Binary, Sign) = match name {
        arith::AddIOp::NAME => (emitc::add, Unsigned),
        arith::SubIOp::NAME => (emitc::sub, Unsigned),
        arith::MulIOp::NAME => (emitc::mul, Unsigned),
        arith::DivSIOp::NAME => (emitc::div, Signed),
        arith::DivUIOp::NAME => (emitc::div, Unsigned),
        arith::RemSIOp::NAME => (emitc::rem, Signed),
        arith::RemUIOp::NAME => (emitc::rem, Unsigned),
        arith::AndIOp::NAME => (emitc::bitwise_and, Unsigned),
        arith::OrIOp::NAME => (emitc::bitwise_or, Unsigned),
        arith::XOrIOp::NAME => (emitc::bitwise_xor, Unsigned),
        arith::ShLIOp::NAME => (emitc::bitwise_left_shift, Unsigned),
        arith::ShRSIOp::NAME => (emitc::bitwise_right_shift, Signed),
        arith::ShRUIOp::NAME => (emitc::bitwise_right_shift, Unsigned),
        _ => return None,
    };
    Some(binary)
}

/// The preamble function of an integer op.
fn integer_function(name: &str) -> Option<(&'static str, Sign)> {
    Some(match name {
        arith::CeilDivSIOp::NAME => ("ceildiv", Signed),
        arith::CeilDivUIOp::NAME => ("ceildiv", Unsigned),
        arith::FloorDivSIOp::NAME => ("floordiv", Signed),
        _ => return None,
    })
}

fn extremum(name: &str) -> Option<(CmpPredicate, Sign)> {
    Some(match name {
        arith::MaxSIOp::NAME => (CmpPredicate::Gt, Signed),
        arith::MaxUIOp::NAME => (CmpPredicate::Gt, Unsigned),
        arith::MinSIOp::NAME => (CmpPredicate::Lt, Signed),
        arith::MinUIOp::NAME => (CmpPredicate::Lt, Unsigned),
        _ => return None,
    })
}

fn float_operator(name: &str) -> Option<Binary> {
    Some(match name {
        arith::AddFOp::NAME => emitc::add,
        arith::SubFOp::NAME => emitc::sub,
        arith::MulFOp::NAME => emitc::mul,
        arith::DivFOp::NAME => emitc::div,
        _ => return None,
    })
}

/// The C library or preamble function of a float op.
fn float_function(name: &str) -> Option<&'static str> {
    Some(match name {
        arith::RemFOp::NAME => "fmod",
        arith::MaxNumFOp::NAME => "fmax",
        arith::MinNumFOp::NAME => "fmin",
        arith::MaximumFOp::NAME => "halo_maximum",
        arith::MinimumFOp::NAME => "halo_minimum",
        _ => return None,
    })
}

/// Returns true if C has an integer type of so many bits.
fn has_type(width: u32) -> bool {
    matches!(width, 8 | 16 | 32 | 64)
}

/// An op on scalars.
struct Scalar<'a, 'c> {
    op: OpConversion<'a, 'c>,
    /// The types of its operands and results in MLIR.
    operands: Vec<Type<'c>>,
    results: Vec<Type<'c>>,
}

impl<'a, 'c> Scalar<'a, 'c> {
    fn of(op: OpConversion<'a, 'c>) -> RewriteResult<Self> {
        let operands = op.op.operands().iter().map(|value| value.ty()).collect();
        let scalar = Self {
            operands,
            results: op.op.result_types(),
            op,
        };
        let mut types = scalar.operands.iter().chain(&scalar.results);
        let context = scalar.op.builder.context();
        match types.find(|ty| value_types(context, **ty).is_none()) {
            None => Ok(scalar),
            Some(ty) => Err(no_match(format!("C has no type {ty}"))),
        }
    }

    fn code(&self) -> CCode<'_, 'c> {
        CCode(&self.op.builder)
    }

    fn name(&self) -> &str {
        self.op.op.name()
    }

    /// The C type of computations on an integer.
    fn wide_type(&self, ty: Type<'c>, sign: Sign) -> Type<'c> {
        let bits = match ty.integer_width() {
            Some(width) if width <= 32 => 32,
            _ => 64,
        };
        sign.integer(self.op.builder.context(), bits)
    }

    /// An integer operand, extended to its C type.
    fn integer(&self, number: usize, sign: Sign) -> RewriteResult<Value<'c>> {
        let value = self.op.operand(number)?;
        let ty = self.operands[number];
        let (code, wide) = (self.code(), self.wide_type(ty, sign));
        let context = self.op.builder.context();
        match (sign, ty.integer_width()) {
            // A set bit is -1, the least signed value of one bit.
            (Signed, Some(1)) => {
                let value = code.cast(value, wide)?;
                Ok(code.binary(emitc::sub, code.integer(0, wide), value))
            }
            (Signed, Some(width)) if has_type(width) => {
                code.cast(code.cast(value, signed(context, width))?, wide)
            }
            // Sign-extends by a left shift and an arithmetic right shift.
            (Signed, Some(width)) => {
                let bits = self.wide_type(ty, Unsigned);
                let others = u64::from(bits.bit_width().unwrap_or(64) - width);
                let value = code.cast(value, bits)?;
                let high =
                    code.binary(emitc::bitwise_left_shift, value, code.integer(others, bits));
                let others = code.integer(others, wide);
                Ok(code.binary(emitc::bitwise_right_shift, code.cast(high, wide)?, others))
            }
            _ => code.cast(value, wide),
        }
    }

    /// Truncates an integer to the type of a result.
    fn narrowed(&self, value: Value<'c>, number: usize) -> RewriteResult<Value<'c>> {
        let code = self.code();
        match self.results[number].integer_width() {
            Some(1) if value.ty() != boolean(self.op.builder.context()) => {
                let (one, zero) = (code.integer(1, value.ty()), code.integer(0, value.ty()));
                let bit = code.binary(emitc::bitwise_and, value, one);
                Ok(code.compare(CmpPredicate::Ne, bit, zero))
            }
            Some(width) if width != 1 && !has_type(width) => {
                let mask = code.integer((1 << width) - 1, value.ty());
                let kept = code.binary(emitc::bitwise_and, value, mask);
                code.cast(kept, self.op.results[number])
            }
            _ => code.cast(value, self.op.results[number]),
        }
    }

    /// A float operand, extended to its C type.
    fn float(&self, number: usize) -> RewriteResult<Value<'c>> {
        let value = self.op.operand(number)?;
        match self.operands[number].float_kind() {
            Some(FloatKind::F32 | FloatKind::F64) => Ok(value),
            Some(FloatKind::F16) => Ok(self.code().call("halo_f16_to_f32", &[value], self.f32())),
            _ => Err(no_match("C has no arithmetic of this type")),
        }
    }

    fn f32(&self) -> Type<'c> {
        Type::float32(self.op.builder.context())
    }

    /// Rounds a float to the type of the result.
    fn rounded(&self, value: Value<'c>) -> Lowered<'c> {
        let code = self.code();
        let result = self.op.result()?;
        Ok(vec![match self.results[0].float_kind() {
            Some(FloatKind::F32 | FloatKind::F64) => code.cast(value, result)?,
            Some(FloatKind::F16) => {
                let from = self.suffix(value.ty());
                code.call(&format!("halo_{from}_to_f16"), &[value], result)
            }
            _ => return Err(no_match("C has no arithmetic of this type")),
        }])
    }

    fn suffix(&self, float: Type<'c>) -> &'static str {
        if float == self.f32() { "f32" } else { "f64" }
    }

    fn floats(&self) -> Lowered<'c> {
        (0..self.operands.len()).map(|number| self.float(number)).collect()
    }

    /// A call of a C library function.
    fn library(&self, name: &str) -> Lowered<'c> {
        let operands = self.floats()?;
        let ty = operands.first().map_or(self.f32(), |value| value.ty());
        let suffix = if ty == self.f32() { "f" } else { "" };
        self.rounded(self.code().call(&format!("{name}{suffix}"), &operands, ty))
    }

    fn arith(&self) -> Lowered<'c> {
        let (code, name) = (self.code(), self.name());
        if let Some((operator, sign)) = integer_operator(name) {
            return self.integer_binary(operator, sign);
        }
        if let Some((function, sign)) = integer_function(name) {
            let operands = [self.integer(0, sign)?, self.integer(1, sign)?];
            let ty = operands[0].ty();
            let word = sign.letter();
            let function = format!("halo_{function}_{word}{}", ty.bit_width().unwrap_or(64));
            return Ok(vec![self.narrowed(code.call(&function, &operands, ty), 0)?]);
        }
        if let Some((predicate, sign)) = extremum(name) {
            let holds = code.compare(predicate, self.integer(0, sign)?, self.integer(1, sign)?);
            return self.conditional(holds, 0);
        }
        if let Some(operator) = float_operator(name) {
            return self.rounded(code.binary(operator, self.float(0)?, self.float(1)?));
        }
        if let Some(function) = float_function(name) {
            return self.library(function);
        }
        match name {
            arith::BitcastOp::NAME => self.bitcast(),
            arith::CmpFOp::NAME => self.compare_floats(),
            arith::CmpIOp::NAME => self.compare_integers(),
            arith::ConstantOp::NAME => {
                let constant = self.op.op_as::<arith::ConstantOp>()?;
                Ok(vec![constants::scalar(
                    code,
                    constant.value(),
                    self.op.result()?,
                )?])
            }
            arith::ExtFOp::NAME => self.rounded(self.float(0)?),
            arith::TruncFOp::NAME => self.rounded(self.float(0)?),
            arith::ExtSIOp::NAME | arith::IndexCastOp::NAME => self.resize(Signed),
            arith::ExtUIOp::NAME | arith::IndexCastUIOp::NAME | arith::TruncIOp::NAME => {
                self.resize(Unsigned)
            }
            arith::FPToSIOp::NAME => self.to_integer(Signed),
            arith::FPToUIOp::NAME => self.to_integer(Unsigned),
            arith::SIToFPOp::NAME => self.of_integer(Signed),
            arith::UIToFPOp::NAME => self.of_integer(Unsigned),
            arith::NegFOp::NAME => {
                let value = self.float(0)?;
                let negated = emitc::unary_minus(code.0, value, value.ty());
                self.rounded(negated)
            }
            arith::SelectOp::NAME => {
                let condition = self.op.operand(0)?;
                let (then, otherwise) = (self.op.parts(1)?, self.op.parts(2)?);
                let parts = then.iter().zip(otherwise);
                let select = |(then, otherwise): (&Value<'c>, &Value<'c>)| {
                    code.conditional(condition, *then, *otherwise)
                };
                Ok(parts.map(select).collect())
            }
            arith::MulSIExtendedOp::NAME => self.whole_product(Signed),
            arith::MulUIExtendedOp::NAME => self.whole_product(Unsigned),
            arith::AddUIExtendedOp::NAME => {
                let (lhs, rhs) = (self.integer(0, Unsigned)?, self.integer(1, Unsigned)?);
                let sum = self.narrowed(code.binary(emitc::add, lhs, rhs), 0)?;
                let wide = code.cast(sum, lhs.ty())?;
                Ok(vec![sum, code.compare(CmpPredicate::Lt, wide, lhs)])
            }
            _ => Err(no_match("C has no such operator")),
        }
    }

    /// Arithmetic of an index does not overflow.
    fn integer_binary(&self, operator: Binary, sign: Sign) -> Lowered<'c> {
        let is_unsigned_alone = matches!(
            self.name(),
            arith::DivUIOp::NAME | arith::RemUIOp::NAME | arith::ShRUIOp::NAME
        );
        let sign = if self.results[0].is_index() && !is_unsigned_alone {
            Signed
        } else {
            sign
        };
        let (lhs, rhs) = (self.integer(0, sign)?, self.integer(1, sign)?);
        Ok(vec![
            self.narrowed(self.code().binary(operator, lhs, rhs), 0)?,
        ])
    }

    /// Selects between two operands by a condition.
    fn conditional(&self, holds: Value<'c>, first: usize) -> Lowered<'c> {
        let (then, otherwise) = (self.op.operand(first)?, self.op.operand(first + 1)?);
        Ok(vec![self.code().conditional(holds, then, otherwise)])
    }

    fn resize(&self, sign: Sign) -> Lowered<'c> {
        let (code, value) = (self.code(), self.integer(0, sign)?);
        let wide = self.wide_type(self.results[0], sign);
        Ok(vec![self.narrowed(code.cast(value, wide)?, 0)?])
    }

    fn of_integer(&self, sign: Sign) -> Lowered<'c> {
        let ty = match self.results[0].float_kind() {
            Some(FloatKind::F64) => self.op.result()?,
            _ => self.f32(),
        };
        self.rounded(self.code().cast(self.integer(0, sign)?, ty)?)
    }

    /// Calls a helper, since conversions of out-of-range floats are undefined in C.
    fn to_integer(&self, sign: Sign) -> Lowered<'c> {
        let (code, value) = (self.code(), self.float(0)?);
        let wide = self.wide_type(self.results[0], sign);
        let word = sign.letter();
        let function = format!(
            "halo_{}_to_{word}{}",
            self.suffix(value.ty()),
            wide.bit_width().unwrap_or(64)
        );
        Ok(vec![
            self.narrowed(code.call(&function, &[value], wide), 0)?,
        ])
    }

    fn bitcast(&self) -> Lowered<'c> {
        let value = self.op.operand(0)?;
        let (code, result) = (self.code(), self.op.result()?);
        let bits = value.ty().bit_width().unwrap_or(64);
        Ok(vec![match (value.ty().is_float(), result.is_float()) {
            (true, false) => code.call(&format!("halo_f{bits}_as_u{bits}"), &[value], result),
            (false, true) => code.call(&format!("halo_u{bits}_as_f{bits}"), &[value], result),
            _ => code.cast(value, result)?,
        }])
    }

    fn compare_integers(&self) -> Lowered<'c> {
        let predicate = self.op.op_as::<arith::CmpIOp>()?.predicate();
        let (predicate, sign) = match predicate {
            CmpIPredicate::Eq => (CmpPredicate::Eq, None),
            CmpIPredicate::Ne => (CmpPredicate::Ne, None),
            CmpIPredicate::Slt => (CmpPredicate::Lt, Some(Signed)),
            CmpIPredicate::Sle => (CmpPredicate::Le, Some(Signed)),
            CmpIPredicate::Sgt => (CmpPredicate::Gt, Some(Signed)),
            CmpIPredicate::Sge => (CmpPredicate::Ge, Some(Signed)),
            CmpIPredicate::Ult => (CmpPredicate::Lt, Some(Unsigned)),
            CmpIPredicate::Ule => (CmpPredicate::Le, Some(Unsigned)),
            CmpIPredicate::Ugt => (CmpPredicate::Gt, Some(Unsigned)),
            CmpIPredicate::Uge => (CmpPredicate::Ge, Some(Unsigned)),
        };
        let operand = |number| match sign {
            Some(sign) => self.integer(number, sign),
            None => self.op.operand(number),
        };
        Ok(vec![self.code().compare(
            predicate,
            operand(0)?,
            operand(1)?,
        )])
    }

    /// An unordered comparison is the negation of an ordered one.
    fn compare_floats(&self) -> Lowered<'c> {
        let code = self.code();
        let (lhs, rhs) = (self.float(0)?, self.float(1)?);
        let compare = |predicate| code.compare(predicate, lhs, rhs);
        let not = |value: Value<'c>| -> RewriteResult<Value<'c>> {
            Ok(emitc::logical_not(code.0, value, value.ty()))
        };
        let differs = || -> RewriteResult<Value<'c>> {
            let (less, greater) = (compare(CmpPredicate::Lt), compare(CmpPredicate::Gt));
            Ok(code.binary(emitc::logical_or, less, greater))
        };
        let is_ordered = || -> RewriteResult<Value<'c>> {
            let (lhs, rhs) = (
                code.compare(CmpPredicate::Eq, lhs, lhs),
                code.compare(CmpPredicate::Eq, rhs, rhs),
            );
            Ok(code.binary(emitc::logical_and, lhs, rhs))
        };
        Ok(vec![match self.op.op_as::<arith::CmpFOp>()?.predicate() {
            CmpFPredicate::AlwaysFalse => code.integer(0, self.op.result()?),
            CmpFPredicate::AlwaysTrue => code.integer(1, self.op.result()?),
            CmpFPredicate::Oeq => compare(CmpPredicate::Eq),
            CmpFPredicate::Ogt => compare(CmpPredicate::Gt),
            CmpFPredicate::Oge => compare(CmpPredicate::Ge),
            CmpFPredicate::Olt => compare(CmpPredicate::Lt),
            CmpFPredicate::Ole => compare(CmpPredicate::Le),
            CmpFPredicate::One => differs()?,
            CmpFPredicate::Ord => is_ordered()?,
            CmpFPredicate::Ueq => not(differs()?)?,
            CmpFPredicate::Ugt => not(compare(CmpPredicate::Le))?,
            CmpFPredicate::Uge => not(compare(CmpPredicate::Lt))?,
            CmpFPredicate::Ult => not(compare(CmpPredicate::Ge))?,
            CmpFPredicate::Ule => not(compare(CmpPredicate::Gt))?,
            CmpFPredicate::Une => compare(CmpPredicate::Ne),
            CmpFPredicate::Uno => not(is_ordered()?)?,
        }])
    }

    /// The low and the high half of a product.
    fn whole_product(&self, sign: Sign) -> Lowered<'c> {
        let code = self.code();
        let (lhs, rhs) = (self.integer(0, sign)?, self.integer(1, sign)?);
        let word = sign.letter();
        let width = self.results[0].integer_width().unwrap_or(64);
        if width > 32 {
            let high = code.call(
                &format!("halo_high_product_{word}64"),
                &[lhs, rhs],
                lhs.ty(),
            );
            let (lhs, rhs) = (self.integer(0, Unsigned)?, self.integer(1, Unsigned)?);
            let low = code.binary(emitc::mul, lhs, rhs);
            return Ok(vec![self.narrowed(low, 0)?, self.narrowed(high, 1)?]);
        }
        let wide = sign.integer(self.op.builder.context(), 64);
        let product = code.binary(emitc::mul, code.cast(lhs, wide)?, code.cast(rhs, wide)?);
        let shift = code.integer(u64::from(width), wide);
        let high = code.binary(emitc::bitwise_right_shift, product, shift);
        Ok(vec![self.narrowed(product, 0)?, self.narrowed(high, 1)?])
    }

    fn math(&self) -> Lowered<'c> {
        let (code, name) = (self.code(), self.name());
        if let Some(function) = library_function(name) {
            return self.library(function);
        }
        match name {
            math::AbsIOp::NAME => {
                let (value, bits) = (self.integer(0, Signed)?, self.integer(0, Unsigned)?);
                let zero = code.integer(0, value.ty());
                let is_negative = code.compare(CmpPredicate::Lt, value, zero);
                let negated = code.binary(emitc::sub, code.integer(0, bits.ty()), bits);
                let absolute = code.conditional(is_negative, negated, bits);
                Ok(vec![self.narrowed(absolute, 0)?])
            }
            math::RsqrtOp::NAME => {
                let value = self.float(0)?;
                let ty = value.ty();
                let root = if ty == self.f32() { "sqrtf" } else { "sqrt" };
                let one = constants::scalar(code, halo_ir::float_attribute(ty, 1.0), ty)?;
                let root = code.call(root, &[value], ty);
                self.rounded(code.binary(emitc::div, one, root))
            }
            math::IsNaNOp::NAME => {
                let value = self.float(0)?;
                Ok(vec![code.compare(CmpPredicate::Ne, value, value)])
            }
            math::IsFiniteOp::NAME => self.classify("isfinite"),
            math::IsInfOp::NAME => self.classify("isinf"),
            math::CountLeadingZerosOp::NAME => self.count_bits("leading_zeros"),
            math::CountTrailingZerosOp::NAME => self.count_bits("trailing_zeros"),
            math::CtPopOp::NAME => self.count_bits("ones"),
            _ => Err(no_match("C has no such function")),
        }
    }

    fn classify(&self, function: &str) -> Lowered<'c> {
        let int = signed(self.op.builder.context(), 32);
        let class = self.code().call(function, &[self.float(0)?], int);
        let zero = self.code().integer(0, int);
        Ok(vec![self.code().compare(CmpPredicate::Ne, class, zero)])
    }

    /// Counts of the bits of an integer.
    fn count_bits(&self, what: &str) -> Lowered<'c> {
        let (code, value) = (self.code(), self.integer(0, Unsigned)?);
        let ty = value.ty();
        let bits = ty.bit_width().unwrap_or(64);
        let width = self.results[0].integer_width().unwrap_or(64);
        let count = |value| code.call(&format!("halo_{what}_u{bits}"), &[value], ty);
        let counted = match what {
            // Subtracts the leading zeros of the extension.
            "leading_zeros" => {
                let others = code.integer(u64::from(bits - width), ty);
                code.binary(emitc::sub, count(value), others)
            }
            // Sets the bit after the highest one, for an operand of zero.
            "trailing_zeros" if width < bits => {
                let end = code.integer(1 << width, ty);
                count(code.binary(emitc::bitwise_or, value, end))
            }
            _ => count(value),
        };
        Ok(vec![self.narrowed(counted, 0)?])
    }
}
