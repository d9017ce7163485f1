//! What a file says of its contexts together, without holding them in memory.

use std::fs::File;
use std::io;

use super::block::{Block, FIRST_METRIC};
use super::read_tables;
use super::reader::{announced, each_in_parallel};
use super::section::{self, Heading, Section, kind};
use crate::{Error, NO_PARENT, Overview};

/// Reads the tables and adds up the metrics. Checksums are compared; contexts
/// are not checked one by one.
pub(crate) fn read(file: &File) -> Result<Overview, Error> {
    let headings = section::headings(file.metadata()?.len(), |at| {
        let mut header = [0; 16];
        read_exact_at(file, &mut header, at)?;
        Ok(header)
    })?;
    let (blocks, others): (Vec<Heading>, Vec<Heading>) =
        headings.iter().partition(|heading| heading.kind == kind::NODES);
    let payloads = others.iter().map(|heading| payload(file, *heading));
    let payloads = payloads.collect::<Result<Vec<_>, Error>>()?;
    let sections = others.iter().zip(&payloads).map(|(heading, payload)| heading.with(payload));
    let sections: Vec<Section<'_>> = sections.collect();
    sections.iter().try_for_each(Section::verify)?;

    let metrics = read_tables::read_metrics(&sections)?;
    let sums = each_in_parallel(&blocks, |heading| {
        let payload = payload(file, *heading)?;
        let section = heading.with(&payload);
        section.verify()?;
        let block = Block::parse(&section, metrics.len())?;
        let columns = (FIRST_METRIC..).take(metrics.len());
        let mut space = Vec::new();
        let sums = columns.map(|column| block.sum(column, &mut space));
        let sums = sums.collect::<Result<Vec<u128>, _>>()?;
        Ok((block.nodes as u64, sums))
    })?;
    let contexts: u64 = sums.iter().map(|(nodes, _)| nodes).sum();
    let announced = announced(sections.last(), headings.len().saturating_sub(1))?;
    if contexts != announced || contexts >= u64::from(NO_PARENT) {
        let end = sections.last().map_or(0, |section| section.offset);
        return Err(Error::at(end, format!("{contexts} contexts where {announced} are announced")));
    }
    let total = |metric: usize| sums.iter().filter_map(|(_, sums)| sums.get(metric)).sum();
    Ok(Overview {
        tables: read_tables::read(&sections, contexts as u32)?,
        contexts: contexts as u32,
        totals: metrics.into_iter().enumerate().map(|(at, name)| (name, total(at))).collect(),
    })
}

/// The bytes of a section, which the file's length has room for.
fn payload(file: &File, heading: Heading) -> Result<Vec<u8>, Error> {
    let mut payload = vec![0; heading.length];
    read_exact_at(file, &mut payload, heading.offset)?;
    Ok(payload)
}

/// Reads at a place of a file that several threads read at once.
#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

/// Reads at a place of a file that several threads read at once: here reading moves the
/// position that the threads share, which none of them looks at.
#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                bytes = &mut bytes[read..];
                at += read as u64;
            }
        }
    }
    Ok(())
}
