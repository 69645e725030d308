/**
 * Measures the reader of documents over a folder of specimens, with a `manifest.json` that says what each of them
 * holds: how many zones are read exactly, how many would be relied on, and how many of those are wrong.
 *
 *     npx node scripts/bench/document-reading.ts [--each] [--only PART_OF_NAME] FOLDER
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadModels } from '../../server/verification/reader/models.ts';
import { readPicture } from '../../server/verification/reader/read-picture.ts';

interface Specimen {
  readonly file: string;
  readonly kind: string;
  readonly expected_mrz?: readonly string[];
}

const {
  values: { each, only },
  positionals: [folder],
} = parseArgs({
  options: { each: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
  allowPositionals: true,
});
if (folder === undefined) throw new Error('The folder of the specimens is missing.');
const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as { items: Specimen[] };
const models = await loadModels(join(import.meta.dirname, '../../server/verification'));
const today = new Date().toISOString().slice(0, 10);
const counts = {
  documents: 0,
  exact: 0,
  accepted: 0,
  acceptedWrong: 0,
  invented: 0,
  withoutZone: 0,
};
const times: number[] = [];
for (const { file, expected_mrz: expected } of manifest.items) {
  if (!file.includes(only) || file.endsWith('.pdf')) continue;
  const bytes = await readFile(join(folder, file));
  const before = process.cpuUsage();
  const { zone, isZoneReliable, printed } = await readPicture(models, bytes, today);
  const { user, system } = process.cpuUsage(before);
  times.push((user + system) / 1_000);
  const isExact = expected !== undefined && zone?.lines.join('\n') === expected.join('\n');
  if (expected === undefined) {
    counts.withoutZone++;
    if (isZoneReliable) counts.invented++;
  } else {
    counts.documents++;
    if (isExact) counts.exact++;
    if (isZoneReliable) counts.accepted++;
    if (isZoneReliable && !isExact) counts.acceptedWrong++;
  }
  if (each && (!isExact || isZoneReliable !== isExact)) {
    console.log(`${file}: ${isZoneReliable ? 'accepted' : 'not accepted'}, ${printed.length} printed lines`);
    console.log(
      [...(expected ?? []), '  read:', ...(zone?.lines ?? ['  nothing'])].map((one) => `  ${one}`).join('\n'),
    );
  }
}
const sorted = times.toSorted((one, other) => one - other);
const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0);
console.log(
  `Zones: ${counts.exact} of ${counts.documents} exact (goal 34 of 39), ${counts.accepted} accepted (goal 28), ` +
    `${counts.acceptedWrong} accepted but wrong (goal 0).`,
);
console.log(
  `Pictures without a zone: ${counts.withoutZone}, of which a zone was accepted in ${counts.invented} (goal 0).`,
);
console.log(
  `Processor time of a picture: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms; memory ` +
    `${Math.round(process.memoryUsage.rss() / 2 ** 20)} MiB.`,
);
