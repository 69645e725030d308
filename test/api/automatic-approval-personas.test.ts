/** Test that the automatic approval of the sandbox's demo persons matches their listed outcomes. */
import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { startDecisionWorld } from './decisions-world.ts';

const world = await shared(startDecisionWorld());

describe('the personas of the sandbox', () => {
  it('are approved automatically if, and only if, GET /v1/sandbox lists the outcome approved_automatically for them', async () => {
    const tenant = await world.tenant();
    // The shipped default policy, with automatic approval switched on.
    await world.setPolicy(tenant, { autoApprove: true });
    await world.request('POST', '/v1/sandbox/enable', { as: await tenant.key(['admin']) });
    const as = await tenant.key(['read', 'write'], { environment: 'test', personalData: 'full' });
    const {
      body: { personas },
    } = await world.request<{
      personas: {
        kind: string;
        name: string;
        dateOfBirth: string;
        taxId: string;
        outcomes: string[];
      }[];
    }>('GET', '/v1/sandbox', { as });
    const people = personas.filter(({ kind }) => kind === 'person');
    const applicationIds = await Promise.all(
      people.map(
        async ({ name, dateOfBirth, taxId }) =>
          (
            await world.create(
              {
                purpose: 'account_opening',
                level: 'basic',
                submit: true,
                applicant: { fullName: name, dateOfBirth, taxId: { type: 'cpf', value: taxId } },
              },
              as,
            )
          ).body.id,
      ),
    );
    await world.running.runTasks();
    for (const id of applicationIds) {
      const { body } = await world.get(id, as);
      expect(body.status).toBe('in_review');
      await world.screened(body, as);
    }
    await world.running.runTasks();
    const approved = await Promise.all(
      applicationIds.map(async (id) => (await world.get(id, as)).body.status === 'approved'),
    );
    expect(approved).toEqual(people.map(({ outcomes }) => outcomes.includes('approved_automatically')));
    // Guards against lists without any automatic approval: the sandbox has one such persona.
    expect(approved.filter(Boolean)).toHaveLength(1);
  });
});
