//! The options of one backend, on the command lines of all tools that compile.

use clap::Args;
use halo_runtime::BackendOptions;

/// Options that not every backend has.
#[derive(Args, Clone, Debug, Default)]
pub struct BackendArguments {
    /// An option of the backend, as --list-backends of halo-run names it
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    pub backend_option: Vec<(String, String)>,

    /// What computes matrix products on a GPU: auto, library or codegen
    #[arg(long, value_name = "HOW")]
    pub gpu_dot: Option<String>,

    /// Let processors take subnormal numbers for zero, which is faster where there are many
    #[arg(long)]
    pub flush_subnormals: bool,
}

impl BackendArguments {
    /// The chosen values.
    pub fn options(&self) -> BackendOptions {
        let mut options = BackendOptions::default();
        for (name, value) in &self.backend_option {
            options.set(name, value);
        }
        if let Some(dot) = &self.gpu_dot {
            options.set("gpu-dot", dot);
        }
        if self.flush_subnormals {
            options.set("subnormals", "flush");
        }
        options
    }
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("an option is written NAME=VALUE".to_owned()),
    }
}
