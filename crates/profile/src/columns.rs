//! Which columns to read.

/// Which metrics to decode. Others cost no memory and are not in the result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Columns {
    /// All that the file has.
    #[default]
    All,
    /// Those of these names; names that the file lacks are passed over.
    Only(Vec<String>),
}

impl Columns {
    /// The metrics of these names.
    pub fn only(names: &[&str]) -> Self {
        Self::Only(names.iter().map(|&name| name.to_owned()).collect())
    }

    /// True if the metric of that name is wanted.
    pub fn contains(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(names) => names.iter().any(|wanted| wanted == name),
        }
    }
}
