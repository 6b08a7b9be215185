//! Refutations in the text format LRAT (L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp: Efficient
//! Certified RAT Verification, CADE 2017), without RAT steps.

use super::clauses::Clauses;
use ramsey_core::base::hash::Map;

/// The clauses that are known at a place of a refutation.
pub(super) struct Refutation {
    /// By number: where the literals are.
    known: Map<u64, (usize, usize)>,
    lits: Vec<i32>,
    /// By variable: the step at which it was assigned last, and its value.
    values: Vec<(u64, bool)>,
    /// The largest number of a clause.
    last: u64,
    clock: u64,
    is_complete: bool,
}

impl Refutation {
    /// Starts the refutation of these clauses.
    pub(super) fn new(clauses: &Clauses) -> Refutation {
        let mut refutation = Refutation {
            known: Map::default(),
            lits: Vec::new(),
            values: vec![(0, false); clauses.num_vars + 1],
            last: 0,
            clock: 0,
            is_complete: false,
        };
        for clause in clauses.iter() {
            refutation.last += 1;
            refutation.add(refutation.last, clause);
        }
        refutation
    }

    /// Checks whether the empty clause was derived.
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Checks a line.
    pub(super) fn line(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.split_ascii_whitespace();
        let number: u64 = words.next().and_then(|it| it.parse().ok()).ok_or("the line has no number")?;
        let mut words = words.peekable();
        if words.peek() == Some(&"d") {
            return list(&mut words.skip(1))?.into_iter().try_for_each(|number: u64| {
                self.known.remove(&number).map(drop).ok_or_else(|| format!("there is no clause {number}"))
            });
        }
        let lits: Vec<i32> = list(&mut words)?;
        let hints: Vec<u64> = list(&mut words)?;
        if words.next().is_some() {
            return Err("the line goes on after its end".into());
        }
        if number <= self.last {
            return Err(format!("clause {number} does not have a new number"));
        }
        self.follows(&lits, &hints)?;
        self.last = number;
        self.is_complete |= lits.is_empty();
        self.add(number, &lits);
        Ok(())
    }

    fn add(&mut self, number: u64, lits: &[i32]) {
        let start = self.lits.len();
        self.lits.extend_from_slice(lits);
        self.known.insert(number, (start, self.lits.len()));
    }

    /// Checks that a clause follows: if all of its literals are false, each of the hinted clauses but the last has one
    /// literal that is not, which is therefore true, and the last has none.
    fn follows(&mut self, lits: &[i32], hints: &[u64]) -> Result<(), String> {
        self.clock += 1;
        for &lit in lits {
            if self.value(lit)? == Some(true) {
                return Ok(());
            }
            self.assign(-lit);
        }
        for &hint in hints {
            let &(start, end) = self.known.get(&hint).ok_or_else(|| format!("there is no clause {hint}"))?;
            let mut open = None;
            for at in start..end {
                let lit = self.lits[at];
                match self.value(lit)? {
                    Some(false) => {}
                    Some(true) => return Err(format!("clause {hint} is true where it is used")),
                    None if open.is_none_or(|other| other == lit) => open = Some(lit),
                    None => return Err(format!("clause {hint} is not unit where it is used")),
                }
            }
            match open {
                None => return Ok(()),
                Some(lit) => self.assign(lit),
            }
        }
        Err("the clause does not follow from its hints".into())
    }

    fn value(&self, lit: i32) -> Result<Option<bool>, String> {
        match self.values.get(lit.unsigned_abs() as usize) {
            Some(&(clock, value)) if lit != 0 => Ok((clock == self.clock).then_some(value == (lit > 0))),
            _ => Err(format!("there is no variable {}", lit.unsigned_abs())),
        }
    }

    fn assign(&mut self, lit: i32) {
        if let Some(entry) = self.values.get_mut(lit.unsigned_abs() as usize) {
            *entry = (self.clock, lit > 0);
        }
    }
}

/// Reads numbers up to a 0.
fn list<'a, T>(words: &mut impl Iterator<Item = &'a str>) -> Result<Vec<T>, String>
where
    T: std::str::FromStr + Default + PartialEq,
{
    let mut numbers = Vec::new();
    loop {
        let word = words.next().ok_or("the line ends without a 0")?;
        let number = word.parse::<T>().map_err(|_| "not a number of a clause or a literal".to_owned())?;
        if number == T::default() {
            return Ok(numbers);
        }
        numbers.push(number);
    }
}
