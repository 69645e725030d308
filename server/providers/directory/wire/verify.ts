import { verify, type X509Certificate } from 'node:crypto';
import { canonicalXml, digestOf } from './canonical.ts';
import { decodeXml } from './decode.ts';
import { keepLineEnds } from './line-ends.ts';
import { notSigned } from './not-signed.ts';
import { parseXml } from './parse.ts';
import { findSignature, type EnvelopedSignature } from './signature-shape.ts';

/**
 * The root of what a pinned signer has signed. It is parsed anew from the canonical bytes whose digest was compared
 * ("see what is signed", XML Signature Best Practices §2.1): nothing that was received is read in any other way.
 *
 * Signatures of this one shape are validated here and not by the library whose canonicalization this uses: it looks
 * for references by XPath over the whole document, which takes seconds for an answer of megabytes, and it does that
 * before it knows who signed. Here the key comes first. Tests hold both against each other.
 *
 * @param signers certificates whose keys are believed, two while the directory changes its own
 */
export function verifyXml(bytes: Uint8Array, signers: readonly X509Certificate[]): Element {
  const root = parseXml(decodeXml(bytes));
  const signature = findSignature(root);
  checkSigner(signature, signers);
  if (signature.keyInfoDigest !== null && signature.keyInfo !== null) compare(canonicalXml(signature.keyInfo), signature.keyInfoDigest);
  root.removeChild(signature.element);
  const signed = canonicalXml(root);
  compare(signed, signature.rootDigest);
  return parseXml(keepLineEnds(signed));
}

/** XMLDSig §3.2.2. The key is a pinned one, whatever KeyInfo says. */
function checkSigner({ signedInfo, value }: EnvelopedSignature, signers: readonly X509Certificate[]): void {
  const signed = Buffer.from(canonicalXml(signedInfo));
  const isGenuine = signers.some(({ publicKey }) => publicKey.asymmetricKeyType === 'rsa' && verify('RSA-SHA256', signed, publicKey, value));
  if (!isGenuine) throw notSigned('its signature is not the pinned signer\'s');
}

/** XMLDSig §3.2.1. */
function compare(canonical: string, digest: Buffer): void {
  if (!digestOf(canonical).equals(digest)) throw notSigned('it was changed after it was signed');
}
