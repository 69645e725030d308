/** API tests that each invented person of the sandbox has the outcomes that are documented. */
import { beforeAll, describe, expect, it } from 'vitest';
import { personas } from '../../server/providers/personas/index.ts';
import { each } from '../support/each.ts';
import { type Answer, type Credential, shared, type Tenant } from '../support/service.ts';
import type { Application, Refusal, Schemas } from './applications-world.ts';
import { approval, rejection, startDecisionWorld } from './decisions-world.ts';
import type { Screening } from './screenings-world.ts';

type Persona = Schemas['SandboxPersona'];
type Hit = Screening['hits'][number];

const world = await shared(startDecisionWorld());
let tenant: Tenant;
let [key, analyst, officer]: Credential[] = [];

/** Returns a tenant with its sandbox on and the shipped settings, except for the one that the guide names. */
async function sandboxTenant(policy: object): Promise<Tenant> {
  const made = await world.tenant();
  await world.database.sql('UPDATE tenant SET sandbox_enabled = true, sandbox_enabled_at = now() WHERE id = $1', [
    made.id,
  ]);
  await world.setPolicy(made, { autoApprove: true, ...policy });
  return made;
}

beforeAll(async () => {
  tenant = await sandboxTenant({ requiredChecks: { basic: ['screening_clear'] } });
  [key, analyst, officer] = [
    await tenant.key(['read', 'write', 'screening'], { environment: 'test' }),
    await tenant.user('analyst'),
    await tenant.user('compliance_officer'),
  ];
});

const apply = async ({ name, dateOfBirth, taxId }: Persona, as: Credential): Promise<Application> =>
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
  ).body;
const now = async (id: string, as: Credential): Promise<Application> => (await world.get(id, as)).body;
const screen = async (applicationId: string, as: Credential): Promise<Screening> =>
  (await world.request<Screening>('POST', '/v1/screenings', { as, body: { applicationId } })).body;

/** Returns the result of a screening in the notation of the personas. */
function foundBy({ result, hits }: Screening): string[] {
  const of = (is: (hit: Hit) => boolean): Hit[] => hits.filter((hit) => hit.status === 'open' && is(hit));
  const [active, sanctioned] = [
    of(({ category, entity }) => category === 'pep' && entity.positionTo === null),
    of(({ listId, category }) => listId === 'un-csnu' && category === 'sanction'),
  ];
  const namesakes = of(({ listId }) => listId === 'ofac-sdn');
  return [
    ...(result === 'clear' ? ['screening_clear'] : []),
    ...(active.length > 0 ? ['pep_active'] : []),
    ...(sanctioned.length > 0 ? ['sanctions_match'] : []),
    ...(sanctioned.length === 0 && namesakes.length > 0 ? [`homonym_hits_${namesakes.length}`] : []),
  ];
}

/**
 * Returns whether a hit is the person: a date of birth or a number agrees, as a comparison with the passport would
 * show.
 */
const isThePerson = ({ features }: Hit): boolean =>
  features.some(({ reason, contribution }) => /^(date_of_birth|tax_id)_/.test(reason) && contribution > 0);

async function decideHits({ id, hits }: Screening): Promise<void> {
  for (const hit of hits) {
    const [status, reasonCode] = isThePerson(hit)
      ? ['true_positive', 'same_person_confirmed']
      : ['false_positive', 'different_dob'];
    const answer = await world.request('POST', `/v1/screenings/${id}/hits/${hit.id}/adjudicate`, {
      as: analyst!,
      body: { status, reasonCode, note: 'Compared with the passport.' },
    });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
  }
}

/** Returns all outcomes of a persona, in their order. */
async function outcomesOf(persona: Persona): Promise<{ readonly outcomes: string[]; readonly last: string }> {
  const { id } = await apply(persona, key!);
  await world.running.runTasks();
  expect((await now(id, key!)).status).toBe('in_review');
  const screening = await screen(id, key!);
  await world.running.runTasks();
  const { status, decisions } = await now(id, key!);
  const outcomes = [
    ...foundBy(screening),
    status === 'approved' && decisions?.[0]?.madeBy.type === 'system' ? 'approved_automatically' : 'left_to_people',
  ];
  if (status !== 'approved') await decideHits(screening);
  await world.running.runTasks();
  outcomes.push(`risk_${(await now(id, key!)).riskLevel}`);
  if (status === 'approved') return { outcomes, last: status };
  const { body: decided } = await world.request<Screening>('GET', `/v1/screenings/${screening.id}`, { as: key! });
  const approved = (await world.decide(await now(id, key!), approval, analyst!)) as Answer<Refusal>;
  if (decided.result === 'cleared') outcomes.push('cleared_by_decisions');
  if (approved.status === 202) {
    outcomes.push('approved_by_two');
    expect(
      (await world.review(await now(id, key!), approved.body as Refusal & { id: string }, {}, officer!)).body,
    ).toMatchObject({ status: 'effective', fourEyesReasons: ['risk_high', 'hit_confirmed'] });
  }
  if (approved.status === 409) {
    outcomes.push('approval_refused');
    expect(
      (
        await world.decide(
          await now(id, key!),
          { ...rejection, rejectType: 'final', reasonCodes: ['sanctions_match'] },
          analyst!,
        )
      ).body.status,
    ).toBe('effective');
  }
  return { outcomes, last: (await now(id, key!)).status };
}

/** Outcomes that verifications find, which verification-personas.test.ts tests. */
const OF_VERIFICATIONS = [
  'document_expired',
  'face_mismatch',
  'liveness_spoof',
  'provider_timeout',
  'provider_success',
  'account_protection_active',
  'cpf_cancelled',
  'deceased',
];

describe('A persona', () => {
  it('is described by the service as in the table', async () => {
    const { body } = await world.request<Schemas['SandboxStatus']>('GET', '/v1/sandbox', { as: key! });
    expect(body.personas).toEqual(personas);
  });

  it.each(personas.filter(({ kind }) => kind === 'person'))(
    '$key has the documented outcomes: $outcomes',
    async (persona) => {
      const { outcomes, last } = await outcomesOf(persona);
      expect(outcomes).toEqual(persona.outcomes.filter((outcome) => !OF_VERIFICATIONS.includes(outcome)));
      expect(last).toBe(outcomes.includes('approval_refused') ? 'rejected' : 'approved');
    },
  );

  it('that is clean is approved with its clear screening also if the policy requires none, and nobody is before', async () => {
    const simple = await sandboxTenant({});
    const as = await simple.key(['read', 'write', 'screening'], { environment: 'test' });
    for (const persona of each(personas.filter(({ kind }) => kind === 'person'))) {
      const { id } = await apply(persona, as);
      await world.running.runTasks();
      expect((await now(id, as)).status).toBe('in_review');
      await screen(id, as);
      await world.running.runTasks();
      expect([persona.key, (await now(id, as)).status]).toEqual([
        persona.key,
        persona.outcomes.includes('approved_automatically') ? 'approved' : 'in_review',
      ]);
    }
  });

  it('that is a company has outcomes at its registry, which the test of registries shows', () => {
    const companies = personas.filter(({ kind }) => kind === 'company');
    expect(companies).toHaveLength(9);
    expect(companies.filter(({ outcomes }) => outcomes.length === 0)).toEqual([]);
  });
});
