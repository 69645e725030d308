/** Tests of checking the signatures of a PDF, with an authority of their own: no openly licensed specimen is known. */
import 'reflect-metadata';
import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import {
  Attribute,
  CertificateChoices,
  CertificateSet,
  CMSVersion,
  ContentInfo,
  DigestAlgorithmIdentifier,
  DigestAlgorithmIdentifiers,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignatureAlgorithmIdentifier,
  SignedData,
  SignerIdentifier,
  SignerInfo,
  SignerInfos,
} from '@peculiar/asn1-cms';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { BasicConstraintsExtension, X509Certificate as Issued, X509CertificateGenerator } from '@peculiar/x509';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodedSet, pdfSignatureCheck } from './pdf-signature.ts';

const TODAY = '2026-11-20';
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
} as const;
const SHA256 = '2.16.840.1.101.3.4.2.1';
const RSA_SHA256 = '1.2.840.113549.1.1.11';
const ROOM = 16_384;

interface Holder {
  readonly certificate: Issued;
  readonly key: CryptoKey;
}

async function holder(
  name: string,
  issuer: Holder | null,
  isAuthority: boolean,
  until = '2030-01-01',
): Promise<Holder> {
  const keys = await crypto.subtle.generateKey(RSA, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: `4${randomBytes(15).toString('hex')}0`,
    subject: `CN=${name}, O=Test authority`,
    issuer: issuer === null ? `CN=${name}, O=Test authority` : issuer.certificate.subject,
    notBefore: new Date('2020-01-01'),
    notAfter: new Date(until),
    publicKey: keys.publicKey,
    signingKey: issuer === null ? keys.privateKey : issuer.key,
    signingAlgorithm: RSA,
    extensions: [new BasicConstraintsExtension(isAuthority, undefined, true)],
  });
  return { certificate, key: keys.privateKey };
}

const trusted = (one: Holder): X509Certificate => new X509Certificate(Buffer.from(one.certificate.rawData));

/** Returns the CMS of a signature over bytes (RFC 5652). */
async function cmsOf(signed: Uint8Array, signer: Holder, chain: readonly Holder[]): Promise<Buffer> {
  const digest = createHash('sha256').update(signed).digest();
  const certificateOf = (one: Holder) => AsnConvert.parse(one.certificate.rawData, CertificateChoices);
  const { issuer, serialNumber } = certificateOf(signer).certificate!.tbsCertificate;
  const contentType = Buffer.from('06092a864886f70d010701', 'hex');
  const attributes = [
    new Attribute({ attrType: '1.2.840.113549.1.9.3', attrValues: [Uint8Array.from(contentType).buffer] }),
    new Attribute({
      attrType: '1.2.840.113549.1.9.4',
      attrValues: [AsnConvert.serialize(new OctetString(Uint8Array.from(digest).buffer))],
    }),
  ];
  const info = new SignerInfo({
    version: CMSVersion.v1,
    sid: new SignerIdentifier({ issuerAndSerialNumber: new IssuerAndSerialNumber({ issuer, serialNumber }) }),
    digestAlgorithm: new DigestAlgorithmIdentifier({ algorithm: SHA256 }),
    signedAttrs: attributes,
    signatureAlgorithm: new SignatureAlgorithmIdentifier({ algorithm: RSA_SHA256 }),
    signature: new OctetString(new ArrayBuffer(0)),
  });
  const toSign = Uint8Array.from(encodedSet(attributes));
  info.signature = new OctetString(await crypto.subtle.sign(RSA, signer.key, toSign));
  const data = new SignedData({
    version: CMSVersion.v1,
    digestAlgorithms: new DigestAlgorithmIdentifiers([new DigestAlgorithmIdentifier({ algorithm: SHA256 })]),
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: '1.2.840.113549.1.7.1' }),
    certificates: new CertificateSet([signer, ...chain].map(certificateOf)),
    signerInfos: new SignerInfos([info]),
  });
  const content = new ContentInfo({ contentType: '1.2.840.113549.1.7.2', content: AsnConvert.serialize(data) });
  return Buffer.from(AsnConvert.serialize(content));
}

/** Returns a PDF that is signed over all of it but the signature. */
async function signedPdf(signer: Holder, chain: readonly Holder[]): Promise<Buffer> {
  const before = '%PDF-1.7\n1 0 obj\n<< /Type /Sig /Filter /Adobe.PPKLite /Contents ';
  const tail = (range: string): string => ` /ByteRange [${range.padEnd(40)}] >>\nendobj\ntrailer\n<<>>\n%%EOF\n`;
  const from = before.length;
  const to = from + ROOM + 2;
  const after = tail(`0 ${from} ${to} ${tail('').length}`);
  const signed = Buffer.from(before + after, 'latin1');
  const cms = (await cmsOf(signed, signer, chain)).toString('hex').padEnd(ROOM, '0');
  return Buffer.from(`${before}<${cms}>${after}`, 'latin1');
}

let root: Holder;
let middle: Holder;
let signer: Holder;
let stranger: Holder;
let file: Buffer;
beforeAll(async () => {
  root = await holder('Root', null, true);
  middle = await holder('Middle', root, true);
  signer = await holder('EXAMPLE AGENCY:12345678000195', middle, false);
  stranger = await holder('Stranger', null, true);
  file = await signedPdf(signer, [middle]);
});
const judged = (bytes: Uint8Array, roots: readonly Holder[] = [root], today = TODAY) => {
  const { outcome, reasonCode, observed } = pdfSignatureCheck(bytes, roots.map(trusted), today);
  return [outcome, reasonCode, observed];
};

describe('the signature of a PDF', () => {
  it('passes if the whole file is unchanged and its signer leads to a trusted root; it tells who has signed', () => {
    expect(judged(file)).toEqual(['pass', null, 'EXAMPLE AGENCY']);
  });

  it('fails if one signed byte was changed', () => {
    const changed = Buffer.from(file);
    changed[3] = changed[3]! ^ 1;
    expect(judged(changed).slice(0, 2)).toEqual(['fail', 'signature_wrong']);
  });

  it('fails if it is the signature of another file', async () => {
    const other = await signedPdf(stranger, []);
    const contents = (bytes: Buffer): string => /<[0-9a-f]{100,}>/.exec(bytes.toString('latin1'))![0];
    const swapped = Buffer.from(file.toString('latin1').replace(contents(file), contents(other)), 'latin1');
    expect(judged(swapped)[0]).not.toBe('pass');
  });

  it.each<[string, () => Parameters<typeof judged>, [string, string]]>([
    ['no trusted root is known', () => [file, []], ['not_run', 'no_roots']],
    ['its signer leads to no trusted root', () => [file, [stranger]], ['warn', 'signer_unknown']],
    ['a certificate is past its end', () => [file, [root], '2031-01-01'], ['warn', 'certificate_expired']],
    [
      'something was added later',
      () => [Buffer.concat([file, Buffer.from('2 0 obj')])],
      ['warn', 'changed_after_signing'],
    ],
    ['there is none', () => [Buffer.from('%PDF-1.7\n%%EOF')], ['not_run', 'no_signature']],
    [
      'it leaves out more than itself',
      () => [Buffer.from('%PDF-1.7 /Contents <00> /X (y) /ByteRange [0 10 40 20] padding padding padding')],
      ['warn', 'signature_unreadable'],
    ],
    [
      'it is no signature',
      () => [Buffer.from('%PDF-1.7 <0102> /ByteRange [0 9 15 21] %%%')],
      ['warn', 'signature_unreadable'],
    ],
  ])('does not pass if %s', (_, of, found) => {
    expect(judged(...of()).slice(0, 2)).toEqual(found);
  });

  it('does not pass without the certificate between signer and root', async () => {
    expect(judged(await signedPdf(signer, [])).slice(0, 2)).toEqual(['warn', 'signer_unknown']);
  });

  it('does not pass if a certificate of a person stands as an authority in its path', async () => {
    const forger = await holder('Forger', signer, false);
    expect(judged(await signedPdf(forger, [signer, middle])).slice(0, 2)).toEqual(['warn', 'signer_unknown']);
  });
});
