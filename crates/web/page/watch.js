// The panel that watches the player, or an analysis that runs beside the game.

import { byId, h, text, toast } from './dom.js';
import { SearchView } from './searchview.js';
import { specChooser } from './settings.js';

/** Fills the panel and follows the reports. */
export function startWatch(socket, play) {
  const view = new SearchView(play);
  const button = h('button.primary', { onclick: toggle }, 'Analyse this position');
  const chooser = specChooser(play, { label: 'Analysed by', onChange: () => analysing && begin() });
  let analysing = false;
  let comparing = false;
  let hinted = null;

  byId('panel-watch').append(
    h('h2', {}, 'What the search thinks'),
    h('p.hint', {}, 'The engine plays games in its head, more of them along moves that go well. Bars show how often it tried a move, dots how well it went from −1 (lost) to +1 (won); point at a move to see it on the board. A tick in a bar is what knowledge says of the move beforehand.'),
    h('div.analyse', {}, chooser.element, button),
    view.element);

  function begin() {
    play.send('analyse', { specs: [chooser.spec] });
  }

  function toggle() {
    if (analysing) play.send('stop');
    else begin();
  }

  let game = null;
  play.onState((state) => {
    if (state.game !== game) {
      game = state.game;
      view.clear();
    }
    chooser.game(state.game);
  });
  socket.on('analysis', ({ slots }) => {
    // With two slots the comparison is at work, which has a panel of its own.
    comparing = Boolean(slots.b);
    analysing = Boolean(slots.a) && !comparing;
    text(button, analysing ? 'Stop' : 'Analyse this position');
  });
  socket.on('down', () => {
    analysing = comparing = false;
    text(button, 'Analyse this position');
  });
  socket.on('report', (report) => {
    if (report.slot === 'b' || (report.slot === 'a' && comparing) || (report.slot === 'game' && analysing)) return;
    view.take(report);
    if (report.slot === 'a' && report.final && hinted === report.serial && report.best) toast(`Hint: ${report.best.label}`);
  });
  byId('do-hint').addEventListener('click', () => (hinted = play.state?.serial ?? null));
}
