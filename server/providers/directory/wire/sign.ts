import { sign, type KeyObject, type X509Certificate } from 'node:crypto';
import { algorithms, xmldsig } from './algorithms.ts';
import { escapeXml } from './build.ts';
import { canonicalXml, digestOf } from './canonical.ts';
import { decodeXml } from './decode.ts';
import { parseXml } from './parse.ts';

export interface Signer {
  readonly key: KeyObject;
  readonly certificate: X509Certificate;
}

const keyInfoId = 'key-info';

/**
 * Signs as the directory does: an enveloped XMLDSig, first child of the root, that covers the document and its own
 * KeyInfo, which names the certificate by issuer and serial number.
 *
 * @param xml a document whose root has children and no attribute with a `>`, as `buildXml` makes it
 */
export function signXml(xml: string, { key, certificate }: Signer): string {
  const keyInfo = `<ds:KeyInfo Id="${keyInfoId}">${issuerSerial(certificate)}</ds:KeyInfo>`;
  const references = [
    reference('', [algorithms.enveloped, algorithms.canonicalization], digestOf(canonicalXml(parseXml(decodeXml(Buffer.from(xml)))))),
    reference(`#${keyInfoId}`, [algorithms.canonicalization], digestOf(canonicalXml(parseXml(standalone(keyInfo))))),
  ];
  const signedInfo = `<ds:SignedInfo>${empty('CanonicalizationMethod', algorithms.canonicalization)}${empty('SignatureMethod', algorithms.signature)}${references.join('')}</ds:SignedInfo>`;
  const value = sign('RSA-SHA256', Buffer.from(canonicalXml(parseXml(standalone(signedInfo)))), key).toString('base64');
  const signature = `<ds:Signature xmlns:ds="${xmldsig}">${signedInfo}<ds:SignatureValue>${value}</ds:SignatureValue>${keyInfo}</ds:Signature>`;
  return xml.replace(/<[^?!][^>]*>/, (root) => `${root}${signature}`);
}

function reference(uri: string, transforms: readonly string[], digest: Buffer): string {
  const steps = transforms.map((algorithm) => empty('Transform', algorithm)).join('');
  return `<ds:Reference URI="${uri}"><ds:Transforms>${steps}</ds:Transforms>${empty('DigestMethod', algorithms.digest)}<ds:DigestValue>${digest.toString('base64')}</ds:DigestValue></ds:Reference>`;
}

function empty(name: string, algorithm: string): string {
  return `<ds:${name} Algorithm="${algorithm}"/>`;
}

/** A part of a signature as a document of its own; its canonical form is the same in both places. */
function standalone(part: string): string {
  return part.replace(/^<[\w:]+/, (start) => `${start} xmlns:ds="${xmldsig}"`);
}

function issuerSerial(certificate: X509Certificate): string {
  // RFC 4514 writes the most specific part first, OpenSSL's listing last.
  const issuer = certificate.issuer.split('\n').reverse().join(',');
  const serial = BigInt(`0x${certificate.serialNumber}`).toString();
  return `<ds:X509Data><ds:X509IssuerSerial><ds:X509IssuerName>${escapeXml(issuer)}</ds:X509IssuerName><ds:X509SerialNumber>${serial}</ds:X509SerialNumber></ds:X509IssuerSerial></ds:X509Data>`;
}
