/** API tests of settings that are refused, with everything wrong named at once. */
import { beforeEach, describe, expect, it } from 'vitest';
import { refused } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { SETTINGS, startSettingsWorld, type Refusal, type SettingsTenant } from './settings-world.ts';

let tenant: SettingsTenant;
const world = await shared(startSettingsWorld());

beforeEach(async () => {
  tenant = await world.tenant();
});

const ANOTHER_COLOUR = { branding: { primaryColor: '#7a1fa2' } };

describe('changing the settings', () => {
  it.each<[string, object, string[]]>([
    [
      'a line that is below the one before it',
      { sanctions: { person: { review: 0.95 } } },
      ['/screening/profile/sanctions/person/strong not_ascending'],
    ],
    [
      'an alert line above what follows',
      { other: { organisation: { alert: 0.9 } } },
      ['/screening/profile/other/organisation/review not_ascending'],
    ],
    [
      'several of them at once',
      { pep: { person: { strong: 0.5 }, organisation: { alert: 0.95, strong: 0.6 } } },
      [
        '/screening/profile/pep/person/strong not_ascending',
        '/screening/profile/pep/organisation/review not_ascending',
        '/screening/profile/pep/organisation/strong not_ascending',
      ],
    ],
    [
      'scores that no line may have',
      { pep: { person: { alert: 0.49, strong: 1.01 } } },
      ['/screening/profile/pep/person/alert too_small', '/screening/profile/pep/person/strong too_large'],
    ],
    ['a kind that there is not', { pep: { vessel: { alert: 0.9 } } }, ['/screening/profile/pep/vessel unknown_field']],
  ])('refuses %s, by its name', async (_, profile, errors) => {
    const { status, body } = await tenant.patch<Refusal>({ screening: { profile } });
    expect([status, body.code, body.errors?.map(({ pointer, code }) => `${pointer} ${code}`)]).toEqual([
      422,
      'validation_failed',
      errors,
    ]);
    expect((await tenant.get()).body.version).toBe(1);
  });

  it.each<[string, object, string]>([
    ['nothing', {}, ''],
    ['an unknown section', { colours: {} }, '/colours'],
    ['an unknown member', { security: { sso: true } }, '/security/sso'],
    ['null for a section', { branding: null }, '/branding'],
    ['null for a list', { queues: null }, '/queues'],
    ['null for a member that has a value', { security: { mfaRequired: null } }, '/security/mfaRequired'],
    ['a colour that is none', { branding: { primaryColor: 'red' } }, '/branding/primaryColor'],
    ['a language that nobody wrote', { branding: { locale: 'fr' } }, '/branding/locale'],
    ['an address that is none', { branding: { supportEmail: 'ajuda' } }, '/branding/supportEmail'],
    ['sessions without end', { security: { sessionHours: 721 } }, '/security/sessionHours'],
    ['a deadline of a century', { reports: { analysisDays: 36_500 } }, '/reports/analysisDays'],
    [
      'a placeholder that there is not',
      { reports: { narrativeTemplate: '{{case.owner}}' } },
      '/reports/narrativeTemplate',
    ],
    [
      'a part of a layout without an end',
      { reports: { submissionTemplate: '{{#parties}}{{party.name}}' } },
      '/reports/submissionTemplate',
    ],
    ['a provider that nobody knows', { providers: { registry: { primary: 'vendor' } } }, '/providers/registry/primary'],
    [
      'the service itself for what it cannot do',
      { providers: { registry: { primary: 'embedded' } } },
      '/providers/registry/primary',
    ],
    [
      'a queue twice',
      {
        queues: [
          { key: 'a', name: 'A', slaHours: 1 },
          { key: 'a', name: 'B', slaHours: 2 },
        ],
      },
      '/queues/1/key',
    ],
    [
      'a kind of act twice',
      {
        customActTypes: [
          { key: 'a', label: 'A' },
          { key: 'a', label: 'B' },
        ],
      },
      '/customActTypes/1/key',
    ],
    [
      'two exceptions for a level',
      {
        ownership: {
          lowerFor: [
            { riskLevel: 'high', percent: 5 },
            { riskLevel: 'high', percent: 6 },
          ],
        },
      },
      '/ownership/lowerFor/1/riskLevel',
    ],
    [
      'an exception above the rule',
      { ownership: { percent: 10, lowerFor: [{ riskLevel: 'high', percent: 15 }] } },
      '/ownership/lowerFor/0/percent',
    ],
    [
      'a check that nobody performs',
      { decisionPolicy: { requiredChecks: { basic: ['identity_data', 'horoscope'] } } },
      '/decisionPolicy/requiredChecks/basic/1',
    ],
    [
      'a logo that does not exist',
      { branding: { logoDocumentId: '0197f2c4-8a10-7c3e-9f52-2b6d1c7e4a01' } },
      '/branding/logoDocumentId',
    ],
  ])('refuses %s', async (_, json, pointer) => {
    const answer = await tenant.patch<Refusal>(json);
    expect(refused(answer)).toEqual([422, 'validation_failed']);
    expect(answer.body.errors?.map((error) => error.pointer)).toContain(pointer);
  });

  it.each<[string, object, string, string]>([
    ['records of customers', { retention: { customerYears: 9 } }, '/retention/customerYears', '3.978'],
    ['records of the rejected', { retention: { rejectedYears: 4 } }, '/retention/rejectedYears', '9.613'],
    ['the audit log', { retention: { auditYears: 9 } }, '/retention/auditYears', '3.978'],
    ['biometric records', { retention: { biometricDays: 366 } }, '/retention/biometricDays', 'LGPD'],
    ['beneficial owners', { ownership: { percent: 25.5 } }, '/ownership/percent', '3.978'],
    [
      'beneficial owners at a level',
      { ownership: { lowerFor: [{ riskLevel: 'low', percent: 26 }] } },
      '/ownership/lowerFor/0/percent',
      '3.978',
    ],
    ['the age of applicants', { decisionPolicy: { minimumAge: 17 } }, '/decisionPolicy/minimumAge', 'Código Civil'],
    [
      'the list of the United Nations',
      { screening: { defaultLists: ['ofac-sdn'] } },
      '/screening/defaultLists',
      '13.810',
    ],
    ['the length of passwords', { security: { passwordMinLength: 11 } }, '/security/passwordMinLength', 'ASVS'],
  ])('names the norm that bounds %s', async (_, json, pointer, norm) => {
    const answer = await tenant.patch<Refusal>(json);
    expect(refused(answer)).toEqual([422, 'below_legal_minimum']);
    const error = answer.body.errors?.find((candidate) => candidate.pointer === pointer);
    expect(error?.message).toContain(norm);
  });

  it('names everything that is wrong at once', async () => {
    const { body } = await tenant.patch<Refusal>({
      branding: { primaryColor: '#ffff00' },
      screening: { defaultLists: ['un-csnu', 'my-list'] },
      retention: { customerYears: 1, auditYears: 2 },
    });
    expect(body.errors?.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/retention/customerYears', 'below_legal_minimum'],
      ['/retention/auditYears', 'below_legal_minimum'],
      ['/screening/defaultLists/1', 'unknown_list'],
      ['/branding/primaryColor', 'colour_contrast_too_low'],
    ]);
  });

  it('names it together with breaches of the schema', async () => {
    const { status, body } = await tenant.patch<Refusal>({
      branding: { primaryColor: '#ffff00', surplus: 1 },
      screening: { defaultLists: ['my-list', 'NOT A LIST'] },
      retention: { customerYears: 1, auditYears: 'ten' },
    });
    expect([status, body.code, body.errors?.map(({ pointer, code }) => `${pointer} ${code}`).sort()]).toEqual([
      422,
      'validation_failed',
      [
        '/branding/primaryColor colour_contrast_too_low',
        '/branding/surplus unknown_field',
        '/retention/auditYears type',
        '/retention/customerYears below_legal_minimum',
        '/screening/defaultLists/0 unknown_list',
        '/screening/defaultLists/1 pattern',
      ],
    ]);
    const strange = await tenant.patch<Refusal>({
      branding: { primaryColor: 7 },
      screening: { defaultLists: 'x' },
      decisionPolicy: null,
      ownership: { lowerFor: [null, {}] },
    });
    expect([strange.status, strange.body.code]).toEqual([422, 'validation_failed']);
  });

  it('refuses lists that the platform does not have and colours that are illegible', async () => {
    expect(refused(await tenant.patch<Refusal>({ screening: { defaultLists: ['un-csnu', 'my-list'] } }))).toEqual([
      422,
      'unknown_list',
    ]);
    expect(refused(await tenant.patch<Refusal>({ branding: { primaryColor: '#ffff00' } }))).toEqual([
      422,
      'colour_contrast_too_low',
    ]);
  });

  it('refuses what is not JSON or cannot be answered', async () => {
    const headers = { ...tenant.machine, 'If-Match': '"1"' };
    const answers = await Promise.all([
      world.call('PATCH', SETTINGS, { headers, form: 'a=b' }),
      world.call('PATCH', SETTINGS, { headers: { ...headers, 'Content-Type': 'application/json' }, form: '{' }),
      world.call('PATCH', SETTINGS, { headers: { ...headers, Accept: 'text/html' }, json: ANOTHER_COLOUR }),
      world.call('PATCH', SETTINGS, { headers, json: { branding: { displayName: 'x'.repeat(1_100_000) } } }),
      world.call('PATCH', SETTINGS, { json: ANOTHER_COLOUR }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([415, 400, 406, 413, 401]);
  });
});
