// The board editor: pieces from a palette onto the board, then whatever else the game's state text says.

import { ask, h, putSaid, text } from './dom.js';
import { gameWord, t } from './words.js';
import { Board } from './board.js';
import { pieceIcon } from './pieces.js';

/** A dialog that starts from a state text; the promise is the text of what was made, or `null`. */
export function openEditor(game, state, { letters }) {
  return new Promise((resolve) => {
    const dialog = h('dialog.editor-dialog', { 'aria-label': t('board-editor') });
    const editor = new BoardEditor(game, letters, (made) => {
      resolve(made);
      dialog.close();
    });
    dialog.append(editor.element);
    dialog.onclose = () => {
      dialog.remove();
      resolve(null);
    };
    document.body.append(dialog);
    dialog.showModal();
    // Nothing can be pressed before there is a position to change.
    editor.element.inert = true;
    editor.read(state ?? game.start).catch(() => editor.read(game.start)).then(() => {
      editor.element.inert = false;
      editor.element.querySelector('button').focus();
    });
  });
}

class BoardEditor {
  constructor(game, letters, onDone) {
    this.game = game;
    this.letters = letters;
    this.onDone = onDone;
    this.pieces = new Map(); // by square, as the palette has them
    this.chosen = game.editor.pieces[0];
    const host = h('div.board');
    this.board = new Board(host, { label: t('board'), onMove: () => {} });
    this.board.game = game;
    this.board.change({ letters });
    this.board.press = (square) => this.put(square);
    this.palette = h('div.palette', { role: 'radiogroup', 'aria-label': t('palette') });
    this.fields = h('div.pair');
    this.text = h('input.spec-field', { id: 'editor-text', spellcheck: false, autocomplete: 'off' });
    this.text.onchange = () => this.read(this.text.value).catch((problem) => putSaid(this.error, problem.message));
    this.error = h('p.error', { role: 'alert' });
    const button = (key, onclick, name = 'button') => h(name, { type: 'button', onclick }, t(key));
    this.element = h('div.editor', {}, h('h2', {}, t('board-editor')), h('p.hint', {}, t('editor-hint')), this.palette, host, this.fields,
      h('div.field', {}, h('label', { for: 'editor-text' }, t('state-text')), this.text), this.error,
      h('div.actions.closing', {}, button('put-on-board', () => this.done(), 'button.primary'), button('empty-board', () => this.clear()),
        button('start-of-game', () => this.read(game.start)), button('cancel', () => onDone(null))));
    this.drawPalette();
  }

  /** Takes up a state text: what stands where, and its other fields. */
  async read(state) {
    const position = await ask(`/api/games/${this.game.name}/state?text=${encodeURIComponent(state)}`);
    this.files = position.board.files;
    this.ranks = position.board.ranks;
    this.position = position;
    this.pieces = new Map(position.board.pieces.map((piece) => [piece.square, this.known(piece)]));
    const [, ...values] = position.text.split(' ');
    this.values = this.game.editor.fields.map((field, index) => values[index] ?? usualOf(field));
    this.drawFields();
    this.draw();
  }

  known({ letter }) {
    return this.game.editor.pieces.find((piece) => piece.letter === letter);
  }

  put(square) {
    if (!this.chosen || this.pieces.get(square)?.letter === this.chosen.letter) this.pieces.delete(square);
    else this.pieces.set(square, this.chosen);
    this.draw();
  }

  /** Nothing stands anywhere, so what depends on pieces is not there either. */
  clear() {
    this.pieces.clear();
    this.game.editor.fields.forEach((field, index) => {
      if (field.kind === 'flags' || field.kind === 'text') this.values[index] = usualOf(field);
    });
    this.drawFields();
    this.draw();
  }

  async done() {
    try {
      await ask(`/api/games/${this.game.name}/state?text=${encodeURIComponent(this.text.value)}`);
      this.onDone(this.text.value);
    } catch (problem) {
      putSaid(this.error, problem.message);
      this.error.scrollIntoView({ block: 'center' });
    }
  }

  drawPalette() {
    const choices = [...this.game.editor.pieces, null].map((piece) => {
      const name = piece ? gameWord(this.game, piece.name) : t('take-away');
      const button = h('button', { type: 'button', role: 'radio', 'aria-checked': piece === this.chosen, 'aria-label': name, title: name, 'data-letter': piece?.letter ?? '' }, piece ? pieceIcon(piece, this.letters) : '✕');
      button.onclick = () => {
        this.chosen = piece;
        for (const other of this.palette.children) other.setAttribute('aria-checked', other === button);
      };
      return button;
    });
    this.palette.replaceChildren(...choices);
  }

  drawFields() {
    const controls = this.game.editor.fields.map((field, index) => this.control(field, index)).filter(Boolean);
    this.fields.replaceChildren(...controls);
  }

  control(field, index) {
    if (field.kind === 'fixed') return null;
    const id = `editor-field-${index}`;
    const title = gameWord(this.game, field.title);
    const set = (value) => {
      this.values[index] = value;
      this.draw();
    };
    if (field.kind === 'flags') {
      const boxes = field.options.map(({ text: letter, name }) => {
        const box = h('input', { type: 'checkbox', checked: this.values[index].includes(letter), value: letter });
        box.onchange = () => set(boxes.map((label) => label.firstChild).filter((one) => one.checked).map((one) => one.value).join('') || field.none);
        return h('label.flag', {}, box, gameWord(this.game, name));
      });
      return h('fieldset', {}, h('legend', {}, title), ...boxes);
    }
    const control = field.kind === 'choice'
      ? h('select', { id }, ...field.options.map(({ text: value, name }) => h('option', { value }, gameWord(this.game, name))))
      : h('input', { id, spellcheck: false, autocomplete: 'off' });
    control.value = this.values[index];
    control.onchange = () => set(control.value.trim() || usualOf(field));
    return h('div.field', {}, h('label', { for: id }, title), control);
  }

  draw() {
    const pieces = [...this.pieces].map(([square, piece]) => ({ ...piece, square }));
    this.board.show({ ...this.position, last: null, legal: [], board: { ...this.position.board, pieces, marks: [] } });
    this.text.value = [this.squares(), ...this.values].join(' ');
    putSaid(this.error);
  }

  /** The ranks from the highest on, with numbers for empty squares. */
  squares() {
    const ranks = [];
    for (let rank = this.ranks; rank >= 1; rank--) {
      let row = '';
      let empty = 0;
      for (let file = 0; file < this.files; file++) {
        const piece = this.pieces.get(`${String.fromCharCode(97 + file)}${rank}`);
        if (!piece) empty += 1;
        else {
          row += (empty || '') + piece.letter;
          empty = 0;
        }
      }
      ranks.push(row + (empty || ''));
    }
    return ranks.join('/');
  }
}

/** What stands in a field where nothing else is known. */
function usualOf(field) {
  return { choice: () => field.options[0].text, flags: () => field.none, text: () => field.usual, fixed: () => field.text }[field.kind]();
}
