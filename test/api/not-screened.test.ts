/** API tests of approvals without a screening, which take two people. */
import { describe, expect, it } from 'vitest';
import { type Answer, type Credential, shared } from '../support/service.ts';
import { type Application, refusal } from './applications-world.ts';
import { rejection, startDecisionWorld, unlisted } from './decisions-world.ts';

const world = await shared(startDecisionWorld());
const screen = (
  applicationId: string,
  body: object = {},
  as: Credential = world.analyst,
): Promise<Answer<{ id: string; result: string }>> =>
  world.request('POST', '/v1/screenings', { as, body: { applicationId, ...body } });
const now = async ({ id }: Pick<Application, 'id'>): Promise<Application> => (await world.get(id)).body;

/** Situations in which an applicant seems to be screened but is not. */
const GAPS: readonly (readonly [string, (application: Application) => Promise<unknown>])[] = [
  ['nobody has screened the applicant', () => Promise.resolve()],
  [
    'somebody else was screened',
    ({ id }) => screen(id, { subject: { type: 'person', names: ['Quirino Zagalho Tapajós'] } }),
  ],
  ['fewer lists were searched', ({ id }) => screen(id, { lists: ['un-csnu'] })],
  ['a threshold was raised', ({ id }) => screen(id, { criteria: { threshold: 1 } })],
  ['relatives and associates were left out', ({ id }) => screen(id, { criteria: { includeRca: false } })],
  ['former office holders were left out', ({ id }) => screen(id, { criteria: { includeFormerPep: false } })],
  [
    'a whole screening was followed by one of less',
    async ({ id }) => {
      await screen(id);
      await screen(id, { lists: ['un-csnu'] });
    },
  ],
];

describe('an approval', () => {
  it.each(GAPS)('takes two people if %s, and the signals of the application say so before', async (_, arrange) => {
    const submitted = await world.submitted();
    await arrange(submitted);
    const application = await now(submitted);
    expect(application.signals).toEqual(['not_screened']);
    const { status, body: decision } = await world.decide(application);
    expect([status, decision.status, decision.fourEyesReasons]).toEqual([202, 'pending_review', ['not_screened']]);
    expect((await world.review(application, decision)).body.status).toBe('effective');
  });

  it('takes one person if the applicant was screened with the present data, on all lists of the settings', async () => {
    const application = await world.screened(await world.submitted());
    expect(application.signals).toEqual([]);
    expect([(await world.decide(application)).status, (await now(application)).status]).toEqual([200, 'approved']);
  });

  it('takes two again if the applicant becomes a different person', async () => {
    const application = await world.inReview();
    await world.ask(application);
    await world.request('PATCH', `/v1/applications/${application.id}`, {
      as: world.key,
      body: { applicant: { dateOfBirth: '1990-04-13' } },
    });
    await world.request('POST', `/v1/applications/${application.id}/submit`, { as: world.key });
    const changed = await now(application);
    expect([changed.signals, (await world.decide(changed)).body.fourEyesReasons]).toEqual([
      ['not_screened'],
      ['not_screened'],
    ]);
  });

  it('by a key takes a person too', async () => {
    const application = await world.submitted();
    expect((await world.decide(application, {}, world.key)).body).toMatchObject({
      status: 'pending_review',
      fourEyesReasons: ['not_screened'],
    });
  });
});

it('a rejection takes one person, screened or not', async () => {
  expect((await world.decide(await world.submitted(), rejection)).body).toMatchObject({
    status: 'effective',
    fourEyesReasons: [],
  });
});

it('a draft has no signals, and readers who see persons masked get none', async () => {
  const { body: draft } = await world.create({ purpose: 'account_opening', applicant: unlisted });
  expect(draft.signals).toEqual([]);
  const { id } = await world.submitted();
  expect(
    (await world.get(id, await world.acme.key(['read'], { personalData: 'masked' }))).body.signals,
  ).toBeUndefined();
});

it('turning that off requires a person with a second factor, and the signal stays', async () => {
  const tenant = await world.tenant();
  const [key, analyst] = [await tenant.key(['read', 'write']), await tenant.user('analyst')];
  const { body, headers } = await world.request<{ decisionPolicy: { fourEyes: object } }>('GET', '/v1/settings', {
    as: await tenant.key(['admin']),
  });
  expect(body.decisionPolicy.fourEyes).toMatchObject({ onNotScreened: true });
  const change = {
    body: { decisionPolicy: { fourEyes: { onNotScreened: false } } },
    headers: { 'If-Match': headers.get('etag') ?? '' },
  };
  expect(refusal(await world.request('PATCH', '/v1/settings', { as: await tenant.key(['admin']), ...change }))).toEqual(
    [403, 'human_required'],
  );
  await world.setPolicy(tenant, { fourEyes: { onNotScreened: false } });
  const application = await world.submitted({}, key);
  expect([application.signals, (await world.decide(application, {}, analyst)).status]).toEqual([['not_screened'], 200]);
});
