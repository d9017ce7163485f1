//! Sections on data flow, cut to the room there is for them.

use serde_json::Value;

/// The lists of a section that grow with the profile, the longest one first.
const LISTS: [&str; 13] = [
    "methods",
    "chains",
    "clones",
    "sites",
    "owners",
    "structures",
    "lines",
    "places",
    "loops",
    "candidates",
    "by_structure",
    "caches",
    "always_null",
];

/// What a section says of the entries that it was not asked for.
const MORE: &str = "more";
/// Things listed of one entry.
const MOST_INSIDE: usize = 40;

/// The section with as many entries of its lists as fit in so many bytes of
/// JSON. `left_out` says how many there are besides; where a list inside an entry
/// is cut, a number says so that has the list's name and `_left_out`.
pub fn within(section: &Value, bytes: usize) -> Value {
    let Value::Object(section) = section else { return section.clone() };
    let mut shown = section.clone();
    let lists = LISTS.iter().filter(|name| section.get(**name).is_some_and(Value::is_array));
    let each = bytes / lists.clone().count().max(1);
    let mut left_out = section.get(MORE).and_then(Value::as_u64).unwrap_or(0);
    for &name in lists {
        let Some(Value::Array(entries)) = shown.get_mut(name) else { continue };
        let all = entries.len();
        let mut used = 0;
        let mut fit = 0;
        for entry in entries.iter_mut() {
            shorten(entry);
            used += entry.to_string().len() + 1;
            if used > each {
                break;
            }
            fit += 1;
        }
        entries.truncate(fit);
        left_out += (all - fit) as u64;
    }
    shown.insert("left_out".into(), left_out.into());
    Value::Object(shown)
}

/// Cuts the lists inside an entry.
fn shorten(entry: &mut Value) {
    let fields = match entry {
        Value::Object(fields) => fields,
        Value::Array(values) => return values.iter_mut().for_each(shorten),
        _ => return,
    };
    let mut cut = Vec::new();
    for (name, value) in fields.iter_mut() {
        if let Value::Array(values) = value
            && values.len() > MOST_INSIDE
        {
            cut.push((format!("{name}_left_out"), values.len() - MOST_INSIDE));
            values.truncate(MOST_INSIDE);
        }
        shorten(value);
    }
    fields.extend(cut.into_iter().map(|(name, count)| (name, count.into())));
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

    #[test]
    fn what_is_cut_is_counted() {
        let long: Vec<u32> = (0..45).collect();
        let section = json!({ "more": 7, "sites": [{ "contexts": [{ "callers": long }] }] });
        let cut = within(&section, 10_000);
        let context = &cut["sites"][0]["contexts"][0];
        assert_eq!(context["callers"].as_array().unwrap().len(), 40);
        assert_eq!(context["callers_left_out"], 5);
        assert_eq!(cut["left_out"], 7);
    }
}
