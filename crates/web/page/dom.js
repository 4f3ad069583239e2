// Making and finding elements, and batching changes of the page.

import { said, t } from './words.js';

const SVG = 'http://www.w3.org/2000/svg';

/** The element with this id, which the page has. */
export const byId = (id) => document.getElementById(id);

/** An element: `h('button.primary', {onclick}, 'text', child, ...)`; keys with a dash and `role` become attributes. */
export function h(name, given = {}, ...children) {
  const [tag, ...classes] = name.split('.');
  const element = document.createElement(tag || 'div');
  if (classes.length) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    if (key.includes('-') || key === 'role' || key === 'for' || key === 'list') element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** An SVG element; every key is an attribute. */
export function s(tag, given = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(given)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Sets a text only where it differs, so that nothing is laid out for nothing. */
export function text(element, value) {
  if (element.textContent !== value) element.textContent = value;
}

/** Puts words into an element, and says where they are in another language than the page. */
export function put(element, { words, lang }) {
  text(element, words);
  if (lang) element.lang = lang;
  else element.removeAttribute('lang');
}

/** Puts a sentence of the server into an element, or nothing. */
export const putSaid = (element, sentence) => put(element, sentence ? said(sentence) : { words: '', lang: '' });

/** A paragraph with what the server says went wrong. */
export function problemOf(sentence) {
  const element = h('p.error', { role: 'alert' });
  putSaid(element, sentence);
  return element;
}

/** A function that draws at most once a frame, with the latest state of whatever it reads. */
export function framed(draw) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  };
}

let toastTimer = 0;
/** Says something for a few seconds, above everything else. */
export function toast(message, { fromServer = false } = {}) {
  const element = byId('toast');
  put(element, fromServer ? said(message) : { words: message, lang: '' });
  element.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (element.hidden = true), 6000);
}

/** A few words that come from the server as they are, in English. */
export function english(name, words, ...more) {
  return h(name, { lang: 'en' }, words, ...more);
}

/** The JSON of a route; throws an error with the server's sentence. */
export async function ask(route, body, method) {
  const request = body ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : { method };
  const answer = await fetch(route, request);
  const json = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(json.error?.message ?? t('server-answers', { status: answer.status }));
  return json;
}

/** Copies to the clipboard and says so. */
export async function copy(content, what) {
  try {
    await navigator.clipboard.writeText(content);
    toast(t('copied', { what }));
  } catch {
    toast(t('no-copying'));
  }
}
