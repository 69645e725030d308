/**
 * Reads the operator's configuration of the live directory. Called by server/follow-directory.ts. A mistake stops the
 * start with its place; values are never repeated, because they may contain a PIN.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { readJsonArray } from '../../base/json-file.ts';
import type { DirectoryConfig } from '../../base/config.ts';
import { DirectoryClient } from './client.ts';
import type { ClientIdentity } from './transport.ts';

/** A participant of the payment scheme whose recoveries this service follows, and the tenant for which it does. */
interface ConfiguredParticipant {
  readonly ispb: string;
  /** Slug of the tenant. */
  readonly tenant: string;
  /** Whether the participants that reach the directory through this one are followed too. */
  readonly includeIndirect: boolean;
  /** Null if it has no connection of its own and is followed through a participant that includes indirect ones. */
  readonly identity: ClientIdentity | null;
}

/**
 * Reads the operator's list: `[{ "ispb", "tenant", "certificate", "key" or "pkcs11", "includeIndirect" }]`, files
 * relative to the list, `pkcs11` an RFC 7512 URI; an indirect participant has only the first two. Everything is checked
 * at the start. An error names the position of the wrong entry and never quotes it, because a token's URI may contain
 * its PIN.
 */
async function readParticipants(file: string): Promise<readonly ConfiguredParticipant[]> {
  const list = await readJsonArray(file, 'participants');
  const participants = await Promise.all(
    list.map((entry, index) => readParticipant(entry, `${file}, entry ${index + 1}`, dirname(resolve(file)))),
  );
  if (new Set(participants.map(({ ispb }) => ispb)).size < participants.length)
    throw new Error(`${file} names one ISPB twice`);
  const uncovered = participants.some(({ includeIndirect }) => includeIndirect)
    ? -1
    : participants.findIndex(({ identity }) => identity === null);
  if (uncovered >= 0)
    throw new Error(
      `${file}, entry ${uncovered + 1}: without a certificate it needs another participant with "includeIndirect"`,
    );
  return participants;
}

async function readParticipant(entry: unknown, location: string, folder: string): Promise<ConfiguredParticipant> {
  if (typeof entry !== 'object' || entry === null) throw new Error(`${location}: an object is expected`);
  const fields = new Map<string, unknown>(Object.entries(entry));
  const text: TextReader = (name, shape, description) => {
    const value = fields.get(name);
    if (typeof value !== 'string' || !shape.test(value))
      throw new Error(`${location}: "${name}" must be ${description}`);
    return value;
  };
  const unknown = [...fields.keys()].find(
    (name) => !['ispb', 'tenant', 'certificate', 'key', 'pkcs11', 'includeIndirect'].includes(name),
  );
  if (unknown !== undefined) throw new Error(`${location}: there is a field that has no meaning`);
  const includeIndirect = fields.get('includeIndirect') ?? false;
  if (typeof includeIndirect !== 'boolean') throw new Error(`${location}: "includeIndirect" must be true or false`);
  const isIndirect = !includeIndirect && !['certificate', 'key', 'pkcs11'].some((name) => fields.has(name));
  return {
    ispb: text('ispb', /^[0-9A-Z]{8}$/, 'eight digits or upper-case letters'),
    tenant: text('tenant', /^[a-z0-9-]{1,100}$/, 'the slug of a tenant'),
    includeIndirect,
    identity: isIndirect ? null : await readIdentity(fields, text, location, folder),
  };
}

type TextReader = (name: string, shape: RegExp, description: string) => string;

async function readIdentity(
  fields: ReadonlyMap<string, unknown>,
  text: TextReader,
  location: string,
  folder: string,
): Promise<ClientIdentity> {
  if (fields.has('key') === fields.has('pkcs11')) throw new Error(`${location}: either "key" or "pkcs11" is needed`);
  const certificate = await readFile(resolve(folder, text('certificate', /./, 'the path of a PEM file')), 'utf8');
  if (fields.has('pkcs11'))
    return { certificate, pkcs11: text('pkcs11', /^pkcs11:./, 'a URI that starts with pkcs11:') };
  return {
    certificate,
    key: await readKey(resolve(folder, text('key', /./, 'the path of a PEM file')), certificate, location),
  };
}

async function readKey(path: string, certificate: string, location: string): Promise<string> {
  const key = await readFile(path, 'utf8');
  let fits: boolean;
  try {
    fits = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    throw new Error(`${location}: the certificate and the key must be valid PEM`);
  }
  if (!fits) throw new Error(`${location}: the key is not the certificate's`);
  return key;
}

export interface LiveDirectory {
  readonly directory: DirectoryClient;
  readonly participants: readonly ConfiguredParticipant[];
}

/** Reads every file at once, so that a missing or broken one stops the start and not the first poll. */
export async function openLiveDirectory(config: DirectoryConfig): Promise<LiveDirectory> {
  const [authorities, signer, participants] = await Promise.all([
    readFile(config.authorities, 'utf8'),
    readFile(config.signer, 'utf8'),
    readParticipants(config.participants),
  ]);
  certificatesIn(authorities, config.authorities);
  const identities = new Map(participants.map(({ ispb, identity }) => [ispb, identity]));
  const directory = new DirectoryClient({
    url: config.url,
    authorities,
    signers: certificatesIn(signer, config.signer).map((certificate) => checkSigner(certificate, config.signer)),
    identify: async (ispb) => {
      const identity = identities.get(ispb);
      if (identity == null) throw new RangeError('This participant is not configured');
      return identity;
    },
  });
  return { directory, participants };
}

function certificatesIn(pem: string, file: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new Error(`${file} holds no PEM certificate`);
  return blocks.map((block) => new X509Certificate(block));
}

function checkSigner(certificate: X509Certificate, file: string): X509Certificate {
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < 2048)
    throw new Error(`${file}: the directory signs with RSA keys of 2048 bits and more`);
  return certificate;
}
