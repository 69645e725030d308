/** Tests of the people of a business: their applications, and what follows from them for requirements and signers. */
import { describe, expect, it } from 'vitest';
import { newActivePower } from '../operations/powers.ts';
import { useService } from '../support/service.ts';
import { businessWorld, newBusiness, type Schemas, wholeGraph } from './business-world.ts';

const service = await useService();
const { acme, other } = service;
const { key, officer, call, own, requirement, waiting, read } = await businessWorld(service);

const onboard = (id: string, parties: readonly object[] = both, as = key) =>
  call<Schemas['PartyApplications']>('POST', `${id}/parties/applications`, { as, body: { parties, level: 'basic' } });
const both = [
  { partyKey: 'ana', fullName: 'Ana Souza' },
  { partyKey: 'bruno', fullName: 'Bruno Lima' },
];
const owned = async (): Promise<string> => {
  const id = await newBusiness(service, acme, undefined, 'enhanced');
  await own(id, wholeGraph);
  return id;
};
/** Approves an application below the service, because its own way there is tested elsewhere. */
const approve = (applicationId: string) =>
  service.database.sql(
    `UPDATE application
      SET status = 'approved', submitted_at = now(), decided_at = now(), valid_until = now() + '1 year'
      WHERE id = $1`,
    [applicationId],
  );

describe('the people of a business', () => {
  it('get applications of their own with what the graph knows, once each', async () => {
    const id = await owned();
    const { version } = (await call<Schemas['Ownership']>('GET', `${id}/ownership`, { as: officer })).body;
    const first = await onboard(id, both.slice(0, 1));
    expect([first.status, first.body.items.map(({ partyKey, status }) => [partyKey, status])]).toEqual([
      201,
      [['ana', 'draft']],
    ]);
    const { items } = (await onboard(id)).body;
    expect(items.map(({ partyKey }) => partyKey)).toEqual(['ana', 'bruno']);
    expect(items[0]!.applicationId).toBe(first.body.items[0]!.applicationId);
    const { body } = await service.request<Schemas['Application']>(
      'GET',
      `/v1/applications/${items[0]!.applicationId}`,
      {
        as: officer,
      },
    );
    expect(body.applicant).toMatchObject({ fullName: 'Ana Souza', taxId: { type: 'cpf', value: '52998224725' } });
    // The links stand beside the graph.
    expect((await call<Schemas['Ownership']>('GET', `${id}/ownership`, { as: officer })).body.version).toBe(version);
  });

  it('must be persons of the latest version, each once, and of the own tenant', async () => {
    const id = await owned();
    const { body } = await onboard(id, [...both, both[0]!, { partyKey: 'carla', fullName: 'Carla Reis' }]);
    expect(body.errors).toMatchObject([
      { pointer: '/parties/2/partyKey', code: 'repeated' },
      { pointer: '/parties/3/partyKey', code: 'unknown_party' },
    ]);
    expect((await onboard(id, both, await other.key(['kyb']))).status).toBe(404);
  });

  it('are verified representatives once their applications are approved', async () => {
    const id = await owned();
    expect(await requirement(id, 'representatives_verified')).toMatchObject({ reasonCode: 'not_established' });
    const { items } = (await onboard(id)).body;
    expect(await requirement(id, 'representatives_verified')).toMatchObject({
      status: 'failed',
      reasonCode: 'representatives_not_verified',
    });
    expect(await requirement(id, 'bo_screened')).toMatchObject({ reasonCode: 'owners_not_screened' });
    for (const { applicationId } of items) await approve(applicationId);
    expect(await requirement(id, 'representatives_verified')).toMatchObject({ status: 'verified' });
  });

  it('end a decision that waits when they are onboarded', async () => {
    const { id } = await waiting();
    await own(id, wholeGraph);
    const { evidenceDigest } = await read(id);
    await onboard(id);
    expect((await read(id)).evidenceDigest).not.toBe(evidenceDigest);
  });

  it('sign as verified persons, so that only the registry is left open', async () => {
    const id = await owned();
    await newActivePower(service, acme, id);
    const { items } = (await onboard(id)).body;
    for (const { applicationId } of items) await approve(applicationId);
    const { body } = await call<Schemas['SigningEvaluation']>('POST', `${id}/signing-evaluations`, {
      body: { act: { type: 'borrow' }, signers: [{ partyKey: 'ana' }, { partyKey: 'bruno' }] },
    });
    expect(body.satisfiedBy).toMatchObject([{ ruleKey: 'two' }]);
    expect(body.reasons.map(({ code }) => code)).not.toContain('signer_identity_unverified');
  });

  it('leave the graph standing when their applications are erased', async () => {
    const id = await owned();
    const { items } = (await onboard(id)).body;
    const eraser = await acme.user('compliance_officer', { secondFactor: true });
    const erased = await service.request('POST', `/v1/applications/${items[0]!.applicationId}/erase`, {
      as: eraser,
      body: { reason: 'data_subject_request' },
    });
    expect(erased.status).toBe(202);
    const again = (await onboard(id)).body.items;
    expect(again).toHaveLength(2);
    expect(again.map(({ applicationId }) => applicationId)).not.toContain(items[0]!.applicationId);
  });
});
