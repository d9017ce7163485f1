//! Links between pages lead to files and headings that exist, and the book lists every page.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::pages;

/// The lines of a page outside of code.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_fenced = false;
    text.lines().enumerate().filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_fenced ^= is_fence;
        !is_fenced && !is_fence && !line.starts_with("    ")
    })
}

/// The anchors of a page's headings, as the sites that show Markdown make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let headings = prose(text).filter(|(_, line)| line.starts_with('#'));
    let anchors = headings.map(|(_, line)| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let times = seen.entry(anchor.clone()).or_default();
        *times += 1;
        if *times == 1 { anchor } else { format!("{anchor}-{}", *times - 1) }
    });
    anchors.collect()
}

/// Where the links and pictures of a line lead within the repository.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    const BEGINS: [(&str, char); 3] = [("](", ')'), ("src=\"", '"'), ("srcset=\"", '"')];
    let of = move |(begin, end): (&'static str, char)| {
        line.split(begin).skip(1).filter_map(move |rest| rest.split_once(end))
    };
    let targets = BEGINS.into_iter().flat_map(of).map(|(target, _)| target);
    targets.filter(|target| !target.contains("://"))
}

/// A path without `..` in it.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        if part.as_os_str() == ".." {
            plain.pop();
        } else {
            plain.push(part);
        }
    }
    plain
}

/// The links of pages that lead nowhere, each with its page and line.
fn broken(root: &Path, pages: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let known: BTreeMap<&Path, BTreeSet<String>> =
        pages.iter().map(|(path, text)| (&**path, anchors(text))).collect();
    let mut broken = Vec::new();
    for (page, text) in pages {
        for (number, line) in prose(text) {
            for target in targets(line) {
                let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
                let folder = page.parent().unwrap_or(Path::new(""));
                let path = if file.is_empty() { page.clone() } else { plain(&folder.join(file)) };
                let exists = known.contains_key(&*path) || root.join(&path).exists();
                let has_anchor = known.get(&*path).is_none_or(|known| known.contains(anchor));
                if !exists || !anchor.is_empty() && !has_anchor {
                    broken.push(format!("{}, line {}: {target}", page.display(), number + 1));
                }
            }
        }
    }
    broken
}

#[test]
fn no_link_is_broken() {
    let pages = pages::all();
    assert!(pages.len() > 60, "only {} pages were found", pages.len());
    let broken = broken(&pages::repository(), &pages);
    assert!(broken.is_empty(), "links lead nowhere:\n{}", broken.join("\n"));
}

/// What `docs/SUMMARY.md` lists is the book.
#[test]
fn the_book_has_every_page() {
    let pages = pages::all();
    let summary = &pages[Path::new("docs/SUMMARY.md")];
    let lines = summary.lines().flat_map(targets);
    let listed: Vec<PathBuf> = lines.map(|target| plain(&Path::new("docs").join(target))).collect();
    let once: BTreeSet<&PathBuf> = listed.iter().collect();
    assert_eq!(once.len(), listed.len(), "a page is listed twice");
    let left_out: Vec<&PathBuf> = pages
        .keys()
        .filter(|page| page.starts_with("docs") && !page.ends_with("SUMMARY.md"))
        .filter(|page| !once.contains(page))
        .collect();
    assert!(left_out.is_empty(), "docs/SUMMARY.md leaves out {left_out:?}");
}

#[test]
fn broken_links_are_found() {
    let page = "\
# A title, `code` and more

[good](#a-title-code-and-more) [file](Cargo.toml) [other](docs/SUMMARY.md#summary)
[bad](#a-title) [none](docs/none.md) [far](https://example.org/none.md)

    [code](docs/none.md)

```text
[fenced](docs/none.md)
```

# Twice
# Twice
[second](#twice-1) [third](#twice-2)
<img src=\"none.png\"> <source srcset=\"Cargo.lock\">
";
    let mut pages = pages::all();
    pages.retain(|path, _| path.ends_with("SUMMARY.md"));
    pages.insert("page.md".into(), page.into());
    let found = broken(&pages::repository(), &pages);
    let found: Vec<&str> = found.iter().filter_map(|line| line.strip_prefix("page.md, ")).collect();
    assert_eq!(
        found,
        ["line 4: #a-title", "line 4: docs/none.md", "line 14: #twice-2", "line 15: none.png"]
    );
}
