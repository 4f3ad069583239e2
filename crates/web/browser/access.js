// axe-core looks at every view, in both languages and both colour schemes.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { newGame, open } from './harness.js';
import { write } from './variations.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const GRAVE = ['serious', 'critical'];

export async function accessChecks(harness) {
  for (const locale of ['en-GB', 'zh-TW']) {
    for (const colorScheme of ['light', 'dark']) {
      await harness.check(`axe finds nothing serious, ${locale}, ${colorScheme}`, async (page, address) => {
        await open(page, address);
        await newGame(page, { game: 'chess' });
        await write(page, 'f3', 'e5', 'g4');
        await inspect(page, 'play');
        await write(page, 'Qh4');
        await page.locator('#do-rematch').waitFor();
        await inspect(page, 'the end');
        await page.keyboard.press('ArrowLeft');
        await page.click('#tab-watch');
        await page.click('#do-analyse');
        await page.waitForFunction(() => document.querySelector('#panel-watch .visits').textContent.includes('%'));
        await inspect(page, 'analysis');
        await page.click('#do-analyse');
        for (const tab of ['review', 'tree', 'compare']) {
          await page.click(`#tab-${tab}`);
          await inspect(page, tab);
        }
        await page.click('#do-new');
        await inspect(page, 'new game');
        await page.keyboard.press('Escape');
        await page.goto(`${address}#lab`);
        await page.waitForSelector('#match-game');
        await inspect(page, 'lab');
        // The checks of the lab have left games to look at.
        await page.locator('#stores a').first().click();
        await page.locator('#view-lab a[href*="/page.db/"]').first().waitFor();
        await inspect(page, 'store');
        await page.locator('#view-lab a[href*="/page.db/"]').first().click();
        await page.locator('.replay-moves button').nth(3).click();
        await inspect(page, 'replay');
      }, { locale, colorScheme });
    }
  }
}

async function inspect(page, view) {
  // The policy of the page forbids foreign scripts; evaluation comes from the browser itself.
  await page.evaluate(AXE);
  const found = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  const grave = found.violations.filter(({ impact }) => GRAVE.includes(impact));
  assert.deepEqual(grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ''}`).join(' | ')}`), [], view);
}
