// A game that this repository's page has never heard of: node stranger.js PATH/TO/breakthrough

import assert from 'node:assert/strict';
import { Harness, clicks, newGame, open, picture, startBrowser, startServer, status } from './harness.js';

const program = process.argv[2];
if (!program) {
  console.error('usage: node stranger.js PATH/TO/breakthrough');
  process.exit(2);
}
const server = await startServer(program);
const browser = await startBrowser();
const harness = new Harness(browser, server.address);
try {
  await harness.check("a stranger's game is played on a real board", async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'breakthrough', seats: ['human', 'runner'] });
    assert.equal(await page.locator('.piece:not(.leaving)').count(), 32);
    await clicks(page, 'b2', 'b3');
    await page.locator('.moves button').nth(1).waitFor();
    await picture(page, 'breakthrough');
    await newGame(page, { game: 'breakthrough', state: '3/1x1/o1o/3 x' });
    await clicks(page, 'b3', 'b4');
    await status(page, /wins/);
    await picture(page, 'breakthrough-won');
  });
} finally {
  await browser.close();
  server.stop();
}
process.exit(harness.failed ? 1 : 0);
