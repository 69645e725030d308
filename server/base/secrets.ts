/**
 * Derives every key of the service from one root secret. Created at the start of the service and of commands. If the
 * root secret is lost, everything sealed is lost; purposes must never be reused for another key.
 */
import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError } from './config.ts';
import { openDataDir } from './data-directory.ts';

/**
 * Source of every key of the service. Keys are derived from one root secret, which is not visible outside this file.
 */
export interface Secrets {
  /** Derives the key for one purpose by HKDF-SHA-256 (RFC 5869): the same purpose always gives the same key. */
  deriveKey(purpose: string, length?: number): Buffer;
}

export function loadSecrets(config: Pick<Config, 'serviceSecret' | 'dataDir'>): Secrets {
  return secretsFrom(config.serviceSecret ?? readOrCreate(config.dataDir));
}

export function secretsFrom(root: string): Secrets {
  const derived = new Map<string, Buffer>();
  return {
    deriveKey(purpose, length = 32) {
      const id = `${length}:${purpose}`;
      let key = derived.get(id);
      if (key === undefined) {
        key = Buffer.from(hkdfSync('sha256', root, 'compliance-onboarding', purpose, length));
        derived.set(id, key);
      }
      return Buffer.from(key);
    },
  };
}

function readOrCreate(dataDir: string): string {
  const path = join(dataDir, 'secret');
  openDataDir(dataDir);
  return read(path) ?? create(path);
}

function read(path: string): string | null {
  let secret: string;
  try {
    secret = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ConfigError(`The secret ${path} cannot be read: ${(error as Error).message}`);
  }
  if ((statSync(path).mode & 0o077) !== 0) {
    throw new ConfigError(`The secret ${path} can be read by other accounts; restrict it with: chmod 600 ${path}`);
  }
  if (secret.length < 32) throw new ConfigError(`The secret ${path} is damaged; restore it from a backup`);
  return secret;
}

/**
 * Creates the secret. The file is written under another name and then linked, so that it is complete when it appears,
 * and if two processes create it, the first one wins.
 */
function create(path: string): string {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    chmodSync(draft, 0o600);
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return read(path) ?? create(path);
}
