/** API tests of names in which nothing can be compared. None may ever count as clear. */
import { describe, expect, it } from 'vitest';
import { newDecidedApplication } from '../operations/application-records.ts';
import { setSection } from '../support/onboarding.ts';
import { newCpf } from '../support/cpf.ts';
import { type Credential, shared } from '../support/service.ts';
import { type Application, person } from './applications-world.ts';
import { CLEAN } from './monitoring-world.ts';
import { startOwnListWorld } from './own-lists-world.ts';

// Names are written below the service, because it refuses them: they represent records from before this rule.
const world = await shared(startOwnListWorld());
await world.follow();
const { test, sandboxed } = world;

/** Marks that Unicode counts as letters, but that are no names. */
const NOTHING = ['ーー', 'ʻʼʻ', 'ـــ'];
const REFUSED = { status: 422, code: 'name_not_screenable' };

const application = async (id: string, as: Credential = test): Promise<Application> =>
  (await world.request<Application>('GET', `/v1/applications/${id}`, { as })).body;
/** Writes a person unsealed, as before persons were sealed, because such rows are still read. */
async function rename(id: string, fullName: string, as?: Credential): Promise<void> {
  await world.database.sql('UPDATE application SET full_name = $2, applicant = $3 WHERE id = $1', [
    id,
    fullName,
    JSON.stringify({ ...(await application(id, as)).applicant, fullName }),
  ]);
}
const requirement = async (id: string, key: string) =>
  (await application(id)).requirements.items.find((item) => item.key === key);
const create = (applicant: object, more: object = {}) =>
  world.request<Application>('POST', '/v1/applications', {
    as: test,
    body: {
      purpose: 'account_opening',
      level: 'basic',
      applicant: { ...person, taxId: { type: 'cpf', value: newCpf() }, ...applicant },
      ...more,
    },
  });

describe('a name in which nothing can be compared', () => {
  it.each(NOTHING)('is refused for a subject, for an applicant, as a social name and in a change: %s', async (name) => {
    expect((await world.screen({ subject: { type: 'person', names: ['Ana Reis', name] } }, test)).body).toMatchObject({
      ...REFUSED,
      errors: [{ pointer: '/subject/names/1', code: 'not_screenable', message: 'must have letters' }],
    });
    expect((await create({ fullName: name })).body).toMatchObject({
      ...REFUSED,
      errors: [{ pointer: '/applicant/fullName' }],
    });
    expect((await create({ socialName: name })).body).toMatchObject({
      ...REFUSED,
      errors: [{ pointer: '/applicant/socialName' }],
    });
    const {
      body: { id, version },
    } = await create({});
    expect(
      (await world.request('PATCH', `/v1/applications/${id}`, { as: test, body: { applicant: { fullName: name } } }))
        .body,
    ).toMatchObject({ ...REFUSED, errors: [{ pointer: '/applicant/fullName' }] });
    expect((await application(id)).version).toBe(version);
  });

  it("is refused on a list of one's own, by its line and column, and the list before stays", async () => {
    expect((await world.replace(['1,person,Anacleto Ferrugem,,,,,,'])).status).toBe(200);
    for (const [row, where] of [
      ['2,person,ーー,,,,,,', 'line 2, name'],
      ['2,person,Beltrano Ferrugem,Belo; ʻʼʻ,,,,,', 'line 2, aliases'],
    ] as const) {
      expect((await world.replace([row])).body).toMatchObject({
        ...REFUSED,
        errors: [{ pointer: '/file', code: 'not_screenable', message: `${where}: must have letters` }],
      });
    }
    expect((await world.listed())!.entryCount).toBe(1);
  });

  it('is never clear on an existing application: the screening says so at each run, and lists find it', async () => {
    const {
      body: { id },
    } = await create({});
    await rename(id, 'ーー');
    const { status, body: first } = await world.screen({ applicationId: id }, test);
    expect([status, first.result, first.hits]).toEqual([201, 'not_comparable', []]);
    const { body: again } = await world.request<typeof first>('POST', `/v1/screenings/${first.id}/rerun`, {
      as: test,
      body: {},
    });
    expect(again.result).toBe('not_comparable');
    expect((await world.list('result=not_comparable', test)).body.items.map((item) => item.id)).toEqual(
      expect.arrayContaining([first.id, again.id]),
    );
  });

  it('is not cleared by decisions about other hits', async () => {
    const {
      body: {
        id,
        applicant: { taxId },
      },
    } = await create({});
    await rename(id, 'ーー');
    await world.publish('us-csl', [`81,person,Outro Nome Qualquer,,,,${taxId!.value},watchlist,`]);
    await world.follow();
    const { body: screening } = await world.screen({ applicationId: id, lists: ['un-csnu', 'us-csl'] }, test);
    expect([screening.result, screening.hits.map(({ band }) => band)]).toEqual(['open_hits', ['identifier']]);
    await world.request('POST', `/v1/screenings/${screening.id}/hits/${screening.hits[0]!.id}/adjudicate`, {
      as: world.officer,
      body: { status: 'false_positive', reasonCode: 'other', note: 'The number is of somebody else.' },
    });
    expect((await world.get(screening.id, test)).body).toMatchObject({ result: 'not_comparable', openHitCount: 0 });
  });

  it('is an open requirement of every level, so nobody is approved, and no machine approves the case', async () => {
    const tenant = await world.tenant();
    const key = await tenant.key(['read', 'write', 'screening']);
    await setSection(world, await tenant.user('owner', { secondFactor: true }), {
      decisionPolicy: { autoApprove: true, requiredChecks: { basic: ['screening_clear'] } },
    });
    const wanted = {
      purpose: 'account_opening',
      level: 'basic',
      submit: true,
      applicant: { ...person, taxId: { type: 'cpf', value: newCpf() } },
    };
    const {
      body: { id },
    } = await world.request<Application>('POST', '/v1/applications', { as: key, body: wanted });
    await rename(id, 'ーー', key);
    expect((await world.screen({ applicationId: id }, key)).body.result).toBe('not_comparable');
    await world.running.runTasks();
    const body = await application(id, key);
    expect(body.status).toBe('in_review');
    const outcomes = Object.fromEntries(
      body.requirements.items.map((item) => [item.key, [item.status, item.reasonCode]]),
    );
    expect(outcomes).toMatchObject({
      comparable_name: ['missing', 'name_not_comparable'],
      identity_data: ['provided', null],
      screening_clear: ['missing', 'name_not_comparable'],
    });
    const approval = {
      outcome: 'approve',
      reasonCodes: ['identity_confirmed'],
      note: 'Passport and address agree.',
      evidenceDigest: body.evidenceDigest,
    };
    const officer = await tenant.user('compliance_officer');
    expect(
      (await world.request('POST', `/v1/applications/${id}/decisions`, { as: officer, body: approval })).body,
    ).toMatchObject({ status: 409, code: 'checks_incomplete' });
    expect(
      (
        await world.request('POST', `/v1/applications/${id}/waivers`, {
          as: officer,
          body: {
            requirementKey: 'comparable_name',
            action: 'granted',
            reasonCode: 'not_obtainable',
            note: 'The name is what it is.',
          },
        })
      ).body,
    ).toMatchObject({ status: 422, errors: [{ code: 'not_waivable' }] });
    // After the applicant has sent a requested name, the name is no longer requested.
    const asking = {
      items: [
        {
          requirementKey: 'comparable_name',
          reasonCode: 'name_unreadable',
          messageToApplicant: 'What are you called?',
        },
      ],
    };
    expect(
      (await world.request('POST', `/v1/applications/${id}/information-requests`, { as: officer, body: asking }))
        .status,
    ).toBe(201);
    expect(
      (
        await world.request('PATCH', `/v1/applications/${id}`, {
          as: key,
          body: { applicant: { fullName: 'Maria da Silva' } },
        })
      ).status,
    ).toBe(200);
    expect((await application(id, key)).requirements.items.map((item) => item.key)).not.toContain('comparable_name');
  });

  it('is requested before a draft with such a name is submitted or renewed', async () => {
    const {
      body: { id },
    } = await create({});
    await rename(id, 'ーー');
    expect((await world.request('POST', `/v1/applications/${id}/submit`, { as: test })).body).toMatchObject({
      code: 'requirements_missing',
      errors: [{ pointer: '/applicant/fullName', code: 'not_screenable' }],
    });
    const approved = await newDecidedApplication(world, sandboxed, CLEAN);
    await rename(approved, 'ーー');
    const { taxId } = (await application(approved)).applicant;
    expect(
      (
        await world.request('POST', '/v1/applications', {
          as: test,
          body: { purpose: 'account_opening', renewsApplicationId: approved, applicant: { fullName: 'ーー', taxId } },
        })
      ).body,
    ).toMatchObject(REFUSED);
  });
});

describe('a customer whose name cannot be compared', () => {
  it('is not counted as monitored, is listed, and has an alert until the name can be compared', async () => {
    const id = await world.approve();
    const before = await world.coverage();
    await rename(id, 'ーー');
    const { id: subscriptionId } = await world.subscriptionOf(id);
    const run = async () => {
      await world.run(subscriptionId);
      await world.settle();
      return (await world.subscriptionOf(id)).lastResult;
    };
    expect(await run()).toBe('not_comparable');
    const [alert, ...others] = await world.alerts(`applicationId=${id}&kind=not_comparable`);
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      kind: 'not_comparable',
      severity: 'high',
      status: 'open',
      hit: null,
      documentId: null,
      dueOn: null,
    });
    const during = await world.coverage();
    expect([
      during.notComparable,
      during.notComparableCount - before.notComparableCount,
      during.monitored - before.monitored,
      during.unmonitored.includes(id),
      during.openAlerts - before.openAlerts,
    ]).toEqual([[...before.notComparable, id], 1, -1, true, 1]);
    expect(await requirement(id, 'comparable_name')).toMatchObject({
      status: 'missing',
      reasonCode: 'name_not_comparable',
      satisfiedBy: [{ pointer: '/applicant/fullName' }, { pointer: '/applicant/socialName' }],
    });
    await rename(id, CLEAN.fullName);
    expect(await run()).toBe('clear');
    expect([(await world.alerts(`applicationId=${id}`)).map(({ status }) => status), await world.coverage()]).toEqual([
      ['resolved'],
      { ...before, asOf: expect.any(String) },
    ]);
  });
});

describe('letters that have no transliteration', () => {
  // Linear A, cuneiform and a rare ideograph: the engine treats every script without a transliteration table alike.
  it.each([
    ['𐘀𐘁𐘂 𐘃𐘄𐘅', '𐘃𐘄𐘅 𐘀𐘁𐘂'],
    ['𒀀𒀁𒀂 𒀃𒀄𒀅', '𒀀𒀁𒀂 𒀃𒀄𒀅'],
  ])('are compared with entries of the same script: %s', async (listed, searched) => {
    await world.publish('ofac-sdn', [`91,person,${listed},,,,,sanction,`]);
    await world.follow();
    const search = async (name: string) =>
      (await world.screen({ subject: { type: 'person', names: [name] }, lists: ['un-csnu', 'ofac-sdn'] }, test)).body;
    expect((await search(searched)).hits.map(({ score, matchedName }) => [score, matchedName])).toEqual([[1, listed]]);
    expect((await search('𒁀𒁁𒁂 𒁃𒁄')).result).toBe('clear');
  });
});
