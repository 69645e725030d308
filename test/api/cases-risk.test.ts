/** API tests of the cases that a rising level of risk opens. */
import { describe, expect, it } from 'vitest';
import { DAY_MILLISECONDS } from '../../server/base/time.ts';
import { newDecidedApplication } from '../operations/application-records.ts';
import type { Case } from './cases-world.ts';
import { startRiskWorld } from './risk-world.ts';

const { service, team } = await startRiskWorld();
const us = await team(await service.tenant());

const casesOf = async (of: typeof us, applicationId: string): Promise<Case[]> =>
  (await of.call<{ items: Case[] }>('GET', `/v1/cases?applicationId=${applicationId}`, of.maker)).items;
/** Sets the level that counts, by the judgement of a person. Returns the id of the assessment. */
const setLevel = async (applicationId: string, level: string): Promise<string | null> => {
  const { id } = await us.current(applicationId);
  await us.call('POST', `/v1/risk/assessments/${id}/override`, us.maker, {
    level,
    reasonCode: 'mitigating_controls',
    note: 'Somebody has thought about it.',
    expiresAt: new Date(Date.now() + 30 * DAY_MILLISECONDS).toISOString(),
  });
  return id;
};

describe('a level of risk that rises', () => {
  it('opens one case about the applicant, which names the assessment and which the next rise joins', async () => {
    const applicationId = await us.submit();
    const id = await setLevel(applicationId, 'medium');
    const [opened] = await casesOf(us, applicationId);
    expect(opened).toMatchObject({
      type: 'risk_increase',
      queue: 'normal',
      openedReason: 'risk_increased',
      links: [{ kind: 'assessment', id, parentId: null }],
      createdBy: { type: 'system', id: 'cases' },
    });
    await setLevel(applicationId, 'high');
    expect((await casesOf(us, applicationId)).map((one) => one.id)).toEqual([opened!.id]);
  });

  it('opens a case for a customer, and none after the relationship has ended', async () => {
    const [customer, former] = [
      await newDecidedApplication(service, us.tenant),
      await newDecidedApplication(service, us.tenant),
    ];
    await us.call('POST', `/v1/applications/${former}/end-relationship`, us.maker, { reasonCode: 'customer_request' });
    await setLevel(customer, 'high');
    await setLevel(former, 'high');
    expect(await casesOf(us, customer)).toMatchObject([{ type: 'risk_increase', queue: 'high' }]);
    expect(await casesOf(us, former)).toEqual([]);
  });

  it('opens a case for each applicant whom a new model puts higher, and for no other', async () => {
    const them = await team(await service.tenant());
    const [first, second, politician] = [await them.submit(), await them.submit(), await them.submit({ isPep: true })];
    const before = (await them.current(politician)).effectiveLevel;
    await them.activate({ thresholds: { medium: 1, high: 100 }, hardRules: [] });
    for (const applicationId of [first, second]) {
      const { id } = await them.current(applicationId);
      expect(await casesOf(them, applicationId)).toMatchObject([
        { type: 'risk_increase', queue: 'normal', links: [{ kind: 'assessment', id }] },
      ]);
    }
    expect([before, (await them.current(politician)).effectiveLevel]).toEqual(['medium', 'medium']);
    expect(await casesOf(them, politician)).toEqual([]);
  });
});

describe('no case is opened', () => {
  it('by the first assessment, or by a level that falls', async () => {
    const applicationId = await us.submit({ isPep: true });
    const { effectiveLevel } = await us.current(applicationId);
    await setLevel(applicationId, 'low');
    expect([effectiveLevel, (await us.current(applicationId)).effectiveLevel]).toEqual(['medium', 'low']);
    expect(await casesOf(us, applicationId)).toEqual([]);
  });
});

describe('applicants who rise at once', () => {
  it('have cases with numbers of their own, while a model assesses all of them again', async () => {
    const them = await team(await service.tenant());
    const ids = await Promise.all(Array.from({ length: 6 }, () => them.submit()));
    const model = await them.draft({ thresholds: { medium: 1, high: 2 } });
    const { id } = await them.backtest(model.id);
    await them.review(await them.request(model, id));
    const open = (applicationId: string) =>
      them.call('POST', '/v1/cases', them.maker, { type: 'ad_hoc', applicationId });
    await Promise.all([service.running.runTasks(), ...ids.toReversed().map(open)]);
    await service.running.runTasks();
    const numbers = (await Promise.all(ids.map((one) => casesOf(them, one)))).flat().map(({ number }) => number);
    expect(new Set(numbers).size).toBe(12);
  });
});
