// Looking back: variations, analysis of what is shown, hints, the value bar, and a server that begins anew.

import assert from 'node:assert/strict';
import { clicks, newGame, open, picture, square, startServer, status } from './harness.js';

const MATE_IN_TWO = '7k/8/5K2/8/8/8/8/R7 w - - 0 1';
const BACK_RANK_MATE = '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1';

/** Writes moves and waits for each. */
export async function write(page, ...moves) {
  for (const move of moves) {
    const before = await page.locator('.moves button').count();
    await page.fill('#move-field', move);
    await page.keyboard.press('Enter');
    await page.waitForFunction((count) => document.querySelectorAll('.moves button').length > count, before);
  }
  await page.locator('#move-field').blur();
}

const labels = (page, where) => page.locator(`${where} button`).evaluateAll((buttons) => buttons.map((button) => button.textContent));

export async function variationChecks(harness) {
  await harness.check('analysis is of the position shown', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'chess' });
    await write(page, 'e4', 'e5', 'Nf3');
    await page.locator('.moves button').nth(0).click();
    await status(page, /after 1 plies/);
    await page.click('#tab-watch');
    await page.click('#do-analyse');
    // After 1. e4 it is Black's turn, who has no knight on g1 to move.
    await page.waitForFunction(() => /Black can expect/.test(document.querySelector('#panel-watch .sentence').textContent));
    await page.waitForFunction(() => document.querySelectorAll('.arrows .arrow').length > 0);
    const moves = await page.locator('#panel-watch .bars tbody tr:not(.empty) .move-label').allTextContents();
    assert(moves.includes('e5') && !moves.includes('Nc3'), `moves of Black after 1. e4: ${moves}`);
    // The analysis follows the steps.
    await page.locator('h1').first().evaluate(() => document.activeElement.blur());
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() => /White can expect/.test(document.querySelector('#panel-watch .sentence').textContent));
  });

  await harness.check('a move on an earlier position begins a variation, and arrow keys step', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'chess' });
    await write(page, 'e4', 'e5', 'Nf3');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await status(page, /after 1 plies/);
    await clicks(page, 'c7', 'c5');
    await page.locator('.moves .variation button').first().waitFor();
    assert.deepEqual(await labels(page, '.moves .variation'), ['1…c5']);
    assert.deepEqual(await labels(page, '.moves li:not(.variation)'), ['e4', 'e5', 'Nf3']);
    await write(page, 'Nc3');
    await picture(page, 'variation');
    // The old line can be seen and played on.
    await page.locator('.moves li:not(.variation) button', { hasText: 'Nf3' }).click();
    await status(page, /after 3 plies/);
    await page.keyboard.press('ArrowLeft');
    await status(page, /after 2 plies/);
    await page.keyboard.press('ArrowRight');
    await status(page, /after 3 plies/);
    await page.click('#do-go');
    await status(page, /Black to move/);
    await page.keyboard.press('Home');
    await status(page, /after 0 plies/);
    await page.keyboard.press('End');
    await status(page, /Black to move/);
  });

  await harness.check('an engine answers in a variation', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'loa', seats: ['human', 'uct'] });
    await clicks(page, 'b8', 'b6');
    await page.locator('.moves button').nth(1).waitFor();
    await page.keyboard.press('Home');
    await status(page, /after 0 plies/);
    await clicks(page, 'c8', 'c6');
    await page.locator('.moves .variation button').nth(1).waitFor();
  });

  await harness.check('a hint ends as a hint', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'chess', state: BACK_RANK_MATE });
    await page.click('#do-hint');
    await page.waitForFunction(() => /Hint: Ra8#/.test(document.getElementById('toast').textContent));
    await page.waitForFunction(() => document.getElementById('do-hint').getAttribute('aria-busy') === 'false');
    assert.equal(await page.locator('#do-analyse').innerText(), 'Analyse this position');
    // While an analysis runs a hint is what it thinks, and the analysis goes on.
    await page.click('#tab-watch');
    await page.click('#do-analyse');
    await page.waitForFunction(() => document.querySelector('#panel-watch .visits').textContent.includes('%'));
    await page.click('#do-hint');
    await page.waitForFunction(() => /Hint: Ra8#/.test(document.getElementById('toast').textContent));
    assert.equal(await page.locator('#do-analyse').innerText(), 'Stop');
  });

  await harness.check('the value bar has a number, and the result after the end', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'chess', state: BACK_RANK_MATE });
    assert.equal(await page.locator('#value-bar b').innerText(), '–');
    await page.click('#do-hint');
    await page.waitForFunction(() => document.querySelector('#value-bar b').textContent === '100%');
    await clicks(page, 'a1', 'a8');
    await status(page, /White wins/);
    assert.equal(await page.locator('#value-bar b').innerText(), '1');
    assert.match(await page.locator('#value-bar').getAttribute('aria-label'), /White got 1 of 1 point/);
    await picture(page, 'value-bar-result');
  });

  await harness.check('forced mates are counted in moves', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'chess', state: MATE_IN_TWO });
    await page.click('#tab-watch');
    await page.locator('#panel-watch .chooser select').selectOption('mcc-solver');
    await page.click('#do-analyse');
    await page.waitForFunction(() => /mate in 2/.test(document.querySelector('#panel-watch .sentence').textContent));
  });

  await harness.check('bars have one scale', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'tic-tac-toe' });
    await page.click('#tab-compare');
    await page.locator('#panel-compare > .actions button.primary').click();
    await page.waitForFunction(() => [...document.querySelectorAll('#panel-compare .search-view')].every((view) => view.querySelector('.visits').textContent.includes('%')));
    const rows = await page.evaluate(() => [...document.querySelectorAll('#panel-compare .bars tr:not(.empty) .track')].map((track) => ({
      length: track.querySelector('.fill').getBoundingClientRect().width / track.getBoundingClientRect().width,
      share: Number(/(\d+)%/.exec(track.querySelector('.visits').textContent)[1]) / 100,
    })));
    assert(rows.length > 5);
    for (const { length, share } of rows) assert(Math.abs(length - share) < 0.02, `a bar of ${length} stands for ${share}`);
  }, { width: 1500, height: 900 });

  await harness.check('settings are those that mean something', async (page, address) => {
    await open(page, address);
    await page.click('#tab-watch');
    await page.locator('#panel-watch .chooser button').click();
    const dialog = page.locator('dialog.settings');
    await dialog.locator('.setting').first().waitFor();
    assert.equal(await dialog.locator('.editor > .setting-list .setting.off').count(), 0);
    assert(await dialog.locator('.meaningless .setting.off').count() > 3);
    assert.doesNotMatch(await dialog.locator('.editor > .setting-list').innerText(), /Chinese dark chess|Lines of Action/);
  });

  if (harness.program) await harness.check('a game survives a new server by the copy of the page', async (page) => {
    let server = await startServer(harness.program);
    const { port } = new URL(server.address);
    try {
      await open(page, server.address);
      await newGame(page, { game: 'chess', seats: ['human', 'human'] });
      await write(page, 'e4', 'e5');
      await page.keyboard.press('ArrowLeft');
      await status(page, /after 1 plies/);
      await clicks(page, 'c7', 'c5');
      await page.locator('.moves .variation button').first().waitFor();
      await server.stop();
      server = await startServer(harness.program, port);
      await page.locator('#do-restore').waitFor();
      await picture(page, 'server-anew');
      await page.click('#do-restore');
      await page.waitForFunction(() => document.getElementById('notice').hidden);
      assert.deepEqual(await labels(page, '.moves'), ['e4', 'e5', '1…c5']);
      assert.match(await square(page, 'c5').getAttribute('aria-label'), /Black pawn/);
    } finally {
      await server.stop();
    }
  }, { ownServer: true });
}
