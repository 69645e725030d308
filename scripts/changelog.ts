/**
 * Writes the changes of the contract into the changelogs of the API and of both SDKs, and determines the versions of
 * the SDKs.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { impactOfEntries, released, SDKS, versionIn } from './changelog/sdk.ts';
import type { Sdk } from './changelog/sdk.ts';
import { entryOf, HEAD, insert, namesIn, newest } from './changelog/section.ts';
import type { Language } from './changelog/section.ts';
import { baseContract, baseRef, fileAt, NoBase } from './contract-diff/base-contract.ts';
import { comparisonOf, IMPACTS, isAtLeast, neededVersion, verdictOf, worst } from './contract-diff/change.ts';
import type { Change } from './contract-diff/change.ts';
import { compare } from './contract-diff/compare.ts';
import { readContract } from './contract/read.ts';
import { buildModel } from './generate/build-model.ts';
import { readOptions } from './options.ts';

const HELP = `Write the section of the next version into docs/changelog.md and into the CHANGELOG.md of both SDKs, and
raise the versions of the SDKs to what their changes need: those of the contract, and what stands below "## Unreleased".
What people wrote into a section stays. An SDK of which nothing changed keeps its version.

Usage: npx node scripts/changelog.ts [options]
  --base REF     compare with this file, commit, branch or tag (default: the last tags v1.2.3, typescript-v1.2.3
                 and python-v1.2.3; without one it is the first release)
  --date DATE    the day of the release (default: today)
  --propose      write nothing; say which version each SDK needs, and why
  --check        write nothing; fail when a changelog lacks the version of what it belongs to
  --root FOLDER  the project (default: this one)
  --help         this text

Exit status: 0 done, 1 the version of the contract is too low or a changelog lacks one, 2 wrong usage or the
comparison failed.`;

/** The contract changed, but its version, which becomes the title of the section, has not been raised enough. */
class TooLow extends Error {
  override readonly name = 'TooLow';
}

const API = 'docs/changelog.md';
const { values } = readOptions({
  options: {
    base: { type: 'string' },
    date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    root: { type: 'string', default: resolve(import.meta.dirname, '..') },
    propose: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'changelog-'));

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof TooLow ? 1 : 2;
} finally {
  rmSync(folder, { recursive: true });
}

async function main(): Promise<number> {
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const contract = readContract(join(values.root, 'openapi.yaml'));
  const { version } = contract.info;
  if (values.check) {
    const lacking = [
      [API, version] as const,
      ...Object.values(SDKS).map((sdk) => [sdk.changelog, versionIn(sdk, textOf(sdk.file))] as const),
    ].filter(([file, wanted]) => newest(textOf(file)) !== wanted);
    for (const [file, wanted] of lacking) console.error(`${file} does not begin with ${wanted}: run make changelog`);
    return lacking.length > 0 ? 1 : 0;
  }
  if (!values.propose)
    writeSection({
      file: API,
      head: `# Changelog of the API${HEAD}`,
      version,
      changes: await changesSince('v', version),
      nameOf: (place) => place,
    });
  const model = buildModel(contract);
  for (const [language, sdk] of Object.entries(SDKS))
    await release(language as Language, sdk, namesIn(language as Language, model));
  return 0;
}

/** Raises the version of an SDK as far as its changes require, and writes the section of that version. */
async function release(language: Language, sdk: Sdk, nameOf: (place: string) => string): Promise<void> {
  const changes = await changesSince(sdk.tag, null);
  const [current, changelog] = [versionIn(sdk, textOf(sdk.file)), textOf(sdk.changelog)];
  const runtime = impactOfEntries(changelog);
  const from = changes === null ? null : versionBefore(sdk);
  const contract = worst(changes ?? []);
  const impact = IMPACTS.findLast((weight) => weight === contract || weight === runtime) ?? null;
  if (changes !== null && impact === null) {
    console.log(`${sdk.folder}: nothing to release since ${from ?? values.base}`);
    return;
  }
  const needed = from === null ? current : neededVersion(from, impact);
  const version = isAtLeast(current, needed) ? current : needed;
  const why = `contract: ${inWords(changes)}; runtime: ${runtime ?? 'unchanged'}`;
  console.log(`${sdk.folder}: ${from === null ? version : `${from} → ${version}`} (${why})`);
  if (values.propose) return;
  writeFileSync(join(values.root, sdk.file), textOf(sdk.file).replace(sdk.version, version));
  if (newest(changelog) !== version)
    writeFileSync(join(values.root, sdk.changelog), released(changelog, titleOf(version)));
  writeSection({
    file: sdk.changelog,
    head: `# Changelog of the SDK for ${language === 'python' ? 'Python' : 'TypeScript'}${HEAD}`,
    version,
    changes,
    nameOf,
  });
}

function inWords(changes: readonly Change[] | null): string {
  if (changes === null) return 'first release';
  return worst(changes) === null ? 'unchanged' : verdictOf(changes);
}

/** The changelog to write to, and the section of the new version. */
interface Section {
  readonly file: string;
  /** Beginning of the file, if it does not exist. */
  readonly head: string;
  readonly version: string;
  /** Changes of the contract; null for a first release. */
  readonly changes: readonly Change[] | null;
  /** Returns the name of a place of the contract for readers of this changelog. */
  readonly nameOf: (place: string) => string;
}

function writeSection({ file, head, version, changes, nameOf }: Section): void {
  const text = textOf(file) || head;
  // The first release, and changes of only the hand-written runtime, are described by hand, if at all.
  if ((changes ?? []).length === 0 && newest(text) === version) {
    console.log(
      `${file}: begins with ${version}; ` +
        `${changes === null ? 'there is no earlier release to compare with' : 'the contract is unchanged'}`,
    );
    return;
  }
  writeFileSync(
    join(values.root, file),
    insert(text, titleOf(version), changes === null ? 'First release.' : entryOf(changes, nameOf)),
  );
  console.log(`${file}: ${version}`);
}

function titleOf(version: string): string {
  return `## ${version} – ${values.date}`;
}

function textOf(file: string): string {
  const path = join(values.root, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/**
 * Returns the version of the release with which the SDK is compared; null if the base is a contract file, which names
 * no release.
 */
function versionBefore(sdk: Sdk): string | null {
  if (values.base !== undefined && existsSync(resolve(values.base))) return null;
  const text = fileAt(values.root, baseRef(values.root, values.base, sdk.tag), sdk.file);
  return text === null ? null : versionIn(sdk, text);
}

/**
 * Returns the changes of the contract since a tag; null before the first release. Rejects a contract version that is
 * too low for the changes, unless `version` is null.
 */
async function changesSince(tag: string, version: string | null): Promise<readonly Change[] | null> {
  try {
    const files = {
      base: baseContract(values.root, values.base, folder, tag),
      revision: join(values.root, 'openapi.yaml'),
    };
    const found = await compare(resolve(import.meta.dirname, '..'), files);
    if (version === null) return found;
    const { changes, fits, needed } = comparisonOf(found, readContract(files.base).info.version, version);
    if (!fits) throw new TooLow(`info.version is ${version}, but the changes need ${needed} or higher`);
    return changes;
  } catch (error) {
    if (error instanceof NoBase && values.base === undefined) return null;
    throw error;
  }
}
