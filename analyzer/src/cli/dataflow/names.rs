//! Sites and locations in JSON, and which of them match a pattern.

use analysis::dataflow::name::Naming;
use profile::dataflow::{CostGraph, Effect, Location, Place, SiteId, SiteKind, TagId};
use report::painted::Painted;
use serde::Serialize;
use tree::names::pattern::Pattern;
use tree::owners::Owner;

use crate::cli::json::Name;
use crate::cli::terminal;

/// A place in code.
#[derive(Debug, Serialize)]
pub struct JsonPlace<'a> {
    /// Null for what happens in the JVM.
    method: Option<Name<'a>>,
    bci: u16,
    /// 0 if unknown.
    line: u16,
}

impl<'a> JsonPlace<'a> {
    /// The JSON of a place.
    pub fn new(naming: &Naming<'a>, place: Place) -> Self {
        let method = naming.method(place).map(Name::new);
        Self { method, bci: place.bci, line: place.line }
    }
}

/// The name of a place in the colour of whose code it is, where that is known.
pub fn painted(naming: &Naming<'_>, place: Place) -> Painted {
    in_colour(&naming.place(place), naming, place)
}

/// A name in the colour of the place that it is about.
pub fn in_colour(name: &str, naming: &Naming<'_>, place: Place) -> Painted {
    let owner = if terminal::colours() { naming.owner(place) } else { None };
    Painted::name(name, owner)
}

/// Whose code a place is, for programs; what happens in the JVM is the JDK's.
pub fn owner(naming: &Naming<'_>, place: Place) -> &'static str {
    naming.owner(place).unwrap_or(Owner::Platform).word()
}

/// A site.
#[derive(Debug, Serialize)]
pub struct JsonSite<'a> {
    /// As tables show it.
    site: String,
    class: &'a str,
    kind: &'static str,
    allocated_at: JsonPlace<'a>,
}

impl<'a> JsonSite<'a> {
    /// The JSON of a site.
    pub fn new(naming: &Naming<'a>, site: SiteId) -> Self {
        let info = &naming.objects().sites[site.0 as usize];
        Self {
            site: naming.site(site),
            class: &info.class,
            kind: kind(info.kind),
            allocated_at: JsonPlace::new(naming, info.place),
        }
    }
}

fn kind(kind: SiteKind) -> &'static str {
    match kind {
        SiteKind::New => "new",
        SiteKind::Array => "array",
        SiteKind::Clone => "clone",
        SiteKind::Concat => "concat",
        SiteKind::Lambda => "lambda",
        SiteKind::Call => "call",
        SiteKind::Untracked => "untracked",
    }
}

/// A tag: a site in some contexts.
#[derive(Debug, Serialize)]
pub struct JsonTag<'a> {
    #[serde(flatten)]
    site: JsonSite<'a>,
    slot: u32,
    /// Sites of the receivers of the allocating method, or calls of static methods, if
    /// they are known.
    contexts: Vec<String>,
}

impl<'a> JsonTag<'a> {
    /// The JSON of a tag.
    pub fn new(naming: &Naming<'a>, tag: TagId) -> Self {
        let info = naming.objects().tags[tag.0 as usize];
        let contexts = naming.contexts_of(tag);
        Self { site: JsonSite::new(naming, info.site), slot: info.slot, contexts }
    }
}

/// A heap location.
#[derive(Debug, Serialize)]
pub struct JsonLocation<'a> {
    /// As tables show it.
    location: String,
    /// `ELM` for the elements of arrays.
    field: &'a str,
    /// The class that declares the field; null for elements.
    declaring_class: Option<&'a str>,
    /// Null for static fields and for objects of which nothing is known.
    owner: Option<JsonTag<'a>>,
}

impl<'a> JsonLocation<'a> {
    /// The JSON of a location.
    pub fn new(naming: &Naming<'a>, location: Location) -> Self {
        let owner = Some(location.tag).filter(|&tag| tag != TagId::UNKNOWN);
        Self {
            location: naming.location(location),
            field: naming.field(location),
            declaring_class: naming.declaring_class(location),
            owner: owner.map(|tag| JsonTag::new(naming, tag)),
        }
    }
}

/// The locations that nodes of a cost graph load from or store to.
pub fn accessed_locations(graph: &CostGraph) -> impl Iterator<Item = Location> + '_ {
    graph.effects.iter().filter_map(|effect| match effect.effect {
        Effect::Loads(location) | Effect::Stores(location) => Some(location),
        Effect::Allocates(_) => None,
    })
}

/// True if the site's code or its objects are of a class that matches.
pub fn site_matches(naming: &Naming<'_>, site: SiteId, class: Option<&Pattern>) -> bool {
    let info = &naming.objects().sites[site.0 as usize];
    class.is_none_or(|class| class.matches(naming.class(info.place)) || class.matches(&info.class))
}

/// True if the owner of the location matches, or the class of a static field.
pub fn location_matches(naming: &Naming<'_>, location: Location, class: &Pattern) -> bool {
    let objects = naming.objects();
    let field = objects.field(location);
    if location.tag == TagId::UNKNOWN {
        return class.matches(&field.class);
    }
    site_matches(naming, objects.tags[location.tag.0 as usize].site, Some(class))
}
