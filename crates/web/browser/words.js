// Every string of the page is in both languages.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { closeSheet, newGame, open, picture, square, status } from './harness.js';

const PAGE = new URL('../page/', import.meta.url);

/** The table of a language; it is a module without imports. */
async function table(name) {
  const text = readFileSync(new URL(`words/${name}.js`, PAGE), 'utf8');
  return (await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`)).default;
}

export async function wordChecks(harness) {
  await harness.check('both languages have all words', async () => {
    const [english, chinese] = [await table('en'), await table('zh')];
    assert.deepEqual(Object.keys(chinese).sort(), Object.keys(english).sort());
    for (const [key, words] of Object.entries(english)) {
      assert.deepEqual((chinese[key].match(/\{\w+\}/g) ?? []).sort(), (words.match(/\{\w+\}/g) ?? []).sort(), `“${key}” names the same things`);
    }
    const sources = readdirSync(PAGE).filter((name) => /\.(js|html)$/.test(name)).map((name) => readFileSync(new URL(name, PAGE), 'utf8')).join('\n');
    const named = [...sources.matchAll(/\bt\('([^']+)'/g), ...sources.matchAll(/data-t(?:-label|-title)?="([^"]+)"/g)].map(([, key]) => key);
    assert.deepEqual(named.filter((key) => !(key in english)), [], 'every key that is used has words');
    const mentioned = new Set([...sources.matchAll(/['"`]([a-z0-9-]+)['"`]/g)].map(([, key]) => key));
    const built = /^(fact|verdict|match)-/; // put together from what the server says
    assert.deepEqual(Object.keys(english).filter((key) => !mentioned.has(key) && !built.test(key)), [], 'all words are used');
  });

  for (const [width, colorScheme] of [[1400, 'light'], [360, 'dark']]) {
    await harness.check(`no English is left on the Chinese page, ${width} px`, async (page, address) => {
      await open(page, address);
      assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-Hant');
      await page.click('#games [data-game=banqi]');
      await page.waitForFunction(() => document.getElementById('view-play').dataset.game === 'banqi');
      await square(page, 'b4').click();
      await page.waitForFunction(() => document.querySelectorAll('.men .covered').length <= 31);
      const revealed = await page.locator('#board [data-square=b4]').getAttribute('aria-label');
      assert.match(revealed, /b4, [紅黑][帥仕相俥傌炮兵將士象車馬包卒]/, 'pieces have their Chinese names');
      for (const tab of ['game', 'watch', 'review', 'tree', 'compare']) {
        if (!(await page.locator(`#tab-${tab}`).isVisible())) continue; // a wide screen has the game beside the others
        await page.click(`#tab-${tab}`);
        assert.deepEqual(await strangers(page), [], tab);
        await picture(page, `chinese-${tab}-${width}`);
      }
      await closeSheet(page);
      await page.click('#do-new');
      await page.locator('dialog.new-game').waitFor();
      assert.deepEqual(await strangers(page), [], 'new game');
      await picture(page, `chinese-new-${width}`);
      await page.locator('#edit-state').click();
      await page.locator('.editor-dialog .palette button').first().waitFor();
      assert.deepEqual(await strangers(page), [], 'editor');
      await page.keyboard.press('Escape');
      await page.locator('.editor-dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await page.click('#do-resign');
      await status(page, /勝/);
      assert.deepEqual(await strangers(page), [], 'the end');
      await page.goto(`${address}#lab`);
      await page.waitForSelector('#match-game');
      assert.deepEqual(await strangers(page), [], 'lab');
      await picture(page, `chinese-lab-${width}`);
    }, { width, height: 800, colorScheme, locale: 'zh-TW' });
  }

  for (const [width, colorScheme] of [[1400, 'dark'], [360, 'light']]) {
    await harness.check(`players, settings and mistakes are explained in Chinese, ${width} px`, async (page, address) => {
      await open(page, address);
      await page.click('#do-new');
      const dialog = page.locator('dialog.new-game');
      await dialog.locator('#new-game').selectOption('chess');
      const seat = dialog.locator('fieldset').nth(1);
      for (const player of ['best', 'mcc', 'ab']) {
        await seat.locator('.chooser select').selectOption(player);
        await isChinese(seat.locator('.about'), player);
      }
      await dialog.locator('#new-state').fill('8/8/8/8/8/8/8/8 w - - 0 1');
      await dialog.locator('button.primary').click();
      await isChinese(dialog.locator('.error'), 'no kings');
      assert.match(await dialog.locator('.error').textContent(), /違反規則：白方有 0 個王/);
      assert(await isSeen(dialog.locator('.error'), dialog.locator('.closing')), 'a mistake is seen without scrolling');
      await picture(page, `chinese-mistake-${width}`);
      await seat.locator('.chooser select').selectOption('best');
      await seat.locator('.chooser button').click();
      const settings = page.locator('dialog.settings');
      await settings.locator('.setting').first().waitFor();
      assert.equal(await settings.locator('[lang=en]').count(), 0, 'every setting has its sentence');
      await picture(page, `chinese-settings-${width}`);
      await settings.locator('#spec-field').fill('best:c=many');
      await settings.locator('#spec-field').press('Enter');
      await isChinese(settings.locator('.error'), 'no number');
      assert.match(await settings.locator('.error').textContent(), /「many」不是設定 c 的值；可用：.* 的數/);
      await settings.locator('#spec-field').fill('bets');
      await settings.locator('#spec-field').press('Enter');
      await settings.locator('.error', { hasText: '是「best」嗎？' }).waitFor();
    }, { width, height: 800, colorScheme, locale: 'zh-TW', isRefused: true });
  }

  await harness.check('the language is switched, and kept', async (page, address) => {
    await open(page, address);
    await newGame(page, { game: 'chess' });
    await page.locator('#language').selectOption('zh-Hant');
    await status(page, /輪到白方/);
    assert.match(await square(page, 'e1').getAttribute('aria-label'), /白王/);
    await page.reload();
    await status(page, /輪到白方/);
    await page.locator('#language').selectOption('en');
    await status(page, /White to move/);
  });
}

/** Whether an element lies in the window and above the buttons that stay at the end of their dialog. */
async function isSeen(element, buttons) {
  const [box, end] = [await element.boundingBox(), await buttons.boundingBox()];
  return box.y >= 0 && box.y + box.height <= end.y + 1;
}

/** Waits until an element says something, which must not be English. */
async function isChinese(element, what) {
  await element.filter({ hasText: /\S/ }).waitFor();
  assert.equal(await element.getAttribute('lang'), null, what);
  assert.match(await element.textContent(), /\p{Script=Han}/u, what);
}

/**
 * Texts and labels that are English words on a Chinese page. What the server says in English is marked as such (lang="en"); specs,
 * paces, moves and names of files are no words of any language, nor are the names of techniques in a sentence about them.
 */
function strangers(page) {
  return page.evaluate(() => {
    const known = /\b(Monteverde|English|FEN|PGN|SGF|Elo|Enter|Latin|Chess960|[A-Z]|KiB|MiB|GiB|monteverde|experiments?|page\.db|games\.db|match|store)\b/g;
    const isWords = (text) => /[A-Za-z]{2,}/.test(text.replace(known, '').replace(/\b[a-z]\d\b/g, ''));
    const names = new Set([...document.querySelectorAll('option')].map((option) => option.value));
    const found = [];
    const look = (element, text) => {
      if (element.closest('.about, .setting, .error') && /\p{Script=Han}/u.test(text)) return;
      const bare = text.replace(/[\w-]+[:=][\w.=,+:-]*/g, '').split(/[^\w.-]+/).filter((word) => !names.has(word)).join(' ');
      if (isWords(bare) && !element.closest('[lang=en], script, style, noscript, .moves, pre') && !element.matches('.spec-field')) found.push(text.trim());
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) look(walker.currentNode.parentElement, walker.currentNode.data);
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
      for (const name of ['aria-label', 'title', 'placeholder']) if (element.hasAttribute(name) && !(name === 'placeholder' && element.matches('#move-field'))) look(element, element.getAttribute(name));
    }
    return found;
  });
}
