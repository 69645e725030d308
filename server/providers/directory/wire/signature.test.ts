/** Tests of signing and verifying documents. A forged document that is accepted fails here. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SignedXml } from 'xml-crypto';
import { each } from '../../../../test/support/each.ts';
import { DirectoryError } from '../directory.ts';
import { buildXml, readDocument } from './document.ts';
import { signXml, verifyXml } from './signature.ts';
import { document, plain, refusal, signatureSite } from './testing/signature-site.ts';

const site = signatureSite();
const { read, signedOtherwise } = site;
const refuses = (xml: string, reason?: RegExp): void => expect(() => read(xml)).toThrow(refusal(reason));

const signatureOf = (xml: string): string => /<ds:Signature .*<\/ds:Signature>/s.exec(xml)?.[0] ?? '';

describe('a signed document', () => {
  it('reads as it was signed', () => {
    expect(read(site.signed)).toEqual(document);
  });

  it('is signed in the way of the directory', () => {
    expect(site.signed).toMatch(
      /^<\?xml[^>]*>\n<GetFundsRecoveryResponse><ds:Signature xmlns:ds="http:\/\/www\.w3\.org\/2000\/09\/xmldsig#">/,
    );
    expect(site.signed.match(/<ds:Reference URI="[^"]*"/g)).toEqual([
      '<ds:Reference URI=""',
      '<ds:Reference URI="#key-info"',
    ]);
    expect(site.signed).toContain(
      '<ds:X509IssuerName>CN=Directory authority,O=Throw-away directory</ds:X509IssuerName>',
    );
    expect(site.signed).toContain(
      `<ds:X509SerialNumber>${BigInt(`0x${site.authority.signer.certificate.serialNumber}`)}</ds:X509SerialNumber>`,
    );
  });

  it('is valid for a common XML signature library', () => {
    const library = new SignedXml({
      publicCert: site.authority.signer.certificate.publicKey,
      getCertFromKeyInfo: () => null,
    });
    const received = signXml(buildXml('R', { A: 'a < b & "c"\r\n é \u{1F600}', Refunds: [] }), site.authority.signer);
    library.loadSignature(signatureOf(received));
    expect(library.checkSignature(received)).toBe(true);
    expect(library.getSignedReferences()).toHaveLength(2);
  });

  it('is accepted with a second signer while the directory replaces its certificate', () => {
    const signers = [site.authority.signer.certificate, site.stranger.signer.certificate];
    expect(readDocument(verifyXml(Buffer.from(signXml(plain, site.stranger.signer)), signers))).toEqual(document);
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
    expect(read(site.signed.replace('COMPLETED', 'COMP<!-- -->LETED'))).toEqual(document);
    expect(read(site.signed.replace('<Status>', '<!-- <Status>CANCELLED</Status> --><Status>'))).toEqual(document);
  });
});

describe('a forged document', () => {
  it('is rejected if one value was changed, added or removed', () => {
    refuses(site.signed.replace('COMPLETED', 'CANCELLED'));
    refuses(site.signed.replace('<Id>', '<Extra/><Id>'));
    refuses(site.signed.replace('<Id>5f0c</Id>', ''));
    refuses(site.signed.replace('<Status>', '<Status Of="1">'));
    refuses(site.signed.replace('<Refunds>', '<Refunds xmlns="urn:x">'));
  });

  it('is rejected without a signature, or with an empty one', () => {
    refuses(plain, /no signature/);
    refuses(plain.replace('<FundsRecovery>', '<Signature></Signature><FundsRecovery>'));
    refuses(site.signed.replaceAll('http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo', 'urn:x"><ds:SignedInfo'));
    refuses(site.signed.replace(/<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>'));
  });

  it('is rejected with a second signature at any position', () => {
    refuses(site.signed.replace('<FundsRecovery>', `${signatureOf(site.signed)}<FundsRecovery>`), /more than one/);
    refuses(site.signed.replace('<FundsRecovery>', '<Signature/><FundsRecovery>'), /more than one/);
    refuses(
      site.signed.replace('<FundsRecovery>', `<FundsRecovery>${signatureOf(signXml(plain, site.stranger.signer))}`),
      /more than one/,
    );
    refuses(site.signed.replace('<ds:X509Data>', `<ds:X509Data>${signatureOf(site.signed)}`), /more than one/);
  });

  it('is rejected if the signed root was moved into another one', () => {
    const body = site.signed.replace(/^<\?xml[^>]*>\n/, '');
    const evil = '<FundsRecovery><Id>5f0c</Id><Status>CANCELLED</Status></FundsRecovery>';
    refuses(`<GetFundsRecoveryResponse>${evil}<Wrapper>${body}</Wrapper></GetFundsRecoveryResponse>`, /not a child/);
    refuses(
      `<GetFundsRecoveryResponse>${signatureOf(site.signed)}${evil}<Wrapper>${body.replace(signatureOf(site.signed), '')}</Wrapper></GetFundsRecoveryResponse>`,
    );
    refuses(
      `<GetFundsRecoveryResponse>${evil}<ds:Object xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${body}</ds:Object></GetFundsRecoveryResponse>`,
    );
    refuses(
      site.signed.replace(
        '</ds:Signature>',
        `<ds:Object>${plain.replace(/^<\?xml[^>]*>\n/, '')}</ds:Object></ds:Signature>`,
      ),
      /malformed/,
    );
  });

  it('is rejected if it refers to other documents', () => {
    for (const uri of ['http://127.0.0.1/a.xml', 'file:///etc/passwd', '#xpointer(/)', '#', '/', "#x' or '1'='1"]) {
      refuses(site.signed.replace('URI="#key-info"', `URI="${uri}"`), /something else/);
    }
  });

  it('is rejected if SignedInfo occurs twice or a digest hides behind a comment', () => {
    const signedInfo = /<ds:SignedInfo>.*<\/ds:SignedInfo>/s.exec(site.signed)?.[0] ?? '';
    refuses(site.signed.replace(signedInfo, signedInfo + signedInfo), /malformed/);
    refuses(
      site.signed
        .replace('COMPLETED', 'CANCELLED')
        .replace('<ds:DigestValue>', `<ds:DigestValue><!--${randomBytes(32).toString('base64')}-->`),
    );
    refuses(
      site.signed
        .replace('COMPLETED', 'CANCELLED')
        .replace(
          '<ds:DigestValue>',
          `<ds:DigestValue>${randomBytes(32).toString('base64')}</ds:DigestValue><ds:DigestValue>`,
        ),
      /malformed/,
    );
  });

  it('never reads as anything else if a byte is changed or the document is truncated', () => {
    const bytes = Buffer.from(site.signed);
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
