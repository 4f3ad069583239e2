// The moves of the game and its variations, to go to any of them; and a field to write moves into.

import { h, text, toast } from './dom.js';
import { gameWord, t } from './words.js';
import { percent, proofWords, signed, count } from './numbers.js';

export class History {
  constructor(host, play) {
    this.play = play;
    this.marks = new Map(); // by node: what a review says of a move
    this.list = h('ol.moves', { 'aria-label': t('moves-of-game'), tabIndex: -1 });
    this.hint = h('p.hint', {}, t('how-to-move'));
    this.about = h('p.about-move', { 'aria-live': 'polite' });
    this.opening = h('p.opening');
    const step = (key, sign, to) => h('button', { 'aria-label': t(key), title: t(key), onclick: () => this.go(to) }, sign);
    this.steps = h('div.steps', { role: 'group', 'aria-label': t('look-back') },
      step('first-position', '«', 'start'), step('one-back', '‹', 'back'), step('one-forward', '›', 'forward'), step('the-present', '»', 'end'));
    this.field = h('input', { id: 'move-field', autocomplete: 'off', list: 'legal-moves', spellcheck: false });
    this.options = h('datalist', { id: 'legal-moves' });
    this.form = h('form.move-form', {}, h('label', { for: 'move-field' }, t('write-a-move')), this.field, this.options, h('button', {}, t('play-it')));
    this.form.onsubmit = (event) => this.submit(event);
    this.pass = h('button', { hidden: true, onclick: () => this.playPass() }, t('pass'));
    this.rules = h('a', { target: '_blank' }, t('how-it-is-played'));
    host.append(h('h2', {}, t('the-game')), h('p.hint', {}, this.rules), this.hint, this.opening, this.list, this.steps, this.about, this.pass, this.form);
    document.addEventListener('keydown', (event) => this.key(event));
  }

  /** Where a step leads to from what is seen: a node, or nothing. */
  target(step) {
    const { play } = this;
    if (step === 'start') return 0;
    if (step === 'end') return play.state.node;
    const at = play.heading;
    if (step === 'back') return at ? play.tree.get(at).parent : null;
    return play.tree.line(at)[play.tree.path(at).length]?.node ?? null;
  }

  go(step) {
    const node = this.target(step);
    if (node !== null) this.play.view(node);
  }

  /** Arrow keys step through the game, unless something has the focus that needs them itself. */
  key(event) {
    const step = { ArrowLeft: 'back', ArrowRight: 'forward', Home: 'start', End: 'end' }[event.key];
    // Squares need them only where the board is used by keys: a click on one leaves the arrows to the game.
    const needs = 'input, textarea, select, dialog, [role=grid][data-keys], [role=tab], [role=treeitem], [role=menu]';
    if (!step || !this.play.state || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest?.(needs) || document.querySelector('dialog[open]') || document.getElementById('view-play').hidden) return;
    event.preventDefault();
    this.go(step);
  }

  submit(event) {
    event.preventDefault();
    const written = this.field.value.trim().toLowerCase();
    const bare = (label) => label.toLowerCase().replace(/[+#x=]/g, '');
    const { legal } = this.play.shown;
    const found = legal.find((move) => move.text.toLowerCase() === written)
      ?? legal.find((move) => move.label === this.field.value.trim())
      ?? legal.find((move) => bare(move.label) === bare(written));
    if (!found) return toast(written ? t('no-legal-move', { move: this.field.value }) : t('write-such-as'));
    this.field.value = '';
    this.play.move(found.text);
  }

  playPass() {
    this.play.move(this.play.shown.legal.find((move) => move.kind === 'pass').text);
  }

  /** Marks moves by what a review found. */
  mark(marks) {
    this.marks = marks;
    this.drawn = null;
    this.draw();
  }

  draw() {
    const { state, tree, node, shown } = this.play;
    if (!state) return;
    this.hint.hidden = state.ply > 1;
    const rules = this.play.gameOf()?.rules;
    this.rules.parentElement.hidden = !rules;
    if (rules) this.rules.href = rules;
    this.drawList(tree);
    for (const button of this.list.querySelectorAll('[aria-current]')) button.removeAttribute('aria-current');
    const current = this.list.querySelector(`[data-node="${node}"]`);
    current?.setAttribute('aria-current', 'step');
    if (current) this.list.scrollTop = current.offsetTop - this.list.clientHeight / 2;
    text(this.about, aboutMove(tree.get(node), this.play));
    text(this.opening, openingName(this.play));
    const [first, back, forward, present] = this.steps.children;
    first.disabled = back.disabled = node === 0;
    forward.disabled = this.target('forward') === null;
    present.disabled = node === state.node;
    const may = this.play.mayMove;
    this.pass.hidden = !(may && shown.legal.some((move) => move.kind === 'pass'));
    this.form.hidden = !may && Boolean(state.outcome);
    const [example] = shown.legal;
    if (example) this.field.placeholder = example.label;
    this.options.replaceChildren(...(may ? shown.legal.slice(0, 200) : []).map((move) => h('option', { value: move.label })));
  }

  /** The first move of every state in two columns, others below it as lines of their own. */
  drawList(tree) {
    const main = tree.along(0);
    const key = [...tree.nodes.values()].map(({ node, label }) => `${node} ${label}`).join();
    if (key === this.drawn) return;
    this.drawn = key;
    const secondBegins = main[0]?.side === 'second';
    const items = [];
    main.forEach((played, index) => {
      const place = played.ply + (secondBegins ? 1 : 0);
      const item = h('li', {}, this.button(played));
      if (place % 2 === 1 || (secondBegins && played.ply === 1)) item.dataset.number = `${Math.ceil(place / 2)}.`;
      if (secondBegins && played.ply === 1) item.classList.add('second-begins');
      items.push(item);
      const others = tree.get(index ? main[index - 1].node : 0).children.slice(1);
      if (!others.length) return;
      if (place % 2 === 1) item.classList.add('alone');
      for (const other of others) items.push(h('li.variation', {}, ...this.line(tree, other)));
    });
    this.list.replaceChildren(...items);
  }

  /** A variation as text: its moves, and in brackets what might have been played instead. */
  line(tree, first) {
    const parts = [];
    for (let node = first, isFirst = true; node; isFirst = false) {
      const played = tree.get(node);
      parts.push(this.button(played, isFirst || played.side === 'first'));
      const [next, ...others] = played.children;
      for (const other of others) parts.push(h('span.bracket', {}, '(', ...this.line(tree, other), ')'));
      node = next;
    }
    return parts;
  }

  button(played, isNumbered = false) {
    const mark = this.marks.get(played.node);
    const number = isNumbered ? h('span.number', {}, `${Math.ceil(played.ply / 2)}${played.ply % 2 ? '.' : '…'}`) : null;
    const sign = mark ? h('span.sign', { 'data-mark': mark.kind, title: mark.words }, mark.sign) : null;
    const label = `${t('move-number', { ply: played.ply, label: played.label })}${mark ? `, ${mark.words}` : ''}`;
    return h('button', { 'data-node': played.node, 'data-ply': played.ply, 'aria-label': label, onclick: () => this.play.view(played.node) }, number, played.label, sign);
  }
}

/** What the game's first moves are called, where they have a name. */
function openingName({ state, tree, node, game }) {
  if (!game?.openings?.length || state.start !== game.start) return '';
  const line = `${tree.path(node).map((played) => played.text).join(' ')} `;
  const named = game.openings.filter(([moves]) => line.startsWith(`${moves} `));
  const [, name] = named.reduce((longest, one) => (one[0].length > longest[0].length ? one : longest), ['', '']);
  return gameWord(game, name);
}

/** What the player that made a move thought of it. */
function aboutMove(played, { state, game }) {
  if (!played?.node) return '';
  const side = gameWord(game, state.position.side_names[played.side === 'first' ? 0 : 1]);
  const { report, label } = played;
  if (!report) return t('side-played', { side, label });
  const value = report.proof ? proofWords(report.proof, game) : report.mean === null ? '' : t('value-in-points', { value: signed(report.mean), share: percent((report.mean + 1) / 2) });
  return t('side-played-after', { side, label, iterations: count(report.iterations), seconds: played.seconds?.toFixed(1) ?? '?', value });
}
