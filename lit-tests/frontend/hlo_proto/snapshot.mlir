// RUN: halo-run %S/Inputs/snapshot.pb --backend=interpreter | FileCheck %s
// RUN: halo-run %S/Inputs/snapshot.pb --backend=cpu | FileCheck %s
// RUN: halo-run %S/Inputs/snapshot.pb --backend=cpu --input='[0.0, 1.0]' --input='[2.0, 3.0]' --input=0 --expect='[12.0, 24.0]'
// RUN: head -c 200 %S/Inputs/snapshot.pb > %t.pb
// RUN: not halo-run %t.pb 2>&1 | FileCheck %s --check-prefix=CUT

// A snapshot is run on the inputs that it holds, unless others are given. The
// file is Google's encoding of src/hlo-text/tests/data/snapshot.textproto.

// CHECK: dense<[1.450000e+01, 2.200000e+01]> : tensor<2xf32>
// CUT: {{.*}}.pb:1:1: error: failed to decode Protobuf message: {{.*}}: buffer underflow
