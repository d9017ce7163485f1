//! Tables that fit the terminal.

use std::io::{self, Write};

use tree::readable_names::columns;

use crate::painted::Painted;

/// How a column behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Right-aligned and never shortened. Columns with a greater number are
    /// left out first where the table is too wide; 0 always stays.
    Number(u8),
    /// Left-aligned; shares what width the numbers leave, long text loses its
    /// middle. The number is as for numbers.
    Text(u8),
}

/// A table under construction.
#[derive(Debug)]
pub struct Table {
    columns: Vec<(String, Kind)>,
    rows: Vec<Vec<Painted>>,
}

/// Space between two columns.
const GAP: usize = 2;
/// A text column that would become narrower than this is rather left out.
const NARROWEST_TEXT: usize = 24;

impl Table {
    /// A table with these columns.
    pub fn new(columns: &[(&str, Kind)]) -> Self {
        let columns = columns.iter().map(|&(title, kind)| (title.to_owned(), kind));
        Self { columns: columns.collect(), rows: Vec::new() }
    }

    /// Adds a row with one cell per column.
    pub fn row(&mut self, cells: Vec<String>) {
        self.painted_row(cells.into_iter().map(Painted::from).collect());
    }

    /// Adds a row with one cell per column, in colours.
    pub fn painted_row(&mut self, cells: Vec<Painted>) {
        debug_assert_eq!(cells.len(), self.columns.len());
        self.rows.push(cells);
    }

    /// Writes the table in at most `width` characters a line, as far as the
    /// columns that always stay allow. Returns the titles of those left out for
    /// want of width. Columns of numbers that hold only dashes are not written:
    /// the profile does not have that.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write(&self, width: usize, out: &mut (impl Write + ?Sized)) -> io::Result<Vec<String>> {
        let natural: Vec<usize> =
            (0..self.columns.len()).map(|at| self.natural_width(at)).collect();
        let shown = self.choose_columns(&natural, width);
        let widths = self.widths(&shown, &natural, width);

        let titles = self.columns.iter().map(|(title, _)| title.as_str().into()).collect();
        for cells in std::iter::once(&titles).chain(&self.rows) {
            let mut line = String::new();
            for (&at, &width) in shown.iter().zip(&widths) {
                if !line.is_empty() {
                    line.push_str(&" ".repeat(GAP));
                }
                let cell = cells[at].shortened(width);
                let pad = " ".repeat(width.saturating_sub(cell.columns()));
                match self.columns[at].1 {
                    Kind::Number(_) => line.extend([pad, cell.to_string()]),
                    Kind::Text(_) => line.extend([cell.to_string(), pad]),
                }
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        let left_out =
            (0..self.columns.len()).filter(|at| !shown.contains(at) && !self.is_void(*at));
        Ok(left_out.map(|at| self.columns[at].0.clone()).collect())
    }

    /// Writes the table as Markdown, whatever its width.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write_markdown(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        let shown: Vec<usize> = (0..self.columns.len()).filter(|&at| !self.is_void(at)).collect();
        let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
        let titles = shown.iter().map(|&at| escape_markdown(&self.columns[at].0)).collect();
        writeln!(out, "{}", line(titles))?;
        let rules = shown.iter().map(|&at| match self.columns[at].1 {
            Kind::Number(_) => "---:".to_owned(),
            Kind::Text(_) => ":---".to_owned(),
        });
        writeln!(out, "{}", line(rules.collect()))?;
        for row in &self.rows {
            writeln!(
                out,
                "{}",
                line(shown.iter().map(|&at| escape_markdown(row[at].text())).collect())
            )?;
        }
        Ok(())
    }

    fn natural_width(&self, at: usize) -> usize {
        let cells = self.rows.iter().map(|row| row[at].columns());
        cells.chain([columns(&self.columns[at].0)]).max().unwrap_or(0)
    }

    fn is_void(&self, at: usize) -> bool {
        let (_, kind) = self.columns[at];
        let mut cells = self.rows.iter().map(|row| &row[at]);
        matches!(kind, Kind::Number(_))
            && !self.rows.is_empty()
            && cells.all(|cell| cell.text() == "-")
    }

    /// The columns to show: the least important ones go until the rest fits.
    fn choose_columns(&self, natural: &[usize], width: usize) -> Vec<usize> {
        let mut shown: Vec<usize> =
            (0..self.columns.len()).filter(|&at| !self.is_void(at)).collect();
        loop {
            let needed: usize = shown
                .iter()
                .map(|&at| match self.columns[at].1 {
                    Kind::Number(_) => natural[at] + GAP,
                    Kind::Text(_) => natural[at].min(NARROWEST_TEXT) + GAP,
                })
                .sum();
            let importance = |at: usize| match self.columns[at].1 {
                Kind::Number(number) | Kind::Text(number) => number,
            };
            let least = shown.iter().copied().max_by_key(|&at| importance(at));
            match least {
                Some(at) if needed > width + GAP && importance(at) > 0 => {
                    shown.retain(|&s| s != at)
                }
                _ => return shown,
            }
        }
    }

    /// Width of each column shown.
    fn widths(&self, shown: &[usize], natural: &[usize], width: usize) -> Vec<usize> {
        let is_text = |at: usize| matches!(self.columns[at].1, Kind::Text(_));
        let numbers: usize = shown.iter().filter(|&&at| !is_text(at)).map(|&at| natural[at]).sum();
        let gaps = GAP * shown.len().saturating_sub(1);
        let mut left = width.saturating_sub(numbers + gaps);
        // The narrow texts first, so that the wide ones share what they leave.
        let mut texts: Vec<usize> = shown.iter().copied().filter(|&at| is_text(at)).collect();
        texts.sort_by_key(|&at| natural[at]);
        let mut given = natural.to_vec();
        for (done, &at) in texts.iter().enumerate() {
            given[at] = natural[at].min(left / (texts.len() - done)).max(1);
            left = left.saturating_sub(given[at]);
        }
        shown.iter().map(|&at| given[at]).collect()
    }
}

/// Text that Markdown shows as it is, be it the name of a class. Indentation stays.
pub fn escape_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let indented = text.len() - text.trim_start_matches(' ').len();
    escaped.push_str(&"&nbsp;".repeat(indented));
    let text = &text[indented..];
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '~' => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{Kind, Table};

    #[test]
    fn markdown_shows_names_as_they_are() {
        let mut table = Table::new(&[("Cost", Kind::Number(0)), ("Method", Kind::Text(0))]);
        table.row(vec!["7".into(), "a.B.<init>_|x".into()]);
        let mut out = Vec::new();
        table.write_markdown(&mut out).unwrap();
        let expected = "| Cost | Method |\n| ---: | :--- |\n| 7 | a.B.&lt;init>\\_\\|x |\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    fn written(width: usize) -> (String, Vec<String>) {
        let columns =
            [("Cost", Kind::Number(0)), ("Calls", Kind::Number(1)), ("Method", Kind::Text(0))];
        let mut table = Table::new(&columns);
        table.row(vec![
            "1,000".into(),
            "7".into(),
            "java.lang.AbstractStringBuilder.append".into(),
        ]);
        table.row(vec!["5".into(), "12".into(), "main".into()]);
        let mut out = Vec::new();
        let left_out = table.write(width, &mut out).unwrap();
        (String::from_utf8(out).unwrap(), left_out)
    }

    #[test]
    fn wide_enough() {
        let (text, left_out) = written(80);
        let expected = " Cost  Calls  Method\n\
                        1,000      7  java.lang.AbstractStringBuilder.append\n    \
                        5     12  main\n";
        assert_eq!(text, expected);
        assert!(left_out.is_empty());
    }

    #[test]
    fn too_narrow() {
        let (text, left_out) = written(32);
        let expected = " Cost  Method\n\
                        1,000  java.lan…ngBuilder.append\n    \
                        5  main\n";
        assert_eq!(text, expected);
        assert_eq!(left_out, ["Calls"]);
    }
}
