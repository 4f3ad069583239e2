// Makes the picture of the README: node readme.js PATH/TO/monteverde ../../../docs/page.png

import { newGame, numberIn, open, startBrowser, startServer } from './harness.js';

const [program, file] = process.argv.slice(2);
if (!file) {
  console.error('usage: node readme.js PATH/TO/monteverde FILE.png');
  process.exit(2);
}
// An opening that many know, with a lively choice of moves.
const STATE = 'rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 2 5';
const ITERATIONS = 10_000;

const server = await startServer(program);
const browser = await startBrowser();
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 880 }, deviceScaleFactor: 0.85, colorScheme: 'light' });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await open(page, server.address);
  await newGame(page, { game: 'chess', state: STATE });
  await page.click('#tab-watch');
  const button = page.getByRole('button', { name: 'Analyse this position' });
  await button.click();
  const facts = page.locator('#panel-watch .facts dd');
  while (numberIn(await facts.first().textContent()) < ITERATIONS) await page.waitForTimeout(100);
  await page.getByRole('button', { name: 'Stop' }).click();
  await button.waitFor();
  await page.screenshot({ path: file });
} finally {
  await browser.close();
  server.stop();
}
