//! axe-core finds no obstacle in any view for people who use a keyboard or a screen reader.

use std::fs;
use std::process::Command;

use serde_json::Value;
use support::{is_there, target};

use crate::browser::Page;
use crate::profiles::{Report, copies, costs, fleet, loops, small, two};
use crate::views::VIEWS;

const VERSION: &str = "4.10.2";

/// The violations of a page: rule, impact, and the first element.
const VIOLATIONS: &str = "axe.run(document, { resultTypes: ['violations'] }).then((found) =>
  found.violations.map((v) => [v.impact, v.id, v.nodes[0].html.slice(0, 200)]))";

/// The script, from npm's registry once.
fn script() -> Option<String> {
    let folder = target().join("axe-core");
    let script = folder.join("package/axe.min.js");
    if !script.exists() {
        if !is_there("npm") {
            println!("left out: npm, which fetches axe-core, is not installed");
            return None;
        }
        fs::create_dir_all(&folder).expect("the build's folder can be written");
        let package = format!("axe-core@{VERSION}");
        let line = format!("npm pack --silent {package} && tar -xzf axe-core-{VERSION}.tgz");
        let fetched = Command::new("sh").args(["-c", &line]).current_dir(&folder).output();
        let fetched = fetched.expect("sh can be started");
        assert!(fetched.status.success(), "{}", String::from_utf8_lossy(&fetched.stderr));
    }
    Some(fs::read_to_string(script).expect("it was fetched"))
}

/// A report in a tab that has run the script.
fn with_axe(report: &Report, axe: &str) -> Page {
    let page = Page::open(&report.page);
    page.value(&format!("(() => {{ {axe}; return 0 }})()"));
    page
}

/// What is serious in the page as it is shown.
fn serious(page: &Page) -> Vec<Value> {
    let found = page.value(VIOLATIONS);
    let found = found.as_array().expect("a list of violations").iter();
    let is_serious = |one: &&Value| one[0] == "serious" || one[0] == "critical";
    found.filter(is_serious).cloned().collect()
}

#[test]
fn nothing_serious_in_any_view() {
    let Some(axe) = script() else { return };
    let reports: [&Report; 5] = [copies(), costs(), loops(), small(), two()];
    let mut all = Vec::new();
    for report in reports {
        let page = with_axe(report, &axe);
        for (scheme, width) in [("light", 1280), ("dark", 390)] {
            page.media("screen", scheme);
            page.size(width, 800);
            for view in VIEWS {
                page.go(&format!("#/{view}"));
                let shown = "document.getElementById('view').dataset.view";
                page.wait_for(&format!("{shown} === '{view}'"));
                page.settle();
                let found = serious(&page).into_iter();
                all.extend(found.map(|one| format!("{view}, {scheme}, {width}: {one}")));
            }
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn nothing_serious_in_a_fleet() {
    let Some(axe) = script() else { return };
    let page = with_axe(fleet(), &axe);
    assert_eq!(serious(&page), Vec::<Value>::new());
}

/// The check itself finds what is wrong.
#[test]
fn an_obstacle_is_found() {
    let Some(axe) = script() else { return };
    let page = with_axe(small(), &axe);
    page.value("document.body.append(Object.assign(new Image(), { src: 'data:,' })), 0");
    let found = serious(&page);
    assert!(found.iter().any(|one| one[1] == "image-alt"), "{found:?}");
}
