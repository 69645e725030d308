/**
 * Tries mutations at many places of the contract and compares the verdicts of contract-diff with the expected ones.
 * Used by main.ts, the program.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contract } from '../../contract/contract.ts';
import type { Verdict } from '../../contract/member.ts';
import { lintConfig } from '../../generate/tools.ts';
import { verdictOf } from '../change.ts';
import type { Change } from '../change.ts';
import { weigh } from '../compare.ts';
import { changedPart } from '../reach.ts';
import { behaviour } from './behaviour.ts';
import { components } from './components.ts';
import { keywords } from './keywords.ts';
import type { Edit, Mutation } from './kit.ts';
import { messages } from './messages.ts';
import { operations } from './operations.ts';
import { parameters } from './parameters.ts';
import { requestMembers } from './request-members.ts';
import { memberNotation, responseMembers } from './response-members.ts';
import { rights } from './rights.ts';

export interface Trial {
  readonly mutation: Mutation;
  readonly where: string;
  readonly given: Verdict;
  readonly changes: readonly Change[];
}

/**
 * Number of places of each kind, the seed that chooses them, and whether Redocly reads the whole contract each time or
 * only its changed part.
 */
interface Extent {
  readonly places: number;
  readonly seed: number;
  readonly whole: boolean;
}

/** Applies each kind of change at some places of the contract, chosen by the seed, and judges each result. */
export async function mutate(
  root: string,
  contract: Contract,
  kinds: readonly Mutation[],
  { places, seed, whole }: Extent,
): Promise<Trial[]> {
  const redocly = new WarmRedocly(root);
  const trials: Trial[] = [];
  const carryOut = async (mutation: Mutation, draft: Contract, { where, apply }: Edit): Promise<void> => {
    apply();
    const part = whole ? { base: contract, revision: draft } : changedPart(contract, draft);
    const changes = weigh(contract, draft, await redocly.diff(part.base, part.revision));
    trials.push({
      mutation,
      where,
      given: verdictOf(changes),
      changes,
    });
  };
  try {
    // Redocly compares one draft while this process judges the one before.
    let last = Promise.resolve();
    for (const mutation of kinds) {
      for (let position = 0, count = 1; position < Math.min(places, count); position++) {
        const draft = structuredClone(contract);
        const edits = mutation.edits(draft);
        count = edits.length;
        const edit = edits[(Math.floor((position * count) / places) + seed) % count];
        if (edit === undefined) throw new Error(`nothing in the contract can be changed by: ${mutation.name}`);
        const current = carryOut(mutation, draft, edit);
        await last;
        last = current;
      }
    }
    await last;
    return trials;
  } finally {
    redocly.close();
  }
}

const VERDICTS: readonly Verdict[] = ['breaking', 'non-breaking', 'docs-only'];

/** Returns the table of expected and actual verdicts: what is off the diagonal is a miss or a false alarm. */
export function confusionTable(trials: readonly Trial[]): string {
  const count = (expected: Verdict, given: Verdict) =>
    trials.filter((trial) => trial.mutation.expected === expected && trial.given === given).length;
  const row = (cells: readonly (string | number)[]) =>
    cells.map((cell, index) => (index === 0 ? String(cell).padEnd(22) : String(cell).padStart(14))).join('');
  return [
    row(['expected \\ given', ...VERDICTS]),
    ...VERDICTS.map((expected) => row([expected, ...VERDICTS.map((given) => count(expected, given))])),
  ].join('\n');
}

/** Returns each trial with a wrong verdict, with its findings. */
export function mistaken(trials: readonly Trial[]): string[] {
  return trials
    .filter(({ mutation, given }) => given !== mutation.expected)
    .map(({ mutation, where, given, changes }) =>
      [
        `${mutation.name} at ${where}: ${mutation.expected}, but called ${given}`,
        ...changes.slice(0, 5).map(({ impact, rule, place, message }) => `  ${impact} ${place}: ${message} (${rule})`),
      ].join('\n'),
    );
}

/** All kinds of change whose verdict is known. */
export const mutations: readonly Mutation[] = [
  ...operations,
  ...rights,
  ...behaviour,
  ...parameters,
  ...messages,
  ...components,
  ...requestMembers,
  ...responseMembers,
  ...memberNotation,
  ...keywords,
];

export interface Task {
  readonly base: string;
  readonly revision: string;
  readonly config: string;
  readonly report: string;
}

/** Runs `redocly diff` for many comparisons in one process instead of one process each. */
class WarmRedocly {
  readonly #folder = mkdtempSync(join(tmpdir(), 'warm-redocly-'));
  readonly #child: ChildProcess;
  readonly #config: string;
  #count = 0;
  /** Settles when the comparisons requested so far are done. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(root: string) {
    this.#config = join(root, lintConfig);
    const env = {
      ...process.env,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      NO_COLOR: '1',
    };
    this.#child = fork(join(import.meta.dirname, 'warm-redocly-worker.ts'), {
      cwd: root,
      env,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  }

  /** Returns the report of `redocly diff --format json`; comparisons run one after the other. */
  async diff(base: Contract, revision: Contract): Promise<string> {
    this.#count += 1;
    const [before, after, report] = ['base', 'revision', 'report'].map((name) =>
      join(this.#folder, `${this.#count}.${name}.json`),
    ) as [string, string, string];
    writeFileSync(before, JSON.stringify(base));
    writeFileSync(after, JSON.stringify(revision));
    const done = this.#turn.then(() =>
      this.#carryOut({
        base: before,
        revision: after,
        config: this.#config,
        report,
      }),
    );
    this.#turn = done.catch(() => undefined);
    await done;
    const text = readFileSync(report, 'utf8');
    for (const used of [before, after, report]) rmSync(used);
    return text;
  }

  close(): void {
    this.#child.kill();
    rmSync(this.#folder, { recursive: true });
  }

  #carryOut(task: Task): Promise<void> {
    return new Promise((done, fail) => {
      const gone = () => {
        fail(new Error('redocly diff did not run'));
      };
      this.#child.once('exit', gone);
      this.#child.once('message', () => {
        this.#child.off('exit', gone);
        done();
      });
      this.#child.send(task);
    });
  }
}
