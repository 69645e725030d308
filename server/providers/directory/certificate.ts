/**
 * Creates keys and certificates for the throw-away authority. Used by authority.ts. They live long and are trusted by
 * this service only.
 */
import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  type JsonGeneralName,
  type JsonName,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { DAY_MILLISECONDS } from '../../base/time.ts';

/** A certificate and its private key, in PEM. */
export interface Identity {
  readonly certificate: string;
  readonly key: string;
}

export interface Subject {
  readonly commonName: string;
  /** Purpose of the certificate: issuing others, serving, calling or signing documents. */
  readonly use: 'authority' | 'server' | 'client' | 'signer';
}

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
/** The directory's XMLDSig requires RSA; TLS uses the faster curve. */
const rsa = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
} as const;
/** Long, because the folder is rarely replaced and only this service trusts the certificates. */
const lifetimeDays = 20 * 365;

/** Creates a key and a certificate for it, issued by `issuer` or self-signed if that is null. */
export async function issueCertificate(subject: Subject, issuer: Identity | null): Promise<Identity> {
  const algorithm = subject.use === 'signer' ? rsa : ecdsa;
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const name: JsonName = [{ O: ['Throw-away directory'] }, { CN: [subject.commonName] }];
  const certificate = await X509CertificateGenerator.create({
    // RFC 5280 §4.1.2.2: positive, at most 20 octets.
    serialNumber: `4${randomBytes(16).toString('hex').slice(1)}`,
    subject: name,
    issuer: issuer === null ? name : new X509Certificate(issuer.certificate).subjectName.toJSON(),
    notBefore: new Date(Date.now() - DAY_MILLISECONDS),
    notAfter: new Date(Date.now() + lifetimeDays * DAY_MILLISECONDS),
    publicKey: keys.publicKey,
    signingKey: issuer === null ? keys.privateKey : await importKey(issuer.key),
    signingAlgorithm: ecdsa,
    extensions: extensionsOf(subject.use),
  });
  return {
    certificate: certificate.toString('pem'),
    key: PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY'),
  };
}

/** Imports an issuer's key. Issuers are authorities, whose keys are ECDSA. */
async function importKey(pem: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(pem), ecdsa, false, ['sign']);
}

function extensionsOf(use: Subject['use']): Extension[] {
  if (use === 'authority')
    return [new BasicConstraintsExtension(true, 0, true), new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true)];
  const leaf = [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
  ];
  if (use === 'signer') return leaf;
  if (use === 'client') return [...leaf, new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])];
  const loopback: JsonGeneralName[] = [
    { type: 'dns', value: 'localhost' },
    { type: 'ip', value: '127.0.0.1' },
    { type: 'ip', value: '::1' },
  ];
  return [
    ...leaf,
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    new SubjectAlternativeNameExtension(loopback),
  ];
}
