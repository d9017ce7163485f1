//! Pictures of cost over structure.

use std::env;
use std::path::Path;

use serde_json::json;

use crate::browser::Page;
use crate::profiles::{LARGE, Report, calls, copies, hostile, large, results, same, small, two};

/// The picture, as the page keeps it at its frame.
const PICTURE: &str = "document.querySelector('.frame.blueprint')?.blueprint";

fn open(report: &Report, kind: &str) -> Page {
    let page = Page::open_at(&report.page, &format!("#/blueprint?kind={kind}"));
    page.settle();
    page.wait_for(&format!("{PICTURE}?.kind === '{kind}'"));
    page
}

/// Words of which a part is hidden, and pairs of words or boxes over each other.
const FLAWS: &str = "
(() => {
  const svg = document.querySelector('.frame.blueprint svg');
  const whole = svg.viewBox.baseVal;
  const boxOf = (part) => { const { x, y, width, height } = part.getBBox(); return { x, y, width, height, part }; };
  const texts = [...svg.querySelectorAll('text')].filter((text) => text.textContent).map(boxOf);
  const boxes = [...svg.querySelectorAll('rect.bar, rect.node')].map(boxOf);
  const flaws = texts.filter(({ x, width }) => x < whole.x - 0.5 || x + width > whole.x + whole.width + 0.5)
    .map(({ part }) => `cut: ${part.textContent}`);
  const over = (a, b) => a.x < b.x + b.width - 0.1 && b.x < a.x + a.width - 0.1 && a.y < b.y + b.height - 0.1 && b.y < a.y + a.height - 0.1;
  for (const all of [texts, boxes])
    all.forEach((a, at) => all.slice(at + 1).forEach((b) => {
      if (over(a, b)) flaws.push(`over: ${a.part.outerHTML} and ${b.part.outerHTML}`);
    }));
  return flaws;
})()";

#[test]
fn nothing_overlaps_and_no_word_is_cut() {
    let folder = env::var_os("SUBSUME_SCREENSHOTS");
    let scope = "&scope=org.p7.large";
    for (name, report, kinds) in [
        ("small", small(), &["scatter", "structural", "behavioural"][..]),
        ("copies", copies(), &["scatter", "structural", "structural&by=own", "behavioural"]),
        ("large", large(), &["scatter", "structural", "structural", "behavioural"]),
        ("two", two(), &["evolution"]),
        ("hostile", hostile(), &["structural", "behavioural"]),
    ] {
        let page = Page::open(&report.page);
        for (at, kind) in kinds.iter().enumerate() {
            let scope = if name == "large" && at == 2 { scope } else { "" };
            page.go(&format!("#/blueprint?kind={kind}{scope}"));
            for width in [1024, 1280, 1920] {
                page.size(width, 900);
                page.settle();
                let flaws = page.value(FLAWS);
                assert_eq!(flaws, json!([]), "{name}, {kind} at {width}");
                let over = page.number("document.documentElement.scrollWidth - innerWidth");
                assert!(over <= 0.0, "{name}, {kind}: {over} pixels too wide for {width}");
            }
            if let Some(folder) = &folder {
                page.screenshot(&Path::new(folder).join(format!("blueprint-{name}-{at}.png")));
            }
        }
    }
}

/// Each picture of 15,000 methods, with the time that it takes: below 200 ms on a
/// desktop. How long depends on the machine, so this only tells it; `SUBSUME_REPORT`
/// names another report.
#[test]
fn many_methods() {
    let given = env::var_os("SUBSUME_REPORT");
    let path = given.as_ref().map_or(large().page.as_path(), Path::new);
    let page = Page::open_at(path, "#/blueprint?kind=scatter");
    page.settle();
    let dots = "[...document.querySelectorAll('path.dots')].map(path => path.getAttribute('d').split('M').length - 1).reduce((a, b) => a + b, 0)";
    let methods = page.number(dots);
    assert!(given.is_some() || methods == LARGE as f64, "{methods}");
    let scope = "#/blueprint?kind=structural&scope=org.p7.large";
    for address in ["#/blueprint?kind=structural", scope, "#/blueprint?kind=behavioural"] {
        page.go(address);
        page.settle();
    }
    let bars = page.number("document.querySelectorAll('rect.node').length");
    assert!((2.0..=60.0).contains(&bars), "{bars} nodes");
    let times = page.value(
        "performance.getEntriesByType('measure').map(({ name, duration }) => `${name}: ${duration.toFixed(1)} ms`)",
    );
    println!("{methods} methods: {times}");
}

/// Heights are costs, linear, and methods stand in the order of them; a package is all
/// there is to the scope of its name.
#[test]
fn classes_are_skylines() {
    let page = open(small(), "structural");
    let groups = page.value(&format!(
        "{PICTURE}.layout.groups.map(({{ label, shown }}) => [label, ...shown.map(({{ cost }}) => cost)])"
    ));
    // `a` costs 50 with `format`, `b` 30, and `c` 20.
    assert_eq!(groups, json!([["Main", 110], ["Work", 20, 30, 50], ["Text", 40]]));
    let heights = page.value(&format!("{PICTURE}.layout.bars.map(({{ height }}) => height)"));
    assert_eq!(heights[0], 140.0);
    let ratio = |at: usize| heights[at].as_f64().expect("a height") / 140.0 * 110.0;
    assert!((ratio(1) - 20.0).abs() < 1e-9 && (ratio(3) - 50.0).abs() < 1e-9, "{heights}");
    // Beside them stands what heights are.
    let axis = page.value(
        "[...document.querySelectorAll('svg.blueprint text.axis')].map(text => text.textContent)",
    );
    assert_eq!(axis, json!(["0", "110", "weight"]));
    page.click("[data-by=own]");
    page.wait_for("location.hash.includes('by=own')");
    page.settle();
    let own = page.value(&format!("{PICTURE}.layout.groups.map(({{ label }}) => label)"));
    assert_eq!(own, json!(["Work", "Text", "Main"]), "60, 40 and 10");
    page.click("rect.bar");
    page.wait_for("location.hash.includes('method=')");

    let page = open(large(), "structural");
    let packages = page.number(&format!("{PICTURE}.layout.groups.length"));
    assert_eq!(packages, 30.0);
    page.click("svg.blueprint a text.group");
    page.wait_for("location.hash.includes('scope=')");
    page.settle();
    let within = page.value(&format!(
        "(() => {{ const {{ groups, folded }} = {PICTURE}.layout; \
         return groups.reduce((sum, g) => sum + g.bars.length, 0) + folded.groups * 25; }})()"
    ));
    assert_eq!(within, 500.0, "methods of a package of 20 classes");
}

/// Colours say what methods return, where that was recorded, shades on how many objects
/// they were called, and classes tell what they extend.
#[test]
fn colours_of_results() {
    let page = open(results(), "structural");
    let bars = page.value(
        "[...document.querySelectorAll('svg.blueprint a')].map(a => \
         [a.getAttribute('aria-label'), a.querySelector('rect').getAttribute('class'), \
          a.querySelector('rect').getAttribute('fill-opacity')])",
    );
    let expected = json!([
        ["app.Main.main", "bar result-unknown", null],
        ["app.Work.c", "bar result-null", "0.36"],
        ["app.Work.b", "bar result-void", "0.63"],
        ["app.Work.a", "bar result-input", "1"],
        ["lib.Text.format", "bar result-varies", null],
    ]);
    assert_eq!(bars, expected);
    let legend = page.text("document.querySelector('.side .legend').innerText");
    assert!(legend.contains("one per input") && legend.contains("never returned"), "{legend}");
    page.click("svg.blueprint a[aria-label='app.Work.c'] rect");
    page.wait_for("location.hash.includes('method=')");
    page.settle();
    let card = page.text("document.querySelector('.side').innerText");
    assert!(card.contains("always null") && card.contains("app.Main"), "{card}");
    assert!(card.contains("8 ±4"), "{card}");
    let page = open(results(), "scatter");
    let dots = page.value(
        "[...document.querySelectorAll('svg.blueprint path.dots')].map(p => p.getAttribute('class'))",
    );
    let all = ["input", "null", "unknown", "varies", "void"];
    let mut dots: Vec<String> = serde_json::from_value(dots).expect("classes");
    dots.sort();
    assert_eq!(dots, all.map(|kind| format!("dots result-{kind}")));
}

/// A recording of calls alone has superclasses, and the picture of classes leads to them.
#[test]
fn superclasses_of_a_recording() {
    let page = open(calls(), "structural");
    let lights = |method: &str| {
        page.value(&format!(
            "document.querySelector(\"svg.blueprint a[aria-label='{method}']\").dispatchEvent(new PointerEvent('pointerenter'))"
        ));
        let lit = |kind: &str| {
            page.value(&format!(
                "[...document.querySelectorAll('svg.blueprint .{kind}')].map(text => text.textContent)"
            ))
        };
        (lit("super"), lit("sub"))
    };
    let (above, below) = lights("ReadsBills$FromFile.load");
    assert!(above.as_array().is_some_and(|all| all.contains(&json!("ReadsBills"))), "{above}");
    assert_eq!(below, json!([]));
    let (_, below) = lights("ReadsBills.main");
    assert_eq!(below, json!(["ReadsBills$FromFile"]));
    let told = page.text("document.querySelector('.side').innerText");
    assert!(told.contains("ReadsBills"), "{told}");
}

/// Each method stands once, below its costliest caller, and a click goes on.
#[test]
fn calls_of_a_method() {
    let page = open(small(), "behavioural");
    let names =
        page.value("[...document.querySelectorAll('svg.blueprint a')].map(a => a.textContent)");
    // `format` costs 20 below `a` and below `b`; `a` is met first. What calls nothing
    // more is drawn first.
    assert_eq!(names, json!(["Main.main", "Work.b", "Work.c", "Work.a", "Text.format"]));
    page.click("svg.blueprint a[data-of='1'] rect");
    page.wait_for("location.hash.includes('method=1')");
    page.settle();
    let names =
        page.value("[...document.querySelectorAll('svg.blueprint a')].map(a => a.textContent)");
    assert_eq!(names, json!(["Work.a", "Text.format"]));
    assert!(page.text("document.querySelector('.callers-of').innerText").contains("Main.main"));
    page.value("void history.back()");
    page.wait_for("!location.hash.includes('method=')");
}

/// What a run of the other code costs: gone and new code in the places that the run
/// before gives them, nothing moved.
#[test]
fn evolution_of_two_programs() {
    let page = Page::open(&two().page);
    page.click("#view a[href*=evolution]");
    page.wait_for(&format!("{PICTURE}?.kind === 'evolution'"));
    let told = page.value(
        "[...document.querySelectorAll('svg.blueprint a')].map(a => [a.textContent, a.dataset.way, a.dataset.state])",
    );
    let expected = json!([
        ["+ Main.main", "more", "same"],
        ["Work.b", "same", "same"],
        ["− Work.c", "gone", "no longer called"],
        ["+ Work.d", "more", "newly called"],
        ["+ Work.a", "more", "same"],
        ["+ Text.format", "more", "same"],
    ]);
    assert_eq!(told, expected);
    page.click("svg.blueprint a[data-way=gone] text");
    page.wait_for("document.querySelector('.side h2')?.innerText === 'app.Work.c'");
    assert!(page.address().contains("method="), "{}", page.address());
}

/// Two runs of one program: everything is white.
#[test]
fn evolution_of_one_program() {
    let page = open(same(), "evolution");
    let ways = page.value(
        "[...new Set([...document.querySelectorAll('svg.blueprint a')].map(a => a.dataset.way))]",
    );
    assert_eq!(ways, json!(["same"]));
    assert!(page.text("document.querySelector('.same').innerText").contains("No difference"));
}

/// What stands between two texts, each time that they occur.
fn between<'a>(text: &'a str, from: &str, to: &str) -> Vec<&'a str> {
    text.split(from).skip(1).filter_map(|rest| Some(rest.split_once(to)?.0)).collect()
}

/// The command draws what the page draws: boxes, dots and names in the same places.
#[test]
fn the_command_draws_the_same() {
    let before = two().profile.with_file_name("before.subsume");
    let before = before.to_str().expect("a path is text");
    let cases: [(&str, &Report, &[&str]); 9] = [
        ("structural", results(), &[]),
        ("scatter", small(), &[]),
        ("scatter", copies(), &[]),
        ("structural", small(), &[]),
        ("structural", copies(), &[]),
        ("structural", large(), &[]),
        ("behavioural", copies(), &[]),
        ("behavioural", large(), &[]),
        ("evolution", two(), &["--against", before]),
    ];
    for (kind, report, options) in cases {
        let page = open(report, kind);
        // So that the plot of a scatter is 600 pixels high.
        page.size(1280, 840);
        page.value("void dispatchEvent(new Event('themechange'))");
        page.settle();
        let width = page.number(&format!("{PICTURE}.layout.width")).to_string();
        let mut words = vec!["blueprint", "--kind", kind, "--width", &width, "--svg", "-"];
        words.extend(options);
        words.extend(report.profile.to_str());
        let svg = support::subsume(&words);
        let drawing = svg.split_once("<g ").and_then(|(_, rest)| rest.split_once("</g>"));
        let drawing = drawing.expect("there is a drawing").0;
        let names: Vec<&str> = between(drawing, "<text ", "</text>");
        let names = names.iter().filter_map(|name| Some(name.split_once('>')?.1.to_owned()));
        let names: std::collections::BTreeSet<String> =
            names.map(|name| name.replace("&lt;", "<").replace("&gt;", ">")).collect();
        let told = page.value("[...new Set([...document.querySelectorAll('.frame svg text')].map(text => text.textContent))]");
        let told: std::collections::BTreeSet<String> =
            serde_json::from_value(told).expect("names are text");
        assert_eq!(names, told, "{kind} of {:?}", report.profile);
        let numbers = |text: &str| -> Vec<f64> {
            text.split(['"', ' ', 'M', 'h']).filter_map(|part| part.parse().ok()).collect()
        };
        let (places, told) = if kind == "scatter" {
            let paths = between(drawing, "<path d=\"", "\" fill=\"none\" stroke-width=\"6\"");
            let last = |path: &str| path.rsplit("d=\"").next().unwrap_or_default().to_owned();
            let dots = paths.iter().map(|path| numbers(&last(path))).collect::<Vec<_>>();
            (
                dots,
                "[...document.querySelectorAll('path.dots')].map(path => path.getAttribute('d').split(/[Mh ]/).filter(Boolean).map(Number))",
            )
        } else {
            let boxes = between(drawing, "<rect ", "<title>").into_iter();
            let boxes = boxes.map(|text| text.rsplit("<rect ").next().unwrap_or_default());
            let four = |text: &str| numbers(text).into_iter().take(4).collect::<Vec<f64>>();
            (
                boxes.map(four).collect(),
                "[...document.querySelectorAll('rect.bar, rect.node')].filter(rect => rect.closest('.frame')).map(rect => ['x', 'y', 'width', 'height'].map(name => Number(rect.getAttribute(name))))",
            )
        };
        let told: Vec<Vec<f64>> = serde_json::from_value(page.value(told)).expect("places");
        assert_eq!(places.len(), told.len(), "{kind} of {:?}", report.profile);
        assert!(!places.is_empty());
        for (place, told) in places.iter().zip(told) {
            assert_eq!(place.len(), told.len(), "{kind}");
            for (one, other) in place.iter().zip(told) {
                assert!((one - other).abs() < 0.011, "{kind}: {one} and {other}");
            }
        }
    }
}

/// A method's page leads to its blueprints, and so does what is selected.
#[test]
fn ways_to_blueprints() {
    let page = Page::open_at(&small().page, "#/method?method=2");
    for (kind, chosen) in [("structural", "rect.bar.chosen"), ("scatter", "circle.chosen")] {
        page.go("#/method?method=2");
        page.click(&format!(".subject [data-to={kind}]"));
        page.wait_for(&format!("location.hash.includes('kind={kind}')"));
        page.settle();
        assert_eq!(page.number(&format!("document.querySelectorAll('{chosen}').length")), 1.0);
    }
    page.go("#/flame?method=2");
    page.click(".selection [data-to=blueprint]");
    page.wait_for(&format!("{PICTURE}?.kind === 'behavioural'"));
    let first = page.text("document.querySelector('svg.blueprint a').textContent");
    assert_eq!(first, "Text.format");
}
