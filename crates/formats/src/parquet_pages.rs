//! Pages of Parquet with checksums, which the crate `parquet` verifies and does not write.

use std::io::Write;

use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::{CompressedPage, Page, PageWriteSpec, PageWriter};
use parquet::column::writer::{get_column_writer, get_typed_column_writer};
use parquet::data_type::DataType;
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::writer::SerializedRowGroupWriter;
use parquet::schema::types::ColumnDescPtr;

/// Adds the next column to a row group. `present` says of each row whether it has a value,
/// in a column where values may lack.
///
/// # Errors
/// If the column has another type, or the output fails.
pub fn append_column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    column: ColumnDescPtr,
    properties: &WriterPropertiesPtr,
    values: &[T::T],
    present: Option<&[i16]>,
) -> Result<()> {
    let mut bytes = Vec::new();
    let pages = Box::new(Pages { bytes: &mut bytes });
    let writer = get_column_writer(column, properties.clone(), pages);
    let mut writer = get_typed_column_writer::<T>(writer);
    writer.write_batch(values, present, None)?;
    let written = writer.close()?;
    group.append_column(&Bytes::from(bytes), written)
}

/// The pages of a column, one behind the other.
struct Pages<'b> {
    bytes: &'b mut Vec<u8>,
}

impl PageWriter for Pages<'_> {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec> {
        let offset = self.bytes.len();
        header(&page, self.bytes)?;
        let header_length = self.bytes.len() - offset;
        self.bytes.extend_from_slice(page.data());
        let mut spec = PageWriteSpec::new();
        spec.page_type = page.page_type();
        spec.uncompressed_size = page.uncompressed_size() + header_length;
        spec.compressed_size = page.compressed_size() + header_length;
        spec.offset = offset as u64;
        spec.bytes_written = (self.bytes.len() - offset) as u64;
        spec.num_values = page.num_values();
        Ok(spec)
    }

    fn close(&mut self) -> Result<()> {
        Ok(())
    }
}

/// What begins a field of Thrift's compact protocol that follows the one of the number
/// before: its type, and the difference of the numbers in the upper half.
const INT: u8 = 0x15;
const STRUCT: u8 = 0x1c;
const STRUCT_THREE_ON: u8 = 0x3c;
const TRUE: u8 = 0x11;
const FALSE: u8 = 0x12;
const END: u8 = 0;

/// Writes a `PageHeader`.
fn header(page: &CompressedPage, to: &mut Vec<u8>) -> Result<()> {
    let size = |size: usize| {
        i32::try_from(size).map_err(|_| ParquetError::General("a page is too large".to_owned()))
    };
    let (kind, sum) = (page.page_type() as i32, crc32fast::hash(page.data()).cast_signed());
    for number in [kind, size(page.uncompressed_size())?, size(page.compressed_size())?, sum] {
        int(number, to);
    }
    let values = page.num_values().cast_signed();
    match page.compressed_page() {
        Page::DataPage { encoding, def_level_encoding, rep_level_encoding, .. } => {
            to.push(STRUCT);
            int(values, to);
            for encoding in [encoding, def_level_encoding, rep_level_encoding] {
                int(number(*encoding)?, to);
            }
        }
        Page::DictionaryPage { encoding, is_sorted, .. } => {
            to.push(STRUCT_THREE_ON);
            int(values, to);
            int(number(*encoding)?, to);
            to.push(if *is_sorted { TRUE } else { FALSE });
        }
        Page::DataPageV2 { .. } => {
            return Err(ParquetError::General("pages of version 2 are not written".to_owned()));
        }
    }
    to.extend([END, END]);
    Ok(())
}

/// A field that is a number: its sign in the lowest bit, seven bits a byte.
fn int(number: i32, to: &mut Vec<u8>) {
    to.push(INT);
    let folded = ((number << 1) ^ (number >> 31)).cast_unsigned();
    base::leb128::put(to, folded.into());
}

/// The format's number of an encoding.
fn number(encoding: Encoding) -> Result<i32> {
    Ok(match encoding {
        Encoding::PLAIN => 0,
        Encoding::PLAIN_DICTIONARY => 2,
        Encoding::RLE => 3,
        Encoding::DELTA_BINARY_PACKED => 5,
        Encoding::DELTA_LENGTH_BYTE_ARRAY => 6,
        Encoding::DELTA_BYTE_ARRAY => 7,
        Encoding::RLE_DICTIONARY => 8,
        other => return Err(ParquetError::General(format!("{other} is not written"))),
    })
}
