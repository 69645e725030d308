/** API tests of proofs, checkpoints and verification of the audit log. A log that was changed must be found. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson, type Json } from '../../server/base/canonical-json.ts';
import { refusal, refused, success } from '../support/api.ts';
import { verifyConsistency, verifyInclusion } from '../support/merkle-verify.ts';
import { whileAuditEventsWait } from '../support/locks.ts';
import { useService } from '../support/service.ts';
import { auditor, createApplications, type AuditEvent, type Checkpoint, type Proof } from './audit-world.ts';

const MINUTE = 60_000;

let log: ReturnType<typeof auditor>;
const service = await useService({ env: { JOBS: 'false' } });
beforeAll(async () => {
  log = auditor(service, await service.acme.user('compliance_officer'));
  await createApplications(service, service.acme, 5);
});

const bytes = (hash: string): Buffer => Buffer.from(hash, 'hex');
const checkpoint = (): Promise<number | null> => service.running.runJob('audit.checkpoint');
const first = async (): Promise<AuditEvent> =>
  (await success(log.events({ sort: 'sequence', limit: 1 }))).body.items[0] as AuditEvent;

/** Verifies a proof as a reader does who trusts only a public key. */
function convinces(
  event: AuditEvent,
  { index, treeSize, path, rootHash, checkpoint: { signature, ...signed }, publicKey }: Proof,
): boolean {
  const { hash: _, ...content } = event;
  const leaf = createHash('sha256')
    .update('\0')
    .update(canonicalJson(content as unknown as Json))
    .digest();
  return (
    signed.treeSize === treeSize &&
    signed.rootHash === rootHash &&
    verifyInclusion({
      index,
      size: treeSize,
      leaf,
      path: path.map(bytes),
      root: bytes(signed.rootHash),
    }) &&
    isSigned({ signature, ...signed }, publicKey.x)
  );
}

function isSigned({ signature, ...signed }: Checkpoint, x: string): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(canonicalJson(signed as unknown as Json)), key, Buffer.from(signature, 'base64'));
}

describe('a proof', () => {
  it('convinces everybody who has the event and the public key, of that event alone', async () => {
    await checkpoint();
    const event = await first();
    const { status, body: proof } = await success(log.proof(event.id));
    expect(status).toBe(200);
    expect(proof).toMatchObject({
      eventId: event.id,
      leafHash: event.hash,
      index: 0,
      checkpoint: { tenantId: service.acme.id },
    });
    expect(convinces(event, proof)).toBe(true);
    expect(convinces({ ...event, action: 'application.approved' }, proof)).toBe(false);
    expect(
      convinces(event, { ...proof, checkpoint: { ...proof.checkpoint, timestamp: '2020-01-01T00:00:00.000Z' } }),
    ).toBe(false);
  });

  it('refers to the checkpoint of the requested size', async () => {
    const event = await first();
    const { treeSize } = (await success(log.proof(event.id))).body;
    await createApplications(service, service.acme, 2);
    service.advance(6 * MINUTE);
    await checkpoint();
    const { body: newest } = await success(log.proof(event.id));
    expect(newest.treeSize).toBeGreaterThan(treeSize);
    const { body: older } = await success(log.proof(event.id, { treeSize }));
    expect(older.treeSize).toBe(treeSize);
    expect(convinces(event, older)).toBe(true);
    const between = await refusal(log.proof(event.id, { treeSize: treeSize + 1 }));
    expect(refused(between)).toEqual([400, 'invalid_parameter']);
    const beyond = await refusal(log.proof(event.id, { treeSize: newest.treeSize + 1 }));
    expect(refused(beyond)).toEqual([409, 'not_checkpointed_yet']);
    const {
      body: { items },
    } = await success(log.events({ sort: 'sequence', limit: 2 }));
    const without = await refusal(log.proof(items[1]!.id, { treeSize: 1 }));
    expect(refused(without)).toEqual([400, 'invalid_parameter']);
  });

  it('of a new event creates a checkpoint of its own, but not one after the other', async () => {
    service.advance(MINUTE);
    await createApplications(service, service.acme, 1);
    const newest = async (): Promise<AuditEvent> =>
      (await success(log.events({ action: ['application.created'], limit: 1 }))).body.items[0] as AuditEvent;
    const event = await newest();
    expect(convinces(event, (await success(log.proof(event.id))).body)).toBe(true);
    await createApplications(service, service.acme, 1);
    const next = await newest();
    const { status, headers, body } = await refusal(log.proof(next.id));
    expect([status, body.code]).toEqual([409, 'not_checkpointed_yet']);
    const wait = Number(headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(10);
    expect(body).toMatchObject({ retryable: true, retryAfter: wait });
    service.advance(wait * 1000);
    expect(convinces(next, (await success(log.proof(next.id))).body)).toBe(true);
  });

  it('of many at once needs one checkpoint', async () => {
    service.advance(MINUTE);
    await createApplications(service, service.acme, 3);
    const {
      body: { items },
    } = await success(log.events({ action: ['application.created'], limit: 3 }));
    const { length: before } = (await success(log.checkpoints({ limit: 100 }))).body.items;
    const answers = await Promise.all(items.map(({ id }) => success(log.proof(id))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await success(log.checkpoints({ limit: 100 }))).body.items.length).toBe(before + 1);
  });

  it('of an unknown event is not found', async () => {
    expect((await refusal(log.proof('0197f2c9-4d10-7b55-8e21-1c2d3e4f5a60'))).status).toBe(404);
  });
});

describe('checkpoints', () => {
  it('are signed, newest first, and each continues the one before', async () => {
    const { body } = await success(log.checkpoints({ limit: 100 }));
    const [key] = body.publicKeys;
    expect(body.items.length).toBeGreaterThanOrEqual(5);
    for (const [place, item] of body.items.entries()) {
      expect(isSigned(item, key!.x)).toBe(true);
      const before = body.items[place + 1];
      const { signature: _, ...signed } = before ?? { signature: '' };
      expect(item.previousCheckpointHash).toBe(
        before === undefined
          ? null
          : createHash('sha256')
              .update(canonicalJson(signed as unknown as Json))
              .digest('hex'),
      );
      expect(item.treeSize).toBeGreaterThan(before?.treeSize ?? 0);
    }
    expect(
      createPublicKey({ key: { kty: key!.kty, crv: key!.crv, x: key!.x }, format: 'jwk' }).export({
        format: 'pem',
        type: 'spki',
      }),
    ).toContain('BEGIN PUBLIC KEY');
  });

  it('are paginated and filtered by time', async () => {
    const {
      body: { items: all },
    } = await success(log.checkpoints({ limit: 100 }));
    const { body: one } = await success(log.checkpoints({ limit: 2 }));
    const { body: two } = await success(log.checkpoints({ limit: 2, cursor: one.cursor! }));
    expect([...one.items, ...two.items]).toEqual(all.slice(0, 4));
    const at = all[1]!.timestamp;
    expect((await success(log.checkpoints({ from: at, limit: 100 }))).body.items).toEqual(all.slice(0, 2));
    expect((await success(log.checkpoints({ to: at, limit: 100 }))).body.items).toEqual(all.slice(2));
    const foreign = await refusal(
      auditor(service, await service.other.user('owner')).checkpoints({ limit: 2, cursor: one.cursor! }),
    );
    expect(refused(foreign)).toEqual([400, 'invalid_cursor']);
  });

  it('prove that the log only grew', async () => {
    const {
      body: { items },
    } = await success(log.checkpoints({ limit: 100 }));
    for (const older of items) {
      const { body } = await success(log.checkpoints({ consistencyFrom: older.treeSize }));
      const { fromSize, toSize, path } = body.consistency!;
      expect([fromSize, toSize]).toEqual([older.treeSize, items[0]!.treeSize]);
      expect(
        verifyConsistency({
          first: fromSize,
          second: toSize,
          firstRoot: bytes(older.rootHash),
          secondRoot: bytes(items[0]!.rootHash),
          path: path.map(bytes),
        }),
      ).toBe(true);
    }
    const beyond = await refusal(log.checkpoints({ consistencyFrom: items[0]!.treeSize + 1 }));
    expect(refused(beyond)).toEqual([400, 'invalid_parameter']);
  });

  it('are created by the job for every log that has grown, the platform’s last', async () => {
    service.advance(6 * MINUTE);
    await createApplications(service, service.other, 1);
    expect(await checkpoint()).toBeGreaterThanOrEqual(2);
    expect(await checkpoint()).toBe(0);
    const stranger = await success(auditor(service, await service.other.user('owner')).checkpoints());
    expect(stranger.body.items).toMatchObject([
      { tenantId: service.other.id, treeSize: 1, previousCheckpointHash: null },
    ]);
  });
});

describe('verifying', () => {
  it('checks a million events at a time, and says how to continue', async () => {
    const tenant = await service.tenant();
    const auditing = auditor(service, await tenant.user('auditor'));
    // The database lets nobody skip a million events, so this disables the triggers that guard the log.
    await service.database.sql(`
      BEGIN; SET LOCAL session_replication_role = replica; UPDATE audit_head SET sequence = 1000001
        WHERE tenant_id = '${tenant.id}'; COMMIT`);
    const {
      status,
      body: { code, detail },
    } = await refusal(auditing.verify());
    expect([status, code, detail]).toEqual([
      400,
      'range_too_wide',
      'At most 1,000,000 events: set `fromSequence` and `toSequence`.',
    ]);
    await success(auditing.verify({ toSequence: 1_000_000 }));
  });

  it('checks the whole log and records this in the log', async () => {
    const { status, body } = await success(log.verify());
    expect(status).toBe(200);
    const {
      body: {
        items: [event],
      },
    } = await success(log.events({ action: ['audit.verified'], limit: 1 }));
    expect(body).toMatchObject({
      valid: true,
      firstFailure: null,
      checked: event!.sequence - 1,
      head: { sequence: event!.sequence - 1, hash: event!.prevHash },
    });
    expect(body.checkpointsChecked).toBeGreaterThanOrEqual(5);
    expect(event).toMatchObject({
      resource: { type: 'audit_log' },
      changes: expect.arrayContaining([{ op: 'add', path: '/checked', value: body.checked }]),
    });
  });

  it('accepts a part of the log and a checkpoint that the caller has stored', async () => {
    const {
      body: { items },
    } = await success(log.checkpoints({ limit: 100 }));
    const oldest = items.at(-1)!;
    const trustedCheckpoint = { treeSize: oldest.treeSize, rootHash: oldest.rootHash };
    expect((await success(log.verify({ fromSequence: 3, toSequence: 6, trustedCheckpoint }))).body).toMatchObject({
      valid: true,
      checked: 4,
    });
    const other = await success(
      log.verify({ trustedCheckpoint: { ...trustedCheckpoint, rootHash: items[0]!.rootHash } }),
    );
    expect(other.body).toMatchObject({
      valid: false,
      firstFailure: { sequence: oldest.treeSize, kind: 'checkpoint_mismatch' },
    });
  });

  it('refuses a range that ends before it begins', async () => {
    const { status, body } = await refusal(log.verify({ fromSequence: 4, toSequence: 3 }));
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer: '/toSequence' }] },
    });
  });

  it('runs once at a time for a tenant', async () => {
    await whileAuditEventsWait(service.database, async (isWaitedFor) => {
      const running = success(log.verify());
      await isWaitedFor();
      const { status, headers } = await refusal(log.verify());
      expect([status, headers.get('retry-after')]).toEqual([429, '5']);
      return { running };
    }).then(async ({ running }) => expect((await running).status).toBe(200));
  });
});
