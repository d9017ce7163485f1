//! Reads recordings by the crate jfrs, which knows nothing of ours.

use std::collections::BTreeMap;
use std::io::Cursor;

use jfrs::reader::JfrReader;
use jfrs::reader::event::Accessor;
use subsume_formats::import::frame::class_name;

/// How often a thread was seen executing each path, from the root on.
pub fn samples(bytes: &[u8]) -> BTreeMap<Vec<String>, u64> {
    let mut samples = BTreeMap::new();
    let mut reader = JfrReader::new(Cursor::new(bytes));
    for chunk in reader.chunks() {
        let (mut reader, chunk) = chunk.unwrap();
        for event in reader.events(&chunk) {
            let event = event.unwrap();
            if !["jdk.ExecutionSample", "jdk.NativeMethodSample"].contains(&event.class.name()) {
                continue;
            }
            let frames = event
                .value()
                .get_field("stackTrace")
                .and_then(|trace| trace.get_field("frames"))
                .and_then(Accessor::as_iter);
            let frames = frames.into_iter().flatten();
            let mut path: Vec<String> = frames.map(|frame| name(&frame)).collect();
            path.reverse();
            if path.is_empty() {
                path.push(".[no stack]".to_owned());
            }
            *samples.entry(path).or_default() += 1;
        }
    }
    samples
}

fn name(frame: &Accessor<'_>) -> String {
    let method = frame.get_field("method").unwrap();
    // Names of generated classes without what differs from run to run.
    let class = class_name(&symbol(&method.get_field("type").unwrap()));
    format!("{class}.{}", symbol(&method))
}

fn symbol(value: &Accessor<'_>) -> String {
    let text = value.get_field("name").unwrap().get_field("string").unwrap();
    <&str>::try_from(text.value).unwrap().to_owned()
}
