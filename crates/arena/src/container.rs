//! The memory that a container allows the JVM.
//!
//! Pages of a file in a file system that is memory itself (`/dev/shm`, often
//! `/tmp` in a container) cannot be written back and taken away. They count
//! like the heap, and when the limit is reached the kernel kills the process.
//! So a profile there gets a share of the limit and no more.

use std::fs;
use std::path::{Path, PathBuf};

/// The part of the container's memory that a profile in memory may take. The
/// heap takes another quarter unless the JVM is told otherwise.
const SHARE: u64 = 4;

/// Bytes that a profile in memory may take; `None` if nothing limits the memory.
pub fn share() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let physical = physical_memory();
    limit_files(&groups)
        .into_iter()
        .filter_map(|file| fs::read_to_string(file).ok()?.trim().parse::<u64>().ok())
        .min()
        // The first version of control groups has a huge number for "no limit".
        .filter(|&limit| limit < physical)
        .map(|limit| limit / SHARE)
}

/// Where the limits of these control groups and of all groups around them may
/// stand. In a container the path may be the one that the host knows; then
/// only the outermost file exists, and it is the container's.
fn limit_files(groups: &str) -> Vec<PathBuf> {
    groups
        .lines()
        .filter_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            let (controllers, group) = (fields.next()?, fields.next()?);
            if controllers.is_empty() {
                Some(("/sys/fs/cgroup", "memory.max", group))
            } else if controllers.split(',').any(|controller| controller == "memory") {
                Some(("/sys/fs/cgroup/memory", "memory.limit_in_bytes", group))
            } else {
                None
            }
        })
        .flat_map(|(mount, name, group)| {
            Path::new(group.trim_start_matches('/'))
                .ancestors()
                .map(move |group| Path::new(mount).join(group).join(name))
        })
        .collect()
}

fn physical_memory() -> u64 {
    // SAFETY: plain questions without arguments to be valid.
    let (pages, size) =
        unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGE_SIZE)) };
    let number = |answer| u64::try_from(answer).unwrap_or(0);
    match number(pages).saturating_mul(number(size)) {
        0 => u64::MAX,
        bytes => bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_both_versions_of_control_groups() {
        let paths = |groups| {
            limit_files(groups).iter().map(|file| file.display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(
            paths("0::/pods/mine\n"),
            [
                "/sys/fs/cgroup/pods/mine/memory.max",
                "/sys/fs/cgroup/pods/memory.max",
                "/sys/fs/cgroup/memory.max"
            ]
        );
        assert_eq!(paths("0::/\n"), ["/sys/fs/cgroup/memory.max"]);
        assert_eq!(
            paths("7:cpu,cpuacct:/x\n5:memory:/docker/77:a\n"),
            [
                "/sys/fs/cgroup/memory/docker/77:a/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/docker/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes"
            ]
        );
        assert!(paths("nonsense").is_empty());
    }
}
