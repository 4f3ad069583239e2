// Specs as controls: every setting with its sentence and its page.

import { ask, h, put, putSaid, text } from './dom.js';
import { aboutPlayer, gameWord, meaningOf, said, t } from './words.js';
import { levelTitle } from './levels.js';

/** A menu of the players of a game and a button for their settings. `spec` is what is chosen, `level` its level if it is one. */
export function specChooser(play, { label, onChange = () => {}, human = false, levels = false }) {
  const id = `chooser-${++choosers}`;
  const menu = h('select', { id });
  const about = h('p.about');
  const button = h('button', { type: 'button', 'aria-label': t('settings-of', { label }) }, t('settings-more'));
  const element = h('div.chooser', {}, h('label', { for: id }, label), menu, button, about);
  let game = null;
  const chooser = { element, spec: null, level: null, game: setGame, set };

  /** Chooses a spec, or a seat with a spec and a pace. */
  function set(given) {
    const { player: spec, pace = null } = typeof given === 'string' ? { player: given } : given;
    chooser.spec = spec;
    chooser.level = levels ? (game.levels ?? []).find((level) => level.spec === spec && level.pace === pace) ?? null : null;
    const name = spec.split(':')[0];
    for (const option of [...menu.options]) if (option.dataset.own) option.remove();
    if (spec.includes(':') && !chooser.level) menu.add(h('option', { value: spec, 'data-own': 'yes' }, spec));
    menu.value = chooser.level ? `level ${chooser.level.number}` : spec;
    button.hidden = spec === 'human';
    const player = game.players.find((player) => player.name === name);
    const ours = spec === 'human' ? t('you-or-whoever') : chooser.level ? t('about-level') : null;
    const sentence = ours !== null || !player ? { words: ours ?? '', lang: '' } : aboutPlayer(game, player);
    put(about, sentence);
    about.title = sentence.words;
  }

  function setGame(name, given) {
    if (game?.name === name && !given) return;
    game = play.gameOf(name);
    if (!game) return;
    const players = game.players.map((player) => h('option', { value: player.name }, player.name === game.strongest ? t('strongest', { name: player.name }) : player.name));
    const hasLevels = levels && game.levels?.length;
    const parts = hasLevels ? [
      h('optgroup', { label: t('levels') }, ...game.levels.map((level) => h('option', { value: `level ${level.number}` }, levelTitle(level)))),
      h('optgroup', { label: t('research-players') }, ...players),
    ] : players;
    if (human) parts.unshift(h('option', { value: 'human' }, t('human-player')));
    menu.replaceChildren(...parts);
    set(given ?? game.strongest);
  }

  menu.onchange = () => {
    const level = game.levels?.find(({ number }) => menu.value === `level ${number}`);
    set(level ? { player: level.spec, pace: level.pace } : menu.value);
    onChange(chooser.spec);
  };
  button.onclick = async () => {
    const spec = await openSettings(game, chooser.spec);
    if (!spec || spec === chooser.spec) return;
    set(spec);
    onChange(spec);
  };
  return chooser;
}

let choosers = 0;

/** A dialog with every setting of a spec; the promise is the new spec, or `null`. */
export function openSettings(game, spec) {
  return new Promise((resolve) => {
    const editor = new Editor(game);
    const dialog = h('dialog.settings', { 'aria-label': t('settings-of', { label: spec }) }, editor.element);
    editor.onDone = (result) => {
      dialog.close();
      resolve(result);
    };
    dialog.onclose = () => {
      dialog.remove();
      resolve(null);
    };
    document.body.append(dialog);
    dialog.showModal();
    editor.read(spec);
  });
}

class Editor {
  constructor(game) {
    this.game = game;
    this.field = h('input.spec-field', { id: 'spec-field', spellcheck: false, autocomplete: 'off' });
    this.error = h('p.error', { role: 'alert' });
    this.note = h('p.hint');
    this.filter = h('input', { type: 'search', placeholder: t('find-setting'), 'aria-label': t('find-setting') });
    this.list = h('div.setting-list');
    this.rest = h('div.setting-list');
    this.restTitle = h('summary');
    this.others = h('details.meaningless', {}, this.restTitle, this.rest);
    const form = h('form', {}, h('label', { for: 'spec-field' }, t('player-in-words', { game: gameWord(game, game.title) })), this.field);
    form.onsubmit = (event) => {
      event.preventDefault();
      this.read(this.field.value);
    };
    this.field.onchange = () => this.read(this.field.value);
    this.filter.oninput = () => this.applyFilter();
    this.element = h('div.editor', {}, h('h2', {}, t('settings')), this.levels(), form, this.error, this.note, this.filter, this.list, this.others,
      h('div.actions.closing', {},
        h('button.primary', { onclick: () => this.done() }, t('use-player')),
        h('button', { onclick: () => this.read(this.known.name) }, t('as-paper')),
        h('button', { onclick: () => this.onDone(null) }, t('cancel'))));
  }

  /** A menu of the game's levels, to begin with one of their players. */
  levels() {
    const { levels = [] } = this.game;
    if (!levels.length) return null;
    const menu = h('select', { id: 'setting-level-menu' }, h('option', { value: '' }, '–'), ...levels.map((level) => h('option', { value: level.spec }, levelTitle(level))));
    menu.onchange = () => menu.value && this.read(menu.value);
    return h('div.field', {}, h('label', { for: 'setting-level-menu' }, t('begin-with-level')), menu);
  }

  async done() {
    if (this.field.value !== this.known?.spec && !(await this.read(this.field.value))) return;
    this.onDone(this.known.spec);
  }

  async read(spec) {
    try {
      this.known = await ask(`/api/games/${this.game.name}/spec?text=${encodeURIComponent(spec)}`);
    } catch (error) {
      putSaid(this.error, error.message);
      return false;
    }
    putSaid(this.error);
    putSaid(this.note, this.known.note);
    this.field.value = this.known.spec;
    this.draw();
    return true;
  }

  draw() {
    const focused = document.activeElement?.id;
    const all = this.game.settings[this.known.kind] ?? [];
    const isMeant = (setting) => this.known.settings[setting.name] !== undefined;
    const others = all.filter((setting) => !isMeant(setting));
    this.list.replaceChildren(...all.filter(isMeant).map((setting) => this.row(setting)));
    this.rest.replaceChildren(...others.map((setting) => this.row(setting)));
    text(this.restTitle, t('meaningless-settings', { number: others.length }));
    this.others.hidden = !others.length;
    this.applyFilter();
    if (focused?.startsWith('setting-')) document.getElementById(focused)?.focus();
  }

  row(setting) {
    const value = this.known.settings[setting.name];
    const isMeant = value !== undefined;
    const changed = this.known.changed.includes(setting.name);
    const control = controlFor(setting, value ?? setting.default, (next) => this.change(setting, next));
    control.id = `setting-${setting.name}`;
    control.disabled = !isMeant;
    control.setAttribute('aria-describedby', `about-${setting.name}`);
    const meaning = meaningOf(this.game, this.known.kind, setting);
    const sentence = h('span');
    put(sentence, meaning);
    const about = h('p', { id: `about-${setting.name}` }, sentence);
    if (!isMeant) about.append(h('em', {}, ` ${setting.needs ? t('only-with', { setting: setting.needs }) : t('means-nothing')}`));
    if (setting.page) about.append(' ', h('a', { href: setting.page, target: '_blank', 'aria-label': t('more-about', { name: setting.name }) }, t('more')));
    const row = h('div.setting', { 'data-words': `${setting.name} ${setting.meaning} ${meaning.words}`.toLowerCase() }, h('label', { for: control.id }, setting.name), control, about);
    row.classList.toggle('changed', changed);
    row.classList.toggle('off', !isMeant);
    return row;
  }

  change(setting, value) {
    return this.read(withSetting(this.known.spec, setting, value));
  }

  applyFilter() {
    const wanted = this.filter.value.trim().toLowerCase();
    for (const row of [...this.list.children, ...this.rest.children]) row.hidden = !row.dataset.words.includes(wanted);
  }
}

function controlFor(setting, value, onChange) {
  if (setting.kind === 'flag') {
    const box = h('input', { type: 'checkbox', checked: value === 'on' });
    box.onchange = () => onChange(box.checked ? 'on' : 'off');
    return box;
  }
  if (setting.kind === 'word') {
    const menu = h('select', {}, ...setting.words.map((word) => h('option', { value: word }, word)));
    menu.value = value;
    menu.onchange = () => onChange(menu.value);
    return menu;
  }
  const field = h('input', { value, title: said(setting.accepts).words, inputMode: setting.kind.startsWith('whole') ? 'numeric' : 'text', autocomplete: 'off', spellcheck: false });
  field.onchange = () => onChange(field.value.trim());
  return field;
}

/** A spec with one setting changed: what it said of it before goes. */
export function withSetting(spec, setting, value) {
  const [name, ...rest] = spec.split(':');
  const before = rest.join(':').split(',').filter(Boolean);
  const kept = before.filter((part) => ![setting.name, `no-${setting.name}`].includes(part.split('=')[0]));
  const part = setting.kind === 'flag' ? (value === 'on' ? setting.name : `no-${setting.name}`) : `${setting.name}=${value}`;
  return `${name}:${[...kept, part].join(',')}`;
}
