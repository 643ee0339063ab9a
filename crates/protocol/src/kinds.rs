//! An enum of kinds, each of them an enum of its own that serde tags inside: written and read as one flat enum would be.

use serde::{Serialize, Serializer};

/// Makes `$outer` out of any of its kinds, and reads it by the name that stands in the field `$tag`.
macro_rules! kinds {
    ($outer:ident, $tag:literal, { $($kind:ident: $inner:ident),+ $(,)? }) => {
        $(impl From<$inner> for $outer {
            fn from(inner: $inner) -> Self {
                $outer::$kind(inner)
            }
        })+

        impl $outer {
            fn read(value: serde_json::Value) -> serde_json::Result<Self> {
                use serde::de::Error as _;
                let name = value.get($tag).and_then(serde_json::Value::as_str);
                let name = name.ok_or_else(|| serde_json::Error::missing_field($tag))?;
                $(if <$inner as strum::VariantNames>::VARIANTS.contains(&name) {
                    return serde_json::from_value(value).map($outer::$kind);
                })+
                Err(serde_json::Error::custom(format_args!("unknown {} `{name}`", $tag)))
            }

            /// Reads one as it was written, without making values of it first.
            ///
            /// # Errors
            /// It is none that is known.
            pub fn from_json(text: &str) -> serde_json::Result<Self> {
                use serde::de::Error as _;
                #[derive(serde::Deserialize)]
                struct Tag<'a> {
                    #[serde(borrow, rename = $tag)]
                    name: std::borrow::Cow<'a, str>,
                }
                let Tag { name } = serde_json::from_str(text)?;
                $(if <$inner as strum::VariantNames>::VARIANTS.contains(&&*name) {
                    return serde_json::from_str(text).map($outer::$kind);
                })+
                Err(serde_json::Error::custom(format_args!("unknown {} `{name}`", $tag)))
            }
        }

        $crate::kinds::through_json!($outer);
    };
}

/// Writes and reads a type by way of JSON: what `#[serde(remote = "Self")]` derives for it, and its own `read`, are compiled
/// here once, and not again in every crate for every writer and reader.
macro_rules! through_json {
    ($type:ident) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::kinds::forwarded(&self.written(), serializer)
            }
        }

        impl $type {
            fn written(&self) -> serde_json::Result<serde_json::Value> {
                $type::serialize(self, serde_json::value::Serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = serde_json::Value::deserialize(deserializer)?;
                $type::read(value).map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use through_json;

/// Hands on what was written, or why it could not be.
pub(crate) fn forwarded<S: Serializer>(
    written: &serde_json::Result<serde_json::Value>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match written {
        Ok(value) => value.serialize(serializer),
        Err(fault) => Err(serde::ser::Error::custom(fault)),
    }
}

pub(crate) use kinds;

#[cfg(test)]
mod tests {
    use crate::{
        CallEvent, CallOp, ContextEvent, ContextOp, Event, ListEvent, ListOp, NoticeLevel, Op, Record, ServerEvent,
        ServerOp, SessionEvent, SessionOp, TurnEvent, TurnOp,
    };
    use serde::de::DeserializeOwned;
    use serde::de::value::MapDeserializer;
    use serde::{Deserialize, Serialize};
    use serde_json::Value;
    use std::fmt;
    use strum::VariantNames;

    /// The names that the field `tag` of a `T` may hold: those that serde would list where it does not know one.
    fn names<'de, T: Deserialize<'de>>(tag: &'static str) -> &'static [&'static str] {
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

    /// Is all that `was` said in what `is` said now? Fields that came later may be there besides.
    fn holds(is: &Value, was: &Value) -> bool {
        match (is, was) {
            (Value::Object(is), Value::Object(was)) => {
                was.iter().all(|(name, was)| is.get(name).map_or(was.is_null(), |is| holds(is, was)))
            }
            (Value::Array(is), Value::Array(was)) => {
                is.len() == was.len() && is.iter().zip(was).all(|(is, was)| holds(is, was))
            }
            (is, was) => is == was,
        }
    }

    /// What `written` says, read as `T` and written again, is what it said.
    fn stays_as_it_is<T: DeserializeOwned + Serialize>(written: &Value) {
        let read: T = T::deserialize(written).unwrap_or_else(|fault| panic!("{fault}: {written}"));
        let again = serde_json::to_value(read).expect("it can be written");
        assert!(holds(&again, written), "{again}\nwas {written}");
    }

    fn lines(text: &str) -> impl Iterator<Item = Value> {
        text.lines().map(|line| serde_json::from_str(line).expect("JSON"))
    }

    #[test]
    fn what_was_written_flat_is_read_and_written_alike() {
        for recorded in [
            include_str!("../../../tests/recorded/session.jsonl"),
            include_str!("../../../tests/recorded/rescue.jsonl"),
        ] {
            lines(recorded).for_each(|event| stays_as_it_is::<Event>(&event));
        }
        for journal in [
            include_str!("../../../tests/home/0.1/.local/state/agent/sessions/20261123-181629-56f7.jsonl"),
            include_str!("../../../tests/home/0.1/.local/state/agent/sessions/20261123-181743-a323.jsonl"),
            include_str!("../../../tests/home/0.1/.local/state/agent/sessions/20261123-181835-bba0.jsonl"),
            include_str!("../../../tests/home/0.1/.local/state/agent/sessions/20261123-181915-92cf.jsonl"),
        ] {
            for record in lines(journal).filter_map(|line| line.get("record").cloned()) {
                stays_as_it_is::<Record>(&record);
                let text = record.to_string();
                let read = Record::from_json(text.as_bytes()).unwrap_or_else(|fault| panic!("{fault}: {text}"));
                assert_eq!(read, serde_json::from_value(record).expect("a record"), "both ways of reading agree");
            }
        }
    }

    /// The names that are looked for, which are those that are read.
    fn known<T: for<'de> Deserialize<'de> + VariantNames>(tag: &'static str) -> &'static [&'static str] {
        assert_eq!(T::VARIANTS, names::<T>(tag));
        T::VARIANTS
    }

    #[test]
    fn each_name_is_of_one_kind() {
        let events = [
            known::<TurnEvent>("type"),
            known::<CallEvent>("type"),
            known::<ContextEvent>("type"),
            known::<ServerEvent>("type"),
            known::<SessionEvent>("type"),
            known::<ListEvent>("type"),
        ];
        let ops = [
            known::<TurnOp>("op"),
            known::<CallOp>("op"),
            known::<ContextOp>("op"),
            known::<ServerOp>("op"),
            known::<SessionOp>("op"),
            known::<ListOp>("op"),
        ];
        for kinds in [events, ops] {
            let mut all = kinds.concat();
            all.sort_unstable();
            assert!(all.windows(2).all(|two| two[0] != two[1]), "{all:?}");
            assert!(kinds.iter().all(|names| !names.is_empty()), "{all:?}");
        }
    }

    #[test]
    fn the_kind_is_not_written() {
        let event = Event::from(SessionEvent::Notice { level: NoticeLevel::Info, text: "hello".into() });
        let written = serde_json::to_string(&event).expect("JSON");
        assert_eq!(written, r#"{"type":"notice","level":"info","text":"hello"}"#);
        assert_eq!(serde_json::from_str::<Event>(&written).expect("an event"), event);
        let op = Op::from(ContextOp::Compact { instructions: String::new() });
        assert_eq!(serde_json::to_string(&op).expect("JSON"), r#"{"op":"compact","instructions":""}"#);
    }

    #[test]
    fn what_is_wrong_is_told_by_the_kind_it_would_be_of() {
        let fault = |text: &str| serde_json::from_str::<Event>(text).expect_err("no event").to_string();
        assert_eq!(fault(r#"{"type":"notice","text":"hello"}"#), "missing field `level`");
        assert_eq!(fault(r#"{"type":"nothing"}"#), "unknown type `nothing`");
        assert_eq!(fault("{}"), "missing field `type`");
        let fault = |text: &str| Record::from_json(text.as_bytes()).expect_err("no record").to_string();
        assert!(fault(r#"{"record":"event","event":{"type":"nothing"}}"#).starts_with("unknown type `nothing`"));
        assert!(fault(r#"{"record":"event"}"#).starts_with("missing field `event`"));
        assert!(fault(r#"{"record":"nothing"}"#).starts_with("unknown variant `nothing`"));
    }
}
