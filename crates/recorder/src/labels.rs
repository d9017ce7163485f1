//! Labels of a run: what tells it apart from others.

use std::collections::BTreeMap;
use std::fs;

use instrument::options::Options;

/// Where builds have the commit that they build: GitHub, GitLab, Jenkins, Azure, Buildkite,
/// CircleCI, Travis, Bitbucket and Drone.
const COMMITS: [&str; 9] = [
    "GITHUB_SHA",
    "CI_COMMIT_SHA",
    "GIT_COMMIT",
    "BUILD_SOURCEVERSION",
    "BUILDKITE_COMMIT",
    "CIRCLE_SHA1",
    "TRAVIS_COMMIT",
    "BITBUCKET_COMMIT",
    "DRONE_COMMIT_SHA",
];
/// Digits of a container's id.
const ID_DIGITS: usize = 64;

/// The labels of a run that begins: those that the options give, and those of the
/// environment if the options ask for them. The former come first.
pub fn of_run(options: &Options) -> BTreeMap<String, String> {
    let mut labels = BTreeMap::new();
    if options.labels_of_environment {
        labels = of_environment(
            |name| std::env::var(name).ok(),
            |path| fs::read_to_string(path).unwrap_or_default(),
        );
    }
    labels.extend(options.labels.iter().cloned());
    labels
}

/// The labels for host, container and commit that the environment gives.
fn of_environment(
    variable: impl Fn(&str) -> Option<String>,
    file: impl Fn(&str) -> String,
) -> BTreeMap<String, String> {
    let commit = COMMITS.iter().find_map(|name| variable(name).filter(|text| !text.is_empty()));
    let container = container_of_groups(&file("/proc/self/cgroup"))
        .or_else(|| container_of_mounts(&file("/proc/self/mountinfo")));
    let host = file("/proc/sys/kernel/hostname").trim().to_owned();
    [("host", Some(host)), ("container", container), ("commit", commit)]
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .filter(|(_, value)| !value.is_empty())
        .collect()
}

/// The id in the path of a control group, where the container sees it.
fn container_of_groups(groups: &str) -> Option<String> {
    groups.lines().find_map(last_id)
}

/// The id in the path of the file that a container engine mounts as `/etc/hostname`: of
/// control groups of version 2 a container sees no path.
fn container_of_mounts(mounts: &str) -> Option<String> {
    mounts.lines().find_map(|line| {
        let mut fields = line.split(' ').skip(3);
        let (root, point) = (fields.next()?, fields.next()?);
        last_id(root).filter(|_| point == "/etc/hostname")
    })
}

/// The last word of 64 hexadecimal digits: that of the innermost container.
fn last_id(path: &str) -> Option<String> {
    let words = path.split(|c: char| !c.is_ascii_alphanumeric());
    let is_id = |word: &&str| {
        word.len() == ID_DIGITS && word.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'))
    };
    words.rev().find(is_id).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{container_of_groups, container_of_mounts, of_environment};

    #[test]
    fn what_the_environment_says() {
        let id = "0123456789abcdef".repeat(4);
        let groups = format!("0::/system.slice/docker-{id}.scope\n");
        let labels = of_environment(
            |name| match name {
                "GITHUB_SHA" => Some(String::new()),
                "GIT_COMMIT" => Some("4f2a".to_owned()),
                _ => None,
            },
            |path| match path {
                "/proc/sys/kernel/hostname" => "build-7\n".to_owned(),
                "/proc/self/cgroup" => groups.clone(),
                _ => String::new(),
            },
        );
        let expected = [("commit", "4f2a"), ("container", &id), ("host", "build-7")];
        let expected: BTreeMap<String, String> =
            expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        assert_eq!(labels, expected);
        assert_eq!(of_environment(|_| None, |_| String::new()), BTreeMap::new());
    }

    #[test]
    fn containers() {
        let (outer, id) = ("f".repeat(64), "0123456789abcdef".repeat(4));
        let groups = format!("12:pids:/\n1:name=systemd:/docker/{outer}/kubepods/{id}\n");
        assert_eq!(container_of_groups(&groups), Some(id.clone()));
        assert_eq!(container_of_groups("0::/user.slice/session-3.scope\n"), None);
        assert_eq!(container_of_groups(&format!("0::/{}\n", "F".repeat(64))), None);
        let mount = |root: &str, point: &str| format!("36 35 98:0 {root} {point} rw - ext4 a b\n");
        let mounts = mount(&format!("/lib/docker/containers/{outer}/x"), "/etc/hosts")
            + &mount(&format!("/lib/docker/containers/{id}/hostname"), "/etc/hostname");
        assert_eq!(container_of_mounts(&mounts), Some(id));
        assert_eq!(container_of_mounts("36 35\n"), None);
    }
}
