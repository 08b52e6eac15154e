//! Ops between devices and with the host, and calls.

use crate::{
    builder::{Builder, Function, Plan, Results, Value},
    cases::CustomCallApiVersion,
    error::ErrorKind,
    ops::Attributes,
    types::{ElementType, Type},
};
use halo_vhlo::{Attribute, AttributeId, Type as Vhlo};

/// The processes of a collective.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collective {
    /// The processes of each group.
    pub replica_groups: Vec<Vec<i64>>,
    /// The number of the channel; 0 for none.
    pub channel_id: i64,
    /// Groups have numbers of processes, rather than of replicas.
    pub use_global_device_ids: bool,
    /// The last operand has the root of each of the others: `collective_broadcast` and
    /// `collective_reduce`.
    pub has_dynamic_root: bool,
}

/// The channel of `send` and `recv`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Channel {
    pub channel_id: i64,
    /// 1 between devices, 2 from a device to the host, 3 from the host to a device.
    pub channel_type: i64,
    pub is_host_transfer: bool,
    pub source_target_pairs: Vec<[i64; 2]>,
}

/// A value in the dictionary of a composite or of a custom call.
#[derive(Clone, Debug, PartialEq)]
pub enum Attr {
    Bool(bool),
    I64(i64),
    F64(f64),
    String(String),
    List(Vec<Attr>),
    Dictionary(Vec<(String, Attr)>),
}

/// The attributes of `custom_call`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomCall {
    pub has_side_effect: bool,
    /// A string, or a dictionary for `CustomCallApiVersion::TypedFfi`.
    pub backend_config: Option<Attr>,
    pub api_version: CustomCallApiVersion,
    /// The names of functions.
    pub called_computations: Vec<String>,
    /// The orders of the dimensions of each operand and of each result, the fastest first.
    pub layouts: Option<[Vec<Vec<i64>>; 2]>,
    pub output_operand_aliases: Vec<OutputOperandAlias>,
}

/// An output of a custom call that shares the buffer of an operand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputOperandAlias {
    pub output_tuple_indices: Vec<i64>,
    pub operand_index: i64,
    pub operand_tuple_indices: Vec<i64>,
}

impl Builder {
    fn attr(&self, attr: &Attr) -> AttributeId {
        match attr {
            Attr::Bool(value) => self.flag(*value),
            Attr::I64(value) => self.int(*value),
            Attr::F64(value) => {
                let ty = self.types.intern_element(&ElementType::F64);
                let bits = value.to_bits();
                self.types.attribute(Attribute::Float { ty, bits })
            }
            Attr::String(text) => self.string(text),
            Attr::List(entries) => {
                let ids = entries.iter().map(|entry| self.attr(entry)).collect();
                self.types.attribute(Attribute::Array(ids))
            }
            Attr::Dictionary(entries) => self.dictionary(entries),
        }
    }

    /// A dictionary in the order of the names.
    fn dictionary(&self, entries: &[(String, Attr)]) -> AttributeId {
        let mut entries: Vec<_> = entries.iter().collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        let ids = entries.into_iter().map(|(name, attr)| (self.string(name), self.attr(attr)));
        self.types.attribute(Attribute::Dictionary(ids.collect()))
    }

    fn collective(&self, family: &str, collective: &Collective) -> Attributes {
        let mut attributes = vec![
            ("channel_id", self.int(collective.channel_id)),
            ("replica_groups", self.matrix(&collective.replica_groups)),
        ];
        if matches!(
            family,
            "all_gather" | "all_reduce" | "reduce_scatter" | "collective_reduce"
        ) {
            let is_global = self.flag(collective.use_global_device_ids);
            attributes.push(("use_global_device_ids", is_global));
        }
        if matches!(family, "collective_broadcast" | "collective_reduce") {
            attributes.push(("has_dynamic_root", self.flag(collective.has_dynamic_root)));
        }
        attributes
    }

    /// The op `stablehlo.all_gather`; `results` are the types of the results, because the number of
    /// processes is not known.
    #[track_caller]
    pub fn all_gather<'b>(
        &'b self,
        operands: &[Value<'b>],
        all_gather_dim: i64,
        collective: &Collective,
        results: &[Type],
    ) -> Vec<Value<'b>> {
        let mut attributes = self.collective("all_gather", collective);
        attributes.push(("all_gather_dim", self.int(all_gather_dim)));
        let types = Results::Types(results.iter().map(|ty| self.types.intern(ty)).collect());
        if let Some(result) = (0..operands.len()).find(|index| {
            let found = results.get(*index).and_then(Type::element);
            let operand = operands[*index].element();
            operand.is_some() && found != operand.as_ref()
        }) {
            return self.wrong_result("all_gather", result, results);
        }
        self.many("all_gather", operands, attributes, types, results.len())
    }

    #[track_caller]
    fn wrong_result(&self, op: &str, result: usize, results: &[Type]) -> Vec<Value<'_>> {
        let kind = ErrorKind::ResultType {
            result,
            expected: "a tensor of the elements of the operand".to_owned(),
            found: results.get(result).cloned().unwrap_or(Type::Token),
        };
        vec![self.fail(&format!("stablehlo.{op}"), kind); results.len()]
    }

    /// The op `stablehlo.all_reduce`.
    #[track_caller]
    pub fn all_reduce<'b>(
        &'b self,
        operands: &[Value<'b>],
        collective: &Collective,
        computation: impl FnOnce(&[Value<'b>]) -> Value<'b>,
    ) -> Vec<Value<'b>> {
        self.reducing("all_reduce", operands, collective, computation)
    }

    /// The op `stablehlo.collective_reduce`.
    #[track_caller]
    pub fn collective_reduce<'b>(
        &'b self,
        operands: &[Value<'b>],
        collective: &Collective,
        computation: impl FnOnce(&[Value<'b>]) -> Value<'b>,
    ) -> Vec<Value<'b>> {
        self.reducing("collective_reduce", operands, collective, computation)
    }

    #[track_caller]
    fn reducing<'b>(
        &'b self,
        family: &'static str,
        operands: &[Value<'b>],
        collective: &Collective,
        computation: impl FnOnce(&[Value<'b>]) -> Value<'b>,
    ) -> Vec<Value<'b>> {
        let first = self.scalars(&operands[..operands.len().min(1)]);
        let region = self.region(&first.repeat(2), computation);
        let attributes = self.collective(family, collective);
        let count = operands.len() - usize::from(collective.has_dynamic_root).min(operands.len());
        self.with_regions(family, operands, attributes, vec![region], count)
    }

    /// The op `stablehlo.all_to_all`.
    #[track_caller]
    pub fn all_to_all<'b>(
        &'b self,
        operands: &[Value<'b>],
        [split_dimension, concat_dimension, split_count]: [i64; 3],
        collective: &Collective,
    ) -> Vec<Value<'b>> {
        if split_count < 1 {
            let kind = ErrorKind::Attribute {
                name: "split_count",
                expected: "at least 1",
                found: split_count.to_string(),
            };
            return vec![self.fail("stablehlo.all_to_all", kind); operands.len()];
        }
        let mut attributes = self.collective("all_to_all", collective);
        attributes.extend([
            ("concat_dimension", self.int(concat_dimension)),
            ("split_count", self.int(split_count)),
            ("split_dimension", self.int(split_dimension)),
        ]);
        self.many(
            "all_to_all",
            operands,
            attributes,
            Results::Inferred,
            operands.len(),
        )
    }

    /// The op `stablehlo.collective_broadcast`.
    #[track_caller]
    pub fn collective_broadcast<'b>(
        &'b self,
        operands: &[Value<'b>],
        collective: &Collective,
    ) -> Vec<Value<'b>> {
        let attributes = self.collective("collective_broadcast", collective);
        let count = operands.len() - usize::from(collective.has_dynamic_root).min(operands.len());
        self.many(
            "collective_broadcast",
            operands,
            attributes,
            Results::Inferred,
            count,
        )
    }

    /// The op `stablehlo.async_start`: the body is one collective on the operands.
    #[track_caller]
    pub fn async_start<'b, R: AsRef<[Value<'b>]>>(
        &'b self,
        operands: &[Value<'b>],
        body: impl FnOnce(&[Value<'b>]) -> R,
    ) -> Value<'b> {
        let region = self.region(&self.types_of(operands), body);
        self.with_regions("async_start", operands, Vec::new(), vec![region], 1)[0]
    }

    /// The op `stablehlo.outfeed`.
    #[track_caller]
    pub fn outfeed<'b>(
        &'b self,
        inputs: &[Value<'b>],
        token: Value<'b>,
        outfeed_config: &str,
    ) -> Value<'b> {
        let attributes = vec![("outfeed_config", self.string(outfeed_config))];
        self.one(
            "outfeed",
            &[inputs, &[token]].concat(),
            attributes,
            Results::Inferred,
        )
    }

    /// The op `stablehlo.send`.
    #[track_caller]
    pub fn send<'b>(
        &'b self,
        inputs: &[Value<'b>],
        token: Value<'b>,
        channel: &Channel,
    ) -> Value<'b> {
        let operands = [inputs, &[token]].concat();
        self.one("send", &operands, self.channel(channel), Results::Inferred)
    }

    fn channel(&self, channel: &Channel) -> Attributes {
        let mut attributes = vec![
            ("channel_id", self.int(channel.channel_id)),
            ("channel_type", self.int(channel.channel_type)),
            ("is_host_transfer", self.flag(channel.is_host_transfer)),
        ];
        if !channel.source_target_pairs.is_empty() {
            attributes.push((
                "source_target_pairs",
                self.matrix(&channel.source_target_pairs),
            ));
        }
        attributes
    }

    /// A call of a function of the program.
    #[track_caller]
    pub fn call<'b>(&'b self, function: &Function, operands: &[Value<'b>]) -> Vec<Value<'b>> {
        if let Err(kind) = self.expect_inputs(function, operands) {
            return vec![self.fail("func.call", kind); function.results.len()];
        }
        let attributes = vec![("callee", self.string(&function.name))];
        let results = self.results_of(function);
        self.many(
            "call",
            operands,
            attributes,
            results,
            function.results.len(),
        )
    }

    /// The op `stablehlo.composite`: an op with a name such as `my.gelu`, which the function
    /// computes.
    #[track_caller]
    pub fn composite<'b>(
        &'b self,
        name: &str,
        operands: &[Value<'b>],
        composite_attributes: &[(String, Attr)],
        decomposition: &Function,
        version: i32,
    ) -> Vec<Value<'b>> {
        let count = decomposition.results.len();
        let fail = |kind| vec![self.fail("stablehlo.composite", kind); count];
        if let Err(kind) = self.expect_inputs(decomposition, operands) {
            return fail(kind);
        }
        let is_word = |word: &str| {
            let mut letters = word.chars();
            letters.all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$'))
        };
        let starts = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        let words: Vec<&str> = name.split('.').collect();
        if !starts || words.len() < 2 || !words.iter().all(|word| !word.is_empty() && is_word(word))
        {
            return fail(ErrorKind::Attribute {
                name: "name",
                expected: "a namespace and a name with a point between them",
                found: name.to_owned(),
            });
        }
        let attributes = vec![
            (
                "composite_attributes",
                self.dictionary(composite_attributes),
            ),
            ("decomposition", self.string(&decomposition.name)),
            ("name", self.string(name)),
            ("version", self.int32(version)),
        ];
        let results = self.results_of(decomposition);
        self.many("composite", operands, attributes, results, count)
    }

    fn results_of(&self, function: &Function) -> Results {
        Results::Types(function.results.iter().map(|ty| self.types.intern(ty)).collect())
    }

    /// Fails unless operands have the types of the parameters of a function.
    fn expect_inputs(&self, function: &Function, operands: &[Value]) -> Result<(), ErrorKind> {
        if operands.len() != function.inputs.len() {
            return Err(ErrorKind::OperandCount {
                expected: function.inputs.len().to_string(),
                found: operands.len(),
            });
        }
        for (operand, (value, expected)) in operands.iter().zip(&function.inputs).enumerate() {
            match value.ty() {
                Some(found) if found != *expected => {
                    return Err(ErrorKind::OperandType {
                        operand,
                        expected: expected.to_string(),
                        found,
                    });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The op `stablehlo.custom_call`: a function outside of the program.
    #[track_caller]
    pub fn custom_call<'b>(
        &'b self,
        call_target_name: &str,
        operands: &[Value<'b>],
        results: &[Type],
        options: &CustomCall,
    ) -> Vec<Value<'b>> {
        let fail = |name, expected, found: String| {
            let kind = ErrorKind::Attribute {
                name,
                expected,
                found,
            };
            vec![self.fail("stablehlo.custom_call", kind); results.len()]
        };
        let is_typed = options.api_version == CustomCallApiVersion::TypedFfi;
        let mut attributes = vec![
            (
                "api_version",
                self.enumeration(CustomCallApiVersion::KIND, options.api_version as u32),
            ),
            ("call_target_name", self.string(call_target_name)),
            ("has_side_effect", self.flag(options.has_side_effect)),
        ];
        match (&options.backend_config, is_typed) {
            (None, false) => {}
            (None, true) => attributes.push(("backend_config", self.dictionary(&[]))),
            (Some(config @ Attr::String(_)), false)
            | (Some(config @ Attr::Dictionary(_)), true) => {
                attributes.push(("backend_config", self.attr(config)));
            }
            (Some(other), _) => {
                let expected = "a dictionary for TypedFfi, and a string for other versions";
                return fail("backend_config", expected, format!("{other:?}"));
            }
        }
        let names = options.called_computations.iter().map(|name| self.string(name)).collect();
        attributes.push((
            "called_computations",
            self.types.attribute(Attribute::Array(names)),
        ));
        if let Some(layouts) = &options.layouts {
            let operand_types: Vec<Option<Type>> =
                operands.iter().map(|value| value.ty()).collect();
            let result_types: Vec<Option<Type>> = match results {
                [Type::Tuple(parts)] => parts.iter().cloned().map(Some).collect(),
                results => results.iter().cloned().map(Some).collect(),
            };
            for ((name, types), layouts) in [
                ("operand_layouts", operand_types),
                ("result_layouts", result_types),
            ]
            .into_iter()
            .zip(layouts)
            {
                let orders = |(layout, ty): (&Vec<i64>, &Option<Type>)| {
                    let rank = match ty {
                        Some(Type::Tuple(_)) => return false,
                        Some(ty) => ty.dims().map_or(0, <[_]>::len),
                        None => return true,
                    };
                    layout.len() == rank && (0..rank as i64).all(|dim| layout.contains(&dim))
                };
                if layouts.len() != types.len() || !layouts.iter().zip(&types).all(orders) {
                    let expected = "an order of the dimensions of each value";
                    return fail(name, expected, format!("{layouts:?}"));
                }
                let ids = layouts.iter().map(|layout| self.layout(layout)).collect();
                attributes.push((name, self.types.attribute(Attribute::Array(ids))));
            }
        }
        for alias in &options.output_operand_aliases {
            let operand = usize::try_from(alias.operand_index).ok();
            let operand = operand.and_then(|index| operands.get(index));
            let operand =
                operand.and_then(|value| part(&value.ty()?, &alias.operand_tuple_indices));
            let indices = &alias.output_tuple_indices[..];
            let output = match (results, indices) {
                ([result], indices) => part(result, indices),
                (results, [number, rest @ ..]) => {
                    let number = usize::try_from(*number).ok();
                    number.and_then(|number| part(results.get(number)?, rest))
                }
                _ => None,
            };
            if operand.is_none() || operand != output {
                let expected = "an operand and an output of one type";
                return fail("output_operand_aliases", expected, format!("{alias:?}"));
            }
        }
        let aliases = options.output_operand_aliases.iter().map(|alias| {
            self.types.attribute(Attribute::OutputOperandAlias {
                output_tuple_indices: alias.output_tuple_indices.clone(),
                operand_index: alias.operand_index,
                operand_tuple_indices: alias.operand_tuple_indices.clone(),
            })
        });
        let aliases = aliases.collect();
        attributes.push((
            "output_operand_aliases",
            self.types.attribute(Attribute::Array(aliases)),
        ));
        let types = Results::Types(results.iter().map(|ty| self.types.intern(ty)).collect());
        self.emit(Plan {
            family: "custom_call",
            operands,
            attributes,
            regions: Vec::new(),
            results: types,
            fallback: results.len(),
        })
    }

    fn layout(&self, layout: &[i64]) -> AttributeId {
        let element = self.types.add(Vhlo::Index);
        let ty = self.types.add(Vhlo::RankedTensor {
            shape: vec![layout.len() as i64],
            element,
            encoding: None,
        });
        let stored = if layout.iter().all(|dim| Some(dim) == layout.first()) {
            &layout[..layout.len().min(1)]
        } else {
            layout
        };
        let data: Vec<u8> = stored.iter().flat_map(|dim| dim.to_le_bytes()).collect();
        self.types.attribute(Attribute::Tensor {
            ty,
            data: data.into(),
        })
    }
}

/// The element of nested tuples at a path.
fn part(ty: &Type, path: &[i64]) -> Option<Type> {
    path.iter().try_fold(ty.clone(), |ty, index| match ty {
        Type::Tuple(parts) => parts.get(usize::try_from(*index).ok()?).cloned(),
        _ => None,
    })
}

impl<'b> Value<'b> {
    /// The op `stablehlo.reduce_scatter`; `result` is the type of the result, because the number of
    /// processes is not known.
    #[track_caller]
    pub fn reduce_scatter(
        self,
        scatter_dimension: i64,
        collective: &Collective,
        result: &Type,
        computation: impl FnOnce(&[Value<'b>]) -> Value<'b>,
    ) -> Self {
        let b = self.builder;
        let region = match b.region(&b.scalars(&[self]).repeat(2), computation) {
            Ok(region) => region,
            Err(kind) => return b.fail("stablehlo.reduce_scatter", kind),
        };
        let mut attributes = b.collective("reduce_scatter", collective);
        attributes.push(("scatter_dimension", b.int(scatter_dimension)));
        let values = b.emit(Plan {
            family: "reduce_scatter",
            operands: &[self],
            attributes,
            regions: vec![region],
            results: b.of_type(result),
            fallback: 1,
        });
        values.first().copied().unwrap_or(b.invalid())
    }

    /// The op `stablehlo.collective_permute`.
    #[track_caller]
    pub fn collective_permute(self, source_target_pairs: &[[i64; 2]], channel_id: i64) -> Self {
        let b = self.builder;
        let pairs = if source_target_pairs.is_empty() {
            b.make(|maker| maker.integers(vec![0, 2], &[]))
        } else {
            b.matrix(source_target_pairs)
        };
        let attributes = vec![
            ("channel_id", b.int(channel_id)),
            ("source_target_pairs", pairs),
        ];
        b.one("collective_permute", &[self], attributes, Results::Inferred)
    }

    /// The op `stablehlo.cross-replica-sum`.
    #[track_caller]
    pub fn cross_replica_sum(self, replica_groups: &[Vec<i64>]) -> Self {
        let attributes = vec![("replica_groups", self.builder.matrix(replica_groups))];
        self.builder.one("cross-replica-sum", &[self], attributes, Results::Inferred)
    }

    /// The op `stablehlo.async_done`: the results of `async_start`.
    #[track_caller]
    pub fn async_done(self) -> Vec<Self> {
        let count = match self.ty() {
            Some(Type::Future(types)) => types.len(),
            _ => 1,
        };
        self.builder.many("async_done", &[self], Vec::new(), Results::Inferred, count)
    }

    /// The op `stablehlo.infeed`: this value is a token; the results are tensors of these types and
    /// a token.
    #[track_caller]
    pub fn infeed(self, types: &[Type], infeed_config: &str) -> Vec<Self> {
        let attributes = vec![("infeed_config", self.builder.string(infeed_config))];
        let results = self.builder.and_token(types);
        self.builder.many("infeed", &[self], attributes, results, types.len() + 1)
    }

    /// The op `stablehlo.recv`: this value is a token; the results are tensors of these types and a
    /// token.
    #[track_caller]
    pub fn recv(self, types: &[Type], channel: &Channel) -> Vec<Self> {
        let (attributes, results) = (self.builder.channel(channel), self.builder.and_token(types));
        self.builder.many("recv", &[self], attributes, results, types.len() + 1)
    }
}

impl Builder {
    fn and_token(&self, types: &[Type]) -> Results {
        let types = types.iter().chain([&Type::Token]);
        Results::Types(types.map(|ty| self.types.intern(ty)).collect())
    }
}
