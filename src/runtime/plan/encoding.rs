//! The encoding of values of other crates in a plan: as text for their own parsers, so that they
//! are valid.

/// A value as its text.
pub mod text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(
        value: &impl Display,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

/// A list of values as their texts.
pub mod texts {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(
        values: &[impl Display],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(ToString::to_string))
    }

    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let texts = Vec::<String>::deserialize(deserializer)?;
        let values = texts.iter().map(|text| text.parse());
        values.collect::<Result<_, _>>().map_err(D::Error::custom)
    }
}

/// Layouts as the numbers of their dimensions, the fastest varying first.
pub mod layouts {
    use halo_core::Layout;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(layouts: &[Layout], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(layouts.iter().map(Layout::minor_to_major))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Layout>, D::Error> {
        let layouts = Vec::<Vec<usize>>::deserialize(deserializer)?;
        let layouts = layouts.into_iter().map(Layout::new);
        layouts.collect::<Result<_, _>>().map_err(D::Error::custom)
    }
}

/// Byte strings, each encoded as a whole.
pub mod byte_strings {
    use serde::{Deserialize, Deserializer, Serializer};
    use serde_bytes::{ByteBuf, Bytes};

    pub fn serialize<S: Serializer>(strings: &[Vec<u8>], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(strings.iter().map(|string| Bytes::new(string)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Vec<u8>>, D::Error> {
        let strings = Vec::<ByteBuf>::deserialize(deserializer)?;
        Ok(strings.into_iter().map(ByteBuf::into_vec).collect())
    }
}
