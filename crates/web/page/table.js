// Tables of the lab.

import { h } from './dom.js';

/** A table of texts and elements; the columns in `numbers` stand to the right. */
export function table(heads, rows, numbers = []) {
  const align = (index) => (numbers.includes(index) ? 'number' : '');
  return h('div.scroll', { tabIndex: 0, role: 'region', 'aria-label': heads[0].textContent ?? heads[0] }, h('table', {},
    h('thead', {}, h('tr', {}, ...heads.map((head, index) => h('th', { className: align(index), scope: 'col' }, head)))),
    h('tbody', {}, ...rows.map((row) => h('tr', {}, ...row.map((content, index) => h('td', { className: align(index) }, content)))))));
}
