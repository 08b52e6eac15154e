//! Ops under construction.

use super::{
    Codec,
    definition::{OPERAND_SEGMENT_SIZES, Op, OpInfo, Sizing},
};
use crate::{
    build_error::BuildError,
    builder::{Builder, OpSpec},
    graveyard::expected,
    handles::{Attribute, Block, Operation, Type, Value},
    operation::OperationExt,
    region::Region,
};
use melior::ir::attribute::DenseI32ArrayAttribute;
use std::marker::PhantomData;

/// An op of a known type under construction: methods with the names of the parts in ODS add the
/// optional ones.
#[must_use = "an op exists only once it is inserted"]
pub struct Build<'c, O> {
    parts: Parts<'c>,
    op: PhantomData<fn() -> O>,
}

/// The parts of an op of any type, in code that is compiled once for all op types.
struct Parts<'c> {
    builder: Builder<'c>,
    operands: Groups<Value<'c>>,
    types: Groups<Type<'c>>,
    infer: bool,
    attributes: Vec<(&'c str, Attribute<'c>)>,
    successors: Vec<Block<'c>>,
    regions: Vec<Region<'c>>,
    /// The first attribute that could not be created.
    failure: Option<&'static str>,
}

const RESULT_SIZES: &str = "resultSegmentSizes";

/// Values in groups, one group after the other.
struct Groups<T> {
    items: Vec<T>,
    sizes: Vec<i32>,
}

impl<T: Copy> Groups<T> {
    fn of(groups: &[&[T]]) -> Self {
        Self {
            items: groups.concat(),
            sizes: groups.iter().map(|group| group.len() as i32).collect(),
        }
    }

    fn add(&mut self, group: usize, item: T) {
        let end: i32 = self.sizes[..=group].iter().sum();
        self.items.insert(end as usize, item);
        self.sizes[group] += 1;
    }
}

impl<'c> Parts<'c> {
    fn new(builder: &Builder<'c>) -> Self {
        Self {
            builder: *builder,
            operands: Groups::of(&[]),
            types: Groups::of(&[]),
            infer: false,
            attributes: Vec::new(),
            successors: Vec::new(),
            regions: Vec::new(),
            failure: None,
        }
    }

    /// Adds an attribute; `None` is one that could not be created, or an absent one.
    fn attribute(&mut self, name: &'static str, value: Option<Attribute<'c>>, may_lack: bool) {
        match value {
            Some(attribute) => self.attributes.push((name, attribute)),
            None if may_lack => {}
            None => self.failure = self.failure.or(Some(name)),
        }
    }

    fn attributes_of(&mut self, other: Operation<'c>) {
        for (name, attribute) in other.attributes() {
            let is_size = matches!(name, OPERAND_SEGMENT_SIZES | RESULT_SIZES);
            if !is_size && self.attributes.iter().all(|(given, _)| *given != name) {
                self.attributes.push((name, attribute));
            }
        }
    }

    #[track_caller]
    fn into_spec(self, info: &'static OpInfo) -> OpSpec<'c> {
        expected(self.try_into_spec(info))
    }

    fn try_into_spec(self, info: &'static OpInfo) -> Result<OpSpec<'c>, BuildError> {
        if let Some(attribute) = self.failure {
            return Err(BuildError::new(format!(
                "{} with attribute '{attribute}'",
                info.name
            )));
        }
        let context = self.builder.context();
        let segments = |sizes: &[i32]| DenseI32ArrayAttribute::new(context, sizes);
        let mut spec = self.builder.op(info.name).of_kind(info).operands(&self.operands.items);
        for (name, attribute) in self.attributes {
            spec = spec.attribute(name, attribute);
        }
        if info.operands.sizing == Sizing::Segments {
            spec = spec.attribute(OPERAND_SEGMENT_SIZES, segments(&self.operands.sizes));
        }
        if info.results.sizing == Sizing::Segments {
            spec = spec.attribute(RESULT_SIZES, segments(&self.types.sizes));
        }
        spec = if self.infer {
            spec.infer_results()
        } else {
            spec.results(&self.types.items)
        };
        for region in self.regions {
            spec = spec.region(region);
        }
        if !self.successors.is_empty() {
            spec = spec.successors(&self.successors);
        }
        Ok(spec)
    }

    #[track_caller]
    fn insert(self, info: &'static OpInfo) -> Operation<'c> {
        self.into_spec(info).insert()
    }

    #[track_caller]
    fn value(self, info: &'static OpInfo) -> Value<'c> {
        let operation = self.insert(info);
        expected(super::access::first_result(operation).ok_or_else(|| BuildError::new(info.name)))
    }
}

impl<'c, O: Op<'c>> Build<'c, O> {
    #[doc(hidden)]
    pub fn new(builder: &Builder<'c>) -> Self {
        Self {
            parts: Parts::new(builder),
            op: PhantomData,
        }
    }

    #[doc(hidden)]
    pub fn operands(mut self, groups: &[&[Value<'c>]]) -> Self {
        self.parts.operands = Groups::of(groups);
        self
    }

    #[doc(hidden)]
    pub fn operand(mut self, group: usize, value: Value<'c>) -> Self {
        self.parts.operands.add(group, value);
        self
    }

    #[doc(hidden)]
    pub fn types(mut self, groups: &[&[Type<'c>]]) -> Self {
        self.parts.types = Groups::of(groups);
        self
    }

    #[doc(hidden)]
    pub fn optional_type(mut self, group: usize, ty: Type<'c>) -> Self {
        self.parts.types.add(group, ty);
        self
    }

    #[doc(hidden)]
    pub fn infer(mut self) -> Self {
        self.parts.infer = true;
        self
    }

    #[doc(hidden)]
    pub fn coded<'a, C: Codec>(mut self, name: &'static str, value: C::Write<'a, 'c>) -> Self {
        let attribute = C::write(self.parts.builder.context(), value);
        self.parts.attribute(name, attribute, C::IS_ABSENT_WHEN_NONE);
        self
    }

    #[doc(hidden)]
    pub fn successors(mut self, blocks: &[Block<'c>]) -> Self {
        self.parts.successors.extend(blocks);
        self
    }

    #[doc(hidden)]
    pub fn regions(mut self, regions: impl IntoIterator<Item = Region<'c>>) -> Self {
        self.parts.regions.extend(regions);
        self
    }

    /// Sets a discardable attribute, such as one of another dialect.
    pub fn attribute(mut self, name: &'static str, value: impl Into<Attribute<'c>>) -> Self {
        self.parts.attributes.push((name, value.into()));
        self
    }

    /// Copies the attributes of another op of the type, except attributes that are already set, and
    /// sizes of groups.
    pub fn attributes_of(mut self, other: O) -> Self {
        self.parts.attributes_of(other.operation());
        self
    }

    /// Copies the discardable attributes of another op, of any type.
    pub fn discardable_attributes_of(mut self, other: Operation<'c>) -> Self {
        let attributes = other.discardable_attributes();
        self.parts.attributes.extend(attributes);
        self
    }

    /// Sets the result types, which are otherwise inferred.
    pub fn result_types(mut self, types: &[Type<'c>]) -> Self {
        self.parts.infer = false;
        self.parts.types = Groups::of(&[types]);
        self
    }

    /// Adds an optional part: `build.maybe(channel, |build, channel|
    /// build.channel_handle(channel))`.
    pub fn maybe<T>(self, part: Option<T>, add: impl FnOnce(Self, T) -> Self) -> Self {
        match part {
            Some(part) => add(self, part),
            None => self,
        }
    }

    /// Creates the op at the insertion point.
    ///
    /// # Panics
    /// Panics if [`Self::try_insert`] fails.
    #[track_caller]
    pub fn insert(self) -> O {
        O::from_unchecked(self.parts.insert(O::INFO))
    }

    /// Creates an op whose parts come from a user.
    ///
    /// # Errors
    /// Returns the errors of [`OpSpec::try_insert`].
    pub fn try_insert(self) -> Result<O, BuildError> {
        self.parts.try_into_spec(O::INFO)?.try_insert().map(O::from_unchecked)
    }

    /// The untyped builder, for code that continues with one of several op types.
    #[track_caller]
    pub fn into_spec(self) -> OpSpec<'c> {
        self.parts.into_spec(O::INFO)
    }

    /// Creates the op at the insertion point, and returns its first result.
    ///
    /// # Panics
    /// Panics if [`Self::try_insert`] fails.
    #[track_caller]
    pub fn value(self) -> Value<'c> {
        self.parts.value(O::INFO)
    }
}
