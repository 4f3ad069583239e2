// Who sits at the board: a line above it and a line below, with clocks.

import { h, text } from './dom.js';
import { clock } from './numbers.js';

export class Seats {
  constructor(top, bottom) {
    this.bars = [top, bottom].map((host) => {
      const parts = { stone: h('span.stone'), name: h('strong'), spec: h('span.spec'), dots: h('span.thinking', { 'aria-hidden': 'true' }), clock: h('span.clock') };
      host.append(parts.stone, parts.name, parts.spec, parts.dots, parts.clock);
      return { host, ...parts };
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
    this.tick();
  }

  show(bar, index, state) {
    const side = index === 0 ? 'first' : 'second';
    const seat = state.seats[index];
    const name = state.position.side_names[index];
    bar.index = index;
    text(bar.name, name);
    text(bar.spec, seat.player === 'human' ? 'human' : `${seat.player} · ${paceWords(seat.pace)}`);
    bar.spec.title = seat.note ?? bar.spec.textContent;
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
  if (!pace) return 'no clock';
  const [kind, value] = pace.split('=');
  return { time: `${value} a move`, clock: `clock ${value}`, iterations: `${value} iterations`, nodes: `${value} nodes`, depth: `depth ${value}` }[kind] ?? pace;
}
