//! What profiles say of their runs, without their contexts.

use std::path::PathBuf;

use fleet::labels::{Label, Labels};
use formats::export::jfr;
use profile::{RunInfo, read_overview};
use tree::names::command_line::program_of;

/// The name of the service in OpenTelemetry, and the label that takes the place of the main class.
const SERVICE: &str = "service.name";
const PROGRAM: &str = "program";

/// The runs of profiles. A pipe can be read only once, so nothing is known of it.
pub fn runs(files: &[PathBuf]) -> Vec<RunInfo> {
    let files = files.iter().filter(|file| file.is_file());
    let runs = files.map(|file| read_overview(file).map(|overview| overview.tables.run));
    runs.map(Result::unwrap_or_default).collect()
}

/// What a recording of Flight Recorder tells: of several runs, the first.
pub fn of_recording(runs: Vec<RunInfo>) -> jfr::Run {
    let Some(run) = runs.into_iter().next() else { return jfr::Run::default() };
    let end = if run.stopped_millis > 0 { run.stopped_millis } else { run.end_millis };
    jfr::Run {
        start_millis: run.start_millis,
        millis: end.saturating_sub(run.start_millis),
        program: main_class(&run).unwrap_or_default(),
        jvm: run.jvm,
        process_id: run.process_id,
    }
}

/// The attributes of the resource that was recorded, its name first: labels that all runs
/// have, and those given.
pub fn resource(files: &[PathBuf], given: &[Label]) -> Vec<(String, String)> {
    let runs = runs(files);
    let mut labels: Labels = runs.first().map(|run| run.labels.clone()).unwrap_or_default();
    labels.retain(|key, value| runs.iter().all(|run| run.labels.get(key) == Some(value)));
    labels.extend(given.iter().map(|label| (label.key.clone(), label.value.clone())));
    let of_files = || {
        let names = files.iter().filter_map(|file| file.file_stem());
        names.map(|name| name.to_string_lossy()).collect::<Vec<_>>().join(", ")
    };
    let name = labels.remove(SERVICE).or_else(|| labels.get(PROGRAM).cloned());
    let name = name.or_else(|| main_class(runs.first()?)).unwrap_or_else(of_files);
    std::iter::once((SERVICE.to_owned(), name)).chain(labels).collect()
}

/// The main class, or the name of the archive.
fn main_class(run: &RunInfo) -> Option<String> {
    (!run.command_line.is_empty()).then(|| program_of(&run.command_line))
}
