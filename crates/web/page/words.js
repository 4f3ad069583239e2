// The words of the page in a language: the one that was chosen, or the browser's.

import { keep } from './keep.js';

/** The languages, by the code that the browser knows, with their own names. */
export const LANGUAGES = { en: 'English', 'zh-Hant': '中文' };
const FILES = { en: './words/en.js', 'zh-Hant': './words/zh.js' };

/** The code of the language of the page. */
export const language = FILES[keep.get('language')] ? keep.get('language') : ofBrowser();

// Only the words of that language are loaded. The server speaks English.
const { default: table } = await import(FILES[language]);
const sentences = language === 'en' ? [] : patterns((await import('./words/zh-said.js')).default);

function ofBrowser() {
  const first = (navigator.languages ?? [navigator.language]).find((code) => /^(en|zh)\b/i.test(code));
  return /^zh/i.test(first ?? '') ? 'zh-Hant' : 'en';
}

/** A sentence of the page; `{name}` in it is replaced by what is given under that name. */
export function t(key, given = {}) {
  const words = table[key];
  if (words === undefined) throw new Error(`there are no words for “${key}” in ${language}`);
  return words.replace(/\{(\w+)\}/g, (_, name) => given[name] ?? '');
}

/** Whether the page has a sentence of that name. */
export const has = (key) => table[key] !== undefined;

/** A game's own word in the language of the page, as far as the game has it. */
export function gameWord(game, word) {
  return game?.words?.[language]?.[word] ?? word;
}

/** Whether a word of a game is said in English for want of another. */
export const isForeign = (game, word) => language !== 'en' && gameWord(game, word) === word;

let texts = { shared: {}, games: {} };

/** Takes in what the server explains in the language of the page, and the words that games have in it. */
export function learn(given, games) {
  texts = given;
  const said = [...games.map((game) => game.words?.[language] ?? {}), ...Object.values(given.games).map(({ mistakes }) => mistakes)];
  sentences.push(...said.flatMap(patterns));
}

/** What a player of a game is, in the language of the page as far as that is known. */
export const aboutPlayer = (game, { name, about }) => explained(texts.games[game.name]?.players, texts.shared.players, name, about);

/** What a setting of a kind means, likewise. */
export const meaningOf = (game, kind, { name, meaning }) => explained(texts.games[game.name]?.settings, texts.shared[kind], name, meaning);

function explained(own, shared, name, english) {
  const words = own?.[name] ?? shared?.[name];
  return { words: words ?? english, lang: words || language === 'en' ? '' : 'en' };
}

/** A sentence of the server in the language of the page, as far as that is known. */
export function said(sentence) {
  const words = translate(sentence);
  return { words: words ?? sentence, lang: words === null && language !== 'en' ? 'en' : '' };
}

/** The sentence in the language of the page, its parts too where they are sentences themselves; `null` if it is not known. */
function translate(sentence) {
  // The one with the most words of its own says most exactly what is meant.
  const [best] = sentences.filter(({ pattern }) => pattern.test(sentence)).sort((a, b) => b.length - a.length);
  if (!best) return null;
  const parts = best.pattern.exec(sentence);
  return best.words.replace(/\{(\d)\}/g, (_, index) => translate(parts[index]) ?? parts[index]);
}

function patterns(words) {
  return Object.entries(words).map(([english, words]) => {
    const pieces = english.split('{}').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return { pattern: new RegExp(`^${pieces.join('(.*?)')}$`, 's'), length: pieces.join('').length, words };
  });
}

/** Another language, from the next load on. */
export function choose(code) {
  keep.set('language', code);
  location.reload();
}

/** Puts words into what the document has from the start: `data-t` names a text, `data-t-label` a label, `data-t-title` a title. */
export function fill(root = document) {
  document.documentElement.lang = language;
  for (const element of root.querySelectorAll('[data-t]')) element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll('[data-t-label]')) element.setAttribute('aria-label', t(element.dataset.tLabel));
  for (const element of root.querySelectorAll('[data-t-title]')) element.title = t(element.dataset.tTitle);
}
