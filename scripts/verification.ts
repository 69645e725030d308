/**
 * Installs what reading documents and comparing faces needs into build/verification: models and native parts, as
 * server/verification/package-lock.json lists them. `make verification` runs it, and `make start` does with
 * `--when-ready`, in the background and after the service answers, so that a first start stays quick. A running service
 * notices by itself. The parts of other platforms are removed, and the folder appears only when it is complete.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Config, readConfig } from '../server/base/config.ts';
import { FACE_PACKAGES } from '../server/verification/faces/face-process.ts';
import { areModelsIn } from '../server/verification/reader/readers.ts';
import { readOptions } from './options.ts';

const SOURCE = resolve(import.meta.dirname, '../server/verification');
const FOLDER = resolve(import.meta.dirname, '../build/verification');
const LOCK = 'package-lock.json';
const FILES = ['package.json', LOCK, '.npmrc'];
const MOST_SECONDS = 600;

const areAllIn = (folder: string): boolean => areModelsIn(folder) && areModelsIn(folder, FACE_PACKAGES);

/** Tells whether everything that the lock lists is installed. */
function isInstalled(): boolean {
  if (!areAllIn(FOLDER)) return false;
  try {
    return readFileSync(join(SOURCE, LOCK)).equals(readFileSync(join(FOLDER, LOCK)));
  } catch {
    return false;
  }
}

/** What is used of packages that hold much else: the beginnings of paths. */
const USED: Readonly<Record<string, readonly string[]>> = {
  '@tensorflow/tfjs-core': ['dist/tf-core.node.js'],
  '@tensorflow/tfjs-converter': ['dist/tf-converter.node.js'],
  '@tensorflow/tfjs-backend-wasm': [
    'dist/tf-backend-wasm.node.js',
    'wasm-out/tfjs-backend-wasm.wasm',
    'wasm-out/tfjs-backend-wasm-simd.wasm',
  ],
  '@tensorflow/tfjs-backend-cpu': [],
  '@vladmandic/face-api': [
    'dist/face-api.node-wasm.js',
    'model/tiny_face_detector_model',
    'model/face_landmark_68_model',
    'model/face_recognition_model',
  ],
  '@vladmandic/human': ['models/blazeface.', 'models/facemesh.'],
};
/** Kept of every package: what it is, and its licence. */
const OF_ALL = /^(?:package\.json|LICEN[CS]E.*|NOTICE.*)$/i;

/** Removes the native runtimes of other platforms, and what no net needs, which are most of the bytes. */
function prune(folder: string): void {
  const bin = join(folder, 'node_modules/onnxruntime-node/bin');
  for (const api of readdirSync(bin))
    for (const platform of readdirSync(join(bin, api)))
      for (const arch of readdirSync(join(bin, api, platform)))
        if (platform !== process.platform || arch !== process.arch)
          rmSync(join(bin, api, platform, arch), { recursive: true });
  for (const [name, used] of Object.entries(USED)) {
    const root = join(folder, 'node_modules', name);
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      const path = relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/');
      const isUsed = OF_ALL.test(path) || (used.some((start) => path.startsWith(start)) && !path.endsWith('.map'));
      if (entry.isFile() && !isUsed) rmSync(join(root, path));
    }
  }
}

function install(): void {
  const unfinished = `${FOLDER}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  for (const file of FILES) cpSync(join(SOURCE, file), join(unfinished, file));
  console.log('Installing what reading documents and faces needs, once; this takes a minute or two …');
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: unfinished,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  prune(unfinished);
  if (!areAllIn(unfinished)) throw new Error('npm has not installed every package of the readers');
  rmSync(FOLDER, { recursive: true, force: true });
  renameSync(unfinished, FOLDER);
  console.log('Documents and faces are read from now on.');
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
    console.log('Documents and faces are not read: the packages for it could not be installed (make verification).');
  }
}

const { values } = readOptions({ options: { 'when-ready': { type: 'boolean', default: false } } });
if (isInstalled()) {
  if (!values['when-ready']) console.log('Everything is installed.');
} else if (values['when-ready']) await installWhenReady();
else install();
