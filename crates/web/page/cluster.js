// Workers and runs on other machines.

import { ask, h } from './dom.js';
import { table } from './table.js';

const EVERY = 3000; // milliseconds between two looks

/** A panel that draws itself anew as long as it is on the page. */
export function clusterPanel(first) {
  const host = h('div');
  const draw = (cluster) => host.replaceChildren(...parts(cluster));
  const again = async () => {
    if (!host.isConnected) return;
    try {
      draw((await ask('/api/lab/cluster')).cluster);
    } catch (error) {
      host.replaceChildren(h('p.error', { role: 'alert' }, error.message));
    }
    setTimeout(again, EVERY);
  };
  draw(first);
  setTimeout(again, EVERY);
  return host;
}

function parts({ error, server, workers, runs }) {
  if (error) return [h('p.error', { role: 'alert' }, error)];
  const cores = workers.reduce((sum, worker) => sum + worker.cores, 0);
  const refusals = workers.flatMap((worker) => worker.refused.map(([run, problem]) => h('p.hint', {}, `${worker.name} takes nothing of ${run}: ${problem}`)));
  return [
    h('p.hint', {}, `${server}: ${workers.length} workers with ${cores} cores`),
    ...(workers.length ? [table(['Worker', 'Cores', 'In work', 'Done', 'An hour', 'Last seen', 'Program'], workers.map(workerRow), [1, 2, 3, 4])] : []),
    ...refusals,
    runs.length ? table(['Run', 'Queued', 'In work', 'Again', 'Done', 'Dropped', 'Coordinator'], runs.map(runRow), [1, 2, 3, 4, 5]) : h('p.hint', {}, 'No run is under way there.'),
  ];
}

function workerRow({ name, cores, held, done, per_hour: hourly, seen, build }) {
  return [name, String(cores), String(held), String(done), String(Math.round(hourly)), seen ? `${seen} s ago` : 'now', build];
}

function runRow({ run, queued, in_work: inWork, redelivered, coordinator }) {
  const said = (value) => (coordinator ? String(value(coordinator)) : '–');
  return [run, String(queued), String(inWork), String(redelivered), said((one) => one.kept), said((one) => one.refused), coordinator?.name ?? 'none now'];
}
