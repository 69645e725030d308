/**
 * Checks the signatures of a PDF offline (ISO 32000-1, 12.8; CMS, RFC 5652): that the signed bytes are unchanged, that
 * they are the whole file, and that the signer's certificate leads to a root that the operator trusts. In Brazil the
 * electronic driving licence is exported so. Used by the judgement of documents. It asks no network, so that whether a
 * certificate was revoked is not checked; and it tells who has signed, not whether that one may issue the document.
 */
import { createHash, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { type Attribute, ContentInfo, SignedData, type SignerInfo } from '@peculiar/asn1-cms';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { type Check, check } from '../check.ts';

const CODE = 'pdf_signature';
const RANGE = /\/ByteRange\s*\[\s*(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s*\]/g;
const MOST_SIGNATURES = 8;
const MOST_CERTIFICATES = 32;
const LONGEST_PATH = 6;
/** A line break may follow the end of the signed bytes. */
const TAIL = 2;
const SIGNED_DATA = '1.2.840.113549.1.7.2';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
/** Hash functions that may be used, by their object identifiers. */
const HASHES: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
/** Signature algorithms: RSA with PKCS #1 v1.5, and ECDSA, each alone or with its hash function. */
const ALGORITHMS: ReadonlySet<string> = new Set([
  '1.2.840.113549.1.1.1',
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
]);

type Reason =
  | 'signature_unreadable'
  | 'signature_wrong'
  | 'algorithm_unknown'
  | 'signer_unknown'
  | 'certificate_expired';

/** A signature, as far as the file alone tells. */
interface Found {
  readonly signed: Uint8Array;
  readonly cms: Buffer;
  readonly end: number;
}

/** Checks the signatures of a PDF against trusted roots. `today` is YYYY-MM-DD. */
export function pdfSignatureCheck(
  bytes: Uint8Array,
  roots: readonly X509Certificate[],
  today: string,
): Check<typeof CODE> {
  const found = signaturesOf(bytes);
  if (found === null) return check(CODE, 'warn', 'signature_unreadable');
  if (found.length === 0) return check(CODE, 'not_run', 'no_signature');
  if (roots.length === 0) return check(CODE, 'not_run', 'no_roots');
  const judged = found.map((one) => judge(one, roots, today));
  const wrong = judged.find((one) => typeof one === 'string');
  if (wrong !== undefined) return check(CODE, wrong === 'signature_wrong' ? 'fail' : 'warn', wrong);
  const signers = judged.filter((one) => typeof one !== 'string').map(({ signer }) => signer);
  const observed = [...new Set(signers)].join('; ').slice(0, 300);
  const isWhole = found.some(({ end }) => bytes.length - end <= TAIL);
  return { ...check(CODE, isWhole ? 'pass' : 'warn', isWhole ? null : 'changed_after_signing'), observed };
}

/** Returns the signatures of a PDF; null if one of them is not as the standard wants it. */
function signaturesOf(bytes: Uint8Array): Found[] | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const ranges = [...text.matchAll(RANGE)].map((found) => found.slice(1).map(Number));
  if (ranges.length > MOST_SIGNATURES) return null;
  const found: Found[] = [];
  for (const [start, length, second, rest] of ranges as [number, number, number, number][]) {
    const end = second + rest;
    if (start !== 0 || length >= second || end > bytes.length) return null;
    // Nothing but the signature itself may be left out of what is signed (12.8.1).
    const contents = /^<([0-9A-Fa-f\s]*)>$/.exec(text.slice(length, second));
    if (contents === null) return null;
    found.push({
      signed: Buffer.concat([bytes.subarray(0, length), bytes.subarray(second, end)]),
      cms: Buffer.from(contents[1]!.replaceAll(/\s/g, ''), 'hex'),
      end,
    });
  }
  return found;
}

function judge(found: Found, roots: readonly X509Certificate[], today: string): { readonly signer: string } | Reason {
  let read: ReturnType<typeof readCms>;
  try {
    read = readCms(found.cms);
  } catch {
    return 'signature_unreadable';
  }
  if (read === null) return 'signature_unreadable';
  const { info, certificates } = read;
  const hash = HASHES[info.digestAlgorithm.algorithm];
  if (hash === undefined || !ALGORITHMS.has(info.signatureAlgorithm.algorithm)) return 'algorithm_unknown';
  const digest = createHash(hash).update(found.signed).digest();
  const { signedAttrs = [] } = info;
  const stated = signedAttrs.find(({ attrType }) => attrType === MESSAGE_DIGEST)?.attrValues[0];
  if (stated === undefined) return 'signature_unreadable';
  if (!digest.equals(Buffer.from(AsnConvert.parse(stated, OctetString).buffer))) return 'signature_wrong';
  const attributes = encodedSet(signedAttrs);
  const signature = Buffer.from(info.signature.buffer);
  const signer = certificates.find(({ publicKey }) => isSignedBy(publicKey, { hash, attributes, signature }));
  if (signer === undefined) return 'signature_wrong';
  const path = pathOf(signer, certificates, roots);
  if (path === null) return 'signer_unknown';
  return path.every((certificate) => isValidOn(certificate, today))
    ? { signer: nameOf(signer) }
    : 'certificate_expired';
}

/** Reads the signer and the certificates of a signature. Null if there is not exactly one signer. */
function readCms(cms: Buffer): { readonly info: SignerInfo; readonly certificates: X509Certificate[] } | null {
  const content = AsnConvert.parse(withoutPadding(cms), ContentInfo);
  if (content.contentType !== SIGNED_DATA) return null;
  const { signerInfos, certificates } = AsnConvert.parse(content.content, SignedData);
  const [info, other] = signerInfos;
  if (info === undefined || other !== undefined) return null;
  const raw = [...(certificates ?? [])].flatMap(({ certificate }) => (certificate === undefined ? [] : [certificate]));
  if (raw.length > MOST_CERTIFICATES) return null;
  return { info, certificates: raw.map((one) => new X509Certificate(Buffer.from(AsnConvert.serialize(one)))) };
}

/** Encodes signed attributes as what is signed: a set with its universal tag (RFC 5652, 5.4). */
export function encodedSet(attributes: readonly Attribute[]): Buffer {
  const content = Buffer.concat(attributes.map((one) => Buffer.from(AsnConvert.serialize(one))));
  const hex = content.length.toString(16);
  const length = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  const size = content.length < 0x80 ? length : Buffer.concat([Buffer.from([0x80 + length.length]), length]);
  return Buffer.concat([Buffer.from([0x31]), size, content]);
}

/** Returns the encoding without the zeros that fill its room in the file. */
function withoutPadding(cms: Buffer): Buffer {
  const first = cms[1] ?? 0;
  // Below 128 it is the length itself, else the number of bytes of the length; 128 says that the end is marked.
  if (first <= 0x80) return first === 0x80 ? cms : cms.subarray(0, 2 + first);
  const size = first - 0x80;
  return size > 4 ? cms : cms.subarray(0, 2 + size + cms.readUIntBE(2, size));
}

interface Signed {
  readonly hash: string;
  readonly attributes: Uint8Array;
  readonly signature: Uint8Array;
}

function isSignedBy(key: KeyObject, { hash, attributes, signature }: Signed): boolean {
  try {
    return verify(hash, attributes, key, signature);
  } catch {
    // A key of another kind verifies nothing.
    return false;
  }
}

/** Returns the certificates from a signer up to a trusted root. Null if none is reached. */
function pathOf(
  signer: X509Certificate,
  certificates: readonly X509Certificate[],
  roots: readonly X509Certificate[],
): X509Certificate[] | null {
  const issued = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
    issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  const path = [signer];
  while (path.length <= LONGEST_PATH) {
    const last = path.at(-1)!;
    const root = roots.find((one) => issued(last, one));
    if (root !== undefined) return [...path, root];
    const next = certificates.find((one) => one.fingerprint256 !== last.fingerprint256 && issued(last, one));
    if (next === undefined) return null;
    path.push(next);
  }
  return null;
}

const isValidOn = ({ validFrom, validTo }: X509Certificate, today: string): boolean =>
  new Date(validFrom).getTime() <= Date.parse(`${today}T23:59:59Z`) && new Date(validTo).getTime() >= Date.parse(today);

/** Returns the common name of a certificate. In ICP-Brasil it ends with the number of the holder, which is left out. */
function nameOf({ subject }: X509Certificate): string {
  return (/^CN=(.*)$/m.exec(subject)?.[1] ?? subject).replace(/:\d{11,14}$/, '');
}
