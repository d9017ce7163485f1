//! The tree to open and close: its lines, its keys, and how many lines there are at once.

use std::time::Instant;

use serde_json::json;

use crate::browser::Page;
use crate::profiles::{deep, large, small, three, two, wide};

const LINES: &str = "[...document.querySelectorAll('.treegrid .rows .line')].map(line => \
     [Number(line.ariaLevel), line.querySelector('.called')?.firstChild.textContent ?? line.innerText.trim()])";

const CURRENT: &str = "document.getElementById(document.querySelector('.treegrid').getAttribute('aria-activedescendant'))";

fn current(page: &Page) -> String {
    page.text(&format!("{CURRENT}.querySelector('.called').firstChild.textContent"))
}

#[test]
fn keys_open_close_and_walk() {
    let page = Page::open_at(&small().page, "#/tree");
    page.settle();
    let expected = json!([[1, "Main.main"], [2, "Work.a"], [2, "Work.b"], [2, "Work.c"]]);
    assert_eq!(page.value(LINES), expected, "one callee with most of it is open");
    page.key("ArrowDown");
    page.wait_for("document.activeElement.role === 'treegrid'");
    assert_eq!(current(&page), "Main.main");
    page.key("ArrowRight");
    assert_eq!(current(&page), "Work.a", "→ goes into what is open");
    page.key("ArrowRight");
    assert_eq!(page.value(&format!("({LINES})[2]")), json!([3, "Text.format"]));
    assert_eq!(page.text(&format!("{CURRENT}.ariaExpanded")), "true");
    page.key("ArrowLeft");
    assert_eq!(page.value(LINES), expected, "← closes");
    page.key("ArrowLeft");
    assert_eq!(current(&page), "Main.main", "← goes to the caller");
    page.key("ArrowLeft");
    assert_eq!(page.value(LINES), json!([[1, "Main.main"]]));
    page.key("ArrowRight");
    page.key("ArrowDown");
    page.key("ArrowDown");
    page.key(" ");
    page.wait_for("location.hash.includes('method=')");
    assert_eq!(page.text("document.querySelector('.selection .name').innerText"), "app.Work.b");
    page.key("Enter");
    page.wait_for("document.getElementById('view').dataset.view === 'method'");
}

/// Figures are those of the contexts, and a click on a line selects its method.
#[test]
fn lines_have_figures() {
    let page = Page::open_at(&small().page, "#/tree");
    page.settle();
    let a = page.text(
        "document.querySelectorAll('.treegrid .rows .line')[1].innerText.replace(/\\s+/g, ' ')",
    );
    for figure in ["45.45%", "50", "27.27%"] {
        assert!(a.contains(figure), "{figure}: {a}");
    }
    page.click(".treegrid .rows .line:nth-child(2) .called");
    page.wait_for("location.hash.includes('method=')");
    assert_eq!(page.text("document.querySelector('.selection .name').innerText"), "app.Work.a");
    page.click(".treegrid .rows .line:nth-child(2) .twisty");
    page.wait_for("document.querySelectorAll('.treegrid .rows .line').length === 5");
    // From below: by their own cost, and their callers.
    page.click("[data-way=below]");
    page.wait_for("location.hash.includes('way=below')");
    page.settle();
    let first = page.value(&format!("({LINES})[0]"));
    assert_eq!(first, json!([1, "Text.format"]));
}

/// What is selected elsewhere is opened and in sight.
#[test]
fn a_selected_method_is_opened() {
    let page = Page::open_at(&deep().page, "#/tree");
    page.click("nav.views a[data-view=tree]");
    let method = page.number(
        "(async () => { location.hash = '#/methods?all=1'; await new Promise(done => setTimeout(done, 200)); \
         return Number(document.querySelector(\"tr[data-key='app.Tree.leaf'] a.method\").dataset.method); })()",
    );
    page.go(&format!("#/tree?method={method}"));
    page.settle();
    assert_eq!(current(&page), "Tree.leaf");
    assert_eq!(page.number("document.querySelectorAll('.treegrid .line.selected').length"), 1.0);
}

/// Only lines in sight are in the document, and of many siblings the first ones.
#[test]
fn many_lines_are_quick() {
    for (report, at_least) in [(wide(), 1.0), (large(), 0.0)] {
        let page = Page::open_at(&report.page, "#/tree");
        page.settle();
        let begun = Instant::now();
        page.key("ArrowDown");
        page.key("End");
        page.settle();
        let lines = page.number("document.querySelectorAll('.treegrid .rows .line').length");
        assert!(lines < 80.0, "{lines} lines");
        let more = page.number(
            "[...document.querySelectorAll('.treegrid .line.more')].filter(line => / more/.test(line.innerText)).length",
        );
        assert!(more >= at_least, "{more}");
        assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
    }
}

/// Of two profiles every view says which one it shows, the newer one first.
#[test]
fn two_profiles_say_which_one_is_shown() {
    let page = Page::open_at(&two().page, "#/flame");
    page.settle();
    let whose = "document.querySelector('.whose strong').innerText";
    assert_eq!(page.text(whose), "after: after.subsume");
    page.click("[data-show=before]");
    page.wait_for("location.hash.includes('profile=0')");
    assert_eq!(page.text(whose), "before: before.subsume");
    assert_eq!(
        page.text("document.getElementById('profile').selectedOptions[0].text"),
        "before: before.subsume"
    );
    for view in ["overview", "methods", "ring", "tree", "inverted", "blueprint", "method"] {
        page.go(&format!("#/{view}?profile=0"));
        assert_eq!(page.text(whose), "before: before.subsume", "{view}");
    }
    page.go("#/tree");
    page.click("[data-show=difference]");
    page.wait_for("document.getElementById('view').dataset.view === 'diff'");
    assert_eq!(page.text(whose), "before and after");
    page.settle();
    let line = page.text(
        "[...document.querySelectorAll('.treegrid .rows .line')].map(line => line.innerText.replace(/\\s+/g, ' ')).find(text => text.includes('Work.a'))",
    );
    assert!(line.contains("+30") && line.contains("50") && line.contains("80"), "{line}");
}

/// Several JVMs of one build are listed, each with its command line, and lead to their views.
#[test]
fn several_profiles_are_listed() {
    let page = Page::open(&three().page);
    let rows = page.value("[...document.querySelectorAll('.jvms tbody tr')].map(row => [row.cells[0].innerText, row.cells[1].innerText])");
    assert_eq!(
        rows,
        json!([["one.subsume", "110"], ["two.subsume", "125"], ["three.subsume", "110"]])
    );
    let brief = page.text("document.querySelector('.jvms td.command-line').innerText");
    assert_eq!(brief, "not known", "an import has none");
    page.click(".jvms tbody tr:nth-child(2) a");
    page.wait_for("location.hash.includes('profile=1')");
    assert_eq!(page.text("document.querySelector('.whose strong').innerText"), "two.subsume");
}
