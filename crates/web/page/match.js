// A match between two players, started here and watched.

import { ask, h, putSaid, text } from './dom.js';
import { gameWord, t } from './words.js';
import { percent, interval } from './numbers.js';
import { percentInterval } from './report.js';
import { specChooser } from './settings.js';
import { paceControl } from './newgame.js';

const ASK_EVERY = 1000; // milliseconds

/** The form, and the progress of what runs. */
export function matchPanel(catalogue) {
  const games = h('select', { id: 'match-game' }, ...catalogue.games.map((game) => h('option', { value: game.name }, gameWord(game, game.title))));
  const known = { catalogue, gameOf: (name) => catalogue.games.find((game) => game.name === name) };
  const choosers = ['A', 'B'].map((name) => specChooser(known, { label: t('player-name', { name }) }));
  const pace = paceControl('match-pace', t('pace-of-both'));
  pace.set('iterations=100');
  const number = h('input', { id: 'match-number', type: 'number', min: 1, max: 10000, value: 20 });
  const random = h('input', { id: 'match-random', type: 'number', min: 0, max: 40, value: 2 });
  const error = h('p.error', { role: 'alert' });
  const progress = h('div.match-progress', { 'aria-live': 'polite' });
  const setGame = () => {
    const game = known.gameOf(games.value);
    choosers[0].game(game.name, game.strongest);
    choosers[1].game(game.name, game.default_player);
  };
  games.onchange = setGame;
  setGame();
  const form = h('form', {},
    h('div.pair', {}, field(t('game'), games), pace.element, field(t('games'), number), field(t('random-plies'), random)),
    h('div.pair', {}, ...choosers.map((chooser) => chooser.element)),
    h('button.primary', { id: 'start-match' }, t('start-match')), error, progress);
  form.onsubmit = async (event) => {
    event.preventDefault();
    putSaid(error);
    const [a, b] = choosers.map((chooser) => chooser.spec);
    try {
      follow(await ask('/api/lab/matches', { game: games.value, a, b, games: Number(number.value), pace: pace.value, random_plies: Number(random.value) }), progress);
    } catch (problem) {
      putSaid(error, problem.message);
    }
  };
  ask('/api/lab/matches').then(({ matches }) => matches.length && follow(matches.at(-1), progress)).catch(() => {});
  return form;
}

function field(label, control) {
  return h('div.field', {}, h('label', { for: control.id }, label), control);
}

/** Asks how a match goes on until it is over or no longer seen. */
async function follow(match, host) {
  const bar = h('progress', { max: match.games, value: match.played, 'aria-label': t('games-played') });
  const words = h('p');
  const problem = h('p.error');
  const stop = h('button', { type: 'button', onclick: () => ask(`/api/lab/matches/${match.id}`, null, 'DELETE').then(show) }, t('stop'));
  host.replaceChildren(h('h3', {}, `${match.a} – ${match.b}`), bar, words, problem, stop, h('a', { href: `#lab/store/${encodeURIComponent(match.store)}` }, t('all-games-of-store')));
  function show(now) {
    bar.value = now.played;
    stop.hidden = now.state !== 'running';
    const score = now.played ? ` ${t('match-score', { score: percentInterval(now.score), elo: interval(now.elo, 0), los: percent(now.los, 1) })}` : '';
    const { played, games, wins, draws, losses } = now;
    text(words, `${t('match-progress', { played, games, state: t(`match-${now.state}`), wins, draws, losses })}${score}`);
    putSaid(problem, now.message);
    return now;
  }
  let now = show(match);
  while (now.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY));
    if (!host.isConnected) return;
    now = show(await ask(`/api/lab/matches/${match.id}`));
  }
}
