/**
 * The calls that change an application, and those that change a company. Used by the dialogs that the pages of both
 * share. Each call is sent with its idempotency key, and where a change rests on what was shown, with its version.
 */
import { client, type Schemas } from '../../core/api.ts';
import { answerOf, done } from '../../core/problem.ts';
import { matching } from './changed.ts';
import type { Subject } from './subject.ts';

type Changed = Pick<Subject, 'id' | 'version'>;

interface Calls {
  readonly submit: (key: string) => Promise<unknown>;
  readonly withdraw: (body: Schemas['WithdrawRequest'], key: string) => Promise<unknown>;
  readonly erase: (body: Schemas['ErasureRequest'], key: string) => Promise<unknown>;
  readonly end: (body: Schemas['RelationshipEnd'], key: string) => Promise<unknown>;
  readonly reopen: (body: Schemas['ReopenRequest'], key: string) => Promise<unknown>;
  readonly ask: (body: Schemas['InformationRequestCreate'], key: string) => Promise<unknown>;
  readonly waive: (body: Schemas['WaiverCreate'], key: string) => Promise<unknown>;
  readonly attest: (body: Schemas['AttestationCreate'], key: string) => Promise<unknown>;
  readonly decide: (body: Schemas['DecisionCreate'], key: string) => Promise<Schemas['Decision']>;
  readonly review: (decisionId: string, body: Schemas['DecisionReview'], key: string) => Promise<unknown>;
  readonly pack: () => Promise<Blob>;
  readonly upload: (body: Schemas['DocumentUpload'], parts: FormData, key: string) => Promise<Uploaded>;
  readonly content: (documentId: string, signal: AbortSignal) => Promise<Blob>;
  readonly remove: (documentId: string) => Promise<void>;
}

interface Uploaded {
  readonly document: Schemas['Document'];
  /** Whether the file was there before. The service stores a file once. */
  readonly isKnown: boolean;
}

export function callsOf(subject: Changed & Pick<Subject, 'kind'>): Calls {
  return subject.kind === 'application' ? callsOfApplication(subject) : callsOfBusiness(subject);
}

/** Returns the parameters of calls by their idempotency key: of those that rest on the version that was shown, too. */
function paramsOf<P>(path: P, version: number) {
  const header = (key: string) => ({ 'Idempotency-Key': key });
  return {
    header,
    keyed: (key: string) => ({ path, header: header(key) }),
    matched: (key: string) => ({ path, header: { ...matching({ version }), ...header(key) } }),
  };
}

function callsOfApplication({ id, version }: Changed): Calls {
  const path = { applicationId: id };
  const { header, keyed, matched } = paramsOf(path, version);
  return {
    submit: (key) => answerOf(client.POST('/v1/applications/{applicationId}/submit', { params: matched(key) })),
    withdraw: (body, key) =>
      answerOf(client.POST('/v1/applications/{applicationId}/withdraw', { params: matched(key), body })),
    erase: (body, key) =>
      answerOf(client.POST('/v1/applications/{applicationId}/erase', { params: matched(key), body })),
    end: (body, key) =>
      answerOf(client.POST('/v1/applications/{applicationId}/end-relationship', { params: matched(key), body })),
    reopen: (body, key) =>
      answerOf(client.POST('/v1/applications/{applicationId}/reopen', { params: matched(key), body })),
    ask: (body, key) =>
      answerOf(client.POST('/v1/applications/{applicationId}/information-requests', { params: matched(key), body })),
    waive: (body, key) =>
      answerOf(client.POST('/v1/applications/{applicationId}/waivers', { params: keyed(key), body })),
    attest: (body, key) =>
      answerOf(client.POST('/v1/applications/{applicationId}/attestations', { params: keyed(key), body })),
    decide: (body, key) =>
      answerOf(client.POST('/v1/applications/{applicationId}/decisions', { params: keyed(key), body })),
    review: (decisionId, body, key) =>
      answerOf(
        client.POST('/v1/applications/{applicationId}/decisions/{decisionId}/review', {
          params: { path: { ...path, decisionId }, header: header(key) },
          body,
        }),
      ),
    pack: () =>
      answerOf(client.GET('/v1/applications/{applicationId}/evidence-pack', { params: { path }, parseAs: 'blob' })),
    upload: (body, parts, key) => {
      const call = client.POST('/v1/applications/{applicationId}/documents', {
        params: keyed(key),
        body,
        bodySerializer: () => parts,
      });
      return uploaded(call);
    },
    content: (documentId, signal) => {
      const params = { path: { ...path, documentId } };
      return answerOf(
        client.GET('/v1/applications/{applicationId}/documents/{documentId}/content', {
          params,
          parseAs: 'blob',
          signal,
        }),
      );
    },
    remove: (documentId) =>
      done(
        client.DELETE('/v1/applications/{applicationId}/documents/{documentId}', {
          params: { path: { ...path, documentId } },
        }),
      ),
  };
}

function callsOfBusiness({ id, version }: Changed): Calls {
  const path = { businessId: id };
  const { header, keyed, matched } = paramsOf(path, version);
  return {
    submit: (key) => answerOf(client.POST('/v1/businesses/{businessId}/submit', { params: matched(key) })),
    withdraw: (body, key) =>
      answerOf(client.POST('/v1/businesses/{businessId}/withdraw', { params: matched(key), body })),
    erase: (body, key) => answerOf(client.POST('/v1/businesses/{businessId}/erase', { params: matched(key), body })),
    end: (body, key) =>
      answerOf(client.POST('/v1/businesses/{businessId}/end-relationship', { params: matched(key), body })),
    reopen: (body, key) => answerOf(client.POST('/v1/businesses/{businessId}/reopen', { params: matched(key), body })),
    ask: (body, key) =>
      answerOf(client.POST('/v1/businesses/{businessId}/information-requests', { params: matched(key), body })),
    waive: (body, key) => answerOf(client.POST('/v1/businesses/{businessId}/waivers', { params: keyed(key), body })),
    attest: (body, key) =>
      answerOf(client.POST('/v1/businesses/{businessId}/attestations', { params: keyed(key), body })),
    decide: (body, key) => answerOf(client.POST('/v1/businesses/{businessId}/decisions', { params: keyed(key), body })),
    review: (decisionId, body, key) =>
      answerOf(
        client.POST('/v1/businesses/{businessId}/decisions/{decisionId}/review', {
          params: { path: { ...path, decisionId }, header: header(key) },
          body,
        }),
      ),
    pack: () =>
      answerOf(client.GET('/v1/businesses/{businessId}/evidence-pack', { params: { path }, parseAs: 'blob' })),
    upload: (body, parts, key) => {
      const call = client.POST('/v1/businesses/{businessId}/documents', {
        params: keyed(key),
        body,
        bodySerializer: () => parts,
      });
      return uploaded(call);
    },
    content: (documentId, signal) => {
      const params = { path: { ...path, documentId } };
      return answerOf(
        client.GET('/v1/businesses/{businessId}/documents/{documentId}/content', { params, parseAs: 'blob', signal }),
      );
    },
    remove: (documentId) =>
      done(
        client.DELETE('/v1/businesses/{businessId}/documents/{documentId}', {
          params: { path: { ...path, documentId } },
        }),
      ),
  };
}

async function uploaded(
  call: Promise<{ data?: Schemas['Document']; error?: unknown; response: Response }>,
): Promise<Uploaded> {
  const document = await answerOf(call);
  return { document, isKnown: (await call).response.status === 200 };
}
