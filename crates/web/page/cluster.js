// Workers and runs on other machines.

import { ask, h, problemOf } from './dom.js';
import { t } from './words.js';
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
      host.replaceChildren(problemOf(error.message));
    }
    setTimeout(again, EVERY);
  };
  draw(first);
  setTimeout(again, EVERY);
  return host;
}

function parts({ error, server, workers, runs }) {
  if (error) return [problemOf(error)];
  const cores = workers.reduce((sum, worker) => sum + worker.cores, 0);
  const refusals = workers.flatMap((worker) => worker.refused.map(([run, problem]) => h('p.hint', {}, t('takes-nothing', { worker: worker.name, run }), ' ', h('span', { lang: 'en' }, problem))));
  return [
    h('p.hint', {}, t('workers-with', { server, workers: workers.length, cores })),
    ...(workers.length ? [table([t('worker'), t('cores'), t('in-work'), t('done'), t('an-hour'), t('last-seen'), t('program')], workers.map(workerRow), [1, 2, 3, 4])] : []),
    ...refusals,
    runs.length ? table([t('run'), t('queued'), t('in-work'), t('again'), t('done'), t('dropped'), t('coordinator')], runs.map(runRow), [1, 2, 3, 4, 5]) : h('p.hint', {}, t('no-run')),
  ];
}

function workerRow({ name, cores, held, done, per_hour: hourly, seen, build }) {
  return [name, String(cores), String(held), String(done), String(Math.round(hourly)), seen ? t('seconds-ago', { number: seen }) : t('now'), build];
}

function runRow({ run, queued, in_work: inWork, redelivered, coordinator }) {
  const said = (value) => (coordinator ? String(value(coordinator)) : '–');
  return [run, String(queued), String(inWork), String(redelivered), said((one) => one.kept), said((one) => one.refused), coordinator?.name ?? t('none-now')];
}
