//! Frames a second while zooming, by the browser's own clock.
//!
//! How many there are depends on the machine, so this only tells the number;
//! `bench/frames` does so for a large profile.

use std::env;
use std::path::PathBuf;

use crate::browser::Page;
use crate::profiles::copies;

/// Zooms from node to node and takes the time of every frame.
const ZOOM: &str = "
(async (view, rounds) => {
  let frames = [], last = null, on = true;
  const tick = (now) => {
    if (last !== null) frames.push(now - last);
    last = now;
    if (on) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  for (let round = 0; round < rounds; round += 1) {
    for (const node of [1, 4, 20, 60, 0]) {
      location.hash = `#/${view}?node=${node}`;
      await new Promise((done) => setTimeout(done, 450));
    }
  }
  on = false;
  const time = frames.reduce((sum, frame) => sum + frame, 0);
  frames.sort((a, b) => a - b);
  return [1000 * frames.length / time, frames[Math.floor(frames.length * 0.95)], frames.length];
})";

#[test]
fn zooming() {
    let given = env::var_os("SUBSUME_REPORT").map(PathBuf::from);
    let rounds = if given.is_some() { 4 } else { 1 };
    let report = given.unwrap_or_else(|| copies().page.clone());
    for (width, height) in [(1280, 800), (3840, 2160)] {
        for view in ["ring", "flame", "inverted"] {
            let page = Page::open_at(&report, &format!("#/{view}"));
            page.size(width, height);
            page.move_freely();
            page.settle();
            let told = page.value(&format!("({ZOOM})('{view}', {rounds})"));
            let number = |at: usize| told[at].as_f64().expect("a measure is a number");
            println!(
                "{view} at {width}: {:.1} frames a second, 95% within {:.1} ms",
                number(0),
                number(1)
            );
            // How many depends on what else the machine does.
            assert!(number(2) > 0.0, "{view} draws no frames");
            assert_eq!(
                page.text("document.querySelector('.frame canvas.picture').dataset.node"),
                "0"
            );
        }
    }
}
