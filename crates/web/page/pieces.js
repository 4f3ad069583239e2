// The pieces of all games, drawn in a square of 100 by 100.

import { s } from './dom.js';
import { GLYPHS } from './glyphs.js';

// Bodies are filled and outlined; lines lie on top of them without filling.
const FOOT = 'M28 77H72Q77 78 77 83V88H23V83Q23 78 28 77Z';
const BAND = 'M33 62Q50 58 67 62L69 70Q50 66 31 70Z';
const CHESS = {
  pawn: {
    bodies: ['M43 46C44 60 36 66 32 78H68C64 66 56 60 57 46Z', 'M50 20a13.5 13.5 0 1 1-.1 0Z', 'M39 45H61Q65 45 65 48.5T61 52H39Q35 52 35 48.5T39 45Z', FOOT],
    lines: [],
  },
  rook: {
    bodies: ['M36 40L33 74H67L64 40Z', 'M27 17H38V25H45V17H55V25H62V17H73V34L66 42H34L27 34Z', 'M31 68H69L72 78H28Z', FOOT],
    lines: ['M34 42H66'],
  },
  bishop: {
    bodies: ['M42 62C42 70 36 73 32 78H68C64 73 58 70 58 62Z', 'M50 20C37 30 31 42 33 52C34 59 41 62 50 62C59 62 66 59 67 52C69 42 63 30 50 20Z', 'M50 10a5.5 5.5 0 1 1-.1 0Z', 'M38 60H62Q66 60 66 63.5T62 67H38Q34 67 34 63.5T38 60Z', FOOT],
    lines: ['M58 31L47 45'],
  },
  knight: {
    bodies: ['M68 78C73 54 70 28 51 21L50 12L42 21C33 25 29 36 22 47C19 52 20 58 25 60C29 61 32 58 36 57C40 56 44 56 47 53C46 62 34 66 32 78Z', FOOT],
    lines: ['M53 27C62 35 65 50 62 68', 'M26 53L29 51'],
    dots: [[41, 34, 3]],
  },
  queen: {
    bodies: ['M19 33L32 64Q50 59 68 64L81 33L66 47L65 25L54 43L50 20L46 43L35 25L34 47Z', 'M32 64Q50 59 68 64L70 78H30Z', FOOT, ball(19, 30), ball(35, 21), ball(50, 16), ball(65, 21), ball(81, 30)],
    lines: ['M31 71Q50 66 69 71'],
  },
  king: {
    bodies: ['M50 36C47 25 29 24 24 36C20 47 31 54 33 66Q50 61 67 66C69 54 80 47 76 36C71 24 53 25 50 36Z', 'M50 27C44 34 44 44 50 54C56 44 56 34 50 27Z', BAND, 'M31 69Q50 65 69 69L70 78H30Z', FOOT, 'M47.5 8H52.5V13H58V18H52.5V27H47.5V18H42V13H47.5Z'],
    lines: [],
  },
};

function ball(x, y) {
  return `M${x} ${y - 5}a5 5 0 1 1-.1 0Z`;
}

/** Draws the glyph of a piece into a group; one that is not known here is its letter in a disc. `letters` is `chinese` or `latin`. */
export function drawPiece(piece, letters) {
  const { shape, draw } = glyphOf(piece, letters);
  return s('g', { class: `figure ${shape} ${colourOf(piece)}` }, ...draw());
}

/** A small drawing by itself, for buttons and trays. */
export function pieceIcon(piece, letters) {
  return s('svg', { viewBox: '0 0 100 100', class: 'piece-icon', 'aria-hidden': 'true' }, drawPiece(piece, letters));
}

/** The colour of a piece; one without a colour has that of its side. */
export function colourOf({ colour, side }) {
  return colour ?? (side ? `side-${side}` : 'hidden');
}

/** Whether a board has pieces that can be shown by Chinese characters or by letters. */
export function hasCharacters(board) {
  return [...(board?.pieces ?? []), ...(board?.pool ?? [])].some(({ glyph }) => glyph.startsWith('xiangqi-'));
}

function glyphOf(piece, letters) {
  const [set, kind] = piece.glyph?.split('-') ?? [];
  const character = set === 'xiangqi' && GLYPHS[piece.colour === 'red' ? 'red' : 'black'][kind];
  if (set === 'chess' && CHESS[kind]) return { shape: 'man', draw: () => chessman(CHESS[kind]) };
  if (character) return { shape: 'disc', draw: () => disc(letters === 'latin' ? letterOf(piece) : stroked(character)) };
  if (set === 'stone') return { shape: 'stone', draw: stone };
  if (set === 'covered') return { shape: 'disc covered', draw: covered };
  if (set === 'cross') return { shape: 'stroke', draw: () => [s('path', { d: 'M26 26L74 74M74 26L26 74' })] };
  if (set === 'ring') return { shape: 'stroke', draw: () => [s('circle', { cx: 50, cy: 50, r: 27 })] };
  return { shape: 'stone token', draw: () => [...stone(), letterOf(piece)] };
}

function chessman({ bodies, lines, dots = [] }) {
  return [
    ...bodies.map((d) => s('path', { class: 'body', d })),
    ...lines.map((d) => s('path', { class: 'line', d })),
    ...dots.map(([cx, cy, r]) => s('circle', { class: 'dot', cx, cy, r })),
  ];
}

function stone() {
  return [
    s('circle', { class: 'shade', cx: 50, cy: 53, r: 37 }),
    s('circle', { class: 'body', cx: 50, cy: 50, r: 37 }),
    s('path', { class: 'shine', d: 'M27 41A26 26 0 0 1 47 25' }),
  ];
}

function covered() {
  return [
    s('circle', { class: 'shade', cx: 50, cy: 53, r: 41 }),
    s('circle', { class: 'body', cx: 50, cy: 50, r: 41 }),
    s('circle', { class: 'ring', cx: 50, cy: 50, r: 33 }),
    s('path', { class: 'ring', d: 'M50 30L70 50L50 70L30 50ZM50 40L60 50L50 60L40 50Z' }),
  ];
}

function disc(face) {
  return [
    s('circle', { class: 'shade', cx: 50, cy: 53, r: 41 }),
    s('circle', { class: 'body', cx: 50, cy: 50, r: 41 }),
    s('circle', { class: 'ring', cx: 50, cy: 50, r: 35 }),
    face,
  ];
}

function letterOf(piece) {
  const letter = s('text', { class: 'latin', x: 50, y: 66 });
  letter.textContent = (piece.letter ?? '?').toUpperCase();
  return letter;
}

function stroked(character) {
  return s('path', { class: 'glyph', transform: 'translate(25 25) scale(.5)', d: character });
}
