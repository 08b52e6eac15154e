//! An editor's side of the conversation with `halo-lsp-server`, over its streams.

mod client;
mod editors;
mod hlo;
mod mlir;
mod protocol;
