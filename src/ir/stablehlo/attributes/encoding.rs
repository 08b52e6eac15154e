//! Encodings of tensor types.

use melior::{
    Context,
    ir::{Attribute, Type, TypeLike, r#type::RankedTensorType},
};
use mlir_sys::{MlirAttribute, MlirContext};

use super::access::{self, RawDims};

/// `#stablehlo.bounds`: the maximum sizes of a tensor's dynamic dimensions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TypeExtensions {
    /// One entry per dimension, `None` without a bound.
    pub bounds: Vec<Option<i64>>,
}

#[repr(C)]
struct RawTypeExtensions {
    bounds: RawDims,
}

unsafe extern "C" {
    fn haloTypeExtensionsRead(attribute: MlirAttribute, members: *mut RawTypeExtensions) -> bool;
    fn haloTypeExtensionsBuild(
        context: MlirContext,
        members: *const RawTypeExtensions,
    ) -> MlirAttribute;
}

/// MLIR's `ShapedType::kDynamic`.
const DYNAMIC: i64 = i64::MIN;

impl TypeExtensions {
    pub fn from_attribute(attribute: Attribute) -> Option<Self> {
        // SAFETY: the function and the struct belong together.
        let raw = unsafe { access::read(haloTypeExtensionsRead, attribute)? };
        let bounds = raw.bounds.to_vec().into_iter();
        Some(Self {
            bounds: bounds.map(|bound| (bound != DYNAMIC).then_some(bound)).collect(),
        })
    }

    /// The attribute.
    pub fn to_attribute<'c>(&self, context: &'c Context) -> Attribute<'c> {
        let bounds: Vec<i64> = self.bounds.iter().map(|bound| bound.unwrap_or(DYNAMIC)).collect();
        let raw = RawTypeExtensions {
            bounds: RawDims::new(&bounds),
        };
        // SAFETY: the function and the struct belong together, the list is
        // alive, and the attribute is never null.
        unsafe { access::build_always(haloTypeExtensionsBuild, context, &raw) }
    }
}

/// `tensor<sizes x element, #stablehlo.bounds<bounds>>`, without an encoding if nothing is bounded.
/// `None` is a dynamic size; there must be one bound per size.
pub fn bounded_tensor_type<'c>(
    sizes: &[Option<i64>],
    bounds: &[Option<i64>],
    element: Type<'c>,
) -> Type<'c> {
    let encoding = bounds.iter().any(Option::is_some).then(|| {
        // SAFETY: the type is valid, and its context lives as long.
        let context = unsafe {
            crate::handles::context_from_raw(mlir_sys::mlirTypeGetContext(element.to_raw()))
        };
        let extensions = TypeExtensions {
            bounds: bounds.to_vec(),
        };
        extensions.to_attribute(context)
    });
    let raw: Vec<u64> = sizes.iter().map(|size| size.unwrap_or(DYNAMIC) as u64).collect();
    RankedTensorType::new(&raw, element, encoding).into()
}
