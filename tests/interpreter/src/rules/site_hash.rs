//! The number that stands for a site in contexts: the same in every recording.

use profile::dataflow::SiteKind;

use super::SiteName;

/// FNV-1a over class, name and descriptor of the allocating method and the bci
/// (two bytes, high one first), each with 0xFF behind it, and a last mix. Of an
/// untracked site the class of the objects is all there is.
pub fn site_hash(site: &SiteName) -> u32 {
    if site.kind == SiteKind::Untracked {
        return hash(&[internal_name(&site.class).as_bytes()]);
    }
    let (qualified, _) = site.method.split_once('(').unwrap_or((&site.method, ""));
    let (class, name) = qualified.rsplit_once('.').unwrap_or(("", qualified));
    let descriptor = &site.method[qualified.len()..];
    let class = internal_name(class);
    let bci = site.bci.to_be_bytes();
    hash(&[class.as_bytes(), name.as_bytes(), descriptor.as_bytes(), &bci])
}

fn hash(parts: &[&[u8]]) -> u32 {
    let bytes = parts.iter().flat_map(|part| part.iter().chain(&[0xff]));
    let fnv = bytes
        .fold(0x811c_9dc5_u32, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let mixed = (fnv ^ fnv >> 16).wrapping_mul(0x85eb_ca6b);
    mixed ^ mixed >> 13
}

/// The internal name of a class, or the descriptor of an array class, by its
/// name in Java.
fn internal_name(java: &str) -> String {
    let element = java.trim_end_matches("[]");
    let dimensions = (java.len() - element.len()) / 2;
    if dimensions == 0 {
        return java.replace('.', "/");
    }
    let element = match element {
        "boolean" => "Z".to_owned(),
        "byte" => "B".to_owned(),
        "char" => "C".to_owned(),
        "short" => "S".to_owned(),
        "int" => "I".to_owned(),
        "long" => "J".to_owned(),
        "float" => "F".to_owned(),
        "double" => "D".to_owned(),
        class => format!("L{};", class.replace('.', "/")),
    };
    "[".repeat(dimensions) + &element
}
