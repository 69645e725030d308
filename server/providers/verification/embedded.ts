/**
 * The part of the service that reads pictures of documents and checks lines of machine-readable zones. Made by
 * index.ts. Where it cannot read pictures, it checks the lines that the caller has read, and passes nothing.
 */
import type { X509Certificate } from 'node:crypto';
import { type Check, check, conclude } from '../../verification/check.ts';
import { judgeDocument, REQUIRED_CHECKS } from '../../verification/document.ts';
import { judgePictures, type SeenPicture } from '../../verification/pictures.ts';
import { judgeProofOfAddress, REQUIRED_OF_ADDRESS } from '../../verification/proof-of-address.ts';
import type { ReadingRequest } from '../../verification/reader/process.ts';
import type { Reading } from '../../verification/reader/readers.ts';
import { pdfSignatureCheck } from '../../verification/signature/pdf-signature.ts';
import { type JobDocument, type ProviderAnswer, type VerificationProvider, withoutAnswer } from './provider.ts';

/** Reads pictures of documents. */
export interface PictureReader {
  /** Returns why no picture can be read now, in words for the caller; null if pictures can be read. */
  gap(): string | null;
  read(request: ReadingRequest, signal: AbortSignal): Promise<Reading>;
  close(): void;
}

/** Time for both sides of a document, or for its pages. */
const WITHIN = 80_000;
/** A document has two sides, and a scan of one has a few pages more. */
const MOST_PAGES = 5;

/** Checks of a document that need its picture. Where no picture was read they are not run. */
const OF_PICTURE: readonly Check[] = [
  check('image_quality', 'not_run', 'picture_not_read'),
  check('document_type_supported', 'not_run', 'picture_not_read'),
  check('tamper_signals', 'not_run', 'picture_not_read'),
];

/** Checks that a document must pass if its pictures are read. */
const REQUIRED_OF_PICTURES = ['image_quality', 'document_type_supported', ...REQUIRED_CHECKS];

/**
 * Checks the lines of a machine-readable zone which the caller has read. It does not look at a picture, so that it
 * never passes a document: the printed text was compared with nothing.
 */
export const lineProvider: VerificationProvider = {
  id: 'embedded',
  version: '2',
  within: WITHIN,
  verify: ({ mrzLines, person, today }) => {
    const { checks: found, fields, mrzType } = judgeDocument({ mrzLines, visual: null }, person, today);
    const checks = [...OF_PICTURE, ...found];
    return Promise.resolve({
      status: conclude(checks, REQUIRED_CHECKS),
      confidence: null,
      checks,
      extracted: { ...fields, mrzType },
    });
  },
};

/** Reads the pictures of a document and judges what they say. Signatures of PDF files are checked by trusted roots. */
export const pictureProvider = (reader: PictureReader, roots: readonly X509Certificate[]): VerificationProvider => ({
  ...lineProvider,
  verify: async (job, signal): Promise<ProviderAnswer> => {
    const { documents, mrzLines, person, address, today } = job;
    const pictures: SeenPicture[] = [];
    for (const document of documents) pictures.push(...(await seen(reader, document, today, signal)));
    const signatures = documents
      .filter(({ mediaType }) => mediaType === 'application/pdf')
      .map(({ bytes }) => pdfSignatureCheck(bytes, roots, today));
    if (job.proves === 'address') {
      const checks = [...signatures, ...judgeProofOfAddress(pictures, { ...person, address }, today)];
      return {
        status: conclude(checks, REQUIRED_OF_ADDRESS),
        confidence: null,
        checks,
        extracted: null,
      };
    }
    const { checks: found, fields, mrzType } = judgePictures(pictures, { typed: mrzLines, person, today });
    const checks = [...signatures, ...found];
    return {
      status: conclude(checks, REQUIRED_OF_PICTURES),
      confidence: null,
      checks,
      extracted: { ...fields, mrzType },
    };
  },
});

/**
 * Reads one document, of a PDF file each page. What its process could not do is an error of the provider and says
 * nothing about the document.
 */
async function seen(
  reader: PictureReader,
  { mediaType, bytes }: JobDocument,
  today: string,
  signal: AbortSignal,
): Promise<SeenPicture[]> {
  const isPdf = mediaType === 'application/pdf';
  const found: SeenPicture[] = [];
  for (let [page, pages] = [1, 1]; page <= pages; page++) {
    const reading = await reader.read({ bytes, page: isPdf ? page : null, today }, signal);
    if ('unreadable' in reading) return [...found, 'unreadable'];
    if (!('content' in reading)) return withoutAnswer(reading, signal);
    if (reading.pages > MOST_PAGES) return ['too_many_pages'];
    ({ pages } = reading);
    found.push(reading.content);
  }
  return found;
}
