/** Tests of what follows from the result of a verification: a case for people, and facts of the risk. */
import { expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/types.ts';
import { type Definition, smallModel } from '../support/risk-models.ts';
import { startVerificationWorld } from './verifications-world.ts';

type ReviewCase = components['schemas']['ReviewCase'];

const world = await startVerificationWorld();
const tenant = await world.sandbox();
const key = await tenant.key(['read', 'write'], { environment: 'test' });

/** Runs a verification with this outcome and returns its id. */
async function verified(applicationId: string, outcome: string): Promise<string> {
  const { status, text, body } = await world.start(key, {
    applicationId,
    type: 'registry',
    registrySource: 'receita_cpf',
    sandbox: { outcome },
  });
  expect(status, text).toBe(202);
  expect((await world.ended(key, body.id)).status).toBe(outcome);
  return body.id;
}
async function casesOf(applicationId: string): Promise<ReviewCase[]> {
  const path = `/v1/cases?environment=sandbox&applicationId=${applicationId}`;
  return (await world.request<{ items: ReviewCase[] }>('GET', path, { as: key })).body.items;
}

it('An inconclusive verification opens a case, and another one joins it', async () => {
  const id = await world.apply(key);
  await verified(id, 'passed');
  await verified(id, 'failed');
  expect(await casesOf(id)).toEqual([]);
  const first = await verified(id, 'inconclusive');
  const second = await verified(id, 'inconclusive');
  expect(await casesOf(id)).toMatchObject([
    {
      type: 'application_review',
      queue: 'normal',
      openedReason: 'check_inconclusive',
      createdBy: { type: 'system', id: 'cases' },
      links: [
        { kind: 'verification', id: first, parentId: null },
        { kind: 'verification', id: second, parentId: null },
      ],
    },
  ]);
  const actions = (await tenant.audit()).map(({ action }) => action).filter((action) => action.startsWith('case.'));
  expect(actions).toEqual(['case.opened', 'case.joined']);
});

it('An inconclusive verification of a withdrawn application opens no case', async () => {
  const id = await world.submit(key);
  const withdrawn = await world.request('POST', `/v1/applications/${id}/withdraw`, {
    as: key,
    body: { reasonCode: 'other' },
  });
  expect(withdrawn.status, withdrawn.text).toBe(200);
  await verified(id, 'inconclusive');
  expect(await casesOf(id)).toEqual([]);
});

type Scoring = Definition['factors'][number]['scoring'];
const COUNTS: Scoring = {
  by: 'bands',
  bands: [
    { lt: 1, score: 0 },
    { gte: 1, score: 50 },
  ],
};
const factor = (fact: string, scoring: Scoring): Definition['factors'][number] => ({
  key: fact.slice(fact.indexOf('.') + 1),
  label: fact,
  category: 'customer',
  weight: 1,
  fact,
  scoring,
  rationale: 'What a machine has found counts.',
});
/** A model of the facts about verifications. */
const MODEL = smallModel({
  factors: [
    factor('verifications.passed', {
      by: 'when',
      when: [{ expr: { any: [{ fact: 'verifications.passed' }, ['registry']] }, score: 10 }],
      default: 40,
    }),
    factor('verifications.failed', COUNTS),
    factor('verifications.inconclusive', COUNTS),
  ],
  hardRules: [],
});

it('The newest answer of each kind is a fact of the risk; the override of a person counts in its place', async () => {
  const id = await world.submit(key);
  const officer = await tenant.user('compliance_officer');
  const post = async <T>(path: string, body: object): Promise<T> => {
    const answer = await world.request<T>('POST', path, { as: officer, body });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  const admin = await tenant.user('admin');
  const made = await world.request<{ id: string }>('POST', '/v1/risk/models', {
    as: admin,
    body: { subjectType: 'individual', definition: MODEL },
  });
  expect(made.status, made.text).toBe(201);
  const facts = async (): Promise<unknown[]> => {
    const { contributions } = await post<components['schemas']['RiskAssessment']>('/v1/risk/assessments', {
      applicationId: id,
      modelId: made.body.id,
      dryRun: true,
    });
    return ['passed', 'failed', 'inconclusive'].map(
      (name) => contributions.find(({ fact }) => fact === `verifications.${name}`)!.value,
    );
  };
  expect(await facts()).toEqual([null, '0', '0']);
  await verified(id, 'passed');
  expect(await facts()).toEqual(['registry', '0', '0']);
  await verified(id, 'inconclusive');
  expect(await facts()).toEqual([null, '0', '1']);
  const last = await verified(id, 'failed');
  expect(await facts()).toEqual([null, '1', '0']);
  await post(`/v1/verifications/${last}/override`, {
    result: 'passed',
    reasonCode: 'checked_by_person',
    note: 'The register was asked again by telephone.',
  });
  expect(await facts()).toEqual(['registry', '0', '0']);
  // What a bill shows says something about the address, and nothing about the identity.
  const bill = await world.upload(id, { type: 'proof_of_address', side: 'single' }, key);
  for (const outcome of ['failed', 'inconclusive']) {
    const { body } = await world.start(key, {
      applicationId: id,
      type: 'document_ocr',
      inputs: { documentIds: [bill] },
      sandbox: { outcome },
    });
    expect((await world.ended(key, body.id)).status).toBe(outcome);
    expect(await facts()).toEqual(['registry', '0', '0']);
  }
});
