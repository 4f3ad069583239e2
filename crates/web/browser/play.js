// Games played to their end by clicks, drags and keys.

import assert from 'node:assert/strict';
import { clicks, newGame, open, picture, square, status } from './harness.js';

const BACK_RANK_MATE = '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1';
const PROMOTES_TO_MATE = '7k/P5pp/8/8/8/8/8/K7 w - - 0 1';
const CONNECTS_BY_A3_B2 = '7o/8/8/8/8/x7/8/xx5o b';
const TWO_IN_A_ROW = 'xx. oo. ...';
const TAKES_THE_LAST = '4/4/4/4/4/4/4/Kk2 r - 0';

export async function playChecks(harness) {
  await harness.check('chess is won by clicks', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'chess', state: BACK_RANK_MATE, seats: ['human', 'greedy'] });
    await square(page, 'a1').click();
    assert.equal(await page.locator('.target').count(), 12, 'the rook has twelve moves');
    await square(page, 'a8').click();
    await status(page, /White wins.*checkmate/);
    assert.match(await square(page, 'g8').getAttribute('aria-label'), /in check/);
    await picture(page, 'chess-won');
  });

  await harness.check('the rules of a game that few know are a click away', async (page, address) => {
    await open(page, address);
    const link = page.getByRole('link', { name: 'How it is played' });
    assert.equal(await link.isVisible(), false, 'chess needs none');
    await newGame(page, { game: 'loa' });
    await link.waitFor();
    await page.goto(new URL(await link.getAttribute('href'), address).href);
    assert.match(await page.locator('h1').textContent(), /Lines of Action/);
    const drawn = await page.locator('img').evaluateAll((images) => images.map((image) => image.naturalWidth > 0));
    assert(drawn.length > 1 && drawn.every(Boolean), `figures: ${drawn}`);
    await picture(page, 'rules');
  });

  await harness.check('chess by drag, keyboard, promotion choice and undo', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'chess', state: PROMOTES_TO_MATE });
    const [from, to] = [await square(page, 'a7').boundingBox(), await square(page, 'a8').boundingBox()];
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + 20, to.y + 30, { steps: 4 });
    await page.mouse.up();
    await page.locator('.choice button').first().waitFor();
    await picture(page, 'promotion');
    await page.keyboard.press('Escape');
    // The same with the keyboard alone: from the pawn up one square, the third choice is taken by arrows.
    await square(page, 'a7').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'promote to queen' }).focus();
    await page.keyboard.press('Enter');
    await status(page, /checkmate/);
    await page.click('#do-undo');
    await page.waitForSelector('[data-square=a7][aria-label="a7, White pawn, can move"]');
  });

  await harness.check('a move is written, the game copied and pasted', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'chess' });
    for (const move of ['e4', 'e5', 'nf3']) {
      await page.fill('#move-field', move);
      await page.keyboard.press('Enter');
      await page.locator('.moves button').nth(['e4', 'e5', 'nf3'].indexOf(move)).waitFor();
    }
    await page.click('text=Copy game');
    await page.waitForSelector('#toast:not([hidden])');
    const pgn = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(pgn, /1\. ?e4 e5 2\. ?Nf3/);
    await newGame(page, { game: 'chess' });
    await page.click('text=Paste …');
    await page.fill('#paste-box', pgn);
    await page.click('text=Put it on the board');
    await page.locator('.moves button').nth(2).waitFor();
    await page.locator('.moves button').nth(0).click();
    await status(page, /after 1 plies/);
  });

  await harness.check('Lines of Action is won by clicks', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'loa', state: CONNECTS_BY_A3_B2, seats: ['human', 'uct'] });
    await clicks(page, 'a3', 'b2');
    await status(page, /Black wins/);
    await picture(page, 'loa-won');
  });

  await harness.check('Chinese dark chess: a flip, and a win by clicks', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'banqi', seats: ['human', 'uct'] });
    await page.locator('.covered').first().waitFor({ state: 'attached' });
    assert.equal(await page.locator('.men .covered').count(), 32);
    await square(page, 'b4').click();
    await page.waitForFunction(() => document.querySelectorAll('.moves button').length >= 2);
    await page.waitForFunction(() => document.querySelectorAll('.men .covered').length <= 31);
    await picture(page, 'banqi-flipped');
    await page.click('#do-glyphs');
    await page.locator('.men .latin').first().waitFor({ state: 'attached' });
    await newGame(page, { game: 'banqi', state: TAKES_THE_LAST, seats: ['human', 'human'] });
    await clicks(page, 'a1', 'b1');
    await status(page, /Red wins/);
  });

  await harness.check('a game that only gives its board as data: tic-tac-toe', async (page, address) => {
    await open(page, address);
    await square(page, 'b2').click();
    assert.equal(await square(page, 'b2').getAttribute('aria-selected'), 'true');
    await page.click('#games [data-game=tic-tac-toe]');
    await page.waitForSelector('#view-play[data-game=tic-tac-toe]');
    assert.equal(await square(page, 'b2').getAttribute('aria-selected'), 'false', 'the pawn of the chess game is let go');
    await square(page, 'b2').click();
    await page.waitForFunction(() => document.querySelectorAll('.men .stroke').length === 2);
    await newGame(page, { game: 'tic-tac-toe', state: TWO_IN_A_ROW });
    assert.match(await square(page, 'c3').getAttribute('aria-label'), /c3, empty, can be played/);
    await square(page, 'c3').click();
    await status(page, /X wins: three in a line/);
    assert.equal(await page.locator('.mark.win').count(), 3);
    await picture(page, 'tic-tac-toe-won');
  });

  await harness.check('a reload comes back to the game', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'chess', seats: ['human', 'greedy'] });
    await clicks(page, 'd2', 'd4');
    await page.locator('.moves button').nth(1).waitFor();
    const before = await page.locator('.moves').innerText();
    await page.reload();
    await page.locator('.moves button').nth(1).waitFor();
    assert.equal(await page.locator('.moves').innerText(), before);
    await status(page, /White/);
    await page.click('#do-resign');
    await status(page, /resign/);
  });

  await harness.check('two tabs have games of their own', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'loa' });
    const other = await page.context().newPage();
    await open(other, address);
    await newGame(other, { game: 'chess' });
    assert.equal(await page.locator('#view-play').getAttribute('data-game'), 'loa');
    assert.equal(await page.locator('#connection').innerText(), '');
  });

  await harness.check('bad input is answered in words', async (page, address) => {
    await open(page, address);
    await page.click('#do-new');
    await page.fill('#new-state', 'nonsense');
    await page.locator('dialog button.primary').click();
    await page.waitForFunction(() => document.querySelector('dialog .error').textContent.length > 10);
  });

  for (const colorScheme of ['light', 'dark']) {
    await harness.check(`a phone, ${colorScheme}`, async (page, address) => {
      await open(page, address);
      for (const game of ['chess', 'loa', 'banqi', 'tic-tac-toe']) {
        await newGame(page, { game });
        for (const tab of ['game', 'watch', 'tree', 'compare']) {
          await page.click(`#tab-${tab}`);
          assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 360, `${game}, ${tab}: the page is wider than the phone`);
        }
        await page.click('#tab-game');
        await picture(page, `phone-${game}-${colorScheme}`, true);
      }
    }, { width: 360, height: 740, colorScheme });
  }
}
