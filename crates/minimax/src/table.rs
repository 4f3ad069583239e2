//! The transposition table: two entries a bucket, the deeper search in the first, the latest in the
//! second (the two-deep scheme of Breuker, Uiterwijk and van den Herik, 1994).

use crate::value::{
    Basis, Depth, FoundValue, Value, WIN, Window, from_here, from_root, is_decided,
};

/// What an entry's value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// No value: the entry only knows a good move.
    None,
    /// At most the true value.
    Lower,
    /// At least the true value.
    Upper,
    /// The value.
    Exact,
}

impl Bound {
    /// Whether it says all there is to know of a value within the window.
    pub(crate) fn cuts(self, value: Value, window: Window) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value >= window.beta,
            Bound::Upper => value <= window.alpha,
            Bound::None => false,
        }
    }

    /// What of the window a value leaves that does not cut it; the value itself stays inside.
    pub(crate) fn narrow(self, value: Value, Window { alpha, beta }: Window) -> Window {
        match self {
            Bound::Lower => Window { alpha: alpha.max(value - 1), beta },
            Bound::Upper => Window { alpha, beta: beta.min(value + 1) },
            Bound::None | Bound::Exact => Window { alpha, beta },
        }
    }
}

/// What the table knows of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry<M> {
    key: u64,
    value: Value,
    /// How deep the search was, in parts of a ply.
    pub depth: i16,
    /// What the value is.
    pub bound: Bound,
    /// What the value rests on.
    pub basis: Basis,
    /// The search that wrote it; 0 for an entry that is free.
    age: u8,
    /// The best move, or the one that refuted.
    pub mv: Option<M>,
}

impl<M> Entry<M> {
    /// Its value for a state at that ply from the root, if it is certain or was searched to that
    /// depth. A rule that counts plies may draw after so many as are left: what would be won or
    /// lost only later was found with more of them.
    pub(crate) fn deep_enough(
        &self,
        (ply, left): (usize, u32),
        depth: Depth,
    ) -> Option<FoundValue> {
        if is_decided(self.value) && (WIN - self.value.abs()) as u32 > left {
            return None;
        }
        let value = from_root(self.value, ply);
        if self.proves(value) {
            // Whatever was guessed about other moves does not matter any more.
            return Some(FoundValue { value, basis: Basis::RULES });
        }
        (Depth::from(self.depth) >= depth).then_some(FoundValue { value, basis: self.basis })
    }

    /// Whether a value is a win or a loss for certain, which no deeper search can change.
    fn proves(&self, value: Value) -> bool {
        let other = if value > 0 { Bound::Upper } else { Bound::Lower };
        is_decided(value) && self.bound != other
    }
}

/// What is to be stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct News<M> {
    pub(crate) found: FoundValue,
    pub(crate) bound: Bound,
    pub(crate) depth: Depth,
    pub(crate) mv: Option<M>,
}

/// The table.
#[derive(Debug)]
pub struct Table<M> {
    buckets: Vec<[Entry<M>; 2]>,
    age: u8,
}

impl<M: Copy> Table<M> {
    /// A table of at most that many bytes, and at least one bucket.
    pub fn new(bytes: usize) -> Self {
        let count = (bytes / size_of::<[Entry<M>; 2]>()).max(1);
        Table { buckets: vec![[Self::FREE; 2]; count], age: 1 }
    }

    const FREE: Entry<M> = Entry {
        key: 0,
        value: 0,
        depth: 0,
        bound: Bound::None,
        basis: Basis::RULES,
        age: 0,
        mv: None,
    };

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.fill([Self::FREE; 2]);
        self.age = 1;
    }

    /// A new search begins: of what earlier ones have left only the moves are used, and it is
    /// overwritten first. Their values were found with another past: where a state has occurred
    /// meanwhile, going back to it may draw now. The entry of a state that was seen long before
    /// would not know that.
    pub fn begin(&mut self) {
        match self.age.checked_add(1) {
            Some(age) => self.age = age,
            None => self.clear(),
        }
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<[Entry<M>; 2]>()
    }

    /// How full it is, in 0..1, by a look at its first buckets.
    pub fn fullness(&self) -> f64 {
        const SAMPLE: usize = 500;
        let sample = &self.buckets[..SAMPLE.min(self.buckets.len())];
        let taken = sample.iter().flatten().filter(|entry| entry.age != 0).count();
        taken as f64 / (2 * sample.len()) as f64
    }

    /// What it knows of the state with that key.
    pub fn probe(&self, key: u64) -> Option<Entry<M>> {
        let bucket = &self.buckets[self.index(key)];
        let entry = *bucket.iter().find(|entry| entry.age != 0 && entry.key == key)?;
        let bound = if entry.age == self.age { entry.bound } else { Bound::None };
        Some(Entry { bound, ..entry })
    }

    /// Stores what was found at that ply from the root.
    pub(crate) fn store(&mut self, key: u64, ply: usize, news: News<M>) {
        let index = self.index(key);
        let age = self.age;
        let [first, second] = &mut self.buckets[index];
        let old = [&*first, &*second].into_iter().find(|entry| entry.age != 0 && entry.key == key);
        let new = Entry {
            key,
            value: from_here(news.found.value, ply),
            depth: news.depth as i16,
            bound: news.bound,
            basis: news.found.basis,
            age,
            // A move that once was good is a better guess than none.
            mv: news.mv.or(old.and_then(|entry| entry.mv)),
        };
        if first.age != age || first.key == key || new.depth >= first.depth {
            if first.key != key && first.age != 0 {
                *second = *first;
            } else if second.key == key {
                second.age = 0;
            }
            *first = new;
        } else {
            *second = new;
        }
    }

    /// By multiplication, so that any number of buckets will do.
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn news(value: Value, depth: Depth) -> News<u32> {
        let found = FoundValue { value, basis: Basis::RULES };
        News { found, bound: Bound::Exact, depth, mv: Some(value as u32) }
    }

    #[test]
    fn the_deeper_stays_and_the_latest_too() {
        let mut table = Table::new(1);
        let depth = |table: &Table<u32>, key| table.probe(key).map(|entry| entry.depth);
        table.store(1, 0, news(10, 5));
        table.store(2, 0, news(20, 2));
        table.store(3, 0, news(30, 1));
        assert_eq!([1, 2, 3].map(|key| depth(&table, key)), [Some(5), None, Some(1)]);
        table.store(4, 0, news(40, 9));
        assert_eq!([1, 3, 4].map(|key| depth(&table, key)), [Some(5), None, Some(9)]);
        table.begin();
        table.store(5, 0, news(50, 1));
        assert_eq!([1, 4, 5].map(|key| depth(&table, key)), [None, Some(9), Some(1)]);
        assert_eq!(table.fullness(), 1.0);
        table.clear();
        assert_eq!((table.probe(5), table.fullness()), (None, 0.0));
    }

    #[test]
    fn a_later_search_sees_moves_but_no_values() {
        let mut table = Table::new(1 << 10);
        table.store(1, 0, news(10, 5));
        let seen = |table: &Table<u32>| table.probe(1).map(|entry| (entry.bound, entry.mv));
        assert_eq!(seen(&table), Some((Bound::Exact, Some(10))));
        table.begin();
        assert_eq!(seen(&table), Some((Bound::None, Some(10))));
        (0..255).for_each(|_| table.begin());
        assert_eq!(seen(&table), None, "ages begin anew, and nothing is taken for current");
    }

    #[test]
    fn a_state_has_one_entry_and_keeps_its_move() {
        let mut table = Table::new(1);
        table.store(1, 0, news(10, 5));
        table.store(2, 0, news(20, 6));
        table.store(1, 0, News { mv: None, ..news(11, 7) });
        let entry = table.probe(1).expect("it was just stored");
        assert_eq!((entry.depth, entry.mv), (7, Some(10)));
        assert_eq!(
            table.buckets[0].iter().filter(|entry| entry.key == 1 && entry.age > 0).count(),
            1
        );
    }
}
