//! Names of sites, tags and locations as people read them.

use profile::dataflow::{FieldId, Location, Objects, Place, SiteId, SiteKind, TagId};

use rustc_hash::{FxHashMap, FxHashSet};

use tree::names::method::Method;
use tree::owners::{Owner, Owners};

/// What a context number means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contexts {
    /// The site of the receiver of the allocating method, or a call, as in copies.
    Receiver,
    /// A hashed chain of receivers, as in costs.
    Chain,
}

/// Names the objects of a recording.
#[derive(Debug)]
pub struct Naming<'a> {
    methods: &'a [Method],
    objects: &'a Objects,
    contexts: Contexts,
    /// How many tags each site has: the context is named where there are several.
    tags: Vec<u32>,
    /// Context numbers, those of each tag together.
    by_tag: Vec<(TagId, u32)>,
    /// Fields of sites whose objects have another field of the same name.
    namesakes: FxHashSet<(SiteId, FieldId)>,
    /// Places are named by their methods alone.
    without_lines: bool,
    /// Whose classes are, where that is asked for.
    owners: Option<&'a Owners>,
}

/// The number of contexts that are named behind a site. Of more, only the first is named, and
/// the others are counted.
const CONTEXTS_SHOWN: usize = 2;

impl<'a> Naming<'a> {
    /// Names for objects whose methods are in `methods`.
    pub fn new(methods: &'a [Method], objects: &'a Objects, contexts: Contexts) -> Self {
        let mut tags = vec![0; objects.sites.len()];
        for tag in &objects.tags {
            tags[tag.site.0 as usize] += 1;
        }
        let mut by_tag: Vec<(TagId, u32)> =
            objects.contexts.iter().map(|c| (c.tag, c.context)).collect();
        by_tag.sort_unstable();
        let namesakes = FxHashSet::default();
        Self {
            methods,
            objects,
            contexts,
            tags,
            by_tag,
            namesakes,
            without_lines: false,
            owners: None,
        }
    }

    /// Names fields of these locations by their declaring classes, too, where
    /// objects have several of one name: a field hides that of a superclass, but
    /// does not take its place.
    pub fn telling_apart(mut self, locations: impl IntoIterator<Item = Location>) -> Self {
        let mut named: FxHashMap<(SiteId, &str), FieldId> = FxHashMap::default();
        for location in locations.into_iter().filter(|at| at.tag != TagId::UNKNOWN) {
            let site = self.objects.tags[location.tag.0 as usize].site;
            let name = self.field(location);
            let known = *named.entry((site, name)).or_insert(location.field);
            if known != location.field {
                self.namesakes.extend([(site, known), (site, location.field)]);
            }
        }
        self
    }

    /// Names sites by the methods that have them, whatever their lines, as two versions
    /// of a program have them elsewhere.
    pub fn without_lines(mut self) -> Self {
        self.without_lines = true;
        self
    }

    /// Knows whose code places are.
    pub fn with_owners(mut self, owners: &'a Owners) -> Self {
        self.owners = Some(owners);
        self
    }

    /// Whose code a place is; `None` where that is not asked for, and of what happens in the
    /// JVM.
    pub fn owner(&self, place: Place) -> Option<Owner> {
        Some(self.owners?.owner(&self.method(place)?.class))
    }

    /// The objects that are named.
    pub fn objects(&self) -> &'a Objects {
        self.objects
    }

    /// The methods that places refer to.
    pub fn methods(&self) -> &'a [Method] {
        self.methods
    }

    /// The method of a place, if it has one.
    pub fn method(&self, place: Place) -> Option<&'a Method> {
        place.method.map(|method| &self.methods[method.0 as usize])
    }

    /// The class of a place's code; empty for what happens in the JVM.
    pub fn class(&self, place: Place) -> &'a str {
        self.method(place).map_or("", |method| &method.class)
    }

    /// `Class.method:line`, with the bytecode index where the line is unknown.
    pub fn place(&self, place: Place) -> String {
        match self.method(place) {
            Some(method) if self.without_lines => method.qualified(),
            Some(method) => format!("{}{}", method.qualified(), position(place)),
            None => "the JVM".to_owned(),
        }
    }

    /// `Class:line` as commands take it, with the method where the line is unknown.
    fn class_line(&self, place: Place) -> String {
        match self.method(place) {
            Some(method) if self.without_lines => method.qualified(),
            Some(method) if place.line > 0 => format!("{}:{}", method.class, place.line),
            Some(method) => format!("{}{}", method.qualified(), position(place)),
            None => "JVM".to_owned(),
        }
    }

    /// A site as the paper prints it: `java.util.Date[app.Main:12]`,
    /// `array[app.Main:13]`; a call as `app.Main.main:14`.
    pub fn site(&self, site: SiteId) -> String {
        let info = &self.objects.sites[site.0 as usize];
        if site.0 == 0 {
            return "?".to_owned();
        }
        if info.kind == SiteKind::Untracked {
            return format!("{}[untracked]", info.class);
        }
        if info.kind == SiteKind::Call {
            return self.place(info.place);
        }
        let class = if info.class.ends_with("[]") { "array" } else { &info.class };
        format!("{class}[{}]", self.class_line(info.place))
    }

    /// A tag: its site, and its contexts where the site has several tags.
    pub fn tag(&self, tag: TagId) -> String {
        let info = self.objects.tags[tag.0 as usize];
        let mut name = self.site(info.site);
        if self.tags[info.site.0 as usize] < 2 {
            return name;
        }
        match self.contexts {
            Contexts::Chain => name += &format!("^{}", info.slot),
            Contexts::Receiver => {
                let contexts = self.contexts_of(tag);
                match contexts.as_slice() {
                    [] => {}
                    [one] => name += &format!("^{one}"),
                    few if few.len() <= CONTEXTS_SHOWN => {
                        name += &format!("^{{{}}}", few.join(", "));
                    }
                    [first, more @ ..] => {
                        name += &format!("^{{{first}, {} more}}", more.len());
                    }
                }
            }
        }
        name
    }

    /// The contexts of a tag: sites of receivers, or calls of static methods; empty
    /// for chains, which have no names, and for objects made without either.
    pub fn contexts_of(&self, tag: TagId) -> Vec<String> {
        if self.contexts == Contexts::Chain {
            return Vec::new();
        }
        let first = self.by_tag.partition_point(|&(t, _)| t < tag);
        let own = self.by_tag[first..].iter().take_while(|&&(t, _)| t == tag);
        own.map(|&(_, context)| self.site(SiteId(context))).collect()
    }

    /// A location: `java.util.Date[app.Main:12].time`, `array[app.Main:13].ELM`,
    /// or `app.Main.counter` for a static field. A field that a subclass hides is
    /// `app.Sub[app.Main:14].app.Base.name`, see [`Naming::telling_apart`].
    pub fn location(&self, location: Location) -> String {
        let field = self.objects.field(location);
        if field.is_static {
            return format!("{}.{}", field.class, field.name);
        }
        if location.tag != TagId::UNKNOWN {
            return format!("{}.{}", self.tag(location.tag), self.field_of_owner(location));
        }
        match location.field {
            FieldId::ELEMENTS => "array[?].ELM".to_owned(),
            _ => format!("{}[?].{}", field.class, field.name),
        }
    }

    /// The location of a field of objects, in all contexts of their site.
    pub fn location_of_site(&self, location: Location) -> String {
        let site = self.objects.tags[location.tag.0 as usize].site;
        format!("{}.{}", self.site(site), self.field_of_owner(location))
    }

    /// The name of a field of objects, behind that of its class if a subclass hides it.
    fn field_of_owner(&self, location: Location) -> String {
        let site = self.objects.tags[location.tag.0 as usize].site;
        let (field, name) = (self.objects.field(location), self.field(location));
        let is_own = self.objects.sites[site.0 as usize].class == field.class;
        match self.namesakes.contains(&(site, location.field)) && !is_own {
            true => format!("{}.{name}", field.class),
            false => name.to_owned(),
        }
    }

    /// The name of a location's field.
    pub fn field(&self, location: Location) -> &'a str {
        match location.field {
            FieldId::ELEMENTS => "ELM",
            _ => &self.objects.field(location).name,
        }
    }

    /// The class that declares a location's field; `None` for elements.
    pub fn declaring_class(&self, location: Location) -> Option<&'a str> {
        match location.field {
            FieldId::ELEMENTS => None,
            _ => Some(&self.objects.field(location).class),
        }
    }
}

fn position(place: Place) -> String {
    match place.line {
        0 => format!("@{}", place.bci),
        line => format!(":{line}"),
    }
}
