/**
 * Prints what the inspection of uploads says of every picture and PDF below some folders, as tables of Markdown:
 * how many are taken as they are, taken without their tail, or refused, and why. With `--files` it prints one
 * line for each file instead.
 *
 *     npx node scripts/inspect-files.ts [--files] FOLDER...
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Inspector, type Verdict } from '../server/modules/documents/index.ts';

const {
  values: { files: each },
  positionals: folders,
} = parseArgs({ options: { files: { type: 'boolean', default: false } }, allowPositionals: true });
const FORMATS: Readonly<Record<string, string>> = {
  jpg: 'JPEG',
  jpeg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  pdf: 'PDF',
};
/** Upload limit: a larger file is refused before its inspection (`file_too_large`). */
const MOST_BYTES = 15 * 1024 * 1024;
const AT_ONCE = 2;

interface Inspected {
  readonly path: string;
  readonly format: string;
  readonly outcome: 'taken' | 'trimmed' | 'refused';
  readonly why: string;
}

async function pathsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => formatOf(path) !== undefined)
    .sort();
}

function formatOf(path: string): string | undefined {
  return FORMATS[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
}

async function inspected(inspector: Inspector, lane: string, path: string): Promise<Inspected> {
  const bytes = await readFile(path);
  const of = { path, format: formatOf(path)! };
  if (bytes.length > MOST_BYTES) return { ...of, outcome: 'refused', why: 'file_too_large' };
  const verdict: Verdict = await inspector.inspect(lane, bytes, '');
  if (verdict instanceof Error)
    return {
      ...of,
      outcome: 'refused',
      why: [verdict.code, verdict.members.detail].filter((part) => part !== undefined).join(': '),
    };
  return verdict.kept === null
    ? { ...of, outcome: 'taken', why: '' }
    : { ...of, outcome: 'trimmed', why: `${bytes.length - verdict.kept.size} bytes cut off` };
}

const waiting = (await Promise.all(folders.map(pathsBelow))).flat();
const found: Inspected[] = [];
const inspector = new Inspector();
// The inspection gives each tenant one process; each lane acts as one tenant and so keeps one process busy.
await Promise.all(
  Array.from({ length: AT_ONCE }, async (_, lane) => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift())
      found.push(await inspected(inspector, String(lane), path));
  }),
);
inspector.close();

if (each)
  for (const { outcome, why, path } of found.sort((a, b) => (a.path < b.path ? -1 : 1)))
    console.log([outcome, why, path].join('\t'));
else printTables(found);

function printTables(all: readonly Inspected[]): void {
  console.log('| Format | Files | Taken | Trimmed | Refused |\n|---|---|---|---|---|');
  for (const [format, ones] of Object.entries(Object.groupBy(all, (one) => one.format))) {
    const count = (outcome: Inspected['outcome']): number => ones!.filter((one) => one.outcome === outcome).length;
    console.log(`| ${format} | ${ones!.length} | ${count('taken')} | ${count('trimmed')} | ${count('refused')} |`);
  }
  console.log('\n| Format | Refused because | Files |\n|---|---|---|');
  const reasons = Object.entries(
    Object.groupBy(
      all.filter(({ outcome }) => outcome === 'refused'),
      ({ format, why }) => `${format} | ${why}`,
    ),
  );
  for (const [reason, ones] of reasons.sort(([one, a], [other, b]) => b!.length - a!.length || (one < other ? -1 : 1)))
    console.log(`| ${reason} | ${ones!.length} |`);
}
