// The tree of moves of a game: the line on the board, and variations.

/** The tree of a state of the game. Nodes have the server's numbers; 0 is the start. */
export class MoveTree {
  constructor({ history, variations, node }) {
    this.tip = node;
    this.nodes = new Map([[0, { node: 0, ply: 0, children: [] }]]);
    const all = [...history, ...variations].sort((a, b) => a.node - b.node);
    for (const played of all) this.nodes.set(played.node, { ...played, children: [] });
    for (const played of all) this.nodes.get(played.parent).children.push(played.node);
  }

  get(node) {
    return this.nodes.get(node);
  }

  has(node) {
    return this.nodes.has(node);
  }

  /** The moves from the start to a node. */
  path(node) {
    const path = [];
    for (let at = this.get(node); at?.node; at = this.get(at.parent)) path.unshift(at);
    return path;
  }

  /** The nodes from a node on, the first move of each first. */
  along(node) {
    const line = [];
    for (let next = this.get(node)?.children[0]; next; next = this.get(next).children[0]) line.push(this.get(next));
    return line;
  }

  /** The line that goes on from a node: that on the board where the node is part of it, else the first. */
  line(node) {
    const board = this.path(this.tip);
    const path = this.path(node);
    if (path.every(({ node: one }, index) => board[index]?.node === one)) return [...board, ...this.along(this.tip)];
    return [...path, ...this.along(node)];
  }

  /** Every line from the start to an end, as steps; the one on the board last. */
  lines() {
    const ends = [...this.nodes.values()].filter((one) => one.node && one.node !== this.tip && !one.children.length);
    return [...ends.map((one) => one.node), this.tip].map((end) => stepsOf(this.path(end))).filter((steps) => steps.length);
  }
}

/** Moves as steps: what chance showed is one of its own. */
export function stepsOf(moves) {
  return moves.flatMap(({ text, event }) => (event ? [text, event] : [text]));
}
