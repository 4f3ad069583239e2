// Where the squares of a board lie, 100 units each.

const SHADES = { cells: 'cell-ground', intersections: 'point-ground' };

/** The first side is at the bottom unless `flipped`. On a board that lies, rank 1 is left and file a on top. */
export function layOut(board, flipped) {
  const lies = board.orientation === 'lying';
  const columns = lies ? board.ranks : board.files;
  const rows = lies ? board.files : board.ranks;
  const squares = [];
  for (let rank = 0; rank < board.ranks; rank++) {
    for (let file = 0; file < board.files; file++) {
      const column = lies ? rank : file;
      const row = lies ? file : board.ranks - 1 - rank;
      const x = 100 * (flipped ? columns - 1 - column : column);
      const y = 100 * (flipped ? rows - 1 - row : row);
      const shade = SHADES[board.style] ?? ((file + rank) % 2 ? 'light' : 'dark');
      squares.push({ name: `${letter(file)}${rank + 1}`, file, rank, x, y, shade });
    }
  }
  squares.sort((a, b) => a.y - b.y || a.x - b.x);
  const at = new Map(squares.map((square) => [square.name, square]));
  const legends = [];
  for (const { x, y, file, rank, shade } of squares) {
    const [below, beside] = lies ? [String(rank + 1), letter(file)] : [letter(file), String(rank + 1)];
    if (y === (rows - 1) * 100) legends.push({ text: below, x: x + 94, y: y + 95, anchor: 'end', shade });
    if (x === 0) legends.push({ text: beside, x: x + 5, y: y + 19, anchor: 'start', shade });
  }
  return { columns, rows, squares, at, legends };
}

/** How much wider than high a board is. */
export function widthByHeight({ files, ranks, orientation }) {
  return orientation === 'lying' ? ranks / files : files / ranks;
}

function letter(file) {
  return String.fromCharCode(97 + file);
}

/** The squares that a step's text names: `e2e4`, `c1-c3`, `a1`. */
export function squaresOf(text) {
  const found = /^([a-z]\d+)(?:[-x]?([a-z]\d+))?/.exec(text);
  return found ? { from: found[1], to: found[2] ?? found[1] } : null;
}
