//! What the agent recorded of a program.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;

use interpreter::{Following, Names, Numbering, SiteName, Unfollowed, site_hash};
use profile::dataflow::{Objects, SiteId};
use profile::{MethodId, Profile};
use support::{Jdk, agent_option, artifacts, java};
use witness::REPEATABLE;

use crate::rig::{ARGUMENTS, compiled, needed, scratch};

/// Loads, stores, computations, comparisons and copies of a method.
pub type Kinds = [u64; 5];

/// Records a program with these options of the agent: the profile, and what the
/// program printed.
pub fn record(program: &str, jdk: &Jdk, options: &str) -> Result<(Profile, String), String> {
    let name: String = options.chars().filter(char::is_ascii_alphanumeric).collect();
    let file = scratch().join(format!("{program}-{}-{name}.subsume", jdk.release));
    let _ = fs::remove_file(&file);
    let agent = agent_option(&artifacts().agent, &format!("{options},out={}", file.display()));
    let output = java(jdk)
        .args(REPEATABLE)
        .args(needed(jdk))
        .arg(agent)
        .arg("-cp")
        .arg(compiled())
        .arg(program)
        .args(ARGUMENTS)
        .output()
        .map_err(|error| format!("java does not start: {error}"))?;
    if !output.status.success() || !output.stderr.is_empty() {
        return Err(format!("{output:?}"));
    }
    let profile = profile::read_file(&file);
    let profile = profile.map_err(|error| format!("{}: {error}", file.display()))?;
    Ok((profile, String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// Class, name and descriptor of a method of a profile.
pub fn method_name(profile: &Profile, method: MethodId) -> String {
    let method = &profile.methods[method.0 as usize];
    let class = &profile.classes[method.class.0 as usize].name;
    format!("{class}.{}{}", method.name, method.descriptor)
}

/// What a recording with these options does not follow.
pub fn unfollowed(profile: &Profile, left_out: &str) -> Unfollowed {
    let mut methods = BTreeMap::new();
    for skipped in profile.skipped.iter().filter(|skipped| !skipped.method.is_empty()) {
        let name = format!("{}.{}", skipped.class, skipped.method);
        let following: &mut Following = methods.entry(name).or_insert(Following::ALL);
        if skipped.reason.starts_with("its values are not followed") {
            following.values = false;
        } else if skipped.reason.starts_with("what it makes has no site of its own") {
            following.sites = false;
        } else if skipped.reason.starts_with("what it stores may seem to come from") {
            following.stores = false;
        } else if skipped.reason.starts_with("the code would take") {
            *following = Following { stores: following.stores, ..Following::NOTHING };
        }
    }
    methods.retain(|_, following| *following != Following::ALL);
    let classes = left_out.split(';').filter(|pattern| !pattern.is_empty());
    Unfollowed { classes: classes.map(str::to_owned).collect(), methods }
}

/// Numbers for sites from which the same slots follow as the recording has:
/// their hashes.
///
/// # Errors
/// The site that is in another slot.
pub fn numbering(objects: &Objects, names: &Names<'_>) -> Result<Numbering, String> {
    let mut numbers: HashMap<SiteName, u32> = HashMap::new();
    for context in &objects.contexts {
        let slot = objects.tags[context.tag.0 as usize].slot;
        let site = names.site(objects, SiteId(context.context));
        if slot == 0 {
            return Err(format!("{site:?} is in the slot of no receiver"));
        }
        let expected = site_hash(&site) % objects.slots;
        if *numbers.entry(site.clone()).or_insert(expected) != slot - 1 {
            return Err(format!("{site:?} is in slot {slot}, not in slot {}", expected + 1));
        }
    }
    Ok(Numbering::new(numbers))
}

/// The chains in which enums' methods `values` are called beside those that the
/// machine knows: the JDK calls them by reflection, which it does not run.
pub fn reflected(objects: &Objects, names: &Names<'_>) -> BTreeMap<String, u32> {
    let mut found: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for context in &objects.contexts {
        let site = names.site(objects, objects.tags[context.tag.0 as usize].site);
        if site.method.contains(".values()") {
            found.entry(site.method).or_default().insert(context.context);
        }
    }
    let only = |(method, chains): (String, BTreeSet<u32>)| match chains.len() {
        1 => chains.first().map(|&chain| (method, chain)),
        _ => None,
    };
    found.into_iter().filter_map(only).collect()
}

/// The classes whose initialisers were recorded.
pub fn initialised(profile: &Profile) -> BTreeSet<String> {
    let called = profile.nodes.method.iter().map(|&method| MethodId(method));
    let costs = profile.dataflow.costs.iter().flat_map(|graph| {
        let executed = graph.nodes.iter().filter(|node| node.frequency > 0);
        executed.filter_map(|node| graph.instructions[node.instruction.0 as usize].place.method)
    });
    let methods = called.chain(costs).map(|method| &profile.methods[method.0 as usize]);
    let initialisers = methods.filter(|method| method.name == "<clinit>");
    initialisers.map(|of| profile.classes[of.class.0 as usize].name.clone()).collect()
}

/// What each method of the program's own classes executed.
pub fn kinds(profile: &Profile, own: &BTreeSet<String>) -> BTreeMap<String, Kinds> {
    let metrics = ["loads", "stores", "alu", "comparisons", "copies"]
        .map(|name| profile.nodes.metric(name).map_or(&[][..], |metric| &metric.values));
    let mut found: BTreeMap<String, Kinds> = BTreeMap::new();
    for (node, &method) in profile.nodes.method.iter().enumerate() {
        let info = &profile.methods[method as usize];
        if own.contains(&profile.classes[info.class.0 as usize].name) {
            let name = method_name(profile, MethodId(method));
            let sums = found.entry(name).or_default();
            for (sum, values) in sums.iter_mut().zip(metrics) {
                *sum += values.get(node).copied().unwrap_or_default();
            }
        }
    }
    found.retain(|_, kinds| *kinds != Kinds::default());
    found
}
