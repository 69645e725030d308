/** API tests of damaged names and old publications of lists, which warn instead of failing. */
import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { activate } from '../support/watch-lists.ts';
import { startMonitoringWorld } from './monitoring-world.ts';
import { startUploadWorld } from './watch-list-uploads-world.ts';

const world = await shared(startMonitoringWorld());
const { upload, listed } = await startUploadWorld(world);
const LIST = 'un-csnu';

/** Returns a list of the United Nations with `count` invented people; the seventh has this alias. */
function unXml(day: string, alias: string, count = 310): Buffer {
  const people = Array.from(
    { length: count },
    (_, index) =>
      `<INDIVIDUAL><DATAID>${index + 1}</DATAID>` +
      `<FIRST_NAME>Pessoa ${(index + 1).toString(36)} Taquarembó</FIRST_NAME>` +
      `<REFERENCE_NUMBER>QDi.${index + 1}</REFERENCE_NUMBER>
    <INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>${index === 6 ? alias : ''}</ALIAS_NAME></INDIVIDUAL_ALIAS></INDIVIDUAL>`,
  ).join('');
  return Buffer.from(
    `<CONSOLIDATED_LIST dateGenerated="${day}T08:00:00"><INDIVIDUALS>${people}</INDIVIDUALS></CONSOLIDATED_LIST>`,
  );
}
const send = (file: Uint8Array, more: Record<string, string> = {}) =>
  upload({
    list: LIST,
    file,
    format: 'un-xml',
    force: 'true',
    ...more,
  });
const daysAgo = (days: number): string =>
  new Date(world.running.services.clock().getTime() - days * 86_400_000).toISOString().slice(0, 10);
const coverage = async () => world.coverage(await world.acme.user('compliance_officer'));
const shownToTenants = async () =>
  (
    await world.request<{ items: Awaited<ReturnType<typeof listed>>[] }>('GET', '/v1/screenings/lists', {
      as: await world.acme.key(['read']),
    })
  ).body.items.find(({ id }) => id === LIST)!;
/** Activates a first version, whatever was active before. */
const begin = (day: string): Promise<void> =>
  activate(world.database.database, LIST, unXml(day, crypto.randomUUID()), {
    now: world.running.services.clock(),
    format: 'un-xml',
  });

describe('a name that was damaged on its way', () => {
  it('is omitted by itself and reported by the import, the list, the log and the coverage, and its entry is found by the others', async () => {
    await begin(daysAgo(3));
    const damaged = unXml(daysAgo(2), 'Ubiraj\uFFFDra Quintanilha');
    const answer = await send(damaged);
    const quarantine = [
      {
        entityId: '7',
        record: 'entry QDi.7',
        reason: 'damaged',
        name: 'Ubiraj\uFFFDra Quintanilha',
      },
    ];
    expect([answer.status, answer.body]).toMatchObject([
      202,
      {
        outcome: 'activated',
        entryCount: 310,
        quarantinedNames: 1,
        quarantine,
      },
    ]);
    expect(await listed(LIST)).toMatchObject({ quarantinedNames: 1, quarantine, isStale: false });
    expect(await shownToTenants()).toMatchObject({ quarantinedNames: 1 });
    expect(await shownToTenants()).not.toHaveProperty('quarantine');
    expect(await coverage()).toMatchObject({ incompleteLists: [LIST], staleLists: [] });
    const [event] = await world.database.sql<{ changes: { path: string; value: unknown }[] }>(
      `SELECT changes FROM audit_event WHERE tenant_id = $1 AND action = 'list.version_ingested' AND resource_id = $2
        ORDER BY sequence DESC LIMIT 1`,
      [world.platform.id, LIST],
    );
    expect(event!.changes).toContainEqual({ op: 'add', path: '/quarantinedNames', value: 1 });
    const screened = await world.screen({ subject: { type: 'person', names: ['Pessoa 7 Taquarembó'] } });
    expect(screened.body.hits.map(({ entityId }) => entityId)).toContain('7');
    expect((await send(unXml(daysAgo(1), 'Ubirajara Quintanilha'))).body).toMatchObject({
      quarantinedNames: 0,
      quarantine: [],
      change: { changed: 1, matchChanged: 1 },
    });
    expect(await coverage()).toMatchObject({ incompleteLists: [] });
  });

  it('that is the only one of its entry leaves nothing to find the entry by, so the list is refused with that entry', async () => {
    const answer = await send(
      Buffer.from(String(unXml(daysAgo(1), '')).replace('Pessoa 9 Taquarembó', 'P\uFFFD Taquarembó')),
    );
    expect([answer.status, answer.body.errors]).toMatchObject([
      422,
      [
        {
          pointer: '/file',
          code: 'unreadable',
          message:
            'entry QDi.9: a name has signs that no name has, so the file was damaged, and the entry has no other name',
        },
      ],
    ]);
  });
});

describe('the day of publication', () => {
  it('is that of the file, whatever its sender says', async () => {
    await begin(daysAgo(9));
    expect((await send(unXml(daysAgo(8), 'Bira'))).body).toMatchObject({
      publishedOn: daysAgo(8),
      version: expect.stringMatching(`^${daysAgo(8)}\\.`),
    });
    const answer = await send(unXml(daysAgo(8), 'Bira Sorocaba'), { publishedOn: daysAgo(1) });
    expect([answer.status, answer.body.code, answer.body.errors]).toEqual([
      422,
      'list_file_refused',
      [
        {
          pointer: '/publishedOn',
          code: 'published_otherwise',
          message: `the file says that it was published on ${daysAgo(8)}, and not on ${daysAgo(1)}`,
        },
      ],
    ]);
  });

  it('of an earlier publication prevents the file from replacing a later one, unless this is requested', async () => {
    await begin(daysAgo(9));
    const older = unXml('2020-12-01', 'Bira Antigo');
    const refused = await send(older);
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [
        {
          pointer: '/file',
          code: 'older_than_active',
          message: `the file was published on 2020-12-01, before the active version (${daysAgo(9)})`,
        },
      ],
    ]);
    expect((await send(older, { mayBeOlder: 'true' })).body).toMatchObject({
      outcome: 'activated',
      publishedOn: '2020-12-01',
    });
  });

  it('that is longer ago than the usual interval of the list warns in the lists and the coverage, and makes nothing out of date', async () => {
    await begin('2020-12-01');
    expect(await shownToTenants()).toMatchObject({
      publishedOn: '2020-12-01',
      usualDays: 60,
      isPublicationOld: true,
      isStale: false,
    });
    expect(await coverage()).toMatchObject({ oldPublications: [LIST], staleLists: [] });
    const screened = await world.screen({ subject: { type: 'person', names: ['Ana Reis'] } });
    expect(screened.body.staleLists).not.toContain(LIST);
    await begin(daysAgo(60));
    expect(await shownToTenants()).toMatchObject({ isPublicationOld: false });
    expect(await coverage()).toMatchObject({ oldPublications: [] });
  });

  it('of the lists of the sandbox warns nobody, however old they are', async () => {
    const answer = await world.request<{ items: { publishedOn: string; isPublicationOld: boolean }[] }>(
      'GET',
      '/v1/screenings/lists',
      { as: world.test },
    );
    world.advance(400 * 86_400_000);
    expect(answer.body.items.map(({ isPublicationOld }) => isPublicationOld)).not.toContain(true);
  });
});
