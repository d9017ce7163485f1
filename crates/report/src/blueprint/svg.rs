//! Writing SVG 1.1.

use std::fmt::Write;

/// Fonts whose letters have one width; every system has one of them.
const FONTS: &str = "DejaVu Sans Mono, Menlo, Consolas, Liberation Mono, monospace";

/// What a picture is drawn with. All places are in pixels.
#[derive(Debug, Default)]
pub struct Drawing {
    body: String,
}

/// A number with two decimals at most.
pub fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text as XML shows it; what XML cannot hold is replaced.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

impl Drawing {
    fn put(&mut self, text: &str) {
        self.body.push_str(text);
    }

    /// A rectangle, with what viewers show when pointed at it.
    pub fn rect(&mut self, [x, y, width, height]: [f64; 4], attributes: &str, title: &str) {
        let [x, y, width, height] = [x, y, width, height].map(number);
        let rect =
            format!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" {attributes}"#);
        self.put(&rect);
        if title.is_empty() {
            self.put("/>\n");
        } else {
            self.put(&format!("><title>{}</title></rect>\n", escaped(title)));
        }
    }

    /// Text, with its base line at `y`.
    pub fn text(&mut self, x: f64, y: f64, words: &str, attributes: &str) {
        let space = if attributes.is_empty() { "" } else { " " };
        let (x, y, words) = (number(x), number(y), escaped(words));
        self.put(&format!("<text x=\"{x}\" y=\"{y}\"{space}{attributes}>{words}</text>\n"));
    }

    /// A line through points.
    pub fn line(&mut self, points: &[(f64, f64)], attributes: &str) {
        let mut path = String::new();
        for (at, &(x, y)) in points.iter().enumerate() {
            let letter = if at == 0 { "M" } else { "L" };
            // Writing into a text does not fail.
            let _ = write!(path, "{letter}{} {}", number(x), number(y));
        }
        self.path(&path, attributes);
    }

    /// A path.
    pub fn path(&mut self, path: &str, attributes: &str) {
        self.put(&format!("<path d=\"{path}\" {attributes}/>\n"));
    }

    /// Definitions.
    pub fn define(&mut self, definition: &str) {
        self.put(&format!("<defs>{definition}</defs>\n"));
    }

    /// Moves what is drawn inside.
    pub fn moved(&mut self, x: f64, y: f64, draw: impl FnOnce(&mut Self)) {
        self.put(&format!("<g transform=\"translate({} {})\">\n", number(x), number(y)));
        draw(self);
        self.put("</g>\n");
    }

    /// The file, with a title and a description.
    pub fn finish(self, width: f64, height: f64, title: &str, description: &str) -> String {
        let (width, height) = (number(width.ceil()), number(height.ceil()));
        let (title, description) = (escaped(title), escaped(description));
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"{FONTS}\" \
             font-size=\"11\" fill=\"#15191e\">\n<title>{title}</title>\n<desc>{description}</desc>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            self.body
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_text() {
        let numbers = [1.0, 0.125, -0.001, 1234.5678, 100.0].map(number);
        assert_eq!(numbers, ["1", "0.12", "0", "1234.57", "100"]);
        assert_eq!(escaped("a<b>&\"c\u{1}"), "a&lt;b&gt;&amp;&quot;c\u{fffd}");
    }
}
