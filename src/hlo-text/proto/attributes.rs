//! The fields of an instruction as the attributes that XLA prints for it, in its order.

use std::mem::take;

use super::schema::{HloInstructionProto, enumerations::*};
use super::{names::some_text, structure, value};
use crate::{Attributes, Opcode, Shape, Value, validity};

/// The names that an instruction refers to.
pub(super) struct References {
    /// The names of the called computations.
    pub(super) called: Vec<String>,
    /// The names of the control predecessors.
    pub(super) predecessors: Vec<String>,
    /// The types of its operands.
    pub(super) operands: Vec<Shape>,
}

/// The attributes of an instruction.
pub(super) fn of(
    proto: HloInstructionProto,
    opcode: Opcode,
    references: References,
) -> Result<Attributes, String> {
    let mut fields = Fields {
        proto,
        attributes: Attributes::default(),
    };
    fields.of_opcode(opcode)?;
    fields.of_collective(opcode)?;
    fields.calls(opcode, &references);
    fields.of_custom_call(opcode)?;
    fields.of_all(references.predecessors)?;
    Ok(fields.attributes)
}

struct Fields {
    proto: HloInstructionProto,
    attributes: Attributes,
}

impl Fields {
    fn push(&mut self, name: &str, value: Value) {
        self.attributes.push(name, value);
    }

    fn integer(&mut self, name: &str, number: i64) {
        self.push(name, Value::Integer(number));
    }

    /// `name={0,1}`
    fn integers(&mut self, name: &str, numbers: Vec<i64>) {
        self.push(name, Value::Integers(numbers));
    }

    /// `name={0,1}`, unless it is empty.
    fn some_integers(&mut self, name: &str, numbers: Vec<i64>) {
        if !numbers.is_empty() {
            self.integers(name, numbers);
        }
    }

    /// `name=true`, unless it is false.
    fn flag(&mut self, name: &str, flag: bool) {
        if flag {
            self.push(name, Value::Bool(true));
        }
    }

    /// The name of an enumeration's value.
    fn word(&mut self, name: &str, word: impl Into<String>) {
        self.push(name, Value::Word(word.into()));
    }

    /// A word that protocol buffers have as a string.
    fn string_word(&mut self, name: &str, word: String) -> Result<(), String> {
        if !word.is_empty() && !validity::is_word(&word) {
            return Err(format!("'{}' is not a word", word.escape_debug()));
        }
        if !word.is_empty() {
            self.word(name, word);
        }
        Ok(())
    }

    fn string(&mut self, name: &str, text: String) {
        if let Some(text) = some_text(text) {
            self.push(name, Value::String(text));
        }
    }

    /// Attributes that only some opcodes have.
    fn of_opcode(&mut self, opcode: Opcode) -> Result<(), String> {
        use Opcode::*;
        match opcode {
            Broadcast | Concatenate | GetDimensionSize | Map | Reduce | Reverse
            | SetDimensionSize | Sort | Transpose => {
                self.integers("dimensions", self.proto.dimensions.clone());
                self.flag("is_stable", self.proto.is_stable);
            }
            Iota => {
                let dimension = self.proto.dimensions.first().copied();
                self.integer("iota_dimension", dimension.unwrap_or_default());
            }
            GetTupleElement => self.integer("index", self.proto.tuple_index),
            Compare => {
                self.string_word("direction", self.proto.comparison_direction.clone())?;
                if self.proto.comparison_type == "TOTALORDER" {
                    self.word("type", "TOTALORDER");
                }
            }
            Fft => {
                self.word("fft_type", FFT_TYPE.name(self.proto.fft_type)?);
                self.integers("fft_length", self.proto.fft_length.clone());
            }
            Slice => {
                let ranges = take(&mut self.proto.slice_dimensions).into_iter();
                let ranges = ranges.map(structure::slice_range).collect();
                self.push("slice", Value::SliceRanges(ranges));
            }
            DynamicSlice => {
                self.integers(
                    "dynamic_slice_sizes",
                    self.proto.dynamic_slice_sizes.clone(),
                );
            }
            Pad => {
                if let Some(padding) = self.proto.padding_config.take() {
                    let dimensions = padding.dimensions.into_iter().map(structure::padding);
                    self.push("padding", Value::Padding(dimensions.collect()));
                }
            }
            ReducePrecision => {
                self.integer("exponent_bits", self.proto.exponent_bits);
                self.integer("mantissa_bits", self.proto.mantissa_bits);
            }
            Rng => {
                let kind = RANDOM_DISTRIBUTION.name(self.proto.distribution)?;
                self.word("distribution", kind.to_ascii_lowercase());
            }
            RngBitGenerator => {
                let kind = RANDOM_ALGORITHM.name(self.proto.rng_algorithm)?;
                self.word("algorithm", kind.to_ascii_lowercase());
            }
            RngGetAndUpdateState => self.integer("delta", self.proto.delta),
            BatchNormGrad | BatchNormInference | BatchNormTraining => {
                self.push("epsilon", Value::Float(self.proto.epsilon.into()));
                self.integer("feature_index", self.proto.feature_index);
            }
            Cholesky => {
                let options = self.proto.cholesky_options.take();
                self.flag("lower", options.is_some_and(|options| options.lower));
            }
            TriangularSolve => self.of_triangular_solve()?,
            Scan => self.of_scan()?,
            Topk => {
                self.integer("k", self.proto.k);
                self.push("largest", Value::Bool(self.proto.largest));
            }
            Gather => self.of_gather(),
            Scatter => self.of_scatter(),
            Convolution | ReduceWindow | SelectAndScatter | CustomCall => self.of_window()?,
            Dot | RaggedDot | ScaledDot => self.of_dot()?,
            CopyStart => {
                if let Some(index) = self.proto.cross_program_prefetch_index {
                    self.integer("cross_program_prefetch_index", index);
                }
            }
            Infeed => {
                self.string("infeed_config", self.proto.infeed_config.clone());
            }
            Outfeed => {
                if let Some(shape) = self.proto.outfeed_shape.take() {
                    let shape = value::shape(*shape)?;
                    self.push("outfeed_shape", Value::Shape(shape));
                }
                self.string("outfeed_config", self.proto.outfeed_config.clone());
            }
            Fusion => {
                self.string_word("kind", self.proto.fusion_kind.clone())?;
            }
            Domain => {
                // The text swaps them: its names are from the users' side.
                let entry = self.proto.domain_exit_sharding.take();
                let exit = self.proto.domain_entry_sharding.take();
                if let (Some(entry), Some(exit)) = (entry, exit) {
                    let entry = structure::sharding(*entry)?;
                    let exit = structure::sharding(*exit)?;
                    self.push("domain", Value::Domain { entry, exit });
                }
            }
            _ => {}
        }
        if let Some(accuracy) = self.proto.result_accuracy.take()
            && let Some(accuracy) = structure::result_accuracy(*accuracy)?
        {
            self.push("result_accuracy", Value::ResultAccuracy(accuracy));
        }
        Ok(())
    }

    fn of_triangular_solve(&mut self) -> Result<(), String> {
        if let Some(options) = self.proto.triangular_solve_options.take() {
            self.flag("left_side", options.left_side);
            self.flag("lower", options.lower);
            self.flag("unit_diagonal", options.unit_diagonal);
            let transpose = match options.transpose_a {
                0 => "NO_TRANSPOSE",
                transpose => TRANSPOSE.name(transpose)?,
            };
            self.word("transpose_a", transpose);
        }
        Ok(())
    }

    fn of_scan(&mut self) -> Result<(), String> {
        self.integers("dimensions", self.proto.dimensions.clone());
        self.flag("is_reverse", self.proto.is_reverse);
        match TRI_STATE.name(self.proto.is_associative)? {
            "TRI_STATE_TRUE" => self.push("is_associative", Value::Bool(true)),
            "TRI_STATE_FALSE" => self.push("is_associative", Value::Bool(false)),
            _ => {}
        }
        self.integer("num_carries", self.proto.num_carries);
        Ok(())
    }

    fn of_gather(&mut self) {
        if let Some(numbers) = self.proto.gather_dimension_numbers.take() {
            self.integers("offset_dims", numbers.offset_dims);
            self.integers("collapsed_slice_dims", numbers.collapsed_slice_dims);
            self.integers("start_index_map", numbers.start_index_map);
            self.some_integers("operand_batching_dims", numbers.operand_batching_dims);
            let batching = numbers.start_indices_batching_dims;
            self.some_integers("start_indices_batching_dims", batching);
            self.integer("index_vector_dim", numbers.index_vector_dim);
        }
        self.integers("slice_sizes", self.proto.gather_slice_sizes.clone());
        self.flag("indices_are_sorted", self.proto.indices_are_sorted);
    }

    fn of_scatter(&mut self) {
        if let Some(numbers) = self.proto.scatter_dimension_numbers.take() {
            self.integers("update_window_dims", numbers.update_window_dims);
            self.integers("inserted_window_dims", numbers.inserted_window_dims);
            let dimensions = numbers.scatter_dims_to_operand_dims;
            self.integers("scatter_dims_to_operand_dims", dimensions);
            self.some_integers("input_batching_dims", numbers.input_batching_dims);
            let batching = numbers.scatter_indices_batching_dims;
            self.some_integers("scatter_indices_batching_dims", batching);
            self.integer("index_vector_dim", numbers.index_vector_dim);
        }
        self.flag("indices_are_sorted", self.proto.indices_are_sorted);
        self.flag("unique_indices", self.proto.unique_indices);
    }

    fn of_window(&mut self) -> Result<(), String> {
        if let Some(window) = self.proto.window.take()
            && !window.dimensions.is_empty()
        {
            self.push("window", Value::Window(structure::window(*window)));
        }
        if let Some(numbers) = self.proto.convolution_dimension_numbers.take() {
            let numbers = structure::convolution(*numbers);
            self.push("dim_labels", Value::ConvolutionDimensionNumbers(numbers));
        }
        let counts = [
            ("feature_group_count", self.proto.feature_group_count),
            ("batch_group_count", self.proto.batch_group_count),
        ];
        for (name, count) in counts.into_iter().filter(|(_, count)| *count > 1) {
            self.integer(name, count);
        }
        self.of_precision()
    }

    fn of_dot(&mut self) -> Result<(), String> {
        let mut ragged = self.proto.ragged_dot_dimension_numbers.take();
        let numbers = match &mut ragged {
            Some(ragged) => ragged.dot_dimension_numbers.take(),
            None => self.proto.dot_dimension_numbers.take().map(|numbers| *numbers),
        };
        if let Some(numbers) = numbers {
            self.some_integers("lhs_batch_dims", numbers.lhs_batch_dimensions);
            self.integers("lhs_contracting_dims", numbers.lhs_contracting_dimensions);
            self.some_integers("rhs_batch_dims", numbers.rhs_batch_dimensions);
            self.integers("rhs_contracting_dims", numbers.rhs_contracting_dimensions);
        }
        if let Some(ragged) = ragged {
            self.some_integers("lhs_ragged_dims", ragged.lhs_ragged_dimensions);
            self.some_integers("rhs_group_dims", ragged.rhs_group_dimensions);
        }
        self.of_precision()
    }

    fn of_precision(&mut self) -> Result<(), String> {
        let Some(config) = self.proto.precision_config.take() else {
            return Ok(());
        };
        let words = config.operand_precision.iter();
        let words = words.map(|precision| Ok(PRECISION.name(*precision)?.to_ascii_lowercase()));
        let words: Vec<String> = words.collect::<Result<_, String>>()?;
        if words.iter().any(|word| word != "default") {
            self.push("operand_precision", Value::Words(words));
        }
        let algorithm = ALGORITHM.name(config.algorithm)?.strip_prefix("ALG_");
        if let Some(algorithm) = algorithm.filter(|algorithm| *algorithm != "UNSET") {
            self.word("algorithm", algorithm.to_ascii_lowercase());
        }
        Ok(())
    }

    fn of_collective(&mut self, opcode: Opcode) -> Result<(), String> {
        use Opcode::*;
        if self.proto.channel_id > 0 {
            self.integer("channel_id", self.proto.channel_id);
        }
        if let Some(groups) = structure::replica_groups(&mut self.proto)? {
            self.push("replica_groups", Value::ReplicaGroups(groups));
        }
        if opcode != CustomCall {
            self.flag("constrain_layout", self.proto.constrain_layout);
        }
        let has_dimension = matches!(
            opcode,
            AllGather | AllGatherStart | AllToAll | ReduceScatter
        );
        if has_dimension {
            self.some_integers("dimensions", self.proto.dimensions.clone());
        }
        self.flag("use_global_device_ids", self.proto.use_global_device_ids);
        let pairs = self.proto.source_target_pairs.iter();
        let pairs: Vec<_> = pairs.map(|pair| vec![pair.source, pair.target]).collect();
        if !pairs.is_empty() {
            self.push("source_target_pairs", Value::IntegerLists(pairs));
        }
        self.flag("is_host_transfer", self.proto.is_host_transfer);
        Ok(())
    }

    fn calls(&mut self, opcode: Opcode, references: &References) {
        use Opcode::*;
        let called = &references.called;
        let mut computation = |name: &str, position: usize| {
            if let Some(called) = called.get(position) {
                self.attributes.push(name, Value::Computation(called.clone()));
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
        self.flag("is_composite", self.proto.is_composite);
    }

    fn of_custom_call(&mut self, opcode: Opcode) -> Result<(), String> {
        if opcode == Opcode::CustomCall {
            let target = take(&mut self.proto.custom_call_target);
            self.push("custom_call_target", Value::String(target));
            if self.proto.constrain_layout {
                let shapes = value::shapes(take(&mut self.proto.operand_shapes_with_layout))?;
                self.push("operand_layout_constraints", Value::Shapes(shapes));
            }
            let has_side_effect = self.proto.custom_call_has_side_effect;
            self.flag("custom_call_has_side_effect", has_side_effect);
            if let Some(literal) = self.proto.literal.take() {
                let (literal, _) = value::literal(*literal)?;
                self.push("literal", Value::Literal(literal));
            }
            let version = self.proto.custom_call_api_version;
            let words = [
                ("padding_type", PADDING_TYPE.name(self.proto.padding_type)?),
                (
                    "schedule",
                    CUSTOM_CALL_SCHEDULE.name(self.proto.custom_call_schedule)?,
                ),
                ("api_version", CUSTOM_CALL_API_VERSION.name(version)?),
            ];
            const DEFAULTS: [&str; 4] = [
                "PADDING_INVALID",
                "SCHEDULE_NONE",
                "API_VERSION_ORIGINAL",
                "API_VERSION_UNSPECIFIED",
            ];
            for (name, word) in words {
                if !DEFAULTS.contains(&word) {
                    self.word(name, word);
                }
            }
        }
        let aliases = take(&mut self.proto.output_operand_aliasing).into_iter();
        let aliases: Vec<_> = aliases.map(structure::operand_alias).collect();
        if !aliases.is_empty() {
            self.push("output_to_operand_aliasing", Value::Aliases(aliases));
        }
        Ok(())
    }

    /// Attributes that every instruction may have.
    fn of_all(&mut self, predecessors: Vec<String>) -> Result<(), String> {
        self.string(
            "async_execution_thread",
            self.proto.async_execution_thread.clone(),
        );
        if let Some(replication) = self.proto.parameter_replication.take()
            && !replication.replicated_at_leaf_buffers.is_empty()
        {
            let flags = replication.replicated_at_leaf_buffers;
            self.push("parameter_replication", Value::Bools(flags));
        }
        if let Some(sharding) = self.proto.sharding.take() {
            let sharding = structure::sharding(*sharding)?;
            self.push("sharding", Value::Sharding(sharding));
        }
        if let Some(attributes) = self.proto.frontend_attributes.take() {
            let attributes = structure::frontend_attributes(*attributes)?;
            if !attributes.is_empty() {
                self.push("frontend_attributes", Value::FrontendAttributes(attributes));
            }
        }
        if !predecessors.is_empty() {
            self.push("control-predecessors", Value::Instructions(predecessors));
        }
        let metadata = self.proto.metadata.take();
        if let Some(metadata) = metadata.and_then(|metadata| structure::metadata(*metadata)) {
            self.push("metadata", Value::Metadata(Box::new(metadata)));
        }
        if let Some(config) = some_text(take(&mut self.proto.backend_config)) {
            let value = match crate::parser::braces(&config) {
                Some(length) if length == config.len() => Value::Dictionary(config),
                _ => Value::String(config),
            };
            self.push("backend_config", value);
        }
        Ok(())
    }
}
