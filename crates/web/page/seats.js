// Who sits at the board: a line above it and a line below, with clocks.

import { h, text } from './dom.js';
import { clock } from './numbers.js';
import { gameWord, t } from './words.js';
import { levelOf } from './levels.js';
import { Captured } from './captured.js';

export class Seats {
  constructor(top, bottom) {
    this.bars = [top, bottom].map((host) => {
      const parts = { stone: h('span.stone'), name: h('strong'), spec: h('span.spec'), dots: h('span.thinking', { 'aria-hidden': 'true' }), clock: h('span.clock') };
      const captured = new Captured();
      host.append(parts.stone, parts.name, parts.spec, parts.dots, captured.element, parts.clock);
      return { host, captured, ...parts };
    });
    setInterval(() => this.tick(), 100);
  }

  /** Shows the seats of a table. */
  draw(play) {
    this.play = play;
    const { state, flipped } = play;
    const bottom = flipped ? 1 : 0;
    this.show(this.bars[0], 1 - bottom, state);
    this.show(this.bars[1], bottom, state);
    for (const bar of this.bars) bar.captured.draw(play, bar.index);
    this.tick();
  }

  show(bar, index, state) {
    const side = index === 0 ? 'first' : 'second';
    const seat = state.seats[index];
    const { game } = this.play;
    const name = gameWord(game, state.position.side_names[index]);
    bar.index = index;
    text(bar.name, name);
    const level = levelOf(game, seat);
    text(bar.spec, seat.player === 'human' ? t('human') : level ? level.title : `${seat.player} · ${paceWords(seat.pace)}`);
    bar.spec.title = seat.note ?? (level ? `${seat.player} · ${paceWords(seat.pace)}` : bar.spec.textContent);
    bar.stone.dataset.colour = state.position.side_colours[index] ?? '';
    bar.host.classList.toggle('turn', !state.outcome && state.position.turn === side);
    bar.host.classList.toggle('thinks', state.thinking === side);
    bar.host.classList.toggle('won', state.outcome?.result === side);
  }

  tick() {
    const { play } = this;
    if (!play?.state) return;
    const passed = performance.now() - play.received;
    for (const bar of this.bars) {
      const given = play.state.clocks[bar.index];
      bar.clock.hidden = !given;
      if (!given) continue;
      const left = given.left_ms - (given.running ? passed : 0);
      text(bar.clock, clock(left));
      bar.clock.classList.toggle('short', left < 10000);
    }
  }
}

/** A pace as people say it. */
export function paceWords(pace) {
  if (!pace) return t('no-clock');
  const [kind, value] = pace.split('=');
  const key = { time: 'pace-time', clock: 'pace-clock', iterations: 'pace-iterations', nodes: 'pace-nodes', depth: 'pace-depth' }[kind];
  return key ? t(key, { value }) : pace;
}
