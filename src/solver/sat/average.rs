//! Exponential moving averages without start-up bias, and the reluctant doubling sequence.

/// An exponential moving average.
///
/// The weight of a new value is larger at the start and decreases to `alpha`, because otherwise the average would be
/// biased towards its initial value (bias correction of Kingma and Ba, "Adam", ICLR 2015).
#[derive(Clone, Copy, Debug)]
pub(super) struct Average {
    value: f64,
    biased: f64,
    alpha: f64,
    /// `(1 - alpha)` to the power of the number of updates.
    fading: f64,
}

impl Average {
    /// Creates an average over about `1 / alpha` values.
    pub(super) fn new(alpha: f64) -> Average {
        Average { value: 0.0, biased: 0.0, alpha, fading: 1.0 }
    }

    pub(super) fn update(&mut self, value: f64) {
        self.biased += self.alpha * (value - self.biased);
        self.fading *= 1.0 - self.alpha;
        self.value = self.biased / (1.0 - self.fading);
    }

    pub(super) fn value(&self) -> f64 {
        self.value
    }
}

/// Knuth's reluctant doubling: signals the ends of intervals given by the Luby sequence times a period.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reluctant {
    u: u64,
    v: u64,
    period: u64,
    left: u64,
}

impl Reluctant {
    pub(super) fn new(period: u64) -> Reluctant {
        let period = period.max(1);
        Reluctant { u: 1, v: 1, period, left: period }
    }

    /// Counts one event. Returns whether the interval has ended.
    pub(super) fn tick(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        if self.left > 0 {
            return false;
        }
        if self.u & self.u.wrapping_neg() == self.v {
            self.u += 1;
            self.v = 1;
        } else {
            self.v *= 2;
        }
        self.left = self.v * self.period;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reluctant_doubling_is_the_luby_sequence() {
        let mut reluctant = Reluctant::new(1);
        let mut intervals = Vec::new();
        let mut since = 0;
        while intervals.len() < 15 {
            since += 1;
            if reluctant.tick() {
                intervals.push(since);
                since = 0;
            }
        }
        assert_eq!(intervals, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    #[test]
    fn averages_have_no_start_up_bias() {
        let mut average = Average::new(1e-3);
        average.update(10.0);
        assert!((average.value() - 10.0).abs() < 1e-9);
        average.update(20.0);
        assert!((average.value() - 15.0).abs() < 0.1);
    }
}
