/** Writes PDFs for tests of uploads. */
import { deflateSync } from 'node:zlib';

export interface PdfOptions {
  readonly pages?: number;
  /** Further members of each page. */
  readonly page?: string;
  /** Further members of the catalogue. */
  readonly catalog?: string;
  /** Further members of the trailer. */
  readonly trailer?: string;
  /** Further objects, from number 100 on. */
  readonly objects?: readonly (string | Buffer)[];
  /** Further objects, from number 200 on, packed into a compressed object stream. */
  readonly packed?: readonly string[];
}

const FIRST_EXTRA = 100;
const FIRST_PACKED = 200;

/** Returns a PDF of blank A4 pages that viewers open, with a cross-reference table. */
export function pdf({
  pages = 1,
  page = '',
  catalog = '',
  trailer = '',
  objects = [],
  packed = [],
}: PdfOptions = {}): Buffer {
  const numbers = Array.from({ length: pages }, (_, i) => i + 3);
  const bodies: [number: number, body: string | Buffer][] = [
    [1, `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`],
    [2, `<< /Type /Pages /Count ${pages} /Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}] >>`],
    ...numbers.map((number): [number, string] => [
      number,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${page} >>`,
    ]),
    ...objects.map((body, i): [number, string | Buffer] => [FIRST_EXTRA + i, body]),
  ];
  if (packed.length > 0) bodies.push([99, objectStream(packed)]);

  let file = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1');
  const entries: string[] = [];
  for (const [number, body] of bodies) {
    entries.push(`${number} 1\n${String(file.length).padStart(10, '0')} 00000 n \n`);
    file = Buffer.concat([file, Buffer.from(`${number} 0 obj\n`), Buffer.from(body), Buffer.from('\nendobj\n')]);
  }
  const size = FIRST_PACKED + packed.length;
  return Buffer.concat([
    file,
    Buffer.from(
      `xref\n0 1\n0000000000 65535 f \n${entries.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF\n`,
    ),
  ]);
}

/** Returns an object stream (ISO 32000-1 §7.5.7); `head` replaces the members that identify it as one. */
export function objectStream(objects: readonly string[], head = '/Type /ObjStm'): Buffer {
  let offset = 0;
  const index = objects
    .map((body, i) => {
      const entry = `${FIRST_PACKED + i} ${offset}`;
      offset += body.length + 1;
      return entry;
    })
    .join(' ');
  const data = deflateSync(Buffer.from(`${index}\n${objects.join('\n')}`, 'latin1'));
  return stream(`${head} /N ${objects.length} /First ${index.length + 1} /Filter /FlateDecode`, data);
}

export function stream(members: string, data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< ${members} /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
}
