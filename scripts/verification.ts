/**
 * Installs what reading pictures of documents needs into build/verification: models and native parts, as
 * server/verification/package-lock.json lists them. `make verification` runs it, and `make start` does with
 * `--when-ready`, in the background and after the service answers, so that a first start stays quick. A running service
 * notices by itself. The parts of other platforms are removed, and the folder appears only when it is complete.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Config, readConfig } from '../server/base/config.ts';
import { areModelsIn } from '../server/verification/reader/readers.ts';
import { readOptions } from './options.ts';

const SOURCE = resolve(import.meta.dirname, '../server/verification');
const FOLDER = resolve(import.meta.dirname, '../build/verification');
const LOCK = 'package-lock.json';
const FILES = ['package.json', LOCK, '.npmrc'];
const MOST_SECONDS = 600;

/** Tells whether everything that the lock lists is installed. */
function isInstalled(): boolean {
  if (!areModelsIn(FOLDER)) return false;
  try {
    return readFileSync(join(SOURCE, LOCK)).equals(readFileSync(join(FOLDER, LOCK)));
  } catch {
    return false;
  }
}

/** Removes the native runtimes of other platforms, which are most of the bytes. */
function prune(folder: string): void {
  const bin = join(folder, 'node_modules/onnxruntime-node/bin');
  for (const api of readdirSync(bin))
    for (const platform of readdirSync(join(bin, api)))
      for (const arch of readdirSync(join(bin, api, platform)))
        if (platform !== process.platform || arch !== process.arch)
          rmSync(join(bin, api, platform, arch), { recursive: true });
}

function install(): void {
  const unfinished = `${FOLDER}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  for (const file of FILES) cpSync(join(SOURCE, file), join(unfinished, file));
  console.log('Installing what reading pictures of documents needs, once; this takes a minute or two …');
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: unfinished,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  prune(unfinished);
  if (!areModelsIn(unfinished)) throw new Error('npm has not installed every package of the reader');
  rmSync(FOLDER, { recursive: true, force: true });
  renameSync(unfinished, FOLDER);
  console.log('Pictures of documents are read from now on.');
}

/** Waits until the service answers. Resolves to false if it does not in ten minutes. */
async function isReady({ host, port }: Pick<Config, 'host' | 'port'>): Promise<boolean> {
  for (let second = 0; second < MOST_SECONDS; second++) {
    const answer = await fetch(`http://${host}:${port}/readyz`).catch(() => null);
    if (answer?.ok === true) return true;
    await setTimeout(1000);
  }
  return false;
}

async function installWhenReady(): Promise<void> {
  const config = readConfig(process.env);
  if (config.verification === 'off' || !(await isReady(config))) return;
  try {
    install();
  } catch {
    console.log('Pictures of documents are not read: the packages for it could not be installed (make verification).');
  }
}

const { values } = readOptions({ options: { 'when-ready': { type: 'boolean', default: false } } });
if (isInstalled()) {
  if (!values['when-ready']) console.log('Everything is installed.');
} else if (values['when-ready']) await installWhenReady();
else install();
