//! The arena as the profile's reader sees it, while the program writes on.

use std::sync::atomic::Ordering;

use profile::{Image, layout};

use super::{Arena, lost_pages};

impl Image for Arena {
    fn words(&self) -> u32 {
        let bytes = self.committed.load(Ordering::Acquire);
        u32::try_from(bytes / 4).unwrap_or(u32::MAX)
    }

    fn word(&self, index: u32) -> u32 {
        Arena::word(self, index).map_or(0, |word| word.load(Ordering::Acquire))
    }

    fn counter(&self, index: u32) -> u64 {
        self.long(index).map_or(0, |long| long.load(Ordering::Relaxed))
    }

    fn lacks_parts(&self) -> bool {
        lost_pages::any()
    }

    fn header_u64(&self, byte_offset: usize) -> u64 {
        if byte_offset.is_multiple_of(8) && byte_offset + 8 <= layout::ARENA_OFFSET {
            return self.header_long(byte_offset).load(Ordering::Acquire);
        }
        0
    }

    fn header_u32(&self, byte_offset: usize) -> u32 {
        if byte_offset.is_multiple_of(4) && byte_offset + 4 <= layout::ARENA_OFFSET {
            return self.header_word(byte_offset).load(Ordering::Acquire);
        }
        0
    }

    fn bytes(&self, word: u32, len: usize, out: &mut Vec<u8>) {
        let end = out.len() + len;
        for index in word.. {
            if out.len() >= end {
                break;
            }
            out.extend(Image::word(self, index).to_le_bytes());
        }
        out.truncate(end);
    }
}
