/**
 * Where each SDK states its version and changes, and what its hand-written entries mean for the next version. Used by
 * the changelog and by the comparison with previous SDKs. Unknown headings are errors, because their impact would be
 * missed.
 */
import { worst } from '../contract-diff/change.ts';
import type { Impact } from '../contract-diff/change.ts';

/** An SDK with a version of its own, which follows from the changes of the contract and of its runtime. */
export interface Sdk {
  readonly folder: string;
  readonly changelog: string;
  /** File that states its version, and where. */
  readonly file: string;
  readonly version: RegExp;
  /** Prefix of the version in the tags of its releases. */
  readonly tag: string;
}

export const SDKS: Readonly<Record<'typescript' | 'python', Sdk>> = {
  typescript: {
    folder: 'sdks/typescript',
    changelog: 'sdks/typescript/CHANGELOG.md',
    file: 'sdks/typescript/package.json',
    version: /(?<=^  "version": ")[^"]+/m,
    tag: 'typescript-v',
  },
  python: {
    folder: 'sdks/python',
    changelog: 'sdks/python/CHANGELOG.md',
    file: 'sdks/python/src/compliance_onboarding/_version.py',
    version: /(?<=^__version__: Final = ")[^"]+/m,
    tag: 'python-v',
  },
};

/** Returns the version that the text of an SDK's file states. */
export function versionIn({ version, file }: Sdk, text: string): string {
  const found = version.exec(text)?.[0];
  if (found === undefined) throw new Error(`${file} bears no version`);
  return found;
}

/** Hand-written changes since the last release, under the headings of keepachangelog.com. */
const UNRELEASED = /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m;

/**
 * Impact of each heading on the next version; an entry that begins with **Breaking:** requires a major version under
 * any heading.
 */
const WEIGHTS: Readonly<Record<string, Impact>> = {
  Added: 'minor',
  Changed: 'minor',
  Deprecated: 'minor',
  Removed: 'major',
  Fixed: 'patch',
  Security: 'patch',
};

/** Returns the impact of the runtime's changes on the next version; null if none are listed. */
export function impactOfEntries(changelog: string): Impact | null {
  const text = UNRELEASED.exec(changelog)?.[1] ?? '';
  const [before = '', ...sections] = text.split(/^### /m);
  if (/^- /m.test(before))
    throw new Error(
      'an entry below "## Unreleased" stands under no heading: write one of ' + Object.keys(WEIGHTS).join(', '),
    );
  const impacts = sections.flatMap((section) => {
    const [heading = '', ...lines] = section.split('\n');
    const weight = WEIGHTS[heading.trim()];
    if (weight === undefined)
      throw new Error(`"### ${heading}" below "## Unreleased" is none of ${Object.keys(WEIGHTS).join(', ')}`);
    return lines
      .filter((line) => line.startsWith('- '))
      .map((line) => (line.startsWith('- **Breaking:**') ? ('major' as const) : weight));
  });
  return worst(
    impacts.map((impact) => ({
      impact,
      rule: '',
      place: '',
      message: '',
    })),
  );
}

/** Returns the changelog with the unreleased changes moved to the section of a version. */
export function released(changelog: string, title: string): string {
  return changelog.replace(/^## Unreleased$/m, title);
}
