//! Programs, one for each feature of the language and the JVM, recorded and
//! witnessed.

mod first;
