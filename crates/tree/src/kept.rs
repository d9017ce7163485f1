//! Columns of contexts of which some go.

/// The new number of each context: how many before it stay. Behind the last one stands how
/// many there are.
pub fn new_numbers(stays: &[bool]) -> Vec<u32> {
    let mut numbers = Vec::with_capacity(stays.len() + 1);
    let mut kept = 0;
    for &stays in stays {
        numbers.push(kept);
        kept += u32::from(stays);
    }
    numbers.push(kept);
    numbers
}

/// Takes what belongs to other contexts out of a column; an empty one stays empty.
pub fn retain<T: Copy>(column: &mut Vec<T>, stays: &[bool]) {
    let mut stays = stays.iter().copied();
    column.retain(|_| stays.next().unwrap_or(false));
}
