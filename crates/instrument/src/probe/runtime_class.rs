//! The classes of `java-shim` that the probes of a mode end up in.

/// The class files that the agent brings along.
#[derive(Debug, Clone, Copy)]
pub struct Shim {
    /// Takes the place of a program's `subsume.Profile`.
    pub profile_api: &'static [u8],
    /// That of a runtime class, by its name without the package.
    pub runtime_class: fn(&str) -> Option<&'static [u8]>,
}

/// A class that is defined in `java.lang` when the JVM starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuntimeClass {
    /// Its name, without the package.
    pub name: &'static str,
    /// How it is initialised, with all classes that were defined before; `None` if
    /// another class does it.
    pub initialisation: Option<Initialisation>,
}

/// How a runtime class is initialised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Initialisation {
    /// A static method without arguments that says whether the class works here.
    pub method: &'static str,
    /// What the user is told if not.
    pub refusal: &'static str,
}

impl RuntimeClass {
    /// A class that another one initialises.
    pub const fn new(name: &'static str) -> Self {
        Self { name, initialisation: None }
    }

    /// A class that this method initialises, or else this is why nothing is recorded.
    pub const fn initialised_by(
        name: &'static str,
        method: &'static str,
        refusal: &'static str,
    ) -> Self {
        Self { name, initialisation: Some(Initialisation { method, refusal }) }
    }
}
