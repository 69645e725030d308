/**
 * Tests that a tenant has two audit logs, each numbered, hashed, signed and verified for itself and unseen by the
 * other.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase, testSecret } from '../../test/support/postgres.ts';
import { secretsFrom } from '../base/secrets.ts';
import { type AuditChain, knex } from '../database/index.ts';
import { PLATFORM_TENANT_ID } from '../database/roles.ts';
import { withClient } from '../database/pool.ts';
import { appendAudit, genesisHash } from './chain.ts';
import { CheckpointSigner, isGenuine } from './checkpoint.ts';
import { dueTenants, newestCheckpoint } from './checkpoint-store.ts';
import { makeCheckpoint } from './make-checkpoint.ts';
import { readHead, readRows } from './store.ts';
import { verifyLog } from './verify-log.ts';

const signer = new CheckpointSigner(secretsFrom(testSecret));
const CHAINS = ['open', 'sealed'] as const;
let test: TestDatabase;
let tenantId: string;

const append = (auditChain: AuditChain, requestId: string): Promise<void> =>
  test.database.transaction({ tenantId, auditChain }, async (tx) =>
    appendAudit(tx, {
      occurredAt: '2026-03-01T12:00:00.000Z',
      environment: 'live',
      action: 'audit.viewed',
      outcome: 'success',
      actor: {
        type: 'user',
        id: null,
        display: 'Ana',
        impersonatorId: null,
      },
      resource: { type: 'audit_log', id: tenantId },
      requestId,
    }),
  );

const rowsOf = (auditChain: AuditChain, role: 'transaction' | 'platform' = 'transaction') =>
  test.database[role]({ tenantId, readOnly: true, auditChain }, (tx) => readRows(tx, tenantId, 1, 10));

const checkpoint = (auditChain: AuditChain) =>
  test.database.platform({ tenantId, auditChain }, (tx) =>
    makeCheckpoint(tx, { tenantId, signer, now: new Date('2026-03-01T13:00:00Z') }),
  );

beforeAll(async () => {
  test = await createTestDatabase();
  tenantId = await test.tenant();
  for (const [chain, id] of [
    ['open', 'a'],
    ['sealed', 'b'],
    ['open', 'c'],
    ['sealed', 'd'],
    ['open', 'e'],
  ] as const)
    await append(chain, id);
});
afterAll(() => test.close());

describe('the two logs of a tenant', () => {
  it.each(['transaction', 'platform'] as const)(
    'are numbered without a gap and hidden from one another: %s',
    async (role) => {
      const [open, sealed] = await Promise.all(CHAINS.map((chain) => rowsOf(chain, role)));
      expect(open!.map(({ sequence, requestId }) => [sequence, requestId])).toEqual([
        [1, 'a'],
        [2, 'c'],
        [3, 'e'],
      ]);
      expect(sealed!.map(({ sequence, requestId }) => [sequence, requestId])).toEqual([
        [1, 'b'],
        [2, 'd'],
      ]);
    },
  );

  it('begin from different hashes, so that no event can be moved from one to the other', async () => {
    const [open, sealed] = await Promise.all(CHAINS.map((chain) => rowsOf(chain)));
    expect(open![0]!.prevHash).toEqual(genesisHash(tenantId));
    expect(sealed![0]!.prevHash).toEqual(genesisHash(tenantId, 'sealed'));
    expect(genesisHash(tenantId)).not.toEqual(genesisHash(tenantId, 'sealed'));
  });

  it('are the same whatever the other one holds', async () => {
    const heads = await Promise.all(
      CHAINS.map((auditChain) =>
        test.database.transaction({ tenantId, readOnly: true, auditChain }, (tx) => readHead(tx, tenantId)),
      ),
    );
    expect(heads.map(({ sequence }) => sequence)).toEqual([3, 2]);
  });

  it('are not to be written by a statement that names the other one', async () => {
    await expect(
      test.database.transaction({ tenantId }, (tx) =>
        tx.query(knex('audit_event').insert({ tenant_id: tenantId, chain: 'sealed' }).returning('id')),
      ),
    ).rejects.toThrow(/permission denied|row-level security/);
  });

  it('are due, signed and verified separately', async () => {
    const due = (auditChain: AuditChain) =>
      test.database.platform({ tenantId: null, readOnly: true, auditChain }, (tx) =>
        dueTenants(tx, { before: new Date('2027-01-01T00:00:00Z'), events: 1000 }),
      );
    expect((await due('sealed')).includes(tenantId)).toBe(true);
    const signed = await checkpoint('sealed');
    expect([signed!.treeSize, signed!.chain]).toEqual([2, 'sealed']);
    expect((await due('sealed')).includes(tenantId)).toBe(false);
    expect((await due('open')).includes(tenantId)).toBe(true);
    expect(
      await test.database.platform({ tenantId, readOnly: true }, (tx) => newestCheckpoint(tx, tenantId)),
    ).toBeNull();
    expect(isGenuine(signed!, signer)).toBe(true);
    expect(isGenuine({ ...signed!, chain: 'open' }, signer)).toBe(false);
    for (const auditChain of CHAINS) {
      const found = await verifyLog(test.database, {
        tenantId,
        auditChain,
        signer,
        maxEvents: 100,
      });
      expect([auditChain, found.firstFailure]).toEqual([auditChain, null]);
    }
  });

  it('are recorded in the log of the platform of the same kind', async () => {
    await checkpoint('open');
    await checkpoint('sealed');
    const recorded = await Promise.all(
      CHAINS.map((auditChain) =>
        test.database.platform({ tenantId: PLATFORM_TENANT_ID, readOnly: true, auditChain }, (tx) =>
          readRows(tx, PLATFORM_TENANT_ID, 1, 10),
        ),
      ),
    );
    const sizes = recorded.map((rows) =>
      rows.map(({ changes }) => changes.find(({ path }) => path === '/treeSize')?.value),
    );
    expect(sizes).toEqual([[3], [2]]);
  });

  it('are both found wanting when somebody removes an event', async () => {
    await checkpoint('sealed');
    await withClient(test.superuser, async (client) => {
      await client.query('SET session_replication_role = replica');
      await client.query(`DELETE FROM audit_event WHERE tenant_id = $1 AND chain = 'sealed' AND sequence = 1`, [
        tenantId,
      ]);
    });
    const found = await verifyLog(test.database, {
      tenantId,
      auditChain: 'sealed',
      signer,
      maxEvents: 100,
    });
    expect(found.firstFailure).toMatchObject({ sequence: 1, kind: 'gap' });
    const open = await verifyLog(test.database, { tenantId, signer, maxEvents: 100 });
    expect(open.firstFailure).toBeNull();
  });
});
