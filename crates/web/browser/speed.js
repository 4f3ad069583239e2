// First paint, weight, frames a second, and that nothing jumps while the engine thinks.

import assert from 'node:assert/strict';
import { newGame, open } from './harness.js';

const MOST_BYTES = 400 * 1024;
const FIRST_PAINT = 300; // milliseconds
const WATCHED = 3000; // milliseconds

export async function speedChecks(harness) {
  await harness.check('weight and first paint', async (page, address) => {
    const bytes = await weigh(page, address); // first, while the browser has nothing of it
    const paints = [];
    for (let visit = 0; visit < 4; visit++) {
      await page.goto('about:blank');
      await open(page, address);
      paints.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime));
    }
    console.log(`      first paint after ${paints.map((paint) => paint.toFixed(0)).join(', ')} ms; the page weighs ${(bytes / 1024).toFixed(0)} KiB`);
    assert(bytes < MOST_BYTES, `the page weighs ${bytes} bytes`);
    // The best of a few visits says what the page can do; the others what else the machine did.
    assert(Math.min(...paints) < FIRST_PAINT, `the first paint comes after ${Math.min(...paints)} ms`);
  });

  await harness.check('frames a second while thinking, and no layout shift', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'chess' });
    const idle = await frames(page);
    await page.click('#tab-watch');
    await page.click('#panel-watch button.primary');
    await page.waitForTimeout(500);
    const thinking = await frames(page);
    const shift = await page.evaluate((wait) => new Promise((resolve) => {
      let sum = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => (sum += entry.value))).observe({ type: 'layout-shift' });
      setTimeout(() => resolve(sum), wait);
    }), WATCHED);
    console.log(`      ${idle.toFixed(0)} frames a second at rest, ${thinking.toFixed(0)} while thinking; layout shift ${shift.toFixed(4)}`);
    assert(shift < 0.01, `the page shifts by ${shift} while the engine thinks`);
    // A busy machine draws fewer frames whatever the page does, so the page is compared with itself.
    assert(thinking > idle / 2, `${thinking} frames a second while thinking, ${idle} at rest`);
  });
}

/** The bytes of everything that the page asks for, the lab's part included. */
async function weigh(page, address) {
  await page.goto(`${address}#lab`);
  await page.waitForSelector('#match-game');
  const sizes = await page.evaluate(() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((entry) => entry.decodedBodySize));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function frames(page) {
  return page.evaluate((wait) => new Promise((resolve) => {
    let count = 0;
    const start = performance.now();
    const step = (now) => {
      count += 1;
      if (now - start < wait) requestAnimationFrame(step);
      else resolve((1000 * count) / (now - start));
    };
    requestAnimationFrame(step);
  }), WATCHED);
}
