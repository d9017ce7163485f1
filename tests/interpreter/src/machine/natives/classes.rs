//! `java.lang.Class` and what else knows classes.

use classfile::access;

use super::super::heap::Inside;
use super::super::value::Value;
use super::super::{Machine, Stop};
use super::{Answer, Call, nothing, value};
use crate::rules::{Context, Rules};

impl<R: Rules> Machine<'_, R> {
    pub(super) fn class_native(&mut self, call: &Call<'_>) -> Answer {
        match (call.class, call.name) {
            ("java/lang/Object", "getClass") => {
                Some(self.not_null(call.arguments[0]).and_then(|object| {
                    let class = self.object(object).class;
                    Ok(Some(Value::Object(self.mirror(class)?)))
                }))
            }
            ("java/lang/reflect/Array", "newArray") => {
                Some(self.mirrored(call.arguments[0]).and_then(|element| {
                    let class = self.array_of(element)?;
                    let tag = self.untracked_tag(class);
                    let length = call.arguments[1].int() as usize;
                    Ok(Some(Value::Object(self.blank_array(class, length, tag))))
                }))
            }
            ("java/util/EnumMap", "getKeyUniverse") | ("java/util/EnumSet", "getUniverse") => {
                Some(self.mirrored(call.arguments[0]).and_then(|class| self.enum_constants(class)))
            }
            ("java/lang/Class", name) => self.of_mirror(name, call),
            _ => None,
        }
    }

    fn of_mirror(&mut self, name: &str, call: &Call<'_>) -> Answer {
        if name == "registerNatives" {
            return nothing();
        }
        if name == "getPrimitiveClass" {
            return Some(self.primitive_mirror(call.arguments[0]));
        }
        let class = match self.object(call.arguments[0].reference()?).inside {
            Inside::Mirror(class) => class,
            _ => return Some(Err(Stop::unsupported("a Class that mirrors nothing"))),
        };
        let described = &self.classes[class.0 as usize];
        let flag = |flag: bool| value(Value::Int(flag.into()));
        match name {
            "desiredAssertionStatus" => flag(false),
            "getClassLoader" | "getClassLoader0" => value(Value::Null),
            "isArray" => flag(described.element.is_some()),
            "isInterface" => flag(described.is_interface()),
            "isPrimitive" => flag(described.file.is_none() && described.element.is_none()),
            "isEnum" => flag(described.flags & access::ENUM != 0),
            "isHidden" => flag(false),
            "getModifiers" => value(Value::Int(i32::from(described.flags & 0x7631))),
            "isInstance" => flag(self.is_instance(call.arguments[1], class, false)),
            "isAssignableFrom" => Some(
                self.mirrored(call.arguments[1])
                    .map(|other| Some(Value::Int(self.is_subclass(other, class).into()))),
            ),
            "getSuperclass" => {
                let super_class = described.super_class;
                Some(
                    super_class
                        .map(|class| self.mirror(class))
                        .transpose()
                        .map(|mirror| Some(mirror.into())),
                )
            }
            "getComponentType" => {
                let element = described.element;
                Some(
                    element
                        .map(|class| self.mirror(class))
                        .transpose()
                        .map(|mirror| Some(mirror.into())),
                )
            }
            "getName" | "getSimpleName" => {
                let mut name = described.name.replace('/', ".");
                if call.name == "getSimpleName" {
                    let shown = described.java_name();
                    name = shown.rsplit(['.', '$']).next().unwrap_or_default().to_owned();
                }
                let units = name.encode_utf16().collect();
                Some(self.intern(units).map(|string| Some(Value::Object(string))))
            }
            "getEnumConstantsShared" => Some(self.enum_constants(class)),
            _ => None,
        }
    }

    fn primitive_mirror(&mut self, name: Value) -> Result<Option<Value>, Stop> {
        let name = self.not_null(name)?;
        let name = self.text_of(name);
        let primitives = super::super::class::PRIMITIVES;
        let letter = primitives.iter().find(|(_, n)| *n == name).map_or(b'V', |(l, _)| *l);
        let class = self.primitive(letter);
        Ok(Some(Value::Object(self.mirror(class)?)))
    }

    fn enum_constants(
        &mut self,
        class: super::super::class::ClassId,
    ) -> Result<Option<Value>, Stop> {
        let descriptor = format!("()[{}", self.classes[class.0 as usize].descriptor());
        let Some(values) = self.find_method(class, "values", &descriptor) else {
            return Ok(Some(Value::Null));
        };
        // The JDK asks once, and stores them in the class.
        let mirror = self.mirror(class)?;
        if let Some(known @ Value::Object(_)) = self.peek(mirror, "enumConstants") {
            return Ok(Some(known));
        }
        self.initialise(class)?;
        let chain = self.reflected.get(&self.method_name(values)).copied();
        let context = match chain {
            Some(chain) => Context { owner: None, chain: Some(chain) },
            None => self.calling,
        };
        let values = self.invoke(values, Vec::new(), context)?.map(|slot| slot.value);
        if let Some(Value::Object(array)) = values {
            self.count_assigned(array);
            self.poke(mirror, "enumConstants", Value::Object(array));
        }
        Ok(values)
    }
}
