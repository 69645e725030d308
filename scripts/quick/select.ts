/**
 * Chooses test files for a change: those that say most about it, within a time budget. Used by the program
 * scripts/quick.ts.
 */
import { basename, dirname } from 'node:path';
import type { Operation } from '../../server/contract/operation.ts';
import { ISOLATED } from '../../test/support/isolated.ts';
import type { Answers } from './answers.ts';
import type { Imports } from './imports.ts';

interface Candidate {
  readonly file: string;
  readonly why: string;
  /** Priority: files with a higher worth are chosen first. */
  readonly worth: number;
  readonly seconds: number;
}

export interface Selection {
  readonly chosen: readonly Candidate[];
  /** Relevant test files that do not fit the budget and are left to `make test`, most relevant first. */
  readonly left: readonly Candidate[];
}

interface Given {
  readonly changed: readonly string[];
  readonly operations: readonly Operation[];
  /** Test files of the service. */
  readonly tests: readonly string[];
  readonly answers: ReadonlyMap<string, Answers>;
  readonly imports: Imports;
  readonly contractChanged: boolean;
  /** Processor seconds that the tests themselves may take. */
  readonly budget: number;
}

/** Worth of a changed test file, which is always run. */
const CHANGED = 100;
const FEW = 4;
/** Least worth; below it, a file that calls an operation tests something else. */
const LEAST = 2;
/** Share of the duration of a test file that is processor time while two workers are busy. */
const SHARE_OF_PROCESSOR = 0.6;

/**
 * Tables over the operations in the order in which they are chosen, with the processor seconds of one row. A table that
 * only reads the contract and the calls of the tests is useful only if one of these changed.
 */
const TABLES: readonly {
  readonly name: string;
  readonly worth: number;
  readonly row: number;
  readonly ofContract?: true;
  readonly has?: (operation: Operation) => boolean;
}[] = [
  { name: 'permissions-roles', worth: 8.9, row: 0.03 },
  { name: 'permissions-scopes', worth: 8.8, row: 0.04 },
  { name: 'isolation', worth: 8.7, row: 0.22 },
  {
    name: 'every-operation-idempotency',
    worth: 8.6,
    row: 0.3,
    has: ({ idempotent }) => idempotent,
  },
  {
    name: 'every-operation-audit',
    worth: 8.5,
    row: 0.38,
    has: ({ auditEvents }) => auditEvents.length > 0,
  },
  {
    name: 'every-operation-read-back',
    worth: 8.4,
    row: 0.1,
    has: ({ requestTypes }) => requestTypes.length > 0,
  },
  {
    name: 'every-operation-masked',
    worth: 8.3,
    row: 0.1,
    has: ({ security }) => security.length > 0,
  },
  {
    name: 'every-operation-transitions',
    worth: 8.2,
    row: 0.5,
    has: ({ transitions }) => transitions !== null && transitions.from.length > 0,
  },
  { name: 'permissions-second-factor', worth: 8.1, row: 0.03 },
  { name: 'every-operation-quota', worth: 8, row: 0.03 },
  {
    name: 'bad-input-json',
    worth: 7.9,
    row: 0.04,
    has: ({ requestTypes }) => requestTypes.includes('application/json'),
  },
  { name: 'bad-input-query', worth: 7.8, row: 0.03 },
  {
    name: 'every-operation-patches',
    worth: 7.7,
    row: 0.4,
    has: ({ requestTypes }) => requestTypes.includes('application/merge-patch+json'),
  },
  { name: 'every-operation-examples', worth: 7.6, row: 0.25 },
  {
    name: 'every-operation-bodies',
    worth: 7.5,
    row: 0.2,
    ofContract: true,
    has: ({ requestTypes }) => requestTypes.length > 0,
  },
  { name: 'every-operation-credentials', worth: 7.4, row: 0.05 },
  {
    name: 'every-operation-formats',
    worth: 7.3,
    row: 0.05,
    ofContract: true,
  },
  {
    name: 'every-operation-ids',
    worth: 7.2,
    row: 0.2,
    has: ({ path }) => path.includes('{'),
  },
  { name: 'every-operation-negotiation', worth: 5.5, row: 0.1 },
  { name: 'every-operation-outage', worth: 5.4, row: 0.03 },
  { name: 'sandbox-environment', worth: 3, row: 0.3 },
  {
    name: 'every-operation-worst-bodies',
    worth: 2,
    row: 0.3,
    ofContract: true,
    has: ({ requestTypes }) => requestTypes.includes('application/json'),
  },
];

export const isTable = (imports: Imports, file: string): boolean => /\beveryOperation\b/.test(imports.text(file));

export function select(given: Given): Selection {
  const { changed, tests, imports, answers, operations, budget } = given;
  const candidates = tests
    .flatMap((file): Candidate[] => {
      const seconds = (answers.get(file)?.seconds ?? 1) * SHARE_OF_PROCESSOR + (ISOLATED.includes(file) ? 9 : 0);
      if (isTable(imports, file)) return table(file, given);
      if (changed.includes(file))
        return [
          {
            file,
            why: 'it changed',
            worth: CHANGED,
            seconds,
          },
        ];
      const of = [beside(file, given), asking(file, given)]
        .filter((one) => one !== null)
        .sort((a, b) => b.worth - a.worth);
      return of[0] === undefined ? [] : [{ file, seconds, ...of[0] }];
    })
    .sort((a, b) => b.worth - a.worth || a.seconds - b.seconds);
  let rest = budget;
  const chosen = candidates.filter(({ worth, seconds }) => {
    if (worth < CHANGED && seconds > rest) return false;
    rest -= seconds;
    return true;
  });
  return {
    chosen: operations.length === 0 ? chosen.filter(({ file }) => !isTable(imports, file)) : chosen,
    left: candidates.filter((one) => !chosen.includes(one)),
  };
}

function table(file: string, { operations, changed, contractChanged }: Given): Candidate[] {
  const known = TABLES.find(({ name }) => basename(file) === `${name}.test.ts`);
  const rows = operations.filter(known?.has ?? (() => true)).length;
  if (known === undefined || rows === 0) return [];
  const seconds = 0.3 + rows * known.row;
  if (changed.includes(file))
    return [
      {
        file,
        why: `it changed; ${rows} of its operations`,
        worth: CHANGED,
        seconds,
      },
    ];
  const about = wordsOf(basename(file)).some((word) =>
    changed.some((one) => one.startsWith('server/') && wordsOf(basename(one)).includes(word)),
  );
  if (known.ofContract === true && !contractChanged && !changed.some((one) => one.startsWith('test/operations')))
    return [];
  return [
    {
      file,
      why: `rows of ${rows === 1 ? 'one operation' : `${rows} operations`}`,
      worth: known.worth + (about ? 2 : 0),
      seconds,
    },
  ];
}

/**
 * Returns the tests in the folder of a changed file, or in its parent if that folder has none, and the tests that
 * import the file.
 */
function beside(
  file: string,
  { changed, imports, tests }: Given,
): { readonly why: string; readonly worth: number } | null {
  const folder = dirname(file);
  const twin = changed.find((one) => file === one.replace(/\.ts$/, '.test.ts'));
  if (twin !== undefined) return { why: `tests ${twin}`, worth: 11 };
  const steps = imports.closure([file], (one) => one === file || dirname(one) === folder);
  const imported = changed.find((one) => (steps.get(one) ?? Infinity) <= 2 && one.endsWith('.ts'));
  if (imported !== undefined && !/^test\/(?:support|api\/)/.test(imported))
    return { why: `imports ${imported}`, worth: steps.get(imported) === 1 ? 10 : 6 };
  const world = changed.find((one) => steps.get(one) === 1);
  if (world !== undefined) return { why: `imports ${world}`, worth: 4 };
  const near = changed.find(
    (one) =>
      one.endsWith('.ts') &&
      !one.endsWith('.test.ts') &&
      (dirname(one) === folder ||
        (dirname(dirname(one)) === folder && /^server\/database\/(?:migrations|schema)\//.test(one))),
  );
  if (near === undefined || near.startsWith('test/')) return null;
  // In a folder with many tests, each test is about one file.
  return { why: `stands beside ${near}`, worth: tests.filter((one) => dirname(one) === folder).length <= FEW ? 9 : 4 };
}

/** Returns the words of a file name; the name of a folder with many files says nothing, so it is ignored. */
function wordsOf(path: string): readonly string[] {
  return path
    .replace(/\.test\.ts$|\.ts$/, '')
    .split(/[/-]/)
    .filter(
      (word) =>
        word.length > 3 &&
        !['server', 'modules', 'store', 'test', 'index', 'handlers', 'request', 'every', 'operation'].includes(word),
    )
    .map((word) => word.replace(/s$/, ''));
}

/**
 * Returns the tests that call the operations, ranked by the share of these operations in all their calls, and by names.
 */
function asking(
  file: string,
  { answers, operations, changed }: Given,
): { readonly why: string; readonly worth: number } | null {
  if (!/^test\/(?:api|contract)\//.test(file)) return null;
  const rarity = rarities(answers);
  const weigh = ([id, count]: [string, number]): number => Math.sqrt(count) * (rarity.get(id) ?? 0);
  const asked = Object.entries(answers.get(file)?.operations ?? {});
  const ids = new Set<string>(operations.map(({ operationId }) => operationId));
  const own = asked.filter(([id]) => ids.has(id)).sort((a, b) => weigh(b) - weigh(a));
  const total = asked.map(weigh).reduce((sum, one) => sum + one, 0);
  const share = total === 0 ? 0 : own.map(weigh).reduce((sum, one) => sum + one, 0) / total;
  const names = new Set(
    changed.filter((one) => one.startsWith('server/') && !one.includes('/generated/')).flatMap(wordsOf),
  );
  const shared = wordsOf(basename(file)).filter((word) => names.has(word));
  const worth = share * 6 + Math.min(shared.length, 2) * 1.7;
  if (worth < LEAST) return null;
  const asks =
    own.length === 0
      ? []
      : [
          `asks for ${own
            .slice(0, 2)
            .map(([id]) => id)
            .join(', ')}${own.length > 2 ? ` and ${own.length - 2} more` : ''}`,
        ];
  return { why: [...asks, ...(shared.length > 0 ? [`is about ${shared.join(' and ')}`] : [])].join('; '), worth };
}

const known = new WeakMap<ReadonlyMap<string, Answers>, ReadonlyMap<string, number>>();

/** Returns how rarely each operation is called: the fewer files call it, the more a call says about a file. */
function rarities(answers: ReadonlyMap<string, Answers>): ReadonlyMap<string, number> {
  const found = known.get(answers);
  if (found !== undefined) return found;
  const files = new Map<string, number>();
  for (const { operations } of answers.values())
    for (const id of Object.keys(operations)) files.set(id, (files.get(id) ?? 0) + 1);
  const made = new Map([...files].map(([id, count]) => [id, Math.log(1 + answers.size / count)]));
  known.set(answers, made);
  return made;
}
