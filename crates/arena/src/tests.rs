use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::Ordering;

use base::whole_file::create_private;

use super::*;

fn temporary(name: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("subsume-arena-{}-{name}", std::process::id()))
}

#[test]
fn memory_is_the_file() {
    let path = temporary("file");
    let arena = create_private(&path)
        .and_then(|file| Arena::create(file, None))
        .expect("a temporary file can be mapped");
    let at = arena.take(4).expect("the first piece has room");
    assert_eq!(at % 2, 0);
    arena.word(at).expect("taken").store(0x0403_0201, Ordering::Relaxed);
    arena.long(at + 2).expect("taken").store(0x0908_0706_0504_0302, Ordering::Relaxed);
    let bytes = std::fs::read(&path).expect("readable by its owner");
    let offset = layout::ARENA_OFFSET + at as usize * 4;
    assert_eq!(bytes[offset..offset + 4], [1, 2, 3, 4]);
    assert_eq!(bytes[offset + 8..offset + 16], [2, 3, 4, 5, 6, 7, 8, 9]);
    let mode = std::fs::metadata(&path).expect("it exists").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    std::fs::remove_file(&path).expect("it exists");
}

#[test]
fn grows_without_moving() {
    let path = temporary("growth");
    let arena = create_private(&path)
        .and_then(|file| Arena::create(file, None))
        .expect("a temporary file can be mapped");
    let first = arena.take(2).expect("room");
    let before = arena.word(first).expect("taken") as *const AtomicU32;
    for _ in 0..3 {
        let at = arena.take((COMMIT_FIRST / 4) as u32).expect("the disk has room");
        arena.word(at + 1).expect("usable").store(7, Ordering::Relaxed);
    }
    assert_eq!(arena.word(first).expect("still there") as *const AtomicU32, before);
    let length = std::fs::metadata(&path).expect("it exists").len();
    assert!(length > 3 * COMMIT_FIRST);
    assert_eq!(length, arena.header_long(layout::header::COMMITTED).load(Ordering::Relaxed) + 4096);
    std::fs::remove_file(&path).expect("it exists");
}

#[test]
fn the_overflow_takes_writes_and_is_no_part_of_the_file() {
    let path = temporary("overflow");
    let arena = create_private(&path)
        .and_then(|file| Arena::create(file, None))
        .expect("a temporary file can be mapped");
    let at = arena.take_overflow(5).expect("nothing was taken yet");
    assert!(at >= arena.overflow() + layout::RESERVED_WORDS);
    arena.word(at + 4).expect("usable").store(1, Ordering::Relaxed);
    let words = arena.views.overflow_bytes() as u32 / 4;
    assert!(arena.word(arena.overflow() + words).is_none());
    assert!(arena.word(arena.overflow() - 1).is_none(), "nothing is mapped in front of it");
    assert!(arena.take_overflow(words).is_none());
    std::fs::remove_file(&path).expect("it exists");
}

#[test]
fn a_detached_program_writes_to_pages_of_its_own() {
    let path = temporary("detached");
    let arena = create_private(&path)
        .and_then(|file| Arena::create(file, None))
        .expect("a temporary file can be mapped");
    let at = arena.take(2).expect("room");
    // What instrumented code has is an address in its view.
    let programs = arena.word(at).expect("taken");
    programs.store(1, Ordering::Relaxed);
    arena.detach_program().expect("a file can be mapped privately");
    programs.store(2, Ordering::Relaxed);
    assert_eq!(arena.word(at).expect("taken").load(Ordering::Relaxed), 1);
    // The agent goes on, also in new memory.
    let new = arena.take((COMMIT_FIRST / 2) as u32).expect("the disk has room");
    arena.word(new).expect("taken").store(7, Ordering::Relaxed);
    arena.attach_program().expect("a file can be mapped");
    assert_eq!(programs.load(Ordering::Relaxed), 1);
    programs.store(3, Ordering::Relaxed);
    assert_eq!(arena.word(at).expect("taken").load(Ordering::Relaxed), 3);
    assert_eq!(arena.word(new).expect("taken").load(Ordering::Relaxed), 7);
    std::fs::remove_file(&path).expect("it exists");
}

#[test]
fn memory_has_a_limit() {
    let path = temporary("limit");
    let limit = 4 * COMMIT_FIRST;
    let arena = create_private(&path)
        .and_then(|file| Arena::create(file, Some(limit)))
        .expect("a temporary file can be mapped");
    let piece = (COMMIT_FIRST / 4) as u32;
    while arena.take(piece).is_some() {}
    assert_eq!(arena.shortage(), Some(Shortage::MaxMemory(limit)));
    assert!(arena.take(2).is_none(), "what was refused once stays so");
    assert!(std::fs::metadata(&path).expect("it exists").len() <= limit);
    std::fs::remove_file(&path).expect("it exists");
}

#[test]
fn word_0_lies_on_a_boundary_of_16_gigabytes() {
    let arena = Arena::in_memory().expect("a file in memory can be mapped");
    assert_eq!(arena.base_address() % (1 << 34), 0);
}

#[test]
fn only_pages_of_one_size_will_do() {
    assert_eq!(obstacle_of(4096), None);
    let told = obstacle_of(65_536).expect("the header has less");
    assert_eq!(told, "memory pages of this system have 65536 bytes, and not 4096");
    assert_eq!(page_obstacle(), None, "this system");
}

/// Bytes of addresses that the process has.
fn addresses() -> u64 {
    let status = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
    let pages: u64 = status.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
    pages * 4096
}

#[test]
fn what_comes_to_nothing_gives_its_addresses_back() {
    let before = addresses();
    for _ in 0..20 {
        // An arena needs a file that can be written.
        let folder = File::open(std::env::temp_dir()).expect("there is a folder");
        assert!(Arena::create(folder, None).is_err());
        drop(Arena::in_memory().expect("there are addresses"));
    }
    // Other tests have some meanwhile.
    let more = addresses().saturating_sub(before);
    assert!(more < 300 << 30, "{} GB more", more >> 30);
}
