/** Writes what changed in the contract into the changelogs of the API and of both SDKs. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { changelogsOf, entryOf, insert, newest } from './changelog/section.ts';
import { baseContract, NoBase } from './contract-diff/base-contract.ts';
import { compare } from './contract-diff/compare.ts';
import { comparisonOf } from './contract-diff/change.ts';
import { buildModel } from './generate/build-model.ts';
import { readContract } from './contract/read.ts';

const HELP = `Write the section of the contract's version into docs/changelog.md and into the CHANGELOG.md of both SDKs.
What people wrote into the section stays.

Usage: npx node scripts/changelog.ts [options]
  --base REF     compare with this file, commit, branch or tag (default: the last tag v1.2.3; without one it is the first release)
  --date DATE    the day of the release (default: today)
  --check        write nothing; fail when a changelog lacks the version of the contract
  --root FOLDER  the project (default: this one)
  --help         this text

Exit status: 0 done, 1 the version is too low or a changelog lacks it, 2 wrong usage or the comparison failed.`;

/** The version must be raised first: it is the title of the section. */
class TooLow extends Error {
  override readonly name = 'TooLow';
}

process.exitCode = await main();

async function main(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'changelog-'));
  try {
    const { values } = parseArgs({ options: {
      base: { type: 'string' }, date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
      root: { type: 'string', default: resolve(import.meta.dirname, '..') }, check: { type: 'boolean', default: false }, help: { type: 'boolean', default: false },
    } });
    if (values.help) { console.log(HELP); return 0; }
    const contract = readContract(join(values.root, 'openapi.yaml'));
    const { version } = contract.info;
    const changelogs = changelogsOf(buildModel(contract)).map((changelog) => ({ ...changelog, path: join(values.root, changelog.file) }));
    const textOf = ({ path, head }: { readonly path: string; readonly head: string }) => (existsSync(path) ? readFileSync(path, 'utf8') : `${head}\n`);
    if (values.check) {
      const lacking = changelogs.filter((changelog) => newest(textOf(changelog)) !== version);
      for (const { file } of lacking) console.error(`${file} does not begin with ${version}: run make changelog`);
      return lacking.length > 0 ? 1 : 0;
    }
    const changes = await changesSince(values.root, values.base, folder, version);
    for (const changelog of changelogs) {
      const text = textOf(changelog);
      // The first release is described by hand, if at all.
      if (changes === null && newest(text) === version) {
        console.log(`${changelog.file}: begins with ${version} already; there is no earlier release (no tag v1.2.3) to compare with`);
        continue;
      }
      writeFileSync(changelog.path, insert(text, `## ${version} – ${values.date}`, changes === null ? 'First release.' : entryOf(changes, changelog.nameOf)));
      console.log(`${changelog.file}: ${version}`);
    }
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return error instanceof TooLow ? 1 : 2;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function changesSince(root: string, base: string | undefined, folder: string, version: string) {
  try {
    const files = { base: baseContract(root, base, folder), revision: join(root, 'openapi.yaml') };
    const { changes, fits, needed } = comparisonOf(await compare(resolve(import.meta.dirname, '..'), files), readContract(files.base).info.version, version);
    if (!fits) throw new TooLow(`info.version is ${version}, but the changes need ${needed} or higher`);
    return changes;
  } catch (error) {
    if (error instanceof NoBase && base === undefined) return null;
    throw error;
  }
}
