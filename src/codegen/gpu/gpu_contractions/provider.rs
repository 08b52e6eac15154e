//! The provider of contractions on a GPU: Halo's kernels or the vendor's library.

use halo_backend::BackendOption;
use halo_ir::pass::{OptionKind, OptionType};
use std::str::FromStr;

/// The provider of contractions on a GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Provider {
    /// The provider that is expected to be faster.
    #[default]
    Auto,
    /// The vendor's library, for the contractions that it supports.
    Library,
    /// Kernels of [`contractions`](super).
    Codegen,
}

impl Provider {
    /// The option of backends for GPUs.
    pub const OPTION: BackendOption = BackendOption {
        name: "gpu-dot",
        summary: "What computes matrix products on a GPU",
        values: &["auto", "library", "codegen"],
    };

    /// The value of `--gpu-dot=` and of the pass's option `dot`.
    pub fn name(self) -> &'static str {
        Self::OPTION.values[self as usize]
    }
}

impl OptionType for Provider {
    const KIND: OptionKind = OptionKind::Words(Self::OPTION.values);

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl FromStr for Provider {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Auto, Self::Library, Self::Codegen]
            .into_iter()
            .find(|choice| choice.name() == text)
            .ok_or_else(|| {
                let names = Self::OPTION.values.join(", ");
                format!("'{text}' is not one of: {names}")
            })
    }
}
