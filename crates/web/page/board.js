// The board of all games: squares, pieces, marks and arrows in one SVG; moves by click, drag and keyboard.

import { h, s } from './dom.js';
import { gameWord, t } from './words.js';
import { colourOf, drawPiece, pieceIcon } from './pieces.js';
import { layOut } from './layout.js';
import { drawArrows } from './arrows.js';

const DRAG_FROM = 5; // pixels that a pointer moves before a press becomes a drag
const CAN = { flip: 'can-be-turned', place: 'can-be-played' }; // what may be done with a square, by the kind of its moves
const MARKS = { check: 'in-check', win: 'part-of-win' };
const FLIP_HALF = 130; // milliseconds until a turning disc is seen from its edge; half of the animation in board.css

export class Board {
  /** `onMove(text)` is called for every move that the user makes. */
  constructor(host, { onMove = () => {}, label = t('board') } = {}) {
    this.host = host;
    this.onMove = onMove;
    this.game = null; // whose words the pieces are named in
    this.pieces = new Map();
    this.letters = 'chinese';
    this.flipped = false;
    this.mayMove = false;
    this.selected = null;
    this.cursor = null;
    this.svg = s('svg', { class: 'board-svg', role: 'grid', 'aria-label': label });
    this.layers = Object.fromEntries(['squares', 'marks', 'men', 'arrows', 'cells'].map((name) => [name, s('g', { class: name })]));
    this.layers.men.setAttribute('aria-hidden', 'true');
    this.svg.append(...Object.values(this.layers));
    this.choice = h('div.choice', { role: 'menu', hidden: true });
    this.others = h('div.other-moves', { role: 'group', 'aria-label': t('moves-beside'), hidden: true });
    host.replaceChildren(this.svg, this.choice, this.others);
    this.listen();
  }

  /** Positions from now on are of that game; what was taken up in another one is let go. */
  play(game) {
    if (game?.name !== this.game?.name) this.selected = null;
    this.game = game;
  }

  /** Shows a position; pieces glide from where they were. */
  show(position, { mayMove = false } = {}) {
    const board = position.board;
    const shape = `${board.files}x${board.ranks}${board.style}${board.orientation}${this.flipped}`;
    if (shape !== this.shape) this.build(board, shape);
    this.position = position;
    this.mayMove = mayMove;
    this.closeChoice();
    this.moves = new Map(); // by the square that is pressed first
    const others = [];
    for (const move of mayMove ? position.legal : []) {
      const name = move.from ?? move.to;
      if (!name) others.push(h('button', { onclick: () => this.onMove(move.text) }, move.label));
      else if (this.moves.has(name)) this.moves.get(name).push(move);
      else this.moves.set(name, [move]);
    }
    this.others.replaceChildren(...others);
    this.others.hidden = !others.length;
    if (!this.moves.has(this.selected)) this.selected = null;
    this.placePieces(position);
    this.mark();
    this.describe();
  }

  /** Turns the board by half, or changes the letters on discs, and draws everything anew. */
  change({ flipped = this.flipped, letters = this.letters }) {
    this.flipped = flipped;
    this.letters = letters;
    this.shape = null;
    if (this.position) this.show(this.position, { mayMove: this.mayMove });
  }

  /** Arrows `{from, to, weight}`, the first one the strongest. */
  arrows(list) {
    if (this.layout) drawArrows(this.layers.arrows, this.layout, list);
  }

  build(board, shape) {
    this.shape = shape;
    this.layout = layOut(board, this.flipped);
    const { columns, rows, squares } = this.layout;
    this.svg.setAttribute('viewBox', `0 0 ${columns * 100} ${rows * 100}`);
    this.host.style.setProperty('--columns', columns);
    this.host.style.setProperty('--rows', rows);
    this.host.dataset.style = board.style;
    for (const layer of Object.values(this.layers)) layer.replaceChildren();
    this.pieces.clear();
    this.cells = new Map();
    const lines = Array.from({ length: rows }, () => s('g', { role: 'row' }));
    for (const square of squares) {
      const { name, x, y, shade } = square;
      this.layers.squares.append(s('rect', { class: `square ${shade}`, x, y, width: 100, height: 100 }));
      const cell = s('rect', { class: 'cell', role: 'gridcell', x, y, width: 100, height: 100, tabindex: -1, 'data-square': name });
      this.cells.set(name, cell);
      lines[y / 100].append(cell);
    }
    if (board.style === 'intersections') this.layers.squares.append(crossings(columns, rows));
    for (const { text, x, y, anchor, shade } of this.layout.legends) {
      const legend = s('text', { class: `legend ${shade}`, x, y, 'text-anchor': anchor, 'aria-hidden': 'true' });
      legend.textContent = text;
      this.layers.squares.append(legend);
    }
    this.layers.cells.append(...lines);
    if (!this.cells.has(this.cursor)) this.cursor = squares[0].name;
    this.cells.get(this.cursor).setAttribute('tabindex', 0);
  }

  placePieces({ board, last }) {
    const wanted = new Map(board.pieces.map((piece) => [piece.square, piece]));
    const gone = new Map();
    for (const [square, shown] of this.pieces) {
      const piece = wanted.get(square);
      if (!piece || !same(piece, shown.piece)) gone.set(square, shown);
    }
    const come = board.pieces.filter((piece) => !this.pieces.has(piece.square) || gone.has(piece.square));
    const placed = [];
    for (const piece of come) {
      const shown = this.origin(piece, gone, last);
      placed.push([piece, shown ?? this.createPiece(piece), shown]);
      if (shown) gone.delete(shown.piece.square);
    }
    for (const { element } of gone.values()) leave(element);
    for (const [square, shown] of [...this.pieces]) if (!wanted.has(square) || gone.has(square) || placed.some(([, old]) => old === shown)) this.pieces.delete(square);
    for (const [piece, shown, old] of placed) {
      this.pieces.set(piece.square, shown);
      this.movePiece(shown, piece, Boolean(old));
    }
  }

  /** Which of the pieces that left their squares has come to this one. */
  origin(piece, gone, last) {
    const here = gone.get(piece.square);
    if (here && here.piece.glyph === 'covered') return here;
    if (last && last.to === piece.square && gone.has(last.from) && last.from !== last.to) return gone.get(last.from);
    for (const shown of gone.values()) if (same(shown.piece, piece)) return shown;
    return null;
  }

  createPiece(piece) {
    const element = s('g', { class: 'piece' }, drawPiece(piece, this.letters));
    this.layers.men.append(element);
    return { element, piece };
  }

  movePiece(shown, piece, glides) {
    const { x, y } = this.layout.at.get(piece.square);
    const { element } = shown;
    const before = shown.piece;
    shown.piece = piece;
    element.classList.toggle('still', !glides);
    element.style.transform = `translate(${x}px, ${y}px)`;
    if (before.square !== piece.square) this.layers.men.append(element);
    if (same(before, piece)) return;
    const redraw = () => element.replaceChildren(drawPiece(piece, this.letters));
    if (before.glyph !== 'covered') return redraw();
    element.firstChild.classList.add('turning');
    setTimeout(() => {
      redraw();
      element.firstChild.classList.add('turned');
    }, FLIP_HALF);
  }

  mark() {
    const { last, board } = this.position;
    const marks = [];
    const square = (name, kind) => {
      const at = this.layout.at.get(name);
      if (at) marks.push(s('rect', { class: `mark ${kind}`, x: at.x, y: at.y, width: 100, height: 100 }));
    };
    for (const mark of board.marks) if (mark.kind === 'special') square(mark.square, mark.kind);
    if (last) for (const name of new Set([last.from, last.to])) square(name, 'last');
    for (const mark of board.marks) if (mark.kind !== 'special') square(mark.square, mark.kind);
    if (this.selected) square(this.selected, 'selected');
    const taken = new Set(board.pieces.map((piece) => piece.square));
    for (const target of new Set((this.moves.get(this.selected) ?? []).map((move) => move.to))) {
      const { x, y } = this.layout.at.get(target);
      marks.push(s('circle', { class: taken.has(target) ? 'target take' : 'target', cx: x + 50, cy: y + 50, r: taken.has(target) ? 44 : 15 }));
    }
    this.layers.marks.replaceChildren(...marks);
    for (const [name, cell] of this.cells) {
      const own = this.moves.get(name) ?? [];
      cell.classList.toggle('mine', own.some((move) => !isPress(move)));
      cell.classList.toggle('press', own.some(isPress));
    }
  }

  describe() {
    const on = new Map(this.position.board.pieces.map((piece) => [piece.square, gameWord(this.game, piece.name)]));
    const targets = new Set((this.moves.get(this.selected) ?? []).map((move) => move.to));
    const marked = new Map(this.position.board.marks.map((mark) => [mark.square, MARKS[mark.kind] && t(MARKS[mark.kind])]));
    for (const [name, cell] of this.cells) {
      const parts = [name, on.get(name) ?? t('empty')];
      if (name === this.selected) parts.push(t('selected'));
      else if (targets.has(name)) parts.push(t('can-go-here'));
      else if (this.moves.has(name)) parts.push(t(CAN[this.moves.get(name)[0].kind] ?? 'can-move'));
      if (marked.get(name)) parts.push(marked.get(name));
      cell.setAttribute('aria-label', parts.join(', '));
      cell.setAttribute('aria-selected', name === this.selected);
    }
  }

  select(name) {
    this.selected = name;
    this.mark();
    this.describe();
  }

  /** A press on a square: plays to it, or takes up what stands there. */
  press(name) {
    const own = this.moves.get(name) ?? [];
    if (this.selected && this.selected !== name && this.tryMove(this.selected, name)) return;
    const presses = own.filter(isPress);
    if (presses.length === 1) return this.onMove(presses[0].text);
    if (presses.length) return this.offer(name, presses);
    if (this.selected === name) {
      if (!this.tryMove(name, name)) this.select(null);
      return;
    }
    this.select(own.length ? name : null);
  }

  tryMove(from, to) {
    const choices = (this.moves.get(from) ?? []).filter((move) => move.to === to && !isPress(move));
    if (!choices.length) return false;
    if (choices.length === 1) this.onMove(choices[0].text);
    else this.offer(to, choices);
    this.select(null);
    return true;
  }

  /** Moves that share their squares: promotions, and some castlings of Chess960. */
  offer(square, moves) {
    const promoted = this.position.board.pieces.find((piece) => piece.square === moves[0].from);
    const buttons = moves.map((move) => {
      const picture = move.promotion_glyph ? pieceIcon({ ...promoted, glyph: move.promotion_glyph }, this.letters) : move.label;
      const label = move.promotion ? t('promote-to', { piece: gameWord(this.game, move.promotion) }) : move.label;
      const onclick = () => {
        this.closeChoice();
        this.onMove(move.text);
      };
      return h('button', { role: 'menuitem', 'aria-label': label, title: label, onclick }, picture);
    });
    const { x, y } = this.layout.at.get(square);
    this.choice.replaceChildren(...buttons);
    this.choice.style.left = `${Math.min(x / this.layout.columns, 100 - (100 * moves.length) / this.layout.columns)}%`;
    this.choice.style.top = `${Math.min(y, (this.layout.rows - 1) * 100) / this.layout.rows}%`;
    this.choice.hidden = false;
    buttons[0].focus();
  }

  closeChoice() {
    this.choice.hidden = true;
  }

  listen() {
    const squareOf = (event) => event.target.dataset?.square;
    // The board is used by keys once the focus came to it by keys.
    this.svg.addEventListener('pointerdown', () => (this.pressed = true));
    addEventListener('pointerup', () => (this.pressed = false));
    this.svg.addEventListener('focusin', () => {
      if (this.pressed) delete this.svg.dataset.keys;
      else this.svg.dataset.keys = 'on';
    });
    this.svg.addEventListener('pointerdown', (event) => {
      const name = squareOf(event);
      if (!name || event.button !== 0) return;
      this.closeChoice();
      this.setCursor(name);
      const held = this.pieces.get(name);
      const mine = this.moves?.get(name)?.some((move) => !isPress(move));
      event.target.setPointerCapture(event.pointerId);
      this.held = { name, x: event.clientX, y: event.clientY, shown: mine ? held : null, drags: false };
    });
    this.svg.addEventListener('pointermove', (event) => this.drag(event));
    this.svg.addEventListener('pointerup', (event) => this.drop(event));
    this.svg.addEventListener('pointercancel', () => this.letGo());
    this.svg.addEventListener('keydown', (event) => this.key(event));
    this.choice.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 'nextElementSibling', ArrowLeft: 'previousElementSibling' }[event.key];
      if (event.key === 'Escape') this.closeChoice();
      else if (step) document.activeElement[step]?.focus();
      else return;
      event.preventDefault();
    });
  }

  drag(event) {
    const held = this.held;
    if (!held?.shown) return;
    if (!held.drags && Math.hypot(event.clientX - held.x, event.clientY - held.y) < DRAG_FROM) return;
    if (!held.drags) {
      held.drags = true;
      this.select(held.name);
      held.shown.element.classList.add('still', 'dragged');
      this.layers.men.append(held.shown.element);
    }
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    held.shown.element.style.transform = `translate(${point.x - 50}px, ${point.y - 50}px)`;
  }

  drop(event) {
    const held = this.held;
    if (!held) return;
    this.letGo();
    // The pointer is captured, so the event's own target is where it was pressed.
    const target = document.elementFromPoint(event.clientX, event.clientY)?.dataset?.square;
    if (!held.drags) {
      if (target === held.name) this.press(held.name);
      return;
    }
    if (!target || target === held.name || !this.tryMove(held.name, target)) this.select(target === held.name ? held.name : null);
  }

  letGo() {
    const held = this.held;
    this.held = null;
    if (!held?.drags) return;
    const { x, y } = this.layout.at.get(held.name);
    held.shown.element.classList.remove('dragged');
    held.shown.element.style.transform = `translate(${x}px, ${y}px)`;
  }

  key(event) {
    const step = { ArrowLeft: [-100, 0], ArrowRight: [100, 0], ArrowUp: [0, -100], ArrowDown: [0, 100] }[event.key];
    if (step) {
      if (!this.svg.dataset.keys) return;
      const { x, y } = this.layout.at.get(this.cursor);
      const next = this.layout.squares.find((square) => square.x === x + step[0] && square.y === y + step[1]);
      if (next) this.setCursor(next.name).focus();
    } else if (event.key === 'Enter' || event.key === ' ') this.press(this.cursor);
    else if (event.key === 'Escape') this.select(null);
    else return;
    event.preventDefault();
  }

  setCursor(name) {
    this.cells.get(this.cursor)?.setAttribute('tabindex', -1);
    this.cursor = name;
    const cell = this.cells.get(name);
    cell.setAttribute('tabindex', 0);
    return cell;
  }
}

/** Whether a move is made by one press on its square. */
function isPress(move) {
  return !move.from || move.kind === 'flip';
}

/** The lines of a board whose pieces stand where lines cross. */
function crossings(columns, rows) {
  const down = Array.from({ length: columns }, (_, column) => `M${100 * column + 50} 50V${100 * rows - 50}`);
  const across = Array.from({ length: rows }, (_, row) => `M50 ${100 * row + 50}H${100 * columns - 50}`);
  return s('path', { class: 'crossings', d: [...down, ...across].join('') });
}

function same(a, b) {
  return a.kind === b.kind && a.glyph === b.glyph && colourOf(a) === colourOf(b);
}

function leave(element) {
  element.classList.add('leaving');
  setTimeout(() => element.remove(), 200);
}
