// RUN: halo-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// Axes with their sizes; the order of devices; one device that has all.
sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @reversed = <["x"=4], device_ids=[3, 2, 1, 0]>
sdy.mesh @only = <[], device_ids=[5]>
sdy.mesh @none = <[]>

// -----

// An axis has one device or more.
// expected-error @+1 {{'sdy.mesh' op axis 'y' has size 0}}
sdy.mesh @mesh = <["x"=2, "y"=0]>

// -----

// Names differ.
// expected-error @+1 {{'sdy.mesh' op two axes have the name 'x'}}
sdy.mesh @mesh = <["x"=2, "x"=4]>

// -----

// Devices can be counted.
// expected-error @+1 {{'sdy.mesh' op the mesh has too many devices}}
sdy.mesh @mesh = <["x"=4294967296, "y"=4294967296]>

// -----

// There is a device for each position.
// expected-error @+1 {{'sdy.mesh' op 2 device_ids are given to a mesh of 4 devices}}
sdy.mesh @mesh = <["x"=4], device_ids=[1, 0]>

// -----

// Without axes there is one device.
// expected-error @+1 {{'sdy.mesh' op 2 device_ids are given to a mesh of 1 devices}}
sdy.mesh @mesh = <[], device_ids=[1, 0]>

// -----

// Each device has one position.
// expected-error @+1 {{'sdy.mesh' op device_ids are not the numbers from 0 to 3}}
sdy.mesh @mesh = <["x"=4], device_ids=[3, 2, 1, 1]>

// -----

// The usual order is not written.
// expected-error @+1 {{'sdy.mesh' op device_ids are left out where they are 0, 1, 2 and so on}}
sdy.mesh @mesh = <["x"=4], device_ids=[0, 1, 2, 3]>

// -----

// It is a mesh.
// expected-error @+1 {{'sdy.mesh' op '#sdy.mesh<["x"]>' is not an attribute of Shardy that is expected here}}
sdy.mesh @mesh = <["x"]>

// -----

// A module has it.
func.func @main() {
  // expected-error @+1 {{'sdy.mesh' op expects parent op 'builtin.module'}}
  sdy.mesh @mesh = <["x"=2]>
  return
}
