//! Values of methods against reaching definitions: of what compilers make of
//! the fixtures, of the JDKs' `java.base`, and of random code that no
//! compiler writes. The program `compare-values` takes any other classes.

use crate::assembler;
use classfile::opcode::*;
use std::fs;
use std::path::{Path, PathBuf};
use support::random::Random;
use support::{Jdk, run};
use verifier::fixture_run::{fresh_folder, sources};
use verifier::toolchain::{class_files, compile_with_ecj};
use verifier::value_proof::{Compared, prove};

fn folder(name: &str) -> PathBuf {
    fresh_folder(Path::new(env!("CARGO_TARGET_TMPDIR")), name).unwrap()
}

fn prove_all(folder: &Path) -> Compared {
    let mut total = Compared::default();
    for file in class_files(folder).unwrap() {
        match prove(&fs::read(&file).unwrap()) {
            Ok(compared) => total.add(&compared),
            Err(difference) => panic!("{}: {difference}", file.display()),
        }
    }
    total
}

#[test]
fn fixtures_have_the_values_that_reach_them() {
    let folder = folder("values-fixtures");
    let jdk = Jdk::find(17).unwrap();
    jdk.compile(&sources("modern").unwrap().0, &folder, &folder.join("modern")).unwrap();
    compile_with_ecj(&jdk, &sources("old").unwrap().0, "1.3", "1.1", &folder.join("old")).unwrap();
    let compared = prove_all(&folder);
    assert!(compared.methods > 100, "{compared:?}");
    assert!(compared.refused > 0, "the old fixtures have subroutines: {compared:?}");
    assert!(compared.handler_phis > 0, "{compared:?}");
}

/// The packages below `java` in `java.base`; `compare-values` takes the rest.
#[test]
fn classes_of_the_jdks_have_the_values_that_reach_them() {
    for release in [17, 25] {
        let folder = folder(&format!("values-{release}"));
        let jdk = Jdk::find(release).unwrap();
        let mut extract = jdk.program("jimage");
        extract.args(["extract", "--include", "regex:/java.base/java/.*", "--dir"]);
        extract.arg(&folder).arg(jdk.image());
        run(&mut extract).unwrap();
        let compared = prove_all(&folder);
        assert!(compared.methods > 15_000, "{compared:?}");
        fs::remove_dir_all(&folder).unwrap();
    }
}

/// Blocks that lead anywhere, with handlers anywhere, also where normal
/// control leads, and with one value on the stack between blocks or none.
#[test]
fn random_code_has_the_values_that_reach_it() {
    let mut random = Random(20_261_120);
    let mut total = Compared::default();
    for number in 0..20_000 {
        let bytes = random_class(&mut random);
        match prove(&bytes) {
            Ok(compared) => total.add(&compared),
            Err(difference) => {
                let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("values.class");
                fs::write(&kept, &bytes).unwrap();
                panic!("method {number}, kept as {}: {difference}", kept.display());
            }
        }
    }
    assert_eq!(total.methods, 20_000);
    assert!(total.phis > 20_000 && total.handler_phis > 5_000, "{total:?}");
}

fn random_class(random: &mut Random) -> Vec<u8> {
    let depth = random.index(2);
    let count = 2 + random.index(9);
    let mut blocks: Vec<Vec<u8>> = (0..count).map(|_| random_block(random, depth)).collect();
    // The method starts with an empty stack.
    blocks[0] = vec![ICONST_0; depth];
    blocks[0].push(NOP);
    // A block ends with three bytes of branch, or falls through.
    let ends: Vec<usize> = (0..count).map(|_| random.index(4)).collect();
    let mut starts = Vec::new();
    let mut length = 0;
    for (block, end) in blocks.iter().zip(&ends) {
        starts.push(length);
        length += block.len() + [0, 3, 4, 4][*end];
    }
    let mut code = Vec::new();
    for (block, end) in blocks.iter().zip(&ends) {
        code.extend_from_slice(block);
        if *end > 1 {
            code.push(ILOAD_0 + random.index(4) as u8);
        }
        if *end > 0 {
            // Not to the start, where the stack is empty, unless it is so everywhere.
            let first = depth;
            let target = starts[first + random.index(count - first)] as i64;
            let distance = (target - code.len() as i64) as i16;
            code.push(if *end == 1 { GOTO } else { IFEQ });
            code.extend_from_slice(&distance.to_be_bytes());
        }
    }
    let end = code.len();
    code.push(RETURN);
    let mut method =
        assembler::CodeAssembler { max_stack: 4, max_locals: 4, ..assembler::code(&code) };
    let places = instruction_starts(&code);
    for _ in 0..random.index(4) {
        let from = random.index(places.len() - 1);
        let to = from + 1 + random.index(places.len() - 1 - from);
        // Handlers start with one value on the stack.
        let handler = if depth == 1 { starts[1 + random.index(count - 1)] } else { end + 1 };
        method = method.catches(places[from] as u16, places[to] as u16, handler as u16);
    }
    method.bytes.extend_from_slice(&[POP, ILOAD_0, ILOAD_1, ILOAD_2, ILOAD_3, RETURN]);
    assembler::class_with(49, "(IIII)V", &method)
}

fn instruction_starts(code: &[u8]) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut bci = 0;
    while let Some(&opcode) = code.get(bci) {
        starts.push(bci);
        bci += if matches!(opcode, IINC | GOTO | IFEQ) { 3 } else { 1 };
    }
    starts
}

/// Instructions that leave the stack as deep as it was.
fn random_block(random: &mut Random, depth: usize) -> Vec<u8> {
    let mut block = Vec::new();
    for _ in 0..random.index(6) {
        let (a, b) = (random.index(4) as u8, random.index(4) as u8);
        match random.index(if depth == 1 { 6 } else { 4 }) {
            0 => block.extend_from_slice(&[ILOAD_0 + a, ISTORE_0 + b]),
            1 => block.extend_from_slice(&[ICONST_0, ISTORE_0 + b]),
            2 => block.extend_from_slice(&[IINC, a, 1]),
            3 => block.extend_from_slice(&[
                ILOAD_0 + a,
                ILOAD_0 + b,
                SWAP,
                ISTORE_0 + a,
                ISTORE_0 + b,
            ]),
            4 => block.extend_from_slice(&[DUP, ISTORE_0 + a]),
            _ => block.extend_from_slice(&[ISTORE_0 + a, ILOAD_0 + b]),
        }
    }
    block
}
