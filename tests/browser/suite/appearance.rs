//! Both colour schemes, small and large screens, and paper.

use std::env;
use std::path::Path;

use crate::browser::Page;
use crate::profiles::{copies, small};
use crate::views::VIEWS;

/// Contrast of text to its ground, as the Web Content Accessibility Guidelines
/// define it, for each of these selectors.
const CONTRASTS: &str = "
(selectors) => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const channels = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r, g, b]) => {
    const linear = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const ground = (element) => {
    for (; element; element = element.parentElement) {
      const colour = channels(getComputedStyle(element).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  return selectors.map((selector) => {
    const element = document.querySelector(selector);
    const [a, b] = [luminance(channels(getComputedStyle(element).color)), luminance(ground(element))];
    return [selector, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
  });
}";

#[test]
fn text_can_be_read_in_both_schemes() {
    let page = Page::open_at(&copies().page, "#/methods?method=3");
    for scheme in ["light", "dark"] {
        page.media("screen", scheme);
        page.wait_for(&format!("document.documentElement.dataset.theme === '{scheme}'"));
        let selectors = "['td.number', 'a.method .name', 'a.method .package', '.selection .name', \
                          '.summary', 'nav.views a[aria-current]', 'nav.views .more a', 'th button', '.file']";
        let contrasts = page.value(&format!("({CONTRASTS})({selectors})"));
        for contrast in contrasts.as_array().expect("one for each") {
            assert!(contrast[1].as_f64() >= Some(4.5), "{scheme}: {contrast}");
        }
    }
}

/// Colours as people see them who lack one kind of cone (Machado, Oliveira and
/// Fernandes 2009, severity 1), and the least distance of two of them.
const DISTANCES: &str = "
(colours) => {
  const kinds = {
    protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
  };
  const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const lab = ([r, g, b]) => {
    const f = (t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
    const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
    const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
    const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
  };
  const seen = colours.map((text) => text.match(/\\d+/g).slice(0, 3).map((c) => linear(c / 255)));
  return Object.entries(kinds).map(([kind, rows]) => {
    const labs = seen.map((rgb) => lab(rows.map((row) => Math.min(1, Math.max(0, row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2])))));
    let least = Infinity;
    labs.forEach((a, i) => labs.slice(0, i).forEach((b) => {
      least = Math.min(least, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    }));
    return [kind, least];
  });
}";

#[test]
fn colour_blind_people_can_tell_the_colours_apart() {
    let page = Page::open_at(&copies().page, "#/ring");
    for scheme in ["light", "dark"] {
        page.media("screen", scheme);
        page.wait_for(&format!("document.documentElement.dataset.theme === '{scheme}'"));
        for address in ["#/ring", "#/ring?method=5"] {
            page.go(address);
            let colours = "[...document.querySelectorAll('.swatch')].slice(0, 6).map(s => getComputedStyle(s).backgroundColor)";
            let distances = page.value(&format!("({DISTANCES})({colours})"));
            for distance in distances.as_array().expect("one for each kind") {
                assert!(distance[1].as_f64() >= Some(8.0), "{scheme}, {address}: {distances}");
            }
        }
    }
}

#[test]
fn small_and_large_screens() {
    let folder = env::var_os("SUBSUME_SCREENSHOTS");
    for (width, height) in [(1280, 800), (3840, 2160)] {
        let page = Page::open_at(&copies().page, "#/overview");
        page.size(width, height);
        for view in VIEWS {
            page.go(&format!("#/{view}?method=2"));
            page.settle();
            let over = page.number("document.documentElement.scrollWidth - innerWidth");
            assert!(over <= 0.0, "{view} is {over} pixels too wide for {width}");
            if ["ring", "flame", "inverted"].contains(&view) {
                let drawn = page.number(
                    "(() => { const c = document.querySelector('.frame canvas.picture'); \
                     const copy = new OffscreenCanvas(c.width, c.height).getContext('2d', { willReadFrequently: true }); \
                     copy.drawImage(c, 0, 0); \
                     const data = copy.getImageData(0, 0, c.width, c.height).data; \
                     let drawn = 0; for (let at = 3; at < data.length; at += 4) drawn += data[at] > 0; \
                     return drawn / (c.width * c.height); })()",
                );
                assert!(drawn > 0.01, "{view} at {width}: {drawn} of the picture is drawn");
            }
            if let Some(folder) = &folder {
                for scheme in ["light", "dark"] {
                    page.media("screen", scheme);
                    page.settle();
                    page.screenshot(
                        &Path::new(folder).join(format!("{view}-{width}-{scheme}.png")),
                    );
                }
            }
        }
    }
}

#[test]
fn paper() {
    let page = Page::open_at(&small().page, "#/methods?all=1");
    page.media("print", "dark");
    let hidden = page.value(
        "['nav.views', '.search', '.controls', '#theme'].map(s => getComputedStyle(document.querySelector(s)).display)",
    );
    assert_eq!(hidden, serde_json::json!(["none", "none", "none", "none"]));
    assert_eq!(
        page.text("getComputedStyle(document.documentElement).backgroundColor"),
        "rgb(255, 255, 255)"
    );
    for view in ["overview", "methods", "ring", "method"] {
        page.go(&format!("#/{view}?all=1&method=1"));
        page.settle();
        let pdf = page.print();
        assert!(pdf.starts_with(b"%PDF") && pdf.len() > 5_000, "{view}: {} bytes", pdf.len());
    }
}
