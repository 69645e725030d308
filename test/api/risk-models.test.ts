/** API tests of risk models: drafts, their activation by two people, and what is refused. */
import { describe, expect, it } from 'vitest';
import { type Definition, smallModel } from '../support/risk-models.ts';
import { type Model, startRiskWorld } from './risk-world.ts';

const { service, team } = await startRiskWorld();
const us = await team(await service.tenant());

describe('a risk model', () => {
  it('is shipped for each kind of subject and active from the first day, as version 1 made by the system', async () => {
    const them = await team(await service.tenant());
    const { items } = await them.call<{ items: Model[] }>('GET', '/v1/risk/models');
    const shown = items.map(({ subjectType, number, status, createdBy }) => [
      subjectType,
      number,
      status,
      createdBy.type,
    ]);
    expect(shown.sort()).toEqual([
      ['business', 1, 'active', 'system'],
      ['individual', 1, 'active', 'system'],
    ]);
    expect((await them.model(items[0]!.id)).version).toBe(1);
  });

  it('keeps its shipped version when another one is drafted, under the same id', async () => {
    const them = await team(await service.tenant());
    const before = await them.call<{ items: Model[] }>('GET', '/v1/risk/models?subjectType=individual');
    await them.draft();
    const after = await them.call<{ items: Model[] }>('GET', '/v1/risk/models?subjectType=individual&sort=number');
    expect(after.items.map(({ id, number, status }) => [id, number, status])).toEqual([
      [before.items[0]!.id, 1, 'active'],
      [expect.anything(), 2, 'draft'],
    ]);
  });

  it('is listed in pages by number, shipped versions included', async () => {
    const them = await team(await service.tenant());
    await them.draft();
    const all = await them.call<{ items: Model[] }>('GET', '/v1/risk/models');
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page: { items: Model[]; cursor: string | null } = await them.call('GET', `/v1/risk/models?limit=1${query}`);
      ids.push(...page.items.map(({ id }) => id));
      ({ cursor } = page);
    } while (cursor !== null);
    expect(ids).toEqual(all.items.map(({ id }) => id));
  });

  it('is drafted with the content of another version', async () => {
    const base = await us.draft({ name: 'Base' });
    const copy = await us.call<Model>('POST', '/v1/risk/models', us.admin, {
      subjectType: 'individual',
      baseModelId: base.id,
    });
    expect([copy.definition.name, copy.checksum]).toEqual(['Base', base.checksum]);
  });

  it('takes effect by two people, retires the one before and assesses all subjects again', async () => {
    const them = await team(await service.tenant());
    const applicationId = await them.submit();
    const active = await them.activate();
    expect(active).toMatchObject({ status: 'active', number: 2 });
    expect((await them.model(active.id)).reassessment).toMatchObject({
      status: 'completed',
      total: 1,
      done: 1,
      failed: 0,
    });
    expect(await them.current(applicationId)).toMatchObject({ trigger: 'activation', modelId: active.id });
    const { items } = await them.call<{ items: Model[] }>('GET', '/v1/risk/models?status=retired');
    expect(items.map(({ number }) => number)).toEqual([1]);
  });

  it('is a draft again if the second person returns it', async () => {
    const model = await us.draft();
    const { id } = await us.backtest(model.id);
    const returned = await us.review(await us.request(model, id), 'return');
    expect([returned.status, returned.activation?.status]).toEqual(['draft', 'returned']);
  });
});

const BANDS = (bands: object[]): Partial<Definition> => {
  const [age, ...rest] = smallModel().factors;
  return { factors: [{ ...age!, scoring: { by: 'bands', bands: bands as never } }, ...rest] };
};
const RULE = (when: object): Partial<Definition> => ({
  hardRules: [
    {
      key: 'rule',
      when: when as never,
      effect: 'floor_high',
      reasonCode: 'rule',
    },
  ],
});
/** Returns a condition that is nested this deep. */
const nested = (depth: number): object =>
  depth === 1 ? { exists: [{ fact: 'channel' }] } : { not: [nested(depth - 1)] };

describe('a risk model is refused', () => {
  const refusedWith = (change: Partial<Definition>) =>
    us.refused('POST', '/v1/risk/models', { subjectType: 'individual', definition: smallModel(change) });

  it.each<[string, Partial<Definition>, string]>([
    [
      'a gap between bands',
      BANDS([
        { lt: 40, score: 1 },
        { gte: 41, score: 2 },
      ]),
      'band_gap',
    ],
    [
      'bands that overlap',
      BANDS([
        { lt: 42, score: 1 },
        { gte: 41, score: 2 },
      ]),
      'band_overlap',
    ],
    ['inverted thresholds', { thresholds: { medium: 60, high: 30 } }, 'thresholds_inverted'],
    ['weights of zero', { factors: smallModel().factors.map((one) => ({ ...one, weight: 0 })) }, 'weights_sum_zero'],
    ['an unknown fact', RULE({ exists: [{ fact: 'applicant.shoeSize' }] }), 'unknown_fact'],
    ['an unknown list', RULE({ in: [{ fact: 'channel' }, { list: 'no_such_list' }] }), 'unknown_reference_list'],
    ['a comparison of types', RULE({ eq: [{ fact: 'applicant.age' }, 'old'] }), 'expression_type_error'],
    ['an expression nine levels deep', RULE(nested(9)), 'validation_failed'],
    [
      'an expression of more than 200 nodes',
      RULE({ or: Array.from({ length: 70 }, () => ({ eq: [{ fact: 'channel' }, 'web'] })) }),
      'validation_failed',
    ],
  ])('for %s, when it is drafted and when the draft is replaced', async (_, change, code) => {
    expect(await refusedWith(change)).toEqual([422, code]);
    const { id } = await us.draft();
    expect(await us.refused('PUT', `/v1/risk/models/${id}`, smallModel(change))).toEqual([422, code]);
  });

  it('without a content, or with two', async () => {
    const { id } = await us.draft();
    const post = (body: object) => us.refused('POST', '/v1/risk/models', { subjectType: 'individual', ...body });
    expect(await post({})).toEqual([422, 'validation_failed']);
    expect(await post({ baseModelId: id, definition: smallModel() })).toEqual([422, 'validation_failed']);
  });

  it('with the content of a model for another kind of subject', async () => {
    const { id: baseModelId } = await us.draft();
    const refused = await us.refused('POST', '/v1/risk/models', { subjectType: 'business', baseModelId });
    expect(refused).toEqual([422, 'validation_failed']);
  });

  it('for a change or another request after its activation was requested', async () => {
    const model = await us.draft();
    await us.request(model, (await us.backtest(model.id)).id);
    const put = us.refused('PUT', `/v1/risk/models/${model.id}`, smallModel({ name: 'Later' }));
    expect(await put).toEqual([409, 'invalid_state_transition']);
    const again = us.refused('POST', `/v1/risk/models/${model.id}/activate`, { checksum: model.checksum }, us.maker);
    expect(await again).toEqual([409, 'invalid_state_transition']);
  });
});

describe('an activation is refused', () => {
  const activate = ({ id, checksum }: Model, backtestId?: string) =>
    us.refused('POST', `/v1/risk/models/${id}/activate`, { checksum, backtestId }, us.maker);

  it('without a backtest, once anybody was assessed', async () => {
    await us.submit();
    expect(await activate(await us.draft())).toEqual([409, 'backtest_required']);
  });

  it('with the backtest of another model', async () => {
    await us.submit();
    const { id } = await us.backtest((await us.draft()).id);
    expect(await activate(await us.draft(), id)).toEqual([409, 'backtest_required']);
  });

  it('with a backtest that is stale, because the draft has changed since or it is 31 days old', async () => {
    await us.submit();
    const model = await us.draft();
    const { id } = await us.backtest(model.id);
    await service.database.sql(
      `UPDATE risk_comparison SET completed_at = completed_at - interval '31 days' WHERE id = $1`,
      [id],
    );
    expect(await activate(model, id)).toEqual([409, 'backtest_stale']);
    const fresh = await us.backtest(model.id);
    const changed = await us.call<Model>('PUT', `/v1/risk/models/${model.id}`, us.admin, smallModel({ name: 'Other' }));
    expect(await activate(changed, fresh.id)).toEqual([409, 'backtest_stale']);
  });

  it('of content that the maker has not read', async () => {
    await us.submit();
    const model = await us.draft();
    const { id } = await us.backtest(model.id);
    expect(await activate({ ...model, checksum: '0'.repeat(64) }, id)).toEqual([409, 'evidence_changed']);
  });

  it('by the person who requested it', async () => {
    const model = await us.draft();
    const { id } = await us.backtest(model.id);
    const { activation } = await us.request(model, id);
    const review = us.refused(
      'POST',
      `/v1/risk/models/${model.id}/activations/${activation!.id}/review`,
      { verdict: 'confirm', note: 'It is my own.', evidenceDigest: activation!.evidenceDigest },
      us.maker,
    );
    expect(await review).toEqual([403, 'self_approval_forbidden']);
  });

  it('for a review once it was returned', async () => {
    const model = await us.draft();
    const pending = await us.request(model, (await us.backtest(model.id)).id);
    await us.review(pending, 'return');
    await expect(us.review(pending)).rejects.toThrow('invalid_state_transition');
  });

  it('if the results became stale while it waited, and the model is a draft again', async () => {
    const them = await team(await service.tenant());
    await them.submit();
    const model = await them.draft();
    const pending = await them.request(model, (await them.backtest(model.id)).id);
    await service.database.sql(`UPDATE risk_comparison SET completed_at = completed_at - interval '31 days'`);
    await expect(them.review(pending)).rejects.toThrow('evidence_changed');
    expect(await them.model(model.id)).toMatchObject({ status: 'draft', activation: { status: 'invalidated' } });
  });
});
