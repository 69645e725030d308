/** Tests of the screenings that are refused, and of names and lists that must not weaken a screening unnoticed. */
import { describe, expect, it } from 'vitest';
import { newApplication } from '../operations/application-records.ts';
import { refused } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { LISTED, startScreeningWorld } from './screenings-world.ts';

const logged: string[] = [];
const world = await shared(startScreeningWorld({ log: (line) => logged.push(line) }));
const screeningCount = async (): Promise<number> =>
  (await world.database.sql<{ count: number }>('SELECT count(*)::integer AS count FROM screening'))[0]!.count;

describe('a screening is refused', () => {
  it.each<[string, object, [number, string], string | undefined]>([
    [
      'for a name of emoji only',
      { subject: { type: 'person', names: ['🙂🙂🙂'] } },
      [422, 'name_not_screenable'],
      '/subject/names/0',
    ],
    [
      'for a second name of digits only',
      { subject: { type: 'person', names: ['Ana Reis', '12345'] } },
      [422, 'name_not_screenable'],
      '/subject/names/1',
    ],
    [
      'for a name of 300 letters',
      { subject: { type: 'person', names: ['a'.repeat(300)] } },
      [422, 'validation_failed'],
      '/subject/names/0',
    ],
    [
      'for a name of one letter',
      { subject: { type: 'person', names: ['a'] } },
      [422, 'validation_failed'],
      '/subject/names/0',
    ],
    [
      'for a name with a character that reverses the direction of writing',
      { subject: { type: 'person', names: ['Ana\u202eReis'] } },
      [422, 'validation_failed'],
      '/subject/names/0',
    ],
    [
      'for eleven names',
      { subject: { type: 'person', names: Array.from({ length: 11 }, (_, index) => `Ana ${'abcdefghijk'[index]}x`) } },
      [422, 'validation_failed'],
      '/subject/names',
    ],
    ['without a name', { subject: { type: 'person', names: [] } }, [422, 'validation_failed'], '/subject/names'],
    ['without a subject', {}, [422, 'validation_failed'], '/subject'],
    [
      'for a CPF with wrong check digits',
      { subject: { ...LISTED, taxId: '52998224726' } },
      [422, 'validation_failed'],
      '/subject/taxId',
    ],
    [
      'for a CPF that is never issued, in the live environment',
      { subject: { ...LISTED, taxId: '22222222222' } },
      [422, 'validation_failed'],
      '/subject/taxId',
    ],
    [
      'for an organisation with a date of birth',
      { subject: { type: 'organisation', names: ['Aurora Ltda'], dateOfBirth: '1961-04-02' } },
      [422, 'validation_failed'],
      '/subject/type',
    ],
    [
      'for a year of birth that contradicts the date of birth',
      { subject: { ...LISTED, yearOfBirth: 1962 } },
      [422, 'validation_failed'],
      '/subject/yearOfBirth',
    ],
    [
      'for a date of birth that does not exist',
      { subject: { ...LISTED, dateOfBirth: '1961-02-30' } },
      [422, 'validation_failed'],
      '/subject/dateOfBirth',
    ],
    ...(
      [
        ['imo', '9074728'],
        ['lei', '529900T8BM49AURSDO56'],
        ['bic', 'DEUT3EFF'],
        ['mmsi', '12345678'],
        ['passport', '1 2-3.4'],
      ] as const
    ).map(([kind, value]): [string, object, [number, string], string] => [
      `for a number of the kind ${kind} that is none: ${value}`,
      { subject: { ...LISTED, identifiers: [{ kind, value }] } },
      [422, 'validation_failed'],
      '/subject/identifiers/0/value',
    ]),
    [
      'for a number of an unknown kind',
      { subject: { ...LISTED, identifiers: [{ kind: 'cpf', value: '52998224725' }] } },
      [422, 'validation_failed'],
      '/subject/identifiers/0/kind',
    ],
    [
      'for a ship with a tax number',
      { subject: { type: 'vessel', names: ['Mar Azul'], taxId: '11222333000181' } },
      [422, 'validation_failed'],
      '/subject/taxId',
    ],
    [
      'for an aircraft with a year of birth',
      { subject: { type: 'aircraft', names: ['Mar Azul'], yearOfBirth: 1992 } },
      [422, 'validation_failed'],
      '/subject/type',
    ],
    ['against an unknown list', { subject: LISTED, lists: ['un-csnu', 'my-list'] }, [422, 'unknown_list'], '/lists/1'],
    [
      'without the mandatory list',
      { subject: LISTED, lists: ['ofac-sdn'] },
      [422, 'mandatory_list_excluded'],
      '/lists',
    ],
    ['against no list', { subject: LISTED, lists: [] }, [422, 'validation_failed'], '/lists'],
    [
      'with a threshold below the minimum',
      { subject: LISTED, criteria: { threshold: 0.49 } },
      [422, 'validation_failed'],
      '/criteria/threshold',
    ],
    [
      'with a threshold above the maximum',
      { subject: LISTED, criteria: { threshold: 1.01 } },
      [422, 'validation_failed'],
      '/criteria/threshold',
    ],
    [
      'with a tolerance above two years for the date of birth',
      { subject: LISTED, criteria: { dobToleranceYears: 3 } },
      [422, 'validation_failed'],
      '/criteria/dobToleranceYears',
    ],
    [
      'for an application that does not exist',
      { applicationId: '0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21' },
      [404, 'not_found'],
      undefined,
    ],
  ])('%s', async (_, body, expected, pointer) => {
    const before = await screeningCount();
    const answer = await world.screen(body);
    expect(refused(answer)).toEqual(expected);
    expect(answer.body.errors?.map((error) => error.pointer)).toEqual(pointer === undefined ? undefined : [pointer]);
    expect(await screeningCount()).toBe(before);
  });

  it('for a name with NUL, which no JSON of this service may contain', async () => {
    expect(refused(await world.person('Ana\u0000Reis'))).toEqual([400, 'malformed_json']);
  });

  it('for an application of another tenant and for an erased one', async () => {
    const theirs = await newApplication(world, world.other);
    expect(refused(await world.screen({ applicationId: theirs }))).toEqual([404, 'not_found']);
    const ours = await newApplication(world, world.acme);
    const {
      body: { id },
    } = await world.screen({ applicationId: ours });
    const officer = await world.acme.user('compliance_officer', { secondFactor: true });
    expect(
      (
        await world.request('POST', `/v1/applications/${ours}/withdraw`, {
          as: world.key,
          body: { reasonCode: 'applicant_request' },
        })
      ).status,
    ).toBe(200);
    expect(
      (
        await world.request('POST', `/v1/applications/${ours}/erase`, {
          as: officer,
          body: { reason: 'data_subject_request' },
        })
      ).status,
    ).toBeLessThan(300);
    expect(refused(await world.screen({ applicationId: ours }))).toEqual([410, 'erased']);
    expect(refused(await world.get(id))).toEqual([410, 'erased']);
    expect((await world.list('limit=100')).body.items.map((item) => item.id)).not.toContain(id);
  });

  it('beyond the daily quota of a tenant', async () => {
    const tenant = await world.tenant();
    await world.database.sql(`UPDATE tenant SET quotas = '{"screeningsPerDay": 2}' WHERE id = $1`, [tenant.id]);
    const [as, test] = [await tenant.key(['screening']), await tenant.key(['screening'], { environment: 'test' })];
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => world.person('Ana Reis', {}, as)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
    expect(refused(await world.person('Ana Reis', {}, as))).toEqual([409, 'quota_exceeded']);
    await world.database.sql('UPDATE tenant SET sandbox_enabled = true, sandbox_enabled_at = now() WHERE id = $1', [
      tenant.id,
    ]);
    expect((await world.person('Ana Reis', {}, test)).status).toBe(201);
  });
});

describe('a name', () => {
  it('is found in spite of look-alike letters, digits and another order of words', async () => {
    for (const name of [
      'S\u0435rgei Listado Petrov',
      'Sergei Lıstado Petrov',
      'SERGEI LISTADO PETR0V',
      'Petrov, Sergei Listado',
    ]) {
      expect((await world.person(name)).body.result, name).toBe('open_hits');
    }
  });
});

describe('a list without a current version', () => {
  it('refuses the screening if no version of it was ever imported', async () => {
    await world.database.sql(`DELETE FROM watch_list_file WHERE environment = 'live' AND list_id = 'eu-fsf'`);
    await world.database.sql(`DELETE FROM watch_list_version WHERE environment = 'live' AND list_id = 'eu-fsf'`);
    const answer = await world.screen({ subject: LISTED, lists: ['un-csnu', 'eu-fsf'] });
    expect([refused(answer), answer.body.detail]).toEqual([
      [409, 'provider_not_configured'],
      'No version of these lists was imported: eu-fsf.',
    ]);
    expect((await world.screen({ subject: LISTED, lists: ['un-csnu'] })).status).toBe(201);
  });

  it('is named in the result if it is out of date', async () => {
    await world.database.sql(
      `UPDATE watch_list_version SET checked_at = now() - interval '25 hours'
        WHERE environment = 'live' AND list_id = 'ofac-sdn'`,
    );
    const { body } = await world.screen({ subject: LISTED });
    expect(body.staleLists).toEqual(['ofac-sdn']);
    expect((await world.list('hasStaleLists=true')).body.items.map(({ id }) => id)).toEqual([body.id]);
    expect((await world.screen({ subject: LISTED }, world.test)).body.staleLists).toEqual([]);
  });

  it('is reported to the operators in metrics, and once in the log, if it is out of date', async () => {
    const metrics = async (): Promise<string> => (await fetch(`${world.url}/metrics`)).text();
    await world.database.sql(
      `UPDATE watch_list_version SET checked_at = now() - CASE list_id WHEN 'uk-ofsi' THEN interval '25 hours'
        ELSE interval '1 hour' END WHERE environment = 'live'`,
    );
    const before = logged.length;
    for (let round = 0; round < 2; round++) expect(await world.running.runJob('lists.check')).toBe(1);
    expect(await metrics()).toContain('watch_list_stale{list="uk-ofsi"} 1');
    expect(await metrics()).toContain('watch_list_stale{list="un-csnu"} 0');
    expect(logged.slice(before).filter((line) => line.includes('a watch list is out of date'))).toHaveLength(1);
    await world.database.sql(`DELETE FROM watch_list_file WHERE environment = 'live' AND list_id = 'un-csnu'`);
    await world.database.sql(`DELETE FROM watch_list_version WHERE environment = 'live' AND list_id = 'un-csnu'`);
    expect(await world.running.runJob('lists.check')).toBe(2);
    world.advance(3_600_000);
    expect(await metrics()).not.toContain('watch_list_stale{');
  });
});
