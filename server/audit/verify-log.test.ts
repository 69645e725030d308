/** Tests of checkpoints, stored proofs and the verification of a part of the audit log. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyConsistency, verifyInclusion } from '../../test/support/merkle-verify.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { secretsFrom } from '../base/secrets.ts';
import { uuidv7 } from '../base/uuid.ts';
import { knex } from '../database/index.ts';
import { PLATFORM_TENANT_ID } from '../database/roles.ts';
import { appendAudit } from './chain.ts';
import { type Checkpoint, checkpointHash, CheckpointSigner, isGenuine, signCheckpoint } from './checkpoint.ts';
import { dueTenants } from './checkpoint-store.ts';
import { makeCheckpoint } from './make-checkpoint.ts';
import { consistencyPath, Frontier, inclusionPath } from './merkle.ts';
import { subtreeHashes } from './tree.ts';
import { RangeTooWide, verifyLog } from './verify-log.ts';

let test: TestDatabase;
let signer: CheckpointSigner;
beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 8 });
  signer = new CheckpointSigner(test.secrets);
});
afterAll(() => test.close());

const now = new Date('2026-03-01T12:00:00.000Z');

async function write(tenantId: string, count: number): Promise<void> {
  await test.database.transaction({ tenantId }, async (tx) => {
    for (let n = 0; n < count; n++) {
      appendAudit(tx, {
        occurredAt: now.toISOString(),
        environment: 'live',
        action: 'settings.updated',
        outcome: 'success',
        resource: { type: 'settings', id: uuidv7() },
        actor: {
          type: 'system',
          id: null,
          display: 'Test',
          impersonatorId: null,
        },
      });
    }
  });
}

const sign = (tenantId: string, at = now): Promise<Checkpoint | null> =>
  test.database.platform({ tenantId }, (tx) => makeCheckpoint(tx, { tenantId, signer, now: at }));
const verify = (tenantId: string, order: Partial<Parameters<typeof verifyLog>[1]> = {}) =>
  verifyLog(test.database, {
    tenantId,
    signer,
    maxEvents: 1_000_000,
    ...order,
  });
const leaves = async (tenantId: string): Promise<Buffer[]> =>
  (
    await test.sql<{ hash: Buffer }>('SELECT hash FROM audit_event WHERE tenant_id = $1 ORDER BY sequence', [tenantId])
  ).map(({ hash }) => hash);

describe('a checkpoint', () => {
  it('signs the tree of all events, refers to the previous checkpoint, and stores each interior node once', async () => {
    const tenantId = await test.tenant();
    expect(await sign(tenantId)).toBeNull();
    const made: Checkpoint[] = [];
    for (const count of [1, 2, 4, 1, 611]) {
      await write(tenantId, count);
      made.push((await sign(tenantId)) as Checkpoint);
    }
    const hashes = await leaves(tenantId);
    for (const checkpoint of made) {
      const tree = new Frontier();
      for (const leaf of hashes.slice(0, checkpoint.treeSize)) tree.append(leaf);
      expect(checkpoint).toMatchObject({
        tenantId,
        rootHash: tree.root(),
        headHash: hashes[checkpoint.treeSize - 1],
        timestamp: now.toISOString(),
        keyId: signer.publicKey.kid,
      });
      expect(isGenuine(checkpoint, signer)).toBe(true);
    }
    expect(made.map(({ treeSize }) => treeSize)).toEqual([1, 3, 7, 8, 619]);
    expect(made.map(({ previousHash }) => previousHash)).toEqual([null, ...made.slice(0, -1).map(checkpointHash)]);
    const [{ count }] = (await test.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM audit_node WHERE tenant_id = $1',
      [tenantId],
    )) as [{ count: number }];
    expect(count).toBe(619 - 6);
    expect(await verify(tenantId)).toMatchObject({
      firstFailure: null,
      checked: 619,
      checkpointsChecked: 5,
      covered: 619,
    });
  });

  it('is made once by concurrent replicas, and is recorded in the platform’s chain', async () => {
    const tenantId = await test.tenant();
    await write(tenantId, 5);
    const made = await Promise.all(Array.from({ length: 4 }, () => sign(tenantId)));
    expect(new Set(made.map((checkpoint) => checkpoint?.signature.toString('hex'))).size).toBe(1);
    expect(await sign(tenantId)).toEqual(made[0] && expect.objectContaining({ treeSize: 5 }));
    const traces = await test.sql<{ actor_type: string; changes: unknown }>(
      `SELECT actor_type, changes FROM audit_event
        WHERE tenant_id = $1 AND action = 'audit.checkpointed' AND resource_id = $2`,
      [PLATFORM_TENANT_ID, tenantId],
    );
    expect(traces).toEqual([
      {
        actor_type: 'system',
        changes: [
          { op: 'add', path: '/treeSize', value: 5 },
          { op: 'add', path: '/rootHash', value: made[0]?.rootHash.toString('hex') },
          { op: 'add', path: '/checkpointHash', value: made[0] && checkpointHash(made[0]).toString('hex') },
        ],
      },
    ]);
  });

  it('is due after its time or its number of events, also for the platform’s own chain, which does not trigger itself', async () => {
    const due = (before: Date, events = 1_000): Promise<string[]> =>
      test.database.platform({ tenantId: null, readOnly: true }, (tx) => dueTenants(tx, { before, events }));
    const tenantId = await test.tenant();
    expect(await due(now)).not.toContain(tenantId);
    await write(tenantId, 1);
    expect(await due(now)).toContain(tenantId);
    await sign(tenantId);
    await write(tenantId, 1);
    expect(await due(new Date(now.getTime() - 1))).not.toContain(tenantId);
    expect(await due(now)).toContain(tenantId);
    expect(await due(new Date(0), 1)).toContain(tenantId);
    expect((await due(now)).at(-1)).toBe(PLATFORM_TENANT_ID);
    await sign(PLATFORM_TENANT_ID);
    expect(await due(now)).not.toContain(PLATFORM_TENANT_ID);
    expect(await verify(PLATFORM_TENANT_ID)).toMatchObject({ firstFailure: null });
  });

  it('never has an earlier time than its predecessor', async () => {
    const tenantId = await test.tenant();
    await write(tenantId, 1);
    await sign(tenantId);
    await write(tenantId, 1);
    expect(await sign(tenantId, new Date(now.getTime() - 60_000))).toMatchObject({ timestamp: now.toISOString() });
  });

  it('is refused by the database unless it continues the newest one', async () => {
    const tenantId = await test.tenant();
    await write(tenantId, 3);
    const newest = (await sign(tenantId)) as Checkpoint;
    const row = (treeSize: number, previousHash: Buffer | null) => ({
      tenant_id: tenantId,
      tree_size: treeSize,
      root_hash: newest.rootHash,
      head_hash: newest.headHash,
      signed_at: now,
      previous_hash: previousHash,
      key_id: 'k',
      signature: newest.signature,
      hash: newest.rootHash,
    });
    for (const wrong of [
      row(3, checkpointHash(newest)),
      row(2, checkpointHash(newest)),
      row(4, null),
      row(4, newest.rootHash),
    ]) {
      const inserting = test.database.platform({ tenantId }, (tx) => tx.query(knex('audit_checkpoint').insert(wrong)));
      await expect(inserting).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('is ignored if another key has signed it', async () => {
    const tenantId = await test.tenant();
    await write(tenantId, 1);
    const { keyId: _, signature: __, ...body } = (await sign(tenantId)) as Checkpoint;
    const forger = new CheckpointSigner(secretsFrom('another root secret, of another service'));
    const forged = signCheckpoint(body, forger);
    expect(isGenuine(forged, signer)).toBe(false);
    expect(isGenuine({ ...forged, keyId: signer.publicKey.kid }, signer)).toBe(false);
  });
});

describe('a proof from the stored tree', () => {
  it('verifies for every event and every pair of sizes', async () => {
    const tenantId = await test.tenant();
    await write(tenantId, 13);
    const { rootHash: root } = (await sign(tenantId)) as Checkpoint;
    const hashes = await leaves(tenantId);
    const rootAt = (size: number): Buffer => {
      const tree = new Frontier();
      for (const leaf of hashes.slice(0, size)) tree.append(leaf);
      return tree.root();
    };
    await test.database.transaction({ tenantId, readOnly: true }, async (tx) => {
      for (let index = 0; index < 13; index++) {
        const path = await subtreeHashes(tx, tenantId, inclusionPath(index, 13));
        expect(
          verifyInclusion({
            index,
            size: 13,
            leaf: hashes[index] as Buffer,
            path,
            root,
          }),
        ).toBe(true);
        const consistency = await subtreeHashes(tx, tenantId, consistencyPath(index + 1, 13));
        expect(
          verifyConsistency({
            first: index + 1,
            second: 13,
            firstRoot: rootAt(index + 1),
            secondRoot: root,
            path: consistency,
          }),
        ).toBe(true);
      }
    });
  });
});

describe('verifying a part of a log', () => {
  it('walks only that part, from any event to any event', async () => {
    const tenantId = await test.tenant();
    for (const count of [7, 530, 3, 20]) {
      await write(tenantId, count);
      if (count !== 20) await sign(tenantId);
    }
    for (const [fromSequence, toSequence] of [
      [1, 7],
      [2, 6],
      [8, 8],
      [530, 545],
      [541, 560],
      [545, 560],
      [560, 9_999],
    ] as const) {
      const found = await verify(tenantId, { fromSequence, toSequence });
      expect(found, `${fromSequence}–${toSequence}`).toMatchObject({
        firstFailure: null,
        checked: Math.min(toSequence, 560) - fromSequence + 1,
        covered: 540,
      });
    }
    expect(await verify(tenantId, { fromSequence: 561 })).toMatchObject({ firstFailure: null, checked: 0 });
    expect(await verify(tenantId, { fromSequence: 9_999 })).toMatchObject({ firstFailure: null, checked: 0 });
    await expect(verify(tenantId, { maxEvents: 559 })).rejects.toThrow(RangeTooWide);
    await expect(verify(tenantId, { maxEvents: 560 })).resolves.toMatchObject({ firstFailure: null });
  });

  it('compares the log with a trusted root at any position', async () => {
    const tenantId = await test.tenant();
    await write(tenantId, 6);
    await sign(tenantId);
    await write(tenantId, 4);
    const hashes = await leaves(tenantId);
    const tree = new Frontier();
    for (const [index, leaf] of hashes.entries()) {
      tree.append(leaf);
      const trusted = { treeSize: index + 1, rootHash: tree.root() };
      for (const range of [{}, { fromSequence: 4 }, { toSequence: 4 }, { fromSequence: 3, toSequence: 4 }]) {
        expect(await verify(tenantId, { ...range, trusted })).toMatchObject({ firstFailure: null });
        expect(
          await verify(tenantId, { ...range, trusted: { ...trusted, rootHash: hashes[0] as Buffer } }),
        ).toMatchObject({
          firstFailure: index === 0 ? null : { kind: 'checkpoint_mismatch', sequence: index + 1 },
        });
      }
    }
    expect(await verify(tenantId, { trusted: { treeSize: 11, rootHash: tree.root() } })).toMatchObject({
      firstFailure: { kind: 'checkpoint_mismatch', sequence: 11 },
    });
  });

  it('reports no failure while the log grows and is signed', async () => {
    const tenantId = await test.tenant();
    let growing = true;
    const writers = Array.from({ length: 3 }, async () => {
      while (growing) await write(tenantId, 5);
    });
    const sizes = new Set<number>();
    const signing = (async () => {
      while (growing) sizes.add((await sign(tenantId))?.treeSize ?? 0);
    })();
    for (let run = 0; run < 25 || sizes.size < 4; run++)
      expect(await verify(tenantId)).toMatchObject({ firstFailure: null });
    growing = false;
    await Promise.all([...writers, signing]);
    const { checkpointsChecked, covered } = await verify(tenantId);
    expect(checkpointsChecked).toBeGreaterThanOrEqual(3);
    expect(covered).toBe(Math.max(...sizes));
  });
});
