/** API tests that invisible characters are refused in names, and accepted only where text has lines. */
import { describe, expect, it } from 'vitest';
import { textFormats } from '../../server/contract/text-formats.ts';
import { refused, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { startUsersWorld, type Schemas } from './users-world.ts';

const world = await shared(startUsersWorld());
const team = await world.tenant();

const send = (method: string, path: string, body: object) =>
  world.service.request<Schemas['Problem']>(method, path, { as: team.owner.as, body });
const address = {
  line1: 'Rua das Flores',
  city: 'Curitiba',
  state: 'PR',
  postalCode: '80010-000',
  country: 'BR',
};
const application = (members: object, applicant: object = {}) => ({
  purpose: 'other',
  applicant: { fullName: 'Maria da Silva', ...applicant },
  ...members,
});

/** Single-line texts that people write, each with the tested member. */
const places: readonly [
  what: string,
  pointer: string,
  request: (text: string) => [method: string, path: string, body: object],
][] = [
  [
    'a colleague',
    '/name',
    (name) => ['POST', '/v1/users/invitations', { email: 'bruno@example.com', role: 'viewer', name }],
  ],
  ['an API key', '/name', (name) => ['POST', '/v1/settings/api-keys', { name, environment: 'test', scopes: ['read'] }]],
  ['an applicant', '/applicant/fullName', (fullName) => ['POST', '/v1/applications', application({}, { fullName })]],
  [
    'a street',
    '/applicant/address/line1',
    (line1) => ['POST', '/v1/applications', application({}, { address: { ...address, line1 } })],
  ],
  [
    'a reference of the customer',
    '/externalId',
    (externalId) => ['POST', '/v1/applications', application({ externalId })],
  ],
  ['the brand', '/branding/displayName', (displayName) => ['PATCH', '/v1/settings', { branding: { displayName } }]],
];

describe.each(places)('the name of %s', (_, pointer, request) => {
  it.each([
    ['turns text around', 'Ana \u202eazuoS'],
    ['isolates', 'Ana \u2066Souza\u2069'],
    ['marks a direction', 'Ana\u200f Souza'],
    ['has no width', 'Ana\u200bSouza'],
    ['joins', 'Ana\u200dSouza'],
    ['begins text', '\ufeffAna Souza'],
    ['ends a line as NEL', 'Ana\x85Souza'],
    ['separates paragraphs', 'Ana\u2029Souza'],
    ['is a tag', 'Ana\u{e0041} Souza'],
    ['is a soft hyphen', 'Ana\u00adSouza'],
    ['is a letter that is blank', 'Ana\u3164Souza'],
    ['ends a line', 'Ana\nSouza'],
  ])('has no character that %s', async (_, text) => {
    const answer = await send(...request(text));
    expect(refused(answer)).toEqual([422, 'validation_failed']);
    expect(answer.body.errors).toContainEqual({
      pointer,
      code: 'pattern',
      message: textFormats['single-line'].message,
    });
  });
});

describe('text of several lines', () => {
  it('has line feeds and no other invisible characters', async () => {
    const answer = await send(
      'POST',
      '/v1/applications',
      application({ metadata: { note: 'first\nsecond', trick: 'first\r\nsecond', turned: '\u202eabc' } }),
    );
    expect(answer.body.errors?.map(({ pointer }) => pointer)).toEqual(['/metadata/trick', '/metadata/turned']);
    expect(answer.body.errors?.[0]?.message).toBe(textFormats['multi-line'].message);
    expect((await send('POST', '/v1/applications', application({ metadata: { note: 'first\nsecond' } }))).status).toBe(
      201,
    );
  });
});

describe('a name from before the rule', () => {
  it('is answered as it is, and can be corrected', async () => {
    const {
      body: { apiKey: key },
    } = await success(
      world.service.api.POST('/v1/settings/api-keys', {
        headers: team.owner.as,
        body: { name: 'Back end', environment: 'test', scopes: ['read'] },
      }),
    );
    await world.service.database.sql('UPDATE api_key SET name = $1 WHERE prefix = $2', ['Back\u202e end', key.prefix]);
    const path = `/v1/settings/api-keys/${key.prefix}`;
    const list = await success(world.service.api.GET('/v1/settings/api-keys', { headers: team.owner.as }));
    expect([list.status, list.body.items.map(({ name }) => name)]).toEqual([200, ['Back\u202e end']]);
    const mended = await world.service.request<Schemas['ApiKey']>('PATCH', path, {
      as: team.owner.as,
      body: { name: 'Back end' },
    });
    expect([mended.status, mended.body.name]).toEqual([200, 'Back end']);
  });
});
