//! Types and attributes that are declared in Rust, with their parameters.

use super::{
    constraints,
    declaration::{AttributeDeclaration, Parameter, TypeDeclaration, VerifyParameters},
};
use crate::{
    build_error::BuildError,
    graveyard::read_only,
    handles::{Attribute, Type},
    validity,
};
use halo_core::panics;
use melior::{
    Context, StringRef,
    ir::{AttributeLike, TypeLike},
};
use mlir_sys::{MlirAttribute, MlirContext, MlirStringRef, MlirType};
use std::ffi::c_void;

type Append = unsafe extern "C" fn(MlirAttribute, *mut c_void);

unsafe extern "C" {
    fn haloDynamicTypeGet(
        context: MlirContext,
        dialect: MlirStringRef,
        name: MlirStringRef,
        count: isize,
        parameters: *const MlirAttribute,
    ) -> MlirType;
    fn haloDynamicAttributeGet(
        context: MlirContext,
        dialect: MlirStringRef,
        name: MlirStringRef,
        count: isize,
        parameters: *const MlirAttribute,
    ) -> MlirAttribute;
    fn haloDynamicTypeRead(
        ty: MlirType,
        dialect: MlirStringRef,
        name: MlirStringRef,
        append: Append,
        data: *mut c_void,
    ) -> bool;
    fn haloDynamicAttributeRead(
        attribute: MlirAttribute,
        dialect: MlirStringRef,
        name: MlirStringRef,
        append: Append,
        data: *mut c_void,
    ) -> bool;
}

unsafe extern "C" fn append(attribute: MlirAttribute, data: *mut c_void) {
    // SAFETY: The data is the list that `read` passes.
    unsafe { (*data.cast::<Vec<MlirAttribute>>()).push(attribute) }
}

/// Collects the parameters that a function reports, if it returns true.
fn read<'c>(call: impl FnOnce(Append, *mut c_void) -> bool) -> Option<Vec<Attribute<'c>>> {
    let mut found: Vec<MlirAttribute> = Vec::new();
    call(append, (&raw mut found).cast()).then(|| {
        let found = found.into_iter();
        // SAFETY: Parameters live as long as the context.
        found.map(|raw| unsafe { Attribute::from_raw(raw) }).collect()
    })
}

/// Checks the parameters of a type or an attribute.
fn check(
    context: &Context,
    name: &str,
    declared: &[Parameter],
    verify: Option<VerifyParameters>,
    parameters: &[Attribute],
) -> Result<(), BuildError> {
    let fail = |reason: &str| BuildError::because(format!("cannot make '{name}': {reason}"));
    let is_ours = |one: &Attribute| {
        validity::context_of_attribute(*one).is_some_and(|other| validity::is_of(context, other))
    };
    if !parameters.iter().all(is_ours) {
        return Err(fail("a parameter is absent or of another context"));
    }
    let judged = panics::catch(|| {
        read_only(|| constraints::verify_parameters(declared, verify, parameters))
    });
    match judged {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(fail(&error.message)),
        Err(panic) => Err(fail(&format!("its verifier panicked: {panic}"))),
    }
}

/// Splits a name into the dialect and the mnemonic.
fn split(name: &'static str) -> (MlirStringRef, MlirStringRef) {
    let (dialect, rest) = name.split_once('.').unwrap_or((name, ""));
    (
        StringRef::new(dialect).to_raw(),
        StringRef::new(rest).to_raw(),
    )
}

fn not_loaded(name: &str) -> BuildError {
    BuildError::because(format!(
        "cannot make '{name}': its dialect is not loaded; a pass names it in `dependent_dialects`"
    ))
}

fn position(parameters: &[Parameter], name: &str) -> Option<usize> {
    parameters.iter().position(|parameter| parameter.name == name)
}

impl TypeDeclaration {
    /// The type with these parameters: an integer as `N : i64`, a type in a type
    /// attribute.
    ///
    /// # Errors
    /// Returns an error if the verifier does not accept them, or the context has not loaded the
    /// dialect.
    pub fn get<'c>(
        &self,
        context: &'c Context,
        parameters: &[Attribute<'c>],
    ) -> Result<Type<'c>, BuildError> {
        check(context, self.name, self.parameters, self.verify, parameters)?;
        let (dialect, name) = split(self.name);
        let raw: Vec<_> = parameters.iter().map(AttributeLike::to_raw).collect();
        let count = raw.len() as isize;
        // SAFETY: Context and attributes are valid; a type lives as long as the context.
        unsafe {
            let raw = haloDynamicTypeGet(context.to_raw(), dialect, name, count, raw.as_ptr());
            if raw.ptr.is_null() {
                Err(not_loaded(self.name))
            } else {
                Ok(Type::from_raw(raw))
            }
        }
    }

    /// The parameters of a type, if it belongs to this declaration.
    pub fn parameters_of<'c>(&self, ty: Type<'c>) -> Option<Vec<Attribute<'c>>> {
        let (dialect, name) = split(self.name);
        // SAFETY: The type is valid, and the callback gets the list that it expects.
        read(|append, data| unsafe {
            haloDynamicTypeRead(ty.to_raw(), dialect, name, append, data)
        })
    }

    /// A parameter of a type by its name.
    pub fn parameter<'c>(&self, ty: Type<'c>, name: &str) -> Option<Attribute<'c>> {
        let index = position(self.parameters, name)?;
        self.parameters_of(ty)?.get(index).copied()
    }

    /// Returns true if a type belongs to this declaration.
    pub fn is(&self, ty: Type) -> bool {
        self.parameters_of(ty).is_some()
    }
}

impl AttributeDeclaration {
    /// The attribute with these parameters: an integer as `N : i64`, a type in a type
    /// attribute.
    ///
    /// # Errors
    /// Returns an error if the verifier does not accept them, or the context has not loaded the
    /// dialect.
    pub fn get<'c>(
        &self,
        context: &'c Context,
        parameters: &[Attribute<'c>],
    ) -> Result<Attribute<'c>, BuildError> {
        check(context, self.name, self.parameters, self.verify, parameters)?;
        let (dialect, name) = split(self.name);
        let raw: Vec<_> = parameters.iter().map(AttributeLike::to_raw).collect();
        let count = raw.len() as isize;
        // SAFETY: Context and attributes are valid; an attribute lives as long as the
        // context.
        unsafe {
            let raw = haloDynamicAttributeGet(context.to_raw(), dialect, name, count, raw.as_ptr());
            if raw.ptr.is_null() {
                Err(not_loaded(self.name))
            } else {
                Ok(Attribute::from_raw(raw))
            }
        }
    }

    /// The parameters of an attribute, if it belongs to this declaration.
    pub fn parameters_of<'c>(&self, attribute: Attribute<'c>) -> Option<Vec<Attribute<'c>>> {
        let (dialect, name) = split(self.name);
        // SAFETY: The attribute is valid, and the callback gets the list that it expects.
        read(|append, data| unsafe {
            haloDynamicAttributeRead(attribute.to_raw(), dialect, name, append, data)
        })
    }

    /// A parameter of an attribute by its name.
    pub fn parameter<'c>(&self, attribute: Attribute<'c>, name: &str) -> Option<Attribute<'c>> {
        let index = position(self.parameters, name)?;
        self.parameters_of(attribute)?.get(index).copied()
    }

    /// Returns true if an attribute belongs to this declaration.
    pub fn is(&self, attribute: Attribute) -> bool {
        self.parameters_of(attribute).is_some()
    }
}
