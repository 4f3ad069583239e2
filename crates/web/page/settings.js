// Specs as controls: every setting with its sentence and its page.

import { ask, h, text } from './dom.js';

/** A menu of the players of a game and a button for their settings. `spec` is what is chosen. */
export function specChooser(play, { label, onChange = () => {}, human = false }) {
  const id = `chooser-${++choosers}`;
  const menu = h('select', { id });
  const about = h('p.about');
  const button = h('button', { type: 'button', 'aria-label': `${label}: settings` }, 'Settings …');
  const element = h('div.chooser', {}, h('label', { for: id }, label), menu, button, about);
  let game = null;
  const chooser = { element, spec: null, game: setGame, set };

  function set(spec) {
    chooser.spec = spec;
    const name = spec.split(':')[0];
    for (const option of [...menu.options]) if (option.dataset.own) option.remove();
    if (spec.includes(':')) menu.add(h('option', { value: spec, 'data-own': 'yes' }, spec));
    menu.value = spec;
    button.hidden = spec === 'human';
    const player = game.players.find((player) => player.name === name);
    text(about, spec === 'human' ? 'You, or whoever sits at this screen.' : player?.about ?? '');
    about.title = about.textContent;
  }

  function setGame(name, spec) {
    if (game?.name === name && !spec) return;
    game = play.gameOf(name);
    if (!game) return;
    const names = game.players.map((player) => h('option', { value: player.name }, player.name === game.strongest ? `${player.name} (strongest)` : player.name));
    if (human) names.unshift(h('option', { value: 'human' }, 'Human'));
    menu.replaceChildren(...names);
    set(spec ?? game.strongest);
  }

  menu.onchange = () => {
    set(menu.value);
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
    const dialog = h('dialog.settings', { 'aria-label': `Settings of ${spec}` }, editor.element);
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
    this.filter = h('input', { type: 'search', placeholder: 'Find a setting', 'aria-label': 'Find a setting' });
    this.list = h('div.setting-list');
    const form = h('form', {}, h('label', { for: 'spec-field' }, `The player in words (${game.title})`), this.field);
    form.onsubmit = (event) => {
      event.preventDefault();
      this.read(this.field.value);
    };
    this.field.onchange = () => this.read(this.field.value);
    this.filter.oninput = () => this.applyFilter();
    this.element = h('div.editor', {}, h('h2', {}, 'Settings'), form, this.error, this.note, this.filter, this.list,
      h('div.actions.closing', {},
        h('button.primary', { onclick: () => this.done() }, 'Use this player'),
        h('button', { onclick: () => this.read(this.known.name) }, 'As the paper has it'),
        h('button', { onclick: () => this.onDone(null) }, 'Cancel')));
  }

  async done() {
    if (this.field.value !== this.known?.spec && !(await this.read(this.field.value))) return;
    this.onDone(this.known.spec);
  }

  async read(spec) {
    try {
      this.known = await ask(`/api/games/${this.game.name}/spec?text=${encodeURIComponent(spec)}`);
    } catch (error) {
      text(this.error, error.message);
      return false;
    }
    text(this.error, '');
    text(this.note, this.known.note ?? '');
    this.field.value = this.known.spec;
    this.draw();
    return true;
  }

  draw() {
    const focused = document.activeElement?.id;
    const all = this.game.settings[this.known.kind] ?? [];
    this.list.replaceChildren(...all.map((setting) => this.row(setting)));
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
    const about = h('p', { id: `about-${setting.name}` }, setting.meaning);
    if (!isMeant) about.append(h('em', {}, setting.needs ? ` Only with a setting such as ${setting.needs}.` : ' Means nothing for this player.'));
    if (setting.page) about.append(' ', h('a', { href: setting.page, target: '_blank', 'aria-label': `more about ${setting.name}` }, 'more'));
    const row = h('div.setting', { 'data-words': `${setting.name} ${setting.meaning}`.toLowerCase() }, h('label', { for: control.id }, setting.name), control, about);
    row.classList.toggle('changed', changed);
    row.classList.toggle('off', !isMeant);
    return row;
  }

  change(setting, value) {
    return this.read(withSetting(this.known.spec, setting, value));
  }

  applyFilter() {
    const wanted = this.filter.value.trim().toLowerCase();
    for (const row of this.list.children) row.hidden = !row.dataset.words.includes(wanted);
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
  const field = h('input', { value, title: setting.accepts, inputMode: setting.kind.startsWith('whole') ? 'numeric' : 'text', autocomplete: 'off', spellcheck: false });
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
