//! Whose code classes are: one's own, that of libraries, or the JDK's.
//!
//! What loaded a class, and from where, decides. Names decide only where that is not known:
//! in files of other tools and of older agents, and for classes that are made
//! while the program runs.

use std::collections::BTreeSet;
use std::sync::Arc;

use profile::{ClassInfo, Definition, Loader, NO_PARENT, Profile, RunInfo};
use rustc_hash::FxHashMap;

use crate::Tree;
use crate::names::command_line::program_of;
use crate::names::method::Method;
use crate::names::pattern::Pattern;
use crate::names::platform::is_of_jdk;

/// Whose code it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// One's own.
    Own,
    /// Of libraries.
    Library,
    /// Of the JDK.
    Platform,
}

/// What stands for the package of classes without one.
pub const NO_PACKAGE: &str = "(no package)";

/// What starts others' programs, and is nobody's own code.
const LAUNCHERS: [&str; 8] = [
    "org.junit.",
    "org.testng.",
    "org.apache.maven.",
    "org.codehaus.",
    "org.gradle.",
    "org.openjdk.jmh.",
    "org.springframework.boot.loader.",
    "worker.org.",
];

/// Folders in archives that hold the classes of the one who made the archive.
const OWN_FOLDERS: [&str; 2] = ["BOOT-INF/classes", "WEB-INF/classes"];

/// First parts of packages that say little.
const GENERAL: [&str; 7] = ["com", "org", "net", "io", "edu", "gov", "de"];

/// Who defined classes, as far as it is known, and how their programs were started.
#[derive(Debug, Clone, Default)]
pub struct Definitions {
    by_name: FxHashMap<String, Arc<Definition>>,
    command_lines: BTreeSet<String>,
    own: Option<Said>,
}

/// What somebody says is one's own code.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Said {
    names: Pattern,
    /// Where it is said.
    by: &'static str,
}

/// The agent's option that says it.
const OWN_OPTION: &str = "own=";

impl Definitions {
    /// With what the user says is one's own code; that goes before everything else.
    pub fn with_own(own: Option<&Pattern>) -> Self {
        let own = own.map(|names| Said { names: names.clone(), by: "as --own says" });
        Self { own, ..Self::default() }
    }

    /// Takes note of a run and its classes, unless they are known.
    pub fn add(&mut self, run: &RunInfo, classes: &[ClassInfo]) {
        self.command_lines.insert(run.command_line.clone());
        if self.own.is_none() {
            let said = run.options.split(',').find_map(|option| option.strip_prefix(OWN_OPTION));
            let by = "as the agent's option own= says";
            self.own = said.map(|names| Said { names: Pattern::new(names), by });
        }
        for class in classes {
            if class.definition.is_known() && !self.by_name.contains_key(&class.name) {
                self.by_name.insert(class.name.clone(), Arc::clone(&class.definition));
            }
        }
    }

    /// Where all classes come from.
    fn places(&self) -> impl Iterator<Item = &str> {
        let all = self.by_name.values().map(|definition| &*definition.location);
        all.filter(|place| !place.is_empty())
    }

    /// Where the main classes are that command lines name, or which jars they start, without
    /// those that start others' programs.
    fn started(&self) -> BTreeSet<String> {
        let mut places = BTreeSet::new();
        for program in self.command_lines.iter().map(|line| program_of(line)) {
            if let Some(main) = self.of(&program).filter(|main| !main.location.is_empty()) {
                places.insert(main.location.clone());
                continue;
            }
            let jar = format!("/{program}.jar");
            places.extend(self.places().filter(|place| place.ends_with(&jar)).map(str::to_owned));
        }
        for (class, definition) in &self.by_name {
            if is_launcher(class) || self.is_platform(class) {
                places.remove(&definition.location);
            }
        }
        places
    }

    /// Whether the JDK comes with a class.
    pub fn is_platform(&self, class: &str) -> bool {
        !self.is_said(class) && is_platform(class, self.of(class))
    }

    /// Whether somebody says that a class is one's own.
    fn is_said(&self, class: &str) -> bool {
        self.own.as_ref().is_some_and(|own| own.names.matches(class))
    }

    fn of(&self, class: &str) -> Option<&Definition> {
        self.by_name.get(class).map(|definition| &**definition)
    }
}

/// Who owns which classes.
#[derive(Debug, Clone)]
pub struct Owners {
    definitions: Definitions,
    own: Own,
}

impl Default for Owners {
    /// Nothing is known.
    fn default() -> Self {
        Self { definitions: Definitions::default(), own: Own::Package(NO_PACKAGE.to_owned()) }
    }
}

/// What is one's own.
#[derive(Debug, Clone)]
enum Own {
    /// Classes from these places.
    Places(Places),
    /// Classes of this package and those below it.
    Package(String),
    /// None but what somebody says: all that was executed is others'.
    Nothing,
}

/// Places that one's own classes come from.
#[derive(Debug, Clone)]
struct Places {
    places: BTreeSet<String>,
    /// Packages of these classes.
    packages: BTreeSet<String>,
    /// What the places are.
    what: &'static str,
}

impl Owners {
    /// Decides by what is known of the definitions of classes. `mains` are methods at the
    /// bottom of stacks, `all` all that may be one's own, each with the likeliest first.
    pub fn new<'a>(
        definitions: Definitions,
        mains: impl IntoIterator<Item = &'a Method>,
        all: impl IntoIterator<Item = &'a Method>,
    ) -> Self {
        let own = own(&definitions, mains, all);
        Self { definitions, own }
    }

    /// Whose class it is.
    pub fn owner(&self, class: &str) -> Owner {
        if self.definitions.is_said(class) {
            return Owner::Own;
        }
        if self.is_platform(class) {
            return Owner::Platform;
        }
        let is_own = match &self.own {
            Own::Nothing => false,
            Own::Places(own) => match self.definitions.of(class) {
                Some(definition) if !definition.location.is_empty() => {
                    own.places.contains(&definition.location)
                }
                // What was made while the program ran is in the package that it is for.
                _ => own.packages.contains(package_of(class)),
            },
            Own::Package(package) => is_in(class, package),
        };
        if is_own { Owner::Own } else { Owner::Library }
    }

    /// Whether the JDK comes with a class.
    pub fn is_platform(&self, class: &str) -> bool {
        self.definitions.is_platform(class)
    }

    /// Where a class comes from, to tell libraries apart; its package if that is not known.
    pub fn origin<'a>(&'a self, class: &'a str) -> &'a str {
        let place = self.definitions.of(class).map(|definition| &*definition.location);
        place.filter(|place| !place.is_empty()).unwrap_or_else(|| package_of(class))
    }

    /// What was taken for one's own, for the user.
    pub fn explanation(&self) -> String {
        if let Some(Said { names, by }) = &self.definitions.own {
            return format!("classes that match {names}, {by}");
        }
        match &self.own {
            Own::Places(Places { places, what, .. }) => {
                let places: Vec<&str> = places.iter().map(String::as_str).collect();
                format!("classes from {}: {what}", places.join(", "))
            }
            Own::Nothing => "none: all that was executed is the JDK's or a launcher's".to_owned(),
            Own::Package(package) if package == NO_PACKAGE => {
                "classes without a package, by name: where classes come from is not known"
                    .to_owned()
            }
            Own::Package(package) => {
                format!("classes in {package}, by name: where classes come from is not known")
            }
        }
    }
}

/// Whether the JDK comes with a class.
fn is_platform(class: &str, definition: Option<&Definition>) -> bool {
    let Some(Definition { loader, location }) = definition else { return is_of_jdk(class) };
    match loader {
        Loader::Platform => true,
        // An image may have modules of others.
        _ if location.starts_with("jrt:/") => {
            ["jrt:/java.", "jrt:/jdk."].iter().any(|start| location.starts_with(start))
        }
        // Agents put classes there, too.
        Loader::Unknown | Loader::Boot => is_of_jdk(class),
        Loader::Application | Loader::Other => location.is_empty() && is_of_jdk(class),
    }
}

fn is_launcher(class: &str) -> bool {
    LAUNCHERS.iter().any(|launcher| class.starts_with(launcher))
}

fn own<'a>(
    definitions: &Definitions,
    mains: impl IntoIterator<Item = &'a Method>,
    all: impl IntoIterator<Item = &'a Method>,
) -> Own {
    if definitions.own.is_some() {
        return Own::Nothing;
    }
    let of_program =
        |method: &&Method| !definitions.is_platform(&method.class) && !is_launcher(&method.class);
    let chosen = |is_chosen: &dyn Fn(&Definition) -> bool| -> BTreeSet<String> {
        let chosen = definitions.by_name.values().filter(|definition| is_chosen(definition));
        chosen.map(|definition| definition.location.clone()).collect()
    };
    let is_folder = |place: &str| place.starts_with("file:") && place.ends_with('/');
    let is_on_path = |definition: &Definition| definition.loader == Loader::Application;
    let archived =
        chosen(&|definition| OWN_FOLDERS.iter().any(|folder| definition.location.contains(folder)));
    let on_path = chosen(&|definition| is_on_path(definition) && is_folder(&definition.location));
    let started = definitions.started();
    let what = match (archived.is_empty(), on_path.is_empty(), started.is_empty()) {
        (false, ..) => "the application's classes in its archive",
        (true, false, true) => "folders of the class path",
        (true, true, false) => "where the program starts",
        (true, ..) => "folders of the class path, and where the program starts",
    };
    let known = archived.into_iter().chain(on_path).chain(started).collect();
    let folders = || chosen(&|definition| is_folder(&definition.location));
    let of_main = || {
        let main = mains.into_iter().find(of_program).and_then(|main| definitions.of(&main.class));
        main.map(|main| main.location.clone()).filter(|place| !place.is_empty())
    };
    let some = |places: BTreeSet<String>, what| (!places.is_empty()).then_some((places, what));
    let found = some(known, what)
        .or_else(|| some(folders(), "folders that classes were loaded from"))
        .or_else(|| some(of_main().into_iter().collect(), "where the program starts"));
    if let Some((places, what)) = found {
        let is_own = |definition: &Definition| places.contains(&definition.location);
        let own = definitions.by_name.iter().filter(|(_, definition)| is_own(definition));
        let packages = own.map(|(class, _)| package_of(class).to_owned()).collect();
        return Own::Places(Places { places, packages, what });
    }
    let first = all.into_iter().find(of_program);
    first.map_or(Own::Nothing, |method| Own::Package(package(&method.class)))
}

/// The whole name of a class's package; empty for none.
fn package_of(class: &str) -> &str {
    let named = class.split('/').next().unwrap_or_default();
    named.rsplit_once('.').map_or("", |(package, _)| package)
}

/// The package that a class counts for: two names deep, three for com and org.
pub fn package(class: &str) -> String {
    let class = class.split('/').next().unwrap_or_default();
    let names: Vec<&str> = class.split('.').collect();
    let deep = if GENERAL.contains(&names[0]) { 3 } else { 2 };
    let package = names[..deep.min(names.len() - 1)].join(".");
    if package.is_empty() { NO_PACKAGE.to_owned() } else { package }
}

/// Whether a class is in a package or below it.
fn is_in(class: &str, package: &str) -> bool {
    if package == NO_PACKAGE {
        return !class.contains('.');
    }
    let rest = class.strip_prefix(package);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The roots of columns in preorder, the costliest first: what costs most is the program's.
fn roots(parent: &[u32], cost: &[u64]) -> Vec<usize> {
    let mut roots: Vec<(usize, u64)> = Vec::new();
    for (node, &above) in parent.iter().enumerate() {
        let own = cost.get(node).copied().unwrap_or(0);
        match roots.last_mut().filter(|_| above != NO_PARENT) {
            Some((_, sum)) => *sum = sum.saturating_add(own),
            None => roots.push((node, own)),
        }
    }
    roots.sort_by_key(|&(_, cost)| std::cmp::Reverse(cost));
    roots.into_iter().map(|(root, _)| root).collect()
}

impl Owners {
    /// Those of a profile's classes by its tables alone, without its contexts; what the user
    /// says is one's own goes before what is known.
    pub fn of_tables(tables: &Profile, own: Option<&Pattern>) -> Self {
        let mut definitions = Definitions::with_own(own);
        definitions.add(&tables.run, &tables.classes);
        let named = tables.methods.iter().map(|method| Method {
            class: tables.classes[method.class.0 as usize].name.clone(),
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
        });
        Self::new(definitions, [], &named.collect::<Vec<_>>())
    }
}

impl Tree {
    /// Who owns which of the tree's classes.
    pub fn owners(&self) -> Owners {
        let costs = self.metrics.first().map_or(&[][..], |metric| &metric.values);
        let roots = roots(&self.parent, costs);
        let at = |node: usize| &self.methods[self.method[node] as usize];
        let mains = roots.iter().map(|&root| at(root)).filter(|method| method.name == "main");
        let first = roots.first().copied().unwrap_or(self.method.len());
        let all = (first..self.method.len()).map(at);
        Owners::new(self.definitions.clone(), mains, all)
    }

    /// Of each method whether the JDK comes with it.
    pub fn are_platform(&self) -> Vec<bool> {
        self.methods.iter().map(|method| self.definitions.is_platform(&method.class)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(class: &str, name: &str) -> Method {
        Method { class: class.into(), name: name.into(), ..Method::default() }
    }

    fn owners(classes: &[(&str, Loader, &str)], mains: &[Method], patterns: &[&str]) -> Owners {
        started("", classes, mains, patterns)
    }

    fn started(
        command_line: &str,
        classes: &[(&str, Loader, &str)],
        mains: &[Method],
        patterns: &[&str],
    ) -> Owners {
        let definition = |&(class, loader, location): &(&str, Loader, &str)| {
            (class.to_owned(), Arc::new(Definition { loader, location: location.to_owned() }))
        };
        let by_name = classes.iter().map(definition).collect();
        let names = Pattern::new(&patterns.join(";"));
        let own = (!patterns.is_empty()).then_some(Said { names, by: "as --own says" });
        let command_lines = [command_line.to_owned()].into();
        let definitions = Definitions { by_name, command_lines, own };
        Owners::new(definitions, mains, mains)
    }

    const JDK: (&str, Loader, &str) = ("java.lang.String", Loader::Boot, "");
    const APPLICATION: Loader = Loader::Application;

    #[test]
    fn facts_go_before_names() {
        let owners = owners(
            &[
                JDK,
                ("javax.sql.Wrapper", Loader::Platform, "jrt:/java.sql"),
                ("com.sun.tools.javac.Main", APPLICATION, "jrt:/jdk.compiler"),
                ("javax.sql.Other", APPLICATION, "file:/lib/old-sql.jar"),
                ("io.agent.Hook", Loader::Boot, ""),
                ("demo.Main", APPLICATION, "file:/project/classes/"),
                ("demo.Main$$Lambda", APPLICATION, ""),
                ("demo.$Proxy0", APPLICATION, ""),
                ("demo.plugin.Part", Loader::Other, "file:/project/plugins/"),
                ("com.sun.proxy.jdk.proxy1.$Proxy2", Loader::Other, ""),
                ("lib.Proxied$Proxy3", APPLICATION, ""),
                ("jdk.internal.reflect.GeneratedMethodAccessor1", Loader::Other, ""),
            ],
            &[],
            &[],
        );
        for (class, owner) in [
            ("java.lang.String", Owner::Platform),
            ("javax.sql.Wrapper", Owner::Platform),
            ("com.sun.tools.javac.Main", Owner::Platform),
            ("javax.sql.Other", Owner::Library),
            ("io.agent.Hook", Owner::Library),
            ("demo.Main", Owner::Own),
            ("demo.Main$$Lambda", Owner::Own),
            ("demo.$Proxy0", Owner::Own),
            ("demo.plugin.Part", Owner::Library),
            ("com.sun.proxy.jdk.proxy1.$Proxy2", Owner::Platform),
            ("lib.Proxied$Proxy3", Owner::Library),
            ("jdk.internal.reflect.GeneratedMethodAccessor1", Owner::Platform),
            ("java.util.List", Owner::Platform),
            ("unknown.Class", Owner::Library),
        ] {
            assert_eq!(owners.owner(class), owner, "{class}");
        }
        assert_eq!(
            owners.explanation(),
            "classes from file:/project/classes/: folders of the class path"
        );
    }

    #[test]
    fn archives_have_folders_of_their_own() {
        let nested = |inner: &str| format!("jar:nested:/app.jar/!{inner}!/");
        let (own, library) = (nested("BOOT-INF/classes/"), nested("BOOT-INF/lib/tomcat.jar"));
        let launcher = "org.springframework.boot.loader.launch.JarLauncher";
        let owners = owners(
            &[
                (launcher, APPLICATION, "file:/app.jar"),
                ("shop.Orders", Loader::Other, &own),
                ("org.apache.catalina.Server", Loader::Other, &library),
            ],
            &[method(launcher, "main")],
            &[],
        );
        assert_eq!(owners.owner("shop.Orders"), Owner::Own);
        assert_eq!(owners.owner("org.apache.catalina.Server"), Owner::Library);
        assert_eq!(owners.owner(launcher), Owner::Library);
    }

    #[test]
    fn the_main_class_is_in_ones_own_jar() {
        let classes = [
            ("org.junit.Run", APPLICATION, "file:/lib/junit.jar"),
            ("tool.Main", APPLICATION, "file:/opt/tool.jar"),
            ("tool.lib.Json", APPLICATION, "file:/opt/json.jar"),
            ("elsewhere.Part", APPLICATION, "file:/opt/tool.jar"),
        ];
        let mains = [method("org.junit.Run", "main"), method("tool.Main", "main")];
        let found = owners(&classes, &mains, &[]);
        assert_eq!(found.owner("elsewhere.Part"), Owner::Own);
        assert_eq!(found.owner("tool.lib.Json"), Owner::Library);
        assert_eq!(found.owner("org.junit.Run"), Owner::Library);
        let chosen = owners(&classes, &mains, &["tool.lib.*", "java.util.List"]);
        assert_eq!(chosen.owner("tool.lib.Json"), Owner::Own);
        assert_eq!(chosen.owner("tool.Main"), Owner::Library);
        assert_eq!(chosen.owner("java.util.List"), Owner::Own);
        assert_eq!(chosen.owner("java.util.Map"), Owner::Platform);
        let says = "classes that match 'tool.lib.*;java.util.List', as --own says";
        assert_eq!(chosen.explanation(), says);
    }

    /// The main method is in no profile of a JVM that the agent came into late.
    #[test]
    fn the_command_line_names_what_was_started() {
        let classes = [
            ("tool.Main", APPLICATION, "file:/opt/tool.jar"),
            ("org.yaml.Yaml", APPLICATION, "file:/opt/yaml.jar"),
            ("org.junit.Run", APPLICATION, "file:/opt/junit.jar"),
        ];
        for (line, own) in [
            ("java -Xmx1g -jar /opt/tool.jar file.yaml", "tool.Main"),
            ("java -cp /opt/tool.jar:/opt/yaml.jar tool.Main -jar yaml.jar", "tool.Main"),
            ("java -jar yaml.jar", "org.yaml.Yaml"),
            ("java -cp /opt/tool.jar:/opt/yaml.jar tool.Main file.yaml", "tool.Main"),
            ("java -p /opt -m tool/tool.Main", "tool.Main"),
            ("java -jar junit.jar --tests", "tool.Main"),
        ] {
            // As in a test run, whose main method is a launcher's.
            let found = started(line, &classes, &[method("tool.Main", "main")], &[]);
            for (class, ..) in classes {
                let expected = if class == own { Owner::Own } else { Owner::Library };
                assert_eq!(found.owner(class), expected, "{class} in {line}");
            }
        }
    }

    #[test]
    fn names_decide_where_nothing_else_is_known() {
        assert_eq!(package("org.apache.fop.fo.Block"), "org.apache.fop");
        assert_eq!(package("app.Main"), "app");
        assert_eq!(package("a.b.c.D"), "a.b");
        assert_eq!(package("Main"), NO_PACKAGE);
        assert_eq!(package(""), NO_PACKAGE);
        let methods = ["java.lang.Thread", "org.junit.Run", "org.x.y.Main"];
        let methods = methods.map(|class| method(class, "main"));
        let found = owners(&[], &methods, &[]);
        assert_eq!(found.owner("org.x.y.z.A"), Owner::Own);
        assert_eq!(found.owner("org.x.yz.A"), Owner::Library);
        assert_eq!(found.owner("sun.misc.A"), Owner::Platform);
        let without = owners(&[], &[method("Main", "main")], &[]);
        assert_eq!(without.owner("Main"), Owner::Own);
        assert_eq!(without.owner("a.Main"), Owner::Library);
    }
}
