//! A table of a dataset: a Parquet file of flat columns, small enough for memory.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, SchemaDescriptor, Type};

use crate::checksum::{self, Summed};
use formats::parquet_pages::append_column;
use tree::error::{Error, Result};

/// The values of one column. Numbers are signed, as all engines read them.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// Numbers of 32 bits.
    Int(Vec<i32>),
    /// Numbers of 64 bits.
    Long(Vec<i64>),
    /// Hashes: numbers of 64 bits that hardly repeat.
    Hash(Vec<i64>),
    /// Numbers of 64 bits, where there are any.
    Optional(Vec<Option<i64>>),
    /// Texts.
    Text(Vec<String>),
    /// The same text in all of so many rows.
    Same(String, usize),
}

impl Column {
    fn rows(&self) -> usize {
        match self {
            Self::Int(values) => values.len(),
            Self::Long(values) | Self::Hash(values) => values.len(),
            Self::Optional(values) => values.len(),
            Self::Text(values) => values.len(),
            Self::Same(_, rows) => *rows,
        }
    }

    fn schema(&self, name: &str) -> std::result::Result<Type, ParquetError> {
        let (physical, logical, repetition) = match self {
            Self::Int(_) => (Physical::INT32, None, Repetition::REQUIRED),
            Self::Long(_) | Self::Hash(_) => (Physical::INT64, None, Repetition::REQUIRED),
            Self::Optional(_) => (Physical::INT64, None, Repetition::OPTIONAL),
            Self::Text(_) | Self::Same(..) => {
                (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::REQUIRED)
            }
        };
        Type::primitive_type_builder(name, physical)
            .with_logical_type(logical)
            .with_repetition(repetition)
            .build()
    }
}

/// Writes a table; `sorted` names columns whose values differ little from row to row.
///
/// # Errors
/// If `out` fails.
pub fn write(
    name: &str,
    columns: &[(&str, Column)],
    sorted: &[&str],
    out: impl Write + Send,
) -> Result<()> {
    write_columns(name, columns, sorted, out)
        .map_err(|error| Error::new(format!("cannot write Parquet: {error}")))
}

fn write_columns(
    name: &str,
    columns: &[(&str, Column)],
    sorted: &[&str],
    out: impl Write + Send,
) -> std::result::Result<(), ParquetError> {
    let mut properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
    for &column in sorted {
        let path = ColumnPath::from(column);
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
    }
    for (name, column) in columns {
        if matches!(column, Column::Hash(_)) {
            properties = properties.set_column_dictionary_enabled(ColumnPath::from(*name), false);
        }
    }
    let mut fields = Vec::with_capacity(columns.len());
    for (name, column) in columns {
        fields.push(Arc::new(column.schema(name)?));
    }
    let schema = Arc::new(Type::group_type_builder(name).with_fields(fields).build()?);
    let properties = properties
        .set_created_by(checksum::CREATOR.to_owned())
        .set_key_value_metadata(Some(vec![checksum::property()]));
    let properties = Arc::new(properties.build());
    let described = SchemaDescriptor::new(schema.clone());
    let mut file = SerializedFileWriter::new(Summed::new(out), schema, properties.clone())?;
    let mut group = file.next_row_group()?;
    let bytes = |text: &String| ByteArray::from(text.as_str());
    for (at, (_, values)) in columns.iter().enumerate() {
        let (group, column, how) = (&mut group, described.column(at), &properties);
        match values {
            Column::Int(values) => {
                append_column::<Int32Type, _>(group, column, how, values, None)?;
            }
            Column::Long(values) | Column::Hash(values) => {
                append_column::<Int64Type, _>(group, column, how, values, None)?;
            }
            Column::Optional(values) => {
                let present: Vec<i16> = values.iter().map(|v| i16::from(v.is_some())).collect();
                let values: Vec<i64> = values.iter().filter_map(|v| *v).collect();
                append_column::<Int64Type, _>(group, column, how, &values, Some(&present))?;
            }
            Column::Text(values) => {
                let values: Vec<ByteArray> = values.iter().map(bytes).collect();
                append_column::<ByteArrayType, _>(group, column, how, &values, None)?;
            }
            Column::Same(text, rows) => {
                let values = vec![bytes(text); *rows];
                append_column::<ByteArrayType, _>(group, column, how, &values, None)?;
            }
        }
    }
    debug_assert!(columns.windows(2).all(|pair| pair[0].1.rows() == pair[1].1.rows()));
    group.close()?;
    file.inner_mut().begin_end();
    file.into_inner()?.finish()?;
    Ok(())
}

/// A table, read.
#[derive(Debug)]
pub struct Table {
    file: String,
    columns: Vec<(String, Column)>,
}

/// Reads some columns of a table.
///
/// # Errors
/// If the file cannot be read, is not such a table, or lacks one of the columns.
pub fn read(path: &Path, wanted: &[&str]) -> Result<Table> {
    let file = path.display().to_string();
    let bytes = fs::read(path).map_err(|error| Error::io(path, &error))?;
    let has_checksum = match checksum::is_whole(&bytes) {
        Some(false) => return Err(Error::new(format!("{file}: it is damaged"))),
        found => found.is_some(),
    };
    let columns = read_columns(Bytes::from(bytes), wanted, has_checksum)
        .map_err(|error| Error::new(format!("{file}: it is not a table of a fleet: {error}")))?;
    Ok(Table { file, columns })
}

fn read_columns(
    file: Bytes,
    wanted: &[&str],
    has_checksum: bool,
) -> std::result::Result<Vec<(String, Column)>, ParquetError> {
    let reader = SerializedFileReader::new(file)?;
    let creator = reader.metadata().file_metadata().created_by();
    // Engines write none.
    if !has_checksum && creator == Some(checksum::CREATOR) {
        return Err(ParquetError::General("its checksum is gone".to_owned()));
    }
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let mut columns = Vec::with_capacity(wanted.len());
    for &name in wanted {
        let at = (0..schema.num_columns())
            .find(|&at| schema.column(at).path().string() == name)
            .ok_or_else(|| ParquetError::General(format!("there is no column {name}")))?;
        let is_optional = schema.column(at).max_def_level() > 0;
        let mut column = None;
        for group in 0..reader.num_row_groups() {
            let group = reader.get_row_group(group)?;
            let rows = usize::try_from(group.metadata().num_rows())
                .map_err(|_| ParquetError::General("less than no rows".to_owned()))?;
            let more = read_column(group.get_column_reader(at)?, rows, is_optional)?;
            column = Some(match (column, more) {
                (None, more) => more,
                (Some(Column::Int(mut all)), Column::Int(more)) => {
                    all.extend(more);
                    Column::Int(all)
                }
                (Some(Column::Long(mut all)), Column::Long(more)) => {
                    all.extend(more);
                    Column::Long(all)
                }
                (Some(Column::Optional(mut all)), Column::Optional(more)) => {
                    all.extend(more);
                    Column::Optional(all)
                }
                (Some(Column::Text(mut all)), Column::Text(more)) => {
                    all.extend(more);
                    Column::Text(all)
                }
                _ => return Err(ParquetError::General(format!("column {name} changes its type"))),
            });
        }
        let column =
            column.ok_or_else(|| ParquetError::General("there are no row groups".to_owned()))?;
        columns.push((name.to_owned(), column));
    }
    if columns.windows(2).any(|pair| pair[0].1.rows() != pair[1].1.rows()) {
        return Err(ParquetError::General("columns have different lengths".to_owned()));
    }
    Ok(columns)
}

fn read_column(
    reader: ColumnReader,
    rows: usize,
    is_optional: bool,
) -> std::result::Result<Column, ParquetError> {
    let mut levels = Vec::new();
    let column = match reader {
        ColumnReader::Int32ColumnReader(mut reader) if !is_optional => {
            let mut values = Vec::new();
            reader.read_records(rows, None, None, &mut values)?;
            Column::Int(values)
        }
        ColumnReader::Int64ColumnReader(mut reader) => {
            let mut values = Vec::new();
            if is_optional {
                reader.read_records(rows, Some(&mut levels), None, &mut values)?;
                let mut values = values.into_iter();
                let value = |&level: &i16| if level > 0 { values.next() } else { None };
                Column::Optional(levels.iter().map(value).collect())
            } else {
                reader.read_records(rows, None, None, &mut values)?;
                Column::Long(values)
            }
        }
        ColumnReader::ByteArrayColumnReader(mut reader) if !is_optional => {
            let mut values: Vec<ByteArray> = Vec::new();
            reader.read_records(rows, None, None, &mut values)?;
            let text = |value: &ByteArray| value.as_utf8().map(str::to_owned);
            Column::Text(values.iter().map(text).collect::<std::result::Result<_, _>>()?)
        }
        _ => return Err(ParquetError::General("a column has another type".to_owned())),
    };
    if column.rows() != rows {
        return Err(ParquetError::General("a column ends early".to_owned()));
    }
    Ok(column)
}

impl Table {
    /// Takes a column of 32 bits.
    ///
    /// # Errors
    /// If it has another type.
    pub fn ints(&mut self, name: &str) -> Result<Vec<i32>> {
        match self.take(name) {
            Some(Column::Int(values)) => Ok(values),
            _ => Err(self.wrong(name)),
        }
    }

    /// Takes a column of 64 bits.
    ///
    /// # Errors
    /// If it has another type.
    pub fn longs(&mut self, name: &str) -> Result<Vec<i64>> {
        match self.take(name) {
            Some(Column::Long(values)) => Ok(values),
            _ => Err(self.wrong(name)),
        }
    }

    /// Takes a column of 64 bits that may lack values.
    ///
    /// # Errors
    /// If it has another type.
    pub fn optional(&mut self, name: &str) -> Result<Vec<Option<i64>>> {
        match self.take(name) {
            Some(Column::Optional(values)) => Ok(values),
            _ => Err(self.wrong(name)),
        }
    }

    /// Takes a column of 64 bits, whether or not values may lack; `None` if one does.
    ///
    /// # Errors
    /// If it has another type.
    pub fn present(&mut self, name: &str) -> Result<Option<Vec<i64>>> {
        match self.take(name) {
            Some(Column::Long(values)) => Ok(Some(values)),
            Some(Column::Optional(values)) => Ok(values.into_iter().collect()),
            _ => Err(self.wrong(name)),
        }
    }

    /// Takes a column of texts.
    ///
    /// # Errors
    /// If it has another type.
    pub fn texts(&mut self, name: &str) -> Result<Vec<String>> {
        match self.take(name) {
            Some(Column::Text(values)) => Ok(values),
            _ => Err(self.wrong(name)),
        }
    }

    /// An error about this table.
    #[cold]
    pub fn error(&self, what: &str) -> Error {
        Error::new(format!("{}: {what}", self.file))
    }

    fn take(&mut self, name: &str) -> Option<Column> {
        let at = self.columns.iter().position(|(known, _)| known == name)?;
        Some(self.columns.swap_remove(at).1)
    }

    #[cold]
    fn wrong(&self, name: &str) -> Error {
        self.error(&format!("it is not a table of a fleet: column {name} has another type"))
    }
}
