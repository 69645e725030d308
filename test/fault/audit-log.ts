/** Support of the audit fault tests: a service with an audit log, and its command-line tools. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { appendAudit } from '../../server/audit/chain.ts';
import { uuidv7 } from '../../server/base/uuid.ts';
import { issueApiKey } from '../../server/modules/api-keys/issue-key.ts';
import { auditor, type Checkpoint } from '../api/audit-world.ts';
import { success } from '../support/api.ts';
import { startTestService } from '../support/service.ts';

export const ROOT = join(import.meta.dirname, '../..');
export const MINUTE = 60_000;
const { PATH, NODE_COMPILE_CACHE } = process.env;

interface Log {
  readonly tenantId: string;
  readonly key: string;
  readonly api: ReturnType<typeof auditor>;
  readonly kept: Checkpoint;
  /** Public key of the service's signatures. */
  readonly publicKey: string;
}

interface Offline {
  readonly valid: boolean;
  readonly events: number;
  readonly covered: number;
  readonly uncovered: number;
  readonly firstFailure: { readonly sequence: number; readonly kind: string } | null;
}

/** Runs a script of this project in a separate process. */
export const run = (
  script: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ status: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(ROOT, 'scripts', script), ...args],
      { env: { PATH, NODE_COMPILE_CACHE, ...env } },
      (error, stdout, stderr) => {
        resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });

export type AuditedService = Awaited<ReturnType<typeof startAuditedService>>;

/** Starts a service whose logs tests write, tamper with, export and verify without the service. */
export async function startAuditedService() {
  const lines: string[] = [];
  const service = await startTestService({ log: (line) => lines.push(line), sabotaged: true });
  const folder = mkdtempSync(join(tmpdir(), 'audit-log-'));

  /** Writes twenty events: eight covered by a first checkpoint, nine by a second one, and three without a signature. */
  async function writeLog(): Promise<Log> {
    const tenantId = await service.database.tenant();
    const { database, secrets } = service.database;
    const { secret } = await database.transaction({ tenantId }, (tx) =>
      issueApiKey(tx, secrets, {
        tenantId,
        name: 'Auditor',
        environment: 'live',
        scopes: ['read'],
        pinEnvironment: false,
        personalData: 'full',
        grantedBy: null,
        grantedRole: 'owner',
        ipAllowlist: [],
        expiresAt: null,
        createdBy: { type: 'system', id: 'test', display: 'Test' },
        now: service.running.services.clock(),
      }),
    );
    for (const count of [8, 9, 3]) {
      await database.transaction({ tenantId }, async (tx) => {
        for (let n = 0; n < count; n++) {
          appendAudit(tx, {
            occurredAt: new Date(Date.UTC(2026, 2, 1, 12, 0, n)).toISOString(),
            environment: 'live',
            action: 'application.status_changed',
            outcome: 'success',
            actor: {
              type: 'user',
              id: uuidv7(),
              display: 'Ana Souza',
              impersonatorId: null,
            },
            resource: { type: 'application', id: uuidv7() },
            changes: [{ op: 'replace', path: '/status', value: 'approved' }],
          });
        }
      });
      if (count !== 3) await service.running.runJob('audit.checkpoint');
      service.advance(6 * MINUTE);
    }
    const api = auditor(service, { 'X-API-Key': secret });
    const {
      body: {
        items: [kept],
        publicKeys: [jwk],
      },
    } = await success(api.checkpoints());
    expect(kept?.treeSize).toBe(17);
    return {
      tenantId,
      key: secret,
      api,
      kept: kept!,
      publicKey: jwk!.x,
    };
  }

  return {
    service,
    folder,
    lines,
    writeLog,
    exportLog: (file: string, { key }: Log) =>
      run('export-audit.ts', [file], { COMPLIANCE_BASE_URL: service.url, COMPLIANCE_API_KEY: key }),
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

export async function verifyOffline(
  file: string,
  { publicKey }: Log,
  ...options: string[]
): Promise<Offline & { readonly status: number }> {
  const { status, stdout, stderr } = await run('verify-audit.mjs', [
    file,
    '--public-key',
    publicKey,
    '--json',
    ...options,
  ]);
  expect(stderr).toBe('');
  return { status, ...(JSON.parse(stdout) as Offline) };
}
