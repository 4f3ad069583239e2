// Arrows over the board: where the search expects the game to go.

import { s } from './dom.js';

/** Draws arrows `{from, to, weight, kind}` with weights in 0..1 and a class as kind; a move about one square is a ring. The same arrows are not drawn again. */
export function drawArrows(layer, layout, list) {
  const key = list.map(({ from, to, weight, kind }) => `${from}${to}${weight.toFixed(1)}${kind ?? ''}`).join(' ');
  if (layer.dataset.key === key && layer.childElementCount === list.length) return;
  layer.dataset.key = key;
  const shapes = [];
  for (const { from, to, weight, kind = '' } of list) {
    const [start, end] = [layout.at.get(from ?? to), layout.at.get(to)];
    if (!start || !end) continue;
    const opacity = 0.2 + 0.6 * weight;
    const shape = start === end ? ring(start, opacity) : arrow(start, end, 7 + 9 * weight, opacity);
    if (kind) shape.classList.add(kind);
    shapes.push(shape);
  }
  layer.replaceChildren(...shapes.reverse());
}

function ring({ x, y }, opacity) {
  return s('circle', { class: 'arrow-ring', cx: x + 50, cy: y + 50, r: 44, opacity });
}

function arrow(start, end, width, opacity) {
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const head = width * 2.1;
  const point = (along, aside) => {
    const x = start.x + 50 + ux * along - uy * aside;
    const y = start.y + 50 + uy * along + ux * aside;
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  const [tail, neck, tip, half] = [22, length - head - 6, length - 6, width / 2];
  const outline = [point(tail, half), point(neck, half), point(neck, head * 0.75), point(tip, 0), point(neck, -head * 0.75), point(neck, -half), point(tail, -half)];
  return s('path', { class: 'arrow', d: `M${outline.join('L')}Z`, opacity });
}
