/** API tests that a reader of masked data cannot confirm a guess about a person by any answer. */
import { describe, expect, it } from 'vitest';
import { newCpf } from '../support/cpf.ts';
import { type Answer, type Credential, shared } from '../support/service.ts';
import { type Application, person, type Refusal, refusal } from './applications-world.ts';
import { rejection, startDecisionWorld } from './decisions-world.ts';
import type { Screening } from './screenings-world.ts';

const world = await shared(startDecisionWorld());
const masked = await world.acme.key(['read', 'write', 'screening'], { personalData: 'masked' });
await world.setPolicy(world.acme, { requiredChecks: { basic: ['adverse_media_clear', 'screening_clear'] } });

/** A name that is on no list. */
const NAME = 'Quirino Zagalho Tapajós';
const APPLICANT = {
  ...person,
  fullName: NAME,
  email: 'maria@example.com',
  address: {
    line1: 'Rua das Flores',
    city: 'Curitiba',
    state: 'PR',
    postalCode: '80010000',
    country: 'BR',
  },
  pepDeclaration: { isPep: false, since: '2021-01-01', until: '2024-12-31' },
};
const patch = (id: string, applicant: object, as: Credential = masked): Promise<Answer<Application & Refusal>> =>
  world.request('PATCH', `/v1/applications/${id}`, { as, body: { applicant } });
const timeline = async (id: string): Promise<readonly { members: readonly string[] }[]> =>
  (await world.request<{ items: { members: string[] }[] }>('GET', `/v1/applications/${id}/timeline`, { as: masked }))
    .body.items;
const at = () => world.running.services.clock().toISOString();

/** Creates a draft of a person who was screened and looked up. */
async function established(): Promise<string> {
  const { id } = await world.complete({ applicant: { ...APPLICANT, taxId: { type: 'cpf', value: newCpf() } } });
  const attested = await world.request('POST', `/v1/applications/${id}/attestations`, {
    as: world.analyst,
    body: {
      requirementKey: 'adverse_media_clear',
      outcome: 'pass',
      source: 'News',
      lookedUpAt: at(),
      note: 'Nothing was found.',
    },
  });
  const screened = await world.request('POST', '/v1/screenings', { as: masked, body: { applicationId: id } });
  expect([attested.status, screened.status]).toEqual([201, 201]);
  return id;
}

/** Returns every answer about an application to a masked reader, without what differs between any two applications. */
async function answersAbout(id: string): Promise<unknown> {
  const {
    body: {
      id: _id,
      applicant: { taxId: _taxId, ...applicant },
      ...application
    },
  } = await world.get(id, masked);
  const answered = JSON.stringify([application, applicant, (await timeline(id)).map(({ members }) => members)]);
  return JSON.parse(
    answered.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '(id)').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(time)'),
  );
}

describe('a reader who sees persons masked', () => {
  it('gets no evidence digest: of an application, of a decision, or from the log', async () => {
    const application = await world.inReview();
    const { body: decision } = await world.decide(application, rejection);
    const { body, text } = await world.get(application.id, masked);
    expect([application.evidenceDigest, decision.evidenceDigest]).toEqual([
      expect.stringMatching(/^sha256:/),
      application.evidenceDigest,
    ]);
    expect([body.decisions?.map(({ id }) => id), text.includes('evidenceDigest')]).toEqual([[decision.id], false]);
    const log = await world.request('GET', `/v1/audit/events?resourceId=${decision.id}`, {
      as: await world.acme.user('admin'),
    });
    expect([log.status, log.text.includes('decision.proposed'), log.text.includes('sha256:')]).toEqual([
      200,
      true,
      false,
    ]);
  });

  it.each<[string, object, object]>([
    ['the date of birth', { dateOfBirth: person.dateOfBirth }, { dateOfBirth: '1991-05-13' }],
    ['the name', { fullName: NAME }, { fullName: 'Quintino Zagaia Taborda' }],
    ['the e-mail address', { email: APPLICANT.email }, { email: 'mario@example.com' }],
    ['a whole address', { address: APPLICANT.address }, { address: { ...APPLICANT.address, postalCode: '80020000' } }],
    [
      'a whole declaration',
      { pepDeclaration: APPLICANT.pepDeclaration },
      { pepDeclaration: { ...APPLICANT.pepDeclaration, until: '2023-12-31' } },
    ],
  ])('cannot find out by overwriting it whether a guess agrees: %s', async (_, right, wrong) => {
    const [one, other] = [await established(), await established()];
    const answers = [await patch(one, right), await patch(other, wrong)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await answersAbout(other)).toEqual(await answersAbout(one));
    expect((await timeline(one))[0]!.members).toEqual(Object.keys(right).map((name) => `/applicant/${name}`));
  });

  it('does not learn the subject of a screening or a look-up, while others do', async () => {
    const id = await established();
    await patch(id, { dateOfBirth: '1991-05-13' });
    const reasons = async (as: Credential) =>
      (await world.get(id, as)).body.requirements.items
        .filter(({ kind }) => kind === 'established')
        .map(({ key, reasonCode }) => [key, reasonCode]);
    expect(await reasons(world.key)).toEqual([
      ['adverse_media_clear', 'attestation_of_other_data'],
      ['screening_clear', 'screening_outdated'],
    ]);
    expect(await reasons(masked)).toEqual([
      ['adverse_media_clear', null],
      ['screening_clear', null],
    ]);
    const {
      body: { items },
    } = await world.request<{ items: Application[] }>('GET', '/v1/applications?limit=100', { as: masked });
    expect(items.find((item) => item.id === id)!.requirements).toEqual((await world.get(id, masked)).body.requirements);
  });

  it.each<[string, object, string[]]>([
    [
      'a postal code, by the country that it must fit',
      { address: { line1: 'Rua do Sol', city: 'Porto', country: 'PT' } },
      ['/applicant/address/postalCode'],
    ],
    [
      'a postal code, by the state',
      {
        address: {
          line1: 'Rua do Sol',
          city: 'Curitiba',
          state: 'PR',
          country: 'BR',
        },
      },
      ['/applicant/address/postalCode'],
    ],
    [
      'the end of an office, by its beginning',
      { pepDeclaration: { isPep: false, since: '2023-01-01' } },
      ['/applicant/pepDeclaration/until'],
    ],
  ])('cannot find out by what is refused together with it: %s', async (_, applicant, pointers) => {
    const id = await established();
    const before = await world.get(id);
    expect(refusal(await patch(id, applicant))).toEqual([
      403,
      'personal_data_masked',
      ...pointers.map((pointer) => `${pointer} personal_data_masked`),
    ]);
    expect((await world.get(id)).text).toBe(before.text);
  });

  it('changes nothing in the result by masked members, nor by members that are sent whole', async () => {
    const id = await established();
    for (const applicant of [
      { address: { ...APPLICANT.address, line1: 'Rua do Sol' } },
      { address: null },
      { pepDeclaration: { isPep: false } },
      { taxId: { type: 'cpf', value: newCpf(), country: 'BR' } },
    ]) {
      expect((await patch(id, applicant)).status, JSON.stringify(applicant)).toBe(200);
    }
  });

  it('does not learn from decisions that are carried over whether a guess is right', async () => {
    const answers = await Promise.all(
      ['Quirino', 'Quintino'].map(async (guess) => {
        const {
          body: { id },
        } = await world.create({
          purpose: 'account_opening',
          level: 'basic',
          applicant: { fullName: 'Sergei Listado Petrov', socialName: 'Quirino', dateOfBirth: '1961-04-02' },
        });
        const screen = async () =>
          (await world.request<Screening>('POST', '/v1/screenings', { as: masked, body: { applicationId: id } })).body;
        const first = await screen();
        const decided = await world.request('POST', `/v1/screenings/${first.id}/hits/${first.hits[0]!.id}/adjudicate`, {
          as: world.officer,
          body: { status: 'inconclusive', reasonCode: 'insufficient_data', note: 'Nothing but the name is known.' },
        });
        expect([decided.status, (await screen()).hits[0]!.status]).toEqual([200, 'inconclusive']);
        await patch(id, { socialName: guess });
        const { hits, result, diff } = await screen();
        return {
          result,
          carried: diff?.carried,
          hits: hits.map(({ listId, status, score, decision, reopened }) => ({
            listId,
            status,
            score,
            decision,
            changes: reopened?.changes,
          })),
        };
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ result: 'open_hits', carried: [] });
    expect(answers[0]!.hits.filter(({ status, decision }) => status !== 'open' || decision !== null)).toEqual([]);
  });

  it('does not write the tax number of a renewal, which must equal that of the approval', async () => {
    await world.setPolicy(world.acme, { requiredChecks: { basic: ['identity_data', 'tax_id_valid'] } });
    const value = newCpf();
    const application = await world.inReview({ applicant: { taxId: { type: 'cpf', value } } });
    expect((await world.decide(application)).status).toBe(200);
    const {
      body: { id },
    } = await world.create({
      purpose: 'account_opening',
      renewsApplicationId: application.id,
      applicant: { fullName: 'Maria da Silva' },
    });
    for (const guess of [value, newCpf()])
      expect(refusal(await patch(id, { taxId: { type: 'cpf', value: guess, country: 'BR' } }))).toEqual([
        403,
        'personal_data_masked',
        '/applicant/taxId personal_data_masked',
      ]);
    expect((await patch(id, { taxId: { type: 'cpf', value, country: 'BR' } }, world.key)).status).toBe(200);
  });
});

describe('refusals of duplicates', () => {
  it('count as look-ups, after which every call that would look a number up is refused', async () => {
    const counted = await startDecisionWorld({ env: { RATE_LIMIT_LOOKUPS: '3' } });
    try {
      const key = await counted.acme.key(['read', 'write'], { personalData: 'masked' });
      const known = newCpf();
      await counted.inReview({ applicant: { taxId: { type: 'cpf', value: known } } });
      const submit = (value: string) =>
        counted.create(
          {
            purpose: 'account_opening',
            level: 'basic',
            submit: true,
            applicant: { ...person, taxId: { type: 'cpf', value } },
          },
          key,
        );
      for (let left = 3; left > 0; left--) {
        const { status, headers, body } = await submit(known);
        expect([status, body.code, body.existingId]).toEqual([409, 'duplicate_active_application', undefined]);
        expect(headers.get('ratelimit')).toContain(`"lookups";r=${left - 1};`);
        if (left > 1) expect((await submit(newCpf())).status).toBe(201);
      }
      for (const value of [known, newCpf()]) {
        const { status, headers, body } = await submit(value);
        expect([status, body.code, headers.has('retry-after')]).toEqual([429, 'rate_limited', true]);
      }
      // A draft looks nobody up, and other callers have quotas of their own.
      const {
        status,
        body: { id },
      } = await counted.create(
        {
          purpose: 'account_opening',
          level: 'basic',
          applicant: { ...person, taxId: { type: 'cpf', value: newCpf() } },
        },
        key,
      );
      expect(status).toBe(201);
      expect((await counted.request('POST', `/v1/applications/${id}/submit`, { as: key })).status).toBe(429);
      expect((await counted.request('POST', `/v1/applications/${id}/submit`, { as: counted.analyst })).status).toBe(
        202,
      );
    } finally {
      await counted.stop();
    }
  });
});
