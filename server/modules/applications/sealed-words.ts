import type { KeyObject } from 'node:crypto';
import type { Transaction } from '../../database/index.ts';
import { openingKey, openText, sealText, unwrapped } from '../subject-keys/index.ts';
import type { Attestation } from './attestation-store.ts';
import type { Consent } from './consent-store.ts';
import type { Decision } from './decision-store.ts';
import type { InformationRequest } from './information-store.ts';
import type { Waiver } from './waiver-store.ts';

/** What belongs to an application and holds words about its person. */
interface Written {
  readonly decision: Decision;
  readonly waiver: Waiver;
  readonly attestation: Attestation;
  readonly consent: Consent;
  readonly informationRequest: InformationRequest;
}

type WordsOf<T> = { readonly [M in keyof T]: Extract<T[M], string | null> extends never ? never : M }[keyof T];

/** The members that say something about the person, or from where they agreed: these are sealed where they are kept. */
const WORDS: { readonly [K in keyof Written]: readonly WordsOf<Written[K]>[] } = {
  decision: ['note', 'applicantMessage', 'reviewNote'], waiver: ['note'], attestation: ['source', 'note', 'subject'], consent: ['ip', 'userAgent'], informationRequest: ['internalNote'],
};

type Change = (place: string, text: string) => string;

/** The record with its words changed; `place` is where each of them is kept. */
function withWords<K extends keyof Written>(kind: K, record: Written[K], change: Change): Written[K] {
  const words = WORDS[kind].flatMap((member): [string, string][] => {
    const text: unknown = record[member];
    return typeof text === 'string' ? [[String(member), change(`${kind} ${String(member)} ${record.id}`, text)]] : [];
  });
  return { ...record, ...Object.fromEntries(words) };
}

/** Messages stand in a list, each at its place. */
function withMessages(request: InformationRequest, change: Change): InformationRequest {
  const items = request.items.map((item, at) => ({ ...item, messageToApplicant: change(`informationRequest items ${at} ${request.id}`, item.messageToApplicant) }));
  return { ...withWords('informationRequest', request, change), items };
}

/** A record as it is kept. */
export function sealedWords<K extends keyof Written>(kind: K, record: Written[K], key: KeyObject): Written[K] {
  return withWords(kind, record, (place, text) => sealText(key, place, text));
}

export function sealedRequest(request: InformationRequest, key: KeyObject): InformationRequest {
  return withMessages(request, (place, text) => sealText(key, place, text));
}

/** A verdict is noted beside the decision that it is about, and read with it. */
export function sealedVerdict(decisionId: string, note: string, key: KeyObject): string {
  return sealText(key, `decision reviewNote ${decisionId}`, note);
}

/** Attestations as they are read along with a row of a list: of whom each of them tells. */
export function openedSubjects<A extends Pick<Attestation, 'id' | 'subject'>>(tx: Transaction, applicationId: string, kept: readonly A[], wrapped: Buffer | null): readonly A[] {
  if (kept.length === 0 || wrapped === null) return kept;
  const key = unwrapped(tx, { type: 'application', id: applicationId }, wrapped);
  return kept.map((one) => ({ ...one, subject: openText(key, `attestation subject ${one.id}`, one.subject) }));
}

interface Records {
  readonly consents: readonly Consent[];
  readonly waivers: readonly Waiver[];
  readonly attestations: readonly Attestation[];
  readonly decisions: readonly Decision[];
  readonly informationRequests: readonly InformationRequest[];
}

/** The records as they are read. The key is asked for where there is something to open; rows from before are read as they are. */
export async function openedWords<R extends Records>(tx: Transaction, applicationId: string, records: R): Promise<R> {
  const { consents, waivers, attestations, decisions, informationRequests } = records;
  if (consents.length + waivers.length + attestations.length + decisions.length + informationRequests.length === 0) return records;
  const key = await openingKey(tx, { type: 'application', id: applicationId });
  const open: Change = (place, text) => openText(key, place, text);
  return {
    ...records, consents: consents.map((one) => withWords('consent', one, open)), waivers: waivers.map((one) => withWords('waiver', one, open)),
    attestations: attestations.map((one) => withWords('attestation', one, open)),
    decisions: decisions.map((one) => withWords('decision', one, open)), informationRequests: informationRequests.map((one) => withMessages(one, open)),
  };
}
