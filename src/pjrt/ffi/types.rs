//! The types of handlers: a name, a number, and the function that deletes an object.
//!
//! A library of handlers has a variable for the number of each of its types, which is set when the
//! type is registered. If another runtime has set it before, as JAX's runtime for CPUs does, Halo
//! uses that number.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Mutex, PoisonError};

use crate::c_api::ErrorCode;
use crate::status::{Result, Status};

/// The function that deletes an object of a type.
pub type Deleter = unsafe extern "C" fn(*mut c_void);

/// The numbers that Halo assigns begin here, far from the numbers of other runtimes.
const FIRST: i64 = 1 << 32;

struct Type {
    number: i64,
    deleter: Option<Deleter>,
}

static TYPES: Mutex<BTreeMap<String, Type>> = Mutex::new(BTreeMap::new());

/// Registers a type, which may have a number already, and returns its number.
///
/// # Errors
/// Returns an invalid-argument error without a name; an already-exists error if the name has
/// another number, or the number another name.
pub fn register(name: &str, number: i64, deleter: Option<Deleter>) -> Result<i64> {
    if name.is_empty() {
        return Err(Status::invalid("a type of FFI handlers has no name"));
    }
    let mut types = TYPES.lock().unwrap_or_else(PoisonError::into_inner);
    let conflict = |message: String| Status::new(ErrorCode::ALREADY_EXISTS, message);
    if let Some(known) = types.get_mut(name) {
        if number != 0 && number != known.number {
            return Err(conflict(format!(
                "the FFI type '{name}' has the number {}, and is registered with {number}",
                known.number
            )));
        }
        known.deleter = known.deleter.or(deleter);
        return Ok(known.number);
    }
    if let Some((other, _)) = types.iter().find(|(_, known)| known.number == number) {
        return Err(conflict(format!(
            "the FFI type '{name}' has the number {number}, which is that of '{other}'"
        )));
    }
    let number = match number {
        0 => {
            let last = types.values().map(|known| known.number).max();
            last.map_or(FIRST, |last| FIRST.max(last.saturating_add(1)))
        }
        given => given,
    };
    types.insert(name.to_owned(), Type { number, deleter });
    Ok(number)
}

/// The deleter of a type.
///
/// # Errors
/// Returns a not-found error if no type has the number.
pub fn deleter(number: i64) -> Result<Option<Deleter>> {
    let types = TYPES.lock().unwrap_or_else(PoisonError::into_inner);
    let found = types.values().find(|known| known.number == number);
    found.map(|known| known.deleter).ok_or_else(|| {
        let message = format!("no FFI type with the number {number} is registered with Halo");
        Status::new(ErrorCode::NOT_FOUND, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" fn delete(_: *mut c_void) {}

    #[test]
    fn a_type_keeps_its_number() {
        let own = register("types.own", 0, None).unwrap();
        assert!(own >= FIRST);
        assert_eq!(register("types.own", own, Some(delete)), Ok(own));
        assert!(deleter(own).unwrap().is_some());
        assert_eq!(register("types.given", 77, None), Ok(77));
        let code = |outcome: Result<i64>| outcome.unwrap_err().code;
        let exists = ErrorCode::ALREADY_EXISTS;
        assert_eq!(code(register("types.given", 78, None)), exists);
        assert_eq!(code(register("types.other", 77, None)), exists);
        assert_eq!(code(register("", 0, None)), ErrorCode::INVALID_ARGUMENT);
        assert_eq!(deleter(79).unwrap_err().code, ErrorCode::NOT_FOUND);
    }
}
