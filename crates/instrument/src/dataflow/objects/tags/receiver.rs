//! Whether `this` is in the first local throughout a method.

use classfile::{Code, opcode};

/// True if there are places where the first local does not hold `this`: the
/// method overwrites it, or a stack map frame does not mention it.
pub fn loses_this(code: &Code<'_>) -> bool {
    overwrites_this(code) || frames_drop_this(code)
}

fn overwrites_this(code: &Code<'_>) -> bool {
    code.instructions().any(|instruction| {
        let stores = matches!(instruction.opcode, opcode::ISTORE..=opcode::ASTORE)
            || matches!(instruction.opcode, opcode::ISTORE_0..=opcode::ASTORE_3);
        stores && instruction.local() == Some(0)
    })
}

fn frames_drop_this(code: &Code<'_>) -> bool {
    let mut attributes = code.attributes().filter_map(Result::ok);
    let Some(table) = attributes.find(|attribute| attribute.name == b"StackMapTable") else {
        return false;
    };
    let parameters = classfile::descriptor::parameters(code.method().descriptor()).count();
    // What cannot be read is not relied on.
    let mut frames = Frames { rest: table.info, locals: 1 + parameters };
    frames.drop_this().unwrap_or(true)
}

/// The frames of a `StackMapTable` (JVMS 4.7.4), as far as they say something
/// about the first local.
struct Frames<'f> {
    rest: &'f [u8],
    /// Locals of the last frame, longs and doubles being one.
    locals: usize,
}

impl Frames<'_> {
    fn drop_this(&mut self) -> Option<bool> {
        for _ in 0..self.short()? {
            match self.byte()? {
                0..=63 => {}
                64..=127 => {
                    self.kind()?;
                }
                247 => {
                    self.short()?;
                    self.kind()?;
                }
                chop @ 248..=250 => {
                    self.short()?;
                    self.locals = self.locals.checked_sub(usize::from(251 - chop))?;
                    if self.locals == 0 {
                        return Some(true);
                    }
                }
                251 => {
                    self.short()?;
                }
                append @ 252..=254 => {
                    self.short()?;
                    for _ in 251..append {
                        self.kind()?;
                        self.locals += 1;
                    }
                }
                255 => {
                    self.short()?;
                    self.locals = self.short()?.into();
                    for number in 0..self.locals {
                        if self.kind()? == TOP && number == 0 {
                            return Some(true);
                        }
                    }
                    if self.locals == 0 {
                        return Some(true);
                    }
                    for _ in 0..self.short()? {
                        self.kind()?;
                    }
                }
                _ => return None,
            }
        }
        Some(false)
    }

    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn short(&mut self) -> Option<u16> {
        Some(u16::from(self.byte()?) << 8 | u16::from(self.byte()?))
    }

    /// The kind of a verification type, which is passed.
    fn kind(&mut self) -> Option<u8> {
        let kind = self.byte()?;
        if kind >= OBJECT {
            self.short()?;
        }
        Some(kind)
    }
}

/// Verification type of an unusable local.
const TOP: u8 = 0;

/// The first verification type that is followed by an index.
const OBJECT: u8 = 7;

#[cfg(test)]
mod tests {
    use super::*;

    fn drop_this(frames: &[u8], locals: usize) -> Option<bool> {
        Frames { rest: frames, locals }.drop_this()
    }

    #[test]
    fn a_frame_that_does_not_mention_this_is_found() {
        // Same, one on the stack, append of two, chop of one, full with `this`.
        let harmless = [
            0, 5, 3, 64, 7, 0, 9, 253, 0, 1, 1, 8, 0, 2, 250, 0, 1, 255, 0, 0, 0, 1, 7, 0, 2, 0, 0,
        ];
        assert_eq!(drop_this(&harmless, 1), Some(false));
        assert_eq!(drop_this(&[0, 1, 250, 0, 1], 1), Some(true));
        assert_eq!(drop_this(&[0, 1, 255, 0, 0, 0, 0, 0, 1, 7, 0, 1], 3), Some(true));
        assert_eq!(drop_this(&[0, 1, 255, 0, 0, 0, 2, 0, 1, 0, 0], 3), Some(true));
        assert_eq!(drop_this(&[0, 2, 3], 1), None);
    }
}
