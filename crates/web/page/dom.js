// Making and finding elements, and batching changes of the page.

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
export function toast(message) {
  const element = byId('toast');
  element.textContent = message;
  element.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (element.hidden = true), 6000);
}

/** The JSON of a route; throws an error with the server's sentence. */
export async function ask(route, body, method) {
  const request = body ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : { method };
  const answer = await fetch(route, request);
  const json = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(json.error?.message ?? `the server answers ${answer.status}`);
  return json;
}

/** Keeps what a user prefers from visit to visit; does without where the browser forbids it. */
export const keep = {
  get(key, otherwise = null) {
    try {
      return localStorage.getItem(`monteverde.${key}`) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(`monteverde.${key}`, value);
    } catch {
      // Private windows may forbid it; nothing depends on it.
    }
  },
};

/** Copies to the clipboard and says so. */
export async function copy(content, what) {
  try {
    await navigator.clipboard.writeText(content);
    toast(`${what} copied.`);
  } catch {
    toast('The browser does not allow copying here; select the text and copy it by hand.');
  }
}
