import { execFile } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendAudit, PLATFORM_TENANT_ID, uuidv7 } from '../../server/database/index.ts';
import { issueApiKey } from '../../server/groups/settings/index.ts';
import { auditor, type Checkpoint } from '../api/audit-world.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { asIntruder, cutOff, editAndRehash, forget } from './tamper.ts';

const ROOT = join(import.meta.dirname, '../..');
const MINUTE = 60_000;

let service: TestService;
let folder: string;
let publicKey: string;
const lines: string[] = [];
beforeAll(async () => {
  service = await startTestService({ log: (line) => lines.push(line), sabotaged: true });
  folder = mkdtempSync(join(tmpdir(), 'audit-tamper-'));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

interface Log {
  readonly tenantId: string;
  readonly key: string;
  readonly api: ReturnType<typeof auditor>;
  readonly kept: Checkpoint;
}

/** Twenty events: eight that a first checkpoint signed, nine that a second one did, and three that nobody has signed yet. */
async function writeLog(): Promise<Log> {
  const tenantId = await service.database.tenant();
  const { database, secrets } = service.database;
  const { secret } = await database.transaction({ tenantId }, (tx) => issueApiKey(tx, secrets, {
    tenantId, name: 'Auditor', environment: 'live', scopes: ['read'], pinEnvironment: false, ipAllowlist: [], expiresAt: null,
    createdBy: { type: 'system', id: 'test', display: 'Test' }, now: service.running.services.clock(),
  }));
  for (const count of [8, 9, 3]) {
    await database.transaction({ tenantId }, async (tx) => {
      for (let n = 0; n < count; n++) {
        appendAudit(tx, {
          occurredAt: new Date(Date.UTC(2026, 2, 1, 12, 0, n)).toISOString(), environment: 'live', action: 'application.approved', outcome: 'success',
          actor: { type: 'user', id: uuidv7(), display: 'Ana Souza', impersonatorId: null }, resource: { type: 'application', id: uuidv7() },
          changes: [{ op: 'replace', path: '/status', value: 'approved' }],
        });
      }
    });
    if (count !== 3) await service.running.runJob('audit.checkpoint');
    service.advance(6 * MINUTE);
  }
  const api = auditor(service, { 'X-API-Key': secret });
  const { body: { items: [kept], publicKeys: [jwk] } } = await api.checkpoints();
  publicKey = jwk!.x;
  expect(kept?.treeSize).toBe(17);
  return { tenantId, key: secret, api, kept: kept! };
}

const run = (script: string, args: readonly string[], env: Record<string, string> = {}): Promise<{ status: number; stdout: string; stderr: string }> => new Promise((resolve) => {
  execFile(process.execPath, [join(ROOT, 'scripts', script), ...args], { env: { PATH: process.env['PATH'] ?? '', ...env } }, (error, stdout, stderr) => {
    resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
  });
});

const exportLog = (file: string, { key }: Log) => run('export-audit.ts', [file], { COMPLIANCE_BASE_URL: service.url, COMPLIANCE_API_KEY: key });

interface Offline {
  readonly valid: boolean;
  readonly events: number;
  readonly covered: number;
  readonly uncovered: number;
  readonly firstFailure: { readonly sequence: number; readonly kind: string } | null;
}

async function verifyOffline(file: string, ...options: string[]): Promise<Offline & { readonly status: number }> {
  const { status, stdout, stderr } = await run('verify-audit.mjs', [file, '--public-key', publicKey, '--json', ...options]);
  expect(stderr).toBe('');
  return { status, ...JSON.parse(stdout) as Offline };
}

const swap = async (client: pg.Client, tenantId: string, one: number, other: number): Promise<void> => {
  for (const [from, to] of [[one, 1_000_000], [other, one], [1_000_000, other]]) {
    await client.query('UPDATE audit_event SET sequence = $3 WHERE tenant_id = $1 AND sequence = $2', [tenantId, from, to]);
  }
};

interface Tampering {
  readonly name: string;
  readonly work: (client: pg.Client, tenantId: string) => Promise<unknown>;
  /** What the service finds. */
  readonly found: { readonly sequence: number; readonly kind: string };
  /** What the stand-alone verifier finds, if it is something else: it has the export, and not the tables. */
  readonly offline?: { readonly sequence: number; readonly kind: string };
}

const tamperings: readonly Tampering[] = [
  {
    name: 'a deleted event', found: { sequence: 5, kind: 'gap' },
    work: (client, tenantId) => client.query('DELETE FROM audit_event WHERE tenant_id = $1 AND sequence = 5', [tenantId]),
  },
  { name: 'two events that changed places', found: { sequence: 6, kind: 'link_broken' }, work: (client, tenantId) => swap(client, tenantId, 6, 11) },
  {
    name: 'an edited event', found: { sequence: 12, kind: 'hash_mismatch' },
    work: (client, tenantId) => client.query(`UPDATE audit_event SET outcome = 'denied' WHERE tenant_id = $1 AND sequence = 12`, [tenantId]),
  },
  {
    name: 'an edited value among the changes', found: { sequence: 3, kind: 'hash_mismatch' },
    work: (client, tenantId) => client.query(`UPDATE audit_event SET changes = jsonb_set(changes, '{0,value}', '"rejected"') WHERE tenant_id = $1 AND sequence = 3`, [tenantId]),
  },
  {
    name: 'an event that nobody has signed yet, edited', found: { sequence: 19, kind: 'hash_mismatch' },
    work: (client, tenantId) => client.query(`UPDATE audit_event SET ip = '192.0.2.1' WHERE tenant_id = $1 AND sequence = 19`, [tenantId]),
  },
  { name: 'an edited event with every hash after it computed anew', found: { sequence: 8, kind: 'checkpoint_mismatch' }, work: (client, tenantId) => editAndRehash(client, tenantId, 4) },
  { name: 'the same, after the first checkpoint', found: { sequence: 17, kind: 'checkpoint_mismatch' }, work: (client, tenantId) => editAndRehash(client, tenantId, 10) },
  { name: 'the last event before a checkpoint, edited and rehashed', found: { sequence: 17, kind: 'checkpoint_mismatch' }, work: (client, tenantId) => editAndRehash(client, tenantId, 17) },
  {
    name: 'a log whose tail is missing', found: { sequence: 15, kind: 'gap' },
    work: (client, tenantId) => client.query('DELETE FROM audit_event WHERE tenant_id = $1 AND sequence > 14', [tenantId]),
  },
  { name: 'a tail cut off together with the head', found: { sequence: 15, kind: 'checkpoint_mismatch' }, offline: { sequence: 17, kind: 'checkpoint_mismatch' }, work: (client, tenantId) => cutOff(client, tenantId, 14) },
];

describe('somebody who rules the database', () => {
  it('finds a log that holds, before anything is done to it', async () => {
    const log = await writeLog();
    expect((await log.api.verify()).body).toMatchObject({ valid: true, checked: 20, checkpointsChecked: 2, head: { checkpointedSequence: 17 } });
    const file = join(folder, 'whole.ndjson');
    expect(await exportLog(file, log)).toMatchObject({ status: 0, stdout: '22 events and 3 checkpoints added; the last event is 22\n' });
    expect(await verifyOffline(file)).toMatchObject({ status: 0, valid: true, events: 22, covered: 22, uncovered: 0, firstFailure: null });
  });

  it.each(tamperings)('cannot hide $name', async ({ work, found, offline = found }) => {
    const log = await writeLog();
    await asIntruder(service.database, (client) => work(client, log.tenantId));
    lines.length = 0;
    const { status, body } = await log.api.verify();
    expect(status).toBe(200);
    expect(body).toMatchObject({ valid: false, firstFailure: found });
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(expect.objectContaining({ level: 'error', msg: 'an audit log does not hold', tenantId: log.tenantId, ...found }));
    expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(new RegExp(`audit_verification_failures_total\\{kind="${found.kind}"\\} [1-9]`));
    const written = await service.database.sql(
      `SELECT tenant_id, outcome, reason FROM audit_event WHERE action = 'audit.verification_failed' AND resource_id = $1 ORDER BY tenant_id`, [log.tenantId]);
    expect(written).toEqual([PLATFORM_TENANT_ID, log.tenantId].map((tenant_id) => ({ tenant_id, outcome: 'failed', reason: found.kind })));

    const file = join(folder, `${log.tenantId}.ndjson`);
    await exportLog(file, log);
    expect(await verifyOffline(file)).toMatchObject({ status: 1, valid: false, firstFailure: offline });
  }, 60_000);

  it('cannot hide a tail that was cut off with its checkpoints: the platform’s own chain, and whoever kept one, know of it', async () => {
    const log = await writeLog();
    await asIntruder(service.database, async (client) => {
      await cutOff(client, log.tenantId, 14);
      await forget(client, log.tenantId, 14);
    });
    expect((await log.api.verify()).body).toMatchObject({ valid: false, firstFailure: { sequence: 15, kind: 'checkpoint_mismatch' } });
    const file = join(folder, 'cut.ndjson');
    await exportLog(file, log);
    const kept = join(folder, 'kept.json');
    writeFileSync(kept, JSON.stringify(log.kept));
    expect(await verifyOffline(file, '--trusted-checkpoint', kept)).toMatchObject({ status: 1, firstFailure: { kind: 'checkpoint_mismatch' } });
    const { treeSize, rootHash } = log.kept;
    expect((await log.api.verify({ toSequence: 14, trustedCheckpoint: { treeSize, rootHash } })).body).toMatchObject({ valid: false, firstFailure: { kind: 'checkpoint_mismatch' } });
  }, 60_000);

  it.each([
    { name: 'a deleted checkpoint', found: { sequence: 17, kind: 'checkpoint_mismatch' }, text: 'DELETE FROM audit_checkpoint WHERE tenant_id = $1 AND tree_size = 8' },
    { name: 'the newest checkpoint, deleted', found: { sequence: 17, kind: 'checkpoint_mismatch' }, text: 'DELETE FROM audit_checkpoint WHERE tenant_id = $1 AND tree_size = 17' },
    { name: 'a checkpoint with another root', found: { sequence: 8, kind: 'checkpoint_mismatch' }, text: 'UPDATE audit_checkpoint SET root_hash = head_hash WHERE tenant_id = $1 AND tree_size = 8' },
    { name: 'a checkpoint with another time', found: { sequence: 8, kind: 'checkpoint_mismatch' }, text: `UPDATE audit_checkpoint SET signed_at = '2020-01-01Z' WHERE tenant_id = $1 AND tree_size = 8` },
    { name: 'a checkpoint under another hash', found: { sequence: 17, kind: 'checkpoint_mismatch' }, text: 'UPDATE audit_checkpoint SET hash = root_hash WHERE tenant_id = $1 AND tree_size = 17' },
    { name: 'a changed node of the stored tree', found: { sequence: 4, kind: 'root_mismatch' }, text: `UPDATE audit_node SET hash = sha256('x') WHERE tenant_id = $1 AND level = 2 AND index = 0` },
    { name: 'a missing node of the stored tree', found: { sequence: 10, kind: 'root_mismatch' }, text: 'DELETE FROM audit_node WHERE tenant_id = $1 AND level = 1 AND index = 4' },
    { name: 'a head with another hash', found: { sequence: 20, kind: 'link_broken' }, text: `UPDATE audit_head SET hash = sha256('x') WHERE tenant_id = $1` },
    { name: 'a head that was set back', found: { sequence: 19, kind: 'link_broken' }, text: 'UPDATE audit_head SET sequence = 19 WHERE tenant_id = $1' },
  ])('cannot hide $name', async ({ found, text }) => {
    const log = await writeLog();
    await asIntruder(service.database, (client) => client.query(text, [log.tenantId]));
    expect((await log.api.verify()).body).toMatchObject({ valid: false, firstFailure: found });
  });

  it('gets no other log signed in place of one whose checkpoints were removed', async () => {
    const log = await writeLog();
    await asIntruder(service.database, async (client) => {
      await editAndRehash(client, log.tenantId, 3);
      await forget(client, log.tenantId, 0);
    });
    lines.length = 0;
    await service.running.runJob('audit.checkpoint');
    expect((await log.api.checkpoints()).body.items).toEqual([]);
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ msg: 'an audit log does not hold', tenantId: log.tenantId, sequence: 17, kind: 'checkpoint_mismatch' }));
    expect((await log.api.verify()).body).toMatchObject({ valid: false, firstFailure: { sequence: 17, kind: 'checkpoint_mismatch' } });
  });

  it('gets nothing signed that does not hold', async () => {
    const log = await writeLog();
    await asIntruder(service.database, (client) => editAndRehash(client, log.tenantId, 19));
    await asIntruder(service.database, (client) => client.query(`UPDATE audit_event SET outcome = 'success' WHERE tenant_id = $1 AND sequence = 19`, [log.tenantId]));
    lines.length = 0;
    await service.running.runJob('audit.checkpoint');
    expect((await log.api.checkpoints()).body.items[0]?.treeSize).toBe(17);
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(expect.objectContaining({ msg: 'an audit log does not hold', sequence: 19, kind: 'hash_mismatch' }));
  });
});

describe('the roles of the database', () => {
  it.each(['app', 'platform', 'owner', 'superuser'] as const)('refuse the %s role to change or remove what was written', async (role) => {
    const log = await writeLog();
    const count = (): Promise<object[]> => service.database.sql(`
      SELECT (SELECT count(*) FROM audit_event) AS events, (SELECT count(*) FROM audit_node) AS nodes, (SELECT count(*) FROM audit_checkpoint) AS checkpoints,
        (SELECT count(*) FROM audit_head) AS heads`);
    const before = await count();
    const client = new pg.Client(service.database[role]);
    await client.connect();
    try {
      await client.query(`SELECT set_config('app.tenant_id', $1, false)`, [log.tenantId]);
      for (const statement of [
        `UPDATE audit_event SET outcome = 'denied'`, 'UPDATE audit_event SET sequence = sequence + 1', 'DELETE FROM audit_event', 'TRUNCATE audit_event',
        `UPDATE audit_node SET hash = sha256('x')`, 'DELETE FROM audit_node', 'TRUNCATE audit_node',
        'UPDATE audit_checkpoint SET tree_size = 1', 'DELETE FROM audit_checkpoint', 'TRUNCATE audit_checkpoint',
        'DELETE FROM audit_head', 'TRUNCATE audit_head',
      ]) await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
      // Only a row trigger can tell a step forward from one back; the owner's own rows are hidden from it by row-level security.
      if (role !== 'owner') await expect(client.query('UPDATE audit_head SET sequence = sequence - 1')).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
    }
    expect(await count()).toEqual(before);
    expect((await log.api.verify()).body).toMatchObject({ valid: true });
  });
});

describe('an export', () => {
  it('goes on where it was interrupted, and is private', async () => {
    const log = await writeLog();
    const file = join(folder, 'resumed.ndjson');
    await exportLog(file, log);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.slice(0, text.indexOf('"sequence":9') + 5));
    service.advance(MINUTE);
    expect(await exportLog(file, log)).toMatchObject({ status: 0 });
    expect(await verifyOffline(file)).toMatchObject({ status: 0, valid: true, uncovered: 0 });
    service.advance(MINUTE);
    expect((await exportLog(file, log)).stdout).toMatch(/^\d events and 1 checkpoints added/);
    expect(await verifyOffline(file)).toMatchObject({ status: 0, valid: true, uncovered: 0 });
  }, 60_000);

  it('is worth what the public key is worth: one of its own is not believed', async () => {
    const log = await writeLog();
    const file = join(folder, 'keys.ndjson');
    await exportLog(file, log);
    const own = await run('verify-audit.mjs', [file]);
    expect(own).toMatchObject({ status: 0 });
    expect(own.stdout).toContain('WARNING');
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey };
    writeFileSync(join(folder, 'key.pem'), createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' }));
    writeFileSync(join(folder, 'key.json'), JSON.stringify(jwk));
    writeFileSync(join(folder, 'keys.json'), JSON.stringify({ keys: [jwk] }));
    for (const key of ['key.pem', 'key.json', 'keys.json']) {
      expect(await run('verify-audit.mjs', [file, '--public-key', join(folder, key)])).toMatchObject({ status: 0, stdout: expect.stringMatching(/^VALID/) });
    }
    const another = await run('verify-audit.mjs', [file, '--public-key', publicKey, '--tenant', uuidv7()]);
    expect(another.stdout).toContain('INVALID  event 1: link_broken');
    const foreign = await run('verify-audit.mjs', [file, '--public-key', '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo']);
    expect(foreign).toMatchObject({ status: 1, stdout: expect.stringContaining('INVALID  event 8: checkpoint_mismatch') });
  });

  it('proves nothing without a checkpoint, or with one that names no event', async () => {
    const log = await writeLog();
    const file = join(folder, 'stripped.ndjson');
    await exportLog(file, log);
    const text = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, text.filter((line) => !line.startsWith('{"type":"checkpoint"')).join('\n'));
    expect(await verifyOffline(file)).toMatchObject({ status: 1, firstFailure: { kind: 'not_checkpointed' } });
    for (const treeSize of ['17', 17.5, null]) {
      writeFileSync(file, [...text, JSON.stringify({ type: 'checkpoint', checkpoint: { ...log.kept, treeSize } })].join('\n'));
      expect((await run('verify-audit.mjs', [file, '--public-key', publicKey])).status).toBe(2);
    }
    writeFileSync(file, [...text, JSON.stringify({ type: 'checkpoint', checkpoint: { ...log.kept, treeSize: 2 } })].join('\n'));
    expect(await verifyOffline(file)).toMatchObject({ status: 1, firstFailure: { sequence: 2, kind: 'checkpoint_mismatch' } });
  });

  it('is read by a verifier that explains itself and refuses wrong options', async () => {
    expect(await run('verify-audit.mjs', ['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage:') });
    for (const args of [[], ['/nowhere.ndjson'], ['--what'], [join(ROOT, 'README.md')], [join(folder, 'stripped.ndjson'), '--public-key', '/nowhere.pem']]) {
      const { status, stderr } = await run('verify-audit.mjs', args);
      expect(status).toBe(2);
      expect(stderr).not.toContain('    at ');
    }
    expect(await run('export-audit.ts', ['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage:') });
    expect(await run('export-audit.ts', [])).toMatchObject({ status: 2 });
    expect(await run('export-audit.ts', [join(folder, 'x.ndjson')], { COMPLIANCE_BASE_URL: service.url, COMPLIANCE_API_KEY: 'kyc_live_nonsense' })).toMatchObject({ status: 1, stderr: expect.stringContaining('api_key_invalid') });
  });
});
