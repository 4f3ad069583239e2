// The table: the game on the board, whose turn it is, and what may be done.

import { byId, framed, h, keep, text, toast } from './dom.js';
import { Board } from './board.js';
import { Seats } from './seats.js';
import { History } from './history.js';
import { openGameDialog } from './newgame.js';
import { startTransfer } from './transfer.js';
import { widthByHeight } from './layout.js';
import { drawTray } from './tray.js';
import { Boardless } from './boardless.js';
import { hasCharacters } from './pieces.js';
import { expected, percent } from './numbers.js';

export class Play {
  constructor(socket) {
    this.socket = socket;
    this.state = null;
    this.viewed = null; // a position of the past that is shown instead of the present
    this.listeners = [];
    this.flipped = false;
    this.letters = keep.get('letters', 'chinese');
    this.board = new Board(byId('board'), { onMove: (move) => this.move(move) });
    this.board.change({ letters: this.letters });
    this.boardless = new Boardless(byId('board'), (move) => this.move(move));
    this.seats = new Seats(byId('seat-top'), byId('seat-bottom'));
    this.history = new History(byId('panel-game'), this);
    this.draw = framed(() => this.drawNow());
    startTransfer(byId('panel-game'), this);
    this.listen();
  }

  /** The catalogue of games has come. */
  begin(catalogue) {
    this.catalogue = catalogue;
    // Games without a board of their own are offered in the dialog only.
    const buttons = catalogue.games.filter((game) => game.has_board).map((game) => h('button', { 'data-game': game.name, 'aria-pressed': 'false', onclick: () => this.change(game) }, game.title));
    byId('games').replaceChildren(...buttons);
    if (this.upWithoutGame) this.startFirst();
    this.draw();
  }

  /** Calls `listener(state)` whenever the game changes. */
  onState(listener) {
    this.listeners.push(listener);
    if (this.state) listener(this.state);
  }

  /** Sends a message and says what went wrong, if something did. */
  send(type, more) {
    return this.socket.send(type, more).catch((error) => {
      toast(error.message);
      this.draw();
      return null;
    });
  }

  gameOf(name = this.state?.game) {
    return this.catalogue?.games.find((game) => game.name === name);
  }

  /** The position that is seen: the present one, or one of the past. */
  get shown() {
    return this.viewed?.position ?? this.state.position;
  }

  /** Shows the position after so many plies. */
  async view(ply) {
    if (ply === this.state.ply) {
      this.viewed = null;
      return this.draw();
    }
    const answer = await this.send('show', { ply });
    if (answer) this.viewed = answer;
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

  /** The bar beside the board: what the search expects for the first side. */
  value(mean, side) {
    const share = expected(side === 'first' ? mean : -mean);
    const bar = byId('value-bar');
    bar.style.setProperty('--share', share);
    const name = this.state?.position.side_names[0] ?? 'first';
    bar.setAttribute('aria-label', `${name} is expected to get ${percent(share)} of the points`);
    bar.title = bar.getAttribute('aria-label');
  }

  get mayMove() {
    const { state } = this;
    if (!state || this.viewed || state.outcome || state.thinking) return false;
    const seat = state.seats[state.position.turn === 'first' ? 0 : 1];
    return seat.player === 'human' || state.paused;
  }

  move(move) {
    return this.send('play', { move });
  }

  /** Another game: at once if nothing is lost by it, else after asking how. */
  change(game) {
    const { state } = this;
    if (!state || state.outcome || state.ply === 0) this.send('new', { game: game.name });
    else openGameDialog(this, game.name);
  }

  startFirst() {
    this.upWithoutGame = false;
    this.send('new', { game: keep.get('game', this.catalogue.games[0].name) });
  }

  listen() {
    this.socket.on('state', (state) => this.receive(state));
    this.socket.on('up', ({ resumed }) => {
      if (resumed) return;
      this.upWithoutGame = true;
      if (this.catalogue) this.startFirst();
    });
    byId('do-new').onclick = () => openGameDialog(this);
    byId('do-undo').onclick = () => this.send('undo');
    byId('do-hint').onclick = () => this.send('hint');
    byId('do-resign').onclick = () => this.send('resign');
    byId('do-now').onclick = () => this.send('move-now');
    byId('do-pause').onclick = () => this.send(this.state.paused ? 'run' : 'pause');
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
    const begins = state.game !== this.state?.game || state.ply === 0;
    this.state = state;
    this.viewed = null;
    this.received = performance.now();
    if (begins) {
      keep.set('game', state.game);
      byId('value-bar').style.setProperty('--share', 0.5);
      const [first, second] = state.seats.map((seat) => seat.player === 'human');
      if (first !== second) this.flipped = second; // the one human sits at the bottom
    }
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
    const bar = byId('value-bar');
    bar.classList.toggle('flipped', this.flipped);
    bar.dataset.first = position.side_colours[0] ?? '';
    if (position.board) {
      this.boardless.hide();
      if (this.board.flipped !== this.flipped) this.board.change({ flipped: this.flipped });
      this.board.show(position, { mayMove: this.mayMove });
    } else this.boardless.show(position, this.mayMove);
    drawTray(byId('tray'), position.board, this.letters);
    this.seats.draw(this);
    this.history.draw();
    this.drawActions();
    const sentence = this.viewed ? `You see the game after ${this.viewed.ply} of ${state.ply} plies.` : state.outcome?.sentence ?? state.sentence;
    text(byId('status'), sentence);
    document.title = `${sentence} Monteverde`;
    byId('status').classList.toggle('over', Boolean(state.outcome));
  }

  drawActions() {
    const { state } = this;
    const engines = state.seats.filter((seat) => seat.player !== 'human').length;
    const over = Boolean(state.outcome);
    byId('do-undo').disabled = !state.can_undo;
    byId('do-hint').disabled = over;
    byId('do-resign').disabled = over || engines === 2;
    byId('do-now').classList.toggle('offered', Boolean(state.thinking));
    byId('do-pause').hidden = engines === 0;
    byId('do-pause').disabled = over;
    text(byId('do-pause'), state.paused ? 'Go on' : 'Pause');
    byId('do-flip').hidden = !state.position.board;
    byId('do-glyphs').hidden = !hasCharacters(state.position.board);
    byId('do-glyphs').setAttribute('aria-pressed', this.letters === 'latin');
  }
}
