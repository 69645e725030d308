/** Fixture of the tests of dismissed hits. */
import type { components } from '../../server/contract/generated/client-types.ts';
import { maria } from '../operations/people.ts';
import { newCpf } from '../support/cpf.ts';
import { setSection } from '../support/onboarding.ts';
import type { Answer, Credential } from '../support/service.ts';
import { startMonitoringWorld } from './monitoring-world.ts';
import type { Refusal, Screening } from './screenings-world.ts';

export type Schemas = components['schemas'];
type Hit = Schemas['ScreeningHit'];
type Application = Schemas['Application'];
type Reference = Pick<Screening | Application, 'id'>;

const FIRST = (
  'Quirino Belisario Damasceno Epaminondas Frutuoso Guiomar Hermenegildo Inocencio ' +
  'Jeronimo Leopoldo Maximiano Norberto Olegario Pancracio Raimundo Saturnino'
).split(' ');
const MIDDLE = (
  'Zagalho Urupema Itabirito Paranapiacaba Sapucaia Mantiqueira Guararapes Cunhambebe ' +
  'Jacaranda Borborema Pindorama Xapecoa Caraguata Votuporanga Quixada Ipanguacu'
).split(' ');

/** Date of birth of everybody on a list. */
export const BORN = '1961-04-02';

export interface Person {
  readonly name: string;
  readonly taxId: string;
  /** Number of the person's entry, if the person is on a list. */
  readonly entry: number;
}

let count = 0;
/** Returns a person who is on no list and in no other test. */
export function newPerson(): Person {
  const name = `${FIRST[count]!} ${MIDDLE[count]!} Tapajos`;
  count++;
  return { name, taxId: newCpf(), entry: count };
}

/** Returns the same person with a similar name: the last letter of every later word is missing. */
export const alike = ({ name, ...person }: Person): Person => ({
  ...person,
  name: name
    .split(' ')
    .map((word, index) => (index === 0 ? word : word.slice(0, -1)))
    .join(' '),
});

export const statuses = ({ hits }: Screening): string[] => hits.map(({ status }) => status);

/** Starts a service whose sandbox has people who dismiss hits, and short forms of what they do. */
export async function startDismissalWorld() {
  const world = await startMonitoringWorld();
  const [second, analyst, owner] = await Promise.all([
    world.sandboxed.user('compliance_officer', { purpose: 'second' }),
    world.sandboxed.user('analyst'),
    world.sandboxed.user('owner', { secondFactor: true }),
  ]);
  const write = await world.sandboxed.key(['read', 'write'], { environment: 'test', personalData: 'full' });
  await world.follow();
  const current = async ({ id }: Reference): Promise<Application> =>
    (await world.request<Application>('GET', `/v1/applications/${id}`, { as: write })).body;
  return {
    ...world,
    second,
    analyst,
    owner,
    /** Part of a dismissal that puts the entity on the allow-list. */
    forAll: {
      allowlist: { expiresAt: new Date(world.running.services.clock().getTime() + 300 * 86_400_000).toISOString() },
    },
    /** Puts a person on a list of sanctions. */
    async list({ name, entry }: Person): Promise<void> {
      await world.publish('ofac-sdn', [`${entry},person,${name},,${BORN},SY,,sanction,`]);
      await world.follow();
    },
    async screenPerson({ name, taxId }: Person, more: object = {}, criteria: object = {}): Promise<Screening> {
      const { status, text, body } = await world.screen(
        {
          subject: {
            type: 'person',
            names: [name],
            taxId,
            ...more,
          },
          lists: ['un-csnu', 'ofac-sdn'],
          criteria,
        },
        world.test,
      );
      if (status !== 201) throw new Error(text);
      return body;
    },
    screenApplication: async ({ id }: Reference): Promise<Screening> =>
      (await world.screen({ applicationId: id }, world.test)).body,
    rerun: async ({ id }: Reference, body: object = {}): Promise<Screening> =>
      (await world.request<Screening>('POST', `/v1/screenings/${id}/rerun`, { as: world.test, body })).body,
    read: async ({ id }: Reference): Promise<Screening> => (await world.get(id, world.test)).body,
    /** Decides that the first hit of a screening is another person, unless the body says otherwise. */
    dismiss: (
      { id, hits: [hit] }: Screening,
      body: object = {},
      as: Credential = world.officer,
    ): Promise<Answer<Hit & Pick<Refusal, 'code' | 'errors'>>> =>
      world.request('POST', `/v1/screenings/${id}/hits/${hit!.id}/adjudicate`, {
        as,
        body: {
          status: 'false_positive',
          reasonCode: 'other',
          note: 'Compared with the passport.',
          ...body,
        },
      }),
    /** Submits an application of a person, which may renew another. */
    async apply({ name, taxId }: Person, renewsApplicationId?: string): Promise<Application> {
      const { applicant, ...draft } = maria();
      const { status, text, body } = await world.request<Application>('POST', '/v1/applications', {
        as: write,
        body: {
          ...draft,
          level: 'basic',
          submit: true,
          applicant: {
            ...applicant,
            fullName: name,
            socialName: null,
            pepDeclaration: null,
            dateOfBirth: BORN,
            nationality: 'SY',
            taxId: { type: 'cpf', value: taxId, country: 'BR' },
          },
          ...(renewsApplicationId !== undefined && { renewsApplicationId }),
        },
      });
      if (status !== 201) throw new Error(text);
      return body;
    },
    async approveApplication(application: Reference): Promise<Answer<Refusal>> {
      const { evidenceDigest } = await current(application);
      return world.request('POST', `/v1/applications/${application.id}/decisions`, {
        as: analyst,
        body: {
          outcome: 'approve',
          reasonCodes: ['identity_confirmed'],
          note: 'Passport and address agree.',
          evidenceDigest,
        },
      });
    },
    mustBeClear: (is: boolean): Promise<void> =>
      setSection(world, owner, {
        decisionPolicy: { requiredChecks: { basic: is ? ['screening_clear'] : ['identity_data'] } },
      }),
  };
}
