// The table: the game on the board, whose turn it is, and what may be done.

import { byId, framed, h, text, toast } from './dom.js';
import { keep } from './keep.js';
import { gameWord, t } from './words.js';
import { Board } from './board.js';
import { Seats } from './seats.js';
import { History } from './history.js';
import { MoveTree } from './moves.js';
import { ValueBar } from './valuebar.js';
import { openGameDialog, usualSeats } from './newgame.js';
import { startTransfer } from './transfer.js';
import { widthByHeight } from './layout.js';
import { drawTray } from './tray.js';
import { Boardless } from './boardless.js';
import { hasCharacters } from './pieces.js';
import { drawEnding } from './ending.js';
import { keepCopy, offerCopy } from './restore.js';
import { outcomeSentence, turnSentence } from './sentences.js';
import { soundOf } from './sound.js';

export class Play {
  constructor(socket) {
    this.socket = socket;
    this.state = null;
    this.tree = null;
    this.viewed = null; // a position of the past or of a variation that is shown instead of the present
    this.listeners = [];
    this.flipped = false;
    this.letters = keep.get('letters', 'chinese');
    this.board = new Board(byId('board'), { onMove: (move) => this.move(move), label: t('board') });
    this.board.change({ letters: this.letters });
    this.boardless = new Boardless(byId('board'), (move) => this.move(move));
    this.seats = new Seats(byId('seat-top'), byId('seat-bottom'));
    this.bar = new ValueBar();
    this.history = new History(byId('panel-game'), this);
    this.draw = framed(() => this.drawNow());
    startTransfer(byId('panel-game'), this);
    this.listen();
  }

  /** The catalogue of games has come. */
  begin(catalogue) {
    this.catalogue = catalogue;
    // Games without a board of their own are offered in the dialog only.
    const buttons = catalogue.games.filter((game) => game.has_board).map((game) => h('button', { 'data-game': game.name, 'aria-pressed': 'false', onclick: () => this.change(game) }, gameWord(game, game.title)));
    byId('games').replaceChildren(...buttons);
    if (this.state) this.receive(this.state); // its words are known now
    else if (this.upWithoutGame) this.startFirst();
  }

  /** Calls `listener(state)` whenever the game changes. */
  onState(listener) {
    this.listeners.push(listener);
    if (this.state) listener(this.state);
  }

  /** Sends a message and says what went wrong, if something did. */
  send(type, more) {
    return this.socket.send(type, more).catch((error) => {
      toast(error.message, { fromServer: Boolean(error.code) });
      this.draw();
      return null;
    });
  }

  gameOf(name = this.state?.game) {
    return this.catalogue?.games.find((game) => game.name === name);
  }

  /** The position that is seen: the present one, or another. */
  get shown() {
    return this.viewed?.position ?? this.state.position;
  }

  /** The node of the tree of moves that is seen. */
  get node() {
    return this.viewed?.node ?? this.state.node;
  }

  /** The node that will be seen when the server has answered. */
  get heading() {
    return this.wanted ?? this.node;
  }

  /** Reports with this serial are about what is seen. */
  get serial() {
    return this.viewed?.serial ?? this.state?.serial;
  }

  /** Shows the position of a node. */
  async view(node) {
    if (node === this.heading) return;
    this.wanted = node;
    const answer = await this.send('show', { node });
    // Whoever steps fast is past this already.
    if (this.wanted !== node) return;
    this.wanted = null;
    if (!answer || !this.tree.has(answer.node)) return;
    this.viewed = answer.node === this.state.node ? null : answer;
    this.pointed = null;
    this.arrows([]);
    for (const listener of this.listeners) listener(this.state);
    this.draw();
  }

  /** Arrows on the board: the line that a search expects. */
  arrows(list) {
    this.expected = list;
    if (this.state?.position.board) this.board.arrows(this.pointed ?? list);
  }

  /** Arrows of what the user points at, before all others; `null` when there is nothing any more. */
  point(list) {
    this.pointed = list;
    this.arrows(this.expected ?? []);
  }

  /** What a search expects in the state that its report is about. */
  value(report) {
    const node = report.serial === this.serial ? this.node : report.serial === this.state?.serial ? this.state.node : null;
    if (node === null) return;
    this.bar.take(node, report, report.side);
    this.drawBar();
  }

  get mayMove() {
    const { state } = this;
    if (!state) return false;
    if (this.viewed) return !this.viewed.position.outcome; // a variation begins there
    if (state.outcome || state.thinking) return false;
    const seat = state.seats[state.position.turn === 'first' ? 0 : 1];
    return seat.player === 'human' || state.paused;
  }

  move(move) {
    return this.send('play', this.viewed ? { move, at: this.viewed.node } : { move });
  }

  /** Another game: at once if nothing is lost by it, else after asking how. */
  change(game) {
    const { state } = this;
    if (!state || state.outcome || state.ply === 0) this.send('new', { game: game.name, seats: usualSeats(game) });
    else openGameDialog(this, game.name);
  }

  /** Begins a game where the session has none, unless a link brings one. */
  startFirst() {
    if (!this.upWithoutGame || this.waitsForLink) return;
    this.upWithoutGame = false;
    const game = this.gameOf(keep.get('game')) ?? this.catalogue.games[0];
    if (offerCopy(this)) return;
    this.send('new', { game: game.name, seats: usualSeats(game) });
  }

  listen() {
    this.socket.on('state', (state) => this.receive(state));
    this.socket.on('up', ({ resumed }) => {
      this.upWithoutGame = true;
      const begin = () => this.catalogue && this.startFirst();
      // The game of a resumed session comes at once, if it has one.
      if (resumed) this.socket.send('ping').then(begin, () => {});
      else begin();
    });
    this.socket.on('down', () => (this.viewed = null));
    byId('do-new').onclick = () => openGameDialog(this);
    byId('do-undo').onclick = () => this.send('undo');
    byId('do-resign').onclick = () => this.send('resign');
    byId('do-now').onclick = () => this.send('move-now');
    byId('do-pause').onclick = () => this.send(this.state.paused ? 'run' : 'pause');
    byId('do-go').onclick = () => this.viewed && this.send('go', { node: this.viewed.node });
    byId('do-flip').onclick = () => {
      this.flipped = !this.flipped;
      this.draw();
    };
    byId('do-glyphs').onclick = () => {
      this.letters = this.letters === 'latin' ? 'chinese' : 'latin';
      keep.set('letters', this.letters);
      this.board.change({ letters: this.letters });
      this.draw();
    };
  }

  receive(state) {
    const before = this.state;
    const begins = state.game !== before?.game || state.start !== before?.start || state.ply === 0;
    this.upWithoutGame = false;
    this.state = state;
    this.tree = new MoveTree(state);
    this.game = this.gameOf();
    // A change that leaves the board alone leaves what is looked at alone.
    if (begins || state.node !== before.node || !this.tree.has(this.viewed?.node)) this.viewed = null;
    this.received = performance.now();
    if (begins) {
      keep.set('game', state.game);
      this.bar.clear();
      const [first, second] = state.seats.map((seat) => seat.player === 'human');
      if (first !== second) this.flipped = second; // the one human sits at the bottom
    }
    this.bar.takeHistory(state.history);
    soundOf(before, state);
    keepCopy(this);
    byId('notice').hidden = true; // there is a game again
    this.wanted = null;
    this.pointed = null;
    this.arrows([]);
    for (const listener of this.listeners) listener(state);
    this.draw();
  }

  drawNow() {
    const { state } = this;
    if (!state) return;
    const position = this.shown;
    const view = byId('view-play');
    view.dataset.game = state.game;
    view.style.setProperty('--ratio', position.board ? widthByHeight(position.board) : 1);
    for (const button of byId('games').children) button.setAttribute('aria-pressed', button.dataset.game === state.game);
    this.board.play(this.game);
    if (position.board) {
      this.boardless.hide();
      if (this.board.flipped !== this.flipped) this.board.change({ flipped: this.flipped });
      this.board.show(position, { mayMove: this.mayMove });
    } else this.boardless.show(position, this.mayMove);
    drawTray(byId('tray'), position.board, this.letters, this.game);
    this.drawBar();
    this.seats.draw(this);
    this.history.draw();
    this.drawActions();
    drawEnding(byId('ending'), this);
    const sentence = this.viewed ? t('you-see', { ply: this.viewed.ply }) : state.outcome ? outcomeSentence(state.outcome, position, this.game) : turnSentence(state, this.game);
    text(byId('status'), sentence);
    document.title = `${sentence} Monteverde`;
    byId('status').classList.toggle('over', Boolean(state.outcome));
  }

  drawBar() {
    if (!this.tree) return;
    const outcome = this.viewed ? this.viewed.position.outcome : this.state.outcome;
    this.bar.draw({ tree: this.tree, node: this.node, outcome, flipped: this.flipped, position: this.shown, game: this.game });
  }

  drawActions() {
    const { state } = this;
    const engines = state.seats.filter((seat) => seat.player !== 'human').length;
    const over = Boolean(state.outcome);
    byId('do-undo').disabled = !state.can_undo;
    byId('do-hint').disabled = Boolean(this.shown.outcome) || !this.shown.legal.length;
    byId('do-resign').disabled = over || engines === 2;
    byId('do-now').classList.toggle('offered', Boolean(state.thinking));
    byId('do-go').hidden = !this.viewed;
    byId('do-pause').hidden = engines === 0;
    byId('do-pause').disabled = over;
    text(byId('do-pause'), state.paused ? t('go-on') : t('pause'));
    byId('do-flip').hidden = !state.position.board;
    byId('do-glyphs').hidden = !hasCharacters(state.position.board);
    byId('do-glyphs').setAttribute('aria-pressed', this.letters === 'latin');
  }
}
