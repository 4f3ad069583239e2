// The search while it thinks: bars, tree, comparison, settings.

import assert from 'node:assert/strict';
import { newGame, numberIn, open, picture } from './harness.js';

export async function watchChecks(harness) {
  await harness.check('the bars grow and the tree opens', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'chess' });
    await page.click('#tab-watch');
    await page.click('#panel-watch button.primary');
    const visits = page.locator('#panel-watch .bars tbody tr').first().locator('.visits');
    await page.waitForFunction(() => document.querySelector('#panel-watch .bars .visits').textContent.includes('%'));
    const before = numberIn(await visits.innerText());
    await page.waitForTimeout(1500);
    assert(numberIn(await visits.innerText()) > before, 'the first bar grows');
    assert(await page.locator('.arrows .arrow').count() >= 1, 'the expected line is on the board');
    assert((await page.locator('#panel-watch .curve .line').getAttribute('d')).length > 20, 'the curve is drawn');
    await picture(page, 'watch');
    await page.click('#tab-tree');
    const items = page.locator('#panel-tree > .tree > li');
    await items.first().waitFor();
    assert.equal(await items.count(), 20, 'the root has twenty moves');
    await items.first().locator('> .line').click();
    await items.first().locator('[role=treeitem]').first().waitFor();
    await page.keyboard.press('Tab');
    await picture(page, 'tree');
  });

  await harness.check('chance events are in the tree of Chinese dark chess', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'banqi' });
    await page.click('#tab-watch');
    await page.click('#panel-watch button.primary');
    await page.waitForTimeout(500);
    await page.click('#tab-tree');
    await page.locator('#panel-tree > .tree > li > .line').first().click();
    await page.locator('#panel-tree .chance .visits').first().waitFor();
    assert.match(await page.locator('#panel-tree .chance .visits').first().innerText(), /chance \d+\.\d%/);
    await picture(page, 'tree-chance');
  });

  await harness.check('two specs are compared', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'loa' });
    await page.click('#tab-compare');
    await page.locator('#panel-compare .chooser button').nth(1).click();
    const dialog = page.locator('dialog.settings');
    await dialog.locator('#setting-c').fill('0.25');
    await dialog.locator('#setting-c').press('Tab');
    await page.waitForFunction(() => document.querySelector('#spec-field').value.includes('c=0.25'));
    assert(await dialog.locator('.setting a').count() > 10, 'settings link to their pages');
    await picture(page, 'settings');
    await dialog.locator('button.primary').click();
    await page.click('#panel-compare > .actions button.primary');
    await page.waitForFunction(() => /prefer/.test(document.querySelector('#panel-compare > .sentence').textContent));
    for (const view of await page.locator('#panel-compare .search-view').all()) assert(numberIn(await view.locator('.visits').first().innerText()) > 0);
    assert.equal(await page.locator('.arrows > .other').count(), 1, 'the move of B is on the board');
    await picture(page, 'compare');
  }, { width: 1500, height: 900, colorScheme: 'dark' });

  for (const [width, colorScheme, locale] of [[1400, 'light', 'en-GB'], [360, 'dark', 'zh-TW']]) {
    await harness.check(`a network's value and policy stand beside the search's, ${width} px`, async (page, address) => {
      await open(page, address);
      await newGame(page, { game: 'chess' });
      await page.click('#tab-watch');
      const panel = page.locator('#panel-watch');
      await panel.locator('.chooser select').selectOption('best');
      await panel.locator('#do-analyse').click();
      await panel.locator('.outlook').waitFor();
      const [network, search] = await panel.locator('.outlook dd').allInnerTexts();
      assert.match(network, /^[+−]0\.\d\d$/);
      assert.match(search, /^[+−]0\.\d\d$/);
      const label = await panel.locator('.outlook-bar').getAttribute('aria-label');
      const shares = [...label.matchAll(/(\d+)%/g)].map(([, share]) => Number(share));
      assert(shares.length === 3 && Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100) <= 1, label);
      // The shares of the moves are those of the network, most of which are seen.
      const policy = (await panel.locator('.bars td.policy').allInnerTexts()).filter(Boolean).map(parseFloat);
      const sum = policy.reduce((all, share) => all + share, 0);
      assert(policy.length === 14 && sum > 50 && sum < 101, `the shares of 14 moves: ${policy}`);
      const first = panel.locator('.bars tbody tr').first();
      const tick = await first.locator('.prior').evaluate((element) => parseFloat(element.style.left) / 97);
      assert(Math.abs(100 * tick - parseFloat(await first.locator('.policy').innerText())) < 1, 'the tick is on the scale of the bar');
      assert(await page.evaluate((most) => document.scrollingElement.scrollWidth <= most, width), 'it fits the screen');
      await panel.locator('.outlook').scrollIntoViewIfNeeded();
      await picture(page, `network-${width}`);
      await panel.locator('#do-analyse').click();
      await panel.locator('.chooser select').selectOption('mcc');
      await panel.locator('#do-analyse').click();
      await page.waitForFunction(() => document.querySelector('#panel-watch .sentence').textContent.includes('mcc'));
      await panel.locator('.outlook').waitFor({ state: 'hidden' });
      assert.equal(await panel.locator('.bars .policy').first().isVisible(), false, 'a player without a network has no such column');
      await panel.locator('#do-analyse').click();
    }, { width, height: 800, colorScheme, locale });
  }

  await harness.check('engines play each other, and pause', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'loa', seats: ['uct', 'uct'], pace: 'time=200ms' });
    await page.locator('.moves button').nth(2).waitFor();
    await page.click('#do-pause');
    await page.waitForFunction(() => document.getElementById('do-pause').textContent === 'Go on');
  });
}
