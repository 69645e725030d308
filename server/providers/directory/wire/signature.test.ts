import { createPublicKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CanonicalizationAlgorithmType, type SignatureAlgorithmType, SignedXml } from 'xml-crypto';
import { each } from '../../../../test/support/each.ts';
import { type Authority, openAuthority } from '../authority.ts';
import { DirectoryError } from '../directory.ts';
import { buildXml, readDocument } from './document.ts';
import { algorithms, signXml, verifyXml } from './signature.ts';

const recovery = { Id: '5f0c', Status: 'COMPLETED', ReportDetails: 'a < b & "c"\r\n é \u0085\u2028 \u{1F600}' };
const document = { ResponseTime: '2026-03-09T13:20:11.482Z', FundsRecovery: recovery, Refunds: [] };
const plain = buildXml('GetFundsRecoveryResponse', document);

let folders: string[];
let authority: Authority;
let stranger: Authority;
let signed: string;
beforeAll(async () => {
  folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'directory-wire-'))));
  [authority, stranger] = (await Promise.all(folders.map(openAuthority))) as [Authority, Authority];
  signed = signXml(plain, authority.signer);
});
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

const read = (xml: string | Uint8Array): unknown =>
  readDocument(verifyXml(Buffer.from(xml), [authority.signer.certificate]));
const refuses = (xml: string, reason?: RegExp): void => {
  expect(() => read(xml)).toThrow(
    expect.objectContaining({
      name: 'DirectoryError',
      kind: 'SignatureInvalid',
      ...(reason === undefined ? {} : { message: expect.stringMatching(reason) }),
    }),
  );
};
const signatureOf = (xml: string): string => /<ds:Signature .*<\/ds:Signature>/s.exec(xml)?.[0] ?? '';

/** Signs with the genuine key, but not in the way of the directory. */
function signedOtherwise(
  xml: string,
  change: (signature: SignedXml) => void,
  references = [
    {
      xpath: '/*',
      isEmptyUri: true,
      transforms: [algorithms.enveloped, algorithms.canonicalization] as string[],
      digestAlgorithm: algorithms.digest as string,
    },
  ],
): string {
  const signature = new SignedXml({
    privateKey: authority.signer.key.export({ type: 'pkcs8', format: 'pem' }),
    signatureAlgorithm: algorithms.signature,
    canonicalizationAlgorithm: algorithms.canonicalization,
  });
  change(signature);
  for (const reference of references)
    signature.addReference({
      ...reference,
      transforms: reference.transforms as never,
      digestAlgorithm: reference.digestAlgorithm as never,
    });
  signature.computeSignature(xml, { prefix: 'ds', location: { reference: '/*', action: 'prepend' } });
  return signature.getSignedXml();
}

describe('a signed document', () => {
  it('reads as it was signed', () => {
    expect(read(signed)).toEqual(document);
  });

  it('is signed in the way of the directory', () => {
    expect(signed).toMatch(
      /^<\?xml[^>]*>\n<GetFundsRecoveryResponse><ds:Signature xmlns:ds="http:\/\/www\.w3\.org\/2000\/09\/xmldsig#">/,
    );
    expect(signed.match(/<ds:Reference URI="[^"]*"/g)).toEqual([
      '<ds:Reference URI=""',
      '<ds:Reference URI="#key-info"',
    ]);
    expect(signed).toContain('<ds:X509IssuerName>CN=Directory authority,O=Throw-away directory</ds:X509IssuerName>');
    expect(signed).toContain(
      `<ds:X509SerialNumber>${BigInt(`0x${authority.signer.certificate.serialNumber}`)}</ds:X509SerialNumber>`,
    );
  });

  it('is valid for a common XML signature library', () => {
    const library = new SignedXml({
      publicCert: authority.signer.certificate.publicKey,
      getCertFromKeyInfo: () => null,
    });
    const received = signXml(buildXml('R', { A: 'a < b & "c"\r\n é \u{1F600}', Refunds: [] }), authority.signer);
    library.loadSignature(signatureOf(received));
    expect(library.checkSignature(received)).toBe(true);
    expect(library.getSignedReferences()).toHaveLength(2);
  });

  it('is accepted with a second signer while the directory replaces its certificate', () => {
    const signers = [authority.signer.certificate, stranger.signer.certificate];
    expect(readDocument(verifyXml(Buffer.from(signXml(plain, stranger.signer)), signers))).toEqual(document);
  });

  it('is accepted if it is indented, and if the signature comes last and covers no KeyInfo', () => {
    const indented = plain.replace('<FundsRecovery>', '\n  <FundsRecovery>').replace('\u0085\u2028', '');
    const last = signedOtherwise(indented, () => undefined).replace(
      /(<ds:Signature .*<\/ds:Signature>)(.*)(<\/GetFundsRecoveryResponse>)/s,
      '$2$1$3',
    );
    expect(read(last)).toMatchObject({ FundsRecovery: { Id: '5f0c', Status: 'COMPLETED' }, Refunds: [] });
  });

  it('reads as the whole text if comments were inserted', () => {
    expect(read(signed.replace('COMPLETED', 'COMP<!-- -->LETED'))).toEqual(document);
    expect(read(signed.replace('<Status>', '<!-- <Status>CANCELLED</Status> --><Status>'))).toEqual(document);
  });
});

describe('a forged document', () => {
  it('is rejected if one value was changed, added or removed', () => {
    refuses(signed.replace('COMPLETED', 'CANCELLED'));
    refuses(signed.replace('<Id>', '<Extra/><Id>'));
    refuses(signed.replace('<Id>5f0c</Id>', ''));
    refuses(signed.replace('<Status>', '<Status Of="1">'));
    refuses(signed.replace('<Refunds>', '<Refunds xmlns="urn:x">'));
  });

  it('is rejected without a signature, or with an empty one', () => {
    refuses(plain, /no signature/);
    refuses(plain.replace('<FundsRecovery>', '<Signature></Signature><FundsRecovery>'));
    refuses(signed.replaceAll('http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo', 'urn:x"><ds:SignedInfo'));
    refuses(signed.replace(/<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>'));
  });

  it('is rejected with a second signature at any position', () => {
    refuses(signed.replace('<FundsRecovery>', `${signatureOf(signed)}<FundsRecovery>`), /more than one/);
    refuses(signed.replace('<FundsRecovery>', '<Signature/><FundsRecovery>'), /more than one/);
    refuses(
      signed.replace('<FundsRecovery>', `<FundsRecovery>${signatureOf(signXml(plain, stranger.signer))}`),
      /more than one/,
    );
    refuses(signed.replace('<ds:X509Data>', `<ds:X509Data>${signatureOf(signed)}`), /more than one/);
  });

  it('is rejected if the signed root was moved into another one', () => {
    const body = signed.replace(/^<\?xml[^>]*>\n/, '');
    const evil = '<FundsRecovery><Id>5f0c</Id><Status>CANCELLED</Status></FundsRecovery>';
    refuses(`<GetFundsRecoveryResponse>${evil}<Wrapper>${body}</Wrapper></GetFundsRecoveryResponse>`, /not a child/);
    refuses(
      `<GetFundsRecoveryResponse>${signatureOf(signed)}${evil}<Wrapper>${body.replace(signatureOf(signed), '')}</Wrapper></GetFundsRecoveryResponse>`,
    );
    refuses(
      `<GetFundsRecoveryResponse>${evil}<ds:Object xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${body}</ds:Object></GetFundsRecoveryResponse>`,
    );
    refuses(
      signed.replace(
        '</ds:Signature>',
        `<ds:Object>${plain.replace(/^<\?xml[^>]*>\n/, '')}</ds:Object></ds:Signature>`,
      ),
      /malformed/,
    );
  });

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
    const whole = {
      xpath: '/*',
      isEmptyUri: true,
      transforms: [algorithms.enveloped, algorithms.canonicalization],
      digestAlgorithm: algorithms.digest,
    };
    refuses(
      signedOtherwise(fragment, () => undefined, [whole, part]),
      /something else/,
    );
    refuses(
      signedOtherwise(plain, () => undefined, [whole, whole]),
      /something else/,
    );
    refuses(signed.replace('<ds:Reference URI="">', '<ds:Reference>'), /something else/);
  });

  it('is covered as a whole where an identifier of its signature occurs twice', () => {
    const confusing = signXml(plain.replace('<FundsRecovery>', '<FundsRecovery Id="key-info">'), authority.signer);
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
    const reference = {
      xpath: '/*',
      isEmptyUri: true,
      transforms: [algorithms.enveloped, algorithms.canonicalization],
      digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1',
    };
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
      signedOtherwise(plain, () => undefined, [
        {
          xpath: '/*',
          isEmptyUri: true,
          transforms,
          digestAlgorithm: algorithms.digest,
        },
      ]),
      /another|malformed/,
    );
  });

  it.each([
    ['XPath', 'http://www.w3.org/TR/1999/REC-xpath-19991116'],
    ['XSLT', 'http://www.w3.org/TR/1999/REC-xslt-19991116'],
    ['base64', 'http://www.w3.org/2000/09/xmldsig#base64'],
  ])('is rejected if it asks for an %s transform', (_, algorithm) => {
    refuses(
      signed.replace(
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
      signed.replace(
        `<ds:Transform Algorithm="${algorithms.canonicalization}"/>`,
        `<ds:Transform Algorithm="${algorithms.canonicalization}">${inclusive}</ds:Transform>`,
      ),
      /another algorithm/,
    );
    refuses(
      signed.replace(
        `<ds:SignatureMethod Algorithm="${algorithms.signature}"/>`,
        `<ds:SignatureMethod Algorithm="${algorithms.signature}"><ds:HMACOutputLength>0</ds:HMACOutputLength></ds:SignatureMethod>`,
      ),
      /another algorithm/,
    );
  });

  it('is rejected if it refers to other documents', () => {
    for (const uri of ['http://127.0.0.1/a.xml', 'file:///etc/passwd', '#xpointer(/)', '#', '/', "#x' or '1'='1"]) {
      refuses(signed.replace('URI="#key-info"', `URI="${uri}"`), /something else/);
    }
  });

  it('is rejected if the public key was used as the secret of an HMAC', () => {
    const hmac = new SignedXml({
      privateKey: createPublicKey(authority.signer.key).export({ type: 'spki', format: 'pem' }),
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
    refuses(signXml(plain, stranger.signer), /pinned/);
    const certificate = stranger.signer.certificate.raw.toString('base64');
    const own = new SignedXml({
      privateKey: stranger.signer.key.export({ type: 'pkcs8', format: 'pem' }),
      publicCert: stranger.signer.certificate.toString(),
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
      signed.replace(
        /<ds:X509Data>.*<\/ds:X509Data>/,
        `<ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data>`,
      ),
      /changed/,
    );
  });

  it('is rejected if SignedInfo occurs twice or a digest hides behind a comment', () => {
    const signedInfo = /<ds:SignedInfo>.*<\/ds:SignedInfo>/s.exec(signed)?.[0] ?? '';
    refuses(signed.replace(signedInfo, signedInfo + signedInfo), /malformed/);
    refuses(
      signed
        .replace('COMPLETED', 'CANCELLED')
        .replace('<ds:DigestValue>', `<ds:DigestValue><!--${randomBytes(32).toString('base64')}-->`),
    );
    refuses(
      signed
        .replace('COMPLETED', 'CANCELLED')
        .replace(
          '<ds:DigestValue>',
          `<ds:DigestValue>${randomBytes(32).toString('base64')}</ds:DigestValue><ds:DigestValue>`,
        ),
      /malformed/,
    );
  });

  it('never reads as anything else if a byte is changed or the document is truncated', () => {
    const bytes = Buffer.from(signed);
    for (const index of each([...bytes.keys()].filter((at) => at % 17 === 0))) {
      const changed = Buffer.from(bytes);
      changed[index] = changed[index] === 0x41 ? 0x42 : 0x41;
      for (const attempt of [changed, bytes.subarray(0, index)]) {
        let found: unknown;
        try {
          found = read(attempt);
        } catch (error) {
          found = error;
        }
        expect(found instanceof DirectoryError ? document : found).toEqual(document);
      }
    }
  });
});
