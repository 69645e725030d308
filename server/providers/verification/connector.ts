/**
 * The connection of the operator to a vendor: a small protocol over HTTP, which a program of the operator translates
 * for its vendor. Made at the start from the file that VERIFICATION_CONNECTOR names. The guide for operators describes
 * it.
 *
 * `POST {url}/verifications` with an `Idempotency-Key` starts a verification, `GET {url}/verifications/{id}` reads it
 * until its `state` is `done`. The service calls the vendor and is never called by it. An error of the vendor, and an
 * answer in another form, is an error and never an outcome.
 */
import { setTimeout } from 'node:timers/promises';
import { readJsonArray } from '../../base/json-file.ts';
import { parseState, type VendorState } from './connector-answer.ts';
import {
  type JobDocument,
  type ProviderAnswer,
  ProviderError,
  type VerificationJob,
  type VerificationProvider,
  type VerificationType,
} from './provider.ts';

/** Connection to a vendor, with the types of verification that it runs. */
export interface Connector extends VerificationProvider {
  readonly types: readonly VerificationType[];
}

/** What the operator says about a connection. */
export interface ConnectorOptions {
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly token: string;
  readonly types: readonly VerificationType[];
  /** Milliseconds between two questions about the same verification. */
  readonly pollMilliseconds?: number;
}

const WITHIN = 120_000;
const POLL = 1_000;
const MOST_BYTES = 1024 * 1024;
const TYPES: readonly VerificationType[] = ['document_ocr', 'face_match', 'liveness', 'registry'];
const FIELDS = ['name', 'version', 'url', 'token', 'types'];
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];
/** Names that tell who gave a result, and that a vendor must not take. */
const TAKEN = ['embedded', 'sandbox'];
/** Statuses after which the same request may succeed. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Reads the connections to vendors from a file of the operator. Errors never repeat its content, which has tokens. */
export async function readConnectors(file: string): Promise<readonly Connector[]> {
  const connectors = (await readJsonArray(file, 'connections')).map((entry, index) =>
    connectorTo(optionsIn(entry, `${file}, entry ${index + 1}`)),
  );
  const types = connectors.flatMap((connector) => connector.types);
  if (new Set(types).size < types.length) throw new Error(`${file} names one type twice`);
  return connectors;
}

function optionsIn(entry: unknown, location: string): ConnectorOptions {
  if (typeof entry !== 'object' || entry === null) throw new Error(`${location}: an object is expected`);
  if (Object.keys(entry).some((name) => !FIELDS.includes(name)))
    throw new Error(`${location}: there is a field that has no meaning; there are ${FIELDS.join(', ')}`);
  const { name, version, url, token, types } = entry as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]{0,39}$/.test(name) || TAKEN.includes(name))
    throw new Error(`${location}: "name" must be lower-case letters, digits and hyphens, not ${TAKEN.join(' or ')}`);
  if (typeof version !== 'string' || !/^[\w.-]{1,40}$/.test(version))
    throw new Error(`${location}: "version" must be 1 to 40 letters, digits, points and hyphens`);
  if (typeof url !== 'string' || !isTrusted(url))
    throw new Error(`${location}: "url" must be an address that starts with https://, or one of this machine`);
  if (typeof token !== 'string' || !/^[\x21-\x7e]{16,512}$/.test(token))
    throw new Error(`${location}: "token" must be 16 to 512 printable characters`);
  if (!Array.isArray(types) || types.length === 0 || types.some((type) => !TYPES.includes(type as VerificationType)))
    throw new Error(`${location}: "types" must be a list of ${TYPES.join(', ')}`);
  return {
    name,
    version,
    url: url.replace(/\/+$/, ''),
    token,
    types: types as VerificationType[],
  };
}

/** Returns whether an address is safe against readers on the way, because pictures and a token are sent to it. */
function isTrusted(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname));
}

/** Returns the provider that asks a vendor. */
export function connectorTo({
  name,
  version,
  url,
  token,
  types,
  pollMilliseconds = POLL,
}: ConnectorOptions): Connector {
  const call = (path: string, job: VerificationJob | null, signal: AbortSignal): Promise<VendorState | null> =>
    called(`${url}/verifications${path}`, {
      signal,
      redirect: 'error',
      headers: {
        Authorization: `Bearer ${token}`,
        ...(job !== null && { 'Content-Type': 'application/json', 'Idempotency-Key': job.idempotencyKey }),
      },
      ...(job !== null && { method: 'POST', body: JSON.stringify(wireOf(job)) }),
    });
  return {
    id: name,
    version,
    within: WITHIN,
    types,
    async verify(job: VerificationJob, signal: AbortSignal): Promise<ProviderAnswer> {
      let id: string | null = null;
      // Whatever fails in passing is asked again; the caller ends this at the deadline.
      for (;;) {
        const state: VendorState | null =
          id === null ? await call('', job, signal) : await call(`/${id}`, null, signal);
        if (state !== null && 'answer' in state) return state.answer;
        id = state?.id ?? id;
        await setTimeout(pollMilliseconds, undefined, { signal });
      }
    },
  };
}

/** Calls the vendor. Returns null if the call failed in passing, so that it may be repeated. */
async function called(url: string, init: RequestInit & { readonly signal: AbortSignal }): Promise<VendorState | null> {
  let text: string;
  try {
    const answer = await fetch(url, init);
    if (answer.status >= 500 || PASSING.has(answer.status)) return null;
    if (!answer.ok) throw new ProviderError('provider_unavailable');
    text = await textOf(answer);
  } catch (error) {
    if (error instanceof ProviderError || init.signal.aborted) throw error;
    return null;
  }
  return parseState(text);
}

async function textOf(answer: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer.body ?? []) {
    size += piece.length;
    if (size > MOST_BYTES) throw new ProviderError('provider_invalid_answer');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const wireOfDocument = ({ side, mediaType, bytes }: JobDocument): object => ({
  side,
  mediaType,
  content: base64(bytes),
});

/** Returns a job as the vendor gets it. */
function wireOf({
  environment,
  type,
  registrySource,
  person,
  proves,
  address,
  mrzLines,
  ...job
}: VerificationJob): object {
  return {
    environment,
    type,
    registrySource,
    person,
    proves,
    address,
    mrzLines,
    documents: job.documents.map(wireOfDocument),
    selfie: job.selfie === null ? null : wireOfDocument(job.selfie),
    challenge:
      job.challenge === null
        ? null
        : { actions: job.challenge.actions, frames: job.challenge.pictures.map((bytes) => base64(bytes)) },
    today: job.today,
  };
}
