/**
 * A throw-away certificate authority for the simulated directory. Used at the start of the simulator and by tests.
 * Never used for the real directory, whose certificates the operator configures.
 */
import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Identity, Subject } from './certificate.ts';
import type { Signer } from './wire/signature.ts';

/** Everything that a directory on the loopback interface needs for mutual TLS and signatures. */
export interface Authority {
  /** PEM. Both sides pin it. */
  readonly certificate: string;
  readonly server: Identity;
  readonly signer: Signer;
  /** Returns the identity of a participant, created at the first request. Its common name is the ISPB. */
  client(ispb: string): Promise<Identity>;
}

/**
 * Opens a throw-away authority: creates it in `folder` the first time and reads it from there afterwards. One file
 * holds one identity and is created atomically, so processes that start at the same time end up with the same
 * identities.
 */
export async function openAuthority(folder: string): Promise<Authority> {
  await mkdir(join(folder, 'clients'), { recursive: true, mode: 0o700 });
  const authority = await identity(
    join(folder, 'authority.pem'),
    { commonName: 'Directory authority', use: 'authority' },
    null,
  );
  const [server, signer] = await Promise.all([
    identity(join(folder, 'server.pem'), { commonName: 'localhost', use: 'server' }, authority),
    identity(join(folder, 'signer.pem'), { commonName: 'Directory signer', use: 'signer' }, authority),
  ]);
  return {
    certificate: authority.certificate,
    server,
    signer: { key: createPrivateKey(signer.key), certificate: new X509Certificate(signer.certificate) },
    client: async (ispb) => {
      if (!/^[0-9A-Z]{8}$/.test(ispb)) throw new RangeError('An ISPB has eight digits or upper-case letters');
      return identity(join(folder, 'clients', `${ispb}.pem`), { commonName: ispb, use: 'client' }, authority);
    },
  };
}

async function identity(path: string, subject: Subject, issuer: Identity | null): Promise<Identity> {
  const found = await read(path);
  if (found !== null) return found;
  // Loaded only when a certificate is issued, because most starts read existing files and the library is large.
  const { issueCertificate } = await import('./certificate.ts');
  const made = await issueCertificate(subject, issuer);
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, `${made.certificate.trim()}\n${made.key.trim()}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    // Unlike a rename, a link never replaces a file that another process has created in the meantime.
    await link(draft, path);
    return made;
  } catch (error) {
    const theirs = await read(path);
    if (theirs === null) throw error;
    return theirs;
  } finally {
    await rm(draft, { force: true });
  }
}

async function read(path: string): Promise<Identity | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  const [certificate, key] = text.match(/-----BEGIN [A-Z ]+-----[\s\S]+?-----END [A-Z ]+-----/g) ?? [];
  if (certificate === undefined || key === undefined)
    throw new Error(`${path} does not hold a certificate and its key`);
  return { certificate, key };
}
