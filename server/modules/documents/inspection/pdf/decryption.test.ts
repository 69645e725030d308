/** Tests of encrypted PDFs. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encryptedPdf, encryptedPdfs, pdf, type PdfOptions, stream } from '../../../../../test/support/specimens.ts';
import type { Problem } from '../../../../contract/problem.ts';
import { inspectPdf } from './inspect-pdf.ts';

const verdict = (bytes: Buffer): Promise<number | string> =>
  inspectPdf(bytes).catch((error: Problem) => error.code ?? String(error));
const of = (options: PdfOptions): Promise<number | string> => verdict(pdf(options));

describe('an encrypted PDF', () => {
  it.each(encryptedPdfs.filter((name) => name.startsWith('page')))(
    'is accepted if it opens without a password: %s',
    async (name) => expect(await verdict(encryptedPdf(name))).toBe(1),
  );
  it.each(encryptedPdfs.filter((name) => name.startsWith('locked')))(
    'is rejected if it opens only with a password: %s',
    async (name) => expect(await verdict(encryptedPdf(name))).toBe('encrypted_pdf'),
  );
  it.each(encryptedPdfs.filter((name) => /^(?:local|script)/.test(name)))(
    'is inspected like any other PDF: %s',
    async (name) => expect(await verdict(encryptedPdf(name))).toBe('active_content'),
  );
  it('is rejected if it unpacks to more than it can need', async () => {
    const id = Buffer.from('0123456789abcdef');
    const [key, flags] = [
      (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest(),
      Buffer.from('fcffffff', 'hex'),
    ];
    // Revision 2 with a key of forty bits. The check of the password is the padding, encrypted with the key.
    const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
    const [owner, fileKey] = [Buffer.alloc(32, 7), key(padding, Buffer.alloc(32, 7), flags, id).subarray(0, 5)];
    const page = rc4(
      key(fileKey, Buffer.of(100, 0, 0, 0, 0)).subarray(0, 10),
      deflateSync(Buffer.alloc(65 * 1024 * 1024)),
    );
    const trailer =
      `/ID [<${id.toString('hex')}> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O ` +
      `<${owner.toString('hex')}> /U <${rc4(fileKey, padding).toString('hex')}> >>`;
    expect(await of({ trailer, objects: [stream('/Filter /FlateDecode', page)] })).toBe('corrupt_file');
    expect(await of({ trailer, objects: [stream('/Filter /FlateDecode', page.subarray(0, 100))] })).toBe(1);
    // A key of forty bits is too short for these ciphers.
    for (const cipher of ['AESV2', 'AESV3'])
      expect(
        await of({ trailer: trailer.replace('/V 1', `/V 4 /CF << /A << /CFM /${cipher} >> >> /StmF /A /StrF /A`) }),
      ).toBe('encrypted_pdf');
  });
  it('is rejected if it states its encryption in two ways', async () => {
    const twice = Buffer.concat([
      encryptedPdf('page rc4-128'),
      Buffer.from('trailer\n<< /Root 1 0 R /Encrypt << /Filter /Standard /V 2 /R 3 >> >>\nstartxref\n0\n%%EOF\n'),
    ]);
    expect(await verdict(twice)).toBe('encrypted_pdf');
  });
  it('is rejected if it needs a certificate', async () =>
    expect(await of({ trailer: '/Encrypt << /Filter /Adobe.PubSec /V 4 >>' })).toBe('encrypted_pdf'));
  it('is rejected if it lacks the entries that a key is derived from', async () =>
    expect(await of({ trailer: '/Encrypt 100 0 R', objects: ['<< /Filter /Standard /V 2 >>'] })).toBe('encrypted_pdf'));
  it('is not a PDF that only mentions encryption', async () =>
    expect(await of({ objects: ['(/Encrypt)', '<< /EncryptMetadata false >>'] })).toBe(1));
  it('is recognised by the dictionary of a cross-reference stream', async () => {
    expect(await of({ objects: [stream('/Type /XRef /Root 1 0 R /Encrypt 100 0 R', Buffer.from('x'))] })).toBe(
      'encrypted_pdf',
    );
  });
});

/** RC4 as published, implemented independently of the inspection. */
function rc4(key: Buffer, data: Buffer): Buffer {
  const state = [...Array(256).keys()];
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) % 256;
    state.splice(i, 1, state.splice(j, 1, state[i]!)[0]!);
  }
  let [i, j] = [0, 0];
  return data.map((byte) => {
    i = (i + 1) % 256;
    j = (j + state[i]!) % 256;
    state.splice(i, 1, state.splice(j, 1, state[i]!)[0]!);
    return byte ^ state[(state[i]! + state[j]!) % 256]!;
  }) as Buffer;
}
