// The server, the browser, and how a check tells of itself.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

export const PICTURES = new URL('../../../target/browser/', import.meta.url).pathname;
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Starts the server on a free port, or on that one, with an empty folder for its lab. */
export async function startServer(program, port = '0') {
  const lab = mkdtempSync(join(tmpdir(), 'monteverde-lab-'));
  const server = spawn(program, ['serve', '--port', port, '--lab', lab], { stdio: ['ignore', 'pipe', 'pipe'] });
  const address = await new Promise((resolve, reject) => {
    let said = '';
    const hear = (data) => {
      said += data;
      const found = /http:\/\/[\d.:]+\//.exec(said);
      if (found) resolve(found[0]);
    };
    server.stdout.on('data', hear);
    server.stderr.on('data', hear);
    server.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
  const ended = new Promise((resolve) => server.on('exit', resolve));
  const stop = () => {
    server.kill('SIGINT');
    return ended;
  };
  return { address, stop };
}

/** Starts Debian's Chromium. */
export function startBrowser() {
  const executablePath = process.env.CHROMIUM ?? BROWSERS.find(existsSync);
  assert(executablePath, `no browser: install chromium, or name one in CHROMIUM (looked for ${BROWSERS.join(', ')})`);
  // The sandbox needs rights that containers and root do not have.
  const args = ['--no-sandbox', '--disable-dev-shm-usage'];
  // A page that comes from a folder is not the server's own, and may not speak to it without this.
  if (process.env.PAGE) args.push('--disable-features=LocalNetworkAccessChecks');
  return chromium.launch({ executablePath, args });
}

export class Harness {
  constructor(browser, address, { program = null, only = process.env.ONLY } = {}) {
    this.browser = browser;
    this.program = program;
    this.only = only && new RegExp(only);
    this.address = address;
    this.failed = 0;
    mkdirSync(PICTURES, { recursive: true });
  }

  /** Runs a check in a fresh profile; whatever the page complains of fails it too, but answers of 400 where it `isRefused` something. */
  async check(name, run, { width = 1280, height = 800, colorScheme = 'light', locale = 'en-GB', ownServer = false, isRefused = false } = {}) {
    if (this.only && !this.only.test(name)) return;
    const start = performance.now();
    const context = await this.browser.newContext({ viewport: { width, height }, colorScheme, locale, permissions: ['clipboard-read', 'clipboard-write'] });
    context.setDefaultTimeout(45000); // a busy machine is slow, and only what fails waits so long
    const page = await context.newPage();
    const complaints = [];
    await freshPage(page, this.address);
    page.on('request', (request) => {
      if (!ownServer && !request.url().startsWith(this.address) && !/^(about|blob|data):/.test(request.url())) complaints.push(`asks for ${request.url()}`);
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    // A server of the check's own may be gone for a while, of which the browser complains.
    page.on('console', (message) => message.type() === 'error' && !ownServer && !(isRefused && /status of 400/.test(message.text())) && complaints.push(message.text()));
    try {
      await run(page, this.address);
      assert.deepEqual(complaints, [], 'the page complains');
      console.log(`ok    ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
      this.failed += 1;
      console.log(`FAILED ${name}: ${error.stack}\n${complaints.join('\n')}`);
      await page.screenshot({ path: join(PICTURES, `failed-${name.replace(/\W+/g, '-')}.png`) }).catch(() => {});
    }
    await context.close();
  }
}

// PAGE=FOLDER serves the files of the page from there, so that a change is seen without building the program.
async function freshPage(page, address) {
  const folder = process.env.PAGE;
  if (!folder) return;
  const headers = (await (await fetch(address)).headers).get('content-security-policy');
  await page.context().route(/\/(?:[\w/-]+\.(?:js|css|svg))?$/, (route) => {
    const path = new URL(route.request().url()).pathname.slice(1) || 'index.html';
    if (!existsSync(join(folder, path))) return route.continue();
    const type = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', html: 'text/html' }[path.split('.').pop()];
    return route.fulfill({ body: readFileSync(join(folder, path)), headers: { 'content-type': type, 'content-security-policy': headers } });
  });
}

/** Keeps a picture to be looked at. */
export function picture(page, name, fullPage = false) {
  return page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage });
}

/** Opens the page and waits for a game on the board. */
export async function open(page, address) {
  await page.goto(address);
  await page.waitForSelector('.piece');
}

/** A new game through the dialog. `seats` are players as in the menus, `pace` that of engines. */
export async function newGame(page, { game, state = '', seats = ['human', 'human'], pace = 'iterations=100' }) {
  await closeSheet(page);
  await page.click('#do-new');
  const dialog = page.locator('dialog.new-game');
  await dialog.locator('#new-game').selectOption(game);
  for (const [index, player] of seats.entries()) {
    const seat = dialog.locator('fieldset').nth(index);
    await seat.locator('.chooser select').selectOption(player);
    if (player !== 'human') await seat.locator(`#pace-${index}`).selectOption(pace);
  }
  await dialog.locator('#new-state').fill(state);
  await dialog.locator('button.primary').click();
  await dialog.waitFor({ state: 'detached' });
}

/** On a narrow screen an open panel lies over the buttons; its tab closes it. */
export async function closeSheet(page) {
  const isOver = await page.evaluate(() => document.getElementById('view-play').dataset.sheet === 'open' && getComputedStyle(document.querySelector('.side')).position === 'fixed');
  if (isOver) await page.click('[role=tab][aria-selected=true]');
}

export const square = (page, name) => page.locator(`#board [data-square=${name}]`);

/** Clicks from square to square. */
export async function clicks(page, ...names) {
  for (const name of names) await square(page, name).click();
}

/** Waits until the status line says something. */
export function status(page, pattern) {
  return page.waitForFunction((source) => new RegExp(source, 'i').test(document.getElementById('status').textContent), pattern.source);
}

/** The number that a text begins with, such as 12.4k. */
export function numberIn(words) {
  const [, digits, letter] = /([\d.]+)([kMG]?)/.exec(words) ?? [0, '0', ''];
  return Number(digits) * { '': 1, k: 1e3, M: 1e6, G: 1e9 }[letter];
}
