//! Tests the protocol of `halo-lsp-server` as a client, over its streams.

mod client;
mod editors;
mod hlo;
mod mlir;
mod protocol;
