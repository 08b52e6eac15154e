//! The options that name a processor.

use clap::Args;
use halo_backend::{ProcessorOptions, object_code::runner::Runner};

/// The target processor of machine code.
#[derive(Args, Clone, Debug)]
pub struct ProcessorArguments {
    /// The architecture and system to make machine code for, such as
    /// aarch64-unknown-linux-gnu [default: this machine's]
    #[arg(long, value_name = "TRIPLE")]
    pub target: Option<String>,

    /// The processor to make machine code for, such as x86-64-v3 or native
    /// [default: this machine's, or any of --target]
    #[arg(long, value_name = "NAME", visible_alias = "cpu")]
    pub target_cpu: Option<String>,

    /// Features on top of the processor's, such as +avx2,-fma
    #[arg(
        long,
        value_name = "LIST",
        allow_hyphen_values = true,
        visible_alias = "features"
    )]
    pub target_features: Option<String>,
}

impl ProcessorArguments {
    /// The options of a compilation for a runner, if there is one.
    pub fn options(&self, runner: Option<Runner>) -> ProcessorOptions {
        ProcessorOptions {
            triple: self.target.clone(),
            cpu: self.target_cpu.clone(),
            features: self.target_features.clone(),
            runner,
        }
    }

    /// The first option that is set.
    pub fn given(&self) -> Option<&'static str> {
        let options = [
            ("--target", &self.target),
            ("--target-cpu", &self.target_cpu),
            ("--target-features", &self.target_features),
        ];
        let given = options.into_iter().find(|(_, value)| value.is_some());
        given.map(|(name, _)| name)
    }
}
