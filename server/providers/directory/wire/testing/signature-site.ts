/**
 * Signers and signed documents for tests of signatures, also signed in wrong ways. Used by the tests of
 * wire/signature.ts.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { SignedXml } from 'xml-crypto';
import { type Authority, openAuthority } from '../../authority.ts';
import { buildXml, readDocument } from '../document.ts';
import { algorithms, signXml, verifyXml } from '../signature.ts';

const recovery = { Id: '5f0c', Status: 'COMPLETED', ReportDetails: 'a < b & "c"\r\n é \u0085\u2028 \u{1F600}' };
export const document = { ResponseTime: '2026-03-09T13:20:11.482Z', FundsRecovery: recovery, Refunds: [] };
/** The same document as XML, without a signature. */
export const plain = buildXml('GetFundsRecoveryResponse', document);

interface Reference {
  readonly xpath: string;
  readonly isEmptyUri: boolean;
  readonly transforms: readonly string[];
  readonly digestAlgorithm: string;
}

/** Reference to the whole document, as the directory makes it. */
export const WHOLE: Reference = {
  xpath: '/*',
  isEmptyUri: true,
  transforms: [algorithms.enveloped, algorithms.canonicalization],
  digestAlgorithm: algorithms.digest,
};

/** Signers of a test file, and a document that the trusted one has signed. */
export class SignatureSite {
  authority!: Authority;
  /** Authority that is not trusted. */
  stranger!: Authority;
  signed!: string;

  readonly read = (xml: string | Uint8Array): unknown =>
    readDocument(verifyXml(Buffer.from(xml), [this.authority.signer.certificate]));

  /** Signs with the genuine key, but not in the way of the directory. */
  readonly signedOtherwise = (
    xml: string,
    change: (signature: SignedXml) => void,
    references: readonly Reference[] = [WHOLE],
  ): string => {
    const signature = new SignedXml({
      privateKey: this.authority.signer.key.export({ type: 'pkcs8', format: 'pem' }),
      signatureAlgorithm: algorithms.signature,
      canonicalizationAlgorithm: algorithms.canonicalization,
    });
    change(signature);
    for (const reference of references)
      signature.addReference({
        ...reference,
        transforms: reference.transforms as never,
        digestAlgorithm: reference.digestAlgorithm as never,
      });
    signature.computeSignature(xml, { prefix: 'ds', location: { reference: '/*', action: 'prepend' } });
    return signature.getSignedXml();
  };
}

/** Matches the error of an invalid signature, with this reason. */
export const refusal = (reason = /./): object =>
  expect.objectContaining({
    name: 'DirectoryError',
    kind: 'SignatureInvalid',
    message: expect.stringMatching(reason),
  });

export function signatureSite(): SignatureSite {
  const site = new SignatureSite();
  let folders: string[] = [];
  beforeAll(async () => {
    folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'directory-wire-'))));
    [site.authority, site.stranger] = (await Promise.all(folders.map(openAuthority))) as [Authority, Authority];
    site.signed = signXml(plain, site.authority.signer);
  });
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));
  return site;
}
