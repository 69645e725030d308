import { algorithms, xmldsig } from './algorithms.ts';
import { elementsOf } from './parse.ts';
import { notSigned } from './not-signed.ts';

/**
 * The one signature of a document, if it has the directory's shape and nothing but it. A library that verifies does
 * what the signature says; what the signature may say is decided here, before: which element is covered, by which
 * transforms and algorithms. So no second signature, no signed fragment, no SHA-1, no HMAC, no XPath or XSLT and no
 * reference to another document gets as far as the cryptography.
 */
export function findSignature(root: Element): Element {
  const signatures = descendants(root).filter(({ localName }) => localName === 'Signature');
  const [signature] = signatures;
  if (signature === undefined) throw notSigned('it has no signature');
  if (signatures.length > 1) throw notSigned('it has more than one signature');
  if (signature.namespaceURI !== xmldsig || signature.parentNode !== root) throw notSigned('its signature is not a child of the root');
  const [signedInfo, , keyInfo] = children(signature, ['SignedInfo', 'SignatureValue', 'KeyInfo'], 2);
  checkSignedInfo(signedInfo, keyInfo);
  return signature;
}

function checkSignedInfo(signedInfo: Element | undefined, keyInfo: Element | undefined): void {
  if (signedInfo === undefined) throw notSigned('its signature is malformed');
  const [canonicalization, method, ...references] = children(signedInfo, ['CanonicalizationMethod', 'SignatureMethod', 'Reference', 'Reference'], 3);
  checkAlgorithm(canonicalization, algorithms.canonicalization);
  checkAlgorithm(method, algorithms.signature);
  const keyInfoId = keyInfo?.getAttribute('Id') ?? '';
  let ofTheRoot = 0;
  for (const reference of references) {
    const uri = reference.hasAttribute('URI') ? reference.getAttribute('URI') : null;
    const [transforms, digest] = children(reference, ['Transforms', 'DigestMethod', 'DigestValue'], 3);
    checkAlgorithm(digest, algorithms.digest);
    if (uri === '') {
      ofTheRoot += 1;
      checkTransforms(transforms, [algorithms.enveloped, algorithms.canonicalization]);
    } else if (keyInfoId !== '' && uri === `#${keyInfoId}`) {
      checkTransforms(transforms, [algorithms.canonicalization]);
    } else {
      throw notSigned('its signature covers something else than the document');
    }
  }
  if (ofTheRoot !== 1) throw notSigned('its signature does not cover the document');
}

function checkTransforms(transforms: Element | undefined, expected: readonly string[]): void {
  const found = transforms === undefined ? [] : children(transforms, expected.map(() => 'Transform'), expected.length);
  if (found.length !== expected.length) throw notSigned('its signature transforms the document in another way');
  found.forEach((transform, index) => checkAlgorithm(transform, expected[index]));
}

/** No parameters either: an InclusiveNamespaces or HMACOutputLength inside changes what the algorithm does. */
function checkAlgorithm(element: Element | undefined, expected: string | undefined): void {
  if (element === undefined || element.getAttribute('Algorithm') !== expected || elementsOf(element).length > 0) {
    throw notSigned('its signature uses another algorithm');
  }
}

/** The children of an element of a signature: these names in this order, the last ones optional. */
function children(parent: Element, names: readonly string[], least: number): readonly Element[] {
  const found = elementsOf(parent);
  const fits = found.length >= least && found.length <= names.length
    && found.every((child, index) => child.namespaceURI === xmldsig && child.localName === names[index]);
  if (!fits) throw notSigned('its signature is malformed');
  return found;
}

function descendants(element: Element): readonly Element[] {
  return Array.from(element.getElementsByTagName('*'));
}
