/** API tests of numbers of a subject that agree with those of an own list, or contradict them. */
import { describe, expect, it } from 'vitest';
import { type Answer, shared } from '../support/service.ts';
import { startOwnListWorld } from './own-lists-world.ts';
import type { Refusal, Screening } from './screenings-world.ts';

const world = await shared(startOwnListWorld());
const { replace, person, screen } = world;
const NAME = 'Ubirajara Quintanilha Sorocaba';
const rerun = (id: string): Promise<Answer<Screening & Refusal>> =>
  world.request('POST', `/v1/screenings/${id}/rerun`, { as: world.key, body: {} });
/** Uploads a list with the column of numbers, which others may leave out. */
const replaceWithNumbers = (rows: readonly string[]) =>
  replace(
    Buffer.from(
      ['key,type,name,aliases,date_of_birth,countries,tax_id,category,remarks,identifiers', ...rows].join('\n'),
    ),
  );
/** Returns the reasons that are not about the name. */
const reasonsIn = (features: Screening['hits'][number]['features']): string[] =>
  features.flatMap(({ name, reason }) => (name === 'modifier' || name === 'identifier' ? [reason] : []));

describe('a screening by numbers', () => {
  it.each([
    ['passport', 'person', 'passport BR YA123456', 'ya 123.456'],
    ['national_id', 'person', 'national_id BR 123456789', '12.345.678-9'],
    ['tax_number', 'organisation', 'tax_number BR BE0430033662', '0430.033.662'],
    ['registration_number', 'organisation', 'registration_number BR 01177053', '1177053'],
    ['lei', 'organisation', 'lei 529900T8BM49AURSDO55', '5299 00T8 BM49 AURS DO55'],
    ['bic', 'organisation', 'bic DEUTDEFFXXX', 'DEUTDEFF'],
    ['imo', 'vessel', 'imo 9074729', 'IMO 9074729'],
    ['mmsi', 'vessel', 'mmsi 572469210', '572469210'],
    ['aircraft_registration', 'aircraft', 'aircraft_registration EP-GOM', 'EPGOM'],
    [
      'wallet',
      'organisation',
      'wallet 0x098b716b8aaf21512996dc57eb0615e2383e2f96',
      '0x098B716B8AaF21512996dC57EB0615e2383E2f96',
    ],
    ['other', 'organisation', 'other BR AB-778899', 'ab778899'],
  ])('finds an entity of another name by a number of the kind %s', async (kind, type, listed, value) => {
    await replaceWithNumbers([`n-1,${type},Estrela Quintanilha,,,,,,,${listed}`]);
    const identifiers = [{ kind, value, country: 'BR' }];
    const { body } = await screen({ subject: { type, names: ['Padaria Aurora'], identifiers } });
    expect(body.subject.type).toBe(type);
    expect(
      body.hits.map(({ score, band, entity, features }) => [score, band, entity.type, reasonsIn(features)]),
    ).toEqual([[0.97, 'identifier', type, [kind]]]);
    expect((await rerun(body.id)).body.hits).toHaveLength(1);
  });

  it('says that ships with other IMO numbers, and companies with other LEIs, are others', async () => {
    await replaceWithNumbers([
      'v-1,vessel,Estrela Quintanilha,,,,,,,imo 9074729',
      'o-1,organisation,Jacaranda Sorocaba,,,,,,,lei 529900T8BM49AURSDO55',
    ]);
    const reasonsFor = async (type: string, name: string, kind: string, value: string): Promise<unknown> =>
      (
        await screen({
          subject: { type, names: [name], identifiers: [{ kind, value }] },
          criteria: { threshold: 0.5 },
        })
      ).body.hits.map(({ features }) => reasonsIn(features));
    expect(await reasonsFor('vessel', 'Estrela Quintanilha', 'imo', '9321483')).toEqual([['imo_differs']]);
    expect(await reasonsFor('organisation', 'Jacaranda Sorocaba', 'lei', '7LTWFZYICNSX8D621K86')).toEqual([
      ['lei_differs'],
    ]);
  });
});

describe('a decision about a hit', () => {
  const adjudicate = ({ body }: Answer<Screening>, status: string) =>
    world.request<Screening['hits'][number]>('POST', `/v1/screenings/${body.id}/hits/${body.hits[0]!.id}/adjudicate`, {
      as: world.analyst,
      body: { status, reasonCode: 'other', note: 'Compared with the passport.' },
    });

  it('is open again if the subject has further numbers, because the decision was made without them', async () => {
    await replaceWithNumbers([`a-1,person,${NAME},,,,,,,passport BR YA123456`]);
    const first = await person(NAME);
    expect((await adjudicate(first, 'false_positive')).status).toBe(200);
    const same = await rerun(first.body.id);
    expect(same.body.hits).toMatchObject([{ status: 'false_positive' }]);
    const identifiers = [{ kind: 'passport', value: 'YA123456', country: 'BR' }];
    const other = await person(NAME, { identifiers });
    expect(other.body.hits).toMatchObject([{ status: 'open', band: 'identifier', score: 1 }]);
  });
});
