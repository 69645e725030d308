/** Tests of the provider that is part of the service, with readers that behave and readers that do not. */
import { describe, expect, it } from 'vitest';
import type { PictureContent } from '../../verification/reader/read-picture.ts';
import type { Reading } from '../../verification/reader/readers.ts';
import { lineProvider, type PictureReader, pictureProvider } from './embedded.ts';
import { type JobDocument, ProviderError, type VerificationJob } from './provider.ts';

const LINES = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F3204153ZE184226B<<<<<16'];
const JOB: VerificationJob = {
  idempotencyKey: 'f'.repeat(64),
  environment: 'live',
  type: 'document_ocr',
  registrySource: null,
  person: { fullName: 'Anna Maria Eriksson', dateOfBirth: '1974-08-12', cpf: null },
  proves: 'identity',
  address: null,
  wantedOutcome: null,
  mrzLines: null,
  documents: [],
  selfie: null,
  challenge: null,
  earlierErrors: 0,
  today: '2026-11-20',
};
const going = new AbortController().signal;
const document = (mediaType: JobDocument['mediaType'], content = 'x'): JobDocument => ({
  side: 'single',
  mediaType,
  bytes: Buffer.from(content),
});
const box = (y: number) => ({
  x: 400,
  y,
  along: 264,
  across: 10,
  angle: 0,
});
const content: PictureContent = {
  width: 1000,
  height: 800,
  quarters: 0,
  zone: {
    lines: LINES,
    lowestConfidence: 0.9,
    agreeing: 3,
    isSubstituted: false,
    isChosenByDigits: false,
    boxes: [box(700), box(730)],
  },
  isZoneReliable: true,
  printed: ['ERIKSSON', 'ANNA MARIA', 'L898902C3', '12 AUG 1974'].map((text, row) => ({
    text,
    confidence: 0.9,
    box: box(50 + row * 30),
  })),
};

const READ: Reading = { content, pages: 1 };

/** Returns a reader with these answers, one after another, and the pictures that it was asked about. */
function readerOf(...answers: readonly Reading[]): PictureReader & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    gap: () => null,
    read: ({ bytes, page }) =>
      Promise.resolve(answers[asked.push(`${Buffer.from(bytes)}${page === null ? '' : ` page ${page}`}`) - 1]!),
    close: () => undefined,
  };
}
const verify = (reader: PictureReader, documents: readonly JobDocument[], changes: Partial<VerificationJob> = {}) =>
  pictureProvider(reader, []).verify({ ...JOB, documents, ...changes }, going);

describe('the provider of the service', () => {
  it('reads every picture of a document, and passes one that agrees with itself and with the applicant', async () => {
    const reader = readerOf({ content: { ...content, zone: null, isZoneReliable: false }, pages: 1 }, READ);
    const answer = await verify(reader, [document('image/jpeg', 'front'), document('image/png', 'back')]);
    expect(answer).toMatchObject({ status: 'passed', extracted: { mrzType: 'TD3', lastName: { value: 'ERIKSSON' } } });
    expect(reader.asked).toEqual(['front', 'back']);
  });

  it('gives the same answer about the same pictures', async () => {
    const [one, other] = [readerOf(READ), readerOf(READ)];
    const pictures = [document('image/jpeg')];
    expect(JSON.stringify(await verify(one, pictures))).toBe(JSON.stringify(await verify(other, pictures)));
  });

  it.each([
    ['died', 'provider_unavailable'],
    ['too_large', 'provider_unavailable'],
    ['stopped', 'provider_unavailable'],
    ['late', 'provider_timeout'],
  ] as const)('says nothing about a document whose process has ended: %s', async (failure, code) => {
    const failed = await verify(readerOf({ failure }), [document('image/jpeg')]).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ProviderError);
    expect(failed).toMatchObject({ code });
  });

  it('is inconclusive about a picture that cannot be decoded', async () => {
    const { status, checks } = await verify(readerOf({ unreadable: true }), [document('image/jpeg')]);
    expect(status).toBe('inconclusive');
    expect(checks).toContainEqual(expect.objectContaining({ code: 'image_quality', reasonCode: 'picture_unreadable' }));
  });

  it('reads every page of a PDF, and says whether it is signed', async () => {
    const back: Reading = { content: { ...content, zone: null, isZoneReliable: false }, pages: 2 };
    const reader = readerOf(back, { content, pages: 2 });
    const { status, checks } = await verify(reader, [document('application/pdf', '%PDF-1.7')]);
    expect(reader.asked).toEqual(['%PDF-1.7 page 1', '%PDF-1.7 page 2']);
    expect(status).toBe('passed');
    expect(checks[0]).toMatchObject({ code: 'pdf_signature', outcome: 'not_run', reasonCode: 'no_signature' });
  });

  it('reads no PDF of more than five pages, and leaves it to a person', async () => {
    const reader = readerOf({ content, pages: 6 });
    const { status, checks } = await verify(reader, [document('application/pdf', '%PDF-1.7')]);
    expect([status, reader.asked.length]).toEqual(['inconclusive', 1]);
    expect(checks).toContainEqual(expect.objectContaining({ code: 'image_quality', reasonCode: 'too_many_pages' }));
  });

  it('passes no document by lines alone', async () => {
    const { status, checks } = await lineProvider.verify({ ...JOB, mrzLines: LINES }, going);
    expect(status).toBe('inconclusive');
    expect(checks).toContainEqual(expect.objectContaining({ code: 'image_quality', outcome: 'not_run' }));
  });
});
