//! Finding, linking and initialising classes.

use std::rc::Rc;

use classfile::{ClassFile, access};
use profile::MethodId;
use profile::dataflow;

use super::class::{
    Body, Class, ClassId, Field, FieldNumber, Initialisation, Method, Resolved, java_name,
    parameter_letters,
};
use super::names::text;
use super::opaque::is_opaque;
use super::value::{Cell, Value};
use super::{Machine, Stop};
use crate::rules::{Context, Rules};

impl<R: Rules> Machine<'_, R> {
    /// The class with an internal name.
    ///
    /// # Errors
    /// What the interpreted program throws, or that the interpreter lacks something.
    pub fn class(&mut self, name: &str) -> Result<ClassId, Stop> {
        if let Some(&class) = self.by_name.get(name) {
            return Ok(class);
        }
        if name.starts_with('[') {
            return self.array_class(name);
        }
        let Some((bytes, is_own)) = self.class_path.find(name) else {
            let message = self.new_string(&name.replace('/', "."))?;
            return Err(self.throw_with("java/lang/NoClassDefFoundError", Some(message)));
        };
        self.define(bytes, is_own)
    }

    fn array_class(&mut self, name: &str) -> Result<ClassId, Stop> {
        let element = match &name.as_bytes()[1..] {
            [b'L', .., b';'] => self.class(&name[2..name.len() - 1])?,
            [b'[', ..] => self.class(&name[1..])?,
            letter => self.primitive(letter[0]),
        };
        let mut class = Class::named(name);
        class.super_class = Some(self.class("java/lang/Object")?);
        class.interfaces =
            vec![self.class("java/lang/Cloneable")?, self.class("java/io/Serializable")?];
        class.element = Some(element);
        class.is_own = self.classes[element.0 as usize].is_own;
        Ok(self.add_class(class))
    }

    /// The array class whose elements have this type.
    ///
    /// # Errors
    /// What the interpreted program throws, or that the interpreter lacks something.
    pub fn array_of(&mut self, element: ClassId) -> Result<ClassId, Stop> {
        let name = format!("[{}", self.classes[element.0 as usize].descriptor());
        self.class(&name)
    }

    /// The primitive type with this letter.
    pub fn primitive(&mut self, letter: u8) -> ClassId {
        let (_, name) = super::class::PRIMITIVES
            .into_iter()
            .find(|(l, _)| *l == letter)
            .expect("descriptors have letters of primitive types");
        match self.by_name.get(name) {
            Some(&class) => class,
            None => self.add_class(Class::named(name)),
        }
    }

    fn add_class(&mut self, class: Class<R::Writer>) -> ClassId {
        let id = ClassId(self.classes.len() as u32);
        self.by_name.insert(class.name.clone(), id);
        self.classes.push(class);
        id
    }

    /// Makes a class of a class file.
    ///
    /// # Errors
    /// What the interpreted program throws, or that the interpreter lacks something.
    pub fn define(&mut self, bytes: &'static [u8], is_own: bool) -> Result<ClassId, Stop> {
        let file = ClassFile::parse(bytes).map_err(Stop::broken)?;
        let file: &'static ClassFile<'static> = Box::leak(Box::new(file));
        let mut class = Class::named(text(file.this_class()));
        if let Some(name) = file.super_class() {
            let super_class = self.class(text(name))?;
            class.layout.clone_from(&self.classes[super_class.0 as usize].layout);
            class.super_class = Some(super_class);
        }
        for name in file.interfaces() {
            class.interfaces.push(self.class(text(name.map_err(Stop::broken)?))?);
        }
        class.file = Some(file);
        class.flags = file.access_flags();
        class.is_own = is_own;
        let id = self.add_class(class);
        self.declare_fields(id, file)?;
        self.declare_methods(id, file)?;
        Ok(id)
    }

    fn declare_fields(
        &mut self,
        class: ClassId,
        file: &'static ClassFile<'static>,
    ) -> Result<(), Stop> {
        let java_name = self.classes[class.0 as usize].java_name();
        for member in file.fields().iter() {
            let (name, descriptor) = (text(member.name()), text(member.descriptor()));
            let flow = self.registry.field(dataflow::Field {
                class: java_name.clone(),
                name: name.to_owned(),
                descriptor: descriptor.to_owned(),
                is_static: member.is_static(),
            });
            let number = FieldNumber(self.fields.len() as u32);
            let mut value = Value::default_of(descriptor);
            if member.is_static() {
                let constant = member
                    .attributes()
                    .map_err(Stop::broken)?
                    .flatten()
                    .find(|attribute| attribute.name == b"ConstantValue");
                if let Some(attribute) = constant {
                    let index = u16::from_be_bytes([attribute.info[0], attribute.info[1]]);
                    value = self.constant(class, index)?;
                }
            }
            let in_class = &mut self.classes[class.0 as usize];
            in_class.declared.push(number);
            let index = if member.is_static() {
                in_class.statics.push(Cell { value, writer: R::Writer::default() });
                in_class.statics.len() - 1
            } else {
                in_class.layout.push(number);
                in_class.layout.len() - 1
            };
            self.fields.push(Field {
                class,
                name: name.into(),
                descriptor: descriptor.into(),
                index,
                flow,
            });
        }
        Ok(())
    }

    fn declare_methods(
        &mut self,
        class: ClassId,
        file: &'static ClassFile<'static>,
    ) -> Result<(), Stop> {
        let class_name = self.classes[class.0 as usize].name.clone();
        for member in file.methods().iter() {
            let (name, descriptor) = (text(member.name()), text(member.descriptor()));
            let id = MethodId(self.methods.len() as u32);
            let code = member.code().map_err(Stop::broken)?;
            let executed = code.filter(|_| !is_opaque(&class_name, &member));
            let java_class = java_name(&class_name);
            let java_method = format!("{java_class}.{name}{descriptor}");
            let returns = text(classfile::descriptor::return_type(member.descriptor()));
            self.methods.push(Method {
                class,
                name: name.into(),
                descriptor: descriptor.into(),
                flags: member.access_flags(),
                parameters: parameter_letters(descriptor),
                returns: returns.into(),
                body: executed.map(Body::new),
                following: self.unfollowed.following(&java_class, &java_method),
            });
            let key: (Rc<str>, Rc<str>) = (name.into(), descriptor.into());
            self.classes[class.0 as usize].methods.insert(key, id);
        }
        Ok(())
    }

    /// Initialises a class as JVMS 5.5 says.
    ///
    /// # Errors
    /// What the interpreted program throws, or that the interpreter lacks something.
    pub fn initialise(&mut self, class: ClassId) -> Result<(), Stop> {
        let at = class.0 as usize;
        if self.classes[at].initialisation != Initialisation::Untouched {
            return Ok(());
        }
        self.classes[at].initialisation = Initialisation::Begun;
        if let Some(super_class) = self.classes[at].super_class {
            self.initialise(super_class)?;
        }
        if !self.classes[at].is_interface() {
            for interface in self.all_interfaces(class) {
                let methods = self.classes[interface.0 as usize].methods.values();
                let has_default = methods.into_iter().any(|&method| {
                    let method = &self.methods[method.0 as usize];
                    !method.is_abstract() && !method.is_static()
                });
                if has_default {
                    self.initialise(interface)?;
                }
            }
        }
        let key: (Rc<str>, Rc<str>) = ("<clinit>".into(), "()V".into());
        let Some(&method) = self.classes[at].methods.get(&key) else { return Ok(()) };
        // The JVM calls it: the code that caused that passes no context of its own
        // to static code but the chain, as an ordinary static call does.
        let class = &self.classes[at];
        let is_early = !class.is_own && !self.initialised_late.contains(&class.java_name());
        self.early += u32::from(is_early);
        let result = match self.methods[method.0 as usize].body {
            Some(_) => self.invoke(method, Vec::new(), self.calling).map(drop),
            None => self.plain_native(method, &[]).map(drop),
        };
        self.early -= u32::from(is_early);
        result
    }

    /// All superinterfaces of a class, its superclasses' last.
    pub fn all_interfaces(&self, class: ClassId) -> Vec<ClassId> {
        let mut found = Vec::new();
        let mut next = Some(class);
        while let Some(class) = next {
            let mut open = self.classes[class.0 as usize].interfaces.clone();
            while let Some(interface) = open.pop() {
                if !found.contains(&interface) {
                    found.push(interface);
                    open.extend(&self.classes[interface.0 as usize].interfaces);
                }
            }
            next = self.classes[class.0 as usize].super_class;
        }
        found
    }

    /// Whether objects of one class are instances of another.
    pub fn is_subclass(&self, class: ClassId, of: ClassId) -> bool {
        if class == of {
            return true;
        }
        let (this, other) = (&self.classes[class.0 as usize], &self.classes[of.0 as usize]);
        if let (Some(element), Some(other)) = (this.element, other.element) {
            return self.is_subclass(element, other)
                && self.classes[element.0 as usize].super_class.is_some();
        }
        if other.is_interface() {
            return self.all_interfaces(class).contains(&of);
        }
        this.super_class.is_some_and(|super_class| self.is_subclass(super_class, of))
            || (this.is_interface() && &*other.name == "java/lang/Object")
    }

    /// The class that a `Class` entry of a pool names.
    ///
    /// # Errors
    /// What the interpreted program throws, or that the interpreter lacks something.
    pub fn resolve_class(&mut self, user: ClassId, index: u16) -> Result<ClassId, Stop> {
        if let Some(Resolved::Class(class)) = self.classes[user.0 as usize].resolved.get(&index) {
            return Ok(*class);
        }
        let name = self.file(user).constant_pool().class_name(index).map_err(Stop::broken)?;
        let class = self.class(text(name))?;
        self.classes[user.0 as usize].resolved.insert(index, Resolved::Class(class));
        Ok(class)
    }

    /// The field that a `Fieldref` entry names.
    ///
    /// # Errors
    /// What the interpreted program throws, or that the interpreter lacks something.
    pub fn resolve_field(&mut self, user: ClassId, index: u16) -> Result<FieldNumber, Stop> {
        if let Some(Resolved::Field(field)) = self.classes[user.0 as usize].resolved.get(&index) {
            return Ok(*field);
        }
        let member = self.file(user).constant_pool().member_ref(index).map_err(Stop::broken)?;
        let owner = self.class(text(member.owner))?;
        let field = self
            .find_field(owner, text(member.name), text(member.descriptor))
            .ok_or_else(|| Stop::unsupported("a field that does not exist"))?;
        self.classes[user.0 as usize].resolved.insert(index, Resolved::Field(field));
        Ok(field)
    }

    /// Looks a field up as JVMS 5.4.3.2 says.
    pub fn find_field(&self, class: ClassId, name: &str, descriptor: &str) -> Option<FieldNumber> {
        let of = &self.classes[class.0 as usize];
        let here = of.declared.iter().copied().find(|number| {
            let field = &self.fields[number.0 as usize];
            &*field.name == name && (descriptor.is_empty() || &*field.descriptor == descriptor)
        });
        let interfaces = || {
            let mut all = of.interfaces.iter();
            all.find_map(|&interface| self.find_field(interface, name, descriptor))
        };
        let above = || of.super_class.and_then(|class| self.find_field(class, name, descriptor));
        here.or_else(interfaces).or_else(above)
    }

    /// The method that a `Methodref` or `InterfaceMethodref` entry names.
    ///
    /// # Errors
    /// What the interpreted program throws, or that the interpreter lacks something.
    pub fn resolve_method(&mut self, user: ClassId, index: u16) -> Result<MethodId, Stop> {
        if let Some(Resolved::Method(method)) = self.classes[user.0 as usize].resolved.get(&index) {
            return Ok(*method);
        }
        let member = self.file(user).constant_pool().member_ref(index).map_err(Stop::broken)?;
        let owner = self.class(text(member.owner))?;
        let (name, descriptor) = (text(member.name), text(member.descriptor));
        let method = self.find_method(owner, name, descriptor).ok_or_else(|| {
            Stop::Unsupported(format!("method {}.{name}{descriptor}", text(member.owner)))
        })?;
        self.classes[user.0 as usize].resolved.insert(index, Resolved::Method(method));
        Ok(method)
    }

    /// Looks a method up in a class, its superclasses and then its interfaces;
    /// this is both resolution and selection (JVMS 5.4.3.3 and 5.4.6).
    pub fn find_method(&self, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
        let key: (Rc<str>, Rc<str>) = (name.into(), descriptor.into());
        let mut next = Some(class);
        while let Some(class) = next {
            if let Some(&method) = self.classes[class.0 as usize].methods.get(&key) {
                return Some(method);
            }
            next = self.classes[class.0 as usize].super_class;
        }
        let candidates: Vec<MethodId> = self
            .all_interfaces(class)
            .iter()
            .filter_map(|interface| self.classes[interface.0 as usize].methods.get(&key).copied())
            .filter(|method| {
                self.methods[method.0 as usize].flags & (access::STATIC | access::PRIVATE) == 0
            })
            .collect();
        let owner = |method: &MethodId| self.methods[method.0 as usize].class;
        // The most specific one that is not abstract, else any.
        let specific = candidates.iter().find(|&method| {
            !self.methods[method.0 as usize].is_abstract()
                && !candidates.iter().any(|other| {
                    owner(other) != owner(method) && self.is_subclass(owner(other), owner(method))
                })
        });
        specific.or(candidates.first()).copied()
    }

    /// The class file of a class that has code.
    pub fn file(&self, class: ClassId) -> &'static ClassFile<'static> {
        self.classes[class.0 as usize].file.expect("only classes from files have constants")
    }

    /// The context of code that the JVM itself calls.
    pub fn outside() -> Context {
        Context::default()
    }
}
