/** Tests of `make bench` as a whole, with short measurements. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Extent } from './extent.ts';
import { amount, isMet, type Section } from './figures.ts';
import { type Laboratory, openLaboratory } from './laboratory.ts';
import { measureEach, MEASUREMENTS, readExtent } from './main.ts';

/** Shortest turns: on a busy machine a test can only show that the benchmark runs. */
const TINY: Extent = {
  rounds: 1,
  secondsPerTurn: 0.05,
  warmUpSeconds: 0,
  startUps: 1,
  validations: 50,
  graphs: 10,
  cases: 1_000,
  subjects: 1_000,
  // test/api/every-operation-worst-bodies.test.ts sends them to every operation.
  attacked: 2,
  sdk: { calls: 2, deadlines: 1 },
  feed: {
    recoveries: 8,
    small: 200,
    large: 400,
    largest: null,
  },
};
/** Sections that start at most one service beside the shared one, because starting services takes most of the time. */
const CHEAP = [
  'whole path',
  'decisions',
  'cases',
  'authentication',
  'ingestion',
  'sealing',
  'screening speed',
  'screening delta',
  'hostile',
];

/** Gives every section that wants a service with nothing particular the same one, which no section ends. */
function sharedBy(service: Service, start: Laboratory['startService']): Laboratory['startService'] {
  const lent = { ...service, [Symbol.asyncDispose]: () => Promise.resolve() };
  return (env = {}, ...others) =>
    Object.keys(env).length + others.length === 0 ? Promise.resolve(lent) : start(env, ...others);
}

type Service = Awaited<ReturnType<Laboratory['startService']>>;

describe('the benchmark', () => {
  it('finds a figure for every goal, nothing refused and every audit chain whole', { timeout: 300_000 }, async () => {
    await using laboratory = await openLaboratory(TINY, 2, () => {});
    await using service = await laboratory.startService();
    const sharing = { ...laboratory, startService: sharedBy(service, laboratory.startService) };
    for (const name of CHEAP) {
      const rows = ((await MEASUREMENTS[name]?.(sharing)) ?? []).flatMap((section) => section.rows);
      expect(rows.length, name).toBeGreaterThan(0);
      expect(
        rows.filter(([, { value }]) => Number.isNaN(value)),
        name,
      ).toEqual([]);
      // Fast results must also be correct.
      const wrong = rows.filter((row) => row[2] === '≤ 0' && isMet(row) === false);
      expect(wrong.map(([what, { text }]) => `${what}: ${text}`).join(', '), name).toBe('');
    }
  });

  it('prints and keeps each section when it is done, and names what fails, so that a late failure loses no figure', async () => {
    const section = (title: string): Section => ({ title, rows: [['turns', amount(1, 's')]], raw: {} });
    const measurements = {
      first: async () => [section('one')],
      second: () => Promise.reject(new Error('no disk')),
      third: async () => [section('three')],
    };
    const [printed, kept]: [string[], number[]] = [[], []];
    const { sections, failed } = await measureEach(measurements, null, {
      signal: new AbortController().signal,
      print: (text) => printed.push(text),
      keep: (done) => kept.push(done.length),
    });
    expect([sections.map(({ title }) => title), failed, kept]).toEqual([['one', 'three'], ['second'], [1, 2]]);
    expect(printed).toEqual([
      expect.stringContaining('one'),
      'first took 0 s',
      expect.stringContaining('second could not be measured: Error: no disk'),
      expect.stringContaining('three'),
      'third took 0 s',
    ]);
  });

  it('ends at once with a signal', async () => {
    const ended = AbortSignal.abort(new Error('ended by SIGINT'));
    const first = (): Promise<Section[]> => Promise.reject(new Error('a server is gone'));
    await expect(
      measureEach({ first, second: first }, null, { signal: ended, print: () => {}, keep: () => {} }),
    ).rejects.toThrow('ended by SIGINT');
  });

  it('has a short and a long form of the same measurements', () => {
    const [quick, full] = [readExtent(['--quick'], {})?.extent, readExtent([], {})?.extent];
    expect(Object.keys(quick ?? {})).toEqual(Object.keys(full ?? {}));
    expect(quick?.rounds).toBeLessThan(full?.rounds ?? 0);
  });

  it('takes a larger feed as an argument or from the environment', () => {
    const largest = (args: string[], env = {}) => readExtent(args, env)?.extent.feed.largest;
    expect([largest([]), largest(['--feed-events', '2000000']), largest([], { FEED_EVENTS: '5000' })]).toEqual([
      null,
      2_000_000,
      5_000,
    ]);
  });

  it.each([['--fast'], ['--feed-events', 'many'], ['--only', 'nonsense']])(
    'refuses a wrong option with a hint: %s',
    (...args) => {
      const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([2, expect.stringContaining('--help')]);
    },
  );
});
