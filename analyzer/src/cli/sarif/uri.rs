//! Paths as URIs.

use std::path::{Component, Path};

/// A relative path as the reference that it is in a URI (RFC 3986): parts between slashes,
/// with all but the unreserved characters escaped.
pub fn of_path(path: &Path) -> String {
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(part) => Some(escaped(&part.to_string_lossy())),
        Component::ParentDir => Some("..".to_owned()),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    });
    parts.collect::<Vec<_>>().join("/")
}

fn escaped(part: &str) -> String {
    let mut out = String::with_capacity(part.len());
    for byte in part.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                out.push(byte.into());
            }
            _ => out += &format!("%{byte:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_plain_is_escaped() {
        let uri = |path: &str| of_path(Path::new(path));
        assert_eq!(uri("src/main/java/shop/Till.java"), "src/main/java/shop/Till.java");
        assert_eq!(uri("./a b/Größe%.java"), "a%20b/Gr%C3%B6%C3%9Fe%25.java");
        assert_eq!(uri("a:b?.kt"), "a%3Ab%3F.kt");
    }
}
