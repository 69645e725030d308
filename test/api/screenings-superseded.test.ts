/** API tests of the link from a screening to the newer one of its subject. */
import { expect, it } from 'vitest';
import { refused } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { LISTED, type Refusal, type Screening, startScreeningWorld } from './screenings-world.ts';

const world = await shared(startScreeningWorld());

it('a screening names the newer one of its subject that supersedes it, when it is read and in lists, and refuses verdicts', async () => {
  const { body: first } = await world.screen({ subject: LISTED });
  const { body: other } = await world.screen({ subject: LISTED });
  expect([first.supersededById, other.supersededById]).toEqual([null, null]);
  const rerun = (id: string) =>
    world.request<Screening & Refusal>('POST', `/v1/screenings/${id}/rerun`, { as: world.key, body: {} });
  const { body: second } = await rerun(first.id);
  const { body: third } = await rerun(second.id);
  const expected = [
    [first.id, third.id],
    [second.id, third.id],
    [third.id, null],
    [other.id, null],
  ];
  const read = await Promise.all(expected.map(async ([id]) => (await world.get(id!)).body.supersededById));
  expect(read).toEqual(expected.map(([, newer]) => newer));
  for (const as of [world.key, await world.acme.key(['read'], { personalData: 'masked' })]) {
    const {
      body: { items },
    } = await world.list('limit=100', as);
    expect(expected.map(([id]) => items.find((item) => item.id === id)?.supersededById)).toEqual(
      expected.map(([, newer]) => newer),
    );
  }
  const verdict = await world.request('POST', `/v1/screenings/${first.id}/hits/${first.hits[0]!.id}/adjudicate`, {
    as: world.analyst,
    body: { status: 'inconclusive', reasonCode: 'insufficient_data', note: 'Nothing but the name is known.' },
  });
  expect(refused(verdict)).toEqual([409, 'hit_superseded']);
});

it('a screening of an application is superseded by the next one of the same application alone', async () => {
  const write = await world.acme.key(['write', 'screening', 'read']);
  const apply = async (): Promise<string> =>
    (
      await world.request<{ id: string }>('POST', '/v1/applications', {
        as: write,
        body: { purpose: 'account_opening', applicant: { fullName: 'Rosalva Quintiliano Prado' } },
      })
    ).body.id;
  const [one, two] = [await apply(), await apply()];
  const screened = async (applicationId: string): Promise<string> =>
    (await world.screen({ applicationId }, write)).body.id;
  const [first, elsewhere, second] = [await screened(one), await screened(two), await screened(one)];
  const of = async (id: string) => (await world.get(id, write)).body.supersededById;
  expect([await of(first), await of(elsewhere), await of(second)]).toEqual([second, null, null]);
});
