//! When a run began and ended, from its parts.

use profile::RunInfo;

/// The first start and the last end in milliseconds since 1970; 0 if unknown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    start: u64,
    end: u64,
}

const NANOS: u64 = 1_000_000;

impl Times {
    /// Takes account of a part that began at `start` nanoseconds since 1970. Other numbers
    /// are ignored.
    pub fn add_nanos(&mut self, start: u64, duration: u64) {
        if start == 0 || start > i64::MAX as u64 {
            return;
        }
        let end = start.saturating_add(duration.min(i64::MAX as u64));
        let (start, end) = (start / NANOS, end / NANOS);
        self.start = if self.start == 0 { start } else { self.start.min(start) };
        self.end = self.end.max(end);
    }

    /// Notes what is known.
    pub fn note(self, run: &mut RunInfo) {
        run.start_millis = self.start;
        run.end_millis = self.end;
    }
}

#[cfg(test)]
mod tests {
    use super::Times;

    #[test]
    fn parts() {
        let mut times = Times::default();
        times.add_nanos(0, 5);
        times.add_nanos(u64::MAX, 5);
        assert_eq!((times.start, times.end), (0, 0));
        times.add_nanos(7_000_000, 2_000_000);
        times.add_nanos(4_000_000, 1_500_000);
        assert_eq!((times.start, times.end), (4, 9));
    }
}
