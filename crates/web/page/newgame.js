// The dialog for a new game: which, who plays, how fast, from where.

import { h, putSaid, text } from './dom.js';
import { gameWord, isForeign, t } from './words.js';
import { specChooser } from './settings.js';
import { usualLevel } from './levels.js';

const PACES = [
  ['iterations=100', 'pace-100'],
  ['iterations=2000', 'pace-2000'],
  ['time=200ms', 'pace-200ms'],
  ['time=1s', 'pace-1s'],
  ['time=5s', 'pace-5s'],
  ['clock=1m+1s', 'pace-1m'],
  ['clock=5m+3s', 'pace-5m'],
  ['clock=15m+10s', 'pace-15m'],
];
const DEFAULT_PACE = 'time=1s';

/** Who plays where nobody chose: a person begins against a level in the middle, or the strongest player. */
export function usualSeats(game) {
  const level = usualLevel(game);
  const engine = level ? { player: level.spec, pace: level.pace } : { player: game.strongest, pace: DEFAULT_PACE };
  return [{ player: 'human' }, engine];
}

/** Opens the dialog; with the name of a game, on that one. */
export function openGameDialog(play, wanted) {
  const { catalogue, state } = play;
  if (!catalogue) return;
  const current = wanted ?? state?.game ?? catalogue.games[0].name;
  const keepsSeats = state && state.game === current;
  const games = h('select', { id: 'new-game' }, ...catalogue.games.map((game) => h('option', { value: game.name }, gameWord(game, game.title))));
  games.value = current;
  const about = h('p.hint');
  const seats = [0, 1].map((index) => new SeatControl(play, index));
  const from = h('textarea', { id: 'new-state', rows: 2, spellcheck: false, placeholder: t('empty-for-start') });
  const edit = h('button', { type: 'button', id: 'edit-state', onclick: async () => {
    const { openEditor } = await import('./editor.js');
    const made = await openEditor(play.gameOf(games.value), from.value.trim() || (state?.game === games.value ? play.shown.text : null), { letters: play.letters });
    if (made) from.value = made;
  } }, t('board-editor-more'));
  const error = h('p.error', { role: 'alert' });
  const quick = [['i-begin', true, false], ['engine-begins', false, true], ['two-humans', true, true], ['engines-only', false, false]].map(([key, ...humans]) =>
    h('button', { type: 'button', onclick: () => humans.forEach((human, index) => seats[index].setHuman(human)) }, t(key)));

  const setGame = (name) => {
    const game = play.gameOf(name);
    text(about, gameWord(game, game.about));
    if (isForeign(game, game.about)) about.lang = 'en';
    else about.removeAttribute('lang');
    edit.hidden = !game.editor;
    if (game.rules) about.append(t('sentence-end'), h('a', { href: game.rules, target: '_blank' }, t('the-rules')));
    seats.forEach((seat, index) => seat.setGame(game, keepsSeats && name === state.game ? state.seats[index] : null));
  };
  games.onchange = () => setGame(games.value);

  const dialog = h('dialog.new-game', { 'aria-label': t('new-game') });
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
      putSaid(error, problem.message);
      error.scrollIntoView({ block: 'center' }); // on a narrow screen it is far below
    }
  };
  const form = h('form', { method: 'dialog' },
    h('h2', {}, t('new-game')),
    h('div.field', {}, h('label', { for: 'new-game' }, t('game')), games), about,
    h('div.quick', { role: 'group', 'aria-label': t('who-plays') }, ...quick),
    h('div.pair', {}, ...seats.map((seat) => seat.element)),
    h('div.field', {}, h('label', { for: 'new-state' }, t('from-a-state')), from, h('div', {}, edit)),
    error,
    h('div.actions.closing', {}, h('button.primary', {}, t('start')),
      keepsSeats ? h('button', { type: 'button', onclick: () => attempt('seats', { seats: seats.map((seat) => seat.value) }) }, t('only-players')) : null,
      h('button', { type: 'button', onclick: close }, t('cancel'))));
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
    this.chooser = specChooser(play, { label: t('player'), human: true, levels: true, onChange: () => this.update() });
    this.pace = paceControl(`pace-${index}`);
    this.title = h('legend');
    this.element = h('fieldset', {}, this.title, this.chooser.element, this.pace.element);
  }

  setGame(game, seat) {
    this.gameKnown = game;
    const side = gameWord(game, game.sides[this.index]);
    text(this.title, this.index === 0 ? t('side-moves-first', { side }) : side);
    const usual = usualSeats(game)[this.index];
    this.chooser.game(game.name, seat ?? usual);
    this.update(seat?.pace ?? usual.pace ?? '');
  }

  get isHuman() {
    return this.chooser.spec === 'human';
  }

  setHuman(human) {
    if (human === this.isHuman) return;
    const [person, engine] = usualSeats(this.gameKnown);
    this.chooser.set(human ? person : engine);
    this.update(human ? '' : engine.pace);
  }

  /** A level has a pace of its own. */
  update(pace) {
    this.pace.set(pace ?? (this.pace.element.hidden ? '' : this.pace.value), this.isHuman);
    this.pace.element.hidden = Boolean(this.chooser.level);
  }

  get value() {
    const pace = this.chooser.level?.pace ?? this.pace.value;
    return pace ? { player: this.chooser.spec, pace } : { player: this.chooser.spec };
  }
}

/** A menu of paces with a field for any other. */
export function paceControl(id, label = t('pace')) {
  const menu = h('select', { id });
  const field = h('input', { hidden: true, placeholder: 'iterations=500', 'aria-label': t('in-words', { label }), spellcheck: false });
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
      const offered = human ? [['', 'no-clock'], ...PACES.filter(([value]) => value.startsWith('clock'))] : PACES;
      menu.replaceChildren(...offered.map(([value, key]) => h('option', { value }, t(key))), h('option', { value: 'other' }, t('other-more')));
      const known = offered.some(([value]) => value === pace);
      const kept = human && !pace?.startsWith('clock') ? '' : !human && !pace ? DEFAULT_PACE : pace;
      menu.value = known || kept !== pace ? kept : 'other';
      field.hidden = menu.value !== 'other';
      if (!field.hidden) field.value = pace;
    },
  };
}
