//! Writes recordings by hand: two threads, three methods, three samples.

/// A chunk under construction.
pub struct Chunk {
    bytes: Vec<u8>,
    is_compressed: bool,
    also: Also,
}

/// What a chunk is beside the usual.
#[derive(Debug, Clone, Copy, Default)]
pub struct Also {
    /// Of version 1.0, which has other names for kinds of events.
    pub is_old: bool,
    /// Allocations are reported by events for new buffers, too.
    pub has_buffers: bool,
    /// Samples without a stack.
    pub without_stack: usize,
}

/// Numbers of the types that are declared.
mod class {
    pub const LONG: i64 = 5;
    pub const STRING: i64 = 6;
    pub const BOOLEAN: i64 = 7;
    pub const INT: i64 = 8;
    pub const FLOAT: i64 = 9;
    pub const SHORT: i64 = 10;
    pub const THREAD: i64 = 20;
    pub const TRACE: i64 = 21;
    pub const FRAME: i64 = 22;
    pub const METHOD: i64 = 23;
    pub const CLASS: i64 = 24;
    pub const SYMBOL: i64 = 25;
    pub const SAMPLE: i64 = 101;
    pub const ALLOCATION: i64 = 102;
    pub const OTHER: i64 = 103;
    pub const BUFFER: i64 = 104;
}

/// Name, number, and fields: name, type, whether it is a constant, whether an array.
type Declaration = (&'static str, i64, &'static [(&'static str, i64, bool, bool)]);

const DECLARATIONS: [Declaration; 16] = {
    use class::*;
    [
        ("long", LONG, &[]),
        ("java.lang.String", STRING, &[]),
        ("boolean", BOOLEAN, &[]),
        ("int", INT, &[]),
        ("float", FLOAT, &[]),
        ("short", SHORT, &[]),
        (
            "java.lang.Thread",
            THREAD,
            &[("osName", STRING, false, false), ("javaName", STRING, false, false)],
        ),
        (
            "jdk.types.StackTrace",
            TRACE,
            &[("truncated", BOOLEAN, false, false), ("frames", FRAME, false, true)],
        ),
        (
            "jdk.types.StackFrame",
            FRAME,
            &[("lineNumber", INT, false, false), ("method", METHOD, true, false)],
        ),
        (
            "jdk.types.Method",
            METHOD,
            &[
                ("type", CLASS, true, false),
                ("name", SYMBOL, true, false),
                ("descriptor", SYMBOL, true, false),
                ("modifiers", SHORT, false, false),
            ],
        ),
        ("java.lang.Class", CLASS, &[("name", SYMBOL, true, false)]),
        ("jdk.types.Symbol", SYMBOL, &[("string", STRING, false, false)]),
        (
            "jdk.ExecutionSample",
            SAMPLE,
            &[
                ("startTime", LONG, false, false),
                ("load", FLOAT, false, false),
                ("sampledThread", THREAD, true, false),
                ("stackTrace", TRACE, true, false),
            ],
        ),
        (
            "jdk.ObjectAllocationSample",
            ALLOCATION,
            &[
                ("startTime", LONG, false, false),
                ("eventThread", THREAD, true, false),
                ("stackTrace", TRACE, true, false),
                ("weight", LONG, false, false),
            ],
        ),
        (
            "jdk.ObjectAllocationInNewTLAB",
            BUFFER,
            &[
                ("startTime", LONG, false, false),
                ("eventThread", THREAD, true, false),
                ("stackTrace", TRACE, true, false),
                ("tlabSize", LONG, false, false),
            ],
        ),
        ("jdk.Other", OTHER, &[("text", STRING, false, false)]),
    ]
};

/// What the recording says: path, samples, bytes allocated.
pub const EXPECTED: [(&[&str], [u64; 2]); 3] = [
    (&["a.Main.main"], [0, 4096]),
    (&["a.Main.main", "a.Main.wörk"], [1, 0]),
    (&["a.Main.main", "a.Main.wörk", "java.util.Map$Entry.get"], [1, 1 << 40]),
];

/// A whole recording of so many equal chunks.
pub fn recording(is_compressed: bool, chunks: usize) -> Vec<u8> {
    Chunk::new(is_compressed, Also::default()).finish().repeat(chunks)
}

/// A recording of a chunk that is not the usual one.
pub fn recording_with(also: Also) -> Vec<u8> {
    Chunk::new(true, also).finish()
}

/// Bytes that a buffer has, for [`Also::has_buffers`].
pub const BUFFER: u64 = 1 << 20;

impl Chunk {
    fn new(is_compressed: bool, also: Also) -> Self {
        Self { bytes: vec![0; 68], is_compressed, also }
    }

    fn integer(&mut self, value: i64, raw: usize) {
        if !self.is_compressed {
            self.bytes.extend_from_slice(&value.to_be_bytes()[8 - raw..]);
            return;
        }
        let mut rest = value as u64;
        for _ in 0..8 {
            if rest < 0x80 {
                break;
            }
            self.bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.bytes.push(rest as u8);
    }

    fn int(&mut self, value: i64) {
        self.integer(value, 4);
    }

    fn long(&mut self, value: i64) {
        self.integer(value, 8);
    }

    /// UTF-8, UTF-16 or Latin-1, in turn by the length.
    fn text(&mut self, text: &str) {
        match text.len() % 3 {
            _ if text.is_empty() => self.bytes.push(1),
            0 => {
                self.bytes.push(3);
                self.int(text.len() as i64);
                self.bytes.extend_from_slice(text.as_bytes());
            }
            1 => {
                self.bytes.push(4);
                let units: Vec<u16> = text.encode_utf16().collect();
                self.int(units.len() as i64);
                for unit in units {
                    self.integer(unit.into(), 2);
                }
            }
            _ => {
                self.bytes.push(5);
                self.int(text.chars().count() as i64);
                self.bytes.extend(text.chars().map(|c| u8::try_from(c).unwrap()));
            }
        }
    }

    /// An event: its length, its type and what `fields` writes.
    fn event(&mut self, class: i64, fields: impl FnOnce(&mut Self)) -> usize {
        let start = self.bytes.len();
        // Four bytes, whatever the length.
        self.bytes.extend_from_slice(&[0; 4]);
        self.long(class);
        fields(self);
        let length = (self.bytes.len() - start) as u32;
        let coded = if self.is_compressed {
            [
                length as u8 | 0x80,
                (length >> 7) as u8 | 0x80,
                (length >> 14) as u8 | 0x80,
                (length >> 21) as u8,
            ]
        } else {
            length.to_be_bytes()
        };
        self.bytes[start..start + 4].copy_from_slice(&coded);
        start
    }

    fn finish(mut self) -> Vec<u8> {
        let sample = |chunk: &mut Self, thread: i64, stack: i64| {
            chunk.event(class::SAMPLE, |chunk| {
                chunk.long(i64::MAX);
                chunk.bytes.extend_from_slice(&0.5f32.to_be_bytes());
                chunk.long(thread);
                chunk.long(stack);
            });
        };
        let allocation = |chunk: &mut Self, stack: i64, weight: i64| {
            chunk.event(class::ALLOCATION, |chunk| {
                chunk.long(7);
                chunk.long(1);
                chunk.long(stack);
                chunk.long(weight);
            });
        };
        sample(&mut self, 1, 3);
        self.event(class::OTHER, |chunk| chunk.text("nobody reads this"));
        let first = self.constants(0, |chunk| {
            chunk.int(2);
            chunk.long(class::SYMBOL);
            chunk.int(6);
            let symbols = ["a/Main", "main", "w\u{f6}rk", "()V", "java/util/Map$Entry", "get"];
            for (index, symbol) in (1..).zip(symbols) {
                chunk.long(index);
                chunk.text(symbol);
            }
            chunk.long(class::CLASS);
            chunk.int(2);
            for (index, name) in [(1, 1), (2, 5)] {
                chunk.long(index);
                chunk.long(name);
            }
        });
        let Also { is_old, has_buffers, without_stack } = self.also;
        for _ in 0..without_stack {
            // No stack has this number.
            sample(&mut self, 1, 0);
        }
        if has_buffers {
            self.event(class::BUFFER, |chunk| {
                chunk.long(7);
                chunk.long(1);
                chunk.long(1);
                chunk.long(BUFFER as i64);
            });
        }
        allocation(&mut self, 1, 4096);
        allocation(&mut self, 3, 1 << 40);
        sample(&mut self, 2, 2);
        let second = self.constants(first, |chunk| {
            chunk.int(3);
            chunk.long(class::METHOD);
            chunk.int(3);
            for (index, class, name) in [(1, 1, 2), (2, 1, 3), (3, 2, 6)] {
                chunk.long(index);
                chunk.long(class);
                chunk.long(name);
                chunk.long(4);
                chunk.integer(-2, 2);
            }
            chunk.long(class::TRACE);
            chunk.int(3);
            for index in 1..=3 {
                chunk.long(index);
                chunk.bytes.push(0);
                chunk.int(index);
                // The innermost frame comes first.
                for method in (1..=index).rev() {
                    chunk.int(-1);
                    chunk.long(method);
                }
            }
            chunk.long(class::THREAD);
            chunk.int(2);
            for (index, os, java) in [(1, "native", "main"), (2, "GC", "")] {
                chunk.long(index);
                chunk.text(os);
                chunk.text(java);
            }
        });
        let metadata = self.metadata();
        let size = self.bytes.len() as u64;
        self.bytes[..8].copy_from_slice(b"FLR\0\0\x02\0\0");
        self.bytes[5] = if is_old { 1 } else { 2 };
        for (at, number) in
            [(8, size), (16, second as u64), (24, metadata as u64), (56, 1_000_000_000)]
        {
            self.bytes[at..at + 8].copy_from_slice(&number.to_be_bytes());
        }
        self.bytes[67] = u8::from(self.is_compressed);
        self.bytes
    }

    /// Constants, behind those at `before`.
    fn constants(&mut self, before: usize, pools: impl FnOnce(&mut Self)) -> usize {
        let start = self.bytes.len();
        self.event(1, |chunk| {
            chunk.long(0);
            chunk.long(0);
            chunk.long(if before == 0 { 0 } else { before as i64 - start as i64 });
            chunk.bytes.push(1);
            pools(chunk);
        })
    }

    fn metadata(&mut self) -> usize {
        let mut strings: Vec<String> = Vec::new();
        let mut number = |text: &str| {
            let known = strings.iter().position(|known| known == text);
            known.unwrap_or_else(|| {
                strings.push(text.to_owned());
                strings.len() - 1
            }) as i64
        };
        // Elements as numbers of strings and counts: name, attributes, children.
        let mut elements =
            vec![number("root"), 0, 1, number("metadata"), 0, DECLARATIONS.len() as i64];
        for (name, id, fields) in DECLARATIONS {
            let old = name.replace("jdk.", "com.oracle.jdk.");
            let name = if self.also.is_old { &old } else { name };
            let attributes = [number("name"), number(name), number("id"), number(&id.to_string())];
            elements.extend([number("class"), 2]);
            elements.extend(attributes);
            elements.push(fields.len() as i64);
            for (name, class, is_constant, is_array) in fields {
                let mut attributes =
                    vec![number("name"), number(name), number("class"), number(&class.to_string())];
                if *is_constant {
                    attributes.extend([number("constantPool"), number("true")]);
                }
                if *is_array {
                    attributes.extend([number("dimension"), number("1")]);
                }
                elements.extend([number("field"), attributes.len() as i64 / 2]);
                elements.extend(attributes);
                elements.push(0);
            }
        }
        self.event(0, |chunk| {
            for _ in 0..3 {
                chunk.long(1);
            }
            chunk.int(strings.len() as i64);
            for text in &strings {
                chunk.text(text);
            }
            for element in elements {
                chunk.int(element);
            }
        })
    }
}
