//! Where the code of methods stands, below the root of the repository.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use analysis::source::extent::SourceText;
use analysis::source::files::{SourceFile, SourceFiles, usual_path};
use profile::Profile;
use rustc_hash::FxHashMap;
use tree::names::method::Method;

use super::finding::Step;
use super::uri;

/// What is known of the source files of some classes.
#[derive(Debug)]
pub struct Places {
    /// Names of source files by class.
    names: FxHashMap<String, String>,
    /// The first and the last line of calls in each method.
    calls: FxHashMap<Method, (u16, u16)>,
    /// The files that the user names.
    sources: Option<Arc<SourceFiles>>,
    /// The repository's root.
    root: PathBuf,
    /// The files of classes that were asked for.
    files: RefCell<FxHashMap<String, Rc<FileOfClass>>>,
    /// Files that were read.
    texts: RefCell<FxHashMap<SourceFile, Option<Rc<SourceText>>>>,
}

/// The file of a class.
#[derive(Debug)]
struct FileOfClass {
    /// Below the root, as a part of a URI.
    uri: String,
    /// Whether it is one of those that the user names, and lies in a folder.
    is_found: bool,
    /// That one; it may lie in an archive.
    source: Option<SourceFile>,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The file below the root, as a part of a URI.
    pub uri: String,
    /// The line, from 1 on.
    pub line: usize,
    /// Whether the file is one of those that the user names.
    pub is_found: bool,
}

impl Places {
    /// Those of the classes in some profiles, in these source files.
    pub fn new<'p>(
        profiles: impl IntoIterator<Item = &'p Profile>,
        sources: Option<Arc<SourceFiles>>,
    ) -> Self {
        let mut places = Self {
            names: FxHashMap::default(),
            calls: FxHashMap::default(),
            sources,
            root: root(&std::env::current_dir().unwrap_or_default()),
            files: RefCell::default(),
            texts: RefCell::default(),
        };
        for profile in profiles {
            places.add(profile);
        }
        places
    }

    /// With further names of source files, by class.
    pub fn with_names(mut self, names: &FxHashMap<String, String>) -> Self {
        for (class, name) in names {
            self.names.entry(class.clone()).or_insert_with(|| name.clone());
        }
        self
    }

    fn add(&mut self, profile: &Profile) {
        for class in profile.classes.iter().filter(|class| !class.source_file.is_empty()) {
            self.names.entry(class.name.clone()).or_insert_with(|| class.source_file.clone());
        }
        for (name, method) in profile.names().zip(&profile.methods) {
            let lines = method.sites.iter().map(|site| site.line).filter(|&line| line > 0);
            let Some((first, last)) = lines.clone().min().zip(lines.max()) else { continue };
            self.calls.entry(Method::from(name)).or_insert((first, last));
        }
    }

    /// Whether the user names source files.
    pub fn has_sources(&self) -> bool {
        self.sources.is_some()
    }

    /// Where a step stands. Without a line, it is the method's declaration if that is found,
    /// or its first call.
    pub fn position(&self, step: &Step<'_>) -> Position {
        let file = self.file_of(&step.method.class);
        let line = match step.line {
            0 => self.line_of(step.method, file.source.as_ref()),
            line => line.into(),
        };
        Position { uri: file.uri.clone(), line, is_found: file.is_found }
    }

    fn file_of(&self, class: &str) -> Rc<FileOfClass> {
        if let Some(known) = self.files.borrow().get(class) {
            return Rc::clone(known);
        }
        let name = self.names.get(class).map_or("", String::as_str);
        let sources = self.sources.as_ref();
        let source = sources.and_then(|files| files.of_class(class, name)).cloned();
        let path = source.as_ref().and_then(|file| self.below_root(file));
        let is_found = path.is_some();
        let path = path.unwrap_or_else(|| usual_path(class, name).into());
        let file = Rc::new(FileOfClass { uri: uri::of_path(&path), is_found, source });
        self.files.borrow_mut().insert(class.to_owned(), Rc::clone(&file));
        file
    }

    /// The path of a file below the root; in the folder that was named, if that is elsewhere.
    fn below_root(&self, file: &SourceFile) -> Option<PathBuf> {
        let path = file.path()?.canonicalize().ok()?;
        match path.strip_prefix(&self.root) {
            Ok(path) => Some(path.to_owned()),
            Err(_) => Some(PathBuf::from(&file.name)),
        }
    }

    fn line_of(&self, method: &Method, file: Option<&SourceFile>) -> usize {
        let calls = self.calls.get(method).map(|&(first, last)| (first.into(), last.into()));
        let declared = file.and_then(|file| {
            let text = self.text(file)?;
            Some(*text.extent(&method.class, &method.name, calls)?.start())
        });
        declared.or(calls.map(|(first, _)| first)).unwrap_or(1)
    }

    fn text(&self, file: &SourceFile) -> Option<Rc<SourceText>> {
        if let Some(known) = self.texts.borrow().get(file) {
            return known.clone();
        }
        let text = self.sources.as_ref()?.text(file);
        let text = text.map(|text| Rc::new(SourceText::new(&text)));
        self.texts.borrow_mut().insert(file.clone(), text.clone());
        text
    }
}

/// The root of the repository that a folder is in; the folder itself if it is in none.
fn root(folder: &Path) -> PathBuf {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let root = folder.ancestors().find(|folder| folder.join(".git").exists());
    root.unwrap_or(&folder).to_owned()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use profile::{CallSite, ClassId, ClassInfo, MethodInfo};

    use super::*;

    fn method(class: &str, name: &str) -> Method {
        Method { class: class.into(), name: name.into(), descriptor: "()V".into() }
    }

    fn profile() -> Profile {
        let class = |name: &str, source_file: &str| ClassInfo {
            name: name.into(),
            source_file: source_file.into(),
            ..ClassInfo::default()
        };
        let method = |class, name: &str, lines: &[u16]| MethodInfo {
            class: ClassId(class),
            name: name.into(),
            descriptor: "()V".into(),
            access: 0,
            sites: lines.iter().map(|&line| CallSite { bci: line, line }).collect(),
        };
        Profile {
            classes: vec![class("shop.Till", "Till.java"), class("shop.TillKt", "Till.kt")],
            methods: vec![method(0, "open", &[0, 5, 4]), method(1, "close", &[])],
            ..Profile::default()
        }
    }

    #[test]
    fn without_sources_packages_say_where_files_are() {
        let places = Places::new([&profile()], None);
        let at = |class: &str, name: &str, line| {
            let Position { uri, line, .. } =
                places.position(&Step::new(&method(class, name), line));
            (uri, line)
        };
        assert_eq!(at("shop.Till", "open", 0), ("shop/Till.java".into(), 4));
        assert_eq!(at("shop.Till", "open", 7), ("shop/Till.java".into(), 7));
        assert_eq!(at("shop.TillKt", "close", 0), ("shop/Till.kt".into(), 1));
        assert_eq!(at("lib.Of$Others", "run", 9), ("lib/Of.java".into(), 9));
    }

    #[test]
    fn sources_say_where_methods_are_declared() {
        let folder = std::env::temp_dir().join(format!("sarif-places-{}", std::process::id()));
        let source = folder.join("app/src/shop");
        fs::create_dir_all(folder.join(".git")).expect("a folder can be made");
        fs::create_dir_all(&source).expect("a folder can be made");
        let text = "package shop;\nclass Till {\n    void open() {\n        a();\n        b();\n    }\n}\n";
        fs::write(source.join("Till.java"), text).expect("it can be written");
        let sources = SourceFiles::below(&[folder.join("app/src")]).expect("it is there");
        let mut places = Places::new([&profile()], Some(Arc::new(sources)));
        places.root = root(&folder.join("app"));
        let open = method("shop.Till", "open");
        let found = places.position(&Step::new(&open, 0));
        let expected = Position { uri: "app/src/shop/Till.java".into(), line: 3, is_found: true };
        assert_eq!(found, expected);
        assert!(!places.position(&Step::new(&method("lib.Other", "run"), 1)).is_found);
        fs::remove_dir_all(&folder).expect("it was made");
    }
}
