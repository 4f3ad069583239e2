// Numbers as people read them.

import { gameWord, t } from './words.js';

const THOUSANDS = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']];

/** A count in few characters: `812`, `12.4k`, `3.05M`. */
export function count(value) {
  if (value === null || value === undefined) return '–';
  for (const [size, letter] of THOUSANDS) {
    if (value >= size) return `${(value / size).toPrecision(3)}${letter}`;
  }
  return String(Math.round(value));
}

/** Bytes in few characters. */
export function bytes(value) {
  if (value === null || value === undefined) return '–';
  if (value >= 1 << 30) return `${(value / (1 << 30)).toFixed(2)} GiB`;
  if (value >= 1 << 20) return `${(value / (1 << 20)).toFixed(1)} MiB`;
  return `${Math.round(value / 1024)} KiB`;
}

/** A value in -1..1 with its sign: `+0.12`. */
export function signed(value, decimals = 2) {
  if (value === null || value === undefined) return '–';
  const size = Math.abs(value).toFixed(decimals);
  return (value < 0 && Number(size) > 0 ? '−' : '+') + size;
}

/** A share in 0..1: `42%`. */
export function percent(value, decimals = 0) {
  return value === null || value === undefined ? '–' : `${(100 * value).toFixed(decimals)}%`;
}

/** What a value in -1..1 means in points: 0 is half of them. */
export const expected = (mean) => (mean + 1) / 2;

/** A proof in a few words, as the game counts: `mate in 3`, `lost in 5`. */
export function proofWords(proof, game) {
  if (!proof) return '';
  if (proof.result === 'draw') return t('proof-draw');
  const isWin = proof.result === 'win';
  const word = gameWord(game, game?.forced_win.word ?? 'win');
  if (proof.plies === null) return isWin ? t('proof-win') : t('proof-loss');
  const number = game?.forced_win.counted_in === 'moves' ? Math.ceil(proof.plies / 2) : proof.plies;
  const name = word === 'win' ? t('proof-win') : word;
  return isWin ? t('proof-win-in', { word: name, number }) : t('proof-loss-in', { number });
}

/** A clock: `4:59`, and tenths in the last ten seconds. */
export function clock(milliseconds) {
  const left = Math.max(0, milliseconds);
  if (left < 10000) return (left / 1000).toFixed(1);
  const seconds = Math.floor(left / 1000);
  const minutes = Math.floor(seconds / 60);
  const rest = String(seconds % 60).padStart(2, '0');
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}

/** An interval with its estimate: `52.1 (48.0 to 56.2)`. */
export function interval(given, decimals = 1) {
  if (!given || given.value === null) return '–';
  const ends = given.low === null || given.high === null ? '' : ` (${t('from-to', { low: given.low.toFixed(decimals), high: given.high.toFixed(decimals) })})`;
  return given.value.toFixed(decimals) + ends;
}
