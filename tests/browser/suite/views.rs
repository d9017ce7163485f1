//! Every view shows what the profile has, or says how to record it, and the
//! browser complains about nothing.

use serde_json::json;
use support::subsume;

use crate::browser::Page;
use crate::profiles::{
    Report, copies, costs, growth, loops, nulls, results, small, two, typestate,
};

/// Views, by their names in addresses.
pub const VIEWS: [&str; 24] = [
    "overview",
    "methods",
    "ring",
    "flame",
    "tree",
    "inverted",
    "blueprint",
    "method",
    "source",
    "diff",
    "sides",
    "copies",
    "chains",
    "clones",
    "temporaries",
    "useless",
    "costs",
    "dead",
    "nulls",
    "loops",
    "growth",
    "repeats",
    "typestate",
    "more",
];

/// Goes through all views, where it can by the navigation, and gives what each one says.
fn visited(report: &Report) -> Vec<(&'static str, String)> {
    let page = Page::open(&report.page);
    let shown =
        page.value("[...document.querySelectorAll('nav.views a')].map(a => a.dataset.view)");
    let shown: Vec<String> = serde_json::from_value(shown).expect("entries have views");
    assert!(shown.iter().all(|view| VIEWS.contains(&view.as_str())), "{shown:?}");
    VIEWS
        .iter()
        .map(|&view| {
            if shown.iter().any(|name| name == view) {
                page.click(&format!("nav.views a[data-view={view}]"));
            } else {
                // What has nothing to show is not offered, but says what it would.
                page.go(&format!("#/{view}"));
            }
            page.wait_for(&format!("document.getElementById('view').dataset.view === '{view}'"));
            page.settle();
            assert_eq!(page.complaints(), Vec::<String>::new(), "{view}");
            (view, page.text("document.getElementById('view').innerText"))
        })
        .collect()
}

/// What one view says.
fn said<'a>(visited: &'a [(&str, String)], view: &str) -> &'a str {
    let (_, text) = visited.iter().find(|(name, _)| *name == view).expect("the view was visited");
    text
}

#[test]
fn views_of_copies() {
    let report = copies();
    let visited = visited(report);
    let info = report.says(&["info"]);
    let total = info["totals"]
        .as_array()
        .and_then(|totals| totals.iter().find(|total| total["metric"] == "bytecodes"))
        .and_then(|total| total["total"].as_u64())
        .expect("the profile counts bytecodes");
    assert!(said(&visited, "overview").contains(&grouped(total)), "{visited:?}");
    for (view, command, list) in [
        ("copies", "copies", "methods"),
        ("chains", "chains", "chains"),
        ("clones", "clones", "clones"),
        ("temporaries", "temporaries", "sites"),
        ("useless", "useless", "owners"),
    ] {
        let text = said(&visited, view);
        let entries = report.says(&[command, "--top", "0"])[list].as_array().map_or(0, Vec::len);
        assert!(entries > 0, "the program is too small for {view}");
        assert!(!text.contains("subsume run"), "{view} has something to show: {text}");
        assert!(text.contains("Contexts: 4 slots") || view == "copies", "{view}: {text}");
    }
    for view in ["costs", "dead"] {
        assert!(said(&visited, view).contains("subsume run --mode costs"), "{view}");
    }
    let more = said(&visited, "more");
    assert!(more.contains("subsume run --mode nulls"), "{more}");
    assert!(!more.contains("subsume run --mode copies"), "{more}");
    assert!(said(&visited, "source").contains("SortsOrders.java"));
    assert!(said(&visited, "diff").contains("subsume report before.subsume after.subsume"));
}

#[test]
fn views_of_costs() {
    let report = costs();
    let visited = visited(report);
    let best = &report.says(&["costs", "--top", "0"])["structures"][0];
    let objects = grouped(best["objects"].as_u64().expect("objects are counted"));
    assert!(said(&visited, "costs").contains(&objects), "{objects}: {}", said(&visited, "costs"));
    let dead = &report.says(&["dead", "--top", "0"]);
    let instances = grouped(dead["instances"].as_u64().expect("instances are counted"));
    assert!(said(&visited, "dead").contains(&instances), "{}", said(&visited, "dead"));
    assert!(said(&visited, "copies").contains("subsume run --mode copies"));
}

#[test]
fn views_of_nulls() {
    let visited = visited(nulls());
    let shown = said(&visited, "nulls");
    assert!(shown.contains("3 NullPointerExceptions, 0 of them not caught"), "{shown}");
    assert!(shown.contains("3 nulls may have come this way"), "{shown}");
    assert!(shown.contains("MissesPrices.priceOf"), "the null is born there: {shown}");
    assert!(!said(&visited, "more").contains("subsume run --mode nulls"));
}

#[test]
fn views_of_loops() {
    let visited = visited(loops());
    let shown = said(&visited, "loops");
    assert!(shown.contains("SearchesOrders.open"), "{shown}");
    assert!(shown.contains("redundant"), "{shown}");
    assert!(shown.contains("look them up in a set or map instead"), "{shown}");
    assert!(shown.contains("cancelled.contains(order)"), "the source of the loop: {shown}");
    assert!(!said(&visited, "more").contains("subsume run --mode loops"));
}

#[test]
fn views_of_growth() {
    let visited = visited(growth());
    let shown = said(&visited, "growth");
    assert!(shown.contains("ListsOrders.once") && shown.contains("quadratic"), "{shown}");
    assert!(shown.contains("isFirst(orders, i)"), "the source of the loop: {shown}");
    assert!(shown.contains("Loops that go on without effect"), "{shown}");
    assert!(!said(&visited, "more").contains("subsume run --mode growth"));
    let page = Page::open(&growth().page);
    page.click("nav.views a[data-view=growth]");
    page.wait_for("document.querySelectorAll('svg.growth circle').length >= 5");
    let axis = page.text("document.querySelector('svg.growth').textContent");
    assert!(axis.contains("400") && axis.contains("quadratic"), "{axis}");
}

#[test]
fn views_of_results() {
    let visited = visited(results());
    let shown = said(&visited, "repeats");
    assert!(shown.contains("app.Work.a") || shown.contains("Work.a"), "{shown}");
    assert!(shown.contains("One entry would do") && shown.contains("one per input"), "{shown}");
    assert!(shown.contains("Work.c") && shown.contains("always null"), "{shown}");
    let first = said(&visited, "overview");
    assert!(first.contains("Results repeated") && first.contains("Work.a"), "{first}");
    assert!(first.contains("90.00% of 30 calls") || first.contains("90% of 30 calls"), "{first}");
    assert!(!said(&visited, "more").contains("subsume run --mode results"));
}

#[test]
fn views_of_typestate() {
    let visited = visited(typestate());
    let shown = said(&visited, "typestate");
    let objects = typestate().says(&["typestate"])["objects"].as_u64().expect("they are counted");
    let figures = format!("2 of {objects} objects broke a protocol, 4 never brought to an end");
    assert!(shown.contains(&figures), "{shown}");
    assert!(!said(&visited, "more").contains("subsume run --mode typestate"));
    let first = said(&visited, "overview");
    assert!(first.contains("Protocols broken") && first.contains("broke the protocol"), "{first}");

    let page = Page::open_at(&typestate().page, "#/typestate");
    page.settle();
    let rows = page.value(
        "[...document.querySelectorAll('#view tbody tr.foldable')].map(tr => [...tr.cells].map(td => td.innerText))",
    );
    let expected = json!([
        ["2", "0", "2", "file", "FileInputStream", "ReadsBills$FromFile.load:32"],
        ["0", "4", "4", "file", "FileInputStream", "ReadsBills$FromFile.isEmpty:44"],
    ]);
    assert_eq!(rows, expected);
    let history = page.value(
        "[...document.querySelectorAll('table.history tbody tr')].map(tr => [...tr.cells].map(td => td.innerText))",
    );
    let expected = json!([
        ["open", "read", "ReadsBills.parse:17", "40,002", "open"],
        ["open", "close", "ReadsBills$FromFile.load:34", "2", "closed"],
        ["closed", "read", "ReadsBills.parse:17", "2", "error"],
    ]);
    assert_eq!(history, expected);
    page.click("table.history tbody tr:last-child a.method");
    page.wait_for("document.getElementById('view').dataset.view === 'method'");
    page.value("void history.back()");
    page.wait_for("document.getElementById('view').dataset.view === 'typestate'");
    page.settle();
    page.click("#view tbody tr.foldable:last-of-type");
    page.wait_for("document.querySelector('tr.unfolded')?.innerText.includes('isEmpty')");
    let left = page.text("document.querySelector('tr.unfolded').innerText");
    assert!(left.contains("4 objects left in state open, last event read at"), "{left}");
}

/// The first screen says what `subsume summary` says, in sentences that lead on.
#[test]
fn first_screen_says_what_the_summary_says() {
    let report = copies();
    let page = Page::open(&report.page);
    let summary = report.says(&["summary", "--with-start", "--top", "8"]);
    for (list, section) in
        [("patterns", "patterns"), ("places", "single"), ("suspicious_calls", "suspicious")]
    {
        let expected = summary[list].as_array().expect("the summary has the list");
        let sentences = page.value(&format!(
            "[...document.querySelectorAll('.{section} li')].map(row => row.innerText)"
        ));
        let sentences: Vec<String> = serde_json::from_value(sentences).expect("text");
        assert_eq!(sentences.len(), expected.len(), "{section}: {sentences:?}");
        for (sentence, entry) in sentences.iter().zip(expected) {
            let method = match list {
                "patterns" => entry,
                "places" => entry["path"].as_array().and_then(|p| p.last()).expect("a path"),
                _ => &entry["callee"],
            };
            let name = method["name"].as_str().expect("methods have names");
            assert!(sentence.contains(name), "{name} in {sentence}");
        }
    }
    assert!(summary["patterns"].as_array().is_some_and(|patterns| !patterns.is_empty()));
    page.click(".patterns li a.method");
    page.wait_for("document.getElementById('view').dataset.view === 'method'");
}

/// The page of a folder of recordings begins with what `subsume diagnose` finds in it.
#[test]
fn a_folder_begins_with_its_findings() {
    let report = results();
    let folder = report.page.parent().expect("the page lies in a folder").join("found");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    // Costs that are worth a cache.
    let mut profile = profile::read_file(&report.profile).expect("it was recorded");
    profile.nodes.metrics[0].values.iter_mut().for_each(|value| *value *= 100);
    for one in profile.dataflow.results.iter_mut().flat_map(|results| &mut results.methods) {
        (one.cost, one.saving) = (100 * one.cost, 100 * one.saving);
    }
    let out = std::fs::File::create(folder.join("results.subsume")).expect("it can be written");
    profile::write(&profile, out).expect("it can be written");
    let page = folder.join("report.html");
    subsume(&["report".as_ref(), folder.as_os_str(), "-o".as_ref(), page.as_os_str()]);
    let page = Page::open(&page);
    let found = page.text("document.querySelector('.diagnosis').innerText");
    assert!(found.starts_with("Findings"), "{found}");
    assert!(found.contains("same result again") && found.contains("Work.a"), "{found}");
    assert!(found.contains("subsume repeats "), "{found}");
    page.click(".diagnosis li a.method");
    page.wait_for("document.getElementById('view').dataset.view === 'method'");
    // Of one recording alone nothing is found.
    let alone = Page::open(&report.page);
    assert_eq!(alone.text("String(document.querySelector('.diagnosis'))"), "null");
}

/// What happens once is out of the page as it is out of the summary, and it says so.
#[test]
fn a_page_leaves_the_start_out() {
    let report = copies();
    let folder = report.page.parent().expect("the page lies in a folder");
    let file = folder.join("without-start.html");
    let arguments =
        ["report".as_ref(), report.profile.as_os_str(), "-o".as_ref(), file.as_os_str()];
    subsume::<&std::ffi::OsStr>(&arguments);
    let summary = report.says(&["summary"]);
    assert_eq!(summary["start_up"]["is_left_out"], true, "{summary}");
    let page = Page::open(&file);
    let total = summary["total"].as_u64().expect("a number");
    let heading = page.text("document.querySelector('.whole h1').innerText");
    let digits: String = heading.chars().filter(char::is_ascii_digit).collect();
    assert!(digits.starts_with(&total.to_string()), "{total}: {heading}");
    let remarks =
        page.text("[...document.querySelectorAll('.remark')].map(p => p.innerText).join()");
    assert!(remarks.contains("left out; --with-start shows them"), "{remarks}");
}

/// Calls that are active when a program ends as it should are nothing to worry
/// about.
#[test]
fn a_normal_end_is_no_loss() {
    let report = copies();
    let info = report.says(&["info"]);
    assert!(info["files"][0]["active_at_end"].as_u64() > Some(0), "{info}");
    let page = Page::open(&report.page);
    let active = "[...document.querySelectorAll('p.remark')].map(p => p.innerText).join()";
    assert!(page.text(active).contains("active at the end"));
    assert_eq!(page.number("document.querySelectorAll('.notes').length"), 0.0);
}

#[test]
fn views_of_an_import() {
    let visited = visited(small());
    assert!(said(&visited, "overview").contains("110"));
    assert!(said(&visited, "overview").contains("Not applicable: the profile is imported."));
    assert!(said(&visited, "source").contains("subsume report --sources"));
    for view in VIEWS.iter().skip_while(|&&view| view != "copies") {
        assert!(said(&visited, view).contains("subsume run --mode"), "{view}");
    }
}

/// What the navigation does not list, one entry tells of.
#[test]
fn only_what_there_is_is_listed() {
    let page = Page::open(&small().page);
    let listed = page.value("[...document.querySelectorAll('nav.views a')].map(a => a.innerText)");
    assert!(listed.as_array().is_some_and(|entries| entries.len() <= 9), "{listed}");
    page.click("nav.views a[data-view=more]");
    page.wait_for("document.getElementById('view').dataset.view === 'more'");
    let more = page.text("document.getElementById('view').innerText");
    for what in [
        "--mode copies",
        "--mode costs",
        "--mode nulls",
        "--mode loops",
        "--mode growth",
        "--mode results",
        "--mode typestate",
        "--sources",
        "before.subsume",
    ] {
        assert!(more.contains(what), "{what}: {more}");
    }
}

#[test]
fn views_of_two_profiles() {
    let visited = visited(two());
    let difference = said(&visited, "diff");
    assert!(difference.contains("lib.Text.format") || difference.contains("Text.format"));
}

/// A number with its thousands apart, as the report writes it.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
