//! The files of the page, in the order that they are put together.

/// What everything else is put into.
pub const TEMPLATE: &str = include_str!("../view/index.html");

/// The style sheets.
pub const STYLES: &[&str] = &[
    include_str!("../view/colours.css"),
    include_str!("../view/page.css"),
    include_str!("../view/table.css"),
    include_str!("../view/picture.css"),
    include_str!("../view/tree.css"),
    include_str!("../view/panels.css"),
    include_str!("../view/blueprint.css"),
    include_str!("../view/print.css"),
];

/// The scripts. They share one scope, and the last one begins.
pub const SCRIPTS: &[&str] = &[
    include_str!("../view/dom.js"),
    include_str!("../view/numbers.js"),
    include_str!("../view/theme.js"),
    include_str!("../view/unpack.js"),
    include_str!("../view/place.js"),
    include_str!("../view/grid.js"),
    include_str!("../view/tree.js"),
    include_str!("../view/profile.js"),
    include_str!("../view/colours.js"),
    include_str!("../view/words.js"),
    include_str!("../view/links.js"),
    include_str!("../view/name_pattern.js"),
    include_str!("../view/tooltip.js"),
    include_str!("../view/drawer.js"),
    include_str!("../view/surface.js"),
    include_str!("../view/strata.js"),
    include_str!("../view/captions.js"),
    include_str!("../view/ring_geometry.js"),
    include_str!("../view/ring_captions.js"),
    include_str!("../view/ring.js"),
    include_str!("../view/strip.js"),
    include_str!("../view/flame.js"),
    include_str!("../view/table.js"),
    include_str!("../view/plain_table.js"),
    include_str!("../view/missing.js"),
    include_str!("../view/subsuming.js"),
    include_str!("../view/trail.js"),
    include_str!("../view/legend.js"),
    include_str!("../view/figures.js"),
    include_str!("../view/editor_links.js"),
    include_str!("../view/source_view.js"),
    include_str!("../view/methods_view.js"),
    include_str!("../view/around.js"),
    include_str!("../view/folded_tree.js"),
    include_str!("../view/folded_frames.js"),
    include_str!("../view/by_metric.js"),
    include_str!("../view/save_picture.js"),
    include_str!("../view/picture_view.js"),
    include_str!("../view/tree_rows.js"),
    include_str!("../view/tree_grid.js"),
    include_str!("../view/tree_view.js"),
    include_str!("../view/method_view.js"),
    include_str!("../view/jvms.js"),
    include_str!("../view/overview.js"),
    include_str!("../view/exactness.js"),
    include_str!("../view/for_whom.js"),
    include_str!("../view/dataflow_view.js"),
    include_str!("../view/copies_views.js"),
    include_str!("../view/costs_views.js"),
    include_str!("../view/loops_view.js"),
    include_str!("../view/growth_view.js"),
    include_str!("../view/repeats_view.js"),
    include_str!("../view/typestate_view.js"),
    include_str!("../view/difference_tree.js"),
    include_str!("../view/difference_flame.js"),
    include_str!("../view/difference_grid.js"),
    include_str!("../view/diff_view.js"),
    include_str!("../view/sides_flame.js"),
    include_str!("../view/sides_view.js"),
    include_str!("../view/blueprint_layout.js"),
    include_str!("../view/blueprint_graphs.js"),
    include_str!("../view/blueprint_axis.js"),
    include_str!("../view/blueprint_pictures.js"),
    include_str!("../view/blueprint_words.js"),
    include_str!("../view/blueprint_view.js"),
    include_str!("../view/versions_axis.js"),
    include_str!("../view/history_page.js"),
    include_str!("../view/fleet_page.js"),
    include_str!("../view/which_profile.js"),
    include_str!("../view/search.js"),
    include_str!("../view/help.js"),
    include_str!("../view/shell.js"),
    include_str!("../view/main.js"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::SCRIPTS;

    /// Two scripts that declare one name are a syntax error, and the page stays blank.
    #[test]
    fn scripts_declare_each_name_once() {
        let declared = |line: &'static str| {
            let line = line.strip_prefix("async ").unwrap_or(line);
            let kinds = ["function ", "class ", "const ", "let "];
            let rest = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
            let is_name = |c: char| c.is_alphanumeric() || "_$".contains(c);
            rest.split(|c| !is_name(c)).next().filter(|name| !name.is_empty())
        };
        let mut names = BTreeSet::new();
        for name in SCRIPTS.iter().flat_map(|script| script.lines()).filter_map(declared) {
            assert!(names.insert(name), "{name} is declared twice");
        }
        assert!(names.len() > 150, "{}", names.len());
    }
}
