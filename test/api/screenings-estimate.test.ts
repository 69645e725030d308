/** API tests of the estimate of what lines find on the lists of a tenant. */
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { LineEstimator } from '../../server/modules/screenings/index.ts';
import type { components } from '../../server/contract/generated/client-types.ts';
import { setSection } from '../support/onboarding.ts';
import { type Credential, shared } from '../support/service.ts';
import { startScreeningWorld } from './screenings-world.ts';

type Schemas = components['schemas'];
type Estimate = Schemas['ScreeningEstimate'];

const world = await shared(startScreeningWorld());

async function estimate(as: Credential = world.test): Promise<Estimate | null> {
  const { body } = await world.request<Schemas['ScreeningLists']>('GET', '/v1/screenings/lists', { as });
  return body.estimate;
}

/** Runs the job until the figures are those of the active lists. */
async function computed(as: Credential = world.test): Promise<Estimate> {
  const until = performance.now() + 60_000;
  for (;;) {
    await world.running.runJob('lists.estimate');
    const found = await estimate(as);
    if (found?.isCurrent === true) return found;
    if (performance.now() > until) throw new Error('the lines were not estimated');
    await setTimeout(100);
  }
}

const versionOf = ({ lists }: Estimate, listId: string): string | undefined =>
  lists.find((one) => one.listId === listId)?.version;
const aliasesAt = ({ figures }: Estimate, line: number) =>
  figures
    .filter(({ kind, withDateOfBirth }) => kind === 'sanctions' && !withDateOfBirth)
    .map(({ subject, aliases, lines }) => [subject, aliases, lines.find((one) => one.line === line)?.aliasPercent]);

/** Returns an estimator whose warnings are counted, with the lists as they are loaded or with a damaged index. */
function estimator({ isDamaged }: { readonly isDamaged: boolean }) {
  const { clock, watchLists } = world.running.services;
  const warn = vi.fn();
  const nothing = new SharedArrayBuffer(0);
  const one = new LineEstimator({
    database: world.database.database,
    clock,
    log: { info: () => {}, warn },
    lists: {
      current: (environment, active) => {
        const set = watchLists.current(environment, active);
        return set !== null && isDamaged ? { ...set, indexes: { person: nothing, organisation: nothing } } : set;
      },
    },
  });
  /** Starts an estimate as soon as the lists are loaded. */
  const started = () => vi.waitFor(async () => expect(await one.refresh()).toBe(1), { timeout: 30_000 });
  return { one, warn, started };
}

describe('the estimate of lines', () => {
  it('is absent until it is computed, rests on the lists that are searched by default, and is about the environment', async () => {
    await world.publish('un-csnu', [
      '1,person,Heitor Montalvao,Heitor Montalvan; Ziriguidum Bantorra,1961-04-02,RU,,sanction,',
      '2,organisation,Frente Imaginária do Norte,Frente Imaginaria Norte,,,,sanction,',
    ]);
    await world.publish('ofac-sdn', ['1,person,Quirzel Vophthax,,,,,sanction,']);
    await world.publish('eu-fsf', ['1,person,Anton Ausente Volkov,Zozimo Quatrelle,,,,sanction,']);
    expect(await estimate()).toBeNull();
    const found = await computed();
    expect(found).toMatchObject({ environment: 'sandbox', algorithmVersion: 'm7', isCurrent: true });
    expect(found.lists.map(({ listId }) => listId)).toEqual(['cgu-pep', 'ofac-sdn', 'un-csnu']);
    // Of the two aliases of the person, one shares no word with the other names; that of another list does not count.
    expect(aliasesAt(found, 0.82)).toEqual([
      ['person', 2, 50],
      ['organisation', 1, 100],
    ]);
    expect(found.figures.map(({ kind, subject, withDateOfBirth }) => [kind, subject, withDateOfBirth])).toEqual([
      ['sanctions', 'person', false],
      ['sanctions', 'person', true],
      ['sanctions', 'organisation', false],
      ['pep', 'person', false],
      ['pep', 'person', true],
      ['pep', 'organisation', false],
    ]);
    expect(found.figures[0]).toMatchObject({ cleanNames: 300 });
    expect(found.figures[0]!.lines.map(({ line }) => line)).toEqual(
      Array.from({ length: 31 }, (_, index) => (70 + index) / 100),
    );
  });

  it('is shown as outdated from a new version of a list on, until it is computed again, once', async () => {
    const before = await computed();
    await world.publish('un-csnu', ['1,person,Heitor Montalvao,Heitor Montalvan,1961-04-02,RU,,sanction,']);
    const outdated = (await estimate())!;
    expect(outdated).toEqual({ ...before, isCurrent: false });
    const after = await computed();
    expect(versionOf(after, 'un-csnu')).not.toBe(versionOf(before, 'un-csnu'));
    expect(aliasesAt(after, 0.82)[0]).toEqual(['person', 1, 100]);
    await world.running.runJob('lists.estimate');
    expect(await estimate()).toEqual(after);
  });

  it('is of the lists in the settings of the tenant, and holds no name', async () => {
    const owner = await world.sandboxed.user('owner');
    const standard = await computed();
    await setSection(world, owner, { screening: { defaultLists: ['un-csnu', 'eu-fsf'] } });
    const found = await computed();
    expect(found.lists.map(({ listId }) => listId)).toEqual(['eu-fsf', 'un-csnu']);
    expect(aliasesAt(found, 0.82)[0]).toEqual(['person', 2, 50]);
    expect(found.computedAt).toBe(standard.computedAt);
    const [stored] = await world.database.sql<{ counts: string }>(
      'SELECT string_agg(counts::text, $1) AS counts FROM screening_estimate',
      [' '],
    );
    expect(stored!.counts).toContain('cleanReached');
    expect(stored!.counts).not.toMatch(/Montalv|Quatrelle|Silva/);
  });

  it('is tried once by a process if it fails, and the figures of before stay', async () => {
    const before = await computed();
    await world.publish('ofac-sdn', ['1,person,Quirzel Vophthax Amarel,,,,,sanction,']);
    const { one, warn, started } = estimator({ isDamaged: true });
    await started();
    await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce(), { timeout: 30_000 });
    await vi.waitFor(async () => expect(await one.refresh()).toBe(0));
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      { reason: expect.any(String), environment: 'sandbox' },
      'the lines could not be estimated',
    );
    expect(await estimate()).toEqual({ ...before, isCurrent: false });
  });

  it('is computed again if it could not be stored', async () => {
    await world.publish('ofac-sdn', ['1,person,Quirzel Vophthax Dorvalino,,,,,sanction,']);
    const { warn, started } = estimator({ isDamaged: false });
    await world.database.sql('ALTER TABLE screening_estimate ADD CONSTRAINT refused CHECK (false) NOT VALID');
    await started();
    await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce(), { timeout: 60_000 });
    await world.database.sql('ALTER TABLE screening_estimate DROP CONSTRAINT refused');
    await started();
    await vi.waitFor(async () => expect(await estimate()).toMatchObject({ isCurrent: true }), { timeout: 60_000 });
  });

  it('ends with the process, without a complaint or a result', async () => {
    await world.publish('ofac-sdn', ['1,person,Quirzel Vophthax Belarmin,,,,,sanction,']);
    const { one, warn, started } = estimator({ isDamaged: false });
    await started();
    await one.stop();
    expect(await one.refresh()).toBe(0);
    expect(warn).not.toHaveBeenCalled();
    expect(await estimate()).toMatchObject({ isCurrent: false });
  });
});
