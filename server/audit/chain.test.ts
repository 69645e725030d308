/** Tests of the hash chain of audit events and of the tables that store it. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { type AuditRow, verifyChain } from '../../test/support/verify-chain.ts';
import { uuidv7 } from '../base/uuid.ts';
import { knex, sql, statement } from '../database/index.ts';
import { appendAudit } from './chain.ts';
import { type AuditEvent, wholeEvent } from './store.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 6 });
});
afterAll(() => test.close());

const failing = statement('test.failing', () => sql`SELECT 1 / 0`);

const event = (overrides: Partial<AuditEvent> = {}): AuditEvent => ({
  occurredAt: '2026-03-01T12:00:00.120Z',
  environment: 'live',
  action: 'application.created',
  outcome: 'success',
  actor: {
    type: 'user',
    id: uuidv7(),
    display: 'Ana "Nã" Souza \u2028 😀',
    impersonatorId: null,
  },
  resource: { type: 'application', id: uuidv7() },
  ...overrides,
});

const append = (tenantId: string, ...events: AuditEvent[]): Promise<void> =>
  test.database.transaction({ tenantId }, async (tx) => events.forEach((one) => appendAudit(tx, one)));

const chain = (tenantId: string): Promise<{ rows: AuditRow[]; head: Buffer }> =>
  test.database.transaction({ tenantId, readOnly: true }, async (tx) => {
    const rows = await tx.query<AuditRow>(sql`SELECT ${wholeEvent} FROM audit_event ORDER BY sequence`);
    const [head] = await tx.query<{ hash: Buffer }>(knex('audit_head').select('hash'));
    return { rows, head: head?.hash ?? Buffer.alloc(0) };
  });

describe('the audit chain', () => {
  it('starts from the hash of the tenant id and verifies, whatever text an event contains', async () => {
    const tenantId = await test.tenant();
    await append(
      tenantId,
      event({
        reason: 'low_risk',
        requestId: uuidv7(),
        ip: '2001:db8::1',
        userAgent: 'curl/8 "x" \\ \u0001',
        sealedRef: 's1',
      }),
      event({ changes: [{ op: 'replace', path: '/status', value: { b: [1.5, null, true], a: '€' } }] }),
      event({ outcome: 'denied', resource: { type: 'tenant', id: null } }),
    );
    const { rows, head } = await chain(tenantId);
    expect(rows.map((row) => row.sequence)).toEqual([1, 2, 3]);
    expect(verifyChain(tenantId, rows, head)).toBeNull();
  });

  it('has no gap and no fork if many requests of one tenant write at once and some of them fail', async () => {
    const tenantId = await test.tenant();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) =>
        test.database.transaction({ tenantId }, async (tx) => {
          appendAudit(tx, event());
          appendAudit(tx, event({ action: 'application.updated' }));
          if (index % 5 === 0) await tx.query(sql`SELECT 1 / 0`);
          if (index % 5 === 1) tx.beforeCommit(failing, {});
        }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(36);
    const { rows, head } = await chain(tenantId);
    expect(rows).toHaveLength(72);
    expect(verifyChain(tenantId, rows, head)).toBeNull();
  });

  it('fails the whole transaction when the tenant has no chain', async () => {
    await expect(append(uuidv7(), event())).rejects.toMatchObject({ code: '23502' });
  });

  it('detects a changed column, a changed hash, a missing event, a swapped pair and a truncated end', async () => {
    const tenantId = await test.tenant();
    await append(tenantId, event(), event(), event(), event());
    const { rows, head } = await chain(tenantId);
    const [first, second, third, fourth] = rows as [AuditRow, AuditRow, AuditRow, AuditRow];
    expect(verifyChain(tenantId, [first, { ...second, outcome: 'denied' }, third, fourth], head)).toEqual({
      sequence: 2,
      kind: 'hash_mismatch',
    });
    expect(verifyChain(tenantId, [first, { ...second, hash: first.hash }], head)).toEqual({
      sequence: 2,
      kind: 'hash_mismatch',
    });
    expect(verifyChain(tenantId, [first, third, fourth], head)).toEqual({ sequence: 2, kind: 'gap' });
    expect(verifyChain(tenantId, [first, { ...third, sequence: 2 }], head)).toEqual({
      sequence: 2,
      kind: 'link_broken',
    });
    expect(verifyChain(tenantId, [first, second, third], head)).toEqual({ sequence: 4, kind: 'gap' });
    expect(verifyChain(uuidv7(), rows, head)).toEqual({ sequence: 1, kind: 'link_broken' });
  });
});

describe('the audit tables', () => {
  it.each(['app', 'platform', 'owner', 'superuser'] as const)('cannot be rewritten by the %s role', async (role) => {
    const tenantId = await test.tenant();
    await append(tenantId, event());
    const client = new pg.Client(test[role]);
    await client.connect();
    try {
      await client.query(`SELECT set_config('app.tenant_id', $1, false)`, [tenantId]);
      for (const rewriting of [
        `UPDATE audit_event SET outcome = 'denied'`,
        'DELETE FROM audit_event',
        'TRUNCATE audit_event',
        'DELETE FROM audit_head',
        'TRUNCATE audit_head',
      ])
        await expect(client.query(rewriting), rewriting).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
    }
    expect((await chain(tenantId)).rows).toHaveLength(1);
  });

  it('let the head move only one step forward', async () => {
    const tenantId = await test.tenant();
    await append(tenantId, event());
    const rewinding = test.database.transaction({ tenantId }, (tx) =>
      tx.query(knex('audit_head').update({ sequence: 0 })),
    );
    await expect(rewinding).rejects.toMatchObject({ code: '42501' });
  });
});
