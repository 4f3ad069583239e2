// The lab: a match from the page, its store, a game replayed.

import assert from 'node:assert/strict';
import { picture } from './harness.js';

export async function labChecks(harness) {
  await harness.check('a match is played, rated and replayed', async (page, address) => {
    await page.goto(`${address}#lab`);
    await page.locator('#match-game').selectOption('chess');
    await page.locator('#view-lab').getByLabel('Player B', { exact: true }).selectOption('greedy');
    await page.fill('#match-number', '4');
    assert.match(await page.locator('#stores').innerText(), /none yet/);
    await page.click('text=Start the match');
    await page.waitForFunction(() => /4 of 4 games \(done\)/.test(document.querySelector('.match-progress').textContent), null, { timeout: 90000 });
    // The list of stores renews itself.
    await page.waitForFunction(() => /page\.db\s+Chess\s+4\s/.test(document.getElementById('stores').innerText));
    await picture(page, 'lab');
    await page.click('text=All games of the store');
    await page.locator('text=Ratings').first().waitFor();
    await picture(page, 'lab-store', true);
    await page.locator('a', { hasText: 'replay' }).first().click();
    await page.locator('.replay-moves button').nth(2).waitFor();
    assert.equal(await page.locator('.replay .board .piece').count(), 32);
    // Whoever moves third or fourth is the player that searches by iterations.
    const thoughts = [];
    let searched = 3;
    for (const index of [2, 3]) {
      await page.locator('.replay-moves button').nth(index).click();
      thoughts.push(await page.locator('.replay .about-move').innerText());
      if (/iterations/.test(thoughts.at(-1))) searched = index;
    }
    assert.match(thoughts.join(' '), /iterations/);
    // Moves are written as people write them, both players' values are there, and the way back to the board.
    const moves = await page.locator('.replay-moves button').allTextContents();
    assert(moves.slice(0, 6).every((move) => !/^[a-h][1-8][a-h][1-8]$/.test(move)), `moves in SAN: ${moves.slice(0, 6)}`);
    await page.locator('.replay-moves button').nth(searched).click();
    const values = await page.locator('.engine-values dd').allTextContents();
    assert.equal(values.length, 2);
    assert(values.some((value) => /% of the points/.test(value)), `values: ${values}`);
    await page.waitForFunction(() => / expected (?!.*\b[a-h][1-8][a-h][1-8]\b)/.test(document.querySelector('.replay .about-move').textContent));
    await picture(page, 'lab-replay');
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction((number) => document.querySelector('.replay-moves [aria-current]').closest('li').dataset.number === number, `${searched}.`);
    await page.click('#play-on');
    await page.locator('#panel-game .moves button').nth(searched - 1).waitFor();
    assert.deepEqual(await page.locator('#panel-game .moves button').allTextContents(), moves.slice(0, searched));
  });
}
