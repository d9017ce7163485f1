//! Rewrites every class file below a folder, as a profiler would.
//!
//!     cargo run --release -p subsume-classfile --example rewrite -- IN [--out OUT]
//!         [--owner CLASS] [--light] [--pad BYTES] [--repeat N]
//!
//! First every class is read and written again unchanged, which must give the
//! same bytes. Then every method gets two new int locals, a probe at entry,
//! one before every return and in handlers for everything that is thrown, one
//! before every call, a counter at every basic block, and a poll at every
//! target of a backward branch. `--light` leaves it at entry, returns and
//! calls, without new variables. `--pad` inserts so many more bytes at every block; with some hundreds
//! of them branches have to be widened everywhere.
//!
//! The probes are static methods of the class `--owner` (`java/lang/Object`):
//! `$enter(I)I`, `$exit(II)V` and `$call(II)V`. Where that class itself comes
//! by, it is given them, so that the result can run.
//!
//! Refused methods are listed with their reasons. The time is that of reading
//! and rewriting from memory to memory, on one core.

use std::error::Error;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use subsume_classfile::{
    ClassEditor, ClassFile, Code, CodeEdit, ControlFlow, Fragment, HandlerFrame, LocalType,
    NewMethod, Refusal, Scratch, access, opcode,
};

struct Options {
    input: PathBuf,
    output: Option<PathBuf>,
    owner: String,
    light: bool,
    pad: usize,
    repeat: u32,
}

fn main() -> ExitCode {
    match parse_options().and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rewrite: {error}");
            ExitCode::from(2)
        }
    }
}

fn parse_options() -> Result<Options, Box<dyn Error>> {
    let mut input = None;
    let mut options = Options {
        input: PathBuf::new(),
        output: None,
        owner: "java/lang/Object".to_owned(),
        light: false,
        pad: 0,
        repeat: 1,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--out" => options.output = Some(value()?.into()),
            "--owner" => options.owner = value()?,
            "--repeat" => options.repeat = value()?.parse()?,
            "--pad" => options.pad = value()?.parse()?,
            "--light" => options.light = true,
            other if other.starts_with('-') => return Err(format!("unknown option {other}").into()),
            _ => input = Some(PathBuf::from(argument)),
        }
    }
    options.input = input.ok_or("name a folder of class files")?;
    Ok(options)
}

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let mut files = Vec::new();
    collect(&options.input, &mut files)?;
    let mut changed = 0;
    let mut unreadable = 0;
    for (path, bytes) in &files {
        match ClassFile::parse(bytes) {
            Ok(class) if ClassEditor::new(&class).finish() == *bytes => {}
            Ok(_) => {
                changed += 1;
                println!("ROUND TRIP {}", path.display());
            }
            Err(error) => {
                unreadable += 1;
                println!("UNREADABLE {}: {error}", path.display());
            }
        }
    }
    println!("{} classes, {unreadable} unreadable, {changed} changed by a round trip", files.len());

    let mut rewriter = Rewriter::new(options);
    let mut out = Vec::new();
    for _ in 1..options.repeat {
        let started = Instant::now();
        for (_, bytes) in &files {
            out.clear();
            rewriter.rewrite(bytes, &mut out, |_, _| {}).ok();
        }
        print_speed(files.len(), started);
    }
    let mut results = Vec::with_capacity(files.len());
    let mut refusals = Vec::new();
    let started = Instant::now();
    for (path, bytes) in &files {
        out.clear();
        let refused = |name: String, reason: Refusal| refusals.push((path, name, reason));
        let outcome = rewriter.rewrite(bytes, &mut out, refused);
        results.push(outcome.map(|()| out.clone()));
    }
    print_speed(files.len(), started);
    println!("{} methods edited, {} refused", rewriter.edited, refusals.len());
    for (path, name, reason) in refusals {
        println!("REFUSED {} {name}: {reason}", path.display());
    }
    for ((path, _), result) in files.iter().zip(results) {
        match (result, &options.output) {
            (Ok(bytes), Some(output)) => {
                let place = output.join(path.strip_prefix(&options.input)?);
                fs::create_dir_all(place.parent().unwrap_or(output))?;
                fs::write(place, bytes)?;
            }
            (Ok(_), None) => {}
            (Err(reason), _) => println!("REFUSED {}: {reason}", path.display()),
        }
    }
    Ok(())
}

fn print_speed(classes: usize, started: Instant) {
    let seconds = started.elapsed().as_secs_f64();
    println!("{:.0} classes a second ({seconds:.3} s)", classes as f64 / seconds);
}

/// Reads all class files below a folder, ordered by path.
fn collect(folder: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) -> std::io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(|entry| entry.path());
    for entry in entries {
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "class") {
            let bytes = fs::read(&path)?;
            files.push((path, bytes));
        }
    }
    Ok(())
}

/// Constant pool indices of the probes.
struct Probes {
    enter: u16,
    exit: u16,
    call: u16,
}

struct Rewriter<'o> {
    options: &'o Options,
    scratch: Scratch,
    edit: CodeEdit,
    edited: usize,
}

impl<'o> Rewriter<'o> {
    fn new(options: &'o Options) -> Rewriter<'o> {
        Rewriter { options, scratch: Scratch::default(), edit: CodeEdit::default(), edited: 0 }
    }

    /// Appends the rewritten class to `out`.
    fn rewrite(
        &mut self,
        bytes: &[u8],
        out: &mut Vec<u8>,
        mut refused: impl FnMut(String, Refusal),
    ) -> Result<(), Refusal> {
        let class = ClassFile::parse(bytes)?;
        let mut editor = ClassEditor::with_scratch(&class, &mut self.scratch);
        let owner = self.options.owner.as_bytes();
        let probes = Probes {
            enter: editor.pool().methodref(owner, b"$enter", b"(I)I")?,
            exit: editor.pool().methodref(owner, b"$exit", b"(II)V")?,
            call: editor.pool().methodref(owner, b"$call", b"(II)V")?,
        };
        for (index, method) in class.methods().iter().enumerate() {
            let outcome = (|| {
                let Some(code) = method.code()? else { return Ok(()) };
                // HotSpot takes an empty finalize() as none at all, and would
                // find every object finalizable once it were not empty.
                if method.name() == b"finalize" && code.bytecode() == [opcode::RETURN] {
                    return Ok(());
                }
                self.edit.restart(&code);
                if self.options.light {
                    insert_light_probes(&code, index as i32, &probes, &mut self.edit, &mut editor)?;
                } else {
                    insert_probes(&code, index as i32, &probes, &mut self.edit, &mut editor)?;
                }
                if self.options.pad > 0 {
                    let padding = Fragment::new().raw(&vec![opcode::NOP; self.options.pad], 0);
                    for block in ControlFlow::new(&code).blocks() {
                        self.edit.before(block.start, &padding);
                    }
                }
                editor.edit_code(index, &self.edit)?;
                self.edited += 1;
                Ok(())
            })();
            if let Err(reason) = outcome {
                let name = [method.name(), method.descriptor()].concat();
                refused(String::from_utf8_lossy(&name).into_owned(), reason);
            }
        }
        if class.this_class() == owner {
            add_probe_methods(&mut editor)?;
        }
        editor.finish_into(out);
        Ok(())
    }
}

/// Entry, returns and calls.
fn insert_light_probes(
    code: &Code<'_>,
    method_id: i32,
    probes: &Probes,
    edit: &mut CodeEdit,
    editor: &mut ClassEditor<'_>,
) -> Result<(), Refusal> {
    let id = Fragment::new().push_int(method_id, editor.pool())?;
    edit.at_entry(id.clone().invokestatic(probes.enter, 1, 1).pop());
    for instruction in code.instructions() {
        let probe = if opcode::is_return(instruction.opcode) {
            probes.exit
        } else if opcode::is_invoke(instruction.opcode) {
            probes.call
        } else {
            continue;
        };
        let site = id.clone().push_int(instruction.bci as i32, editor.pool())?;
        edit.before(instruction.bci, site.invokestatic(probe, 2, 0));
    }
    Ok(())
}

/// Everything that the top of this file lists.
fn insert_probes(
    code: &Code<'_>,
    method_id: i32,
    probes: &Probes,
    edit: &mut CodeEdit,
    editor: &mut ClassEditor<'_>,
) -> Result<(), Refusal> {
    let node = edit.new_local(LocalType::Int);
    let count = edit.new_local(LocalType::Int);
    let enter = Fragment::new()
        .push_int(method_id, editor.pool())?
        .invokestatic(probes.enter, 1, 1)
        .store_int(node)
        .push_int(0, editor.pool())?
        .store_int(count);
    edit.at_entry(enter);

    let flow = ControlFlow::new(code);
    let mut polled: Vec<u32> = flow.backward_edges().map(|(_, target)| target).collect();
    polled.sort_unstable();
    polled.dedup();
    for (index, block) in flow.blocks().iter().enumerate() {
        edit.before(block.start, Fragment::new().iinc(count, block.instruction_count as i32));
        if polled.binary_search(&(index as u32)).is_ok() {
            let poll = Fragment::new().load_int(node).load_int(count);
            edit.before(block.start, poll.invokestatic(probes.call, 2, 0));
        }
    }
    let exit = Fragment::new().load_int(node).load_int(count).invokestatic(probes.exit, 2, 0);
    for instruction in code.instructions() {
        if opcode::is_return(instruction.opcode) {
            edit.before(instruction.bci, &exit);
        } else if opcode::is_invoke(instruction.opcode) {
            let call = Fragment::new().load_int(node);
            let call = call.push_int(instruction.bci as i32, editor.pool())?;
            edit.before(instruction.bci, call.invokestatic(probes.call, 2, 0));
            // Leaves the class file correct only if this comes before what
            // is inserted before the next instruction, and is not jumped to.
            edit.after(instruction.bci, Fragment::new().iinc(node, 1).iinc(node, -1));
        }
    }

    let rethrow = exit.athrow();
    let initialisation = code.initialisation();
    if !initialisation.before.is_empty() {
        let frame = HandlerFrame::UninitializedThis;
        edit.catch_all_ranges(&initialisation.before, frame, &rethrow);
    }
    // No handler may cover a call that initialises `this`.
    let mut excluded = initialisation.before;
    excluded.extend(initialisation.calls.iter().map(|&call| call..call + 3));
    excluded.sort_unstable_by_key(|range| range.start);
    let rest = complement(&excluded, code.length());
    if !rest.is_empty() {
        edit.catch_all_ranges(&rest, HandlerFrame::NewLocalsOnly, &rethrow);
    }
    Ok(())
}

/// What of `0..length` lies in none of the ascending ranges.
fn complement(ranges: &[Range<u32>], length: u32) -> Vec<Range<u32>> {
    let starts = std::iter::once(0).chain(ranges.iter().map(|range| range.end));
    let ends = ranges.iter().map(|range| range.start).chain([length]);
    starts.zip(ends).map(|(start, end)| start..end).filter(|range| !range.is_empty()).collect()
}

/// Gives the class the three probes, which do nothing.
fn add_probe_methods(editor: &mut ClassEditor<'_>) -> Result<(), Refusal> {
    let access = access::PUBLIC | access::STATIC | access::SYNTHETIC;
    let nothing = NewMethod {
        access,
        name: b"$exit",
        descriptor: b"(II)V",
        code: &[opcode::RETURN],
        max_stack: 0,
        max_locals: 2,
        annotations: &[],
    };
    editor.add_method(nothing)?;
    editor.add_method(NewMethod { name: b"$call", ..nothing })?;
    editor.add_method(NewMethod {
        name: b"$enter",
        descriptor: b"(I)I",
        code: &[opcode::ILOAD_0, opcode::IRETURN],
        max_stack: 1,
        max_locals: 1,
        ..nothing
    })
}
