// Levels of play: a player and how much it searches, under a number.

import { t } from './words.js';

/** What a level is called: `Level 3 (1240 Elo)`. */
export function levelTitle({ number, elo }) {
  return elo === null ? t('level', { number }) : t('level-elo', { number, elo });
}

/** The level that a seat is at, if its game has such. */
export function levelOf(game, { player, pace }) {
  const level = game?.levels?.find((level) => level.spec === player && level.pace === pace);
  return level && { ...level, title: levelTitle(level) };
}

/** The level that an opponent has where nobody chose one: in the middle. */
export function usualLevel(game) {
  return game.levels?.length ? game.levels[Math.floor((game.levels.length - 1) / 2)] : null;
}
