// The dialog for a new game: which, who plays, how fast, from where.

import { h, text } from './dom.js';
import { specChooser } from './settings.js';

const PACES = [
  ['iterations=100', '100 iterations: easy'],
  ['iterations=2000', '2,000 iterations: medium'],
  ['time=200ms', '0.2 s a move'],
  ['time=1s', '1 s a move'],
  ['time=5s', '5 s a move'],
  ['clock=1m+1s', 'clock: 1 min + 1 s'],
  ['clock=5m+3s', 'clock: 5 min + 3 s'],
  ['clock=15m+10s', 'clock: 15 min + 10 s'],
];
const DEFAULT_PACE = 'time=1s';

/** Opens the dialog; with the name of a game, on that one. */
export function openGameDialog(play, wanted) {
  const { catalogue, state } = play;
  if (!catalogue) return;
  const current = wanted ?? state?.game ?? catalogue.games[0].name;
  const keepsSeats = state && state.game === current;
  const games = h('select', { id: 'new-game' }, ...catalogue.games.map((game) => h('option', { value: game.name }, game.title)));
  games.value = current;
  const about = h('p.hint');
  const seats = [0, 1].map((index) => new SeatControl(play, index));
  const from = h('textarea', { id: 'new-state', rows: 2, spellcheck: false, placeholder: 'Empty for the start of the game' });
  const error = h('p.error', { role: 'alert' });
  const quick = [['I begin', true, false], ['The engine begins', false, true], ['Two humans', true, true], ['Engines only', false, false]].map(([label, ...humans]) =>
    h('button', { type: 'button', onclick: () => humans.forEach((human, index) => seats[index].setHuman(human)) }, label));

  const setGame = (name) => {
    const game = play.gameOf(name);
    text(about, game.about);
    if (game.rules) about.append('. ', h('a', { href: game.rules, target: '_blank' }, 'The rules'));
    seats.forEach((seat, index) => seat.setGame(game, keepsSeats && name === state.game ? state.seats[index] : null));
  };
  games.onchange = () => setGame(games.value);

  const dialog = h('dialog.new-game', { 'aria-label': 'New game' });
  const close = () => dialog.close();
  const start = async () => {
    const message = { game: games.value, seats: seats.map((seat) => seat.value) };
    if (from.value.trim()) message.state = from.value.trim();
    await attempt('new', message);
  };
  const attempt = async (type, message) => {
    try {
      await play.socket.send(type, message);
      close();
    } catch (problem) {
      text(error, problem.message);
    }
  };
  const form = h('form', { method: 'dialog' },
    h('h2', {}, 'New game'),
    h('div.field', {}, h('label', { for: 'new-game' }, 'Game'), games), about,
    h('div.quick', { role: 'group', 'aria-label': 'Who plays' }, ...quick),
    h('div.pair', {}, ...seats.map((seat) => seat.element)),
    h('div.field', {}, h('label', { for: 'new-state' }, 'From a state (FEN, or the game’s notation)'), from),
    error,
    h('div.actions.closing', {}, h('button.primary', {}, 'Start'),
      keepsSeats ? h('button', { type: 'button', onclick: () => attempt('seats', { seats: seats.map((seat) => seat.value) }) }, 'Only change the players') : null,
      h('button', { type: 'button', onclick: close }, 'Cancel')));
  form.onsubmit = (event) => {
    event.preventDefault();
    start();
  };
  dialog.append(form);
  dialog.onclose = () => dialog.remove();
  document.body.append(dialog);
  setGame(current);
  dialog.showModal();
}

class SeatControl {
  constructor(play, index) {
    this.index = index;
    this.chooser = specChooser(play, { label: 'Player', human: true, onChange: () => this.update() });
    this.pace = paceControl(`pace-${index}`);
    this.title = h('legend');
    this.element = h('fieldset', {}, this.title, this.chooser.element, this.pace.element);
  }

  setGame(game, seat) {
    this.gameKnown = game;
    text(this.title, `${game.sides[this.index]}${this.index === 0 ? ', moves first' : ''}`);
    this.chooser.game(game.name, seat?.player ?? (this.index === 0 ? 'human' : game.strongest));
    this.update(seat?.pace ?? (this.isHuman ? '' : DEFAULT_PACE));
  }

  get isHuman() {
    return this.chooser.spec === 'human';
  }

  setHuman(human) {
    if (human !== this.isHuman) this.chooser.set(human ? 'human' : this.gameKnown.strongest);
    this.update();
  }

  update(pace) {
    this.pace.set(pace ?? this.pace.value, this.isHuman);
  }

  get value() {
    const pace = this.pace.value;
    return pace ? { player: this.chooser.spec, pace } : { player: this.chooser.spec };
  }
}

/** A menu of paces with a field for any other. */
export function paceControl(id, label = 'Pace') {
  const menu = h('select', { id });
  const field = h('input', { hidden: true, placeholder: 'iterations=500', 'aria-label': `${label} in words`, spellcheck: false });
  const element = h('div.field', {}, h('label', { for: id }, label), menu, field);
  menu.onchange = () => {
    field.hidden = menu.value !== 'other';
    if (!field.hidden) field.focus();
  };
  return {
    element,
    get value() {
      return menu.value === 'other' ? field.value.trim() : menu.value;
    },
    set(pace, human = false) {
      const offered = human ? [['', 'no clock'], ...PACES.filter(([value]) => value.startsWith('clock'))] : PACES;
      menu.replaceChildren(...offered.map(([value, words]) => h('option', { value }, words)), h('option', { value: 'other' }, 'other …'));
      const known = offered.some(([value]) => value === pace);
      const kept = human && !pace?.startsWith('clock') ? '' : !human && !pace ? DEFAULT_PACE : pace;
      menu.value = known || kept !== pace ? kept : 'other';
      field.hidden = menu.value !== 'other';
      if (!field.hidden) field.value = pace;
    },
  };
}
