/** Tests of the catalogue of reasons: which reason is accepted for which decision, verdict, triage or waiver. */
import { describe, expect, it } from 'vitest';
import { type Answer, type Credential, shared } from '../support/service.ts';
import { type Refusal, refusal, type Schemas } from './applications-world.ts';
import { approval, rejection, startDecisionWorld, unlisted } from './decisions-world.ts';
import type { Screening } from './screenings-world.ts';

type Rule = Schemas['ReasonRule'];
type Hit = Schemas['ScreeningHit'];

const world = await shared(startDecisionWorld());
const settings = (section = 'decisionPolicy') =>
  world.request<Required<Schemas['TenantSettings']>>('GET', `/v1/settings?section=${section}`, { as: world.analyst });
const {
  body: {
    decisionPolicy: { reasonCatalogue, reasonCodes },
  },
} = await settings();

const NOBODY = '00000000-0000-7000-8000-000000000000';
const NOTE = 'Compared with the passport that we hold, page by page and date by date.';
const SHORT = 'Short';
const send = (path: string, as: Credential, body: object): Promise<Answer<Refusal>> =>
  world.request<Refusal>('POST', path, { as, body });

/**
 * For each subject of a reason, its outcomes and a request that sends a reason. The note is too short, so every request
 * is refused without effect, and its errors tell whether the reason was refused, too.
 */
const SUBJECTS: Readonly<
  Record<
    string,
    {
      readonly outcomes: readonly string[];
      readonly pointer: string;
      readonly send: (outcome: string, code: string) => Promise<Answer<Refusal>>;
    }
  >
> = {
  decision: {
    outcomes: ['approve', 'reject'],
    pointer: '/reasonCodes/0',
    send: (outcome, code) =>
      send(`/v1/applications/${NOBODY}/decisions`, world.analyst, {
        outcome,
        ...(outcome === 'reject' && { rejectType: 'final' }),
        reasonCodes: [code],
        note: SHORT,
        evidenceDigest: `sha256:${'0'.repeat(64)}`,
      }),
  },
  hit: {
    outcomes: ['true_positive', 'false_positive', 'inconclusive'],
    pointer: '/reasonCode',
    send: (status, reasonCode) =>
      send(`/v1/screenings/${NOBODY}/hits/${NOBODY}/adjudicate`, world.analyst, { status, reasonCode, note: SHORT }),
  },
  alert: {
    outcomes: ['acknowledge', 'dismiss', 'escalate', 'resolve'],
    pointer: '/reasonCode',
    send: (outcome, reasonCode) =>
      send(`/v1/monitoring/alerts/${NOBODY}/triage`, world.officer, { outcome, reasonCode, note: SHORT }),
  },
  case: {
    outcomes: ['cleared', 'false_positive', 'confirmed_risk', 'no_action', 'exit_relationship'],
    pointer: '/reasonCodes/0',
    send: (outcome, reasonCode) =>
      send(`/v1/cases/${NOBODY}/resolve`, world.officer, {
        outcome,
        reasonCodes: [reasonCode],
        note: SHORT,
        evidenceDigest: `sha256:${'0'.repeat(64)}`,
      }),
  },
  waiver: {
    outcomes: ['granted', 'revoked'],
    pointer: '/reasonCode',
    send: (action, reasonCode) =>
      send(`/v1/applications/${NOBODY}/waivers`, world.officer, {
        action,
        requirementKey: 'address',
        reasonCode,
        note: SHORT,
      }),
  },
};
const combinations = reasonCatalogue.flatMap((rule) =>
  SUBJECTS[rule.subject]!.outcomes.map((outcome) => ({ ...rule, outcome, isAllowed: rule.outcomes.includes(outcome) })),
);

describe('the reason catalogue', () => {
  it.each(combinations)(
    'accepts a reason only for its own outcomes: $subject $code for $outcome',
    async ({ subject, code, outcome, isAllowed }) => {
      const { pointer, send: sendReason } = SUBJECTS[subject]!;
      expect(refusal(await sendReason(outcome, code)).sort()).toEqual(
        [422, 'validation_failed', '/note too_short', ...(isAllowed ? [] : [`${pointer} not_for_outcome`])].sort(),
      );
    },
  );

  it('contains every decision code, and at least one reason for each outcome of each subject', () => {
    const known = (subject: string) =>
      reasonCatalogue
        .filter((rule) => rule.subject === subject)
        .map(({ code }) => code)
        .sort();
    expect(known('decision')).toEqual([...reasonCodes].sort());
    expect(
      reasonCatalogue.filter(
        ({ subject, outcomes }) =>
          outcomes.length === 0 || !outcomes.every((outcome) => SUBJECTS[subject]!.outcomes.includes(outcome)),
      ),
    ).toEqual([]);
    for (const [subject, { outcomes }] of Object.entries(SUBJECTS))
      for (const outcome of outcomes)
        expect(
          reasonCatalogue.filter((rule) => rule.subject === subject && rule.outcomes.includes(outcome)).length,
          `${subject} ${outcome}`,
        ).toBeGreaterThan(0);
  });

  it('does not restrict reason codes of the tenant, which are accepted for approvals and rejections', async () => {
    const tenant = await world.tenant();
    await world.setPolicy(tenant, { reasonCodes: ['fine', 'document_fraud'] });
    const [key, analyst] = [await tenant.key(['read', 'write']), await tenant.user('analyst')];
    expect(
      refusal(await world.decide(await world.inReview({}, key), { reasonCodes: ['fine', 'document_fraud'] }, analyst)),
    ).toEqual([422, 'validation_failed', '/reasonCodes/1 not_for_outcome']);
    for (const body of [approval, rejection])
      expect(
        (await world.decide(await world.inReview({}, key), { ...body, reasonCodes: ['fine'] }, analyst)).status,
      ).toBe(200);
  });

  it('leaves the application unchanged if it refuses a reason', async () => {
    const application = await world.inReview();
    expect(
      refusal(await world.decide(application, { reasonCodes: ['sanctions_match', 'identity_confirmed'] })),
    ).toEqual([422, 'validation_failed', '/reasonCodes/0 not_for_outcome']);
    expect((await world.get(application.id)).body).toEqual(application);
    expect(
      refusal(
        await send(`/v1/applications/${application.id}/waivers`, world.officer, {
          action: 'revoked',
          requirementKey: 'address',
          reasonCode: 'not_obtainable',
          note: NOTE,
        }),
      ),
    ).toEqual([422, 'validation_failed', '/reasonCode not_for_outcome']);
    expect((await world.get(application.id)).body).toEqual(application);
  });
});

describe('a hit reason that presumes a difference between the subject and the list entry', () => {
  const LISTED = { type: 'person', names: ['Sergei Listado Petrov'] } as const;
  const hitOf = async (subject: object): Promise<{ screening: Screening; hit: Hit }> => {
    const { body: screening } = await world.request<Screening>('POST', '/v1/screenings', {
      as: world.analyst,
      body: { subject: { ...LISTED, ...subject }, lists: ['un-csnu'], criteria: { threshold: 0.5 } },
    });
    return { screening, hit: screening.hits[0]! };
  };
  const adjudicate = (
    { screening, hit }: { screening: Screening; hit: Hit },
    reasonCode: string,
  ): Promise<Answer<Refusal>> =>
    send(`/v1/screenings/${screening.id}/hits/${hit.id}/adjudicate`, world.analyst, {
      status: 'false_positive',
      reasonCode,
      note: NOTE,
    });
  const reasonsWithPresumption: readonly Rule[] = reasonCatalogue.filter(({ presumes }) => presumes !== null);

  it('exists for date of birth, nationality, tax id and gender', () => {
    expect(reasonsWithPresumption.map(({ subject, code, presumes }) => [subject, code, presumes])).toEqual([
      ['hit', 'different_dob', 'date_of_birth'],
      ['hit', 'different_nationality', 'country'],
      ['hit', 'different_tax_id', 'tax_id'],
      ['hit', 'different_gender', 'gender'],
    ]);
  });

  it.each(reasonsWithPresumption)(
    'is refused if the subject or the entry lacks the compared value: $code',
    async ({ code }) => {
      const found = await hitOf({});
      expect(refusal(await adjudicate(found, code))).toEqual([
        422,
        'validation_failed',
        '/reasonCode presumption_failed',
      ]);
      expect(
        (await world.request<Screening>('GET', `/v1/screenings/${found.screening.id}`, { as: world.analyst })).body,
      ).toEqual(found.screening);
    },
  );

  it('is refused for any verdict but false_positive', async () => {
    const found = await hitOf({ dateOfBirth: '1990-10-31' });
    for (const status of ['true_positive', 'inconclusive']) {
      const answer = await send(`/v1/screenings/${found.screening.id}/hits/${found.hit.id}/adjudicate`, world.analyst, {
        status,
        reasonCode: 'different_dob',
        note: NOTE,
      });
      expect(refusal(answer)).toEqual([422, 'validation_failed', '/reasonCode not_for_outcome']);
    }
    expect(
      (await world.request<Screening>('GET', `/v1/screenings/${found.screening.id}`, { as: world.analyst })).body,
    ).toEqual(found.screening);
  });

  it('is refused if the values agree and accepted if they differ', async () => {
    const {
      hit: { entity },
    } = await hitOf({});
    const [dateOfBirth] = entity.datesOfBirth;
    expect(refusal(await adjudicate(await hitOf({ dateOfBirth }), 'different_dob'))).toEqual([
      422,
      'validation_failed',
      '/reasonCode presumption_failed',
    ]);
    expect(
      refusal(await adjudicate(await hitOf({ yearOfBirth: Number(dateOfBirth!.slice(0, 4)) }), 'different_dob')),
    ).toEqual([422, 'validation_failed', '/reasonCode presumption_failed']);
    expect((await adjudicate(await hitOf({ dateOfBirth: '1990-10-31' }), 'different_dob')).status).toBeLessThan(300);
    expect(
      refusal(await adjudicate(await hitOf({ countries: [entity.countries[0]] }), 'different_nationality')),
    ).toEqual([422, 'validation_failed', '/reasonCode presumption_failed']);
    expect(
      (
        await adjudicate(
          await hitOf({ countries: [entity.countries[0] === 'BR' ? 'PT' : 'BR'] }),
          'different_nationality',
        )
      ).status,
    ).toBeLessThan(300);
  });
});

describe('the reason catalogue in the settings', () => {
  it('cannot be changed, but may be sent back unchanged with the policy', async () => {
    const as = await world.acme.user('owner', { secondFactor: true });
    const {
      body: { decisionPolicy },
      headers,
    } = await settings();
    const patch = (policy: object, etag = headers.get('etag') ?? '') =>
      world.request<Refusal>('PATCH', '/v1/settings', {
        as,
        body: { decisionPolicy: policy },
        headers: { 'If-Match': etag },
      });
    const [first, ...others] = decisionPolicy.reasonCatalogue;
    for (const reasonCatalogue of [[], others, [{ ...first, outcomes: ['reject'] }, ...others]]) {
      expect(refusal(await patch({ reasonCatalogue }))).toEqual([
        422,
        'validation_failed',
        '/decisionPolicy/reasonCatalogue not_settable',
      ]);
    }
    expect((await patch(decisionPolicy)).status).toBe(200);
    const {
      body: { decisionPolicy: after },
    } = await settings();
    expect(after).toEqual(decisionPolicy);
    // A policy that was only sent back is the former policy.
    const { body: decision } = await world.decide(await world.inReview({ applicant: unlisted }));
    expect(decision.policyVersion).toBe(1);
  });
});
