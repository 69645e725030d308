/** Test that every SDK sends and reads CNPJs with letters as they are, in bodies, filters and pages. */
import { expect, it } from 'vitest';
import { each } from '../support/each.ts';
import { json, startRecorder } from './support/recorder.ts';
import { everySdk, operation } from './support/sdks.ts';

const NUMBER = '12ABC34501DE35';
/** Ways of writing the number that people use. */
const WRITTEN = [NUMBER, '12.ABC.345/01DE-35', '12abc34501de35'];
const sdks = everySdk();
const recorder = await startRecorder();
const registration = { type: 'cnpj', number: NUMBER, country: 'BR' };
const business = { ...(operation('createBusiness').successes[0]!.example as object), registration };

recorder.answers((response, arrived) => {
  const cursor = new URL(arrived.target, recorder.url).searchParams.get('cursor');
  const page = { items: [business], cursor: cursor === null ? 'next' : null, hasMore: cursor === null };
  const answer = arrived.method === 'GET' ? json(200, page) : json(201, business);
  answer(response, arrived);
});

it.each(sdks.map((sdk) => [sdk.name, sdk] as const))('%s sends and reads CNPJs with letters', async (_name, sdk) => {
  const client = await sdk.open({ baseUrl: recorder.url, apiKey: 'kyc_test_Abcdefgh_secret', maxRetries: 0 });
  for (const number of each(WRITTEN)) {
    recorder.arrived.length = 0;
    const created = await client.call(operation('createBusiness'), {
      body: { legalName: 'Padaria Aurora Ltda', legalForm: 'ltda', registration: { type: 'cnpj', number } },
    });
    expect(created).toMatchObject({ ok: true, value: { registration: { number: NUMBER } } });
    expect(JSON.parse(recorder.arrived[0]!.body.toString())).toMatchObject({ registration: { number } });
    recorder.arrived.length = 0;
    const [pages, failure] = await client.walk(
      operation('listBusinesses'),
      { query: { registrationNumber: number, limit: 1 } },
      5,
    );
    expect(failure).toBeNull();
    expect(pages.flatMap(({ items }) => items)).toMatchObject([{ registration }, { registration }]);
    const asked = recorder.arrived.map(({ target }) => new URL(target, recorder.url).searchParams);
    expect(asked.map((query) => [query.get('registrationNumber'), query.get('cursor')])).toEqual([
      [number, null],
      [number, 'next'],
    ]);
  }
  await client.close();
});
