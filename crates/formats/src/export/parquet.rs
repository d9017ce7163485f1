//! Apache Parquet: a row for each context, for DuckDB, Spark and the like.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{SchemaDescriptor, Type};
use profile::NO_PARENT;

use crate::export::csv::depths;
use crate::parquet_pages::append_column;
use tree::Tree;
use tree::error::{Error, Result};

/// Rows that are written together.
const ROWS: usize = 1 << 20;

/// Writes all contexts in the columns of [`crate::export::csv`].
///
/// # Errors
/// If `out` fails.
pub fn write(tree: &Tree, out: impl Write + Send) -> Result<()> {
    let failed = |error: ParquetError| Error::new(format!("cannot write Parquet: {error}"));
    let rows = Rows::of(tree);
    write_rows(&rows, out).map_err(failed)
}

struct Rows<'t> {
    tree: &'t Tree,
    depths: Vec<u32>,
    inclusive: Vec<u64>,
    /// Class, name and descriptor of each method.
    names: [Vec<ByteArray>; 3],
}

impl<'t> Rows<'t> {
    fn of(tree: &'t Tree) -> Self {
        let texts = |of: fn(&tree::names::method::Method) -> &String| {
            tree.methods.iter().map(|method| ByteArray::from(of(method).as_str())).collect()
        };
        let names = [texts(|m| &m.class), texts(|m| &m.name), texts(|m| &m.descriptor)];
        Self { tree, depths: depths(tree), inclusive: tree.inclusive(), names }
    }

    fn schema(&self) -> std::result::Result<Type, ParquetError> {
        let column = |name: &str, physical, logical: Option<LogicalType>, repetition| {
            let column = Type::primitive_type_builder(name, physical);
            let column = column.with_repetition(repetition).with_logical_type(logical).build()?;
            Ok::<_, ParquetError>(Arc::new(column))
        };
        let unsigned = |bits| Some(LogicalType::integer(bits, false));
        let mut columns = vec![
            column("context", Physical::INT32, unsigned(32), Repetition::REQUIRED)?,
            column("caller", Physical::INT32, unsigned(32), Repetition::OPTIONAL)?,
            column("depth", Physical::INT32, unsigned(32), Repetition::REQUIRED)?,
        ];
        for name in ["class", "method", "descriptor"] {
            let text = Some(LogicalType::String);
            columns.push(column(name, Physical::BYTE_ARRAY, text, Repetition::REQUIRED)?);
        }
        let inclusive = format!("inclusive {}", self.tree.metric());
        let costs = self.tree.metric_names().into_iter().chain([inclusive]);
        for name in costs {
            columns.push(column(&name, Physical::INT64, unsigned(64), Repetition::REQUIRED)?);
        }
        Type::group_type_builder("contexts").with_fields(columns).build()
    }
}

fn write_rows(rows: &Rows<'_>, out: impl Write + Send) -> std::result::Result<(), ParquetError> {
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let schema = Arc::new(rows.schema()?);
    let how = Arc::new(properties);
    let described = SchemaDescriptor::new(schema.clone());
    let mut file = SerializedFileWriter::new(out, schema, how.clone())?;
    let tree = rows.tree;
    let mut start = 0;
    while start < tree.len() || start == 0 {
        let nodes = start..tree.len().min(start + ROWS);
        let mut group = file.next_row_group()?;
        let mut columns = described.columns().iter().cloned();
        let mut next = || {
            let none = || ParquetError::General("a column without a name".to_owned());
            columns.next().ok_or_else(none)
        };
        let number = |node: u32| node as i32;
        let contexts: Vec<i32> = nodes.clone().map(|node| number(node as u32)).collect();
        append_column::<Int32Type, _>(&mut group, next()?, &how, &contexts, None)?;
        let parents = &tree.parent[nodes.clone()];
        let callers = parents.iter().filter(|&&parent| parent != NO_PARENT);
        let callers: Vec<i32> = callers.map(|&parent| number(parent)).collect();
        let has: Vec<i16> = parents.iter().map(|&p| i16::from(p != NO_PARENT)).collect();
        append_column::<Int32Type, _>(&mut group, next()?, &how, &callers, Some(&has))?;
        let depths: Vec<i32> = rows.depths[nodes.clone()].iter().map(|&d| number(d)).collect();
        append_column::<Int32Type, _>(&mut group, next()?, &how, &depths, None)?;
        for names in &rows.names {
            let of_node = |&method: &u32| names[method as usize].clone();
            let values: Vec<ByteArray> = tree.method[nodes.clone()].iter().map(of_node).collect();
            append_column::<ByteArrayType, _>(&mut group, next()?, &how, &values, None)?;
        }
        let costs = tree.metrics.iter().map(|metric| &metric.values);
        for costs in costs.chain([&rows.inclusive]) {
            let values: Vec<i64> = costs[nodes.clone()].iter().map(|&cost| cost as i64).collect();
            append_column::<Int64Type, _>(&mut group, next()?, &how, &values, None)?;
        }
        group.close()?;
        start += ROWS;
    }
    file.close()?;
    Ok(())
}
