//! A player: a spec that has been read, and the searches that wait for their next state.

use crate::convert::refused;
use crate::game::{Game, game_of};
use crate::limit::{self, Seed};
use crate::own::guarded;
use crate::result::SearchResult;
use crate::search::{Search, Wanted};
use crate::session::Session;
use crate::state::State;
use crate::tree::KeptTree;
use monteverde_players::{AnyGame, AnyState, Overrides, Player as PlayerSeam, Spec};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// An agent that chooses moves: ``monteverde.player("chess", "mcc-combined:c=0.7")``.
///
/// Searches from several threads at once do not disturb each other. Each begins anew, so that the
/// same state, seed and limit give the same result, which is the program's own.
#[pyclass(frozen, module = "monteverde")]
pub(crate) struct Player {
    game: AnyGame,
    spec: Spec,
    /// Searches that nobody uses at the moment; making one takes longer than a short search.
    idle: Mutex<Vec<Box<dyn PlayerSeam<AnyState>>>>,
}

/// The most threads of a search, as the command line has it.
const MOST_THREADS: u64 = 1024;

/// So many searches wait for their next state; more than that are made anew.
const MOST_IDLE: usize = 8;

/// A player of a game by its spec, such as "mcc" or "mcc-combined:c=0.7"; the game's first player
/// if it is left out. Raises ValueError that says what is accepted.
#[pyfunction]
#[pyo3(signature = (game, spec = None, *, threads = None, memory = None, seed = None))]
pub(crate) fn player(
    game: &Bound<'_, PyAny>,
    spec: Option<&str>,
    threads: Option<&Bound<'_, PyAny>>,
    memory: Option<&Bound<'_, PyAny>>,
    seed: Option<Seed>,
) -> PyResult<Player> {
    let game = game_of(game)?;
    let overrides = overrides(threads, memory, seed)?;
    let spec = Spec::read(game, spec.unwrap_or(game.default_player())).map_err(refused)?;
    Ok(Player::new(game, spec.with(&overrides).map_err(refused)?))
}

/// What keywords say beside a spec.
fn overrides(
    threads: Option<&Bound<'_, PyAny>>,
    memory: Option<&Bound<'_, PyAny>>,
    seed: Option<Seed>,
) -> PyResult<Overrides> {
    let threads = threads.map(|threads| limit::whole("threads", threads, 1..=MOST_THREADS));
    Ok(Overrides {
        threads: threads.transpose()?.map(|threads| threads as usize),
        memory: limit::memory(memory)?,
        seed: seed.map(|seed| seed.0),
        ..Overrides::default()
    })
}

impl Player {
    /// Refuses a state of another game.
    fn check(&self, state: &State) -> PyResult<()> {
        match (self.game.name(), state.state.game().name()) {
            (mine, other) if mine == other => Ok(()),
            (mine, other) => {
                Err(refused(format!("a player of {mine} cannot search a state of {other}")))
            }
        }
    }

    fn new(game: AnyGame, spec: Spec) -> Player {
        Player { game, spec, idle: Mutex::default() }
    }

    /// A search that begins at a state as if it were the first.
    fn begin(&self, state: &AnyState) -> PyResult<Box<dyn PlayerSeam<AnyState>>> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(mut player) = idle {
            player.begin(state);
            return Ok(player);
        }
        self.spec.check_memory(usize::MAX).map_err(refused)?;
        Ok(self.spec.make(state))
    }

    fn give_back(&self, player: Box<dyn PlayerSeam<AnyState>>) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MOST_IDLE {
            idle.push(player);
        }
    }
}

#[pymethods]
impl Player {
    /// Its game.
    #[getter]
    fn game(&self) -> Game {
        Game(self.game)
    }

    /// Its spec in canonical form: the name and the settings that differ from the named player's.
    #[getter]
    fn spec(&self) -> String {
        self.spec.to_string()
    }

    /// What it has to do without here, such as endgame tables, as a sentence; None for nothing.
    #[getter]
    fn missing(&self) -> Option<String> {
        self.spec.missing(self.game)
    }

    /// The same player with other threads, memory or seed.
    #[pyo3(signature = (*, threads = None, memory = None, seed = None))]
    fn replace(
        &self,
        threads: Option<&Bound<'_, PyAny>>,
        memory: Option<&Bound<'_, PyAny>>,
        seed: Option<Seed>,
    ) -> PyResult<Player> {
        let overrides = overrides(threads, memory, seed)?;
        let spec = self.spec.clone().with(&overrides).map_err(refused)?;
        Ok(Player::new(self.game, spec))
    }

    /// Thinks about a state until the first limit is reached: iterations (or "200k"), time in
    /// seconds (or "500ms"), nodes, or depth in plies. ``only`` restricts the moves that are
    /// searched. ``progress`` is called with the result so far every so many seconds, and ends the
    /// search by returning False. With ``tree=True`` the tree can be walked afterwards
    /// (``result.tree``), and is held for as long as the result is.
    ///
    /// Other Python threads run meanwhile; Ctrl-C ends the search and raises KeyboardInterrupt.
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    #[pyo3(signature = (
        state, iterations = None, *, time = None, nodes = None, depth = None, only = None,
        progress = None, every = None, tree = false
    ), text_signature = "($self, state, iterations=None, *, time=None, nodes=None, depth=None, \
        only=None, progress=None, every=0.1, tree=False)")]
    fn search(
        &self,
        py: Python<'_>,
        state: &Bound<'_, State>,
        iterations: Option<&Bound<'_, PyAny>>,
        time: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
        depth: Option<&Bound<'_, PyAny>>,
        only: Option<Vec<Bound<'_, PyAny>>>,
        progress: Option<Py<PyAny>>,
        every: Option<&Bound<'_, PyAny>>,
        tree: bool,
    ) -> PyResult<SearchResult> {
        let mut given = state.borrow_mut();
        self.check(&given)?;
        let wanted = Wanted { iterations, time, nodes, depth, only, progress, every };
        let (limit, watch) = wanted.read(&mut given)?;
        let state = given.state.clone();
        drop(given);
        let searched = py.detach(|| {
            guarded(|| {
                let mut player = self.begin(&state)?;
                let search = Search { spec: &self.spec, state: &state, limit: &limit };
                let report = search.run(&mut *player, &watch)?;
                PyResult::Ok((player, report))
            })
        })??;
        let (player, report) = searched;
        let mut result = SearchResult::new(state.clone(), self.spec.to_string(), report);
        match tree {
            true => result.keep(KeptTree::alone(player, state)),
            false => self.give_back(player),
        }
        Ok(result)
    }

    /// Begins a game at a state, in which the player keeps its tree from move to move, as the
    /// program does in play.
    fn session(&self, state: &Bound<'_, State>) -> PyResult<Session> {
        let state = state.borrow();
        self.check(&state)?;
        let player = guarded(|| self.begin(&state.state))??;
        Ok(Session::new(player, self.spec.clone(), state.duplicate()))
    }

    fn __repr__(&self) -> String {
        format!("monteverde.player(\"{}\", \"{}\")", self.game.name(), self.spec)
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (&'static str, String))> {
        let make = py.import("monteverde")?.getattr("player")?;
        Ok((make, (self.game.name(), self.spec.to_string())))
    }
}
