/** @import { AuditEvent, AuditProof } from './api.js' */

/** @param {string} hex */
function fromHex(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** @param {Uint8Array} bytes */
function toHex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {string} base64 */
function fromBase64(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Without padding, as JSON Web Keys write it (RFC 7515 §2). @param {Uint8Array} bytes */
function toBase64Url(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @param {...(Uint8Array | number[])} parts */
async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(parts.flatMap((part) => [...part]))));
}

/**
 * JSON Canonicalization Scheme (RFC 8785): members in the order of their UTF-16 code units, numbers and strings as
 * ECMAScript writes them.
 * @param {unknown} value
 * @returns {string}
 */
function canonical(value) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}

/**
 * @typedef {object} Finding
 * @property {string} words what was checked
 * @property {boolean | null} holds null when this browser cannot tell
 */

/** Whether this browser, at this address, has what the check needs. */
export function canVerify() {
  return globalThis.crypto?.subtle !== undefined;
}

/**
 * Checks a proof with nothing but the event, the proof and this browser's own cryptography: nothing is asked of the
 * service.
 * @param {AuditEvent} event
 * @param {AuditProof} proof
 * @returns {Promise<Finding[]>}
 */
export async function verifyProof(event, proof) {
  const { checkpoint } = proof;
  return [
    { words: 'The event is what was hashed', holds: await isHashed(event, proof) },
    {
      words: `Its hash is number ${proof.index + 1} of the ${proof.treeSize} below the root`,
      holds: proof.index === event.sequence - 1 && proof.treeSize === checkpoint.treeSize && proof.rootHash === checkpoint.rootHash && await isIncluded(proof),
    },
    { words: 'The checkpoint with this root is signed by the key it names', holds: await isSigned(proof) },
  ];
}

/** @param {AuditEvent} event @param {AuditProof} proof */
async function isHashed({ hash, ...hashed }, { leafHash }) {
  const found = toHex(await sha256([0], new TextEncoder().encode(canonical(hashed))));
  return found === hash && found === leafHash;
}

/** RFC 9162 §2.1.3.2, the algorithm for the trees of RFC 6962. @param {AuditProof} proof */
async function isIncluded({ index, treeSize, leafHash, path, rootHash }) {
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

/** The key is named by its thumbprint (RFC 7638), and signs by Ed25519 (RFC 8032). @param {AuditProof} proof */
async function isSigned({ checkpoint: { signature, ...signed }, publicKey: { kty, crv, x } }) {
  const thumbprint = toBase64Url(await sha256(new TextEncoder().encode(canonical({ crv, kty, x }))));
  if (thumbprint !== signed.keyId) return false;
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']).catch(() => null);
  if (key === null) return null;
  return crypto.subtle.verify('Ed25519', key, fromBase64(signature), new TextEncoder().encode(canonical(signed)));
}

/** Not by bits: sizes go beyond 32 of them. @param {number} number */
function isOdd(number) {
  return number % 2 === 1;
}

/** @param {number} number */
function half(number) {
  return Math.floor(number / 2);
}
