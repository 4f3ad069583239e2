// The lab: a match from the page, its store, a game replayed.

import assert from 'node:assert/strict';
import { picture } from './harness.js';

export async function labChecks(harness) {
  await harness.check('a match is played, rated and replayed', async (page, address) => {
    await page.goto(`${address}#lab`);
    await page.locator('#match-game').selectOption('chess');
    await page.locator('#view-lab').getByLabel('Player B', { exact: true }).selectOption('greedy');
    await page.fill('#match-number', '4');
    await page.click('text=Start the match');
    await page.waitForFunction(() => /4 of 4 games \(done\)/.test(document.querySelector('.match-progress').textContent));
    await picture(page, 'lab');
    await page.click('text=All games of the store');
    await page.locator('text=Ratings').first().waitFor();
    await picture(page, 'lab-store', true);
    await page.locator('a', { hasText: 'replay' }).first().click();
    await page.locator('.replay-moves button').nth(2).waitFor();
    assert.equal(await page.locator('.replay .board .piece').count(), 32);
    // Whoever moves third or fourth is the player that searches by iterations.
    const thoughts = [];
    for (const index of [2, 3]) {
      await page.locator('.replay-moves button').nth(index).click();
      thoughts.push(await page.locator('.replay .about-move').innerText());
    }
    assert.match(thoughts.join(' '), /iterations/);
    await picture(page, 'lab-replay');
  });
}
