/**
 * What a provider is asked: the task collects it in its transaction, and reads the files of documents outside of it.
 * Used by run.ts. A provider sees nothing else of an application.
 */
import { createHash, type KeyObject } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { BusinessTime } from '../../base/time.ts';
import type { Transaction } from '../../database/index.ts';
import type { FileStorage } from '../../providers/files/index.ts';
import type { JobDocument, Route, VerificationJob } from '../../providers/verification/index.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import type { ApplicationRecord } from '../applications/index.ts';
import { listDocuments, listStoredFiles, openFile } from '../documents/index.ts';
import { openBytes } from '../subject-keys/index.ts';
import { contextOfFrame, findChallenge, findFrame, frameHashes } from './challenge-store.ts';
import { statedAddress, statedPerson } from './person.ts';
import { routeOf } from './routes.ts';
import { countOf, type VerificationRecord } from './store.ts';

type StoredFile = Parameters<typeof openFile>[1];

/** A document whose file is read later. */
interface NamedFile extends Omit<JobDocument, 'bytes'> {
  readonly stored: StoredFile;
}

/** Everything that a verification needs but the bytes of its documents. */
export interface ClaimedJob {
  readonly job: Omit<VerificationJob, 'documents' | 'selfie'>;
  readonly route: Route;
  readonly key: KeyObject;
  /** Null if a file of the verification is gone. */
  readonly files: { readonly documents: readonly NamedFile[]; readonly selfie: NamedFile | null } | null;
}

interface Claiming {
  readonly record: VerificationRecord;
  readonly application: ApplicationRecord;
  readonly key: KeyObject;
  readonly at: BusinessTime;
}

/** Collects what a provider is asked. */
export async function claimJob(tx: Transaction, { record, application, key, at }: Claiming): Promise<ClaimedJob> {
  const { id, environment, type, registrySource, proves, wantedOutcome, mrzLines } = record;
  const [{ errors }, challenge, files, route] = await Promise.all([
    countOf(tx, record),
    challengeOf(tx, record, key),
    filesOf(tx, record),
    routeOf(tx, type),
  ]);
  return {
    job: {
      // The id itself is not given away.
      idempotencyKey: createHash('sha256').update(`verification ${tx.tenantId!} ${id}`).digest('hex'),
      environment,
      type,
      registrySource,
      person: statedPerson(application),
      proves,
      address: proves === 'address' ? statedAddress(application) : null,
      wantedOutcome,
      mrzLines,
      challenge,
      earlierErrors: errors,
      today: calendarDate(at),
    },
    route,
    key,
    files,
  };
}

/** Returns the documents of a verification; null if one of them, or its file, is gone. */
async function filesOf(
  tx: Transaction,
  { applicationId, documentIds, selfieDocumentId }: VerificationRecord,
): Promise<ClaimedJob['files']> {
  if (documentIds.length === 0) return { documents: [], selfie: null };
  const application = { kind: 'application', id: applicationId } as const;
  const [documents, stored] = await Promise.all([listDocuments(tx, application), listStoredFiles(tx, application)]);
  const fileOf = (id: string): NamedFile[] => {
    const [document, file] = [documents.find((one) => one.id === id), stored.get(id)];
    return document === undefined || file === undefined
      ? []
      : [{ side: document.side, mediaType: document.mimeType, stored: file }];
  };
  const named = documentIds.flatMap(fileOf);
  const [selfie = null] = selfieDocumentId === null ? [] : fileOf(selfieDocumentId);
  const isComplete = named.length === documentIds.length && (selfie !== null || selfieDocumentId === null);
  return isComplete ? { documents: named, selfie } : null;
}

async function challengeOf(
  tx: Transaction,
  { challengeId }: Pick<VerificationRecord, 'challengeId'>,
  key: KeyObject,
): Promise<VerificationJob['challenge']> {
  if (challengeId === null) return null;
  const [challenge, frames] = await Promise.all([findChallenge(tx, challengeId), frameHashes(tx, challengeId)]);
  if (challenge === null) return null;
  const sealed = await Promise.all(frames.map((_, index) => findFrame(tx, challengeId, index + 1)));
  const pictures = sealed.flatMap((content, index) =>
    content === null ? [] : [openBytes(key, contextOfFrame(challengeId, index + 1), content)],
  );
  return { actions: challenge.actions, frames, pictures };
}

/** Reads the files of a job. Null if one of them is gone. */
export async function loadedJob(
  { job, key, files }: ClaimedJob,
  storage: FileStorage,
  signal: AbortSignal,
): Promise<VerificationJob | null> {
  if (files === null) return null;
  const loaded = async ({ stored, ...document }: NamedFile): Promise<JobDocument> => ({
    ...document,
    bytes: await buffer(await openFile(storage, stored, key, signal)),
  });
  const documents: JobDocument[] = [];
  for (const file of files.documents) documents.push(await loaded(file));
  return { ...job, documents, selfie: files.selfie === null ? null : await loaded(files.selfie) };
}
