//! Sections on data flow, cut to the room there is for them.

use serde_json::Value;

/// The lists of a section that grow with the profile, the longest one first.
const LISTS: [&str; 8] =
    ["methods", "chains", "clones", "sites", "owners", "structures", "lines", "places"];

/// The section with as many entries of its lists as fit in so many bytes of
/// JSON. `left_out` says how many do not.
pub fn within(section: &Value, bytes: usize) -> Value {
    let Value::Object(section) = section else { return section.clone() };
    let mut shown = section.clone();
    let lists = LISTS.iter().filter(|name| section.get(**name).is_some_and(Value::is_array));
    let each = bytes / lists.clone().count().max(1);
    let mut left_out = 0;
    for &name in lists {
        let Some(Value::Array(entries)) = shown.get_mut(name) else { continue };
        let mut used = 0;
        let fit = entries.iter().take_while(|entry| {
            used += entry.to_string().len() + 1;
            used <= each
        });
        let fit = fit.count();
        left_out += entries.len() - fit;
        entries.truncate(fit);
    }
    shown.insert("left_out".into(), left_out.into());
    Value::Object(shown)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::within;

    #[test]
    fn entries_that_fit_stay() {
        let section = json!({ "total": 9, "chains": ["aaaa", "bbbb", "cccc"] });
        let cut = within(&section, 15);
        assert_eq!(cut, json!({ "total": 9, "chains": ["aaaa", "bbbb"], "left_out": 1 }));
        assert_eq!(within(&Value::Null, 15), Value::Null);
    }
}
