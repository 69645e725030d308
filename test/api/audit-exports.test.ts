/** API tests of exports of the audit log, which must verify offline. Spreadsheet formulas in them must be harmless. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { run } from '../fault/audit-log.ts';
import { refusal, refused, success } from '../support/api.ts';
import { useService } from '../support/service.ts';
import { auditor, createApplications } from './audit-world.ts';

type Order = components['schemas']['AuditExportCreate'];
type Line = Record<string, Record<string, unknown>>;

const service = await useService();
const folder = mkdtempSync(join(tmpdir(), 'audit-exports-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DAY = 86_400_000;

/** Runs a statement that the triggers refuse even to a superuser. */
const asIntruder = (statement: string) =>
  service.database.sql(`SET session_replication_role = replica; ${statement}; RESET session_replication_role`);

async function world() {
  const own = await service.tenant();
  return { tenant: own, log: auditor(service, await own.key(['admin'])) };
}
type World = Awaited<ReturnType<typeof world>>;

/** Returns an export that is ready, and its file. */
async function made({ log }: World, order: Order) {
  const {
    body: { id },
  } = await success(log.export(order), 202);
  await service.running.runTasks();
  const { body } = await success(log.exported(id));
  expect(body).toMatchObject({ status: 'ready', progressPercent: 100 });
  const { text, headers } = await log.download(id);
  expect(Number(headers.get('content-length'))).toBe(body.sizeBytes);
  expect(Buffer.byteLength(text)).toBe(body.sizeBytes);
  return {
    body,
    text,
    headers,
    lines: () =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Line),
  };
}

async function verify(
  { log }: World,
  text: string,
): Promise<{
  status: number;
  events?: number;
  isPart?: boolean;
  uncovered?: number;
  firstFailure?: { sequence: number; kind: string } | null;
}> {
  const {
    body: {
      publicKeys: [key],
    },
  } = await success(log.checkpoints());
  const file = join(folder, 'export.ndjson');
  writeFileSync(file, text);
  const { status, stdout } = await run('verify-audit.mjs', [file, '--public-key', key!.x, '--json']);
  return { status, ...(stdout !== '' && (JSON.parse(stdout) as object)) };
}

describe('an export of the whole log', () => {
  it('is made in the background, one at a time, and verifies offline', async () => {
    const one = await world();
    await createApplications(service, one.tenant, 3);
    const { body: order } = await success(one.log.export({ format: 'ndjson' }), 202);
    expect(order).toMatchObject({
      status: 'running',
      progressPercent: 0,
      includeProofs: false,
      filter: {},
      eventCount: null,
      sizeBytes: null,
      readyAt: null,
      expiresAt: null,
    });
    const second = await refusal(one.log.export({ format: 'csv' }));
    expect([...refused(second), second.headers.get('retry-after')]).toEqual([409, 'export_running', '2']);
    const early = await one.log.download(order.id);
    expect([...refused(early), early.body.retryable]).toEqual([409, 'export_not_ready', true]);

    await service.running.runTasks();
    const { body: ready } = await success(one.log.exported(order.id));
    expect(ready).toMatchObject({ status: 'ready', progressPercent: 100, createdBy: { type: 'api_key' } });
    expect(Date.parse(ready.expiresAt!) - Date.parse(ready.readyAt!)).toBe(7 * DAY);
    const { text, headers } = await one.log.download(order.id);
    expect(
      Object.fromEntries(
        ['content-type', 'content-length', 'content-disposition'].map((name) => [name, headers.get(name)]),
      ),
    ).toEqual({
      'content-type': 'application/x-ndjson',
      'content-length': String(ready.sizeBytes),
      'content-disposition': `attachment; filename="audit-log-${ready.createdAt.slice(0, 10)}.ndjson"`,
    });
    expect(await verify(one, text)).toMatchObject({
      status: 0,
      isPart: false,
      events: ready.eventCount,
      uncovered: 0,
    });
    expect((await one.log.download(order.id)).text).toBe(text);
    expect(
      (await one.tenant.audit()).filter(({ resource_id: about }) => about === order.id).map(({ action }) => action),
    ).toEqual(['audit.exported', 'audit.viewed', 'audit.viewed']);

    const edited = text.replace('"action":"application.created"', '"action":"application.deleted"');
    expect(await verify(one, edited)).toMatchObject({ status: 1, firstFailure: { kind: 'hash_mismatch' } });
  });

  it('begins with the first event and ends with a signed one, also with proofs, whoever writes meanwhile', async () => {
    const one = await world();
    await createApplications(service, one.tenant, 2);
    const { body: order } = await success(one.log.export({ format: 'ndjson', includeProofs: true }), 202);
    await createApplications(service, one.tenant, 2);
    await service.running.runTasks();
    const { text } = await one.log.download(order.id);
    await createApplications(service, one.tenant, 1);
    expect((await one.log.download(order.id)).text).toBe(text);
    expect(await verify(one, text)).toMatchObject({ status: 0, uncovered: 0 });
  });
});

describe('an export of a part', () => {
  it('contains what the list shows, and each event is proved by itself', async () => {
    const one = await world();
    await createApplications(service, one.tenant, 5);
    const filter: NonNullable<Order['filter']> = {
      action: ['application.*'],
      outcome: 'success',
      resourceType: 'application',
      environment: 'live',
      fromSequence: 4,
    };
    const {
      body: { items },
    } = await success(one.log.events({ ...filter, sort: 'sequence' }));
    const { body, text, lines } = await made(one, { format: 'ndjson', includeProofs: true, filter });
    expect(body).toMatchObject({ filter, eventCount: items.length });
    const [header, ...rest] = lines();
    expect(header).toMatchObject({ type: 'header', tenantId: one.tenant.id, filter });
    expect(rest.filter(({ event }) => event).map(({ event }) => event)).toEqual(items);
    expect(await verify(one, text)).toMatchObject({ status: 0, isPart: true, events: items.length });

    const [first, second] = rest.map((line) => JSON.stringify(line)) as [string, string];
    const without = (member: string) => JSON.stringify({ ...(JSON.parse(first) as object), [member]: undefined });
    const path = (JSON.parse(first) as { proof: { path: string[] } }).proof.path[0]!;
    const flipped = path.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    for (const [changed, kind] of [
      [text.replace(first, without('proof')), 'not_checkpointed'],
      [text.replace(`["${path}`, `["${flipped}`), 'checkpoint_mismatch'],
      [
        text.replace('"outcome":"success"', '"outcome":"denied"').replace('"outcome":"success"', '"outcome":"denied"'),
        'hash_mismatch',
      ],
      [text.replace(`${first}\n${second}`, `${second}\n${first}`), 'gap'],
      [text.replace(/"signature":"./, '"signature":"_'), 'checkpoint_mismatch'],
    ] as const) {
      expect(changed, kind).not.toBe(text);
      expect(await verify(one, changed), kind).toMatchObject({ status: 1, firstFailure: { kind } });
    }
  });

  it('proves nothing without proofs, and may be empty', async () => {
    const one = await world();
    await createApplications(service, one.tenant, 1);
    const { text } = await made(one, { format: 'ndjson', filter: { action: ['application.*'] } });
    expect(await verify(one, text)).toMatchObject({ status: 1, firstFailure: { kind: 'not_checkpointed' } });
    service.advance(60_000);
    const none = await made(one, {
      format: 'ndjson',
      filter: { action: ['case.*'], from: '2020-01-01T00:00:00.000Z', to: '2020-01-02T00:00:00.000Z' },
    });
    expect([none.body.eventCount, none.lines().map(({ type }) => type)]).toEqual([0, ['header', 'checkpoint']]);
    const beyond = await made(one, { format: 'csv', filter: { fromSequence: 1_000 } });
    expect([beyond.body.eventCount, beyond.text.split('\r\n').length]).toEqual([0, 2]);
  });
});

describe('CSV', () => {
  it('defuses what a spreadsheet would evaluate as a formula, and quotes what would break a line', async () => {
    const one = await world();
    const key = await one.tenant.key(['write']);
    for (const agent of ['=HYPERLINK("http://evil")', '+1', '-1', '@SUM(A1)', 'Mozilla/5.0, "like"']) {
      await success(
        service.api.POST('/v1/applications', {
          headers: { ...key, 'User-Agent': agent },
          body: { purpose: 'other', applicant: { fullName: 'Ana Lima' } },
        }),
      );
    }
    const { body, text, headers } = await made(one, { format: 'csv', filter: { action: ['application.created'] } });
    expect([headers.get('content-type'), body.eventCount]).toEqual(['text/csv', 5]);
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect(head).toMatch(/^sequence,id,occurredAt,environment,actorType,/);
    expect(lines).toHaveLength(5);
    for (const [index, written] of [
      `"'=HYPERLINK(""http://evil"")"`,
      `'+1`,
      `'-1`,
      `'@SUM(A1)`,
      `"Mozilla/5.0, ""like"""`,
    ].entries())
      expect(lines[index]).toContain(`,${written},`);
  });
});

describe('an export', () => {
  it('is refused if its range is too wide or contradicts itself', async () => {
    const one = await world();
    const [from, to] = ['2026-01-01T00:00:00.000Z', '2026-04-04T00:00:00.000Z'];
    for (const filter of [{ from, to }, { to }, { from: '2020-01-01T00:00:00.000Z' }])
      expect(refused(await refusal(one.log.export({ format: 'csv', filter }))), JSON.stringify(filter)).toEqual([
        400,
        'range_too_wide',
      ]);
    for (const [order, pointer] of [
      [{ format: 'csv', includeProofs: true }, '/includeProofs'],
      [{ format: 'csv', filter: { fromSequence: 3, toSequence: 2 } }, '/filter/toSequence'],
      [{ format: 'csv', filter: { from: to, to: from } }, '/filter/to'],
      [{ format: 'csv', filter: { from: '2026-02-30T25:00:00Z', fromSequence: 1 } }, '/filter/from'],
      [{ format: 'csv', filter: { to: '9999-12-31T23:59:59-12:00', fromSequence: 1 } }, '/filter/to'],
    ] as const) {
      const { status, body } = await refusal(one.log.export(order));
      expect([status, body.errors?.map((error) => error.pointer)]).toEqual([422, [pointer]]);
    }
    const far = await world();
    await asIntruder(`UPDATE audit_head SET sequence = 1000001 WHERE tenant_id = '${far.tenant.id}'`);
    expect(refused(await refusal(far.log.export({ format: 'csv' })))).toEqual([400, 'range_too_wide']);
    const { body } = await success(
      one.log.export({ format: 'csv', filter: { from: '2016-12-31T23:59:60Z', to, fromSequence: 1 } }),
      202,
    );
    expect(body.filter).toEqual({ from: '2017-01-01T00:00:00.000Z', to, fromSequence: 1 });
  });

  it('is shown only to readers who see all of its events', async () => {
    const one = await world();
    await success(service.api.POST('/v1/sandbox/enable', { headers: await one.tenant.key(['admin']) }));
    const sandbox = auditor(service, await one.tenant.key(['admin'], { environment: 'test' }));
    await createApplications(service, one.tenant, 1);
    const all = await made(one, { format: 'csv' });
    for (const answer of [await refusal(sandbox.exported(all.body.id)), await sandbox.download(all.body.id)])
      expect(refused(answer)).toEqual([404, 'not_found']);
    const own = await made({ ...one, log: sandbox }, { format: 'csv' });
    expect(own.text).not.toContain(',live,');
    await success(one.log.exported(own.body.id));
  });

  it('can be downloaded for seven days, and made again', async () => {
    const one = await world();
    const {
      body: { id },
    } = await made(one, { format: 'csv' });
    service.advance(7 * DAY - 60_000);
    await success(one.log.exported(id));
    service.advance(60_000);
    for (const answer of [await refusal(one.log.exported(id)), await one.log.download(id)])
      expect(refused(answer)).toEqual([410, 'export_expired']);
    await made(one, { format: 'csv' });
  });

  it('fails if the log cannot be signed, and does not block another', async () => {
    const one = await world();
    await createApplications(service, one.tenant, 1);
    await asIntruder(`UPDATE audit_event SET ip = '192.0.2.1' WHERE tenant_id = '${one.tenant.id}' AND sequence = 1`);
    const {
      body: { id },
    } = await success(one.log.export({ format: 'ndjson' }), 202);
    for (let attempt = 0; attempt < 8; attempt += 1) {
      await service.running.runTasks();
      service.advance(10 * 60_000);
      await service.running.runJob('tasks.wake');
    }
    expect((await success(one.log.exported(id))).body).toMatchObject({
      status: 'failed',
      readyAt: null,
      expiresAt: null,
      sizeBytes: null,
    });
    expect(refused(await one.log.download(id))).toEqual([409, 'export_not_ready']);
    await success(one.log.export({ format: 'csv' }), 202);
  });
});
