//! Removing an annotation from methods removes that one and nothing else.

use classfile::{ClassEditor, ClassFile, Member};

/// Annotations that occur in the JDK and in the fixtures.
const KNOWN: [&[u8]; 6] = [
    b"Ljdk/internal/vm/annotation/IntrinsicCandidate;",
    b"Ljdk/internal/vm/annotation/ForceInline;",
    b"Ljdk/internal/vm/annotation/Hidden;",
    b"Ljdk/internal/reflect/CallerSensitive;",
    b"Ljava/lang/Deprecated;",
    b"Ljava/lang/SafeVarargs;",
];

/// Removes each known annotation from all methods of a class in turn; gives
/// how many were removed.
///
/// # Errors
/// The first method that keeps what was removed or loses something else.
pub fn prove(bytes: &[u8]) -> Result<usize, String> {
    let class = ClassFile::parse(bytes).map_err(|error| error.to_string())?;
    let mut removed = 0;
    for annotation in KNOWN {
        if class.methods().iter().any(|method| method.has_annotation(annotation)) {
            removed += prove_one(&class, annotation)?;
        }
    }
    Ok(removed)
}

fn prove_one(class: &ClassFile<'_>, annotation: &[u8]) -> Result<usize, String> {
    let mut editor = ClassEditor::new(class);
    let mut removed = 0;
    let mut refused = Vec::new();
    for (index, method) in class.methods().iter().enumerate() {
        match editor.remove_annotation(index, annotation) {
            Ok(had) if had == method.has_annotation(annotation) => removed += usize::from(had),
            Ok(had) => return Err(format!("method {index}: removed is {had}")),
            Err(_) => refused.push(index),
        }
    }
    let bytes = editor.finish();
    let edited = ClassFile::parse(&bytes).map_err(|error| error.to_string())?;
    for (index, (before, after)) in class.methods().iter().zip(edited.methods()).enumerate() {
        let mut expected = known_annotations(&before);
        if !refused.contains(&index) {
            expected.retain(|known| *known != annotation);
        }
        if known_annotations(&after) != expected {
            return Err(format!("method {index} has other annotations than before"));
        }
        let code = |method: &Member<'_>| method.code().ok().flatten().map(|code| code.length());
        if code(&before) != code(&after) {
            return Err(format!("method {index} lost its code"));
        }
    }
    Ok(removed)
}

fn known_annotations(method: &Member<'_>) -> Vec<&'static [u8]> {
    KNOWN.into_iter().filter(|annotation| method.has_annotation(annotation)).collect()
}
