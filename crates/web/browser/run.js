// Runs all checks of the page: node run.js PATH/TO/monteverde

import { Harness, startBrowser, startServer } from './harness.js';
import { playChecks } from './play.js';
import { watchChecks } from './watch.js';
import { labChecks } from './lab.js';
import { variationChecks } from './variations.js';
import { tableChecks } from './table.js';
import { wordChecks } from './words.js';
import { accessChecks } from './access.js';
import { speedChecks } from './speed.js';

const program = process.argv[2];
if (!program) {
  console.error('usage: node run.js PATH/TO/monteverde');
  process.exit(2);
}

/** These checks one after another, with a server and a browser of their own; how many failed. */
async function run(...groups) {
  const server = await startServer(program);
  const browser = await startBrowser();
  const harness = new Harness(browser, server.address, { program });
  try {
    for (const checks of groups) await checks(harness);
  } finally {
    await browser.close();
    server.stop();
  }
  return harness.failed;
}

// Speed is measured while nothing else runs. The rest waits for pages most of the time, so it runs in two rows.
// The games that the checks of the lab play are looked at by those after them.
const first = await run(speedChecks);
const rows = await Promise.all([
  run(playChecks, watchChecks, tableChecks),
  run(variationChecks, labChecks, wordChecks, accessChecks),
]);
const failed = rows.reduce((sum, one) => sum + one, first);
console.log(failed ? `${failed} checks failed` : 'the page: all checks passed');
process.exit(failed ? 1 : 0);
