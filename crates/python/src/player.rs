//! A player: a spec that has been read, and the searches that wait for their next state.

use crate::convert::refused;
use crate::game::{Game, game_of};
use crate::limit;
use crate::own::guarded;
use crate::result::SearchResult;
use crate::search::{Search, Watch};
use crate::state::State;
use crate::tree::KeptTree;
use monteverde_game::limit::Limit;
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

/// So many searches wait for their next state; more than that are made anew.
const MOST_IDLE: usize = 8;

/// A player of a game by its spec, such as "mcc" or "mcc-combined:c=0.7"; the game's first player
/// if it is left out. Raises ValueError that says what is accepted.
#[pyfunction]
#[pyo3(signature = (game, spec = None, *, threads = None, memory = None, seed = None))]
pub(crate) fn player(
    game: &Bound<'_, PyAny>,
    spec: Option<&str>,
    threads: Option<usize>,
    memory: Option<&Bound<'_, PyAny>>,
    seed: Option<u64>,
) -> PyResult<Player> {
    let game = game_of(game)?;
    let overrides =
        Overrides { threads, memory: limit::memory(memory)?, seed, ..Overrides::default() };
    let spec = Spec::read(game, spec.unwrap_or(game.default_player())).map_err(refused)?;
    Ok(Player::new(game, spec.with(&overrides).map_err(refused)?))
}

impl Player {
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
        threads: Option<usize>,
        memory: Option<&Bound<'_, PyAny>>,
        seed: Option<u64>,
    ) -> PyResult<Player> {
        let overrides =
            Overrides { threads, memory: limit::memory(memory)?, seed, ..Overrides::default() };
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
        progress = None, every = 0.1, tree = false
    ))]
    fn search(
        &self,
        py: Python<'_>,
        state: &Bound<'_, State>,
        iterations: Option<&Bound<'_, PyAny>>,
        time: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
        depth: Option<u32>,
        only: Option<Vec<Bound<'_, PyAny>>>,
        progress: Option<Py<PyAny>>,
        every: f64,
        tree: bool,
    ) -> PyResult<SearchResult> {
        let mut given = state.borrow_mut();
        if given.state.game() != self.game {
            let (mine, other) = (self.game.name(), given.state.game().name());
            return Err(refused(format!("a player of {mine} cannot search a state of {other}")));
        }
        let only: PyResult<Vec<_>> =
            only.iter().flatten().map(|mv| guarded(|| given.read_move(mv))?).collect();
        let state = given.state.clone();
        drop(given);
        let limit = Limit {
            iterations: limit::count("iterations", iterations)?,
            time: limit::time("time", time)?,
            nodes: limit::count("nodes", nodes)?,
            depth,
            mate: None,
            only: only?,
        };
        if limit == (Limit { only: limit.only.clone(), ..Limit::none() }) {
            return Err(refused(
                "a search needs a limit; iterations, time, nodes and depth are accepted",
            ));
        }
        let watch = Watch::new(progress, every)?;
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
            true => result.keep(KeptTree::new(player, state)),
            false => self.give_back(player),
        }
        Ok(result)
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
