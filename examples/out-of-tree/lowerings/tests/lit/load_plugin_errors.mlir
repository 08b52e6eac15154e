// A plug-in of another build.
// RUN: sed 's/, build ./, build x/' %shlibdir/liblowerings%shlibext > %t.so
// RUN: not halo-opt %s --load-plugin=%t.so 2>&1 | FileCheck %s --check-prefix=BUILD --implicit-check-not=error:
// BUILD: halo-opt: error: cannot load plug-in '{{.*}}.so': it was compiled against Halo {{.*}}, build x{{.*}}, and this is Halo {{.*}}; compile both of the same sources

// What is no plug-in.
// RUN: not halo-run %s --load-plugin=%shlibdir/libhalo_shared%shlibext 2>&1 | FileCheck %s --check-prefix=LIBRARY
// LIBRARY: halo-run: error: cannot load plug-in '{{.*}}': it is a library without `halo_shared::plugin!`
// RUN: not halo-compile %s --load-plugin=%s 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: halo-compile: error: cannot load plug-in '{{.*}}load_plugin_errors.mlir': it is not a shared library
// RUN: not halo-translate %s --load-plugin=nowhere.so 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: halo-translate: error: cannot load plug-in 'nowhere.so': No such file or directory
// RUN: not halo-opt %s --load-plugin 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: halo-opt: error: a value is required for '--load-plugin <FILE>'

// A plug-in that is there twice.
// RUN: not vendor-run %s --load-plugin=%shlibdir/liblowerings%shlibext 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: vendor-run: error: plug-in 'vendor': dialect 'vendor': there is a dialect of this name already

// Arguments behind -- are no options.
// RUN: not halo-opt -- --load-plugin=%t.so 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: --load-plugin={{.*}}: error: No such file
