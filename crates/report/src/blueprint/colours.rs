//! What the colours of blueprints mean: what methods return, where that is known, or
//! whose code they are.

use profile::dataflow::ResultKind;

use crate::blueprint::methods::Methods;
use tree::owners::Owner;

/// The colours of whose code methods are.
const OWNERS: [(Owner, &str, &str); 3] = [
    (Owner::Own, "#56b4e9", "own code"),
    (Owner::Library, "#35ab82", "libraries"),
    (Owner::Platform, "#e5d05a", "JDK"),
];

/// The colour of what a method returns: grey where nothing can be kept, yellow where
/// results repeat, the stronger the less there is to keep. They are those of the page.
fn colour_of(kind: ResultKind) -> &'static str {
    match kind {
        ResultKind::Void => "#b9c0c9",
        ResultKind::Fluent => "#98a3b0",
        ResultKind::Null => "#e8a0a0",
        ResultKind::Nan => "#c58ad8",
        ResultKind::OneValue => "#f0c808",
        ResultKind::PerReceiver => "#f6e05e",
        ResultKind::PerInput => "#faf0a8",
        ResultKind::Varies => "#ffffff",
        ResultKind::NotRepeated => "#e6eef6",
        ResultKind::Exceptions => "#d0564b",
        ResultKind::Unknown => "#f6f7f9",
    }
}

/// The colours of a picture of these methods.
#[derive(Debug)]
pub struct Colours<'a> {
    methods: &'a Methods,
}

impl<'a> Colours<'a> {
    /// Those for what the methods return, if that was recorded, else for whose they are.
    pub fn new(methods: &'a Methods) -> Self {
        Self { methods }
    }

    fn are_of_results(&self) -> bool {
        !self.methods.results.is_empty()
    }

    /// The colour of a method.
    pub fn of(&self, at: usize) -> &'static str {
        if self.are_of_results() {
            return colour_of(self.methods.results[at].unwrap_or(ResultKind::Unknown));
        }
        self.of_class(&self.methods.names[at].class)
    }

    /// The colour of a class: whose code it is.
    pub fn of_class(&self, class: &str) -> &'static str {
        let owner = self.methods.owners.owner(class);
        OWNERS.iter().find(|known| known.0 == owner).map_or("#ffffff", |known| known.1)
    }

    /// The colours with what they mean.
    pub fn kinds(&self) -> Vec<(&'static str, &'static str)> {
        if self.are_of_results() {
            return ResultKind::ALL.map(|kind| (colour_of(kind), kind.text())).to_vec();
        }
        OWNERS.map(|(_, colour, words)| (colour, words)).to_vec()
    }

    /// The colours in the order in which dots lie on each other.
    pub fn from_below(&self) -> Vec<&'static str> {
        use ResultKind::{
            Exceptions, Fluent, Nan, NotRepeated, Null, OneValue, PerInput, PerReceiver, Unknown,
            Varies, Void,
        };
        if self.are_of_results() {
            let computed = [Unknown, NotRepeated, Void, Fluent, Varies, Exceptions];
            let repeated = [Null, Nan, PerInput, PerReceiver, OneValue];
            return computed.into_iter().chain(repeated).map(colour_of).collect();
        }
        OWNERS.iter().rev().map(|(_, colour, _)| *colour).collect()
    }

    /// The legend of a picture of methods.
    pub fn keys(&self) -> Vec<(String, &'static str)> {
        let border =
            if self.are_of_results() { " stroke=\"#59636f\" stroke-width=\"0.5\"" } else { "" };
        let key = |(colour, words)| (format!("fill=\"{colour}\"{border}"), words);
        self.kinds().into_iter().map(key).collect()
    }

    /// The legend of a picture of classes.
    pub fn owner_keys(&self) -> Vec<(String, &'static str)> {
        OWNERS.map(|(_, colour, words)| (format!("fill=\"{colour}\""), words)).to_vec()
    }
}

/// The colour of dots, which have no border: what is nearly white is grey.
pub fn of_dots(colour: &'static str) -> &'static str {
    match colour {
        "#ffffff" | "#f6f7f9" => "#8a929c",
        "#e6eef6" => "#a9bdd2",
        "#faf0a8" => "#e8d65c",
        colour => colour,
    }
}

/// How strong the colours of methods are by the number of objects that they were called
/// on, from 0.25 to 1; `None` where that is not known.
pub fn shades(methods: &Methods) -> Vec<Option<f64>> {
    let strength = |receivers: u64| (1.0 + receivers as f64).log10();
    let most = methods.receivers.iter().flatten().map(|&number| strength(number));
    let most = most.fold(0.0, f64::max);
    let shade = |at: usize| {
        let receivers = methods.receivers.get(at).copied().flatten()?;
        Some(0.25 + 0.75 * strength(receivers) / most)
    };
    (0..methods.names.len()).map(shade).collect()
}

#[cfg(test)]
mod tests {
    use tree::names::method::Method;
    use tree::owners::{Definitions, Owners};

    use super::*;

    #[test]
    fn results_go_before_owners() {
        let method = |class: &str| Method { class: class.into(), ..Method::default() };
        let names = vec![method("app.Main"), method("java.lang.String")];
        let mut methods = Methods {
            owners: Owners::new(Definitions::default(), [], &names),
            names,
            ..Methods::default()
        };
        let colours = Colours::new(&methods);
        assert_eq!([colours.of(0), colours.of(1)], ["#56b4e9", "#e5d05a"]);
        assert_eq!(colours.keys().len(), 3);
        assert_eq!(shades(&methods), [None, None]);
        methods.results = vec![Some(ResultKind::OneValue), None];
        methods.receivers = vec![Some(99), None];
        let colours = Colours::new(&methods);
        assert_eq!([colours.of(0), colours.of(1)], ["#f0c808", "#f6f7f9"]);
        assert_eq!(colours.of_class("java.lang.String"), "#e5d05a");
        assert_eq!(colours.keys().len(), ResultKind::ALL.len());
        assert_eq!(colours.from_below().len(), ResultKind::ALL.len());
        assert_eq!(shades(&methods), [Some(1.0), None]);
    }

    /// The page has the same colours.
    #[test]
    fn the_page_has_the_same_colours() {
        let styles = crate::page::assets::STYLES;
        for kind in ResultKind::ALL.into_iter().filter(|&kind| kind != ResultKind::Unknown) {
            let line = format!("--result-{}: {};", kind.name(), colour_of(kind));
            assert!(styles.iter().any(|style| style.contains(&line)), "{line}");
        }
    }
}
