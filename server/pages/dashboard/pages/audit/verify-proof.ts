/**
 * Checks the proof of an event in the browser. Used by event-proof.tsx. It must agree with how the service makes proofs
 * (server/audit), byte by byte. Browsers offer the cryptography on secure origins only.
 */
import type { Schemas } from '../../core/api.ts';

type AuditEvent = Schemas['AuditEvent'];
type AuditProof = Schemas['AuditProof'];

/** A check and whether it passed; null if this browser cannot do it. */
export interface Finding {
  readonly check: 'hashed' | 'included' | 'signed';
  readonly holds: boolean | null;
}

/** Returns whether this browser, on this origin, supports the checks. */
export function canVerify(): boolean {
  return window.isSecureContext;
}

/**
 * Checks a proof with only the event, the proof and the browser's own cryptography, without a request to the service.
 */
export async function verifyProof(event: AuditEvent, proof: AuditProof): Promise<readonly Finding[]> {
  const { checkpoint } = proof;
  const isAtItsPlace =
    proof.index === event.sequence - 1 &&
    proof.treeSize === checkpoint.treeSize &&
    proof.rootHash === checkpoint.rootHash;
  return [
    { check: 'hashed', holds: await isHashed(event, proof) },
    { check: 'included', holds: isAtItsPlace && (await isIncluded(proof)) },
    { check: 'signed', holds: await isSigned(proof) },
  ];
}

async function isHashed({ hash, ...hashed }: AuditEvent, { leafHash }: AuditProof): Promise<boolean> {
  const found = toHex(await sha256([0], new TextEncoder().encode(canonical(hashed))));
  return found === hash && found === leafHash;
}

/** Implements RFC 9162 §2.1.3.2, the algorithm for the trees of RFC 6962. */
async function isIncluded({ index, treeSize, leafHash, path, rootHash }: AuditProof): Promise<boolean> {
  if (index >= treeSize) return false;
  let [node, last, hash] = [index, treeSize - 1, fromHex(leafHash)];
  for (const sibling of path.map(fromHex)) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      hash = await sha256([1], sibling, hash);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else hash = await sha256([1], hash, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && toHex(hash) === rootHash;
}

/** Checks the signature. The key is identified by its thumbprint (RFC 7638) and signs with Ed25519 (RFC 8032). */
async function isSigned({
  checkpoint: { signature, ...signed },
  publicKey: { kty, crv, x },
}: AuditProof): Promise<boolean | null> {
  const thumbprint = toBase64Url(await sha256(new TextEncoder().encode(canonical({ crv, kty, x }))));
  if (thumbprint !== signed.keyId) return false;
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']).catch(() => null);
  if (key === null) return null;
  return crypto.subtle.verify('Ed25519', key, fromBase64(signature), new TextEncoder().encode(canonical(signed)));
}

/**
 * Serialises a value by the JSON Canonicalization Scheme (RFC 8785): members in the order of their UTF-16 code units,
 * numbers and strings as ECMAScript writes them.
 */
function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}

async function sha256(...parts: readonly (ArrayLike<number> & Iterable<number>)[]): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(parts.flatMap((part) => [...part]))));
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Encodes without padding, like JSON Web Keys (RFC 7515 §2). */
function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Avoids bit operators, because sizes may exceed 32 bits. */
function isOdd(number: number): boolean {
  return number % 2 === 1;
}

function half(number: number): number {
  return Math.floor(number / 2);
}
