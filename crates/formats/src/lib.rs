//! Other tools' profiles: [`import`] reads them, [`export`] writes them.

#![warn(clippy::missing_errors_doc)]

pub mod export;
pub mod import;
pub mod parquet_pages;
pub mod protobuf;
