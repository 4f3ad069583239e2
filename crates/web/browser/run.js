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
const server = await startServer(program);
const browser = await startBrowser();
const harness = new Harness(browser, server.address, { program });
try {
  await speedChecks(harness);
  await playChecks(harness);
  await watchChecks(harness);
  await variationChecks(harness);
  await tableChecks(harness);
  await labChecks(harness);
  await wordChecks(harness);
  await accessChecks(harness);
} finally {
  await browser.close();
  server.stop();
}
console.log(harness.failed ? `${harness.failed} checks failed` : 'the page: all checks passed');
process.exit(harness.failed ? 1 : 0);
