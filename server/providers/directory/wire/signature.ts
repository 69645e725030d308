/**
 * This file signs documents of the directory and verifies their signatures (XML Signature with RSA-SHA256 and exclusive
 * canonicalization). Used by answers.ts and authority.ts. An answer must not be read before its signature is verified.
 */
import { createHash, type KeyObject, sign, verify, type X509Certificate } from 'node:crypto';
import { ExclusiveCanonicalization } from 'xml-crypto';
import { signatureInvalid } from '../directory.ts';
import { escapeXml } from './document.ts';
import { decodeXml, elementsOf, keepLineEnds, parseXml } from './parse.ts';

export const xmldsig = 'http://www.w3.org/2000/09/xmldsig#';

/** The only algorithms that the directory uses. Signatures with others are rejected. */
export const algorithms = {
  canonicalization: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  enveloped: 'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
} as const;

/** Returns the bytes that are digested and signed (Exclusive XML Canonicalization 1.0 without comments). */
function canonicalXml(element: Element): string {
  return new ExclusiveCanonicalization().process(element, {});
}

function digestOf(canonical: string): Buffer {
  return createHash('sha256').update(canonical).digest();
}

export interface Signer {
  readonly key: KeyObject;
  readonly certificate: X509Certificate;
}

const keyInfoId = 'key-info';

/**
 * Signs as the directory does: an enveloped XMLDSig, first child of the root, that covers the document and its own
 * KeyInfo, which names the certificate by issuer and serial number.
 *
 * @param xml a document whose root has children and no attribute with a `>`, as `buildXml` returns it
 */
export function signXml(xml: string, { key, certificate }: Signer): string {
  const keyInfo = `<ds:KeyInfo Id="${keyInfoId}">${issuerSerial(certificate)}</ds:KeyInfo>`;
  const references = [
    reference(
      '',
      [algorithms.enveloped, algorithms.canonicalization],
      digestOf(canonicalXml(parseXml(decodeXml(Buffer.from(xml))))),
    ),
    reference(`#${keyInfoId}`, [algorithms.canonicalization], digestOf(canonicalXml(parseXml(standalone(keyInfo))))),
  ];
  const signedInfo = `<ds:SignedInfo>${emptyElement('CanonicalizationMethod', algorithms.canonicalization)}${emptyElement('SignatureMethod', algorithms.signature)}${references.join('')}</ds:SignedInfo>`;
  const value = sign('RSA-SHA256', Buffer.from(canonicalXml(parseXml(standalone(signedInfo)))), key).toString('base64');
  const signature = `<ds:Signature xmlns:ds="${xmldsig}">${signedInfo}<ds:SignatureValue>${value}</ds:SignatureValue>${keyInfo}</ds:Signature>`;
  return xml.replace(/<[^?!][^>]*>/, (root) => `${root}${signature}`);
}

function reference(uri: string, transforms: readonly string[], digest: Buffer): string {
  const steps = transforms.map((algorithm) => emptyElement('Transform', algorithm)).join('');
  return `<ds:Reference URI="${uri}"><ds:Transforms>${steps}</ds:Transforms>${emptyElement('DigestMethod', algorithms.digest)}<ds:DigestValue>${digest.toString('base64')}</ds:DigestValue></ds:Reference>`;
}

function emptyElement(name: string, algorithm: string): string {
  return `<ds:${name} Algorithm="${algorithm}"/>`;
}

/** Turns a part of a signature into a document of its own with the same canonical form. */
function standalone(part: string): string {
  return part.replace(/^<[\w:]+/, (start) => `${start} xmlns:ds="${xmldsig}"`);
}

function issuerSerial(certificate: X509Certificate): string {
  // RFC 4514 writes the most specific part first, OpenSSL writes it last.
  const issuer = certificate.issuer.split('\n').reverse().join(',');
  const serial = BigInt(`0x${certificate.serialNumber}`).toString();
  return `<ds:X509Data><ds:X509IssuerSerial><ds:X509IssuerName>${escapeXml(issuer)}</ds:X509IssuerName><ds:X509SerialNumber>${serial}</ds:X509SerialNumber></ds:X509IssuerSerial></ds:X509Data>`;
}

interface EnvelopedSignature {
  readonly element: Element;
  readonly signedInfo: Element;
  readonly value: Buffer;
  readonly keyInfo: Element | null;
  readonly rootDigest: Buffer;
  /** Null if the signature does not cover KeyInfo. */
  readonly keyInfoDigest: Buffer | null;
}

/**
 * Returns the only signature of a document and rejects any that has not exactly the directory's shape: this code, not
 * the document, decides which element is covered, by which transforms and algorithms. So no second signature, signed
 * fragment, SHA-1, HMAC, XPath, XSLT or reference to another document reaches the cryptography.
 */
function findSignature(root: Element): EnvelopedSignature {
  const signatures = [root, ...Array.from(root.getElementsByTagName('*'))].filter(
    ({ localName }) => localName === 'Signature',
  );
  const [element] = signatures;
  if (element === undefined) throw signatureInvalid('it has no signature');
  if (signatures.length > 1) throw signatureInvalid('it has more than one signature');
  if (element.namespaceURI !== xmldsig || element.parentNode !== root)
    throw signatureInvalid('its signature is not a child of the root');
  const [signedInfo, value, keyInfo = null] = signatureChildren(
    element,
    ['SignedInfo', 'SignatureValue', 'KeyInfo'],
    2,
  );
  if (signedInfo === undefined) throw malformed();
  return {
    element,
    signedInfo,
    value: base64(value),
    keyInfo,
    ...readSignedInfo(signedInfo, keyInfo),
  };
}

function readSignedInfo(
  signedInfo: Element,
  keyInfo: Element | null,
): Pick<EnvelopedSignature, 'rootDigest' | 'keyInfoDigest'> {
  const [canonicalization, method, ...references] = signatureChildren(
    signedInfo,
    ['CanonicalizationMethod', 'SignatureMethod', 'Reference', 'Reference'],
    3,
  );
  checkAlgorithm(canonicalization, algorithms.canonicalization);
  checkAlgorithm(method, algorithms.signature);
  const keyInfoUri = `#${keyInfo?.getAttribute('Id') ?? ''}`;
  let rootDigest: Buffer | null = null;
  let keyInfoDigest: Buffer | null = null;
  for (const reference of references) {
    const uri = reference.hasAttribute('URI') ? reference.getAttribute('URI') : null;
    const [transforms, method, value] = signatureChildren(reference, ['Transforms', 'DigestMethod', 'DigestValue'], 3);
    checkAlgorithm(method, algorithms.digest);
    if (uri === '' && rootDigest === null) {
      checkTransforms(transforms, [algorithms.enveloped, algorithms.canonicalization]);
      rootDigest = base64(value);
    } else if (uri === keyInfoUri && uri !== '#' && keyInfoDigest === null) {
      checkTransforms(transforms, [algorithms.canonicalization]);
      keyInfoDigest = base64(value);
    } else {
      throw signatureInvalid('its signature covers something else than the document');
    }
  }
  if (rootDigest === null) throw signatureInvalid('its signature does not cover the document');
  return { rootDigest, keyInfoDigest };
}

function checkTransforms(transforms: Element | undefined, expected: readonly string[]): void {
  const found =
    transforms === undefined
      ? []
      : signatureChildren(
          transforms,
          expected.map(() => 'Transform'),
          expected.length,
        );
  expected.forEach((algorithm, index) => checkAlgorithm(found[index], algorithm));
}

/**
 * Checks an algorithm. Rejects child elements, because parameters such as InclusiveNamespaces change what an algorithm
 * does.
 */
function checkAlgorithm(element: Element | undefined, expected: string): void {
  if (element === undefined || element.getAttribute('Algorithm') !== expected || elementsOf(element).length > 0) {
    throw signatureInvalid('its signature uses another algorithm');
  }
}

/**
 * Returns the children of an element of a signature, which must have these names in this order. The first `least` of
 * them are mandatory.
 */
function signatureChildren(parent: Element, names: readonly string[], least: number): readonly Element[] {
  const found = elementsOf(parent);
  const fits =
    found.length >= least &&
    found.length <= names.length &&
    found.every((child, index) => child.namespaceURI === xmldsig && child.localName === names[index]);
  if (!fits) throw malformed();
  return found;
}

function base64(element: Element | undefined): Buffer {
  const text = element?.textContent?.replaceAll(/[ \t\r\n]/g, '') ?? '';
  if (element === undefined || elementsOf(element).length > 0 || !/^[A-Za-z\d+/]+={0,2}$/.test(text)) throw malformed();
  return Buffer.from(text, 'base64');
}

function malformed(): Error {
  return signatureInvalid('its signature is malformed');
}

/**
 * Returns the root of what a pinned signer has signed. The root is parsed again from the canonical bytes whose digest
 * was compared ("see what is signed", XML Signature Best Practices §2.1), so that nothing unsigned is read.
 *
 * Signatures of this one shape are validated here and not by the library whose canonicalization this uses: the library
 * looks for references by XPath over the whole document, which takes seconds for an answer of megabytes, and does so
 * before it knows the signer. Here the key is checked first. Tests compare both implementations.
 *
 * @param signers certificates whose keys are trusted: two while the directory replaces its certificate
 */
export function verifyXml(bytes: Uint8Array, signers: readonly X509Certificate[]): Element {
  const root = parseXml(decodeXml(bytes));
  const signature = findSignature(root);
  checkSigner(signature, signers);
  if (signature.keyInfoDigest !== null && signature.keyInfo !== null)
    assertDigest(canonicalXml(signature.keyInfo), signature.keyInfoDigest);
  root.removeChild(signature.element);
  const signed = canonicalXml(root);
  assertDigest(signed, signature.rootDigest);
  return parseXml(keepLineEnds(signed));
}

/** Validates the signature (XMLDSig §3.2.2) with the pinned keys, whatever KeyInfo says. */
function checkSigner({ signedInfo, value }: EnvelopedSignature, signers: readonly X509Certificate[]): void {
  const signed = Buffer.from(canonicalXml(signedInfo));
  const isGenuine = signers.some(
    ({ publicKey }) => publicKey.asymmetricKeyType === 'rsa' && verify('RSA-SHA256', signed, publicKey, value),
  );
  if (!isGenuine) throw signatureInvalid("its signature is not the pinned signer's");
}

/** Validates the digest of a reference (XMLDSig §3.2.1). */
function assertDigest(canonical: string, digest: Buffer): void {
  if (!digestOf(canonical).equals(digest)) throw signatureInvalid('it was changed after it was signed');
}
