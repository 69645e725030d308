/** Tests of forged signatures that use other algorithms or cover less than the document. */
import { createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type CanonicalizationAlgorithmType, type SignatureAlgorithmType, SignedXml } from 'xml-crypto';
import { algorithms, signXml } from './signature.ts';
import { document, plain, refusal, signatureSite, WHOLE } from './testing/signature-site.ts';

const site = signatureSite();
const { read, signedOtherwise } = site;
const refuses = (xml: string, reason?: RegExp): void => expect(() => read(xml)).toThrow(refusal(reason));

describe('a forged document', () => {
  it('is rejected if only a fragment is signed, even by the signer', () => {
    const fragment = plain.replace('<FundsRecovery>', '<FundsRecovery Id="part">');
    const part = {
      xpath: "//*[local-name(.)='FundsRecovery']",
      isEmptyUri: false,
      transforms: [algorithms.canonicalization],
      digestAlgorithm: algorithms.digest,
    };
    refuses(
      signedOtherwise(fragment, () => undefined, [part]),
      /something else/,
    );
    refuses(
      signedOtherwise(fragment, () => undefined, [WHOLE, part]),
      /something else/,
    );
    refuses(
      signedOtherwise(plain, () => undefined, [WHOLE, WHOLE]),
      /something else/,
    );
    refuses(site.signed.replace('<ds:Reference URI="">', '<ds:Reference>'), /something else/);
  });

  it('is covered as a whole where an identifier of its signature occurs twice', () => {
    const confusing = signXml(plain.replace('<FundsRecovery>', '<FundsRecovery Id="key-info">'), site.authority.signer);
    expect(read(confusing)).toEqual(document);
    refuses(confusing.replace('COMPLETED', 'CANCELLED'), /changed/);
    refuses(confusing.replace('<ds:X509SerialNumber>', '<ds:X509SerialNumber>1'), /changed/);
  });

  it.each<[string, SignatureAlgorithmType]>([
    ['SHA-1', 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'],
    ['SHA-512', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512'],
  ])('is rejected if the signature is of %s, even by the signer', (_, algorithm) => {
    refuses(
      signedOtherwise(plain, (signature) => {
        signature.signatureAlgorithm = algorithm;
      }),
      /another algorithm/,
    );
  });

  it('is rejected if the digest is SHA-1, even by the signer', () => {
    const reference = { ...WHOLE, digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1' };
    refuses(
      signedOtherwise(plain, () => undefined, [reference]),
      /another algorithm/,
    );
  });

  it.each([
    ['another canonicalization', [algorithms.enveloped, 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315']],
    ['comments included', [algorithms.enveloped, 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments']],
    ['no canonicalization', [algorithms.enveloped]],
    ['one transform more', [algorithms.enveloped, algorithms.canonicalization, algorithms.canonicalization]],
    ['another order', [algorithms.canonicalization, algorithms.enveloped]],
  ])('is rejected with %s, even by the signer', (_, transforms) => {
    refuses(
      signedOtherwise(plain, () => undefined, [{ ...WHOLE, transforms }]),
      /another|malformed/,
    );
  });

  it.each([
    ['XPath', 'http://www.w3.org/TR/1999/REC-xpath-19991116'],
    ['XSLT', 'http://www.w3.org/TR/1999/REC-xslt-19991116'],
    ['base64', 'http://www.w3.org/2000/09/xmldsig#base64'],
  ])('is rejected if it asks for an %s transform', (_, algorithm) => {
    refuses(
      site.signed.replace(
        `<ds:Transform Algorithm="${algorithms.enveloped}"/>`,
        `<ds:Transform Algorithm="${algorithm}"><ds:XPath>//x</ds:XPath></ds:Transform>`,
      ),
      /another algorithm/,
    );
  });

  it.each<CanonicalizationAlgorithmType>([
    'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
    'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
  ])('is rejected if the signature itself is canonicalized with %s, even by the signer', (algorithm) => {
    refuses(
      signedOtherwise(plain, (signature) => {
        signature.canonicalizationAlgorithm = algorithm;
      }),
      /another algorithm/,
    );
  });

  it('is rejected if only KeyInfo is covered, even by the signer', () => {
    const keyInfo = {
      xpath: "//*[local-name(.)='KeyInfo']",
      isEmptyUri: false,
      transforms: [algorithms.canonicalization],
      digestAlgorithm: algorithms.digest,
    };
    const withKeyInfo = (signature: SignedXml): void => {
      signature.keyInfoAttributes = { Id: 'k' };
      signature.getKeyInfoContent = () => '<ds:KeyName>x</ds:KeyName>';
    };
    refuses(signedOtherwise(plain, withKeyInfo, [keyInfo]), /does not cover the document/);
    refuses(signedOtherwise(plain, withKeyInfo, [keyInfo, keyInfo]), /something else/);
  });

  it('is rejected if an algorithm has parameters', () => {
    const inclusive = '<InclusiveNamespaces xmlns="http://www.w3.org/2001/10/xml-exc-c14n#" PrefixList="x"/>';
    refuses(
      site.signed.replace(
        `<ds:Transform Algorithm="${algorithms.canonicalization}"/>`,
        `<ds:Transform Algorithm="${algorithms.canonicalization}">${inclusive}</ds:Transform>`,
      ),
      /another algorithm/,
    );
    refuses(
      site.signed.replace(
        `<ds:SignatureMethod Algorithm="${algorithms.signature}"/>`,
        `<ds:SignatureMethod Algorithm="${algorithms.signature}"><ds:HMACOutputLength>0</ds:HMACOutputLength></ds:SignatureMethod>`,
      ),
      /another algorithm/,
    );
  });

  it('is rejected if the public key was used as the secret of an HMAC', () => {
    const hmac = new SignedXml({
      privateKey: createPublicKey(site.authority.signer.key).export({ type: 'spki', format: 'pem' }),
      canonicalizationAlgorithm: algorithms.canonicalization,
    });
    hmac.enableHMAC();
    hmac.signatureAlgorithm = 'http://www.w3.org/2000/09/xmldsig#hmac-sha1';
    hmac.addReference({
      xpath: '/*',
      isEmptyUri: true,
      transforms: [algorithms.enveloped, algorithms.canonicalization],
      digestAlgorithm: algorithms.digest,
    });
    hmac.computeSignature(plain, { prefix: 'ds', location: { reference: '/*', action: 'prepend' } });
    refuses(hmac.getSignedXml(), /another algorithm/);
    refuses(hmac.getSignedXml().replace('http://www.w3.org/2000/09/xmldsig#hmac-sha1', algorithms.signature), /pinned/);
  });

  it('is rejected if another signer has signed it, whatever certificate it contains', () => {
    refuses(signXml(plain, site.stranger.signer), /pinned/);
    const certificate = site.stranger.signer.certificate.raw.toString('base64');
    const own = new SignedXml({
      privateKey: site.stranger.signer.key.export({ type: 'pkcs8', format: 'pem' }),
      publicCert: site.stranger.signer.certificate.toString(),
      signatureAlgorithm: algorithms.signature,
      canonicalizationAlgorithm: algorithms.canonicalization,
    });
    own.addReference({
      xpath: '/*',
      isEmptyUri: true,
      transforms: [algorithms.enveloped, algorithms.canonicalization],
      digestAlgorithm: algorithms.digest,
    });
    own.computeSignature(plain, { prefix: 'ds', location: { reference: '/*', action: 'prepend' } });
    expect(own.getSignedXml()).toContain(certificate);
    refuses(own.getSignedXml(), /pinned/);
    refuses(
      site.signed.replace(
        /<ds:X509Data>.*<\/ds:X509Data>/,
        `<ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data>`,
      ),
      /changed/,
    );
  });
});
