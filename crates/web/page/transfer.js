// Copying and pasting states and whole games, and links to them.

import { copy, h, toast } from './dom.js';
import { t } from './words.js';
import { linkOf } from './link.js';
import { stepsOf } from './moves.js';

/** Adds the buttons below the moves. */
export function startTransfer(host, play) {
  const box = h('textarea', { rows: 5, id: 'paste-box', spellcheck: false, placeholder: t('paste-what') });
  const form = h('form.paste', { hidden: true }, h('label', { for: 'paste-box' }, t('paste-label')), box, h('button.primary', {}, t('put-on-board')));
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (!box.value.trim()) return toast(t('nothing-to-paste'));
    const answer = await play.send('import', { text: box.value, game: play.state.game });
    if (answer) {
      form.hidden = true;
      paste.setAttribute('aria-expanded', false);
      box.value = '';
    }
  };
  const paste = h('button', { id: 'do-paste', 'aria-expanded': 'false', onclick: () => {
    form.hidden = !form.hidden;
    paste.setAttribute('aria-expanded', !form.hidden);
    if (!form.hidden) box.focus();
  } }, t('paste-more'));
  const copyGame = async () => {
    const answer = await play.send('export');
    if (answer) copy(answer.text, t('the-game'));
  };
  const download = async () => {
    const answer = await play.send('export');
    if (!answer) return;
    const link = h('a', { href: URL.createObjectURL(new Blob([answer.text], { type: 'text/plain' })), download: answer.name });
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const gameLink = () => linkOf({ game: play.state.game, state: isStart(play) ? '' : play.state.start, steps: stepsOf(play.tree.path(play.node)) });
  const stateLink = () => linkOf({ game: play.state.game, state: play.shown.text });
  const edit = h('button', { id: 'do-edit', onclick: async () => {
    // Few visitors need it, so it is loaded when they do.
    const { openEditor } = await import('./editor.js');
    const made = await openEditor(play.game, play.shown.text, { letters: play.letters });
    if (made) play.send('new', { game: play.state.game, state: made, seats: [{ player: 'human' }, { player: 'human' }], paused: true });
  } }, t('board-editor-more'));
  play.onState(() => (edit.hidden = !play.game?.editor));
  host.append(h('div.actions', { role: 'toolbar', 'aria-label': t('copy-and-paste') },
    h('button', { id: 'copy-state', onclick: () => copy(play.shown.text, t('the-state')) }, t('copy-state')),
    h('button', { id: 'copy-game', onclick: copyGame }, t('copy-game')),
    h('button', { id: 'link-state', onclick: () => copy(stateLink(), t('the-link')) }, t('link-to-state')),
    h('button', { id: 'link-game', onclick: () => copy(gameLink(), t('the-link')) }, t('link-to-game')),
    h('button', { onclick: download }, t('save-game')),
    paste, edit), form);
}

function isStart({ state, game }) {
  return state.start === game?.start;
}
