// The panel that watches the player, or an analysis that runs beside the game; and hints.

import { byId, h, text, toast } from './dom.js';
import { t } from './words.js';
import { SearchView } from './searchview.js';
import { specChooser } from './settings.js';

/** Fills the panel and follows the reports. */
export function startWatch(socket, play) {
  const view = new SearchView(play);
  const button = h('button.primary', { id: 'do-analyse', onclick: toggle }, t('analyse-position'));
  const chooser = specChooser(play, { label: t('analysed-by'), onChange: () => purpose === 'analysis' && begin() });
  const hint = byId('do-hint');
  let purpose = null; // what runs beside the game: an analysis, a comparison, a hint, a review
  let hinted = null; // the serial that a hint is about

  byId('panel-watch').append(
    h('h2', {}, t('what-search-thinks')),
    h('p.hint', {}, t('watch-hint')),
    h('div.analyse', {}, chooser.element, button),
    view.element);

  // A search may have ended before the server says that it began, so the page does not wait for that.
  async function ask(type, what, more) {
    show(what);
    if (!(await play.send(type, more))) show(null);
  }

  function begin() {
    ask('analyse', 'analysis', { specs: [chooser.spec] });
  }

  function toggle() {
    if (purpose === 'analysis') play.send('stop');
    else begin();
  }

  /** An analysis of what is seen knows the answer already; else a search is asked for one. */
  hint.onclick = () => {
    const { report } = view;
    if (purpose === 'analysis' && report?.serial === play.serial && report.best) return tell(report.best);
    hinted = play.serial;
    ask('hint', 'hint');
  };

  function tell(best) {
    toast(t('hint-is', { move: best.label }));
  }

  function show(next) {
    purpose = next;
    text(button, purpose === 'analysis' ? t('stop') : t('analyse-position'));
    hint.setAttribute('aria-busy', purpose === 'hint');
    text(hint, purpose === 'hint' ? t('hint-thinking') : t('hint'));
  }

  let game = null;
  play.onState((state) => {
    if (state.game !== game) {
      game = state.game;
      view.clear();
    }
    chooser.game(state.game);
  });
  // With two slots the comparison is at work, which has a panel of its own.
  socket.on('analysis', ({ slots, purpose: now }) => show(slots.b ? 'comparison' : now));
  socket.on('down', () => show(null));
  socket.on('report', (report) => {
    const isOwn = report.slot === 'game' ? purpose !== 'analysis' : report.slot === 'a' && (purpose === 'analysis' || purpose === 'hint');
    if (!isOwn) return;
    view.take(report);
    if (report.slot === 'a' && report.final && purpose === 'hint' && hinted === report.serial && report.best) tell(report.best);
  });
}
