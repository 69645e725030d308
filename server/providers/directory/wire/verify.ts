import type { X509Certificate } from 'node:crypto';
import { SignedXml } from 'xml-crypto';
import { algorithms } from './algorithms.ts';
import { decodeXml } from './decode.ts';
import { notSigned } from './not-signed.ts';
import { parseXml } from './parse.ts';
import { findSignature } from './signature-shape.ts';

/**
 * The root of what a pinned signer has signed. It is parsed anew from the canonical bytes whose digest was compared
 * ("see what is signed", XML Signature Best Practices §2.1): nothing that was received is read in any other way.
 *
 * @param signers certificates whose keys are believed, two while the directory changes its own
 */
export function verifyXml(bytes: Uint8Array, signers: readonly X509Certificate[]): Element {
  const text = decodeXml(bytes);
  const element = findSignature(parseXml(text));
  for (const signer of signers) {
    const signed = signedText(text, element, signer);
    if (signed !== null) return parseXml(signed);
  }
  throw notSigned('its signature is not the pinned signer\'s');
}

function signedText(text: string, element: Element, signer: X509Certificate): string | null {
  // The key is the pinned one whatever KeyInfo says, and the tables hold no algorithm but the directory's.
  const signature = new SignedXml({ publicCert: signer.publicKey, getCertFromKeyInfo: () => null });
  narrow(signature.SignatureAlgorithms, [algorithms.signature]);
  narrow(signature.HashAlgorithms, [algorithms.digest]);
  narrow(signature.CanonicalizationAlgorithms, [algorithms.canonicalization, algorithms.enveloped]);
  try {
    signature.loadSignature(element);
    if (!signature.checkSignature(text)) return null;
  } catch {
    // The library throws where the key does not fit; its message quotes the document.
    return null;
  }
  const index = signature.getReferences().findIndex(({ uri }) => uri === '');
  return signature.getSignedReferences()[index] ?? null;
}

function narrow(table: Record<string, unknown>, allowed: readonly string[]): void {
  for (const name of Object.keys(table)) if (!allowed.includes(name)) delete table[name];
}
