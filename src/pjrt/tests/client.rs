//! The safe client of `halo-pjrt-api`, on Halo's plug-in.

use halo_core::Literal;
use halo_pjrt_api::Client;

use crate::common::api;

const ADD: &[u8] = b"func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xi1>) {
  %0 = stablehlo.add %x, %y : tensor<2xf32>
  %1 = stablehlo.compare GT, %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0, %1 : tensor<2xf32>, tensor<2xi1>
}";

fn client() -> Client {
    // SAFETY: the plug-in of these tests implements the interface.
    unsafe { Client::of_table(api()) }.unwrap()
}

fn vector(elements: &[f32]) -> Literal {
    Literal::from_slice(&[elements.len()], elements).unwrap()
}

#[test]
fn a_program_runs_after_its_client_is_dropped() {
    let client = client();
    assert_eq!(client.platform_name().unwrap(), "halo");
    assert!(client.stablehlo_version().is_some_and(|version| version[0] >= 1));
    let executable = client.compile(ADD).unwrap();
    assert_eq!(executable.result_count(), 2);
    let x = client.buffer(&vector(&[1.0, 20.0])).unwrap();
    let y = client.buffer(&vector(&[10.0, 2.0])).unwrap();
    drop(client);
    let results = executable.execute(&[&x, &y]).unwrap();
    drop((executable, x, y));
    assert_eq!(results[0].shape().unwrap().to_string(), "tensor<2xf32>");
    assert_eq!(results[0].to_literal().unwrap(), vector(&[11.0, 22.0]));
    let compared = Literal::from_bools(&[2], &[false, true]).unwrap();
    assert_eq!(results[1].to_literal().unwrap(), compared);
}

#[test]
fn errors_are_the_plug_ins() {
    let client = client();
    let error = client.compile(b"func.func @main(").err().unwrap().to_string();
    assert!(error.contains("expected"), "{error}");
    let executable = client.compile(ADD).unwrap();
    let x = client.buffer(&vector(&[1.0, 2.0])).unwrap();
    assert!(executable.execute(&[&x]).is_err());
    let other = self::client().buffer(&vector(&[1.0, 2.0])).unwrap();
    let error = executable.execute(&[&x, &other]).err().unwrap().to_string();
    assert_eq!(error, "an input is a buffer of another PJRT client");
}
