import type { KeyObject, X509Certificate } from 'node:crypto';
import { SignedXml } from 'xml-crypto';
import { algorithms } from './algorithms.ts';

export interface Signer {
  readonly key: KeyObject;
  readonly certificate: X509Certificate;
}

/**
 * Signs as the directory does: an enveloped XMLDSig, first child of the root, that covers the document and its own
 * KeyInfo, which names the certificate by issuer and serial number.
 */
export function signXml(xml: string, signer: Signer): string {
  const signature = new SignedXml({
    privateKey: signer.key.export({ type: 'pkcs8', format: 'pem' }),
    signatureAlgorithm: algorithms.signature,
    canonicalizationAlgorithm: algorithms.canonicalization,
    keyInfoAttributes: { Id: 'key-info' },
    getKeyInfoContent: () => issuerSerial(signer.certificate),
  });
  signature.addReference({
    xpath: '/*',
    transforms: [algorithms.enveloped, algorithms.canonicalization],
    digestAlgorithm: algorithms.digest,
    isEmptyUri: true,
  });
  signature.addReference({
    xpath: "//*[local-name(.)='KeyInfo']",
    transforms: [algorithms.canonicalization],
    digestAlgorithm: algorithms.digest,
  });
  signature.computeSignature(xml, { prefix: 'ds', location: { reference: '/*', action: 'prepend' } });
  return signature.getSignedXml();
}

function issuerSerial(certificate: X509Certificate): string {
  // RFC 4514 writes the most specific part first, OpenSSL's listing last.
  const issuer = certificate.issuer.split('\n').reverse().join(',');
  const text = issuer.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const serial = BigInt(`0x${certificate.serialNumber}`).toString();
  return `<ds:X509Data><ds:X509IssuerSerial><ds:X509IssuerName>${text}</ds:X509IssuerName><ds:X509SerialNumber>${serial}</ds:X509SerialNumber></ds:X509IssuerSerial></ds:X509Data>`;
}
