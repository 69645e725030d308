/**
 * API tests of approvals without a person: only clear cases, once, and recorded. Everything else must wait for a
 * person.
 */
import { describe, expect, it } from 'vitest';
import { newCpf } from '../support/cpf.ts';
import { shared, type Tenant } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import type { Application } from './applications-world.ts';
import { exposed, startDecisionWorld, unlisted } from './decisions-world.ts';

const world = await shared(startDecisionWorld());
const BASIC = ['identity_data', 'tax_id_valid'];

/** Returns a tenant that approves clear cases without a person, by checks that exist today. */
async function automatic(policy: object = {}): Promise<{
  readonly tenant: Tenant;
  submitted(body?: object): Promise<Application>;
  screened(body?: object): Promise<Application>;
  after(application: Pick<Application, 'id'>): Promise<Application>;
}> {
  const tenant = await world.tenant();
  const as = await tenant.key(['read', 'write']);
  await world.setPolicy(tenant, { autoApprove: true, requiredChecks: { basic: BASIC }, ...policy });
  return {
    tenant,
    submitted: (body) => world.submitted(body, as),
    screened: async (body) => world.screened(await world.submitted(body, as), as),
    async after({ id }) {
      await world.running.runTasks();
      return (await world.get(id, as)).body;
    },
  };
}

describe('a clear case', () => {
  it('is approved without a person, with its main criteria, on the evidence of that time', async () => {
    const { tenant, screened, after } = await automatic();
    const application = await screened();
    expect(application.status).toBe('in_review');
    const approved = await after(application);
    expect(approved).toMatchObject({
      status: 'approved',
      statusReason: 'low_risk',
      version: 2,
      decisions: [
        {
          outcome: 'approve',
          status: 'effective',
          madeBy: { type: 'system', id: 'applications.auto_approve' },
          reviewedBy: null,
          reasonCodes: ['low_risk'],
          evidenceDigest: application.evidenceDigest,
          policyVersion: 2,
          riskAssessmentId: application.riskAssessmentId,
          note: expect.stringMatching(
            '^Approved without a person by version 2 of the decision policy. Criteria: level basic; the risk is low: ' +
              '\\d+\\.\\d{4} by version 1 of the risk model; met: identity_data, tax_id_valid; ' +
              'the screening is clear; no public office is declared; no document is unusual.$',
          ),
        },
      ],
    });
    expect(approved.validUntil).not.toBeNull();
    const events = (await tenant.audit()).filter(
      ({ resource_id }) => resource_id !== null && [application.id, approved.decisions?.[0]?.id].includes(resource_id),
    );
    expect(events.map(({ action }) => action)).toEqual([
      'application.created',
      'application.submitted',
      'decision.auto_approved',
      'application.status_changed',
    ]);
    const { body: timeline } = await world.request<{ items: { type: string }[] }>(
      'GET',
      `/v1/applications/${application.id}/timeline`,
      { as: await tenant.key(['read', 'write']) },
    );
    expect(timeline.items.find(({ type }) => type === 'decision.auto_approved')).toMatchObject({
      status: 'approved',
      decisionOutcome: 'approve',
      actor: { type: 'system' },
    });
  });

  it('is none if another application under the same tax number gave another date of birth: two people decide then', async () => {
    const { tenant, screened, after } = await automatic();
    const taxId = { type: 'cpf', value: newCpf() };
    const [officer, analyst] = [await tenant.user('compliance_officer'), await tenant.user('analyst')];
    const first = await after(await screened({ applicant: { taxId, dateOfBirth: '1971-01-02' } }));
    expect(first.status).toBe('approved');
    expect((await after(await screened({ applicant: { taxId, dateOfBirth: '1971-01-02' } }))).status).toBe('approved');
    const other = await after(await screened({ applicant: { taxId, dateOfBirth: '1990-04-12' } }));
    expect([other.status, other.signals]).toEqual(['in_review', ['identity_conflict']]);
    const { status, body: decision } = await world.decide(other, {}, analyst);
    expect([status, decision.status, decision.fourEyesReasons]).toEqual([202, 'pending_review', ['identity_conflict']]);
    expect((await world.review(other, decision, {}, officer)).body.status).toBe('effective');
  });

  it('is none while a hit of its screening is open, whatever checks the policy requires', async () => {
    const { tenant, submitted, after } = await automatic();
    const application = await submitted({ applicant: { fullName: 'Yussuf Haddad', socialName: null } });
    const { body } = await world.request<{ openHitCount: number }>('POST', '/v1/screenings', {
      as: await tenant.user('analyst'),
      body: { applicationId: application.id, criteria: { threshold: 0.6 } },
    });
    expect(body.openHitCount).toBeGreaterThan(0);
    expect((await after(application)).status).toBe('in_review');
  });

  it('is approved once, however often its task is run', async () => {
    const { screened, after } = await automatic();
    const application = await screened();
    await Promise.all([world.running.runTasks(), world.running.runTasks()]);
    expect((await after(application)).decisions).toHaveLength(1);
  });

  it('is one also after a draft, and after a request for information', async () => {
    const { tenant, screened, after } = await automatic({
      requiredChecks: { basic: [...BASIC, 'legal_bases_recorded'] },
    });
    const application = await screened();
    expect((await after(application)).status).toBe('in_review');
    const analyst = await tenant.user('analyst');
    expect((await world.ask(application, {}, analyst)).status).toBe(201);
    await world.setPolicy(tenant, { requiredChecks: { basic: BASIC } });
    await world.request('PATCH', `/v1/applications/${application.id}`, {
      as: analyst,
      body: { applicant: { dateOfBirth: '1990-04-12' } },
    });
    await world.request('POST', `/v1/applications/${application.id}/submit`, { as: analyst });
    expect(await after(application)).toMatchObject({ status: 'approved', resubmissionCount: 1 });
  });

  it('is one as soon as the screening that the policy requires is clear', async () => {
    const { tenant, submitted, after } = await automatic({ requiredChecks: { basic: [...BASIC, 'screening_clear'] } });
    const [application, other] = [
      await submitted({ applicant: { fullName: 'Quintiliana Zorzetto' } }),
      await submitted({ applicant: { fullName: 'Sergei Listado Petrov' } }),
    ];
    const as = await tenant.key(['screening', 'read']);
    const screen = (applicationId: string) =>
      world.request<{ id: string; result: string }>('POST', '/v1/screenings', { as, body: { applicationId } });
    const found = [await screen(application.id), await screen(other.id)];
    expect(found.map(({ body }) => body.result)).toEqual(['clear', 'open_hits']);
    expect([(await after(application)).status, (await after(other)).status]).toEqual(['approved', 'in_review']);
  });

  it('is one if a new screening with the options of the settings finds nobody any more, and not if it had weaker options', async () => {
    const { tenant, submitted, after } = await automatic({ requiredChecks: { basic: [...BASIC, 'screening_clear'] } });
    const application = await submitted({ applicant: { fullName: 'Yussuf Haddad' } });
    const as = await tenant.key(['screening', 'read']);
    const { body: first } = await world.request<{ id: string; result: string }>('POST', '/v1/screenings', {
      as,
      body: { applicationId: application.id, criteria: { threshold: 0.6 } },
    });
    expect([first.result, (await after(application)).status]).toEqual(['open_hits', 'in_review']);
    const clear = await world.request<{ result: string }>('POST', `/v1/screenings/${first.id}/rerun`, {
      as,
      body: { criteria: { threshold: 0.99 } },
    });
    expect(clear.body.result).toBe('clear');
    expect((await after(application)).status).toBe('in_review');
    const second = await world.request<{ result: string }>('POST', '/v1/screenings', {
      as,
      body: { applicationId: application.id },
    });
    expect(second.body.result).toBe('clear');
    expect((await after(application)).status).toBe('approved');
  });

  it('may be reopened by a person, because the law grants such a review, and then no machine decides', async () => {
    const { tenant, screened, after } = await automatic();
    const approved = await after(await screened());
    const officer = await tenant.user('compliance_officer');
    expect((await world.reopen(approved, { reasonCode: 'data_subject_review' }, officer)).body.status).toBe(
      'in_review',
    );
    expect((await after(approved)).status).toBe('in_review');
  });
});

describe('a person has to look', () => {
  it.each([
    ['where the policy does not approve by itself', { autoApprove: false }, {}],
    [
      'where a check is required that nobody has established',
      { requiredChecks: { basic: [...BASIC, 'legal_bases_recorded'] } },
      {},
    ],
    ['at a public office', {}, exposed],
    ['where two people decide at low risk', { fourEyes: { levels: ['low'] } }, {}],
  ])('%s', async (_, policy, body) => {
    const { screened, after } = await automatic(policy);
    expect(await after(await screened(body))).toMatchObject({ status: 'in_review', decisions: [] });
  });

  it('if nobody was screened, whatever the policy requires and whoever it lets be approved by one', async () => {
    const { submitted, after } = await automatic({ fourEyes: { onNotScreened: false } });
    const application = await submitted();
    expect(await after(application)).toMatchObject({ status: 'in_review', decisions: [] });
    await world.screened(application);
    expect((await after(application)).status).toBe('approved');
  });

  it('above low risk, and at whatever level of diligence if the risk is low', async () => {
    const { tenant, after, screened } = await automatic({ requiredChecks: { basic: BASIC, standard: BASIC } });
    const medium = await screened({ applicant: { nationality: 'IR' } });
    expect([medium.riskLevel, (await after(medium)).status]).toEqual(['medium', 'in_review']);
    const as = await tenant.key(['read', 'write']);
    const {
      body: { id },
    } = await world.create(
      {
        purpose: 'account_opening',
        level: 'standard',
        applicant: {
          ...unlisted,
          taxId: { type: 'cpf', value: newCpf() },
          address: {
            line1: 'Rua 1',
            city: 'Recife',
            state: 'PE',
            country: 'BR',
          },
        },
      },
      as,
    );
    await world.upload(id, jpeg({ text: id }), {}, as);
    expect((await world.request('POST', `/v1/applications/${id}/submit`, { as })).status).toBe(202);
    await world.screened((await world.get(id, as)).body, as);
    expect((await after({ id })).status).toBe('approved');
  });

  it('also if a document is shared with another application', async () => {
    const { tenant, after } = await automatic();
    const as = await tenant.key(['read', 'write']);
    const draft = async () =>
      (
        await world.create(
          {
            purpose: 'account_opening',
            level: 'basic',
            applicant: { ...unlisted, taxId: { type: 'cpf', value: newCpf() } },
          },
          as,
        )
      ).body.id;
    const [one, other] = [await draft(), await draft()];
    for (const id of [one, other]) await world.upload(id, jpeg({ text: 'the same for both' }), {}, as);
    for (const id of [one, other]) {
      await world.request('POST', `/v1/applications/${id}/submit`, { as });
      await world.screened((await world.get(id, as)).body, as);
    }
    expect([(await after({ id: one })).status, (await after({ id: other })).status]).toEqual(['approved', 'in_review']);
  });

  it('if a person acted first: a withdrawn application stays withdrawn', async () => {
    const { tenant, screened, after } = await automatic();
    const application = await screened();
    await world.request('POST', `/v1/applications/${application.id}/withdraw`, {
      as: await tenant.key(['read', 'write']),
      body: { reasonCode: 'applicant_request' },
    });
    expect(await after(application)).toMatchObject({ status: 'withdrawn', decisions: [] });
  });
});
