//! The endgame tables that players of chess ask.
//!
//! All players of a process share them. They lie in the folder that the environment variable
//! `MONTEVERDE_TABLEBASE` names, or in the user's cache folder; those of three pieces are built
//! there at first use.

use monteverde_chess::{Board, Chess, Color, Move, Piece, Setup};
use monteverde_game::{Oracle, Proof, Rng};
use monteverde_mcts::solver::InTree;
use monteverde_tablebase::create::{build_tables, plan};
use monteverde_tablebase::{Material, Syzygy, TableError, Tables, Wdl, history};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Names the folder with the tables.
pub const VARIABLE: &str = "MONTEVERDE_TABLEBASE";

/// Tables of three pieces are always there.
const BUILT_IN: u32 = 3;

/// The tables as a player asks them.
#[derive(Clone, Debug)]
pub struct ChessTables {
    /// Boards with more pieces than this are left open; 0 asks nothing and opens no table.
    pub pieces: u32,
    /// Playouts of a search whose root has fewer pieces than this do without.
    pub least_root: u32,
    /// Whether the tree asks them, so that it finds the shortest mate by itself.
    pub in_tree: InTree,
    /// The user's files, for what the tables do not know.
    pub syzygy: Option<Syzygy>,
    /// Which tables it asks; those that are built meanwhile are for players that are made later,
    /// so that a game goes on as it began.
    pub edition: Edition,
}

/// The tables as they were found when the process began, or after it has built some itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edition(usize);

impl Edition {
    /// What players that are made now ask.
    pub fn latest() -> Edition {
        Edition(LATEST.load(Ordering::Acquire))
    }

    /// Its number.
    pub fn number(self) -> usize {
        self.0
    }
}

/// A process builds tables once.
const EDITIONS: usize = 2;
static LATEST: AtomicUsize = AtomicUsize::new(0);

impl Oracle<Chess> for ChessTables {
    #[inline(always)]
    fn probe(&self, state: &Chess) -> Proof {
        self.look_up(state.board())
    }

    /// Syzygy's files answer only just after a capture or pawn move, when nothing can repeat.
    fn prove(&self, state: &Chess) -> Proof {
        history::certain(state, |board| self.look_up(board))
    }

    fn best_moves(&self, root: &Chess) -> Option<Vec<Move>> {
        let moves = self.syzygy.as_ref()?.best_moves(root)?;
        let finds_mate = self.in_tree == InTree::Asked
            && root.board().occupied().count() <= self.pieces
            && shared(self.edition).tables.probe(root.board()).is_proven();
        (!finds_mate).then_some(moves)
    }

    fn is_useful_at(&self, root: &Chess) -> bool {
        root.board().occupied().count() >= self.least_root
    }
}

impl ChessTables {
    #[inline(always)]
    fn look_up(&self, board: &Board) -> Proof {
        let known = match board.occupied().count() <= self.pieces {
            true => shared(self.edition).tables.probe(board),
            false => Proof::Open,
        };
        match &self.syzygy {
            Some(syzygy) if known == Proof::Open => by_syzygy(syzygy, board),
            _ => known,
        }
    }
}

/// Syzygy's files answer as if no ply without capture or pawn move had been made, so they are
/// certain only then. What the fifty-move rule saves is a draw.
fn by_syzygy(syzygy: &Syzygy, board: &Board) -> Proof {
    if board.halfmoves() > 0 {
        return Proof::Open;
    }
    match syzygy.wdl(board) {
        None => Proof::Open,
        // Wins take an odd number of plies and losses an even one.
        Some(Wdl::Win) => Proof::Win(Proof::FAR + 1),
        Some(Wdl::Loss) => Proof::Loss(Proof::FAR),
        Some(Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss) => Proof::Draw,
    }
}

/// The folder with the tables; `None` where neither the variable nor a home folder is known.
pub fn folder() -> Option<PathBuf> {
    let named = std::env::var_os(VARIABLE).filter(|name| !name.is_empty());
    named.map(PathBuf::from).or_else(Tables::cache_dir)
}

/// What is missing of the tables of up to so many pieces, as a sentence; `None` where nothing is.
pub fn missing(pieces: u32) -> Option<String> {
    if pieces <= BUILT_IN {
        return None;
    }
    let shared = shared(Edition::latest());
    if let Some(error) = &shared.error {
        return Some(format!("only those of {BUILT_IN} pieces are there: {error}"));
    }
    let wanted: Vec<_> = (3..=pieces as usize).flat_map(Material::all).collect();
    let found: Vec<_> = shared.tables.materials().collect();
    let lacking = wanted.iter().filter(|material| !found.contains(material)).count();
    let place = folder()
        .map_or("a folder named by ".to_owned() + VARIABLE, |dir| dir.display().to_string());
    (lacking > 0).then(|| {
        format!(
            "{lacking} of the {} of up to {pieces} pieces are missing; \
             'monteverde tablebase build --pieces {pieces} --dir {place}' builds them{}",
            wanted.len(),
            built_unasked(pieces)
        )
    })
}

/// What the engine and the page build themselves of tables of up to so many pieces.
fn built_unasked(pieces: u32) -> String {
    match pieces <= SMALL {
        true => ", and so do the engine and the page for their next games".to_owned(),
        false => format!("; the engine and the page build only those of up to {SMALL} pieces"),
    }
}

/// The tables that are built unasked have up to so many pieces: 12 s on two cores, 31 MB of disk.
const SMALL: u32 = 4;

/// Builds the small tables that are missing, on one thread, for players that are made afterwards.
/// Says whether it has built some. Nothing happens while the variable [`BUILD_VARIABLE`] is `off`.
pub fn build_small() -> Result<bool, String> {
    let is_off = std::env::var_os(BUILD_VARIABLE).is_some_and(|value| value == "off");
    if is_off || missing(SMALL).is_none() || Edition::latest().0 + 1 >= EDITIONS {
        return Ok(false);
    }
    let folder = folder().ok_or_else(|| format!("there is no folder; {VARIABLE} may name one"))?;
    let wanted: Vec<_> = (3..=SMALL as usize).flat_map(Material::all).collect();
    let plan = plan(&folder, &wanted).map_err(|error| error.to_string())?;
    build_tables(&folder, &plan, 1, |_| {}, |_| {}).map_err(|error| error.to_string())?;
    LATEST.store(Edition::latest().0 + 1, Ordering::Release);
    Ok(true)
}

/// Where it is `off`, no tables are built unasked.
pub const BUILD_VARIABLE: &str = "MONTEVERDE_BUILD_TABLES";

/// Whether this is the first time that something is said of the tables in their folder. It is noted
/// there, so that the same sentence is not said whenever a program starts; where nothing can be
/// noted it is said.
pub fn is_news(sentence: &str) -> bool {
    /// What was last said.
    const SAID: &str = "said.txt";
    let Some(path) = folder().map(|folder| folder.join(SAID)) else { return true };
    if std::fs::read_to_string(&path).is_ok_and(|said| said == sentence) {
        return false;
    }
    // Where it cannot be noted it is said again the next time.
    let _ = std::fs::write(&path, sentence);
    true
}

/// What tells apart the tables of up to so many pieces that players find here; empty where there
/// are none but those of three pieces, which are always the same.
pub fn digest(pieces: u32) -> String {
    if pieces <= BUILT_IN {
        return String::new();
    }
    let others = BUILT_IN as usize + 1..=pieces as usize;
    shared(Edition::latest()).tables.digest(others).unwrap_or_default()
}

/// White's and Black's pieces of a table on random squares, White to move; `None` if that is no
/// legal position.
pub(super) fn scatter(material: Material, rng: &mut Rng) -> Option<Chess> {
    let mut setup = Setup::empty();
    for color in Color::ALL {
        for piece in Piece::ALL {
            for _ in 0..material.count(color, piece) {
                let place = &mut setup.pieces[rng.below(SQUARES) as usize];
                if place.is_some() {
                    return None;
                }
                *place = Some((color, piece));
            }
        }
    }
    Board::from_setup(&setup).ok().map(Chess::new)
}

const SQUARES: u32 = 64;

/// What all players of the process share.
struct Shared {
    tables: Tables,
    /// Why the folder cannot be used, if so.
    error: Option<TableError>,
}

#[inline(always)]
fn shared(edition: Edition) -> &'static Shared {
    static SHARED: [OnceLock<Shared>; EDITIONS] = [const { OnceLock::new() }; EDITIONS];
    SHARED[edition.0].get_or_init(|| {
        let folder = folder();
        let built_in = Tables::three_pieces(folder.as_deref());
        // The tables of three pieces have just been stored there, unless nothing can be.
        match folder.filter(|dir| dir.is_dir()).map(|dir| Tables::open(&dir)) {
            Some(Ok(tables)) if tables.materials().count() > built_in.materials().count() => {
                Shared { tables, error: None }
            }
            Some(Err(error)) => Shared { tables: built_in, error: Some(error) },
            _ => Shared { tables: built_in, error: None },
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_game::Notation;

    #[test]
    fn a_player_asks_no_further_than_it_is_told() {
        let state = Chess::parse_state("8/8/8/8/8/2k5/8/K1Q5 b - - 0 1").expect("a state");
        let tables = |pieces| ChessTables {
            pieces,
            least_root: 8,
            in_tree: InTree::Asked,
            syzygy: None,
            edition: Edition::latest(),
        };
        assert!(tables(3).probe(&state).is_proven());
        assert_eq!(tables(0).probe(&state), Proof::Open);
        assert!(!tables(3).is_useful_at(&state));
        assert!(tables(3).is_useful_at(&Chess::start()));
        assert_eq!(missing(3), None);
        assert!(built_unasked(4).contains("for their next games"));
        assert!(built_unasked(5).ends_with("only those of up to 4 pieces"));
        assert_eq!(digest(3), "");
    }

    #[test]
    fn scattered_states_have_the_pieces_that_were_asked_for() {
        let material: Material = "KBNK".parse().expect("a name");
        let mut rng = Rng::new(1);
        let drawn: Vec<_> = (0..100).filter_map(|_| scatter(material, &mut rng)).collect();
        assert!(drawn.len() > 50, "most squares make a legal state");
        for state in &drawn {
            assert_eq!(Material::of(state.board()), Some(material));
            assert_eq!(state.board().turn(), Color::White);
        }
        assert!(drawn.windows(2).all(|pair| pair[0].board() != pair[1].board()));
    }
}
