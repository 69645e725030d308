/**
 * Installs what reading pictures of documents needs into build/verification: models and native parts, as
 * server/verification/package-lock.json lists them. `make verification` runs it, and a running service notices by
 * itself. The parts of other platforms are removed, and the folder appears only when it is complete.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { areModelsIn } from '../server/verification/reader/readers.ts';

const SOURCE = resolve(import.meta.dirname, '../server/verification');
const FOLDER = resolve(import.meta.dirname, '../build/verification');
const FILES = ['package.json', 'package-lock.json', '.npmrc'];

/** Removes the native runtimes of other platforms, which are most of the bytes. */
function prune(folder: string): void {
  const bin = join(folder, 'node_modules/onnxruntime-node/bin');
  for (const api of readdirSync(bin))
    for (const platform of readdirSync(join(bin, api)))
      for (const arch of readdirSync(join(bin, api, platform)))
        if (platform !== process.platform || arch !== process.arch)
          rmSync(join(bin, api, platform, arch), { recursive: true });
}

const unfinished = `${FOLDER}.new`;
rmSync(unfinished, { recursive: true, force: true });
mkdirSync(unfinished, { recursive: true });
for (const file of FILES) cpSync(join(SOURCE, file), join(unfinished, file));
console.log('Installing what reading pictures of documents needs …');
execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
  cwd: unfinished,
  stdio: ['ignore', 'inherit', 'inherit'],
});
prune(unfinished);
if (!areModelsIn(unfinished)) throw new Error('npm has not installed every package of the reader');
if (existsSync(FOLDER)) rmSync(FOLDER, { recursive: true });
renameSync(unfinished, FOLDER);
console.log('Pictures of documents are read from now on.');
