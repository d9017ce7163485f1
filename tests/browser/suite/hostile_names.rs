//! Names are text wherever they appear, whatever they look like.

use crate::browser::Page;
use crate::profiles::{HOSTILE, hostile};
use crate::views::VIEWS;

#[test]
fn names_are_text() {
    let page = Page::open_at(&hostile().page, "#/methods?all=1");
    let keys = page.value(
        "[...document.querySelectorAll('tr[data-key]')].map(tr => tr.querySelector('a.method')?.title)",
    );
    let shown = keys.to_string();
    for name in HOSTILE {
        let as_json = serde_json::to_string(name).expect("text is JSON");
        assert!(shown.contains(as_json.trim_matches('"')), "{name} is not in {shown}");
    }
    for view in VIEWS {
        for method in 0..=HOSTILE.len() {
            page.go(&format!("#/{view}?method={method}&all=1"));
        }
        page.settle();
        let made = "document.querySelectorAll('img, iframe, object, #report script').length";
        assert_eq!(page.number(made), 0.0, "{view}");
        assert!(!page.text("document.title").contains("taken"), "{view}");
    }
    // The search box and the tooltip are fed with names as well.
    page.go("#/flame");
    page.settle();
    page.key("/");
    page.write("script");
    page.wait_for("!document.getElementById('offers').hidden");
    assert!(page.text("document.getElementById('offers').innerText").contains(HOSTILE[0]));
    page.key("Escape");
    let scripts = page.number("document.scripts.length");
    assert_eq!(scripts, 2.0, "the data and the program");
    assert!(!page.text("document.title").contains("taken"));
}
