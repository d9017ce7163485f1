//! Writes random programs: a class for each seed, of actions that were chosen from all
//! families. An action calls others, in one way or another.

use std::collections::BTreeMap;
use std::fmt::Write;

use support::random::Random;

use super::families;
use super::kinds::Kind;

/// What an action costs: how often it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// So often that C2 compiles it.
    Cheap,
    Medium,
    Dear,
    /// Classes come into being.
    Classes,
    /// Threads are started.
    Threads,
}

impl Cost {
    fn rounds(self, random: &mut Random) -> u64 {
        match self {
            Self::Cheap => 2000 + random.below(8000),
            Self::Medium => 500 + random.below(2500),
            Self::Dear => 60 + random.below(200),
            Self::Classes => 20 + random.below(60),
            Self::Threads => 8 + random.below(24),
        }
    }
}

/// An action: the method `opN(int i)` from its first statement to that before the
/// result, which is in `h`, and what stands beside it in the class.
#[derive(Debug)]
pub struct Action {
    pub family: &'static str,
    pub cost: Cost,
    pub members: String,
    pub body: String,
}

impl Action {
    /// The same with more members.
    pub fn with_members(mut self, members: &str) -> Self {
        self.members.push_str(members);
        self
    }
}

/// Writes one action: text in which `$n` is the action's number, and other names behind
/// `$` are those that are given.
#[derive(Debug)]
pub struct Writer<'a> {
    pub random: &'a mut Random,
    names: BTreeMap<String, String>,
}

impl<'a> Writer<'a> {
    pub fn new(random: &'a mut Random, seed: u64, number: usize) -> Self {
        let mut writer = Self { random, names: BTreeMap::new() };
        writer.set("n", number);
        writer.set("Seed", format!("Seed{seed}"));
        writer
    }

    /// Says what stands for a name.
    pub fn set(&mut self, name: &str, text: impl ToString) {
        self.names.insert(name.to_owned(), text.to_string());
    }

    /// Chooses a type. `$T` is its name, if `name` is that; `$TX` its name in accessors,
    /// `$TB` the class of its boxes, and `$Tv` and `$Tw` values.
    pub fn kind(&mut self, name: &str, kind: Kind) -> Kind {
        self.set(name, kind.name());
        self.set(&format!("{name}X"), kind.accessor());
        self.set(&format!("{name}B"), kind.wrapper());
        for value in ["v", "w"] {
            let text = kind.value(self.random);
            self.set(&format!("{name}{value}"), text);
        }
        kind
    }

    /// Chooses any type.
    pub fn any(&mut self, name: &str) -> Kind {
        let kind = Kind::any(self.random);
        self.kind(name, kind)
    }

    /// Chooses the parameters of a method: `$name` declares them, `$nameS` are their
    /// classes, each behind a comma, `$nameA` arguments, `$nameL` locals `aN` that hold
    /// them, `$nameU` their names, `$nameM` adds them to `h`, `$nameC` how many there are.
    pub fn parameters(&mut self, name: &str, least: u64, most: u64) -> Vec<Kind> {
        let count = least + self.random.below(most - least + 1);
        let kinds: Vec<_> = (0..count).map(|_| Kind::any(self.random)).collect();
        let each = |text: &mut dyn FnMut(usize, Kind) -> String| {
            kinds.iter().enumerate().map(|(at, &kind)| text(at, kind)).collect::<Vec<_>>()
        };
        let declared = each(&mut |at, kind| format!("{} p{at}", kind.name())).join(", ");
        let classes = each(&mut |_, kind| format!(", {}.class", kind.name())).concat();
        let used = each(&mut |at, _| format!("a{at}")).join(", ");
        let mixed = each(&mut |at, _| format!("h = Sum.add(h, p{at}); ")).concat();
        let arguments = each(&mut |_, kind| kind.value(self.random)).join(", ");
        let locals =
            each(&mut |at, kind| format!("{} a{at} = {}; ", kind.name(), kind.value(self.random)));
        self.set(name, declared);
        self.set(&format!("{name}S"), classes);
        self.set(&format!("{name}A"), arguments);
        self.set(&format!("{name}L"), locals.concat());
        self.set(&format!("{name}U"), used);
        self.set(&format!("{name}M"), mixed);
        self.set(&format!("{name}C"), count);
        kinds
    }

    /// One of several texts.
    pub fn pick(&mut self, texts: &[&str]) -> String {
        texts[self.random.index(texts.len())].to_owned()
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.random.below(100) < percent
    }

    /// A text with all names replaced.
    ///
    /// # Panics
    /// If nothing stands for a name.
    pub fn fill(&self, template: &str) -> String {
        let mut filled = String::new();
        let mut parts = template.split('$');
        filled.push_str(parts.next().unwrap_or_default());
        for part in parts {
            // The longest name that it begins with.
            let (name, text) = (self.names.iter())
                .filter(|(name, _)| part.starts_with(name.as_str()))
                .max_by_key(|(name, _)| name.len())
                .unwrap_or_else(|| panic!("nothing stands for ${part}"));
            filled.push_str(text);
            filled.push_str(&part[name.len()..]);
        }
        filled
    }

    /// An action of filled texts.
    pub fn action(&self, family: &'static str, cost: Cost, members: &str, body: &str) -> Action {
        Action { family, cost, members: self.fill(members), body: self.fill(body) }
    }
}

/// What stands in front of all programs.
const IMPORTS: &str = "\
import java.io.*;
import java.lang.annotation.*;
import java.lang.invoke.*;
import java.lang.reflect.*;
import java.lang.reflect.Parameter;
import java.nio.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;
";

/// Actions of a program.
const ACTIONS: usize = 9;

/// The source of the class of a seed.
pub fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9) ^ 0x68_61_72_6d);
    let mut text =
        format!("{IMPORTS}\n@SuppressWarnings(\"all\")\npublic final class Seed{seed} {{\n");
    let mut run = String::new();
    // What later actions may call.
    let mut callees: Vec<usize> = Vec::new();
    for number in 0..ACTIONS {
        let family = families::ALL[random.index(families::ALL.len())];
        let action = family(&mut Writer::new(&mut random, seed, number));
        let called = call(&mut random, &callees);
        let (calls, called) = called.map_or_else(Default::default, |way| {
            let calls = format!(
                "    static long calls{number}(int i) throws Throwable {{\n        \
                 long h = {number};\n        {way}\n        return h;\n    }}\n\n"
            );
            let called =
                "        if (i % 61 == 5) {\n            h = Sum.add(h, callsN(i));\n        }\n";
            (calls, called.replace("callsN", &format!("calls{number}")))
        });
        let rounds = action.cost.rounds(&mut random);
        let _ = write!(
            text,
            "    // {}\n{}\n{calls}    static long op{number}(int i) throws Throwable {{\n        \
             long h = {number};\n{}\n{called}        return h;\n    }}\n\n",
            action.family, action.members, action.body
        );
        let _ = writeln!(
            run,
            "        RunsSeeds.repeat({seed}, \"op{number} {}\", {rounds}, percent, Seed{seed}::op{number});",
            action.family
        );
        if action.cost != Cost::Threads {
            callees.push(number);
        }
    }
    let _ = write!(text, "    public static void run(int percent) {{\n{run}    }}\n}}\n");
    text.replace("SEED", &format!("Seed{seed}"))
}

/// A call of an earlier action, in some way.
fn call(random: &mut Random, callees: &[usize]) -> Option<String> {
    let &callee = callees.get(random.index(callees.len() * 3 / 2))?;
    let way = match random.below(9) {
        0 => "h = Sum.add(h, opX(i & 3));",
        1 => "RunsSeeds.Action action = SEED::opX;\n        h = Sum.add(h, action.act(i & 3));",
        2 => {
            "Method called = SEED.class.getDeclaredMethod(\"opX\", int.class);
            h = Sum.add(h, (long) called.invoke(null, i & 3));"
        }
        3 => {
            "MethodHandle called = MethodHandles.lookup().findStatic(SEED.class, \"opX\", MethodType.methodType(long.class, int.class));
            h = Sum.add(h, (long) called.invokeExact(i & 3));"
        }
        4 => "synchronized (SEED.class) {\n        h = Sum.add(h, opX(i & 3));\n        }",
        5 => {
            "try {\n        h = Sum.add(h, opX(i & 3));
            } catch (Exception e) {\n        h = Sum.add(h, e);\n        } finally {
                h = Sum.add(h, i);\n        }"
        }
        6 => {
            "RunsSeeds.Action action = (RunsSeeds.Action) Proxy.newProxyInstance(SEED.class.getClassLoader(),
            new Class<?>[] {RunsSeeds.Action.class}, (proxy, method, arguments) -> opX((int) arguments[0] & 3));
            h = Sum.add(h, action.act(i & 3));"
        }
        7 => {
            "Map<Integer, Long> map = new TreeMap<>();
            final int key = i;
            map.computeIfAbsent(i & 3, k -> {
                try {
                    return opX(k);
                } catch (Throwable e) {
                    return Sum.add(k, e);
                }
            });
            h = Sum.add(h, map);"
        }
        _ => {
            "Object result = MethodHandles.lookup().unreflect(SEED.class.getDeclaredMethod(\"opX\", int.class))
                .invokeWithArguments(List.of(i & 3));
            h = Sum.add(h, result);"
        }
    };
    Some(way.replace("opX", &format!("op{callee}")))
}

#[cfg(test)]
mod tests {
    use super::program;

    #[test]
    fn a_seed_always_gives_the_same_program() {
        assert_eq!(program(7), program(7));
        assert_ne!(program(7), program(8));
        assert!(!program(7).contains('$'), "everything is filled in");
    }
}
