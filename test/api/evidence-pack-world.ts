/** Fixture of the tests of evidence packs. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from '../fault/audit-log.ts';

export interface Verdict {
  readonly valid: boolean;
  readonly applicationId: string | null;
  readonly businessId: string | null;
  readonly files: number;
  readonly decisions: number;
  readonly events: number;
  readonly failures: readonly { readonly entry: string | null; readonly detail: string }[];
}

export interface Entry {
  readonly name: string;
  readonly content: Buffer;
}

/** Returns the files of an archive without compression, in the order of its directory. */
export function entriesOf(zip: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = zip.readUInt32LE(zip.length - 6); zip.readUInt32LE(at) === 0x02014b50; ) {
    const [size, length, start] = [zip.readUInt32LE(at + 24), zip.readUInt16LE(at + 28), zip.readUInt32LE(at + 42)];
    entries.push({
      name: zip.toString('utf8', at + 46, at + 46 + length),
      content: zip.subarray(start + 30 + length, start + 30 + length + size),
    });
    at += 46 + length;
  }
  return entries;
}

/** Starts a service, and returns what makes, takes apart and verifies packs in a folder of their own. */
export async function startEvidencePackWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'evidence-pack-'));
  async function verify(bytes: Buffer, ...options: string[]): Promise<{ status: number; verdict: Verdict }> {
    const file = join(folder, 'pack.zip');
    writeFileSync(file, bytes);
    const { status, stdout, stderr } = await run('verify-audit.mjs', [file, '--json', ...options]);
    if (stdout === '') throw new Error(stderr);
    return { status, verdict: JSON.parse(stdout) as Verdict };
  }
  /** Returns an archive of other files, created by the program that creates ours. */
  function zipOf(entries: readonly Entry[], zip: Buffer): Buffer {
    const file = join(folder, 'entries.json');
    const [year, month, day] = [
      1980 + (zip.readUInt16LE(12) >> 9),
      (zip.readUInt16LE(12) >> 5) & 15,
      zip.readUInt16LE(12) & 31,
    ];
    writeFileSync(
      file,
      JSON.stringify({
        day: [year, month - 1, day, 12],
        entries: entries.map(({ name, content }) => ({ name, content: content.toString('base64') })),
      }),
    );
    const script = `import { makeZip } from 'client-zip'; import { readFileSync } from 'node:fs';
    const { day, entries } = JSON.parse(readFileSync(${JSON.stringify(file)}));
    const inputOf = ({ name, content }) => ({
      name, lastModified: new Date(...day), input: Buffer.from(content, 'base64'),
    });
    const zip = makeZip(entries.map(inputOf));
    for await (const piece of zip) process.stdout.write(piece);`;
    return execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
  }
  return { folder, verify, zipOf };
}
