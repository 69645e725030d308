import { describe, expect, it } from 'vitest';
import { assessRisk } from '../../server/risk/score.ts';
import type { Definition } from '../support/risk-models.ts';
import { smallModel } from '../support/risk-models.ts';
import { type Facts, populate } from '../support/risk-population.ts';
import { LONGEST_TEST } from '../../scripts/test/limits.ts';
import { newReviewedBusiness } from '../operations/business-records.ts';
import type { Schemas } from './business-world.ts';
import { type Backtest, LONGEST_BACKTEST, type Model, startRiskWorld } from './risk-world.ts';

/** Number of subjects in the ordinary suite; `make soak` takes the most that a backtest allows. */
const SUBJECTS = process.env['SOAK'] === 'true' ? 50_000 : 1000;

const { service, team } = await startRiskWorld();
const us = await team(await service.tenant());

const BEFORE: Partial<Definition> = { name: 'Before' };
const AFTER: Partial<Definition> = { name: 'After', thresholds: { medium: 20, high: 40 } };

describe('a backtest', () => {
  it(`of ${SUBJECTS} subjects finds the movers that a direct computation finds, and pages them`, {
    timeout: LONGEST_TEST + 2 * LONGEST_BACKTEST,
  }, async () => {
    const source = await us.submit();
    const population = await populate(
      service.database,
      { tenantId: us.tenant.id, applicationId: source },
      SUBJECTS - 1,
    );
    const [before, after] = [await us.draft(BEFORE), await us.draft(AFTER)];
    const started = process.cpuUsage();
    const backtest = await us.backtest(after.id, { baselineModelId: before.id });
    const { user } = process.cpuUsage(started);
    const levelBy = (change: Partial<Definition>, facts: Facts): string => {
      const outcome = assessRisk(smallModel(change), { facts, lists: {}, today: '2026-11-26' });
      if ('unscorable' in outcome) throw new Error('the model needs a fact');
      return outcome.level;
    };
    const expected = [...population]
      .map(([id, facts]) => [id, levelBy(BEFORE, facts), levelBy(AFTER, facts)] as const)
      .filter(([, from, to]) => from !== to)
      .map((mover) => mover.join(' '))
      .sort();
    const movers: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { movers: page } = await us.call<Backtest>('GET', `/v1/risk/backtests/${backtest.id}?limit=100${query}`);
      for (const { applicationId, from, to } of page!.items)
        if (applicationId !== source) movers.push(`${applicationId} ${from} ${to}`);
      ({ cursor } = page!);
    } while (cursor !== null);
    expect(movers.sort()).toEqual(expected);
    expect(expected.length).toBeGreaterThan(SUBJECTS / 10);
    expect(backtest).toMatchObject({ status: 'completed', total: SUBJECTS, done: SUBJECTS });
    const { scored, matrix, levelsAfter } = backtest.results!;
    const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);
    expect([sum(matrix.map(({ count }) => count)), sum(Object.values(levelsAfter))]).toEqual([scored, scored]);
    const peak = process.resourceUsage().maxRSS / 1024;
    console.log(
      `${SUBJECTS} subjects: ${(user / SUBJECTS).toFixed(0)} µs of CPU each, with the calls of the test; the process ` +
        `took ${peak.toFixed(0)} MiB at most`,
    );
    const high = await us.call<Backtest>('GET', `/v1/risk/backtests/${backtest.id}?from=medium&to=high&limit=100`);
    const levels = high.movers!.items.map(({ from, to }) => `${from} ${to}`);
    expect(new Set(levels)).toEqual(new Set(['medium high']));
  });

  it('selects the same sample for the same seed, and another one for another', async () => {
    const model = await us.draft(AFTER);
    const moversOf = async (seed: number): Promise<string[]> => {
      const { movers } = await us.backtest(model.id, { population: { sample: 60, seed } });
      return movers!.items.map(({ applicationId }) => applicationId!).sort();
    };
    const [one, same, other] = [await moversOf(1), await moversOf(1), await moversOf(2)];
    expect(one).toEqual(same);
    expect(one).not.toEqual(other);
  });

  it('writes no assessment', async () => {
    const count = async (): Promise<unknown> =>
      (await service.database.sql('SELECT count(*) FROM risk_assessment WHERE tenant_id = $1', [us.tenant.id]))[0];
    const before = await count();
    await us.backtest((await us.draft(AFTER)).id, { population: { sample: 100 } });
    expect(await count()).toEqual(before);
  });

  it('counts erased subjects apart, and subjects without a stored fact as unscorable', async () => {
    const them = await team(await service.tenant());
    const [erased, bare] = [await them.submit(), await them.submit()];
    await service.database.sql(`UPDATE application SET erased_at = now() WHERE id = $1`, [erased]);
    await service.database.sql(`UPDATE application SET submitted_at = submitted_at WHERE id = $1`, [bare]);
    const model = await them.draft();
    await them.call(
      'PATCH',
      '/v1/settings',
      { ...them.admin, 'If-Match': '*' },
      {
        risk: { facts: [{ name: 'segment', type: 'string', description: 'The segment.' }] },
      },
    );
    const [age, channel] = smallModel().factors;
    const later = await them.draft({ factors: [age!, { ...channel!, fact: 'metadata.segment' }] });
    expect((await them.backtest(model.id)).results).toMatchObject({ scored: 1, erased: 1, unscorable: 0 });
    expect((await them.backtest(later.id)).results).toMatchObject({ scored: 0, erased: 1, unscorable: 1 });
  });

  it('is cancelled while it waits or runs, and has no results then', async () => {
    const model = await us.draft(AFTER);
    const queued = await us.call<Backtest>('POST', `/v1/risk/models/${model.id}/backtests`, us.admin, {});
    const cancelled = await us.call<Backtest>('POST', `/v1/risk/backtests/${queued.id}/cancel`);
    expect(cancelled.status).toBe('cancelled');
    expect(await us.backtested(queued.id)).toMatchObject({ status: 'cancelled', results: null, movers: { items: [] } });
    expect(await us.refused('POST', `/v1/risk/backtests/${queued.id}/cancel`)).toEqual([
      409,
      'invalid_state_transition',
    ]);
  });
});

describe('a backtest is refused', () => {
  it('while another one runs', async () => {
    const model = await us.draft(AFTER);
    const { id } = await us.call<Backtest>('POST', `/v1/risk/models/${model.id}/backtests`, us.admin, {});
    const again = await us.refused('POST', `/v1/risk/models/${model.id}/backtests`, {});
    await us.call('POST', `/v1/risk/backtests/${id}/cancel`);
    expect(again).toEqual([409, 'backtest_running']);
  });

  it('of a population without a subject, unless nobody was assessed yet', async () => {
    const model = await us.draft();
    const population = { from: '2001-01-01', to: '2001-01-02' };
    const path = `/v1/risk/models/${model.id}/backtests`;
    expect(await us.refused('POST', path, { population })).toEqual([422, 'empty_population']);
    const them = await team(await service.tenant());
    const { results } = await them.backtest((await them.draft()).id, { population });
    expect(results).toMatchObject({ scored: 0, unscorable: 0, erased: 0 });
  });

  it('with a baseline of another tenant', async () => {
    const them = await team(await service.tenant());
    const { id: baselineModelId } = await them.draft();
    const { id } = await us.draft();
    const refused = await us.refused('POST', `/v1/risk/models/${id}/backtests`, { baselineModelId });
    expect(refused).toEqual([422, 'validation_failed']);
  });
});

describe('a backtest of a model of companies', () => {
  const draftOf = async (them: typeof us, score: number): Promise<Model> =>
    them.call('POST', '/v1/risk/models', them.admin, {
      subjectType: 'business',
      definition: smallModel({
        factors: [
          {
            key: 'coverage',
            label: 'Powers',
            category: 'customer',
            weight: 1,
            fact: 'powers.coverage',
            scoring: { by: 'lookup', lookup: [{ match: 'complete', score: 50 }], default: score },
            rationale: 'Somebody must be able to sign.',
          },
        ],
        hardRules: [],
      }),
    });
  const reviewed = async (them: typeof us): Promise<string> =>
    (await newReviewedBusiness(service, them.tenant)).businessId;

  it('compares the companies and nobody else, and an activation that rests on it moves their levels', async () => {
    const them = await team(await service.tenant());
    const draft = await draftOf(them, 0);
    const path = `/v1/risk/models/${draft.id}`;
    const [businessId, erased] = [await reviewed(them), await reviewed(them)];
    await them.submit();
    const request = { checksum: draft.checksum };
    expect(await them.refused('POST', `${path}/activate`, request, them.maker)).toEqual([409, 'backtest_required']);
    for (const [population, code] of [
      [{ statuses: ['approved'] }, 'empty_population'],
      [{ productCodes: ['credit'] }, 'validation_failed'],
    ] as const)
      expect(await them.refused('POST', `${path}/backtests`, { population })).toEqual([422, code]);
    await service.database.sql('UPDATE business SET erased_at = now() WHERE id = $1', [erased]);
    const backtest = await them.backtest(draft.id, { population: { statuses: ['in_review'] } });
    expect(backtest).toMatchObject({
      status: 'completed',
      total: 2,
      results: {
        scored: 1,
        erased: 1,
        levelsBefore: { high: 1 },
        levelsAfter: { low: 1 },
      },
    });
    expect(backtest.movers!.items).toMatchObject([
      {
        businessId,
        applicationId: null,
        from: 'high',
        to: 'low',
      },
    ]);
    await them.review(await them.request(draft, backtest.id));
    const levelOf = async (): Promise<string | null> => {
      await service.running.runTasks();
      return (await them.call<Schemas['Business']>('GET', `/v1/businesses/${businessId}`)).riskLevel ?? null;
    };
    await expect.poll(levelOf, { timeout: LONGEST_BACKTEST }).toBe('low');
  });

  it('has a shadow run beside it, which scores companies as they are assessed', async () => {
    const them = await team(await service.tenant());
    const draft = await draftOf(them, 100);
    const path = `/v1/risk/models/${draft.id}/shadow`;
    const shadow = await them.call<Backtest>('POST', path, them.admin, { days: 10 });
    await them.submit();
    const businessId = await reviewed(them);
    await them.call('POST', '/v1/risk/assessments', them.maker, { businessId });
    const running = await them.call<Backtest>('GET', `/v1/risk/backtests/${shadow.id}`);
    expect(running).toMatchObject({ status: 'running', results: { scored: 1 } });
    await them.call('DELETE', path);
    const ended = await them.call<Backtest>('GET', `/v1/risk/backtests/${shadow.id}`);
    expect(ended).toMatchObject({ status: 'completed', total: 1 });
  });
});
