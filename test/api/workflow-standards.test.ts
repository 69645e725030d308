/** Tests of the four standard processes, from the upload to their ends, by persons and workers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newReviewedApplication } from '../operations/application-records.ts';
import { newBusiness } from '../operations/business-records.ts';
import { newOwnedBusiness } from '../operations/ownership.ts';
import { newActivePower } from '../operations/powers.ts';
import { newScreening } from '../operations/screening-records.ts';
import { confirmed, newProcessKey } from '../operations/workflow-records.ts';
import { multipart, outcome, refused, success } from '../support/api.ts';
import { useService } from '../support/service.ts';
import { workflowCalls } from './workflow-calls.ts';

const service = await useService();
const { acme, api } = service;
const officer = await acme.user('compliance_officer', { purpose: 'draws' });
const second = await acme.user('compliance_officer', { purpose: 'confirms' });
const analyst = await acme.user('analyst', { purpose: 'works' });
const { start, instance, complete, openTask } = workflowCalls(service, officer);

// The lists are loaded by the first screening, so that no work of the service waits for them.
await newScreening(service, acme);

const FOLDER = join(import.meta.dirname, '../../docs/examples/workflows');

/** Activates a standard process under a key of its own. */
async function activated(name: string, id: string): Promise<string> {
  const key = newProcessKey();
  const file = readFileSync(join(FOLDER, `${name}.bpmn`), 'utf8').replace(`id="${id}"`, `id="${key}"`);
  const { body } = await success(
    api.POST('/v1/workflows/definitions', {
      headers: officer,
      body: { file: new Blob([file]) },
      bodySerializer: multipart,
    }),
    201,
  );
  expect(body.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  await confirmed(service, acme, { workflowDefinitionId: body.id, checksum: body.checksum, key });
  return key;
}

/** Runs the tasks of the service until none is left that another one has queued. */
const runAll = async (): Promise<void> => {
  for (let round = 0; round < 4; round++) await service.running.runTasks();
};

async function begun(name: string, id: string, more: object = {}): Promise<string> {
  const { body } = await success(start(await activated(name, id), more), 201);
  await runAll();
  return body.id;
}

const elementsOf = async (id: string): Promise<string[]> =>
  (await instance(id)).activeElements.map(({ elementId }) => elementId).sort();

describe('The onboarding of a person', () => {
  it('screens and assesses the applicant, is reviewed, and ends when the decision takes effect', async () => {
    const { applicationId, evidenceDigest } = await newReviewedApplication(service, acme, { isPep: true });
    const id = await begun('individual', 'std.individual', { applicationId });
    const { variables } = await instance(id);
    expect(variables).toMatchObject({ screening: { result: expect.any(String) }, risk: { level: expect.any(String) } });
    expect(await elementsOf(id)).toEqual(['review']);
    await success(complete(await openTask(id, 'review'), analyst));
    expect(await elementsOf(id)).toEqual(['undecided']);
    const { body } = await success(
      api.GET('/v1/applications/{applicationId}', { params: { path: { applicationId } }, headers: officer }),
    );
    expect(body.evidenceDigest).not.toBe(evidenceDigest);
    const evidence = { evidenceDigest: body.evidenceDigest ?? '' };
    const note = 'The passport is that of somebody else.';
    const { body: decision } = await success(
      api.POST('/v1/applications/{applicationId}/decisions', {
        params: { path: { applicationId } },
        headers: officer,
        body: {
          outcome: 'reject',
          rejectType: 'final',
          reasonCodes: ['adverse_information'],
          note,
          ...evidence,
        },
      }),
      202,
    );
    await runAll();
    expect(await elementsOf(id)).toEqual(['undecided']);
    await success(
      api.POST('/v1/applications/{applicationId}/decisions/{decisionId}/review', {
        params: { path: { applicationId, decisionId: decision.id } },
        headers: second,
        body: { verdict: 'confirm', note, ...evidence },
      }),
    );
    await runAll();
    expect(await instance(id)).toMatchObject({ status: 'completed', activeElements: [] });
  });
});

describe('The enhanced due diligence', () => {
  const untilAgreed = async (): Promise<string> => {
    const { applicationId } = await newReviewedApplication(service, acme);
    const id = await begun('enhanced', 'std.enhanced', { applicationId });
    await success(complete(await openTask(id, 'verify_wealth'), analyst));
    await runAll();
    await success(complete(await openTask(id, 'recommend'), analyst));
    await runAll();
    return id;
  };

  it.each([
    [true, 'ended_agreed'],
    [false, 'ended_declined'],
  ])('ends as the second person says: %s', async (agreed, end) => {
    const id = await untilAgreed();
    expect(refused(await outcome(complete(await openTask(id, 'agree'), analyst)))).toEqual([
      403,
      'workflow_task_forbidden',
    ]);
    await success(complete(await openTask(id, 'agree'), second, { agreed }));
    await runAll();
    expect(await instance(id)).toMatchObject({ status: 'completed', endEvent: end });
  });
});

describe('The onboarding of a company', () => {
  it('asks a person for owners and powers that nobody has recorded, and is agreed by two people', async () => {
    const id = await begun('business', 'std.business', { businessId: await newBusiness(service, acme) });
    // No registry is connected for companies of production.
    await success(complete(await openTask(id, 'ask'), analyst));
    await runAll();
    expect(await elementsOf(id)).toEqual(['record_owners', 'record_powers']);
    await success(complete(await openTask(id, 'record_owners'), analyst));
    await success(complete(await openTask(id, 'record_powers'), analyst));
    await success(complete(await openTask(id, 'review')));
    expect(refused(await outcome(complete(await openTask(id, 'agree'))))).toEqual([403, 'self_approval_forbidden']);
    await success(complete(await openTask(id, 'agree'), second));
    expect((await instance(id)).status).toBe('completed');
  });

  it('asks only for what is missing on file', async () => {
    const businessId = await newOwnedBusiness(service, acme);
    await newActivePower(service, acme, businessId);
    const id = await begun('business', 'std.business', { businessId });
    await success(complete(await openTask(id, 'ask'), analyst));
    await runAll();
    expect((await instance(id)).variables).toMatchObject({
      ownership: { unidentifiedCount: 1 },
      powers: { activeCount: 1 },
    });
    expect(await elementsOf(id)).toEqual(['record_owners']);
    await success(complete(await openTask(id, 'record_owners'), analyst));
    expect(await elementsOf(id)).toEqual(['review']);
  });
});

describe('The periodic review', () => {
  it('opens a case where something is found, and ends after its review', async () => {
    const { applicationId } = await newReviewedApplication(service, acme, { isPep: true });
    const id = await begun('periodic-review', 'std.periodic_review', { applicationId });
    expect(await elementsOf(id)).toEqual(['review']);
    expect((await instance(id)).variables).toMatchObject({ case: { number: expect.stringMatching(/^C-/) } });
    await success(complete(await openTask(id, 'review'), analyst));
    expect(await instance(id)).toMatchObject({ status: 'completed', endEvent: 'ended_reviewed' });
  });
});
