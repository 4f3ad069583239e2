// What is around the board: levels, links, the editor, sounds, captured pieces, the end of a game, the review, a phone.

import assert from 'node:assert/strict';
import { clicks, closeSheet, newGame, open, picture, square, status } from './harness.js';
import { write } from './variations.js';

const BACK_RANK_MATE = '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1';

export async function tableChecks(harness) {
  await harness.check('an opponent is a level, and research players have a heading of their own', async (page, address) => {
    await open(page, address);
    assert.match(await page.locator('#seat-top .spec').innerText(), /^Level \d/);
    await page.click('#do-new');
    const seat = page.locator('dialog.new-game fieldset').nth(1);
    assert.deepEqual(await seat.locator('optgroup').evaluateAll((groups) => groups.map((group) => group.label)), ['Levels', 'Research players']);
    assert.equal(await seat.locator('optgroup').first().locator('option').count(), 8);
    assert(!(await seat.locator('#pace-1').isVisible()), 'a level has a pace of its own');
    await seat.locator('.chooser select').selectOption('level 1');
    await picture(page, 'levels');
    await page.locator('dialog.new-game button.primary').click();
    await page.waitForFunction(() => /^Level 1/.test(document.querySelector('#seat-top .spec').textContent));
    await page.click('#do-new');
    await page.locator('#new-game').selectOption('tic-tac-toe');
    assert.equal(await seat.locator('optgroup').count(), 0, 'a game without levels shows its players');
    await page.keyboard.press('Escape');
    await page.click('#tab-watch');
    await page.locator('#panel-watch .chooser button').click();
    await page.locator('#setting-level-menu').selectOption({ index: 1 });
    await page.waitForFunction(() => document.querySelector('#spec-field').value.includes('choose-temperature'));
  });

  await harness.check('a level says how strong it was measured to be', async (page, address) => {
    await page.route('**/api/games', async (route) => {
      const answer = await route.fetch();
      const catalogue = await answer.json();
      catalogue.games[0].levels[0].elo = 812;
      catalogue.games[0].levels[1].elo = null;
      await route.fulfill({ response: answer, json: catalogue });
    });
    await open(page, address);
    await page.click('#do-new');
    await page.locator('#new-game').selectOption('chess');
    const levels = await page.locator('dialog.new-game fieldset').nth(1).locator('optgroup').first().locator('option').allTextContents();
    assert.deepEqual(levels.slice(0, 2), ['Level 1 (812 Elo)', 'Level 2']);
  });

  await harness.check('a link holds a position or a game', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'chess' });
    await write(page, 'e4', 'e5', 'Nf3');
    await page.click('#link-game');
    await page.waitForSelector('#toast:not([hidden])');
    const game = await page.evaluate(() => navigator.clipboard.readText());
    await page.click('#link-state');
    await page.waitForFunction((before) => navigator.clipboard.readText().then((now) => now !== before), game);
    const state = await page.evaluate(() => navigator.clipboard.readText());
    // Each in a tab of its own, which does not take over the game of the other.
    const other = await page.context().newPage();
    await other.goto(game);
    await other.locator('.moves button').nth(2).waitFor();
    assert.deepEqual(await other.locator('.moves button').allTextContents(), ['e4', 'e5', 'Nf3']);
    assert.equal(new URL(other.url()).hash, '#play');
    const third = await page.context().newPage();
    await third.goto(state);
    await third.waitForSelector('[data-square=f3][aria-label^="f3, White knight"]');
    assert.equal(await third.locator('.moves button').count(), 0);
    // Where a game would be lost, the page asks.
    await page.evaluate(() => (location.hash = '#game/loa//'));
    await page.locator('dialog.confirm button.primary').click();
    await page.waitForFunction(() => document.getElementById('view-play').dataset.game === 'loa');
  });

  await harness.check('bad links get a sentence', async (page, address) => {
    for (const [hash, sentence] of [
      ['#game/halma//', /no game “halma” here/], ['#game/chess/%E0%A4%A/', /not complete/], ['#game/chess/nonsense/', /cannot be followed: .*nonsense/],
      ['#game/chess//e2e5', /cannot be followed: .*e2e5/], ['#game/chess//e2e4/x/y', /not complete/],
    ]) {
      await page.goto('about:blank');
      await page.goto(`${address}${hash}`);
      await page.waitForFunction((source) => new RegExp(source).test(document.getElementById('toast')?.textContent), sentence.source);
      await page.waitForSelector('.piece');
    }
  });

  await harness.check('a position is put together for each game that has an editor', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'chess' });
    await page.click('#do-edit');
    const dialog = page.locator('dialog.editor-dialog');
    const put = async (letter, ...names) => {
      await dialog.locator(`.palette [data-letter="${letter}"]`).click();
      for (const name of names) await dialog.locator(`[data-square=${name}]`).click();
    };
    await dialog.getByText('Empty board').click();
    await put('K', 'f6');
    await put('k', 'h8');
    await put('R', 'a1', 'b1');
    await put('R', 'b1');
    await picture(page, 'editor');
    assert.match(await dialog.locator('#editor-text').inputValue(), /^7k\/8\/5K2\/8\/8\/8\/8\/R7 w /);
    for (const flag of await dialog.locator('.flag input').all()) await flag.uncheck();
    await dialog.locator('button.primary').click();
    await dialog.waitFor({ state: 'detached' });
    // A rook stood there before, too: what tells the new position is how many pieces there are.
    await page.waitForFunction(() => document.querySelectorAll('#board .piece:not(.leaving)').length === 3);
    await page.waitForSelector('#board [data-square=a1][aria-label^="a1, White rook"]');
    // What makes no position gets the server's sentence.
    await page.click('#do-edit');
    await dialog.getByText('Empty board').click();
    await dialog.locator('button.primary').click();
    await page.waitForFunction(() => document.querySelector('.editor-dialog .error').textContent.length > 10);
    await page.keyboard.press('Escape');
    await newGame(page, { game: 'loa' });
    await page.click('#do-edit');
    await dialog.getByText('Empty board').click();
    await put('x', 'a1', 'b2');
    await put('o', 'h8', 'f8');
    await dialog.locator('select').selectOption('w');
    await dialog.locator('button.primary').click();
    await status(page, /White to move|wins/);
    await newGame(page, { game: 'banqi' });
    await page.click('#do-edit');
    await dialog.getByText('Empty board').click();
    await put('K', 'a1');
    await put('k', 'b1');
    await dialog.locator('select').selectOption('r');
    await dialog.locator('#editor-field-1').fill('-');
    await dialog.locator('#editor-field-1').press('Tab');
    await dialog.locator('button.primary').click();
    await status(page, /Red to move/);
    await newGame(page, { game: 'tic-tac-toe' });
    assert(!(await page.locator('#do-edit').isVisible()), 'a game without an editor offers none');
  }, { isRefused: true });

  await harness.check('the editor waits for its position', async (page, address) => {
    await page.route(/\/api\/games\/\w+\/state/, async (route) => {
      await page.waitForTimeout(500);
      await route.continue();
    });
    await open(page, address);
    await newGame(page, { game: 'chess' });
    await page.click('#do-edit');
    const dialog = page.locator('dialog.editor-dialog');
    await dialog.getByText('Empty board').click();
    assert.match(await dialog.locator('#editor-text').inputValue(), /^8\/8\/8\/8\/8\/8\/8\/8 w /);
  });

  await harness.check('openings of chess have names', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'chess' });
    await write(page, 'e4', 'c5', 'c3');
    await page.locator('.opening', { hasText: 'Sicilian Defence, Alapin' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.locator('.opening', { hasText: /^Sicilian Defence$/ }).waitFor();
  });

  await harness.check('captured pieces lie beside who took them', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'chess' });
    await write(page, 'e4', 'd5', 'exd5', 'Qxd5');
    await page.locator('#seat-bottom .captured [aria-label="1 × Black pawn taken"]').waitFor();
    await page.locator('#seat-top .captured [aria-label="1 × White pawn taken"]').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() => !document.querySelector('#seat-top .captured [role=img]'));
  });

  await harness.check('sounds are off until they are asked for', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'chess' });
    await write(page, 'e4');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.sounded), undefined);
    await page.click('#sound');
    await write(page, 'd5', 'exd5');
    await page.waitForFunction(() => document.documentElement.dataset.sounded === 'capture');
    await page.reload();
    // The choice is kept; the page reads it some time after it has loaded.
    await page.locator('#sound[aria-pressed=true]').waitFor();
  });

  for (const [width, colorScheme] of [[1280, 'light'], [360, 'dark']]) {
    await harness.check(`the end of a game, and a rematch, ${width} px, ${colorScheme}`, async (page, address) => {
      await open(page, address);
      await newGame(page, { game: 'chess', state: BACK_RANK_MATE });
      await clicks(page, 'a1', 'a8');
      await page.locator('#ending strong', { hasText: '1–0' }).waitFor();
      assert.match(await page.locator('#ending').innerText(), /White wins: checkmate/);
      await newGame(page, { game: 'chess', seats: ['human', 'greedy'] });
      await page.click('#do-resign');
      await page.locator('#ending strong', { hasText: '0–1' }).waitFor();
      await picture(page, `ending-${width}`);
      await page.click('#do-rematch');
      await page.waitForFunction(() => document.getElementById('ending').hidden);
      assert.match(await page.locator('#seat-bottom').innerText(), /Black\s*human/);
    }, { width, height: 740, colorScheme });
  }

  for (const [width, colorScheme] of [[1400, 'light'], [360, 'dark']]) {
    await harness.check(`a game is reviewed and its blunders are marked, ${width} px, ${colorScheme}`, async (page, address) => {
      await open(page, address);
      await newGame(page, { game: 'chess' });
      if (width < 900) await page.click('#tab-game');
      await write(page, 'f3', 'e5', 'g4', 'Qh4');
      await closeSheet(page);
      await page.locator('#ending').waitFor();
      await page.click('#do-review');
      await page.waitForFunction(() => /Blunders/.test(document.querySelector('#panel-review .sentence').textContent));
      const blunder = page.locator('.mistakes button[data-mark=blunder]', { hasText: '2. g4??' });
      await blunder.waitFor();
      assert((await page.locator('.review-graph .line').getAttribute('d')).split('L').length === 5, 'the graph has a point for each position');
      await picture(page, `review-${width}`);
      await blunder.click();
      await status(page, /after 3 plies/);
      assert.equal(await page.locator('.moves .sign[data-mark=blunder]').count() >= 1, true);
    }, { width, height: 800, colorScheme });
  }

  for (const colorScheme of ['light', 'dark']) {
    await harness.check(`panels are at hand on a phone, ${colorScheme}`, async (page, address) => {
      await open(page, address);
      await newGame(page, { game: 'chess' });
      for (const tab of ['game', 'watch', 'review', 'tree', 'compare']) {
        await page.click(`#tab-${tab}`);
        const place = await page.evaluate((name) => {
          const box = document.getElementById(`panel-${name}`).getBoundingClientRect();
          const board = document.getElementById('board').getBoundingClientRect();
          return { top: box.top, bottom: box.bottom, height: innerHeight, seen: (Math.min(board.bottom, box.top) - Math.max(board.top, 0)) / board.height };
        }, tab);
        assert(place.seen > 0.85, `${tab}: the board is seen beside it: ${JSON.stringify(place)}`);
        assert(place.top > 0 && place.bottom <= place.height && place.bottom - place.top > 100, `${tab} lies in sight: ${JSON.stringify(place)}`);
        await picture(page, `phone-${tab}-${colorScheme}`);
      }
      await page.click('#tab-compare');
      assert(!(await page.locator('#panel-compare').isVisible()), 'the same tab closes its panel');
      const cut = await page.locator('#games button').evaluateAll((chips) => chips.filter((chip) => {
        const { left, right } = chip.getBoundingClientRect();
        return left < 0 || right > innerWidth || chip.scrollWidth > chip.clientWidth;
      }).map((chip) => chip.textContent));
      assert.deepEqual(cut, [], 'no chip is cut');
      const tabs = await page.locator('.tabs button').evaluateAll((all) => all.filter((tab) => tab.scrollWidth > tab.clientWidth).map((tab) => tab.textContent));
      assert.deepEqual(tabs, [], 'no tab is cut');
    }, { width: 360, height: 640, colorScheme });
  }
}
