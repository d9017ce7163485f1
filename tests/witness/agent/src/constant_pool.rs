//! Finds out which constants of a class name a method (JVMS 4.4).

/// Indices of the constants that name this method: class, name, descriptor.
/// None if the bytes are no constant pool.
pub fn references_to(pool: &[u8], method: (&str, &str, &str)) -> Vec<u16> {
    let entries = entries(pool).unwrap_or_default();
    let text = |index: u16| match entries.get(usize::from(index)) {
        Some(Entry::Text(text)) => Some(*text),
        _ => None,
    };
    let names_it = |class: u16, name_and_type: u16| {
        let Some(Entry::Class(class)) = entries.get(usize::from(class)) else { return false };
        let Some(Entry::Pair(_, name, descriptor)) = entries.get(usize::from(name_and_type)) else {
            return false;
        };
        [text(*class), text(*name), text(*descriptor)]
            == [method.0, method.1, method.2].map(|part| Some(part.as_bytes()))
    };
    (0..)
        .zip(&entries)
        .filter(|(_, entry)| {
            matches!(entry, Entry::Pair(METHODREF, class, name) if names_it(*class, *name))
        })
        .map(|(index, _)| index)
        .collect()
}

const UTF8: u8 = 1;
const CLASS: u8 = 7;
const METHODREF: u8 = 10;

/// A constant, as far as it matters here.
enum Entry<'a> {
    Text(&'a [u8]),
    /// Index of the name.
    Class(u16),
    /// Tag, and two indices.
    Pair(u8, u16, u16),
    Other,
}

/// All constants, from number 0 on, which is none.
fn entries(mut pool: &[u8]) -> Option<Vec<Entry<'_>>> {
    let mut entries = vec![Entry::Other];
    while let [tag, rest @ ..] = pool {
        let number = |at: usize| Some(u16::from_be_bytes([*rest.get(at)?, *rest.get(at + 1)?]));
        let (entry, length) = match *tag {
            UTF8 => {
                let length = usize::from(number(0)?);
                (Entry::Text(rest.get(2..2 + length)?), 2 + length)
            }
            CLASS => (Entry::Class(number(0)?), 2),
            // Fields, methods, names with types, dynamic constants and calls.
            9..=12 | 17 | 18 => (Entry::Pair(*tag, number(0)?, number(2)?), 4),
            3 | 4 => (Entry::Other, 4),
            5 | 6 => (Entry::Other, 8),
            8 | 16 | 19 | 20 => (Entry::Other, 2),
            15 => (Entry::Other, 3),
            _ => return None,
        };
        entries.push(entry);
        if matches!(tag, 5 | 6) {
            // Longs and doubles take two numbers.
            entries.push(Entry::Other);
        }
        pool = rest.get(length..)?;
    }
    Some(entries)
}
