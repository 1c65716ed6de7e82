// What the browser tests share: a server on a free port, a browser with one backend or another, and ways to
// wait for what a page shows. Nothing here sleeps for a guessed time.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
export const client = resolve(here, '..');
const binary = resolve(client, process.env.TERRANE_BIN ?? '../bin/terrane');
export const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Software renderers on a busy machine take their time. */
export const PATIENCE_MS = 120_000;

export const COMMON_FLAGS = [
  '--headless=new', '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];

export const FLAGS = {
  webgl2: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-features=WebGPU'],
  webgpu: [
    '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan', '--use-vulkan=swiftshader',
    '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
  ],
  /** Neither backend, though navigator.gpu is there. */
  nothing: ['--disable-gpu', '--disable-webgl', '--disable-webgl2', '--disable-3d-apis', '--disable-features=WebGPU,WebGPUService'],
};

/** A world served by bin/terrane. */
export class Server {
  constructor(args = []) {
    if (!existsSync(binary)) throw new Error(`${binary} is not there: run make build`);
    this.dir = mkdtempSync(join(tmpdir(), 'terrane-test-'));
    this.args = args;
    this.port = 0;
    this.output = '';
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts the server, on the port it had before if it had one. */
  async start() {
    const flags = ['--addr', `127.0.0.1:${this.port}`, ...this.args];
    this.process = spawn(binary, ['serve', join(this.dir, 'test.terrane'), ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
    const child = this.process;
    this.port = await new Promise((fulfil, reject) => {
      const read = (data) => {
        this.output += data;
        const found = /on http:\/\/127\.0\.0\.1:(\d+)/.exec(this.output);
        if (found) fulfil(Number(found[1]));
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.on('error', reject);
      child.on('exit', (code) => reject(new Error(`the server ended with status ${code}:\n${this.output}`)));
    });
    return this;
  }

  /** Kills the server as a power cut would. */
  async kill() {
    const gone = new Promise((fulfil) => this.process.once('exit', fulfil));
    this.process.kill('SIGKILL');
    await gone;
    this.output = '';
  }

  /** What /v1/world says. */
  async world() {
    const response = await fetch(`${this.url}/v1/world`);
    assert.equal(response.status, 200);
    return response.json();
  }

  async stop() {
    if (this.process && this.process.exitCode === null && this.process.signalCode === null) await this.kill();
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** Launches a browser that closes with the test t. */
export async function launch(t, kind) {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: [...COMMON_FLAGS, ...FLAGS[kind]] });
  t.after(() => browser.close());
  return browser;
}

/**
 * Opens the page in a browser of its own, or in another one, with a list of all that went wrong in it. It closes
 * with the test t.
 */
export async function open(t, server, kind, { query = {}, init, context = {}, size = { width: 640, height: 360 }, browser } = {}) {
  const own = browser ?? (await launch(t, kind));
  const page = await (await own.newContext({ viewport: size, ...context })).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const errors = [];
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`console: ${message.text()}`);
  });
  if (init) await page.addInitScript(init);
  const renderer = kind === 'webgpu' || kind === 'webgl2' ? { renderer: kind } : {};
  await page.goto(`${server.url}/?${new URLSearchParams({ radius: '2', ...renderer, ...query })}`);
  return { browser: own, page, errors };
}

/** Waits until a condition in the page holds; what is the condition in words. */
export async function until(page, what, condition, argument) {
  try {
    await page.waitForFunction(condition, argument, { timeout: PATIENCE_MS, polling: 25 });
  } catch (error) {
    const state = await page.evaluate(() => JSON.stringify(window.terrane ?? document.body.innerText)).catch(() => 'the page is gone');
    throw new Error(`waited in vain until ${what}: ${error.message}\n${state}`);
  }
}

/** Waits until all terrain is loaded and the first picture of it is drawn. */
export function loaded(page) {
  return until(page, 'all terrain is loaded', () => {
    const t = window.terrane;
    return t?.started && t.state === 'live' && t.loaded > 0 && t.waiting === 0 && t.status.syncing === 0;
  });
}

/** Waits until every edit of this page is durable and shown. */
export function settled(page) {
  return until(page, 'all edits are durable and shown', () => {
    const t = window.terrane;
    return t.state === 'live' && t.edits.pending === 0 && t.waiting === 0 && t.status.building === 0;
  });
}

/** Captures the pointer with the first click. */
export async function capture(page) {
  await page.mouse.click(320, 180);
  await until(page, 'the pointer is captured', () => window.terrane.captured);
}

/** Waits until the aim meets ground. */
export function aimed(page) {
  return until(page, 'the aim meets ground', () => window.terrane.aim !== null);
}

/** Exactly one edit: left digs, right builds. The button goes down and up at once, however busy the machine is. */
export async function edit(page, button = 'left') {
  const before = await page.evaluate((b) => {
    const { acked } = window.terrane.edits;
    const event = { pointerType: 'mouse', button: b, bubbles: true };
    document.getElementById('view').dispatchEvent(new PointerEvent('pointerdown', event));
    document.getElementById('view').dispatchEvent(new PointerEvent('pointerup', event));
    return acked;
  }, button === 'left' ? 0 : 2);
  await until(page, 'the edit is durable', (n) => window.terrane.edits.acked > n, before);
  await settled(page);
}

/** Waits until a page's world is the server's, hash for hash, and returns the hash. */
export async function same(server, ...pages) {
  const { hash } = await server.world();
  for (const page of pages) await until(page, `its hash is the server's ${hash}`, (h) => window.terrane.hash === h, hash);
  return hash;
}

export const report = (page) => page.evaluate(() => JSON.parse(JSON.stringify(window.terrane)));

export const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Compiles modules of src that need no browser, and returns their exports. */
export function compile(...names) {
  const out = mkdtempSync(join(tmpdir(), 'terrane-unit-'));
  const tsc = join(client, 'node_modules', 'typescript', 'bin', 'tsc');
  const files = names.map((name) => join(client, 'src', `${name}.ts`));
  const flags = ['--ignoreConfig', '--outDir', out, '--rootDir', join(client, 'src'), '--module', 'commonjs', '--target', 'es2022', '--lib', 'es2023,dom', '--skipLibCheck', '--types', ''];
  execFileSync(process.execPath, [tsc, ...flags, ...files], { cwd: client, stdio: 'inherit' });
  return { out, remove: () => rmSync(out, { recursive: true, force: true }) };
}
