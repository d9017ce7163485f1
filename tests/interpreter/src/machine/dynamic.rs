//! `invokedynamic`: string concatenation, lambdas and the methods of records.
//!
//! What the JDK's linkage does with method handles is not followed. The result
//! of a concatenation or a lambda expression is a new object of the call site;
//! what a lambda captures goes to its constructor, other arguments are consumed.

use classfile::{ClassFile, ConstantPool, descriptor, tag};
use profile::dataflow::SiteKind;

use super::class::ClassId;
use super::names::{self, text};
use super::proxy::{self, Proxy};
use super::value::{Slot, Value};
use super::{Frame, Machine, Stop};
use crate::rules::Rules;

/// A bootstrap method with its static arguments, all as pool indices.
struct Bootstrap {
    method: String,
    arguments: Vec<u16>,
}

impl<R: Rules> Machine<'_, R> {
    pub(super) fn invoke_dynamic(
        &mut self,
        frame: &mut Frame<R::Shadow>,
        index: u16,
    ) -> Result<(), Stop> {
        let file = self.file(frame.class);
        let call = file.constant_pool().invoke_dynamic(index).map_err(Stop::broken)?;
        let bootstrap = bootstrap(file, index).ok_or_else(|| Stop::unsupported("no bootstrap"))?;
        let count = descriptor::parameters(call.descriptor).count();
        let arguments = frame.stack.split_off(frame.stack.len() - count);
        let values: Vec<Value> = arguments.iter().map(|slot| slot.value).collect();
        if !bootstrap.method.starts_with("java/lang/invoke/LambdaMetafactory") {
            let shadows: Vec<_> = arguments.iter().map(|slot| slot.shadow).collect();
            self.rules.native(frame.here(), &shadows);
        }
        let types: Vec<&str> = descriptor::parameters(call.descriptor).map(text).collect();
        let outer = std::mem::replace(&mut self.calling, frame.context);
        let result = match &*bootstrap.method {
            "java/lang/invoke/StringConcatFactory.makeConcatWithConstants" => {
                self.concatenation(frame, file.constant_pool(), &bootstrap, &values, &types)
            }
            "java/lang/invoke/LambdaMetafactory.metafactory"
            | "java/lang/invoke/LambdaMetafactory.altMetafactory" => {
                let interface = text(descriptor::return_type(call.descriptor));
                let proxy = Proxy { interface, method: text(call.name), captured: &types };
                self.lambda(frame, &bootstrap, &proxy, &arguments)
            }
            "java/lang/runtime/ObjectMethods.bootstrap" => {
                self.record_method(text(call.name), frame.class, &values)
            }
            other => Err(Stop::Unsupported(format!("the bootstrap method {other}"))),
        };
        self.calling = outer;
        let result = result?;
        frame.push(result);
        Ok(())
    }

    fn concatenation(
        &mut self,
        frame: &Frame<R::Shadow>,
        pool: &ConstantPool<'static>,
        bootstrap: &Bootstrap,
        values: &[Value],
        types: &[&str],
    ) -> Result<Slot<R::Shadow>, Stop> {
        let recipe = pool.string(bootstrap.arguments[0]).map_err(Stop::broken)?;
        let mut constants = bootstrap.arguments[1..].iter();
        let mut operands = values.iter().zip(types);
        let mut units = Vec::new();
        for unit in names::units(recipe) {
            match unit {
                1 => {
                    let (&value, letter) = operands.next().expect("a recipe names each operand");
                    units.extend(self.shown(value, letter)?);
                }
                2 => {
                    let &constant = constants.next().expect("a recipe names each constant");
                    let value = self.constant(frame.class, constant)?;
                    units.extend(self.shown(value, "Ljava/lang/Object;")?);
                }
                unit => units.push(unit),
            }
        }
        let string = self.new_string_of(&units)?;
        // Each execution makes a new string, and the JVM's own count of it goes
        // to the site.
        let class = self.object(string).class;
        let untracked = self.object(string).tag;
        self.registry.objects.allocations[untracked.0 as usize].objects -= 1;
        let tag = self.new_tag(frame, class, SiteKind::Concat);
        self.registry.objects.allocations[tag.0 as usize].objects += 1;
        self.heap[string.0 as usize].tag = tag;
        Ok(self.allocated(frame, string))
    }

    /// A value as string concatenation shows it.
    ///
    /// # Errors
    /// What the interpreted program throws, or that the interpreter lacks something.
    pub fn shown(&mut self, value: Value, descriptor: &str) -> Result<Vec<u16>, Stop> {
        let text = match (value, descriptor.as_bytes()[0]) {
            (Value::Int(value), b'Z') => (value != 0).to_string(),
            (Value::Int(value), b'C') => return Ok(vec![value as u16]),
            (Value::Int(value), _) => value.to_string(),
            (Value::Long(value), _) => value.to_string(),
            (Value::Float(value), _) => java_decimal(value.into(), &format!("{value:e}")),
            (Value::Double(value), _) => java_decimal(value, &format!("{value:e}")),
            (Value::Null, _) => "null".to_owned(),
            (Value::Object(object), _) => {
                let class = self.object(object).class;
                if &*self.classes[class.0 as usize].name == "java/lang/String" {
                    return Ok(self.units_of(object));
                }
                let shown = self.call_virtual(value, "toString", "()Ljava/lang/String;")?;
                match shown.and_then(|slot| slot.value.reference()) {
                    Some(string) => return Ok(self.units_of(string)),
                    None => "null".to_owned(),
                }
            }
        };
        Ok(text.encode_utf16().collect())
    }

    fn lambda(
        &mut self,
        frame: &Frame<R::Shadow>,
        bootstrap: &Bootstrap,
        proxy: &Proxy<'_>,
        captured: &[Slot<R::Shadow>],
    ) -> Result<Slot<R::Shadow>, Stop> {
        let linked = self.classes[frame.class.0 as usize].linked.get(&(frame.method, frame.bci));
        let class = match linked {
            Some(&class) => class,
            None => {
                self.proxies += 1;
                let host = self.file(frame.class);
                let host_name = self.classes[frame.class.0 as usize].name.clone();
                let name = format!("{host_name}$$Lambda{}", self.proxies);
                let bytes = proxy::write(host, &name, proxy, &bootstrap.arguments)
                    .ok_or_else(|| Stop::unsupported("a lambda of this form"))?;
                let is_own = self.classes[frame.class.0 as usize].is_own;
                let class = self.define(bytes.leak(), is_own)?;
                let linked = &mut self.classes[frame.class.0 as usize].linked;
                linked.insert((frame.method, frame.bci), class);
                class
            }
        };
        // Without captured values the call site has one object for ever.
        let made = if captured.is_empty() { self.singletons.get(&class).copied() } else { None };
        let object = match made {
            Some(object) => {
                let tag = self.object(object).tag;
                let shadow = self.rules.allocate(frame.here(), frame.slot, tag);
                return Ok(Slot { value: Value::Object(object), shadow });
            }
            None => {
                let interface = self.classes[class.0 as usize].interfaces[0];
                let tag = match frame.following.sites {
                    true => self.new_tag(frame, interface, SiteKind::Lambda),
                    false => self.untracked_tag(class),
                };
                let object = self.blank(class, tag);
                let mut arguments = vec![Slot::plain(Value::Object(object))];
                arguments.extend_from_slice(captured);
                self.pass_nulls(frame, 1, &mut arguments[1..]);
                let descriptor = format!("({})V", proxy.captured.concat());
                let constructor = self.find_method(class, "<init>", &descriptor);
                let constructor = constructor.expect("a proxy has this constructor");
                self.invoke(constructor, arguments, frame.context)?;
                self.singletons.insert(class, object);
                object
            }
        };
        Ok(self.allocated(frame, object))
    }

    /// `toString`, `hashCode` and `equals` of a record.
    fn record_method(
        &mut self,
        name: &str,
        class: ClassId,
        values: &[Value],
    ) -> Result<Slot<R::Shadow>, Stop> {
        let record = self.not_null(values[0])?;
        let layout = self.classes[class.0 as usize].layout.clone();
        let mut components = Vec::new();
        for (at, field) in layout.iter().enumerate() {
            let field = &self.fields[field.0 as usize];
            let value = self.object(record).fields()[at].value;
            components.push((field.name.clone(), field.descriptor.clone(), value));
        }
        let value = match name {
            "toString" => {
                let simple = self.classes[class.0 as usize].java_name();
                let simple = simple.rsplit(['.', '$']).next().unwrap_or_default().to_owned();
                let mut units: Vec<u16> = format!("{simple}[").encode_utf16().collect();
                for (at, (name, descriptor, value)) in components.iter().enumerate() {
                    let separator = if at == 0 { "" } else { ", " };
                    units.extend(format!("{separator}{name}=").encode_utf16());
                    units.extend(self.shown(*value, descriptor)?);
                }
                units.push(u16::from(b']'));
                Value::Object(self.new_string_of(&units)?)
            }
            "hashCode" => {
                let mut hash = 0i32;
                for (_, descriptor, value) in components {
                    hash = hash.wrapping_mul(31).wrapping_add(self.hash(value, &descriptor)?);
                }
                Value::Int(hash)
            }
            _ => {
                let other = values[1].reference().filter(|o| self.object(*o).class == class);
                let equal = other.is_some_and(|other| {
                    let others = self.object(other).fields();
                    components.iter().zip(others).all(|(mine, other)| mine.2 == other.value)
                });
                Value::Int(equal.into())
            }
        };
        Ok(Slot::plain(value))
    }

    fn hash(&mut self, value: Value, descriptor: &str) -> Result<i32, Stop> {
        Ok(match value {
            Value::Int(value) if descriptor == "Z" => {
                if value == 0 {
                    1237
                } else {
                    1231
                }
            }
            Value::Int(value) => value,
            Value::Long(value) => (value ^ (value as u64 >> 32) as i64) as i32,
            Value::Null => 0,
            Value::Object(_) => {
                let hash = self.call_virtual(value, "hashCode", "()I")?;
                hash.map_or(0, |slot| slot.value.int())
            }
            Value::Float(value) => value.to_bits() as i32,
            Value::Double(value) => {
                let bits = value.to_bits();
                (bits ^ bits >> 32) as i32
            }
        })
    }
}

/// A floating-point number as Java writes it, from its shortest digits.
pub fn java_decimal(value: f64, scientific: &str) -> String {
    if value.is_nan() || value.is_infinite() {
        let infinite = if value > 0.0 { "Infinity" } else { "-Infinity" };
        return if value.is_nan() { "NaN" } else { infinite }.to_owned();
    }
    let magnitude = value.abs();
    if magnitude == 0.0 || (1e-3..1e7).contains(&magnitude) {
        // The digits of the scientific form are those of the value's own type.
        let (digits, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
        let exponent: i32 = exponent.parse().unwrap_or_default();
        let negative = digits.starts_with('-');
        let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
        let (whole, fraction) = if exponent < 0 {
            ("0".to_owned(), format!("{}{digits}", "0".repeat(-exponent as usize - 1)))
        } else {
            let padded = format!("{digits:0<width$}", width = exponent as usize + 1);
            (padded[..exponent as usize + 1].to_owned(), padded[exponent as usize + 1..].to_owned())
        };
        let fraction = if fraction.is_empty() { "0" } else { &fraction };
        return format!("{}{whole}.{fraction}", if negative { "-" } else { "" });
    }
    let (digits, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let point = if digits.contains('.') { "" } else { ".0" };
    format!("{digits}{point}E{exponent}")
}

/// The bootstrap method of an `InvokeDynamic` entry.
fn bootstrap(file: &ClassFile<'static>, index: u16) -> Option<Bootstrap> {
    let at = pool_offset(file, index)?;
    let number = u16::from_be_bytes(*file.bytes().get(at + 1..)?.first_chunk()?);
    let table = file.attributes().ok()?.flatten().find(|a| a.name == b"BootstrapMethods")?;
    let mut words = table.info.as_chunks::<2>().0.iter().map(|word| u16::from_be_bytes(*word));
    words.next()?;
    for _ in 0..number {
        words.next()?;
        for _ in 0..words.next()? {
            words.next()?;
        }
    }
    let pool = file.constant_pool();
    let (_, member) = pool.method_handle(words.next()?).ok()?;
    let member = pool.member_ref(member).ok()?;
    let count = words.next()?;
    let arguments = words.take(usize::from(count)).collect();
    Some(Bootstrap { method: format!("{}.{}", text(member.owner), text(member.name)), arguments })
}

/// Where an entry of the constant pool begins in the file.
fn pool_offset(file: &ClassFile<'static>, index: u16) -> Option<usize> {
    let (pool, bytes) = (file.constant_pool(), file.bytes());
    let mut at = 10;
    for entry in pool.indices() {
        if entry == index {
            return Some(at);
        }
        at += match pool.tag(entry)? {
            tag::UTF8 => 3 + usize::from(u16::from_be_bytes(*bytes.get(at + 1..)?.first_chunk()?)),
            tag::CLASS | tag::STRING | tag::METHOD_TYPE | tag::MODULE | tag::PACKAGE => 3,
            tag::METHOD_HANDLE => 4,
            tag::LONG | tag::DOUBLE => 9,
            _ => 5,
        };
    }
    None
}
