/** The programs of a guide with the output that it shows. Used by guides.test.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeSample } from '../../../scripts/generate/code-samples/sample.ts';

const GUIDES = join(import.meta.dirname, '../../../docs/guides');
const LANGUAGES = { sh: ['curl', 'curl'], js: ['typescript', 'TypeScript'], python: ['python', 'Python'] } as const;

/** A program that a guide prints, with the output that the guide shows. */
export interface Program {
  readonly line: number;
  readonly lang: CodeSample['lang'];
  readonly label: CodeSample['label'];
  readonly source: string;
  /** Output in which `…` matches what differs each time; null if the guide shows none. */
  readonly shown: string | null;
}

/** Returns the programs of a guide. A block of `console` directly after a program shows its output. */
export function programsOf(guide: string): readonly Program[] {
  const text = readFileSync(join(GUIDES, `${guide}.md`), 'utf8');
  return [...text.matchAll(/^```(sh|js|python)\n(.*?)^```\n(?:\n```console\n(.*?)^```\n)?/gms)].map(
    ({ index, 1: fence, 2: source = '', 3: shown = null }) => {
      const [lang, label] = LANGUAGES[fence as keyof typeof LANGUAGES];
      return {
        line: text.slice(0, index).split('\n').length,
        lang,
        label,
        source,
        shown,
      };
    },
  );
}

/** Returns the pattern that matches the output that the guide shows. */
export function pattern(shown: string): RegExp {
  return new RegExp(
    `^${shown
      .trim()
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );
}
