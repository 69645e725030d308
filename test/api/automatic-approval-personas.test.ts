import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { startDecisionWorld } from './decisions-world.ts';

const world = await shared(startDecisionWorld());

describe('the personas of the sandbox', () => {
  it('are approved without a person if the sandbox says so, by the shipped policy that approves clear cases, and never otherwise', async () => {
    const tenant = await world.tenant();
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
    const made = await Promise.all(
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
    for (const id of made) {
      const { body } = await world.get(id, as);
      expect(body.status).toBe('in_review');
      await world.screened(body, as);
    }
    await world.running.runTasks();
    const approved = await Promise.all(made.map(async (id) => (await world.get(id, as)).body.status === 'approved'));
    expect(approved).toEqual(people.map(({ outcomes }) => outcomes.includes('approved_automatically')));
    expect(approved.filter(Boolean)).toHaveLength(1);
  });
});
