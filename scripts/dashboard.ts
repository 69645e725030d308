/** Builds the dashboard and reports its size; called by `make start` and by the browser tests. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { readOptions } from './options.ts';

const HELP = `Build the dashboard into build/dashboard and print the weight of the first load and of each page,
compressed.

Usage: npx node scripts/dashboard.ts [options]
  --if-changed   nothing, when what was built is newer than its sources
  --help         this text

Exit status: 0 built, 1 the build failed or the first load is over its limit, 2 wrong options.`;

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'server/pages/dashboard');
const BUILT = join(ROOT, 'build/dashboard');

/** Limit of what the first visit to the dashboard must download, in compressed bytes. */
const FIRST_LOAD_LIMIT = 170_000;

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly isDynamicEntry?: boolean;
}

type Manifest = Readonly<Record<string, Chunk>>;

/** Builds the dashboard if a source is newer than the build; returns false if there was nothing to do. */
export async function buildDashboard({ onlyIfChanged }: { readonly onlyIfChanged: boolean }): Promise<boolean> {
  if (onlyIfChanged && isCurrent()) return false;
  await build({ configFile: join(SOURCES, 'vite.config.ts'), logLevel: 'warn' });
  return true;
}

function isCurrent(): boolean {
  const built = statSync(join(BUILT, 'manifest.json'), { throwIfNoEntry: false })?.mtimeMs;
  if (built === undefined) return false;
  const sources = readdirSync(SOURCES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return [...sources, join(ROOT, 'package-lock.json'), join(ROOT, 'server/pages/assets/colours.css')].every(
    (path) => statSync(path).mtimeMs < built,
  );
}

/** Returns a line with the size of the first load and of each page, and whether the first load is within its limit. */
export function weights(): { readonly lines: readonly string[]; readonly holds: boolean } {
  const manifest = JSON.parse(readFileSync(join(BUILT, 'manifest.json'), 'utf8')) as Manifest;
  const first = filesOf(manifest, 'main.tsx', filesOf(manifest, 'style.css'));
  const firstWeight = weightOf([...first]);
  const pages = Object.entries(manifest)
    .filter(([source, { isDynamicEntry }]) => isDynamicEntry === true && source.startsWith('pages/'))
    .map(([source]) => ({
      source,
      weight: weightOf([...filesOf(manifest, source)].filter((file) => !first.has(file))),
    }))
    .sort((a, b) => b.weight - a.weight);
  return {
    lines: [
      `first load ${kilobytes(firstWeight)} of ${kilobytes(FIRST_LOAD_LIMIT)}`,
      ...pages.map(({ source, weight }) => `${source.replace(/^pages\/|\.tsx$/g, '')} ${kilobytes(weight)} more`),
    ],
    holds: firstWeight <= FIRST_LOAD_LIMIT,
  };
}

/** Returns the files of a chunk and of all that it imports statically. */
function filesOf(manifest: Manifest, source: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[source];
  if (chunk === undefined || found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const imported of chunk.imports ?? []) filesOf(manifest, imported, found);
  return found;
}

function weightOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(join(BUILT, file))).length, 0);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

if (import.meta.main) {
  const { values } = readOptions({
    options: { 'if-changed': { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  if (values.help) console.log(HELP);
  else {
    const built = await buildDashboard({ onlyIfChanged: values['if-changed'] });
    const { lines, holds } = weights();
    if (built) console.log(lines.join('\n'));
    if (!holds) {
      console.error(`The first load is over its limit: ${lines[0] ?? ''}.`);
      process.exitCode = 1;
    }
  }
}
