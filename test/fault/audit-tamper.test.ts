/** Tests that verification finds every manipulation of the audit log by an attacker who controls the database. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { PLATFORM_TENANT_ID } from '../../server/database/roles.ts';
import { success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { startAuditedService, verifyOffline } from './audit-log.ts';
import { asIntruder, cutOff, editAndRehash, forget } from './tamper.ts';

const audited = await shared(startAuditedService());

const swap = async (client: pg.Client, tenantId: string, one: number, other: number): Promise<void> => {
  for (const [from, to] of [
    [one, 1_000_000],
    [other, one],
    [1_000_000, other],
  ]) {
    await client.query('UPDATE audit_event SET sequence = $3 WHERE tenant_id = $1 AND sequence = $2', [
      tenantId,
      from,
      to,
    ]);
  }
};

/**
 * Logs are written, changed and verified one at a time, because the job that signs reads all of them. The slow part is
 * the export of a log that cannot be signed, which retries after a second and again later, so those exports wait in
 * parallel.
 */
let turn: Promise<unknown> = Promise.resolve();

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = turn.then(work);
  turn = mine.catch(() => null);
  return mine;
}

interface Tampering {
  readonly name: string;
  readonly work: (client: pg.Client, tenantId: string) => Promise<unknown>;
  /** Finding of the service. */
  readonly found: { readonly sequence: number; readonly kind: string };
  /** Finding of the stand-alone verifier, if it differs: the verifier has the export, and not the tables. */
  readonly offline?: { readonly sequence: number; readonly kind: string };
}

const tamperings: readonly Tampering[] = [
  {
    name: 'a deleted event',
    found: { sequence: 5, kind: 'gap' },
    work: (client, tenantId) =>
      client.query('DELETE FROM audit_event WHERE tenant_id = $1 AND sequence = 5', [tenantId]),
  },
  {
    name: 'two events that changed places',
    found: { sequence: 6, kind: 'link_broken' },
    work: (client, tenantId) => swap(client, tenantId, 6, 11),
  },
  {
    name: 'an edited event',
    found: { sequence: 12, kind: 'hash_mismatch' },
    work: (client, tenantId) =>
      client.query(`UPDATE audit_event SET outcome = 'denied' WHERE tenant_id = $1 AND sequence = 12`, [tenantId]),
  },
  {
    name: 'an edited value among the changes',
    found: { sequence: 3, kind: 'hash_mismatch' },
    work: (client, tenantId) =>
      client.query(
        `UPDATE audit_event SET changes = jsonb_set(changes, '{0,value}', '"rejected"')
          WHERE tenant_id = $1 AND sequence = 3`,
        [tenantId],
      ),
  },
  {
    name: 'an event that nobody has signed yet, edited',
    found: { sequence: 19, kind: 'hash_mismatch' },
    work: (client, tenantId) =>
      client.query(`UPDATE audit_event SET ip = '192.0.2.1' WHERE tenant_id = $1 AND sequence = 19`, [tenantId]),
  },
  {
    name: 'an edited event with every hash after it computed anew',
    found: { sequence: 8, kind: 'checkpoint_mismatch' },
    work: (client, tenantId) => editAndRehash(client, tenantId, 4),
  },
  {
    name: 'the same, after the first checkpoint',
    found: { sequence: 17, kind: 'checkpoint_mismatch' },
    work: (client, tenantId) => editAndRehash(client, tenantId, 10),
  },
  {
    name: 'the last event before a checkpoint, edited and rehashed',
    found: { sequence: 17, kind: 'checkpoint_mismatch' },
    work: (client, tenantId) => editAndRehash(client, tenantId, 17),
  },
  {
    name: 'a log whose tail is missing',
    found: { sequence: 15, kind: 'gap' },
    work: (client, tenantId) =>
      client.query('DELETE FROM audit_event WHERE tenant_id = $1 AND sequence > 14', [tenantId]),
  },
  {
    name: 'a tail cut off together with the head',
    found: { sequence: 15, kind: 'checkpoint_mismatch' },
    offline: { sequence: 17, kind: 'checkpoint_mismatch' },
    work: (client, tenantId) => cutOff(client, tenantId, 14),
  },
];

describe('an attacker with full control of the database', () => {
  it('finds a valid log, before anything is done to it', async () => {
    const log = await audited.writeLog();
    expect((await success(log.api.verify())).body).toMatchObject({
      valid: true,
      checked: 20,
      checkpointsChecked: 2,
      head: { checkpointedSequence: 17 },
    });
    const file = join(audited.folder, 'whole.ndjson');
    expect(await audited.exportLog(file, log)).toMatchObject({
      status: 0,
      stdout: '22 events and 3 checkpoints added; the last event is 22\n',
    });
    expect(await verifyOffline(file, log)).toMatchObject({
      status: 0,
      valid: true,
      events: 22,
      covered: 22,
      uncovered: 0,
      firstFailure: null,
    });
  });

  it.concurrent.for(tamperings)('cannot hide $name', async ({ work, found, offline = found }, { expect }) => {
    const log = await inTurn(async () => {
      const changed = await audited.writeLog();
      const { tenantId } = changed;
      await asIntruder(audited.service.database, (client) => work(client, tenantId));
      audited.lines.length = 0;
      const { status, body } = await success(changed.api.verify());
      expect(status).toBe(200);
      expect(body).toMatchObject({ valid: false, firstFailure: found });
      expect(audited.lines.map((line) => JSON.parse(line) as object)).toContainEqual(
        expect.objectContaining({
          level: 'error',
          msg: 'an audit log does not hold',
          tenantId,
          ...found,
        }),
      );
      expect(await (await fetch(`${audited.service.url}/metrics`)).text()).toMatch(
        new RegExp(`audit_verification_failures_total\\{kind="${found.kind}"\\} [1-9]`),
      );
      const written = await audited.service.database.sql(
        `SELECT tenant_id, outcome, reason FROM audit_event
          WHERE action = 'audit.verification_failed' AND resource_id = $1 ORDER BY tenant_id`,
        [tenantId],
      );
      expect(written).toEqual(
        [PLATFORM_TENANT_ID, tenantId].map((tenant_id) => ({ tenant_id, outcome: 'failed', reason: found.kind })),
      );
      return changed;
    });

    const file = join(audited.folder, `${log.tenantId}.ndjson`);
    await audited.exportLog(file, log);
    expect(await verifyOffline(file, log)).toMatchObject({ status: 1, valid: false, firstFailure: offline });
  });

  it.concurrent('cannot hide a tail that was cut off with its checkpoints, because the platform’s own chain, and everybody who stored one, prove it', async ({
    expect,
  }) => {
    const log = await inTurn(async () => {
      const cut = await audited.writeLog();
      await asIntruder(audited.service.database, async (client) => {
        await cutOff(client, cut.tenantId, 14);
        await forget(client, cut.tenantId, 14);
      });
      expect((await success(cut.api.verify())).body).toMatchObject({
        valid: false,
        firstFailure: { sequence: 15, kind: 'checkpoint_mismatch' },
      });
      return cut;
    });
    const file = join(audited.folder, 'cut.ndjson');
    await audited.exportLog(file, log);
    const kept = join(audited.folder, 'kept.json');
    writeFileSync(kept, JSON.stringify(log.kept));
    expect(await verifyOffline(file, log, '--trusted-checkpoint', kept)).toMatchObject({
      status: 1,
      firstFailure: { kind: 'checkpoint_mismatch' },
    });
    const { treeSize, rootHash } = log.kept;
    const { body } = await inTurn(() =>
      success(log.api.verify({ toSequence: 14, trustedCheckpoint: { treeSize, rootHash } })),
    );
    expect(body).toMatchObject({ valid: false, firstFailure: { kind: 'checkpoint_mismatch' } });
  });

  it.each([
    {
      name: 'a deleted checkpoint',
      found: { sequence: 17, kind: 'checkpoint_mismatch' },
      text: 'DELETE FROM audit_checkpoint WHERE tenant_id = $1 AND tree_size = 8',
    },
    {
      name: 'the newest checkpoint, deleted',
      found: { sequence: 17, kind: 'checkpoint_mismatch' },
      text: 'DELETE FROM audit_checkpoint WHERE tenant_id = $1 AND tree_size = 17',
    },
    {
      name: 'a checkpoint with another root',
      found: { sequence: 8, kind: 'checkpoint_mismatch' },
      text: 'UPDATE audit_checkpoint SET root_hash = head_hash WHERE tenant_id = $1 AND tree_size = 8',
    },
    {
      name: 'a checkpoint with another time',
      found: { sequence: 8, kind: 'checkpoint_mismatch' },
      text: `UPDATE audit_checkpoint SET signed_at = '2020-01-01Z' WHERE tenant_id = $1 AND tree_size = 8`,
    },
    {
      name: 'a checkpoint under another hash',
      found: { sequence: 17, kind: 'checkpoint_mismatch' },
      text: 'UPDATE audit_checkpoint SET hash = root_hash WHERE tenant_id = $1 AND tree_size = 17',
    },
    {
      name: 'a changed node of the stored tree',
      found: { sequence: 4, kind: 'root_mismatch' },
      text: `UPDATE audit_node SET hash = sha256('x') WHERE tenant_id = $1 AND level = 2 AND index = 0`,
    },
    {
      name: 'a missing node of the stored tree',
      found: { sequence: 10, kind: 'root_mismatch' },
      text: 'DELETE FROM audit_node WHERE tenant_id = $1 AND level = 1 AND index = 4',
    },
    {
      name: 'a head with another hash',
      found: { sequence: 20, kind: 'link_broken' },
      text: `UPDATE audit_head SET hash = sha256('x') WHERE tenant_id = $1`,
    },
    {
      name: 'a head that was set back',
      found: { sequence: 19, kind: 'link_broken' },
      text: 'UPDATE audit_head SET sequence = 19 WHERE tenant_id = $1',
    },
  ])('cannot hide $name', async ({ found, text }) => {
    const log = await audited.writeLog();
    await asIntruder(audited.service.database, (client) => client.query(text, [log.tenantId]));
    expect((await success(log.api.verify())).body).toMatchObject({ valid: false, firstFailure: found });
  });

  it('gets no other log signed in place of one whose checkpoints were removed', async () => {
    const log = await audited.writeLog();
    await asIntruder(audited.service.database, async (client) => {
      await editAndRehash(client, log.tenantId, 3);
      await forget(client, log.tenantId, 0);
    });
    audited.lines.length = 0;
    await audited.service.running.runJob('audit.checkpoint');
    expect((await success(log.api.checkpoints())).body.items).toEqual([]);
    expect(audited.lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({
        msg: 'an audit log does not hold',
        tenantId: log.tenantId,
        sequence: 17,
        kind: 'checkpoint_mismatch',
      }),
    );
    expect((await success(log.api.verify())).body).toMatchObject({
      valid: false,
      firstFailure: { sequence: 17, kind: 'checkpoint_mismatch' },
    });
  });

  it('gets no invalid log signed', async () => {
    const log = await audited.writeLog();
    await asIntruder(audited.service.database, (client) => editAndRehash(client, log.tenantId, 19));
    await asIntruder(audited.service.database, (client) =>
      client.query(`UPDATE audit_event SET outcome = 'success' WHERE tenant_id = $1 AND sequence = 19`, [log.tenantId]),
    );
    audited.lines.length = 0;
    await audited.service.running.runJob('audit.checkpoint');
    expect((await success(log.api.checkpoints())).body.items[0]?.treeSize).toBe(17);
    expect(audited.lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ msg: 'an audit log does not hold', sequence: 19, kind: 'hash_mismatch' }),
    );
  });
});
