/** API tests of the allow-list, which dismisses an entity for a tax number. */
import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { newApplication } from '../operations/application-records.ts';
import { newCnpj } from '../operations/business-records.ts';
import { refused } from '../support/api.ts';
import { type Answer, type Credential, shared } from '../support/service.ts';
import { newCpf } from '../support/cpf.ts';
import { LISTED, type Refusal, type Screening, startScreeningWorld } from './screenings-world.ts';

const FIRST_NAMES = [
  'Quirino',
  'Belisario',
  'Damasceno',
  'Epaminondas',
  'Frutuoso',
  'Guiomar',
  'Hermenegildo',
  'Inocencio',
  'Jeronimo',
  'Leopoldo',
  'Maximiano',
  'Norberto',
];

type Schemas = components['schemas'];
type Entry = Schemas['AllowlistEntry'];

const world = await shared(startScreeningWorld());
const officer = await world.sandboxed.user('compliance_officer');
const second = await world.sandboxed.user('compliance_officer', { purpose: 'second' });
const analyst = await world.sandboxed.user('analyst');
const auditor = await world.sandboxed.user('auditor');
const NOTE = 'Was born twenty years later.';

const inDays = (days: number): string =>
  new Date(world.running.services.clock().getTime() + days * 86_400_000).toISOString();
const row = (name: string, more = ',,,,watchlist,'): string => `1,person,${name},${more}`;
const screen = async (name: string, taxId: string | null, more: object = {}): Promise<Screening> =>
  (
    await world.screen(
      { subject: { type: 'person', names: [name], taxId }, lists: ['un-csnu', 'ofac-sdn'], ...more },
      world.test,
    )
  ).body;
const adjudicate = (
  { id, hits }: Screening,
  body: object = {},
  as: Credential = officer,
): Promise<Answer<Schemas['ScreeningHit'] & Pick<Refusal, 'errors' | 'code'>>> =>
  world.request('POST', `/v1/screenings/${id}/hits/${hits[0]!.id}/adjudicate`, {
    as,
    body: {
      status: 'false_positive',
      reasonCode: 'other',
      note: NOTE,
      allowlist: { expiresAt: inDays(300) },
      ...body,
    },
  });
const entries = async (query = '', as: Credential = auditor): Promise<Entry[]> =>
  (await world.request<{ items: Entry[] }>('GET', `/v1/screenings/allowlist?${query}`, { as })).body.items;
const revoke = (id: string, as: Credential = officer, query = '?reason=new_information') =>
  world.request('DELETE', `/v1/screenings/allowlist/${id}${query}`, { as });

/** Counter for names that are on the list and used nowhere else in this file. */
let count = 0;
async function listed(): Promise<{ name: string; taxId: string }> {
  const name = `${FIRST_NAMES[count++]!} Zagalho Tapajos`;
  await world.publish('ofac-sdn', [row(name)]);
  return { name, taxId: newCpf() };
}
const dismissed = async (): Promise<{
  name: string;
  taxId: string;
  first: Screening;
  entry: Entry;
}> => {
  const { name, taxId } = await listed();
  const first = await screen(name, taxId);
  expect((await adjudicate(first)).status).toBe(200);
  return {
    name,
    taxId,
    first,
    entry: (await entries())[0]!,
  };
};

describe('the allow-list', () => {
  it('dismisses an entity for the same tax number, in whichever application, and for nobody else', async () => {
    const { name, taxId, first, entry } = await dismissed();
    expect(entry).toEqual({
      id: expect.any(String),
      environment: 'sandbox',
      subjectKey: expect.stringMatching(/^[0-9a-f]{64}$/),
      listId: 'ofac-sdn',
      entityId: '1',
      entityFingerprint: first.hits[0]!.entityFingerprint,
      applicationId: null,
      screeningId: first.id,
      hitId: first.hits[0]!.id,
      reasonCode: 'other',
      status: 'active',
      revokeReason: null,
      expiresAt: expect.any(String),
      createdAt: expect.any(String),
      createdBy: expect.objectContaining({ type: 'user' }),
    });
    const again = await screen(name, taxId);
    expect(again).toMatchObject({
      result: 'cleared',
      openHitCount: 0,
      hits: [{ status: 'auto_dismissed', allowlistEntryId: entry.id, decision: null }],
    });
    expect((await screen(name, newCpf())).result).toBe('open_hits');
    expect((await screen(name, null)).result).toBe('open_hits');
    expect((await entries(`subjectKey=${entry.subjectKey}`)).map(({ id }) => id)).toEqual([entry.id]);
    expect(await entries(`subjectKey=${'0'.repeat(64)}`)).toEqual([]);
  });

  it('stores neither the tax number nor the entity in readable form', async () => {
    const { taxId, entry } = await dismissed();
    const [{ stored } = { stored: '' }] = await world.database.sql<{ stored: string }>(
      'SELECT e::text AS stored FROM allowlist_entry e WHERE id = $1',
      [entry.id],
    );
    expect(stored).not.toContain(taxId);
    expect(stored).not.toContain('entityKey');
  });

  it('dismisses nothing any more once the entity is judged otherwise, which opens the hit', async () => {
    const { name, taxId, entry } = await dismissed();
    await world.publish('ofac-sdn', [row(name, 'Another Alias,,,,watchlist,')]);
    expect((await screen(name, taxId)).hits.map(({ status, allowlistEntryId }) => [status, allowlistEntryId])).toEqual([
      ['open', null],
    ]);
    expect((await entries('status=suspended')).map(({ id }) => id)).toContain(entry.id);
  });

  it('continues if the entity only gains a remark', async () => {
    const { name, taxId } = await dismissed();
    await world.publish('ofac-sdn', [row(name, ',,,,watchlist,A remark')]);
    expect((await screen(name, taxId)).result).toBe('cleared');
  });

  it('keeps an entry if the subject is screened again with a number that readers keep only since later', async () => {
    await world.publishFile(
      { listId: 'opensanctions', format: 'ftm-json', environment: 'sandbox' },
      JSON.stringify({
        id: 'ship',
        schema: 'Vessel',
        properties: { name: ['Zagalho Tapajos'], mmsi: ['572469210'], topics: ['poi'] },
      }),
    );
    const taxId = newCnpj();
    const ship = async (...identifiers: object[]): Promise<Screening> =>
      (
        await world.screen(
          {
            subject: {
              type: 'organisation',
              names: ['Zagalho Tapajos'],
              taxId,
              identifiers,
            },
            lists: ['un-csnu', 'opensanctions'],
          },
          world.test,
        )
      ).body;
    const first = await ship();
    expect((await adjudicate(first)).status).toBe(200);
    const [entry] = await entries();
    const numbered = await ship({ kind: 'mmsi', value: '572469210' });
    expect(numbered.hits).toMatchObject([{ status: 'open', band: 'identifier' }]);
    expect((await entries('status=active')).map(({ id }) => id)).toContain(entry!.id);
    expect((await ship()).hits).toMatchObject([{ status: 'auto_dismissed', allowlistEntryId: entry!.id }]);
  });

  it('opens the dismissed hits if an entry is revoked, leaves decisions, and revokes once', async () => {
    const { name, taxId, first, entry } = await dismissed();
    const again = await screen(name, taxId);
    expect((await revoke(entry.id)).status).toBe(204);
    expect((await world.get(again.id, world.test)).body).toMatchObject({
      result: 'open_hits',
      openHitCount: 1,
      hits: [{ status: 'open', allowlistEntryId: null }],
    });
    expect((await world.get(first.id, world.test)).body.result).toBe('cleared');
    expect((await revoke(entry.id)).status).toBe(204);
    expect(
      (await world.sandboxed.audit()).filter(
        ({ action, resource_id: id }) => action === 'allowlist.revoked' && id === entry.id,
      ),
    ).toHaveLength(1);
    expect((await entries('status=revoked')).find(({ id }) => id === entry.id)!.revokeReason).toBe('new_information');
    expect((await screen(name, taxId)).result).toBe('open_hits');
  });

  it('expires by itself on its day, by the clock of the sandbox, which opens the dismissed hits', async () => {
    const { name, taxId, entry } = await dismissed();
    const again = await screen(name, taxId);
    expect((await entries(`expiresBefore=${inDays(301)}&status=active`)).map(({ id }) => id)).toContain(entry.id);
    const moved = await world.request<{ effects: { resource: object; change: string }[] }>(
      'POST',
      '/v1/sandbox/simulations',
      {
        as: await world.sandboxed.key(['admin'], { environment: 'test' }),
        body: { type: 'advance_clock', parameters: { seconds: 301 * 86_400 } },
      },
    );
    expect(moved.body.effects).toContainEqual({
      resource: { type: 'allowlist_entry', id: entry.id },
      change: 'status active to expired',
    });
    expect((await world.get(again.id, world.test)).body.result).toBe('open_hits');
    expect((await entries('status=expired')).map(({ id }) => id)).toContain(entry.id);
    await world.database.sql('UPDATE tenant SET sandbox_clock_offset_seconds = 0 WHERE id = $1', [world.sandboxed.id]);
  });

  it('takes two people if a sanctioned person is nearly surely meant: the second one confirms it', async () => {
    const hit = (await world.screen({ subject: { ...LISTED, taxId: newCpf() }, lists: ['un-csnu'] }, world.test)).body;
    expect(refused(await adjudicate(hit))).toEqual([422, 'allowlist_requires_false_positive']);
    expect((await adjudicate(hit, { allowlist: null }, analyst)).status).toBe(202);
    expect((await adjudicate(hit, {}, second)).status).toBe(200);
    expect((await entries())[0]).toMatchObject({ listId: 'un-csnu', hitId: hit.hits[0]!.id });
  });

  it('is maintained by compliance officers, for people who are somebody else, and for two years at most', async () => {
    const { name, taxId } = await listed();
    const found = await screen(name, taxId);
    expect(refused(await adjudicate(found, {}, analyst))).toEqual([403, 'role_forbidden']);
    for (const status of ['true_positive', 'inconclusive'])
      expect(refused(await adjudicate(found, { status }))).toEqual([422, 'allowlist_requires_false_positive']);
    for (const expiresAt of [inDays(-1), inDays(800)])
      expect((await adjudicate(found, { allowlist: { expiresAt } })).body.errors).toEqual([
        expect.objectContaining({ pointer: '/allowlist/expiresAt', code: 'range' }),
      ]);
    expect((await world.get(found.id, world.test)).body.hits[0]!.status).toBe('open');
  });

  it('is revoked by compliance officers, for an available reason, and only by those who can see it', async () => {
    const { entry } = await dismissed();
    expect(refused(await revoke(entry.id, analyst))).toEqual([403, 'role_forbidden']);
    expect((await revoke(entry.id, officer, '?reason=whim')).status).toBe(400);
    expect((await revoke(entry.id, officer, '')).status).toBe(204);
    expect((await entries('status=revoked')).find(({ id }) => id === entry.id)!.revokeReason).toBe('other');
    expect(refused(await revoke('0197f2e3-44dd-7e3f-9a4b-2c3d4e5f6a7b'))).toEqual([404, 'not_found']);
    expect(refused(await revoke(entry.id, await world.acme.user('compliance_officer')))).toEqual([404, 'not_found']);
  });

  it('stores nothing of an erased applicant, and dismisses nothing by it', async () => {
    const { name } = await listed();
    const write = await world.sandboxed.key(['write'], { environment: 'test' });
    const id = await newApplication(world, world.sandboxed, write);
    const taxId = newCpf();
    await world.request('PATCH', `/v1/applications/${id}`, {
      as: write,
      body: { applicant: { fullName: name, socialName: null, taxId: { type: 'cpf', value: taxId, country: 'BR' } } },
    });
    const screening = (await world.screen({ applicationId: id, lists: ['un-csnu', 'ofac-sdn'] }, world.test)).body;
    expect((await adjudicate(screening)).status).toBe(200);
    const entry = (await entries()).find(({ applicationId }) => applicationId === id)!;
    expect((await screen(name, taxId)).result).toBe('cleared');
    await world.request('POST', `/v1/applications/${id}/withdraw`, {
      as: write,
      body: { reasonCode: 'applicant_request' },
    });
    await world.database.sql(`DELETE FROM subject_key WHERE subject_id = $1`, [id]);
    expect((await entries()).map((one) => one.id)).not.toContain(entry.id);
    expect((await screen(name, taxId)).result).toBe('open_hits');
  });
});
