// The moves of the game, to go back to any of them; and a field to write moves into.

import { h, text, toast } from './dom.js';
import { percent, proofWords, signed, count } from './numbers.js';

export class History {
  constructor(host, play) {
    this.play = play;
    this.list = h('ol.moves', { 'aria-label': 'Moves of the game' });
    this.hint = h('p.hint', {}, 'Click or drag a piece, or move about the board with the arrow keys and press Enter. Choose another game above the board, or another opponent under “New game …”.');
    this.about = h('p.about-move', { 'aria-live': 'polite' });
    const step = (label, sign, to) => h('button', { 'aria-label': label, title: label, onclick: () => this.go(to()) }, sign);
    const at = () => play.viewed?.ply ?? play.state.ply;
    this.steps = h('div.steps', { role: 'group', 'aria-label': 'Look back' },
      step('first position', '«', () => 0), step('one ply back', '‹', () => at() - 1),
      step('one ply forward', '›', () => at() + 1), step('the present', '»', () => play.state.ply));
    this.field = h('input', { id: 'move-field', autocomplete: 'off', list: 'legal-moves', placeholder: 'e4', spellcheck: false });
    this.options = h('datalist', { id: 'legal-moves' });
    this.form = h('form.move-form', {}, h('label', { for: 'move-field' }, 'Write a move'), this.field, this.options, h('button', {}, 'Play'));
    this.form.onsubmit = (event) => this.submit(event);
    this.pass = h('button', { hidden: true, onclick: () => this.playPass() }, 'Pass: there is no other move');
    this.rules = h('a', { target: '_blank' }, 'How it is played');
    host.append(h('h2', {}, 'The game'), h('p.hint', {}, this.rules), this.hint, this.list, this.steps, this.about, this.pass, this.form);
    this.shown = 0;
    this.first = null;
  }

  go(ply) {
    const last = this.play.state.ply;
    this.play.view(Math.max(0, Math.min(last, ply)));
  }

  submit(event) {
    event.preventDefault();
    const written = this.field.value.trim().toLowerCase();
    const bare = (label) => label.toLowerCase().replace(/[+#x=]/g, '');
    const { legal } = this.play.state.position;
    const found = legal.find((move) => move.text.toLowerCase() === written)
      ?? legal.find((move) => move.label === this.field.value.trim())
      ?? legal.find((move) => bare(move.label) === bare(written));
    if (!found) return toast(written ? `“${this.field.value}” is no legal move here.` : 'Write a move such as one of the list.');
    this.field.value = '';
    this.play.move(found.text);
  }

  playPass() {
    this.play.move(this.play.state.position.legal.find((move) => move.kind === 'pass').text);
  }

  draw() {
    const { state, viewed } = this.play;
    this.hint.hidden = state.ply > 1;
    const rules = this.play.gameOf()?.rules;
    this.rules.parentElement.hidden = !rules;
    if (rules) this.rules.href = rules;
    this.drawList(state);
    const at = viewed?.ply ?? state.ply;
    for (const button of this.list.querySelectorAll('[aria-current]')) button.removeAttribute('aria-current');
    const current = this.list.querySelector(`[data-ply="${at}"]`);
    current?.setAttribute('aria-current', 'step');
    if (current) this.list.scrollTop = current.offsetTop - this.list.clientHeight / 2;
    text(this.about, aboutMove(state.history[at - 1], state));
    const [first, back, forward, present] = this.steps.children;
    first.disabled = back.disabled = at === 0;
    forward.disabled = present.disabled = at === state.ply;
    const may = this.play.mayMove;
    this.pass.hidden = !(may && state.position.legal.some((move) => move.kind === 'pass'));
    this.form.hidden = Boolean(state.outcome);
    const [example] = state.position.legal;
    if (example) this.field.placeholder = example.label;
    this.options.replaceChildren(...(may ? state.position.legal.slice(0, 200) : []).map((move) => h('option', { value: move.label })));
  }

  /** Only what was added or taken back is changed. */
  drawList({ history, start, game }) {
    const key = `${game} ${start}`;
    if (key !== this.first) {
      this.first = key;
      this.texts = [];
      this.list.replaceChildren();
    }
    let kept = 0;
    while (kept < this.texts.length && kept < history.length && this.texts[kept] === history[kept].label) kept++;
    while (this.list.childElementCount > kept) this.list.lastChild.remove();
    this.texts.length = kept;
    const secondBegins = history[0]?.side === 'second';
    for (const played of history.slice(kept)) {
      const button = h('button', { 'data-ply': played.ply, 'aria-label': `move ${played.ply}: ${played.label}`, onclick: () => this.play.view(played.ply) }, played.label);
      const place = played.ply + (secondBegins ? 1 : 0);
      const item = h('li', {}, button);
      if (place % 2 === 1 || (secondBegins && played.ply === 1)) item.dataset.number = `${Math.ceil(place / 2)}.`;
      if (secondBegins && played.ply === 1) item.classList.add('second-begins');
      this.list.append(item);
      this.texts.push(played.label);
    }
  }
}

/** What the player that made a move thought of it. */
function aboutMove(played, state) {
  if (!played) return '';
  const side = state.position.side_names[played.side === 'first' ? 0 : 1];
  const report = played.report;
  if (!report) return `${side} played ${played.label}.`;
  const value = report.proof ? proofWords(report.proof) : report.mean === null ? '' : `${signed(report.mean)} (${percent((report.mean + 1) / 2)} of the points)`;
  return `${side} played ${played.label} after ${count(report.iterations)} iterations in ${played.seconds?.toFixed(1) ?? '?'} s: ${value}.`;
}
