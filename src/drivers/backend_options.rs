//! The backend-specific options, on the command lines of all tools that compile.

use clap::Args;
use halo_backend::BackendOptions;

/// Backend-specific options.
#[derive(Args, Clone, Debug, Default)]
pub struct BackendArguments {
    /// A backend-specific option, as listed by halo-run --list-backends
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    pub backend_option: Vec<(String, String)>,

    /// The generator of matrix products on a GPU: auto, library or codegen
    #[arg(long, value_name = "HOW")]
    pub gpu_dot: Option<String>,

    /// How a GPU computes products of f32 whose precision is not HIGHEST: auto, tf32, 3xtf32 or ieee
    #[arg(long, value_name = "HOW")]
    pub gpu_f32: Option<String>,

    /// Flush subnormal numbers to zero, which is faster if there are many
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
        if let Some(products) = &self.gpu_f32 {
            options.set("gpu-f32", products);
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
