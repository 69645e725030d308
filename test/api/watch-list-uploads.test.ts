/** API tests of uploading a version of a shared watch list. */
import { gzipSync } from 'node:zlib';
import { downloadZip } from 'client-zip';
import { beforeEach, describe, expect, it } from 'vitest';
import { lockUntilCommit } from '../../server/database/advisory-lock.ts';
import type { WatchListId } from '../../server/modules/watch-lists/index.ts';
import { shared } from '../support/service.ts';
import { activate, ofacAliases, ofacComments, ofacCsv, sha256Of, sha256OfList } from '../support/watch-lists.ts';
import { CLEAN, startMonitoringWorld } from './monitoring-world.ts';
import { startUploadWorld } from './watch-list-uploads-world.ts';

const world = await shared(startMonitoringWorld());
const { upload, listed, activeVersion, everyRow } = await startUploadWorld(world);
const LIST: WatchListId = 'ofac-consolidated';
const BASE = ofacCsv(150);

const ofac = (bytes: Uint8Array, more: Record<string, string | Uint8Array> = {}) =>
  upload({ file: bytes, format: 'ofac-csv', ...more });

beforeEach(() => activate(world.database.database, LIST, BASE, { now: world.running.services.clock() }));

describe('an upload', () => {
  it('becomes the active version, and is answered with its changes', async () => {
    const file = ofacCsv(152, '"Born in Recife."');
    const answer = await ofac(file, { version: 'november', publishedOn: '2026-11-20', sha256: sha256Of(file) });
    expect([answer.status, answer.body]).toEqual([
      202,
      {
        outcome: 'activated',
        version: 'november',
        publishedOn: '2026-11-20',
        sha256: sha256OfList(file),
        entryCount: 152,
        change: {
          added: 2,
          changed: 1,
          matchChanged: 0,
          removed: 0,
        },
        quarantinedNames: 0,
        quarantine: [],
      },
    ]);
    expect(await listed(LIST)).toMatchObject({
      version: 'november',
      publishedOn: '2026-11-20',
      sha256: sha256OfList(file),
      entryCount: 152,
      isStale: false,
      usualDays: 60,
      isPublicationOld: false,
      quarantinedNames: 0,
      quarantine: [],
      lastChange: {
        added: 2,
        changed: 1,
        matchChanged: 0,
        removed: 0,
      },
      formats: ['ofac-xml', 'ofac-csv'],
      proposal: null,
    });
    const [event] = await world.database.sql<{ changes: { path: string; value: unknown }[]; actor: { type: string } }>(
      `SELECT changes, actor FROM audit_event WHERE tenant_id = $1 AND action = 'list.version_ingested'
        AND resource_id = $2 ORDER BY sequence DESC LIMIT 1`,
      [world.platform.id, LIST],
    );
    expect(Object.fromEntries(event!.changes.map(({ path, value }) => [path.slice(1), value]))).toEqual({
      version: 'november',
      sha256: sha256OfList(file),
      entryCount: 152,
      added: 2,
      changed: 1,
      matchChanged: 0,
      removed: 0,
    });
    expect(event!.actor.type).toBe('platform_user');
  });

  it('is found by the next screening, and monitoring screens the affected customers', async () => {
    await world.database.sql(
      `INSERT INTO tenant_settings (tenant_id, document)
        VALUES ($1, '{"screening": {"defaultLists": ["un-csnu", "ofac-consolidated"]}}')`,
      [world.acme.id],
    );
    await world.follow();
    const customer = await world.approve({ ...CLEAN, fullName: 'Ubirajara Quintanilha Sorocaba' }, world.acme);
    const screen = () =>
      world.screen({
        subject: { type: 'person', names: ['Ubirajara Quintanilha Sorocaba'] },
        lists: ['un-csnu', LIST],
      });
    expect((await screen()).body.result).toBe('clear');
    const added = Buffer.concat([
      BASE,
      Buffer.from(`\r\n900,"SOROCABA, Ubirajara Quintanilha",individual,"SDGT"${',-0- '.repeat(8)}`),
    ]);
    expect((await ofac(added)).body).toMatchObject({ outcome: 'activated', change: { added: 1 } });
    expect((await screen()).body.hits.map(({ listId, entityId }) => [listId, entityId])).toEqual([[LIST, '900']]);
    expect(await world.follow()).toBe(1);
    const alerts = await world.alerts(`applicationId=${customer}`, await world.acme.user('compliance_officer'));
    expect(alerts.map(({ status, hit }) => [status, hit!.listId])).toEqual([['open', LIST]]);
  });

  it('of the active file records that the publisher still has it', async () => {
    const before = await activeVersion(LIST);
    world.advance(60_000);
    const answer = await ofac(BASE);
    expect([answer.status, answer.body.outcome, answer.body.version]).toEqual([202, 'unchanged', before.version]);
    const after = await activeVersion(LIST);
    expect([after.sequence, after.checkedAt > before.checkedAt]).toEqual([before.sequence, true]);
  });

  it('has further files if the list is published in several', async () => {
    const answer = await ofac(BASE, { alt: ofacAliases(2), comments: ofacComments('Also known by a tattoo.') });
    expect(answer.body).toMatchObject({ outcome: 'activated', change: { changed: 2, matchChanged: 2 } });
  });

  it.each([
    ['gzip', () => gzipSync(ofacCsv(151))],
    ['ZIP', async () => new Uint8Array(await downloadZip([{ name: 'list.csv', input: ofacCsv(151) }]).arrayBuffer())],
  ])('may be a %s archive of one file', async (_, pack) => {
    expect((await ofac(await pack())).body).toMatchObject({ outcome: 'activated', entryCount: 151 });
  });

  it('leaves the sandbox as it is', async () => {
    const sandbox = () =>
      world.database.sql(
        `SELECT sequence, version FROM watch_list_version WHERE environment = 'sandbox' ORDER BY list_id, sequence`,
      );
    const before = await sandbox();
    await ofac(ofacCsv(153));
    expect(await sandbox()).toEqual(before);
  });

  it.each([
    ['an upload of any list', 'upload of lists', 'live'],
    ['an import of this list by the command line', 'watch list', `live ${LIST}`],
  ])('does not wait for %s', async (_, purpose, subject) => {
    const before = await everyRow();
    const answer = await world.database.database.platform({ tenantId: null }, async (tx) => {
      await lockUntilCommit(tx, purpose, subject);
      return ofac(ofacCsv(160));
    });
    expect([answer.status, answer.body.code]).toEqual([409, 'import_running']);
    expect(await everyRow()).toEqual(before);
  });
});
