//! The dialect `signal`, which `signal.td` defines: what is Rust in it.

use halo::{
    ir::{dialect::*, semantics::*},
    prelude::*,
};

include!(concat!(env!("OUT_DIR"), "/signal.rs"));

impl FilterTypeVerifier for FilterType<'_> {
    fn verify(length: i64) -> Result<(), VerifyError> {
        if length > 0 {
            Ok(())
        } else {
            Err("expects a length above zero".into())
        }
    }
}

/// `Signal_ShortSamples`
fn is_short_samples(ty: Type) -> bool {
    let is_f32 = || ty.element_type().float_kind() == Some(FloatKind::F32);
    let is_short = |shape: Vec<i64>| matches!(shape[..], [length] if length <= 64);
    ty.is_tensor() && is_f32() && ty.static_shape().is_some_and(is_short)
}

impl<'c> Folder<'c> for GainOp<'c> {
    fn fold(self, _: &[Option<Attribute<'c>>]) -> Option<Vec<FoldResult<'c, 'c>>> {
        (self.factor() == 1.0).then(|| vec![FoldResult::Value(self.input())])
    }
}

impl<'c> Canonicalizer<'c> for GainOp<'c> {
    fn canonicalize(self, b: &Builder<'c>) -> RewriteResult {
        let Some(first) = self.input().defined_by::<GainOp>() else {
            return Err(no_match("the input is not multiplied"));
        };
        let factor = first.factor() * self.factor();
        let both = GainOp::build(b, first.input()).factor(factor).value();
        b.replace(self.operation(), &[both]);
        Ok(())
    }
}

impl InferTypeOpInterface for MixOp<'_> {
    fn infer_return_types<'c>(parts: &'c OpParts<'c>) -> Result<Vec<Type<'c>>, VerifyError> {
        let first = parts.operands.first().ok_or("expects a signal")?;
        Ok(vec![first.ty()])
    }
}

impl InferTypeOpInterface for TapsOp<'_> {
    fn infer_return_types<'c>(parts: &'c OpParts<'c>) -> Result<Vec<Type<'c>>, VerifyError> {
        let shape = parts.operands.first().map(|value| value.ty());
        let shape = shape.and_then(Type::static_shape).unwrap_or_default();
        let [length] = shape[..] else {
            return Err("expects a vector of coefficients".into());
        };
        let filter = FilterType::get(parts.context, length);
        Ok(vec![filter.map_err(|error| error.to_string())?.ty()])
    }
}

impl<'c> Verifier<'c> for FirOp<'c> {
    fn verify(self) -> Result<(), VerifyError> {
        let samples = self.input().ty().static_shape().unwrap_or_default();
        let length = FilterType::cast(self.filter().ty()).map(FilterType::length);
        match (samples.first(), length) {
            (Some(samples), Some(length)) if length > *samples => {
                Err(format!("has {length} coefficients for {samples} samples").into())
            }
            _ => Ok(()),
        }
    }
}

impl<'c> Verifier<'c> for CascadeOp<'c> {
    fn verify(self) -> Result<(), VerifyError> {
        let body = self.operation().body(0).ok_or("expects a body")?;
        let types = body.arguments().types();
        if types != [self.input().ty()] {
            return Err("expects a body with one argument of the type of its input".into());
        }
        let end = body.terminator().and_then(|op| op.cast::<YieldOp>());
        if end.map(|end| end.value().ty()) == Some(self.input().ty()) {
            Ok(())
        } else {
            Err("expects a body that yields samples of the type of its input".into())
        }
    }
}
