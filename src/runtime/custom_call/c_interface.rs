//! Custom calls as functions of C.
//!
//! An application registers a function by name, for the process with
//! [`halo_register_custom_call`], or for one registry with
//! [`CustomCallRegistry::register_c`]. The interface in C:
//!
//! ```c
//! #include <stdint.h>
//! #define HALO_CUSTOM_CALL_VERSION 1
//!
//! // The codes of element types: their places in the list
//! // i1 i2 i4 i8 i16 i32 i64 ui2 ui4 ui8 ui16 ui32 ui64 f4E2M1FN f6E2M3FN
//! // f6E3M2FN f8E3M4 f8E4M3 f8E4M3FN f8E4M3FNUZ f8E4M3B11FNUZ f8E5M2
//! // f8E5M2FNUZ f8E8M0FNU bf16 f16 f32 f64 complex<f32> complex<f64>.
//! enum { HALO_I1 = 0, HALO_I32 = 5, HALO_I64 = 6, HALO_UI8 = 9,
//!        HALO_F16 = 25, HALO_F32 = 26, HALO_F64 = 27, HALO_C64 = 28 };
//!
//! typedef struct {
//!   int32_t element_type;
//!   int32_t rank;
//!   const int64_t *dims;
//!   const int64_t *minor_to_major;  // the order of the elements
//!   uint64_t byte_size;             // an element narrower than a byte takes one
//!   void *data;                     // of an operand: only to be read
//! } HaloBuffer;
//!
//! typedef struct HaloAttribute {
//!   const char *name;               // "" in a list
//!   int32_t kind;                   // 0 integer, 1 float, 2 text, 3 list, 4 dictionary
//!   int32_t element_type;           // of kinds 0 and 1
//!   int64_t integer;
//!   double number;
//!   const char *text;               // with a zero byte at the end
//!   uint64_t count;                 // bytes of the text, entries of the list
//!   const struct HaloAttribute *entries;
//! } HaloAttribute;
//!
//! typedef struct HaloCustomCall {
//!   uint64_t version;               // HALO_CUSTOM_CALL_VERSION or more
//!   const char *target;
//!   const char *location;           // file:line:column, or ""
//!   const char *backend_config;
//!   uint64_t operand_count;
//!   const HaloBuffer *operands;
//!   uint64_t result_count;
//!   const HaloBuffer *results;
//!   uint64_t attribute_count;
//!   const HaloAttribute *attributes;
//!   void *user_data;                // as it was registered
//!   void (*set_error)(const struct HaloCustomCall *, const char *message);
//!   void *host;
//! } HaloCustomCall;
//!
//! typedef int32_t (*HaloCustomCallFunction)(const HaloCustomCall *);
//!
//! // 0, or 1 if the name is no text.
//! int32_t halo_register_custom_call(const char *name, HaloCustomCallFunction,
//!                                   void *user_data);
//! ```
//!
//! The function returns 0, or another number if it failed; `set_error` copies the message that is
//! then reported. Its arguments are valid during the call only. It may be called from several
//! threads concurrently, and must not unwind. Later versions add members at the end.
//!
//! This module calls foreign code and reads foreign memory.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::{Arc, Mutex, PoisonError};

use halo_core::{ElementType, Layout, Scalar, Shape};

use super::{Attribute, CustomCall, CustomCallRegistry, CustomCallSite, Factory, Handler};

/// The version of the interface.
pub const VERSION: u64 = 1;

/// An operand or a result.
#[repr(C)]
pub struct HaloBuffer {
    pub element_type: i32,
    pub rank: i32,
    pub dims: *const i64,
    pub minor_to_major: *const i64,
    pub byte_size: u64,
    pub data: *mut c_void,
}

/// The description of a call site.
#[repr(C)]
pub struct HaloAttribute {
    pub name: *const c_char,
    pub kind: i32,
    pub element_type: i32,
    pub integer: i64,
    pub number: f64,
    pub text: *const c_char,
    pub count: u64,
    pub entries: *const HaloAttribute,
}

/// The arguments of a function.
#[repr(C)]
pub struct HaloCustomCall {
    pub version: u64,
    pub target: *const c_char,
    pub location: *const c_char,
    pub backend_config: *const c_char,
    pub operand_count: u64,
    pub operands: *const HaloBuffer,
    pub result_count: u64,
    pub results: *const HaloBuffer,
    pub attribute_count: u64,
    pub attributes: *const HaloAttribute,
    pub user_data: *mut c_void,
    pub set_error: unsafe extern "C" fn(call: *const HaloCustomCall, message: *const c_char),
    /// For the runtime: the location of the message.
    host: *const RefCell<Option<String>>,
}

/// A custom call in C.
pub type HaloCustomCallFunction = unsafe extern "C" fn(call: *const HaloCustomCall) -> i32;

/// The registered functions of the process.
static REGISTERED: Mutex<BTreeMap<String, Factory>> = Mutex::new(BTreeMap::new());

/// The factory that was registered for the process under a name.
pub(super) fn registered(name: &str) -> Option<Factory> {
    let registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    registered.get(name).cloned()
}

/// Returns true if the process has a function registered under a name.
pub(super) fn is_registered(name: &str) -> bool {
    registered(name).is_some()
}

/// Registers a function for all registries of the process that have no function of this name.
/// Returns 0, or 1 if the name is null or not UTF-8.
///
/// # Safety
/// `name` must be null or end with a zero byte. `function` must follow
/// this interface, and `user_data` must be the data that it expects, from any
/// thread, for as long as the process runs programs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halo_register_custom_call(
    name: *const c_char,
    function: HaloCustomCallFunction,
    user_data: *mut c_void,
) -> i32 {
    if name.is_null() {
        return 1;
    }
    // SAFETY: the caller passes a terminated text.
    let Ok(name) = unsafe { CStr::from_ptr(name) }.to_str() else {
        return 1;
    };
    let factory = factory(function, UserData(user_data));
    let mut registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    registered.insert(name.to_owned(), factory);
    0
}

impl CustomCallRegistry {
    /// Adds a function of C.
    ///
    /// # Safety
    /// As for [`halo_register_custom_call`], as long as this registry and executables that were
    /// made with it exist.
    pub unsafe fn register_c(
        &mut self,
        name: impl Into<String>,
        function: HaloCustomCallFunction,
        user_data: *mut c_void,
    ) {
        let factory = factory(function, UserData(user_data));
        self.factories.insert(name.into(), factory);
    }
}

#[derive(Clone, Copy)]
struct UserData(*mut c_void);

// SAFETY: the caller of the registration vouches that the data can be used from any thread.
unsafe impl Send for UserData {}
// SAFETY: As above.
unsafe impl Sync for UserData {}

impl UserData {
    fn pointer(self) -> *mut c_void {
        self.0
    }
}

fn factory(function: HaloCustomCallFunction, user_data: UserData) -> Factory {
    Arc::new(move |site: &CustomCallSite| Ok(bound(site, function, user_data)))
}

fn bound(site: &CustomCallSite, function: HaloCustomCallFunction, user_data: UserData) -> Handler {
    let described = Description::new(site);
    Arc::new(move |call| described.call(call, function, user_data))
}

/// The handler that calls a C function, for use in a custom [`Factory`].
///
/// # Safety
/// As for [`halo_register_custom_call`], as long as the handler exists.
pub unsafe fn handler(
    site: &CustomCallSite,
    function: HaloCustomCallFunction,
    user_data: *mut c_void,
) -> Handler {
    bound(site, function, UserData(user_data))
}

/// The C description of a call site.
struct Description {
    target: CString,
    location: CString,
    backend_config: CString,
    operands: Vec<BufferType>,
    results: Vec<BufferType>,
    attributes: List,
}

/// The element type, dimensions and layout of a buffer.
struct BufferType {
    element_type: i32,
    dims: Vec<i64>,
    minor_to_major: Vec<i64>,
}

/// Attributes, with the memory that they point to.
struct List {
    entries: Vec<HaloAttribute>,
    _texts: Vec<CString>,
    _inner: Vec<List>,
}

// SAFETY: the pointers refer to memory that the same value owns, and that is only read.
unsafe impl Send for List {}
// SAFETY: As above.
unsafe impl Sync for List {}

/// A text up to its first zero byte.
fn text(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

fn code(element_type: ElementType) -> i32 {
    let code = ElementType::ALL.iter().position(|other| *other == element_type);
    code.map_or(-1, |code| code as i32)
}

impl List {
    fn new<'a>(attributes: &mut dyn Iterator<Item = (&'a str, &'a Attribute)>) -> Self {
        let (mut entries, mut texts, mut inner) = (Vec::new(), Vec::new(), Vec::new());
        for (name, attribute) in attributes {
            let name = text(name);
            let mut entry = HaloAttribute {
                name: name.as_ptr(),
                kind: 0,
                element_type: -1,
                integer: attribute.integer().unwrap_or(0),
                number: 0.0,
                text: std::ptr::null(),
                count: 0,
                entries: std::ptr::null(),
            };
            texts.push(name);
            match attribute {
                Attribute::Number(element_type, value) => {
                    entry.kind = i32::from(!matches!(value, Scalar::Int(_) | Scalar::Bool(_)));
                    entry.element_type = code(*element_type);
                    entry.number = value.to_f64();
                }
                Attribute::Text(value) => {
                    let value = text(value);
                    entry.kind = 2;
                    entry.text = value.as_ptr();
                    entry.count = value.as_bytes().len() as u64;
                    texts.push(value);
                }
                Attribute::List(_) | Attribute::Dictionary(_) => {
                    let list = match attribute {
                        Attribute::List(values) => {
                            entry.kind = 3;
                            List::new(&mut values.iter().map(|value| ("", value)))
                        }
                        Attribute::Dictionary(values) => {
                            entry.kind = 4;
                            let mut values =
                                values.0.iter().map(|(name, value)| (&name[..], value));
                            List::new(&mut values)
                        }
                        _ => List::new(&mut std::iter::empty()),
                    };
                    entry.count = list.entries.len() as u64;
                    entry.entries = list.entries.as_ptr();
                    inner.push(list);
                }
            }
            entries.push(entry);
        }
        Self {
            entries,
            _texts: texts,
            _inner: inner,
        }
    }
}

impl BufferType {
    fn new((shape, layout): (&Shape, &Layout)) -> Self {
        let order = layout.minor_to_major().iter().map(|dim| *dim as i64);
        Self {
            element_type: code(shape.element_type()),
            dims: shape.dims().iter().map(|size| *size as i64).collect(),
            minor_to_major: order.collect(),
        }
    }

    fn buffer(&self, data: *mut u8, size: usize) -> HaloBuffer {
        HaloBuffer {
            element_type: self.element_type,
            rank: self.dims.len() as i32,
            dims: self.dims.as_ptr(),
            minor_to_major: self.minor_to_major.as_ptr(),
            byte_size: size as u64,
            data: data.cast(),
        }
    }
}

impl Description {
    fn new(site: &CustomCallSite) -> Self {
        let operands = site.operands.iter().zip(&site.operand_layouts);
        let results = site.results.iter().zip(&site.result_layouts);
        let attributes = site.attributes.0.iter();
        let mut attributes = attributes.map(|(name, value)| (&name[..], value));
        Self {
            target: text(&site.target),
            location: text(&site.location),
            backend_config: text(&site.backend_config),
            operands: operands.map(BufferType::new).collect(),
            results: results.map(BufferType::new).collect(),
            attributes: List::new(&mut attributes),
        }
    }

    fn call(
        &self,
        call: &mut CustomCall<'_>,
        function: HaloCustomCallFunction,
        user_data: UserData,
    ) -> Result<(), String> {
        let operands = self.operands.iter().zip(&call.operands);
        let operands: Vec<HaloBuffer> = operands
            .map(|(buffer, view)| buffer.buffer(view.bytes.as_ptr().cast_mut(), view.bytes.len()))
            .collect();
        let results = self.results.iter().zip(&mut call.results);
        let results: Vec<HaloBuffer> = results
            .map(|(buffer, view)| buffer.buffer(view.bytes.as_mut_ptr(), view.bytes.len()))
            .collect();
        let message = RefCell::new(None);
        let given = HaloCustomCall {
            version: VERSION,
            target: self.target.as_ptr(),
            location: self.location.as_ptr(),
            backend_config: self.backend_config.as_ptr(),
            operand_count: operands.len() as u64,
            operands: operands.as_ptr(),
            result_count: results.len() as u64,
            results: results.as_ptr(),
            attribute_count: self.attributes.entries.len() as u64,
            attributes: self.attributes.entries.as_ptr(),
            user_data: user_data.pointer(),
            set_error,
            host: &raw const message,
        };
        // SAFETY: the caller of the registration guarantees that the function
        // is valid; its arguments are valid during the call.
        let status = unsafe { function(&raw const given) };
        match (status, message.into_inner()) {
            (0, None) => Ok(()),
            (_, Some(message)) => Err(message),
            (status, None) => Err(format!("the function returned {status}")),
        }
    }
}

unsafe extern "C" fn set_error(call: *const HaloCustomCall, message: *const c_char) {
    if call.is_null() || message.is_null() {
        return;
    }
    // SAFETY: the function passes the call that it got, and a terminated text.
    let (host, message) = unsafe { (&*(*call).host, CStr::from_ptr(message)) };
    *host.borrow_mut() = Some(message.to_string_lossy().into_owned());
}

#[cfg(test)]
mod tests {
    use super::super::Attributes;
    use super::*;
    use halo_core::Literal;

    /// out = in * attributes[0]; negative numbers are an error.
    unsafe extern "C" fn scale(call: *const HaloCustomCall) -> i32 {
        // SAFETY: the tests call this with one operand, one result and one
        // attribute, of the types that are read.
        unsafe {
            let call = &*call;
            assert_eq!(
                (call.version, call.operand_count, call.result_count),
                (1, 1, 1)
            );
            let (input, output) = (&*call.operands, &*call.results);
            assert_eq!((input.element_type, input.rank), (26, 2));
            assert_eq!(std::slice::from_raw_parts(input.dims, 2), [2, 3]);
            assert_eq!(std::slice::from_raw_parts(output.minor_to_major, 2), [1, 0]);
            let factor = &*call.attributes;
            assert_eq!(CStr::from_ptr(factor.name), c"factor");
            let count = input.byte_size as usize / 4;
            let from = std::slice::from_raw_parts(input.data.cast::<f32>(), count);
            let to = std::slice::from_raw_parts_mut(output.data.cast::<f32>(), count);
            *call.user_data.cast::<i32>() += 1;
            for (to, from) in to.iter_mut().zip(from) {
                if *from < 0.0 {
                    (call.set_error)(call, c"a negative number".as_ptr());
                    return 1;
                }
                *to = from * factor.integer as f32;
            }
        }
        0
    }

    fn site() -> CustomCallSite {
        let shape: Shape = "tensor<2x3xf32>".parse().unwrap();
        let factor = Attribute::Number(ElementType::I64, Scalar::Int(3));
        CustomCallSite {
            attributes: Attributes([("factor".to_owned(), factor)].into()),
            location: "a.mlir:1:2".to_owned(),
            ..CustomCallSite::new("test.scale", vec![shape.clone()], vec![shape])
        }
    }

    fn matrix(last: f32) -> [Literal; 1] {
        [Literal::from_slice(&[2, 3], &[0.0_f32, 1.0, 2.0, 3.0, 4.0, last]).unwrap()]
    }

    #[test]
    fn functions_of_a_registry() {
        let mut calls = 0_i32;
        let mut registry = CustomCallRegistry::default();
        // SAFETY: `calls` outlives the registry, which one thread uses.
        unsafe { registry.register_c("test.scale", scale, (&raw mut calls).cast()) };
        let results = registry.call(&site(), &matrix(5.0)).unwrap();
        assert_eq!(
            results[0].as_slice::<f32>().unwrap(),
            [0.0, 3.0, 6.0, 9.0, 12.0, 15.0]
        );
        let error = registry.call(&site(), &matrix(-5.0)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a.mlir:1:2: error: @test.scale: a negative number"
        );
        assert_eq!(calls, 2);
    }

    #[test]
    fn functions_of_the_process() {
        let calls: &'static mut i32 = Box::leak(Box::new(0));
        let (name, data) = (c"test.scale_in_c", (&raw mut *calls).cast());
        // SAFETY: the data is never freed, and one thread uses it.
        unsafe {
            assert_eq!(halo_register_custom_call(std::ptr::null(), scale, data), 1);
            assert_eq!(halo_register_custom_call(name.as_ptr(), scale, data), 0);
        }
        let registry = CustomCallRegistry::default();
        let site = CustomCallSite {
            target: "test.scale_in_c".to_owned(),
            ..site()
        };
        assert!(registry.contains(&site.target) && !registry.contains("test.scale_in_d"));
        let results = registry.call(&site, &matrix(1.0)).unwrap();
        assert_eq!(results[0].get_f64(5), 3.0);
    }

    /// The codes are part of the interface.
    #[test]
    fn codes_of_element_types() {
        let codes = [
            (ElementType::I1, 0),
            (ElementType::I32, 5),
            (ElementType::Ui8, 9),
            (ElementType::F16, 25),
            (ElementType::F32, 26),
            (ElementType::Complex128, 29),
        ];
        for (element_type, number) in codes {
            assert_eq!(code(element_type), number);
        }
    }
}
