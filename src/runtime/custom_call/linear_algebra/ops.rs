//! `halo.cholesky` and `halo.triangular_solve`, the handlers of the ops of
//! StableHLO.

use std::sync::Arc;

use halo_core::{Complex, ElementType, Literal, Shape};
use halo_numerics::linear_algebra::{MatMut, Transpose, Triangle};

use super::matrices::{Element, Input, Output, factor_cholesky, solve_triangular};
use crate::custom_call::{CustomCall, CustomCallRegistry, CustomCallSite, Handler, View, ViewMut};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    registry.register_factory("halo.cholesky", |site| {
        let lower = site.attributes.flag("lower")?;
        by_element(site, move |element, call| match element {
            ElementType::F32 => cholesky::<f32>(call, lower),
            ElementType::F64 => cholesky::<f64>(call, lower),
            ElementType::Complex64 => cholesky::<Complex<f32>>(call, lower),
            _ => cholesky::<Complex<f64>>(call, lower),
        })
    });
    registry.register_factory("halo.triangular_solve", |site| {
        let attributes = &site.attributes;
        let triangle = Triangle {
            left: attributes.flag("left_side")?,
            lower: attributes.flag("lower")?,
            unit: attributes.flag("unit_diagonal")?,
            transpose: match attributes.text("transpose_a")? {
                "TRANSPOSE" => Transpose::Transposed,
                "ADJOINT" => Transpose::Adjoint,
                _ => Transpose::No,
            },
        };
        by_element(site, move |element, call| match element {
            ElementType::F32 => solve::<f32>(call, triangle),
            ElementType::F64 => solve::<f64>(call, triangle),
            ElementType::Complex64 => solve::<Complex<f32>>(call, triangle),
            _ => solve::<Complex<f64>>(call, triangle),
        })
    });
}

/// A handler in the type of the operands; narrower floats are computed in
/// `f32`.
fn by_element(
    site: &CustomCallSite,
    run: impl Fn(ElementType, &mut CustomCall<'_>) -> Result<(), String> + Send + Sync + 'static,
) -> Result<Handler, String> {
    let element = site.operands.first().map(Shape::element_type);
    let element = element.ok_or("an operand is missing")?;
    if matches!(element, ElementType::F32 | ElementType::F64) || element.is_complex() {
        return Ok(Arc::new(move |call| run(element, call)));
    }
    if !element.is_float() {
        return Err(format!("there is no factorization of {element}"));
    }
    Ok(Arc::new(move |call| {
        let wide = |shape: &Shape| shape.with_element_type(ElementType::F32);
        let text = |error: halo_core::Error| error.to_string();
        let operands: Vec<Literal> = call
            .operands
            .iter()
            .map(|view| view.to_literal()?.convert(ElementType::F32).map_err(text))
            .collect::<Result<_, _>>()?;
        let mut results: Vec<Literal> = call
            .results
            .iter()
            .map(|view| wide(view.shape).and_then(Literal::try_zeros).map_err(text))
            .collect::<Result<_, _>>()?;
        let shapes: Vec<Shape> = results.iter().map(|result| result.shape().clone()).collect();
        let operand_layouts = &call.site.operand_layouts;
        let mut inner = CustomCall {
            site: call.site,
            operands: operands
                .iter()
                .zip(operand_layouts)
                .map(|(operand, layout)| View {
                    shape: operand.shape(),
                    layout,
                    bytes: operand.bytes(),
                })
                .collect(),
            results: results
                .iter_mut()
                .zip(&shapes)
                .zip(&call.site.result_layouts)
                .map(|((result, shape), layout)| ViewMut {
                    shape,
                    layout,
                    bytes: result.bytes_mut(),
                })
                .collect(),
            parallel_for: call.parallel_for,
            process: call.process,
            failure: None,
        };
        run(ElementType::F32, &mut inner)?;
        for (view, result) in call.results.iter_mut().zip(&results) {
            let narrow = result.convert(view.shape.element_type()).map_err(text)?;
            view.bytes.copy_from_slice(narrow.bytes());
        }
        Ok(())
    }))
}

fn cholesky<T: Element>(call: &mut CustomCall<'_>, lower: bool) -> Result<(), String> {
    let ([operand], [result]) = (&call.operands[..], &mut call.results[..]) else {
        return Err("there is one operand and one result".to_owned());
    };
    let (a, l) = (Input::<T>::new(operand, 2)?, Output::<T>::new(result, 2)?);
    factor_cholesky(
        call.parallel_for,
        (&a, l),
        lower,
        |_, mut factor, outcome| {
            if outcome.is_err() {
                factor.fill(T::from_f64(f64::NAN));
            } else {
                clear_upper(factor);
            }
        },
    );
    Ok(())
}

/// Sets the elements above the diagonal to zero.
fn clear_upper<T: Element>(mut matrix: MatMut<'_, T>) {
    let zero = T::from_f64(0.0);
    let size = matrix.nrows();
    for number in 0..size {
        match matrix.row_stride() {
            1 => matrix.as_mut().col_mut(number).subrows_mut(0, number).fill(zero),
            _ => {
                let row = matrix.as_mut().row_mut(number);
                row.subcols_mut(number + 1, size - number - 1).fill(zero);
            }
        }
    }
}

fn solve<T: Element>(call: &mut CustomCall<'_>, triangle: Triangle) -> Result<(), String> {
    let ([a, b], [x]) = (&call.operands[..], &mut call.results[..]) else {
        return Err("there are two operands and one result".to_owned());
    };
    let (a, b) = (Input::<T>::new(a, 2)?, Input::<T>::new(b, 2)?);
    let x = Output::<T>::new(x, 2)?;
    solve_triangular(call.parallel_for, (&a, &b, x), triangle);
    Ok(())
}
