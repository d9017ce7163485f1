//! Reflection. The objects that stand for members are made as the JDK would leave
//! them when they have been used before; the JDK's own code uses them from there.

use classfile::{access, opcode};
use profile::MethodId;
use profile::dataflow::{SiteKind, TagId};

use super::super::class::FieldNumber;
use super::super::heap::Inside;
use super::super::value::{ObjectId, Value};
use super::super::{Machine, Stop};
use super::{Answer, Call};
use crate::rules::{Rules, SiteName};

const FACTORY: &str = "jdk/internal/reflect/ReflectionFactory";

impl<R: Rules> Machine<'_, R> {
    pub(super) fn reflection_native(&mut self, call: &Call<'_>) -> Answer {
        let found = match (call.class, call.name) {
            ("Reflected", _) => self.reflected_member(call).map(|o| Some(Value::Object(o))),
            // It never generates classes.
            (FACTORY, "inflationThreshold") => Ok(Some(Value::Int(i32::MAX))),
            ("jdk/internal/reflect/NativeMethodAccessorImpl", "invoke0") => {
                self.invoke_reflected(call.arguments)
            }
            ("jdk/internal/reflect/NativeConstructorAccessorImpl", "newInstance0") => {
                self.construct_reflected(call.arguments)
            }
            _ => return None,
        };
        Some(found)
    }

    /// What the tests' class `Reflected` finds.
    fn reflected_member(&mut self, call: &Call<'_>) -> Result<ObjectId, Stop> {
        let class = self.mirrored(call.arguments[0])?;
        let name = match call.arguments.get(1) {
            Some(&name) => {
                let name = self.not_null(name)?;
                self.text_of(name)
            }
            None => "<init>".to_owned(),
        };
        let mut methods = self.classes[class.0 as usize].methods.iter();
        let is_seen =
            |method: MethodId| self.methods[method.0 as usize].flags & access::SYNTHETIC == 0;
        let method = methods
            .find(|((known, _), method)| **known == *name && is_seen(**method))
            .map(|(_, &method)| method)
            .ok_or_else(|| Stop::Unsupported(format!("no method {name}")));
        let field = || {
            let field = self.find_field(class, &name, "");
            field.ok_or_else(|| Stop::Unsupported(format!("no field {name}")))
        };
        match call.name {
            "method" => {
                let method = method?;
                self.method_object(method)
            }
            "constructor" => {
                let method = method?;
                self.constructor_object(method)
            }
            "field" => {
                let field = field()?;
                self.field_object(field)
            }
            "handle" => {
                let inside = Inside::Method(method?);
                self.handle(inside)
            }
            "variable" => {
                let inside = Inside::Variable(field()?);
                self.handle(inside)
            }
            _ => self.handle(Inside::Elements),
        }
    }

    /// A method handle or variable handle.
    fn handle(&mut self, inside: Inside) -> Result<ObjectId, Stop> {
        let class = match inside {
            Inside::Variable(_) | Inside::Elements => "java/lang/invoke/VarHandle",
            _ => "java/lang/invoke/MethodHandle",
        };
        let class = self.class(class)?;
        let tag = self.untracked_tag(class);
        let handle = self.blank(class, tag);
        self.heap[handle.0 as usize].inside = inside;
        Ok(handle)
    }

    fn method_object(&mut self, method: MethodId) -> Result<ObjectId, Stop> {
        let name = "java/lang/reflect/Method";
        let made = self.made_by(name, "copy", name)?;
        self.heap[made.0 as usize].inside = Inside::Method(method);
        let flags = self.methods[method.0 as usize].flags;
        let class = self.methods[method.0 as usize].class;
        let mirror = Value::Object(self.mirror(class)?);
        self.poke(made, "override", Value::Int(1));
        self.poke(made, "callerSensitive", Value::Int(-1));
        self.poke(made, "clazz", mirror);
        self.poke(made, "modifiers", Value::Int(flags.into()));
        let accessor = if self.has_native_accessors() {
            let native = "jdk/internal/reflect/NativeMethodAccessorImpl";
            let native = self.made_by(FACTORY, "newMethodAccessor", native)?;
            self.poke(native, "method", Value::Object(made));
            let delegating = "jdk/internal/reflect/DelegatingMethodAccessorImpl";
            let delegating = self.made_by(FACTORY, "newMethodAccessor", delegating)?;
            self.poke(delegating, "delegate", Value::Object(native));
            delegating
        } else {
            let name = "jdk/internal/reflect/DirectMethodHandleAccessor";
            let direct = self.made_by(name, "methodAccessor", name)?;
            let handle = self.handle(Inside::Method(method))?;
            let count = self.methods[method.0 as usize].parameters.len();
            self.poke(direct, "declaringClass", mirror);
            self.poke(direct, "paramCount", Value::Int(count as i32));
            self.poke(direct, "target", Value::Object(handle));
            direct
        };
        self.poke(made, "methodAccessor", Value::Object(accessor));
        Ok(made)
    }

    fn constructor_object(&mut self, constructor: MethodId) -> Result<ObjectId, Stop> {
        let name = "java/lang/reflect/Constructor";
        let made = self.made_by(name, "copy", name)?;
        self.heap[made.0 as usize].inside = Inside::Method(constructor);
        let class = self.methods[constructor.0 as usize].class;
        let mirror = Value::Object(self.mirror(class)?);
        self.poke(made, "override", Value::Int(1));
        self.poke(made, "clazz", mirror);
        let accessor = if self.has_native_accessors() {
            let native = "jdk/internal/reflect/NativeConstructorAccessorImpl";
            let native = self.made_by(FACTORY, "newConstructorAccessor", native)?;
            self.poke(native, "c", Value::Object(made));
            let delegating = "jdk/internal/reflect/DelegatingConstructorAccessorImpl";
            let delegating = self.made_by(FACTORY, "newConstructorAccessor", delegating)?;
            self.poke(delegating, "delegate", Value::Object(native));
            delegating
        } else {
            let name = "jdk/internal/reflect/DirectConstructorHandleAccessor";
            let direct = self.made_by(name, "constructorAccessor", name)?;
            let handle = self.handle(Inside::Constructor(constructor))?;
            let count = self.methods[constructor.0 as usize].parameters.len();
            self.poke(direct, "paramCount", Value::Int(count as i32));
            self.poke(direct, "target", Value::Object(handle));
            direct
        };
        self.poke(made, "constructorAccessor", Value::Object(accessor));
        Ok(made)
    }

    fn field_object(&mut self, field: FieldNumber) -> Result<ObjectId, Stop> {
        let name = "java/lang/reflect/Field";
        let made = self.made_by(name, "copy", name)?;
        let class = self.fields[field.0 as usize].class;
        let descriptor = self.fields[field.0 as usize].descriptor.clone();
        let mirror = Value::Object(self.mirror(class)?);
        self.poke(made, "override", Value::Int(1));
        self.poke(made, "clazz", mirror);
        let of_ints = &*descriptor == "I";
        let kind = if of_ints { "Integer" } else { "Object" };
        let kind_of_type = if of_ints {
            self.primitive(b'I')
        } else {
            self.class(descriptor.trim_start_matches('L').trim_end_matches(';'))?
        };
        let mirror = Value::Object(self.mirror(kind_of_type)?);
        self.poke(made, "type", mirror);
        let accessor = if self.has_native_accessors() {
            let name = format!("jdk/internal/reflect/Unsafe{kind}FieldAccessorImpl");
            let factory = "jdk/internal/reflect/UnsafeFieldAccessorFactory";
            let accessor = self.made_by(factory, "newFieldAccessor", &name)?;
            let class = self.object(accessor).class;
            self.initialise(class)?;
            let offset = self.offset_of(field);
            self.poke(accessor, "fieldOffset", Value::Long(offset));
            accessor
        } else {
            let name = format!("jdk/internal/reflect/MethodHandle{kind}FieldAccessorImpl");
            let accessor = self.made_by(&name, "fieldAccessor", &name)?;
            let getter = self.handle(Inside::Getter(field))?;
            let setter = self.handle(Inside::Setter(field))?;
            self.poke(accessor, "getter", Value::Object(getter));
            self.poke(accessor, "setter", Value::Object(setter));
            accessor
        };
        self.poke(accessor, "field", Value::Object(made));
        for name in ["fieldAccessor", "overrideFieldAccessor"] {
            self.poke(made, name, Value::Object(accessor));
        }
        Ok(made)
    }

    /// Reflection by natives, as up to JDK 17; later it goes by method handles.
    fn has_native_accessors(&self) -> bool {
        self.class_path.find("jdk/internal/reflect/DirectMethodHandleAccessor").is_none()
    }

    /// An object as a method of the JDK makes it.
    fn made_by(&mut self, maker: &str, method: &str, made: &str) -> Result<ObjectId, Stop> {
        let class = self.class(made)?;
        let tag = self.site_in(maker, method, made)?;
        Ok(self.blank(class, tag))
    }

    /// The tag of what the first `new` of this class in the method makes.
    fn site_in(&mut self, maker: &str, method: &str, made: &str) -> Result<TagId, Stop> {
        let maker = self.class(maker)?;
        let pool = self.file(maker).constant_pool();
        let methods = self.classes[maker.0 as usize].methods.iter();
        let mut sites =
            methods.filter(|((name, _), _)| **name == *method).filter_map(|(_, &id)| {
                let body = self.methods[id.0 as usize].body.as_ref()?;
                let makes = |opcode: u8, index: Option<u16>| {
                    let name = index.and_then(|index| pool.class_name(index).ok());
                    opcode == opcode::NEW && name == Some(made.as_bytes())
                };
                let mut code = body.instructions.iter().flatten();
                code.find(|at| makes(at.opcode, at.pool_index())).map(|at| (id, at.bci))
            });
        let site = sites.next().ok_or_else(|| Stop::Unsupported(format!("who makes {made}")))?;
        let (method, bci) = site;
        let name = SiteName {
            method: self.method_name(method),
            bci: bci as u16,
            class: made.replace('/', "."),
            kind: SiteKind::New,
        };
        let site = self.registry.site(name, Some(method), 0);
        Ok(self.registry.tag(site, None))
    }

    fn invoke_reflected(&mut self, arguments: &[Value]) -> Result<Option<Value>, Stop> {
        let (method, given) = self.reflected_call(arguments[0], arguments[2])?;
        let method = self.select(method, arguments[1])?;
        let all: Vec<Value> = [arguments[1]].into_iter().chain(given).collect();
        let returns = self.methods[method.0 as usize].returns.clone();
        let result = self.call_plainly(method, &all);
        let result = result.map_err(|stop| self.wrapped(stop))?;
        match result {
            Some(Value::Int(_)) if &*returns == "I" => {
                let class = self.class("java/lang/Integer")?;
                let tag = self.untracked_tag(class);
                let boxed = self.blank(class, tag);
                self.poke(boxed, "value", result.unwrap_or(Value::Null));
                Ok(Some(Value::Object(boxed)))
            }
            Some(Value::Object(_) | Value::Null) => Ok(result),
            _ => Err(Stop::unsupported("reflection of a method of this type")),
        }
    }

    fn construct_reflected(&mut self, arguments: &[Value]) -> Result<Option<Value>, Stop> {
        let (constructor, given) = self.reflected_call(arguments[0], arguments[1])?;
        let made = self.construct(constructor, &given).map_err(|stop| self.wrapped(stop))?;
        Ok(Some(Value::Object(made)))
    }

    /// A method and its arguments, out of their boxes.
    fn reflected_call(
        &mut self,
        member: Value,
        arguments: Value,
    ) -> Result<(MethodId, Vec<Value>), Stop> {
        let member = self.not_null(member)?;
        let Inside::Method(method) = self.object(member).inside else {
            return Err(Stop::unsupported("a member of unknown origin"));
        };
        let array = arguments.reference();
        let given: Vec<Value> = array.map_or(Vec::new(), |array| {
            self.object(array).elements().iter().map(|cell| cell.value).collect()
        });
        let letters = self.methods[method.0 as usize].parameters.clone();
        let given =
            given.into_iter().zip(letters).map(|(value, letter)| self.unboxed(value, letter));
        Ok((method, given.collect()))
    }

    /// A value for a parameter whose descriptor begins with this letter.
    pub(super) fn unboxed(&self, value: Value, letter: u8) -> Value {
        match (letter, value) {
            (b'L' | b'[', _) => value,
            (_, Value::Object(boxed)) => self.peek(boxed, "value").unwrap_or(value),
            _ => value,
        }
    }

    /// An exception of a callee as reflection throws it.
    fn wrapped(&mut self, stop: Stop) -> Stop {
        match stop {
            Stop::Thrown(exception) => {
                let class = "java/lang/reflect/InvocationTargetException";
                let made = self.class(class).and_then(|class| {
                    let constructor = self.find_method(class, "<init>", "(Ljava/lang/Throwable;)V");
                    let constructor =
                        constructor.ok_or_else(|| Stop::unsupported("another exception"))?;
                    self.construct(constructor, &[Value::Object(exception)])
                });
                match made {
                    Ok(wrapped) => Stop::Thrown(wrapped),
                    Err(stop) => stop,
                }
            }
            stop => stop,
        }
    }
}
