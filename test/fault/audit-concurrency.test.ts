/** Test of the audit log under many concurrent writers. */
import { describe, expect, it } from 'vitest';
import { auditor } from '../api/audit-world.ts';
import { success } from '../support/api.ts';
import { useService } from '../support/service.ts';

const WRITERS = 200;
const WRITES_EACH = 3;
/** Number of client addresses, because no single address may have that many requests in progress. */
const ADDRESSES = 10;

const service = await useService({ env: { TRUST_PROXY: '1' } });

describe(`${WRITERS} writers on one tenant at the same time`, () => {
  it('leave a log without a gap or a fork, with one event for each change, while it is signed and verified', async () => {
    const as = await service.acme.key(['read', 'write']);
    const log = auditor(service, as);
    let writing = true;
    const signer = (async () => {
      for (; writing; service.advance(6 * 60_000)) await service.running.runJob('audit.checkpoint');
    })();
    const verifier = (async () => {
      const found: boolean[] = [];
      while (writing) found.push((await success(log.verify())).body.valid);
      return found;
    })();
    const ids: string[] = [];
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      const headers = { 'X-Forwarded-For': `203.0.113.${writer % ADDRESSES}` };
      for (let n = 0; n < WRITES_EACH; n++) {
        const { status, body } = await success(
          service.api.POST('/v1/applications', {
            headers: { ...as, ...headers },
            body: {
              purpose: 'account_opening',
              externalId: `${writer}-${n}`,
              applicant: { fullName: 'Maria da Silva' },
            },
          }),
        );
        expect(status).toBe(201);
        ids.push(body.id);
      }
    });
    // A failing writer ends the others too; otherwise the signer would keep running and the test would not end.
    await Promise.all(writers).finally(() => {
      writing = false;
    });
    await signer;
    expect((await verifier).every((valid) => valid)).toBe(true);

    const events = await service.database.sql<{
      sequence: number;
      resource_id: string;
      action: string;
      prev_hash: Buffer;
    }>('SELECT sequence, resource_id, action, prev_hash FROM audit_event WHERE tenant_id = $1 ORDER BY sequence', [
      service.acme.id,
    ]);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, place) => place + 1));
    expect(new Set(events.map(({ prev_hash }) => prev_hash.toString('hex'))).size).toBe(events.length);
    expect(
      events
        .filter(({ action }) => action === 'application.created')
        .map((event) => event.resource_id)
        .sort(),
    ).toEqual(ids.sort());
    const { body } = await success(log.verify());
    expect(body).toMatchObject({ valid: true, checked: events.length });
    expect(body.checkpointsChecked).toBeGreaterThan(0);
  });
});
