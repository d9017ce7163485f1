//! The HTML around the contents.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::page::assets;
use tree::error::Result;

/// What stands in the template for what is filled in.
const TITLE: &str = "{{title}}";
const STYLES: &str = "<!--subsume:styles-->";
const DATA: &str = "<!--subsume:data-->";
const SCRIPTS: &str = "<!--subsume:scripts-->";
/// Where the policy names the only script that is run.
const SCRIPTS_HASH: &str = "{{scripts}}";

/// The page with this title and these contents.
///
/// The contents are compressed and written as base64: the browser unpacks them,
/// and no name in them is ever seen by its HTML parser.
///
/// # Errors
/// If the contents cannot be compressed.
pub fn page(title: &str, json: &[u8]) -> Result<Vec<u8>> {
    let data = STANDARD.encode(compressed(json)?);
    let mut page = String::with_capacity(data.len() + assets::TEMPLATE.len() + (1 << 18));
    let mut rest = assets::TEMPLATE;
    // One pass, so that nothing filled in is taken for a mark.
    while let Some((at, mark)) = next_mark(rest) {
        page.push_str(&rest[..at]);
        rest = &rest[at + mark.len()..];
        match mark {
            TITLE => page.push_str(&escape(title)),
            SCRIPTS_HASH => page.push_str(&hash(assets::SCRIPTS)),
            STYLES => element(&mut page, "style", "", assets::STYLES),
            DATA => element(&mut page, "script", " id=\"data\" type=\"text/plain\"", &[&data]),
            _ => element(&mut page, "script", " type=\"module\"", assets::SCRIPTS),
        }
    }
    page.push_str(rest);
    Ok(page.into_bytes())
}

/// About how many bytes the contents take in a page, by a sample of them.
///
/// # Errors
/// If the contents cannot be compressed.
pub fn estimate(json: &[u8]) -> Result<usize> {
    let sample: Vec<u8> =
        json.chunks(CHUNK).step_by(SAMPLED).flat_map(|chunk| chunk.iter().copied()).collect();
    let share = sample.len() as f64 / json.len().max(1) as f64;
    // Four characters for three bytes.
    Ok((compressed(&sample)?.len() as f64 * 4.0 / 3.0 / share.max(f64::MIN_POSITIVE)) as usize)
}

/// Bytes of contents that stand together in a sample, and one in how many are in it.
const CHUNK: usize = 1 << 16;
const SAMPLED: usize = 8;

fn compressed(json: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(json)?;
    Ok(encoder.finish()?)
}

/// How a content security policy names a script.
fn hash(parts: &[&str]) -> String {
    let mut sum = Sha256::new();
    parts.iter().for_each(|part| sum.update(part));
    format!("sha256-{}", STANDARD.encode(sum.finalize()))
}

/// The mark that comes first, and where.
fn next_mark(text: &str) -> Option<(usize, &'static str)> {
    let marks = [TITLE, STYLES, DATA, SCRIPTS, SCRIPTS_HASH].into_iter();
    marks.filter_map(|mark| Some((text.find(mark)?, mark))).min()
}

fn element(page: &mut String, name: &str, attributes: &str, parts: &[&str]) {
    page.extend(["<", name, attributes, ">"]);
    page.extend(parts.iter().copied());
    page.extend(["</", name, ">"]);
}

/// Text that HTML shows as it is.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{hash, page};

    /// Nothing that a profile brings along can be run.
    #[test]
    fn the_policy_allows_the_one_script() {
        let page = String::from_utf8(page("a", b"{}").unwrap()).unwrap();
        let policy = page.split("script-src '").nth(1).and_then(|rest| rest.split('\'').next());
        let script = page.split("<script type=\"module\">").nth(1).unwrap();
        let script = script.split("</script>").next().unwrap();
        assert_eq!(policy, Some(hash(&[script]).as_str()));
        assert!(!page.contains("script-src 'unsafe"));
        // The hash of a text that is known.
        assert_eq!(hash(&["a", "bc"]), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    }

    #[test]
    fn a_title_is_text() {
        let page = page("</title><script><!--subsume:data-->", b"{}").unwrap();
        let page = String::from_utf8(page).unwrap();
        assert!(page.contains("&lt;/title&gt;&lt;script&gt;&lt;!--subsume:data--&gt;"));
        assert!(!page.contains("</title><script>"));
    }
}
