//! The metadata record of a method's basic blocks.

use base::leb128::put;

use crate::Error;
use crate::blocks::LineRun;
use crate::cursor::Cursor;

/// The basic blocks of a method, or the parts of them that are counted, in the order
/// of the code, and where exceptions cut them short.
///
/// The counters of a node are those of the counted blocks in this order, and behind
/// them those of the cuts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BlocksRecord {
    /// Number of the method.
    pub method: u32,
    /// True if the first block has no counter: every call executes it.
    pub first_is_base: bool,
    /// The lines of each block's instructions.
    pub blocks: Vec<Vec<LineRun>>,
    /// The block of each cut, and how many of its instructions were executed then, the
    /// one that threw included.
    pub cuts: Vec<(u32, u32)>,
}

impl BlocksRecord {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.method));
        put(out, u64::from(self.first_is_base));
        put(out, self.blocks.len() as u64);
        for runs in &self.blocks {
            LineRun::encode_all(runs, out);
        }
        put(out, self.cuts.len() as u64);
        for &(block, executed) in &self.cuts {
            put(out, u64::from(block));
            put(out, u64::from(executed));
        }
    }

    pub(crate) fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        let method = fields.varint_u32("a method id")?;
        let first_is_base = fields.varint("whether the first block is the base")? != 0;
        let count = fields.count(1, "the number of blocks")?;
        let mut blocks = Vec::with_capacity(count);
        for _ in 0..count {
            blocks.push(LineRun::decode_all(fields)?);
        }
        let count = fields.count(2, "the number of cuts")?;
        let mut cuts = Vec::with_capacity(count);
        for _ in 0..count {
            let block = fields.varint_u32("the block of a cut")?;
            if block as usize >= blocks.len() {
                return Err(fields.error(format!("a cut of block {block} of {}", blocks.len())));
            }
            cuts.push((block, fields.varint_u32("the instructions before a cut")?));
        }
        Ok(Self { method, first_is_base, blocks, cuts })
    }
}
