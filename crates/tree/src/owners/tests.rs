use std::sync::Arc;

use profile::{ClassInfo, Definition, Loader, RunInfo};

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
    let own = (!patterns.is_empty()).then(|| patterns.join(";"));
    said(command_line, classes, mains, &OwnCode::new(own.as_deref(), None))
}

/// Where the user says what is their own.
fn said(
    command_line: &str,
    classes: &[(&str, Loader, &str)],
    mains: &[Method],
    own: &OwnCode,
) -> Owners {
    let class = |&(class, loader, location): &(&str, Loader, &str)| ClassInfo {
        name: class.to_owned(),
        definition: Arc::new(Definition { loader, location: location.to_owned() }),
        ..ClassInfo::default()
    };
    let run = RunInfo { command_line: command_line.to_owned(), ..RunInfo::default() };
    let mut definitions = Definitions::with_own(own);
    definitions.add(&run, &classes.iter().map(class).collect::<Vec<_>>());
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

/// Source files of the package `shop`.
#[derive(Debug)]
struct Shop;

impl OwnSources for Shop {
    fn contains(&self, class: &str, _: &str) -> bool {
        class.starts_with("shop.") || class.starts_with("java.")
    }

    fn places(&self) -> String {
        "src".to_owned()
    }
}

const OF_SHOP: [(&str, Loader, &str); 6] = [
    ("java.lang.String", Loader::Boot, ""),
    ("shop.Orders", APPLICATION, "file:/srv/orders.jar"),
    ("shop.Orders$$Lambda", APPLICATION, ""),
    ("demo.Main", APPLICATION, "file:/srv/demo/target/classes/"),
    ("lib.Json", APPLICATION, "file:/srv/json.jar"),
    ("lib.Json$$Lambda", APPLICATION, ""),
];

fn own_of(owners: &Owners) -> Vec<&'static str> {
    let own = OF_SHOP.iter().filter(|(class, ..)| owners.owner(class) == Owner::Own);
    own.map(|(class, ..)| *class).collect()
}

#[test]
fn sources_come_behind_names_and_before_places() {
    let with =
        |own: Option<&str>| said("", &OF_SHOP, &[], &OwnCode::new(own, Some(Arc::new(Shop))));
    let by_sources = with(None);
    // The JDK's sources are nobody's own.
    assert_eq!(own_of(&by_sources), ["shop.Orders", "shop.Orders$$Lambda"]);
    let says = "2 classes with source files in src: what --sources contains";
    assert_eq!(by_sources.explanation(), says);
    assert_eq!(own_of(&with(Some("lib.*"))), ["lib.Json", "lib.Json$$Lambda"]);
}

#[test]
fn places_can_be_said() {
    let with = |own: &str| said("", &OF_SHOP, &[], &OwnCode::new(Some(own), None));
    let placed = with("/srv/orders*.jar;/srv/nothing");
    assert_eq!(own_of(&placed), ["shop.Orders", "shop.Orders$$Lambda"]);
    assert_eq!(placed.explanation(), "classes from file:/srv/orders.jar: as --own says");
    let both = with("/srv/demo/target/classes;lib.Json");
    assert_eq!(own_of(&both), ["demo.Main", "lib.Json"]);
    assert_eq!(
        both.explanation(),
        "classes that match 'lib.Json', and classes from file:/srv/demo/target/classes/: as \
         --own says"
    );
    let with_blanks = [
        ("shop.Orders", APPLICATION, "file:/my%20work/orders.jar"),
        ("demo.Main", APPLICATION, "file:/my%20work/classes/"),
    ];
    for (own, class) in [("/my work/orders.jar", "shop.Orders"), ("/my work/classes/", "demo.Main")]
    {
        let found = said("", &with_blanks, &[], &OwnCode::new(Some(own), None));
        for (name, ..) in with_blanks {
            let expected = if name == class { Owner::Own } else { Owner::Library };
            assert_eq!(found.owner(name), expected, "{name} of {own}");
        }
    }
    // Places of another machine say nothing.
    assert_eq!(own_of(&with("/elsewhere/classes")), ["demo.Main"]);
}
