//! Making objects and arrays, and their tags.

use profile::dataflow::{SiteKind, TagId};

use super::class::ClassId;
use super::heap::{Inside, Object};
use super::value::{Cell, ObjectId, Slot, Value};
use super::{Frame, Machine, Stop};
use crate::rules::{Here, Rules, SiteName};

impl<R: Rules> Machine<'_, R> {
    /// The tag of what the instruction of a frame makes now.
    pub(super) fn new_tag(
        &mut self,
        frame: &Frame<R::Shadow>,
        class: ClassId,
        kind: SiteKind,
    ) -> TagId {
        let tag = self.tag_here(frame, class, kind);
        self.made_here(frame, tag);
        tag
    }

    /// The tag of what the instruction of a frame makes (ALLOC's `P'`): an
    /// object of this class, as far as the code tells.
    fn tag_here(&mut self, frame: &Frame<R::Shadow>, class: ClassId, kind: SiteKind) -> TagId {
        if self.early > 0 || !frame.following.sites {
            return self.untracked_tag(class);
        }
        let name = SiteName {
            method: self.method_name(frame.method),
            bci: frame.bci as u16,
            class: self.classes[class.0 as usize].java_name(),
            kind,
        };
        let line = self.line(frame.method, frame.bci);
        let site = self.registry.site(name, Some(frame.method), line);
        let context = R::context(self.context_in(frame), &self.registry);
        self.registry.tag(site, context)
    }

    /// A frame makes an object with this tag.
    fn made_here(&mut self, frame: &Frame<R::Shadow>, tag: TagId) {
        if !self.is_untracked(tag) {
            let context = R::context(self.context_in(frame), &self.registry);
            self.registry.made_in(tag, context);
        }
    }

    /// A frame calls the constructor of an object that it has made: until then, it is
    /// none that counts.
    pub(super) fn constructed(&mut self, frame: &Frame<R::Shadow>, object: Slot<R::Shadow>) {
        if let Some(tag) = self.tag_of(object.value) {
            self.made_here(frame, tag);
            self.rules.made(object.shadow, tag);
        }
    }

    /// The tag of what the JVM makes.
    pub fn untracked_tag(&mut self, class: ClassId) -> TagId {
        let name = SiteName {
            method: String::new(),
            bci: 0,
            class: self.classes[class.0 as usize].java_name(),
            kind: SiteKind::Untracked,
        };
        let site = self.registry.site(name, None, 0);
        self.registry.tag(site, None)
    }

    /// A new object of a class with all fields at their defaults.
    pub fn blank(&mut self, class: ClassId, tag: TagId) -> ObjectId {
        let object = self.uninitialised(class, tag);
        self.count(object);
        object
    }

    /// The same before any constructor is called.
    fn uninitialised(&mut self, class: ClassId, tag: TagId) -> ObjectId {
        let layout = &self.classes[class.0 as usize].layout;
        let cells = layout.iter().map(|field| Cell {
            value: Value::default_of(&self.fields[field.0 as usize].descriptor),
            writer: R::Writer::default(),
        });
        let object = Object::new(class, tag, cells.collect());
        self.place(object)
    }

    /// A new array.
    pub fn blank_array(&mut self, class: ClassId, length: usize, tag: TagId) -> ObjectId {
        let value = Value::default_of(&self.classes[class.0 as usize].name[1..]);
        let cell = Cell { value, writer: R::Writer::default() };
        let array = self.place(Object::new(class, tag, vec![cell; length]));
        self.count(array);
        array
    }

    /// Counts an object, once.
    pub(super) fn count(&mut self, object: ObjectId) {
        let object = &mut self.heap[object.0 as usize];
        if !std::mem::replace(&mut object.is_counted, true) {
            self.registry.objects.allocations[object.tag.0 as usize].objects += 1;
        }
    }

    /// An array that the JVM makes.
    pub fn untracked_array(&mut self, class: ClassId, values: Vec<Value>) -> ObjectId {
        let tag = self.untracked_tag(class);
        let array = self.blank_array(class, values.len(), tag);
        for (cell, value) in self.heap[array.0 as usize].cells_mut().iter_mut().zip(values) {
            cell.value = value;
        }
        array
    }

    /// Rule ALLOC for an object that the frame's instruction made.
    pub(super) fn allocated(
        &mut self,
        frame: &Frame<R::Shadow>,
        object: ObjectId,
    ) -> Slot<R::Shadow> {
        let tag = self.object(object).tag;
        let shadow = self.rules.allocate(frame.here(), frame.slot, tag);
        self.rules.made(shadow, tag);
        Slot { value: Value::Object(object), shadow }
    }

    /// `new`.
    pub(super) fn new_object(
        &mut self,
        frame: &mut Frame<R::Shadow>,
        class: ClassId,
    ) -> Result<(), Stop> {
        self.initialise(class)?;
        let tag = self.tag_here(frame, class, SiteKind::New);
        let object = self.uninitialised(class, tag);
        let shadow = self.rules.allocate(frame.here(), frame.slot, tag);
        frame.push(Slot { value: Value::Object(object), shadow });
        Ok(())
    }

    /// `newarray` and `anewarray`.
    pub(super) fn new_array(
        &mut self,
        frame: &mut Frame<R::Shadow>,
        class: ClassId,
    ) -> Result<(), Stop> {
        let length = self.array_length(frame.pop().value)?;
        let tag = self.new_tag(frame, class, SiteKind::Array);
        let array = self.blank_array(class, length, tag);
        let slot = self.allocated(frame, array);
        frame.push(slot);
        Ok(())
    }

    fn array_length(&mut self, value: Value) -> Result<usize, Stop> {
        usize::try_from(value.int()).map_err(|_| self.throw("java/lang/NegativeArraySizeException"))
    }

    /// `multianewarray`: the array and its sub-arrays have the same tag.
    pub(super) fn new_arrays(
        &mut self,
        frame: &mut Frame<R::Shadow>,
        class: ClassId,
        dimensions: usize,
    ) -> Result<(), Stop> {
        let mut lengths = Vec::new();
        for _ in 0..dimensions {
            lengths.push(self.array_length(frame.pop().value)?);
        }
        lengths.reverse();
        let tag = self.new_tag(frame, class, SiteKind::Array);
        let array = self.sub_array(frame.here(), tag, class, &lengths);
        let slot = self.allocated(frame, array);
        frame.push(slot);
        Ok(())
    }

    fn sub_array(&mut self, here: Here, tag: TagId, class: ClassId, lengths: &[usize]) -> ObjectId {
        let array = self.blank_array(class, lengths[0], tag);
        if lengths.len() > 1 {
            let element = self.classes[class.0 as usize].element.expect("it has dimensions left");
            for at in 0..lengths[0] {
                let sub = Value::Object(self.sub_array(here, tag, element, &lengths[1..]));
                self.assign(here, Slot::plain(sub));
                self.heap[array.0 as usize].cells_mut()[at].value = sub;
            }
        }
        array
    }

    /// The object of class `Class` for a class.
    ///
    /// # Errors
    /// What the interpreted program throws, or that the interpreter lacks something.
    pub fn mirror(&mut self, class: ClassId) -> Result<ObjectId, Stop> {
        if let Some(mirror) = self.classes[class.0 as usize].mirror {
            return Ok(mirror);
        }
        let class_class = self.class("java/lang/Class")?;
        let tag = self.untracked_tag(class_class);
        let mirror = self.blank(class_class, tag);
        self.heap[mirror.0 as usize].inside = Inside::Mirror(class);
        self.classes[class.0 as usize].mirror = Some(mirror);
        if let Some(element) = self.classes[class.0 as usize].element {
            let element = self.mirror(element)?;
            self.poke(mirror, "componentType", Value::Object(element));
        }
        Ok(mirror)
    }

    /// The class that a mirror stands for.
    ///
    /// # Errors
    /// What the interpreted program throws, or that the interpreter lacks something.
    pub fn mirrored(&mut self, mirror: Value) -> Result<ClassId, Stop> {
        let mirror = self.not_null(mirror)?;
        match self.object(mirror).inside {
            Inside::Mirror(class) => Ok(class),
            _ => Err(Stop::unsupported("a Class that mirrors nothing")),
        }
    }

    /// An exception that the JVM raises.
    pub fn throw(&mut self, class: &str) -> Stop {
        self.throw_with(class, None)
    }

    /// The same with a message.
    pub fn throw_with(&mut self, class: &str, message: Option<ObjectId>) -> Stop {
        let made = self.class(class).and_then(|class| {
            self.initialise(class)?;
            let tag = self.untracked_tag(class);
            let exception = self.blank(class, tag);
            let descriptor = if message.is_some() { "(Ljava/lang/String;)V" } else { "()V" };
            let constructor = self
                .find_method(class, "<init>", descriptor)
                .ok_or_else(|| Stop::unsupported("an exception without constructor"))?;
            let mut arguments = vec![Slot::plain(Value::Object(exception))];
            arguments.extend(message.map(|m| Slot::plain(Value::Object(m))));
            self.invoke(constructor, arguments, self.calling)?;
            Ok(exception)
        });
        match made {
            Ok(exception) => Stop::Thrown(exception),
            Err(stop) => stop,
        }
    }
}
