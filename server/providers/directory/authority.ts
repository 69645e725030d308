import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Identity, Subject } from './certificate.ts';
import type { Signer } from './wire/signature.ts';

/** Everything that a directory on the loopback interface needs to speak mutual TLS and to sign. */
export interface Authority {
  /** PEM; what both sides pin. */
  readonly certificate: string;
  readonly server: Identity;
  readonly signer: Signer;
  /** The identity of a participant, made when it is first asked for. Its common name is the ISPB. */
  client(ispb: string): Promise<Identity>;
}

/**
 * A throw-away authority: made in `folder` the first time, read from there ever after. One file holds one identity and
 * appears whole or not at all, so processes that start together end up with the same ones.
 */
export async function openAuthority(folder: string): Promise<Authority> {
  await mkdir(join(folder, 'clients'), { recursive: true, mode: 0o700 });
  const authority = await identity(join(folder, 'authority.pem'), { commonName: 'Directory authority', use: 'authority' }, null);
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
  // Loaded when there is something to issue: most starts read what is there, and the library is large.
  const { issueCertificate } = await import('./certificate.ts');
  const made = await issueCertificate(subject, issuer);
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, `${made.certificate.trim()}\n${made.key.trim()}\n`, { mode: 0o600, flag: 'wx', flush: true });
    // Unlike a rename, a link never replaces what another process has put there meanwhile.
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
  if (certificate === undefined || key === undefined) throw new Error(`${path} does not hold a certificate and its key`);
  return { certificate, key };
}
