//! The inferred results of an op, from its operands, attributes and regions.
//!
//! Section "Type inference" of the specification: some results are fully inferred from the op, for
//! others only the shape or the rank is. A declared type is valid if it may be the type of the
//! inferred value at run time, and a more specific type may replace it.

use super::{
    dims::{Dim, ShapeText, shapes_agree},
    op::Op,
    tensor::{
        Subject, Tensor, VerifyResult, dims_of, elements_agree, expect_same_type, types_agree,
    },
    ty::Ty,
};

/// The inferred results, or the error of an invalid op.
pub type Inference<T> = Result<Vec<Inferred<T>>, String>;

/// The inferred properties of one result.
#[derive(Clone, Debug)]
pub enum Inferred<T> {
    /// It has this type.
    Type(T),
    /// It has the type of another value.
    Like(Subject, T),
    /// The default type if the program does not declare another; the op's check decides which
    /// others are valid.
    Default(T),
    /// A tensor. Properties that cannot be inferred are `None`.
    Tensor {
        dims: Option<Vec<Dim>>,
        element: Option<T>,
    },
}

/// The inferred properties of the only result.
pub fn one<T: Ty>(inferred: Inferred<T>) -> Inference<T> {
    Ok(vec![inferred])
}

impl<T: Ty> Inferred<T> {
    /// A result of the type of a tensor.
    pub fn like(tensor: &Tensor<T>) -> Self {
        Self::Like(tensor.subject, tensor.ty)
    }

    /// A tensor of this shape and element type.
    pub fn tensor(dims: Vec<Dim>, element: T) -> Self {
        Self::Tensor {
            dims: Some(dims),
            element: Some(element),
        }
    }

    /// A tensor of this shape, whose element type the op chooses.
    pub fn shape(dims: Vec<Dim>) -> Self {
        Self::Tensor {
            dims: Some(dims),
            element: None,
        }
    }

    /// A tensor of this element type, of unknown shape.
    pub fn element(element: T) -> Self {
        Self::Tensor {
            dims: None,
            element: Some(element),
        }
    }

    /// A tensor of unknown properties.
    pub fn unknown() -> Self {
        Self::Tensor {
            dims: None,
            element: None,
        }
    }

    /// The type for a builder, if enough is known.
    pub fn into_type(self) -> Option<T> {
        match self {
            Self::Type(ty) | Self::Like(_, ty) | Self::Default(ty) => Some(ty),
            Self::Tensor { dims, element } => Some(match dims {
                Some(dims) => tensor_of(&dims, element?),
                None => element?.unranked_tensor_of(),
            }),
        }
    }

    /// Fails unless a result may be declared with a type.
    pub fn expect(&self, result: Subject, declared: T) -> VerifyResult {
        match self {
            Self::Default(_) => Ok(()),
            Self::Like(subject, ty) => expect_same_type((result, declared), (*subject, *ty)),
            Self::Type(ty) => {
                if types_agree(declared, *ty) {
                    return Ok(());
                }
                match (dims_of(declared), dims_of(*ty)) {
                    (Some(_), Some(dims)) => {
                        expect_tensor(result, declared, Some(&dims), Some(ty.element_type()))
                    }
                    _ => Err(format!(
                        "{result} has type {declared}, but the operands and attributes of the op \
                         imply type {ty}"
                    )),
                }
            }
            Self::Tensor { dims, element } => {
                expect_tensor(result, declared, dims.as_deref(), *element)
            }
        }
    }

    /// A more specific type for a declared result, if the shape is known better.
    pub fn refine(&self, declared: T) -> Option<T> {
        match self {
            Self::Type(ty) | Self::Like(_, ty) | Self::Default(ty) => refine_type(declared, *ty),
            Self::Tensor { dims, .. } => refine_dims(declared, dims.as_ref()?),
        }
    }
}

fn expect_tensor<T: Ty>(
    result: Subject,
    declared: T,
    dims: Option<&[Dim]>,
    element: Option<T>,
) -> VerifyResult {
    if let Some(element) = element
        && !elements_agree(declared.element_type(), element)
    {
        return Err(format!(
            "{result} has element type {}, but the operands and attributes of the op imply \
             {element}",
            declared.element_type()
        ));
    }
    match (dims_of(declared), dims) {
        (Some(found), Some(dims)) if !shapes_agree(&found, dims) => Err(format!(
            "{result} has shape {}, but the operands and attributes of the op imply shape {}",
            ShapeText(&found),
            ShapeText(dims)
        )),
        _ => Ok(()),
    }
}

/// `tensor<dims x element>`
pub fn tensor_of<T: Ty>(dims: &[Dim], element: T) -> T {
    element.tensor_of(dims)
}

/// A declared type, refined by a compatible type.
pub fn refine_type<T: Ty>(declared: T, known: T) -> Option<T> {
    if declared == known {
        return None;
    }
    if declared.tuple_types().is_some() {
        return types_agree(declared, known).then_some(known);
    }
    refine_dims(declared, &dims_of(known)?)
}

/// `tensor<*xf32>`
fn is_unranked_tensor<T: Ty>(ty: T) -> bool {
    let element = ty.element_type();
    element != ty && ty == element.unranked_tensor_of()
}

fn refine_dims<T: Ty>(declared: T, known: &[Dim]) -> Option<T> {
    let Some(dims) = dims_of(declared) else {
        return is_unranked_tensor(declared).then(|| tensor_of(known, declared.element_type()));
    };
    if !declared.is_tensor() || !shapes_agree(&dims, known) {
        return None;
    }
    let refined: Vec<Dim> =
        dims.iter().zip(known).map(|(declared, known)| declared.meet(*known)).collect();
    (refined != dims).then(|| tensor_of(&refined, declared.element_type()))
}

/// The combined type of several tensors that must have one type: sections of the elementwise ops.
/// They must be compatible.
pub fn most_specific<T: Ty>(tensors: &[Tensor<T>]) -> Option<Inferred<T>> {
    combine(tensors, Dim::meet)
}

/// The type that includes several tensors: sections `if` and `case`. They must be compatible.
pub fn least_specific<T: Ty>(tensors: &[Tensor<T>]) -> Option<Inferred<T>> {
    combine(tensors, Dim::join)
}

fn combine<T: Ty>(tensors: &[Tensor<T>], rule: fn(Dim, Dim) -> Dim) -> Option<Inferred<T>> {
    let (first, rest) = tensors.split_first()?;
    if rest.iter().all(|tensor| tensor.ty == first.ty) {
        return Some(Inferred::like(first));
    }
    let mut dims = first.dims.clone();
    for tensor in rest {
        for (dim, other) in dims.iter_mut().zip(&tensor.dims) {
            *dim = rule(*dim, *other);
        }
    }
    Some(Inferred::tensor(dims, first.element))
}

/// Fails unless the declared results are compatible with the inferred ones.
pub fn expect_results<O: Op>(op: O, inferred: &[Inferred<O::Type>]) -> VerifyResult {
    op.expect_result_count(inferred.len(), "the operands and attributes imply")?;
    for ((result, declared), inferred) in op.results().into_iter().zip(inferred) {
        inferred.expect(result, declared)?;
    }
    Ok(())
}
