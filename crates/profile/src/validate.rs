//! The rules that every profile keeps.

use crate::{Error, NO_PARENT, Profile};

impl Profile {
    /// Checks what the documentation of the model promises: columns of equal
    /// length, numbers within their tables, preorder, contiguous subtrees, and
    /// threads that cover the contexts in order, each from a root on.
    ///
    /// [`read`](crate::read) returns only profiles that pass.
    ///
    /// # Errors
    ///
    /// Names the first rule that is broken.
    pub fn validate(&self) -> Result<(), Error> {
        self.validate_tables()?;
        self.validate_columns()?;
        self.dataflow.validate(self.methods.len())?;
        self.blocks.iter().try_for_each(|blocks| blocks.validate(self.methods.len()))?;
        if let Some(one) =
            self.allocated.iter().find(|one| one.method.0 as usize >= self.methods.len())
        {
            let (method, methods) = (one.method.0, self.methods.len());
            return Err(Error::invalid(format!("bytes of method {method} of {methods}")));
        }
        let mut end = 0;
        for (index, thread) in self.threads.iter().enumerate() {
            if thread.nodes.start != end || thread.nodes.end < end {
                return Err(Error::invalid(format!(
                    "thread {index} has contexts {:?}, the one before ends at {end}",
                    thread.nodes
                )));
            }
            end = thread.nodes.end;
            if end as usize > self.nodes.len() {
                return Err(Error::invalid(format!(
                    "thread {index} ends at context {end} of {}",
                    self.nodes.len()
                )));
            }
            self.validate_thread(index)?;
        }
        if end as usize != self.nodes.len() {
            return Err(Error::invalid(format!(
                "threads have {end} of {} contexts",
                self.nodes.len()
            )));
        }
        Ok(())
    }

    fn validate_tables(&self) -> Result<(), Error> {
        if !self.code_hashes.is_empty() && self.code_hashes.len() != self.methods.len() {
            return Err(Error::invalid(format!(
                "{} hashes of code for {} methods",
                self.code_hashes.len(),
                self.methods.len()
            )));
        }
        for (index, method) in self.methods.iter().enumerate() {
            if method.class.0 as usize >= self.classes.len() {
                return Err(Error::invalid(format!(
                    "method {index} is of class {} of {}",
                    method.class.0,
                    self.classes.len()
                )));
            }
        }
        Ok(())
    }

    fn validate_columns(&self) -> Result<(), Error> {
        let len = self.nodes.len();
        if len >= NO_PARENT as usize {
            return Err(Error::invalid(format!("{len} contexts are more than can be numbered")));
        }
        let lengths = [("parent", self.nodes.parent.len()), ("site", self.nodes.site.len())];
        let metrics = self.nodes.metrics.iter().map(|m| (m.name.as_str(), m.values.len()));
        for (name, length) in lengths.into_iter().chain(metrics) {
            if length != len {
                return Err(Error::invalid(format!(
                    "column {name} has {length} values for {len} contexts"
                )));
            }
        }
        Ok(())
    }

    /// One walk with the path as a stack: a parent that is not on it breaks
    /// preorder or the contiguity of a subtree.
    fn validate_thread(&self, index: usize) -> Result<(), Error> {
        let nodes = &self.nodes;
        let mut path: Vec<u32> = Vec::new();
        for node in self.threads[index].nodes.clone() {
            let at = node as usize;
            let method = nodes.method[at];
            if method as usize >= self.methods.len() {
                return Err(Error::invalid(format!(
                    "context {node} is of method {method} of {}",
                    self.methods.len()
                )));
            }
            let parent = nodes.parent[at];
            while path.last().is_some_and(|&last| last != parent) {
                path.pop();
            }
            let sites = match path.last() {
                Some(&last) => self.methods[nodes.method[last as usize] as usize].sites.len(),
                None if parent == NO_PARENT => 0,
                None => {
                    return Err(Error::invalid(format!(
                        "context {node} has parent {parent}, which is not on its path"
                    )));
                }
            };
            if nodes.site[at] as usize > sites {
                return Err(Error::invalid(format!(
                    "context {node} is called at site {} of {sites}",
                    nodes.site[at]
                )));
            }
            path.push(node);
        }
        Ok(())
    }
}
