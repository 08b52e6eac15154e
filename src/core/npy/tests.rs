//! The expected bytes of files are from numpy 2.

use super::*;
use crate::{bf16, f16};
use num_complex::Complex;

fn file(version: u8, dictionary: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend([version, 0]);
    match version {
        1 => bytes.extend((dictionary.len() as u16).to_le_bytes()),
        _ => bytes.extend((dictionary.len() as u32).to_le_bytes()),
    }
    bytes.extend(dictionary.as_bytes());
    bytes.extend(data);
    bytes
}

fn array(descr: &str, order: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let dictionary =
        format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
    file(1, &dictionary, data)
}

fn load(bytes: &[u8], expected: Option<ElementType>) -> Result<Literal> {
    read_from(&mut &bytes[..], "a.npy", expected)
}

fn message(bytes: &[u8], expected: Option<ElementType>) -> String {
    load(bytes, expected).unwrap_err().to_string()
}

#[test]
fn numpys_own_bytes() {
    // np.save of np.array([[1, 2, 3]], np.int16)
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    bytes.extend(b"{'descr': '<i2', 'fortran_order': False, 'shape': (1, 3), }");
    bytes.resize(127, b' ');
    bytes.extend(b"\n\x01\x00\x02\x00\x03\x00");
    let literal = load(&bytes, None).unwrap();
    assert_eq!(
        literal,
        Literal::from_slice(&[1, 3], &[1_i16, 2, 3]).unwrap()
    );
    let mut written = Vec::new();
    write_to(&mut written, &literal).unwrap();
    // numpy reserves space for the first dimension to grow; without it the header is the same
    // except for the padding.
    assert_eq!(load(&written, None).unwrap(), literal);
    assert_eq!((written.len() - 6) % 64, 0);
}

#[test]
fn every_version() {
    let dictionary = "{\"shape\": (), 'fortran_order': False, 'descr': '<f4'}";
    for version in [1, 2, 3] {
        let literal = load(&file(version, dictionary, &1.5_f32.to_le_bytes()), None).unwrap();
        assert_eq!(literal, Literal::scalar(1.5_f32));
    }
}

#[test]
fn byte_and_storage_order() {
    let literal = load(
        &array(">i4", "False", "(2,)", &[0, 0, 0, 1, 0, 0, 1, 0]),
        None,
    )
    .unwrap();
    assert_eq!(literal.as_slice::<i32>().unwrap(), [1, 256]);
    let complex = [1.0_f32.to_be_bytes(), 2.0_f32.to_be_bytes()].concat();
    let literal = load(&array(">c8", "False", "()", &complex), None).unwrap();
    assert_eq!(literal.get_complex(0), Complex::new(1.0, 2.0));
    // np.asfortranarray([[1, 2, 3], [4, 5, 6]])
    let literal = load(&array("|u1", "True", "(2, 3)", &[1, 4, 2, 5, 3, 6]), None).unwrap();
    assert_eq!(literal.as_slice::<u8>().unwrap(), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn types_of_ml_dtypes_are_what_is_expected() {
    let raw = array("|V1", "False", "(2,)", &[0x38, 0x7e]);
    let literal = load(&raw, Some(ElementType::F8E4M3FN)).unwrap();
    assert_eq!((literal.get_f64(0), literal.get_f64(1)), (1.0, 448.0));
    assert_eq!(
        message(&raw, None),
        "a.npy: error: raw bytes (descr '|V1') say nothing of their element type"
    );
    assert!(load(&raw, Some(ElementType::F32)).is_err());
    let half = array("<V2", "False", "()", &0x3f80_u16.to_le_bytes());
    for expected in [None, Some(ElementType::BF16)] {
        assert_eq!(load(&half, expected).unwrap(), Literal::scalar(bf16::ONE));
    }
    let e5m2 = array("<f1", "False", "()", &[0x3c]);
    assert_eq!(load(&e5m2, None).unwrap().get_f64(0), 1.0);
    // The upper half of an int4 of ml_dtypes is arbitrary.
    let int4 = array("|V1", "False", "()", &[0x0f]);
    assert_eq!(load(&int4, Some(ElementType::I4)).unwrap().get_i128(0), -1);
}

#[test]
fn bytes_may_stand_for_narrow_integers_and_must_fit() {
    let bytes = array("|i1", "False", "(2,)", &[0xf8, 7]);
    let literal = load(&bytes, Some(ElementType::I4)).unwrap();
    assert_eq!((literal.get_i128(0), literal.get_i128(1)), (-8, 7));
    assert_eq!(
        message(&array("|i1", "False", "()", &[8]), Some(ElementType::I4)),
        "a.npy: error: 8 does not fit in i4"
    );
    assert_eq!(
        message(&array("|u1", "False", "()", &[16]), Some(ElementType::Ui4)),
        "a.npy: error: 16 does not fit in ui4"
    );
    assert_eq!(
        load(&bytes, Some(ElementType::F32)).unwrap().element_type(),
        ElementType::I8
    );
}

#[test]
fn booleans_are_normalized() {
    let literal = load(&array("|b1", "False", "(3,)", &[0, 1, 255]), None).unwrap();
    assert_eq!(literal.bytes(), [0, 1, 1]);
}

#[test]
fn damaged_files_are_errors() {
    let good = array("<f4", "False", "(2, 2)", &[0; 16]);
    for end in 0..good.len() {
        assert!(load(&good[..end], None).is_err(), "{end}");
    }
    assert_eq!(
        message(&good[..good.len() - 1], None),
        "a.npy: error: the file ends before the 16 bytes of tensor<2x2xf32>"
    );
    assert_eq!(
        message(b"PK\x03\x04 a zip", None),
        "a.npy: error: not an .npy file"
    );
    let cases = [
        array("<U4", "False", "(2,)", &[]),
        array("<f16", "False", "(2,)", &[]),
        array("<f4", "Maybe", "(2,)", &[]),
        array("<f4", "False", "(-2,)", &[]),
        array("<f4", "False", "(2", &[]),
        array("<f4", "False", "(99999999999999999999,)", &[]),
        array("<f4", "False", "(1099511627776, 1099511627776)", &[]),
        file(
            1,
            "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}",
            &[],
        ),
        file(1, "{'descr': '<f4', 'shape': ()}", &[]),
        file(9, "{}", &[]),
    ];
    for case in cases {
        assert!(load(&case, None).is_err());
    }
}

#[test]
fn every_element_type_comes_back() {
    let directory = tempfile::tempdir().unwrap();
    let mut generator = crate::random::Generator::new(1);
    for element_type in ElementType::ALL {
        for dims in [vec![], vec![3], vec![2, 0], vec![2, 3, 4]] {
            let literal = generator.literal(&Shape::new(element_type, dims).unwrap()).unwrap();
            let path = directory.path().join(format!("{}.npy", element_type.bit_width()));
            write(&path, &literal).unwrap();
            assert_eq!(read(&path, Some(element_type)).unwrap(), literal);
        }
    }
    let names = std::fs::read_dir(directory.path()).unwrap();
    assert!(
        names
            .flatten()
            .all(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
    );
}

#[test]
fn a_failed_write_names_the_file_and_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("none/a.npy");
    let error = write(&path, &Literal::scalar(f16::ONE)).unwrap_err();
    assert!(error.to_string().starts_with(&format!("{}: error: ", path.display())));
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    let error = read(&path, None).unwrap_err().to_string();
    assert!(error.contains("No such file"), "{error}");
}

/// The type and the order of a file, the bytes of a number, and the number at each index.
type Stored<'a> = (
    &'a str,
    &'a str,
    fn(i32) -> [u8; 4],
    &'a dyn Fn(usize) -> i32,
);

/// NumPy's `a[1:3, 2:5]` of `arange(24).reshape(4, 6)`, in both orders and with swapped bytes.
#[test]
fn parts_of_arrays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let rows = |index: usize| index as i32;
    let columns = |index: usize| ((index % 4) * 6 + index / 4) as i32;
    let cases: [Stored; 3] = [
        ("<i4", "False", i32::to_le_bytes, &rows),
        (">i4", "False", i32::to_be_bytes, &rows),
        ("<i4", "True", i32::to_le_bytes, &columns),
    ];
    for (descr, order, encode, element) in cases {
        let dictionary =
            format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': (4, 6), }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((dictionary.len() as u16).to_le_bytes());
        bytes.extend(dictionary.as_bytes());
        bytes.extend((0..24).flat_map(|index| encode(element(index))));
        std::fs::write(&path, &bytes).unwrap();
        let array = Array::open(&path, None).unwrap();
        assert_eq!(array.shape().to_string(), "tensor<4x6xi32>");
        let part = array.part(&bytes, &[1, 2], &[2, 3]).unwrap();
        assert_eq!(part.dims(), [2, 3]);
        assert_eq!(part.as_slice::<i32>().unwrap(), [8, 9, 10, 14, 15, 16]);
        let none = array.part(&bytes, &[1, 2], &[0, 3]).unwrap();
        assert_eq!(none.element_count(), 0);
        assert!(array.part(&bytes, &[3, 2], &[2, 3]).is_err());
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(Array::open(&path, None).is_err());
    }
}
