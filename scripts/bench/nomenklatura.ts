/**
 * Installs nomenklatura into an environment of the benchmark and runs it on an order. Used by
 * screening-side-by-side.ts. Nothing of it becomes part of the project.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './validation.ts';

/** Its matchers by rules. `name-qualified` scores as `name-based` does where only names are compared. */
export const MATCHERS = ['logic-v2', 'name-based', 'ofac'] as const;
export type Matcher = (typeof MATCHERS)[number];

/** Microseconds of processor time per pair, in each round. */
interface PairCost {
  readonly first: readonly number[];
  readonly again: readonly number[];
}

/** What is to be compared: pairs of names, or names with all entries of a file. */
export interface Order {
  readonly pairs?: {
    readonly rounds: number;
    readonly matchers: readonly Matcher[];
    readonly pairs: readonly (readonly [schema: string, one: string, other: string])[];
  };
  readonly search?: {
    /** Path of a file with the names of an entry as JSON in each line. */
    readonly entries: string;
    readonly queries: readonly string[];
    /** Matchers with their own lines. */
    readonly matchers: Readonly<Record<Matcher, number>>;
  };
}

export interface Answer {
  readonly version: string;
  readonly pairs: Readonly<
    Record<Matcher, { readonly scores: readonly number[]; readonly microseconds: PairCost }>
  > | null;
  readonly search: {
    readonly builtSeconds: number;
    readonly blockingMicroseconds: number;
    readonly oneByOneMicroseconds: number;
    readonly candidates: number;
    readonly matchers: Readonly<
      Record<Matcher, { readonly found: readonly (readonly number[])[]; readonly microseconds: number }>
    >;
    readonly peakMegabytes: number;
  } | null;
}

const run = promisify(execFile);

/** Returns a Python that has the pinned packages, which are installed first unless they are there already. */
export async function installed(
  folder = join(ROOT, 'build/nomenklatura'),
  base = join(ROOT, '.venv/bin/python'),
  list = join(import.meta.dirname, 'nomenklatura-requirements.txt'),
): Promise<string> {
  const [own, stamp, wanted] = [join(folder, 'bin/python'), join(folder, 'installed.txt'), readFileSync(list, 'utf8')];
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return own;
  try {
    rmSync(folder, { recursive: true, force: true });
    await run(base, ['-m', 'venv', folder]);
    await run(own, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', list]);
  } catch (error) {
    const { message, stderr = '' } = error as Error & { readonly stderr?: string };
    throw new Error(
      `nomenklatura cannot be installed, so nothing can be compared with it: ${`${stderr}${message}`.slice(-2000)}`,
      { cause: error },
    );
  }
  writeFileSync(stamp, wanted);
  return own;
}

/** Runs nomenklatura in a process of its own. The order is left in the folder. */
export async function asked(python: string, folder: string, order: Order): Promise<Answer> {
  const path = join(folder, 'order.json');
  writeFileSync(path, JSON.stringify(order));
  const { stdout } = await run(python, [join(import.meta.dirname, 'screening_nomenklatura.py'), path], {
    maxBuffer: 1 << 26,
  });
  return readAnswer(stdout, order);
}

/** Reads an answer, and rejects one that does not have a finite figure for everything that was asked. */
export function readAnswer(text: string, { pairs, search }: Order): Answer {
  const answer = JSON.parse(text) as Answer;
  for (const name of pairs?.matchers ?? []) {
    const { scores, microseconds } = answer.pairs?.[name] ?? { scores: [], microseconds: { first: [], again: [] } };
    expectFigures(`scores of ${name}`, scores, pairs!.pairs.length);
    expectFigures(`first rounds of ${name}`, microseconds.first, pairs!.rounds);
    expectFigures(`second rounds of ${name}`, microseconds.again, pairs!.rounds);
  }
  for (const name of search === undefined ? [] : (Object.keys(search.matchers) as Matcher[])) {
    const { found, microseconds } = answer.search?.matchers[name] ?? { found: [], microseconds: Number.NaN };
    expectFigures(
      `searches of ${name}`,
      found.map((hits) => hits.length),
      search!.queries.length,
    );
    expectFigures(`time of ${name}`, [microseconds], 1);
  }
  return answer;
}

function expectFigures(what: string, figures: readonly number[], count: number): void {
  if (figures.length !== count || !figures.every(Number.isFinite))
    throw new Error(`nomenklatura answered ${figures.filter(Number.isFinite).length} ${what} instead of ${count}`);
}
