/** Tests of the export of the audit log and of its offline verifier. */
import { createPublicKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { uuidv7 } from '../../server/base/uuid.ts';
import { shared } from '../support/service.ts';
import { MINUTE, ROOT, run, startAuditedService, verifyOffline } from './audit-log.ts';

const audited = await shared(startAuditedService());

describe('an export', () => {
  it('continues after an interruption, and is private', async () => {
    const log = await audited.writeLog();
    const file = join(audited.folder, 'resumed.ndjson');
    await audited.exportLog(file, log);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.slice(0, text.indexOf('"sequence":9') + 5));
    audited.service.advance(MINUTE);
    expect(await audited.exportLog(file, log)).toMatchObject({ status: 0 });
    expect(await verifyOffline(file, log)).toMatchObject({ status: 0, valid: true, uncovered: 0 });
    audited.service.advance(MINUTE);
    expect((await audited.exportLog(file, log)).stdout).toMatch(/^\d events and 1 checkpoints added/);
    expect(await verifyOffline(file, log)).toMatchObject({ status: 0, valid: true, uncovered: 0 });
  });

  it('is valid for the public key that the reader passes, and only with a warning for the included one', async () => {
    const log = await audited.writeLog();
    const file = join(audited.folder, 'keys.ndjson');
    await audited.exportLog(file, log);
    const own = await run('verify-audit.mjs', [file]);
    expect(own).toMatchObject({ status: 0 });
    expect(own.stdout).toContain('WARNING');
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: log.publicKey };
    writeFileSync(
      join(audited.folder, 'key.pem'),
      createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' }),
    );
    writeFileSync(join(audited.folder, 'key.json'), JSON.stringify(jwk));
    writeFileSync(join(audited.folder, 'keys.json'), JSON.stringify({ keys: [jwk] }));
    for (const key of ['key.pem', 'key.json', 'keys.json']) {
      expect(await run('verify-audit.mjs', [file, '--public-key', join(audited.folder, key)])).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^VALID/),
      });
    }
    const another = await run('verify-audit.mjs', [file, '--public-key', log.publicKey, '--tenant', uuidv7()]);
    expect(another.stdout).toContain('INVALID  event 1: link_broken');
    const foreign = await run('verify-audit.mjs', [
      file,
      '--public-key',
      '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    ]);
    expect(foreign).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('INVALID  event 8: checkpoint_mismatch'),
    });
  });

  it('proves nothing without a checkpoint, or with one that names no event', async () => {
    const log = await audited.writeLog();
    const file = join(audited.folder, 'stripped.ndjson');
    await audited.exportLog(file, log);
    const text = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, text.filter((line) => !line.startsWith('{"type":"checkpoint"')).join('\n'));
    expect(await verifyOffline(file, log)).toMatchObject({ status: 1, firstFailure: { kind: 'not_checkpointed' } });
    for (const treeSize of ['17', 17.5, null]) {
      writeFileSync(
        file,
        [...text, JSON.stringify({ type: 'checkpoint', checkpoint: { ...log.kept, treeSize } })].join('\n'),
      );
      expect((await run('verify-audit.mjs', [file, '--public-key', log.publicKey])).status).toBe(2);
    }
    writeFileSync(
      file,
      [...text, JSON.stringify({ type: 'checkpoint', checkpoint: { ...log.kept, treeSize: 2 } })].join('\n'),
    );
    expect(await verifyOffline(file, log)).toMatchObject({
      status: 1,
      firstFailure: { sequence: 2, kind: 'checkpoint_mismatch' },
    });
  });

  it('is read by a verifier that explains itself and refuses wrong options', async () => {
    expect(await run('verify-audit.mjs', ['--help'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Usage:'),
    });
    for (const args of [
      [],
      ['/nowhere.ndjson'],
      ['--what'],
      [join(ROOT, 'README.md')],
      [join(audited.folder, 'stripped.ndjson'), '--public-key', '/nowhere.pem'],
    ]) {
      const { status, stderr } = await run('verify-audit.mjs', args);
      expect(status).toBe(2);
      expect(stderr).not.toContain('    at ');
    }
    expect(await run('export-audit.ts', ['--help'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Usage:'),
    });
    expect(await run('export-audit.ts', [])).toMatchObject({ status: 2 });
    expect(
      await run('export-audit.ts', [join(audited.folder, 'x.ndjson')], {
        COMPLIANCE_BASE_URL: audited.service.url,
        COMPLIANCE_API_KEY: 'kyc_live_nonsense',
      }),
    ).toMatchObject({ status: 1, stderr: expect.stringContaining('api_key_invalid') });
  });
});
