import { algorithms, xmldsig } from './algorithms.ts';
import { notSigned } from './not-signed.ts';
import { elementsOf } from './parse.ts';

export interface EnvelopedSignature {
  readonly element: Element;
  readonly signedInfo: Element;
  readonly value: Buffer;
  readonly keyInfo: Element | null;
  readonly rootDigest: Buffer;
  /** Null where KeyInfo is not covered. */
  readonly keyInfoDigest: Buffer | null;
}

/**
 * The one signature of a document, if it has the directory's shape and nothing but it: which element is covered, by
 * which transforms and algorithms, is decided here and not by the document. So no second signature, no signed
 * fragment, no SHA-1, no HMAC, no XPath or XSLT and no reference to another document gets as far as the cryptography.
 */
export function findSignature(root: Element): EnvelopedSignature {
  const signatures = [root, ...Array.from(root.getElementsByTagName('*'))].filter(({ localName }) => localName === 'Signature');
  const [element] = signatures;
  if (element === undefined) throw notSigned('it has no signature');
  if (signatures.length > 1) throw notSigned('it has more than one signature');
  if (element.namespaceURI !== xmldsig || element.parentNode !== root) throw notSigned('its signature is not a child of the root');
  const [signedInfo, value, keyInfo = null] = children(element, ['SignedInfo', 'SignatureValue', 'KeyInfo'], 2);
  if (signedInfo === undefined) throw malformed();
  return { element, signedInfo, value: base64(value), keyInfo, ...readSignedInfo(signedInfo, keyInfo) };
}

function readSignedInfo(signedInfo: Element, keyInfo: Element | null): Pick<EnvelopedSignature, 'rootDigest' | 'keyInfoDigest'> {
  const [canonicalization, method, ...references] = children(signedInfo, ['CanonicalizationMethod', 'SignatureMethod', 'Reference', 'Reference'], 3);
  checkAlgorithm(canonicalization, algorithms.canonicalization);
  checkAlgorithm(method, algorithms.signature);
  const keyInfoUri = `#${keyInfo?.getAttribute('Id') ?? ''}`;
  let rootDigest: Buffer | null = null;
  let keyInfoDigest: Buffer | null = null;
  for (const reference of references) {
    const uri = reference.hasAttribute('URI') ? reference.getAttribute('URI') : null;
    const [transforms, method, value] = children(reference, ['Transforms', 'DigestMethod', 'DigestValue'], 3);
    checkAlgorithm(method, algorithms.digest);
    if (uri === '' && rootDigest === null) {
      checkTransforms(transforms, [algorithms.enveloped, algorithms.canonicalization]);
      rootDigest = base64(value);
    } else if (uri === keyInfoUri && uri !== '#' && keyInfoDigest === null) {
      checkTransforms(transforms, [algorithms.canonicalization]);
      keyInfoDigest = base64(value);
    } else {
      throw notSigned('its signature covers something else than the document');
    }
  }
  if (rootDigest === null) throw notSigned('its signature does not cover the document');
  return { rootDigest, keyInfoDigest };
}

function checkTransforms(transforms: Element | undefined, expected: readonly string[]): void {
  const found = transforms === undefined ? [] : children(transforms, expected.map(() => 'Transform'), expected.length);
  expected.forEach((algorithm, index) => checkAlgorithm(found[index], algorithm));
}

/** No parameters either: an InclusiveNamespaces or HMACOutputLength inside changes what the algorithm does. */
function checkAlgorithm(element: Element | undefined, expected: string): void {
  if (element === undefined || element.getAttribute('Algorithm') !== expected || elementsOf(element).length > 0) {
    throw notSigned('its signature uses another algorithm');
  }
}

/** The children of an element of a signature: these names in this order, and the first `least` of them always. */
function children(parent: Element, names: readonly string[], least: number): readonly Element[] {
  const found = elementsOf(parent);
  const fits = found.length >= least && found.length <= names.length
    && found.every((child, index) => child.namespaceURI === xmldsig && child.localName === names[index]);
  if (!fits) throw malformed();
  return found;
}

function base64(element: Element | undefined): Buffer {
  const text = element?.textContent?.replaceAll(/[ \t\r\n]/g, '') ?? '';
  if (element === undefined || elementsOf(element).length > 0 || !/^[A-Za-z\d+/]+={0,2}$/.test(text)) throw malformed();
  return Buffer.from(text, 'base64');
}

function malformed(): Error {
  return notSigned('its signature is malformed');
}
