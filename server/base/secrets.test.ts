/** Tests of the root secret and of the keys that are derived from it. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSecrets, secretsFrom } from './secrets.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'secrets-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

describe('the root secret', () => {
  it('is generated once, readable only by the service', () => {
    const first = loadSecrets({ dataDir, serviceSecret: null }).deriveKey('cursor');
    const second = loadSecrets({ dataDir, serviceSecret: null }).deriveKey('cursor');
    expect(second).toEqual(first);
    expect(statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['secret']);
  });

  it('comes from SERVICE_SECRET if set, and then no file is written', () => {
    const serviceSecret = 'a secret of more than thirty-two characters';
    expect(loadSecrets({ dataDir, serviceSecret }).deriveKey('cursor')).toEqual(
      secretsFrom(serviceSecret).deriveKey('cursor'),
    );
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('is refused if other accounts can read it', () => {
    loadSecrets({ dataDir, serviceSecret: null });
    chmodSync(join(dataDir, 'secret'), 0o644);
    expect(() => loadSecrets({ dataDir, serviceSecret: null })).toThrow(/chmod 600/);
  });

  it('is not replaced if it is damaged, because everything that it protects would be lost', () => {
    writeFileSync(join(dataDir, 'secret'), 'x\n', { mode: 0o600 });
    expect(() => loadSecrets({ dataDir, serviceSecret: null })).toThrow(/damaged/);
    expect(readFileSync(join(dataDir, 'secret'), 'utf8')).toBe('x\n');
  });
});

describe('derived keys', () => {
  it('differ by purpose and by length and cannot be altered by a caller', () => {
    const secrets = secretsFrom('a secret of more than thirty-two characters');
    expect(secrets.deriveKey('a')).not.toEqual(secrets.deriveKey('b'));
    expect(secrets.deriveKey('a', 16)).toHaveLength(16);
    const copy = secrets.deriveKey('a');
    const original = Buffer.from(copy);
    copy.fill(0);
    expect(secrets.deriveKey('a')).toEqual(original);
  });
});
