//! The fields of an instruction as the attributes that XLA prints for it, in
//! its order.

use super::{message::Message, structure, value};
use crate::ParseError;
use crate::{Attributes, Opcode, Shape, Value, validity};

/// The names that an instruction refers to.
pub(super) struct References {
    /// Of the computations that it calls.
    pub(super) called: Vec<String>,
    /// Of the instructions that it runs after.
    pub(super) predecessors: Vec<String>,
    /// The types of its operands.
    pub(super) operands: Vec<Shape>,
}

/// The attributes of an instruction.
pub(super) fn of(
    message: &Message,
    opcode: Opcode,
    references: References,
) -> Result<Attributes, ParseError> {
    let mut fields = Fields {
        message,
        attributes: Attributes::default(),
    };
    fields.of_opcode(opcode)?;
    fields.of_collective(opcode)?;
    fields.calls(opcode, &references);
    fields.of_custom_call(opcode)?;
    fields.of_all(references.predecessors)?;
    Ok(fields.attributes)
}

struct Fields<'a> {
    message: &'a Message<'a>,
    attributes: Attributes,
}

impl Fields<'_> {
    fn push(&mut self, name: &str, value: Value) {
        self.attributes.push(name, value);
    }

    /// `name={0,1}`
    fn integers(&mut self, name: &str, message: &Message, field: &str) -> Result<(), ParseError> {
        let numbers = message.integers(field)?;
        self.push(name, Value::Integers(numbers));
        Ok(())
    }

    /// `name={0,1}`, unless it is empty.
    fn some_integers(
        &mut self,
        name: &str,
        message: &Message,
        field: &str,
    ) -> Result<(), ParseError> {
        if message.has(field) {
            self.integers(name, message, field)?;
        }
        Ok(())
    }

    /// `name=true`, unless it is false.
    fn flag(&mut self, name: &str, message: &Message) {
        if message.is_true(name) {
            self.push(name, Value::Bool(true));
        }
    }

    /// A word that protocol buffers have as a string.
    fn string_word(&mut self, name: &str, field: &str) -> Result<(), ParseError> {
        match self.message.string(field)? {
            Some(word) if !validity::is_word(&word) => {
                let wrong = format!("'{}' is not a word", word.escape_debug());
                Err(self.message.error(wrong))
            }
            Some(word) => {
                self.push(name, Value::Word(word));
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn number(&mut self, name: &str) -> Result<(), ParseError> {
        let number = self.message.number(name)?;
        self.push(name, Value::Integer(number));
        Ok(())
    }

    /// Attributes that only some opcodes have.
    fn of_opcode(&mut self, opcode: Opcode) -> Result<(), ParseError> {
        use Opcode::*;
        let message = self.message;
        match opcode {
            Broadcast | Concatenate | GetDimensionSize | Map | Reduce | Reverse
            | SetDimensionSize | Sort | Transpose => {
                self.integers("dimensions", message, "dimensions")?;
                self.flag("is_stable", message);
            }
            Iota => {
                let dimension = message.integers("dimensions")?;
                let dimension = dimension.first().copied().unwrap_or_default();
                self.push("iota_dimension", Value::Integer(dimension));
            }
            GetTupleElement => {
                let index = message.number("tuple_index")?;
                self.push("index", Value::Integer(index));
            }
            Compare => {
                self.string_word("direction", "comparison_direction")?;
                if let Some(compared) = message.string("comparison_type")?
                    && compared == "TOTALORDER"
                {
                    self.push("type", Value::Word(compared));
                }
            }
            Fft => {
                let kind = message.word("fft_type").unwrap_or("FFT");
                self.push("fft_type", Value::Word(kind.to_owned()));
                self.integers("fft_length", message, "fft_length")?;
            }
            Slice => {
                let ranges = message
                    .messages("slice_dimensions")
                    .map(structure::slice_range);
                let ranges = ranges.collect::<Result<_, ParseError>>()?;
                self.push("slice", Value::SliceRanges(ranges));
            }
            DynamicSlice => {
                self.integers("dynamic_slice_sizes", message, "dynamic_slice_sizes")?;
            }
            Pad => {
                if let Some(padding) = message.message("padding_config") {
                    let dimensions = padding.messages("dimensions").map(structure::padding);
                    let dimensions = dimensions.collect::<Result<_, ParseError>>()?;
                    self.push("padding", Value::Padding(dimensions));
                }
            }
            ReducePrecision => {
                self.number("exponent_bits")?;
                self.number("mantissa_bits")?;
            }
            Rng => {
                let kind = message.word("distribution").unwrap_or("RNG_INVALID");
                self.push("distribution", Value::Word(kind.to_ascii_lowercase()));
            }
            RngBitGenerator => {
                let kind = message.word("rng_algorithm").unwrap_or("RNG_DEFAULT");
                self.push("algorithm", Value::Word(kind.to_ascii_lowercase()));
            }
            RngGetAndUpdateState => self.number("delta")?,
            BatchNormGrad | BatchNormInference | BatchNormTraining => {
                let epsilon = message.decimal("epsilon")?;
                self.push("epsilon", Value::Float(epsilon));
                self.number("feature_index")?;
            }
            Cholesky => {
                if let Some(options) = message.message("cholesky_options") {
                    self.flag("lower", options);
                }
            }
            TriangularSolve => {
                if let Some(options) = message.message("triangular_solve_options") {
                    self.flag("left_side", options);
                    self.flag("lower", options);
                    self.flag("unit_diagonal", options);
                    let transpose = options.word("transpose_a").unwrap_or("NO_TRANSPOSE");
                    self.push("transpose_a", Value::Word(transpose.to_owned()));
                }
            }
            Scan => {
                self.integers("dimensions", message, "dimensions")?;
                self.flag("is_reverse", message);
                match message.word("is_associative") {
                    Some("TRI_STATE_TRUE") => self.push("is_associative", Value::Bool(true)),
                    Some("TRI_STATE_FALSE") => self.push("is_associative", Value::Bool(false)),
                    _ => {}
                }
                self.number("num_carries")?;
            }
            Topk => {
                self.number("k")?;
                let largest = message.is_true("largest");
                self.push("largest", Value::Bool(largest));
            }
            Gather => self.of_gather()?,
            Scatter => self.of_scatter()?,
            Convolution | ReduceWindow | SelectAndScatter | CustomCall => self.of_window()?,
            Dot | RaggedDot | ScaledDot => self.of_dot()?,
            CopyStart => {
                if let Some(index) = message.integer("cross_program_prefetch_index")? {
                    self.push("cross_program_prefetch_index", Value::Integer(index));
                }
            }
            Infeed => self.config("infeed_config")?,
            Outfeed => {
                if let Some(shape) = message.message("outfeed_shape") {
                    let shape = value::shape(shape)?;
                    self.push("outfeed_shape", Value::Shape(shape));
                }
                self.config("outfeed_config")?;
            }
            Fusion => {
                self.string_word("kind", "fusion_kind")?;
            }
            Domain => {
                // The text calls them the other way round: by its users' side.
                let entry = message.message("domain_exit_sharding");
                let exit = message.message("domain_entry_sharding");
                if let (Some(entry), Some(exit)) = (entry, exit) {
                    let entry = structure::sharding(entry)?;
                    let exit = structure::sharding(exit)?;
                    self.push("domain", Value::Domain { entry, exit });
                }
            }
            _ => {}
        }
        if let Some(accuracy) = message.message("result_accuracy")
            && let Some(accuracy) = structure::result_accuracy(accuracy)?
        {
            self.push("result_accuracy", Value::ResultAccuracy(accuracy));
        }
        Ok(())
    }

    fn config(&mut self, name: &str) -> Result<(), ParseError> {
        if let Some(config) = self.message.string(name)? {
            self.push(name, Value::String(config));
        }
        Ok(())
    }

    fn of_gather(&mut self) -> Result<(), ParseError> {
        let message = self.message;
        if let Some(numbers) = message.message("gather_dimension_numbers") {
            self.integers("offset_dims", numbers, "offset_dims")?;
            self.integers("collapsed_slice_dims", numbers, "collapsed_slice_dims")?;
            self.integers("start_index_map", numbers, "start_index_map")?;
            self.some_integers("operand_batching_dims", numbers, "operand_batching_dims")?;
            let field = "start_indices_batching_dims";
            self.some_integers(field, numbers, field)?;
            let dimension = numbers.number("index_vector_dim")?;
            self.push("index_vector_dim", Value::Integer(dimension));
        }
        self.integers("slice_sizes", message, "gather_slice_sizes")?;
        self.flag("indices_are_sorted", message);
        Ok(())
    }

    fn of_scatter(&mut self) -> Result<(), ParseError> {
        let message = self.message;
        if let Some(numbers) = message.message("scatter_dimension_numbers") {
            for field in ["update_window_dims", "inserted_window_dims"] {
                self.integers(field, numbers, field)?;
            }
            let field = "scatter_dims_to_operand_dims";
            self.integers(field, numbers, field)?;
            for field in ["input_batching_dims", "scatter_indices_batching_dims"] {
                self.some_integers(field, numbers, field)?;
            }
            let dimension = numbers.number("index_vector_dim")?;
            self.push("index_vector_dim", Value::Integer(dimension));
        }
        self.flag("indices_are_sorted", message);
        self.flag("unique_indices", message);
        Ok(())
    }

    fn of_window(&mut self) -> Result<(), ParseError> {
        let message = self.message;
        if let Some(window) = message.message("window") {
            let window = structure::window(window)?;
            if !window.dimensions.is_empty() {
                self.push("window", Value::Window(window));
            }
        }
        if let Some(numbers) = message.message("convolution_dimension_numbers") {
            let numbers = structure::convolution(numbers)?;
            self.push("dim_labels", Value::ConvolutionDimensionNumbers(numbers));
        }
        for name in ["feature_group_count", "batch_group_count"] {
            if let Some(count) = message.integer(name)?
                && count > 1
            {
                self.push(name, Value::Integer(count));
            }
        }
        self.of_precision();
        Ok(())
    }

    fn of_dot(&mut self) -> Result<(), ParseError> {
        let message = self.message;
        let ragged = message.message("ragged_dot_dimension_numbers");
        let numbers = match ragged {
            Some(ragged) => ragged.message("dot_dimension_numbers"),
            None => message.message("dot_dimension_numbers"),
        };
        if let Some(numbers) = numbers {
            self.some_integers("lhs_batch_dims", numbers, "lhs_batch_dimensions")?;
            self.integers(
                "lhs_contracting_dims",
                numbers,
                "lhs_contracting_dimensions",
            )?;
            self.some_integers("rhs_batch_dims", numbers, "rhs_batch_dimensions")?;
            self.integers(
                "rhs_contracting_dims",
                numbers,
                "rhs_contracting_dimensions",
            )?;
        }
        if let Some(ragged) = ragged {
            self.some_integers("lhs_ragged_dims", ragged, "lhs_ragged_dimensions")?;
            self.some_integers("rhs_group_dims", ragged, "rhs_group_dimensions")?;
        }
        self.of_precision();
        Ok(())
    }

    fn of_precision(&mut self) {
        let Some(config) = self.message.message("precision_config") else {
            return;
        };
        let words = config.words("operand_precision");
        let words: Vec<String> = words.map(|word| word.to_ascii_lowercase()).collect();
        if words.iter().any(|word| word != "default") {
            self.push("operand_precision", Value::Words(words));
        }
        let algorithm = config
            .word("algorithm")
            .and_then(|word| word.strip_prefix("ALG_"));
        if let Some(algorithm) = algorithm
            && algorithm != "UNSET"
        {
            self.push("algorithm", Value::Word(algorithm.to_ascii_lowercase()));
        }
    }

    fn of_collective(&mut self, opcode: Opcode) -> Result<(), ParseError> {
        use Opcode::*;
        let message = self.message;
        if let Some(channel) = message.integer("channel_id")?
            && channel > 0
        {
            self.push("channel_id", Value::Integer(channel));
        }
        if let Some(groups) = structure::replica_groups(message)? {
            self.push("replica_groups", Value::ReplicaGroups(groups));
        }
        if opcode != CustomCall {
            self.flag("constrain_layout", message);
        }
        let has_dimension = matches!(
            opcode,
            AllGather | AllGatherStart | AllToAll | ReduceScatter
        );
        if has_dimension {
            self.some_integers("dimensions", message, "dimensions")?;
        }
        self.flag("use_global_device_ids", message);
        let pairs = message
            .messages("source_target_pairs")
            .map(|pair| Ok(vec![pair.number("source")?, pair.number("target")?]));
        let pairs: Vec<Vec<i64>> = pairs.collect::<Result<_, ParseError>>()?;
        if !pairs.is_empty() {
            self.push("source_target_pairs", Value::IntegerLists(pairs));
        }
        self.flag("is_host_transfer", message);
        Ok(())
    }

    fn calls(&mut self, opcode: Opcode, references: &References) {
        use Opcode::*;
        let called = &references.called;
        let mut computation = |name: &str, position: usize| {
            if let Some(called) = called.get(position) {
                self.attributes
                    .push(name, Value::Computation(called.clone()));
            }
        };
        match opcode {
            While => {
                computation("condition", 1);
                computation("body", 0);
            }
            SelectAndScatter => {
                computation("select", 0);
                computation("scatter", 1);
            }
            Fusion | AsyncStart | AsyncUpdate | AsyncDone => computation("calls", 0),
            Conditional => {
                let is_predicate = matches!(
                    references.operands.first(),
                    Some(Shape::Array(array))
                        if array.element_type == halo_core::ElementType::I1
                );
                if is_predicate {
                    computation("true_computation", 0);
                    computation("false_computation", 1);
                } else {
                    self.push("branch_computations", Value::Computations(called.clone()));
                }
            }
            CustomCall if !called.is_empty() => {
                self.push("called_computations", Value::Computations(called.clone()));
            }
            _ => computation("to_apply", 0),
        }
        self.flag("is_composite", self.message);
    }

    fn of_custom_call(&mut self, opcode: Opcode) -> Result<(), ParseError> {
        let message = self.message;
        if opcode == Opcode::CustomCall {
            let target = message.string("custom_call_target")?;
            let target = Value::String(target.unwrap_or_default());
            self.push("custom_call_target", target);
            if message.is_true("constrain_layout") {
                let shapes = message
                    .messages("operand_shapes_with_layout")
                    .map(value::shape);
                let shapes = shapes.collect::<Result<_, ParseError>>()?;
                self.push("operand_layout_constraints", Value::Shapes(shapes));
            }
            self.flag("custom_call_has_side_effect", message);
            if let Some(literal) = message.message("literal") {
                let literal = value::literal(literal)?;
                self.push("literal", Value::Literal(literal));
            }
            let words = [
                ("padding_type", "padding_type", "PADDING_INVALID"),
                ("schedule", "custom_call_schedule", "SCHEDULE_NONE"),
                (
                    "api_version",
                    "custom_call_api_version",
                    "API_VERSION_ORIGINAL",
                ),
            ];
            for (name, field, default) in words {
                if let Some(word) = message.word(field)
                    && word != default
                    && word != "API_VERSION_UNSPECIFIED"
                {
                    self.push(name, Value::Word(word.to_owned()));
                }
            }
        }
        let aliases = message
            .messages("output_operand_aliasing")
            .map(structure::operand_alias);
        let aliases: Vec<_> = aliases.collect::<Result<_, ParseError>>()?;
        if !aliases.is_empty() {
            self.push("output_to_operand_aliasing", Value::Aliases(aliases));
        }
        Ok(())
    }

    /// Attributes that every instruction may have.
    fn of_all(&mut self, predecessors: Vec<String>) -> Result<(), ParseError> {
        let message = self.message;
        if let Some(thread) = message.string("async_execution_thread")? {
            self.push("async_execution_thread", Value::String(thread));
        }
        if let Some(replication) = message.message("parameter_replication") {
            let values = replication.flags("replicated_at_leaf_buffers")?;
            if !values.is_empty() {
                self.push("parameter_replication", Value::Bools(values));
            }
        }
        if let Some(sharding) = message.message("sharding") {
            let sharding = structure::sharding(sharding)?;
            self.push("sharding", Value::Sharding(sharding));
        }
        if let Some(attributes) = message.message("frontend_attributes") {
            let attributes = structure::frontend_attributes(attributes)?;
            if !attributes.is_empty() {
                self.push("frontend_attributes", Value::FrontendAttributes(attributes));
            }
        }
        if !predecessors.is_empty() {
            self.push("control-predecessors", Value::Instructions(predecessors));
        }
        if let Some(metadata) = message.message("metadata")
            && let Some(metadata) = structure::metadata(metadata)?
        {
            self.push("metadata", Value::Metadata(Box::new(metadata)));
        }
        if let Some(config) = message.string("backend_config")? {
            let value = match crate::parser::braces_length(&config) {
                Some(length) if length == config.len() => Value::Dictionary(config),
                _ => Value::String(config),
            };
            self.push("backend_config", value);
        }
        Ok(())
    }
}
