/** Fixture of the tests of decisions about applications. */
import type { Answer, Credential, Options, Tenant } from '../support/service.ts';
import { newCpf } from '../support/cpf.ts';
import { tenantOf } from '../support/tenant.ts';
import { type Application, person, type Refusal, type Schemas, startWorld, type World } from './applications-world.ts';

export type Decision = Schemas['Decision'];
export type InformationRequest = Schemas['InformationRequest'];

/** A service with short forms of the calls between the submission of an application and its end. */
export interface DecisionWorld extends World {
  /** People of the first tenant. */
  readonly analyst: Credential;
  readonly officer: Credential;
  readonly secondOfficer: Credential;
  /** Returns an application in review of a person who was not screened. */
  submitted(overrides?: object, as?: Credential): Promise<Application>;
  /**
   * Returns a screened application in review, of low risk. A person without a public office needs no second
   * reviewer.
   */
  inReview(overrides?: object, as?: Credential): Promise<Application>;
  /** Screens the applicant, and reads the application again. */
  screened(application: Application, as?: Credential): Promise<Application>;
  /** Decides about the application in its present version, unless the body says otherwise. */
  decide(application: Application, body?: object, as?: Credential): Promise<Answer<Decision & Refusal>>;
  review(
    application: Application,
    decision: Pick<Decision, 'id'>,
    body?: object,
    as?: Credential,
  ): Promise<Answer<Decision & Refusal>>;
  /** Requests the date of birth, unless the body says otherwise. */
  ask(
    application: Pick<Application, 'id'>,
    body?: object,
    as?: Credential,
    headers?: Record<string, string>,
  ): Promise<Answer<InformationRequest & Refusal>>;
  reopen(application: Application, body?: object, as?: Credential): Promise<Answer<Application & Refusal>>;
  /** Returns an application of a politically exposed person with an approval that the analyst proposed. */
  proposed(
    overrides?: object,
    as?: Credential,
  ): Promise<{ readonly application: Application; readonly decision: Decision }>;
  setPolicy(tenant: Tenant, decisionPolicy: object): Promise<void>;
  /** Returns the status of an application, its reason, and the statuses of its decisions, newest first. */
  statuses(id: string): Promise<(string | null)[]>;
  /** Returns the actions about these records that succeeded, oldest first. */
  actions(ids: readonly string[]): Promise<string[]>;
}

export const approval = {
  outcome: 'approve',
  reasonCodes: ['identity_confirmed'],
  note: 'Passport and address agree.',
};
export const rejection = {
  outcome: 'reject',
  rejectType: 'retry',
  reasonCodes: ['document_unreadable'],
  note: 'The passport cannot be read.',
};
export const item = {
  requirementKey: 'identity_data',
  reasonCode: 'date_unlikely',
  messageToApplicant: 'When were you born?',
};
/** A person who is on no list: on the shipped lists of invented people, twelve share the name of `person`. */
export const unlisted = { ...person, fullName: 'Rosalva Quintiliano Prado' };
/** A person who lives where a call for action of the FATF applies, so that the shipped model finds a high risk. */
export const highRisk = {
  applicant: { ...unlisted, address: { line1: 'Street 1', city: 'Pyongyang', country: 'KP' } },
};
export const exposed = { applicant: { ...unlisted, pepDeclaration: { isPep: true, role: 'Mayor' } } };

export async function startDecisionWorld(options?: Options): Promise<DecisionWorld> {
  const world = await startWorld(options);
  const [analyst, officer, secondOfficer] = await Promise.all([
    world.acme.user('analyst'),
    world.acme.user('compliance_officer'),
    world.acme.user('compliance_officer', { purpose: 'second' }),
  ]);
  const path = ({ id }: Pick<Application, 'id'>) => `/v1/applications/${id}`;
  const colleagues = new Map<string, Promise<Credential>>();
  const colleagueOf = async ({ id }: Application): Promise<Credential> => {
    const [{ tenant_id: tenantId }] = (await world.database.sql<{ tenant_id: string }>(
      'SELECT tenant_id FROM application WHERE id = $1',
      [id],
    )) as [{ tenant_id: string }];
    const made = colleagues.get(tenantId) ?? tenantOf(world, tenantId).user('analyst', { purpose: 'screens' });
    colleagues.set(tenantId, made);
    return made;
  };
  const screened: DecisionWorld['screened'] = async (application, as = world.key) => {
    const { status, text } = await world.request('POST', '/v1/screenings', {
      as: await colleagueOf(application),
      body: { applicationId: application.id },
    });
    if (status !== 201) throw new Error(text);
    return (await world.get(application.id, as)).body;
  };
  const submitted: DecisionWorld['submitted'] = async (
    { applicant, ...overrides }: { applicant?: object } = {},
    as = world.key,
  ) =>
    (
      await world.create(
        {
          purpose: 'account_opening',
          level: 'basic',
          submit: true,
          applicant: { ...unlisted, taxId: { type: 'cpf', value: newCpf() }, ...applicant },
          ...overrides,
        },
        as,
      )
    ).body;
  const inReview: DecisionWorld['inReview'] = async (overrides, as = world.key) =>
    screened(await submitted(overrides, as), as);
  const decide: DecisionWorld['decide'] = ({ evidenceDigest, ...application }, body = {}, as = analyst) =>
    world.request('POST', `${path(application)}/decisions`, { as, body: { ...approval, evidenceDigest, ...body } });
  return {
    ...world,
    analyst,
    officer,
    secondOfficer,
    submitted,
    inReview,
    screened,
    decide,
    review: ({ evidenceDigest, ...application }, { id }, body = {}, as = officer) =>
      world.request('POST', `${path(application)}/decisions/${id}/review`, {
        as,
        body: {
          verdict: 'confirm',
          note: 'Seen with my own eyes.',
          evidenceDigest,
          ...body,
        },
      }),
    ask: (application, body = {}, as = analyst, headers = {}) =>
      world.request('POST', `${path(application)}/information-requests`, {
        as,
        headers,
        body: { items: [item], ...body },
      }),
    reopen: (application, body = {}, as = officer) =>
      world.request('POST', `${path(application)}/reopen`, {
        as,
        body: {
          reasonCode: 'new_evidence',
          note: 'A newer passport has come.',
          requestedBy: 'applicant',
          ...body,
        },
      }),
    async proposed(overrides = {}, as = analyst) {
      const application = await inReview({ ...exposed, ...overrides });
      return { application, decision: (await decide(application, {}, as)).body };
    },
    async setPolicy(tenant, decisionPolicy) {
      const as = await tenant.user('owner', { secondFactor: true });
      const { headers } = await world.request('GET', '/v1/settings', { as });
      const { status, text } = await world.request('PATCH', '/v1/settings', {
        as,
        body: { decisionPolicy },
        headers: { 'If-Match': headers.get('etag') ?? '' },
      });
      if (status !== 200) throw new Error(text);
    },
    async statuses(id) {
      const { status, statusReason, decisions = [] } = (await world.get(id)).body;
      return [status, statusReason, ...decisions.map((made) => made.status)];
    },
    async actions(ids) {
      return (await world.acme.audit())
        .filter(({ resource_id, outcome }) => outcome === 'success' && ids.includes(resource_id ?? ''))
        .map(({ action }) => action);
    },
  };
}
