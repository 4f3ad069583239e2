//! A column: an array beside those of the tree, with a value for each edge or node, and empty
//! unless it is needed.

use super::cell::Cell;
use super::zeroed::Zeroed;

/// The values.
#[derive(Debug)]
pub(crate) struct Column<C> {
    cells: Zeroed<C>,
}

impl<C: Cell> Column<C> {
    /// A column of so many values, or of none where nobody needs them.
    pub(super) fn new(is_needed: bool, length: usize) -> Column<C> {
        Column { cells: Zeroed::new(if is_needed { length } else { 0 }) }
    }

    /// Whether anything is kept.
    #[inline(always)]
    pub(crate) fn is_kept(&self) -> bool {
        !self.cells.is_empty()
    }

    #[inline(always)]
    pub(crate) fn cell(&self, index: u32) -> &C {
        &self.cells[index as usize]
    }

    #[inline(always)]
    pub(crate) fn get(&self, index: u32) -> C::Value {
        self.cell(index).get()
    }

    #[inline(always)]
    pub(crate) fn set(&self, index: u32, value: C::Value) {
        self.cell(index).set(value);
    }

    /// So many values from an index on.
    #[inline(always)]
    pub(crate) fn values(&self, first: u32, count: usize) -> impl Iterator<Item = C::Value> {
        self.cells[first as usize..first as usize + count].iter().map(C::get)
    }

    /// Asks for a value to be at hand soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, index: u32) {
        self.cells.prefetch(index);
    }

    /// Sets as many of them to one value.
    #[inline(always)]
    pub(super) fn reset(&self, first: u32, count: usize, value: C::Value) {
        if self.is_kept() {
            let cells = &self.cells[first as usize..first as usize + count];
            cells.iter().for_each(|cell| cell.set(value));
        }
    }

    /// Copies a value to another place.
    #[inline(always)]
    pub(super) fn copy(&self, from: u32, to: u32) {
        if self.is_kept() {
            self.set(to, self.get(from));
        }
    }
}

/// Makes of each line `name: cell = initial value` a column of `Columns` and a flag of `Needs`.
macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident: $cell:ty = $initial:expr,)*) => {
        /// Which statistics a configuration needs; each technique states its own, and the search
        /// combines them once.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub(crate) struct Needs {
            $($(#[$doc])* pub(crate) $name: bool,)*
            /// The squares of the rewards of nodes, see [`crate::select::deviation`].
            pub(crate) squares: bool,
            /// What nodes need that several edges lead to.
            pub(crate) joints: bool,
            /// What is certain of those.
            pub(crate) node_bounds: bool,
            /// What nodes need that list only some of their edges at first.
            pub(crate) extensions: bool,
        }

        /// The columns, indexed as edges are.
        #[derive(Debug)]
        pub(crate) struct Columns {
            is_any_kept: bool,
            $($(#[$doc])* pub(crate) $name: Column<$cell>,)*
        }

        impl Needs {
            /// The bytes that the columns take for each edge.
            pub(super) fn bytes_an_edge(self) -> usize {
                0 $(+ if self.$name { size_of::<$cell>() } else { 0 })*
            }
        }

        impl Columns {
            pub(super) fn new(needs: Needs, edges: usize) -> Columns {
                Columns {
                    is_any_kept: needs.bytes_an_edge() > 0,
                    $($name: Column::new(needs.$name, edges),)*
                }
            }

            /// Gives some edges, which lie side by side, the values of new ones.
            #[inline(always)]
            pub(super) fn reset(&self, first: u32, count: usize) {
                if self.is_any_kept {
                    $(self.$name.reset(first, count, $initial);)*
                }
            }

            /// Copies what is kept of an edge to another.
            pub(super) fn copy(&self, from: u32, to: u32) {
                $(self.$name.copy(from, to);)*
            }
        }
    };
}
pub(super) use columns;
