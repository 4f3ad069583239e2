// Copying and pasting states and whole games.

import { copy, h, toast } from './dom.js';

/** Adds the buttons below the moves. */
export function startTransfer(host, play) {
  const box = h('textarea', { rows: 5, id: 'paste-box', spellcheck: false, placeholder: 'A state (FEN for chess) or a whole game (PGN, SGF, or as it is saved here)' });
  const form = h('form.paste', { hidden: true }, h('label', { for: 'paste-box' }, 'A state or a whole game'), box, h('button.primary', {}, 'Put it on the board'));
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (!box.value.trim()) return toast('There is nothing to paste yet: write or paste a state or a game into the box.');
    const answer = await play.send('import', { text: box.value, game: play.state.game });
    if (answer) {
      form.hidden = true;
      paste.setAttribute('aria-expanded', false);
      box.value = '';
    }
  };
  const paste = h('button', { 'aria-expanded': 'false', onclick: () => {
    form.hidden = !form.hidden;
    paste.setAttribute('aria-expanded', !form.hidden);
    if (!form.hidden) box.focus();
  } }, 'Paste …');
  const copyGame = async () => {
    const answer = await play.send('export');
    if (answer) copy(answer.text, 'The game');
  };
  const download = async () => {
    const answer = await play.send('export');
    if (!answer) return;
    const link = h('a', { href: URL.createObjectURL(new Blob([answer.text], { type: 'text/plain' })), download: answer.name });
    link.click();
    URL.revokeObjectURL(link.href);
  };
  host.append(h('div.actions', { role: 'toolbar', 'aria-label': 'Copy and paste' },
    h('button', { onclick: () => copy(play.shown.text, 'The state') }, 'Copy state'),
    h('button', { onclick: copyGame }, 'Copy game'),
    h('button', { onclick: download }, 'Save game'),
    paste), form);
}
