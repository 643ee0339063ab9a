//! An enum of kinds, each of them an enum of its own that serde tags inside: written and read as one flat enum would be.

use serde::Deserialize;
use serde::de::value::MapDeserializer;
use std::fmt;

/// Makes `$outer` out of any of its kinds, and reads it by the name that stands in the field `$tag`.
macro_rules! kinds {
    ($outer:ident, $tag:literal, { $($kind:ident: $inner:ident),+ $(,)? }) => {
        $(impl From<$inner> for $outer {
            fn from(inner: $inner) -> Self {
                $outer::$kind(inner)
            }
        })+

        impl<'de> serde::Deserialize<'de> for $outer {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use serde::de::Error as _;
                let value = serde_json::Value::deserialize(deserializer)?;
                let name = value.get($tag).and_then(serde_json::Value::as_str).ok_or_else(|| D::Error::missing_field($tag))?;
                $(if $crate::kinds::names::<$inner>($tag).contains(&name) {
                    return serde_json::from_value(value).map($outer::$kind).map_err(D::Error::custom);
                })+
                Err(D::Error::custom(format_args!("unknown {} `{name}`", $tag)))
            }
        }
    };
}

pub(crate) use kinds;

/// The names that the field `tag` of a `T` may hold: those that serde would list where it does not know one.
pub(crate) fn names<'de, T: Deserialize<'de>>(tag: &'static str) -> &'static [&'static str] {
    let nameless = MapDeserializer::<_, Names>::new([(tag, "")].into_iter());
    T::deserialize(nameless).err().map_or(&[], |names| names.0)
}

/// The one fault of interest of reading: the names that would have been right.
#[derive(Debug)]
struct Names(&'static [&'static str]);

impl serde::de::Error for Names {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Names(&[])
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Names(expected)
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

impl std::error::Error for Names {}
