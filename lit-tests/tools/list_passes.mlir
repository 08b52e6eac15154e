// RUN: halo-opt --list-passes | FileCheck %s

// Halo's passes stand by the folders of their files, with their options.
// CHECK: {{^}}codegen/bufferize:
// CHECK: {{^}}  --halo-destination-passing
// CHECK-NEXT: {{^}}      Give the results of functions, loops and branches destinations
// CHECK-NEXT: {{^}}        explain=<bool>  (default false)  Report values
// CHECK: {{^}}hlo/transforms/legalize:
// CHECK: {{^}}  --chlo-legalize-to-stablehlo
// CHECK: {{^}}tools/halo-opt-passes:
// CHECK: {{^}}  --hlo-test-infer
// CHECK: {{^}}pipelines of Halo:
// CHECK: {{^}}  --halo-cpu-pipeline
// CHECK-NEXT: {{^}}      Lower StableHLO to the LLVM dialect

// Upstream's have the values of options, and their defaults.
// CHECK: {{^}}passes of upstream:
// CHECK: {{^}}  --canonicalize
// CHECK: region-simplify=<value>  (default normal)
// CHECK-NEXT: {{^}}            disabled  Don't run any control-flow simplification.
// CHECK: {{^}}pipelines of upstream:
// CHECK: {{^}}  --gpu-lower-to-nvvm-pipeline
