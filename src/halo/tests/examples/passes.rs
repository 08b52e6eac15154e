use halo::{
    compiler,
    ir::{
        diagnostics::parse_module,
        pass::{
            AlreadyRegistered, Count, OptionKind, OptionType, PassOption, PassOptions,
            PipelineError, Registered, Statistic, counts, is_registered, register_pass,
            register_pipeline, registered, run_pipeline,
        },
        pipeline,
        pipeline::pass,
    },
    prelude::*,
};

/// A factor, which a user writes `3x`.
#[derive(Clone, Debug)]
struct Times(i64);

impl OptionType for Times {
    const KIND: OptionKind = OptionKind::String;

    fn parse(text: &str) -> Option<Self> {
        text.strip_suffix('x')?.parse().ok().map(Self)
    }
}

pass_options! {
    /// The options of `example-mark`.
    pub struct Options {
        /// The text of the attribute
        label: String = "marked",
        /// How often it is written
        #[range(1..=4)]
        repeat: i64 = 1,
        /// One of each so many ops
        each: Times = "1x",
    }
}

static MARKED: Statistic = Statistic::new("num-marked", "Additions that were marked");

static MARK: PassDeclaration = PassDeclaration::new("example-mark", "Mark additions", |pass| {
    let options = pass.options::<Options>();
    let label = options.label.repeat(options.repeat as usize);
    assert_eq!(options.each.0, 1);
    pass.for_each(
        |op| op.isa::<stablehlo::AddOp>(),
        |b, op| {
            op.set_attribute("label", string_attribute(b.context(), &label));
            pass.count(&MARKED, 1);
            Ok::<_, String>(())
        },
    )
})
.on::<func::FuncOp>()
.options::<Options>()
.statistics(&[&MARKED]);

/// The op can also be specified by its name.
static NAMED: PassDeclaration = PassDeclaration::new("example-named", "Look at a module", |pass| {
    assert_eq!(pass.operation().name(), "builtin.module");
    pass.preserve_all();
    Ok(())
})
.on_op("builtin.module");

const PROGRAM: &[u8] = b"
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %sum = stablehlo.add %x, %x : tensor<3xf32>
  return %sum : tensor<3xf32>
}";

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A `Plugin` registers its passes; a program without one does so itself.
    register_pass(&MARK)?;
    register_pass(&NAMED)?;
    let twice: Result<(), AlreadyRegistered> = register_pass(&MARK);
    assert_eq!(twice.unwrap_err().argument, "example-mark");
    let nested = pipeline::nest::<func::FuncOp>(pipeline![pass(&MARK).option("repeat", 2)]);
    register_pipeline("example-passes", "Both", &pipeline![&NAMED, nested])?;
    assert!(is_registered("example-passes") && is_registered("cse"));
    let found: Vec<Registered> = registered();
    assert!(found.iter().any(|it| it.argument == "example-passes" && it.is_pipeline));

    // By the name on the command line.
    let context = compiler::context();
    let mut module = parse_module(&context, PROGRAM, "a.mlir").ok_or("no program")?;
    run_pipeline(&mut module, "example-passes")?;
    assert!(module.as_operation().to_string().contains("label = \"markedmarked\""));
    let count: Option<Count> = counts().into_iter().find(|it| it.pass == "example-mark");
    assert_eq!(count.map(|count| count.value), Some(1));

    // A wrong option is an error before anything runs.
    let wrong = run_pipeline(&mut module, "func.func(example-mark{repeat=9})");
    let message = "option 'repeat' of pass 'example-mark' is an integer from 1 to 4, not '9'";
    assert_eq!(wrong, Err(PipelineError::NotParsed(message.to_owned())));
    let option: &PassOption = &Options::DECLARED[1];
    assert_eq!(option.kind, OptionKind::INTEGER.within(1..=4));
    assert!(option.kind.accepts("4") && !option.kind.accepts("5"));
    assert_eq!(option.kind.value_name(), "integer");
    Ok(())
}
