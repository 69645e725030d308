/**
 * The client of the directory, over mutual TLS, for any number of participants. Created for the live directory and for
 * the simulator; recovery-ingestion uses it as a `Directory`. Every failure is a `DirectoryError`. Answers are used
 * only after their signature is verified.
 */
import type { X509Certificate } from 'node:crypto';
import { type ApiRequest, Connection, type ConnectionOptions } from './connection.ts';
import {
  type Answer,
  type Directory,
  DirectoryError,
  type Document,
  type InfractionReportDocument,
  type InfractionReportQuery,
  type ListAnswer,
  type NotificationPage,
  type Policy,
  type RecoveryDocument,
  type RefundDocument,
  type RefundQuery,
  unreadable,
} from './directory.ts';
import { type PolicyName, type Rate, rates } from './rate-limits.ts';
import type { ClientIdentity, Timeouts } from './transport.ts';
import {
  documentOf,
  infractionReportShape,
  listOf,
  notificationShape,
  pageOf,
  recoveryShape,
  refundShape,
  trackingGraphShape,
  type VerifiedAnswer,
  withAnswerDigest,
} from './wire/answers.ts';

export interface DirectoryClientOptions {
  /** Base URL of the API, such as `https://dict.pi.rsfn.net.br:16422/api/v2/`. */
  readonly url: string;
  /** PEM. The only authorities that may have issued the server's certificate. */
  readonly authorities: string;
  /** Certificates whose signatures are trusted. */
  readonly signers: readonly X509Certificate[];
  /** Returns the credentials of a participant. Called once per participant. */
  readonly identify: (ispb: string) => Promise<ClientIdentity>;
  readonly timeouts?: Timeouts;
  readonly rates?: Partial<Record<PolicyName, Rate>>;
  readonly maxWaitSeconds?: number;
}

/** Reads the directory over HTTPS, for any number of participants. */
export class DirectoryClient implements Directory {
  readonly #options: ConnectionOptions;
  readonly #identify: DirectoryClientOptions['identify'];
  readonly #connections = new Map<string, Promise<Connection>>();

  constructor({ url, identify, timeouts, maxWaitSeconds = 30, ...options }: DirectoryClientOptions) {
    this.#options = {
      ...options,
      // Ends with a slash, because resolving a path drops everything after the last one.
      url: new URL(url.endsWith('/') ? url : `${url}/`),
      timeouts: timeouts ?? { connectMilliseconds: 2000, totalMilliseconds: 10_000 },
      rates: { ...rates, ...options.rates },
      maxWaitSeconds,
    };
    this.#identify = identify;
  }

  async listEventNotifications(
    ispb: string,
    { cursor, includeIndirect }: { readonly cursor: string | null; readonly includeIndirect: boolean },
  ): Promise<NotificationPage> {
    const query = {
      Participant: ispb,
      IncludeIndirectParticipants: String(includeIndirect),
      ...(cursor === null ? {} : { Cursor: cursor }),
    };
    const { envelope, content } = await this.#ask(ispb, {
      path: 'event-notifications',
      query,
      policy: 'EVENT_LIST',
      answer: 'ListEventNotificationsResponse',
    });
    return withAnswerDigest(envelope.xml, () => ({
      ...envelope,
      ...pageOf(content),
      notifications: listOf(content, 'EventNotifications', notificationShape),
    }));
  }

  async getFundsRecovery(ispb: string, id: string): Promise<Answer<RecoveryDocument>> {
    const { envelope, content } = await this.#ofRecovery(ispb, id, '', 'GetFundsRecoveryResponse');
    const document = documentOf(content, 'FundsRecovery', recoveryShape);
    checkIdentity(id, document.Id);
    return { ...envelope, document };
  }

  async getTrackingGraph(ispb: string, id: string): Promise<Answer<Document>> {
    const { envelope, content } = await this.#ofRecovery(ispb, id, '/tracking-graph', 'GetTrackingGraphResponse');
    const document = documentOf(content, 'TrackingGraph', trackingGraphShape);
    checkIdentity(id, document['FundsRecoveryId']);
    return { ...envelope, document };
  }

  async listRecoveryInfractionReports(ispb: string, id: string): Promise<Answer<readonly InfractionReportDocument[]>> {
    const { envelope, content } = await this.#ofRecovery(
      ispb,
      id,
      '/infraction-reports',
      'ListFundsRecoveryInfractionReportsResponse',
    );
    const document = listOf(content, 'InfractionReports', infractionReportShape);
    for (const { FundsRecoveryId } of document) checkIdentity(id, FundsRecoveryId ?? id);
    return { ...envelope, document };
  }

  async listRecoveryRefunds(ispb: string, id: string): Promise<Answer<readonly RefundDocument[]>> {
    const { envelope, content } = await this.#ofRecovery(ispb, id, '/refunds', 'ListFundsRecoveryRefundsResponse');
    const document = listOf(content, 'Refunds', refundShape);
    for (const { FundsRecoveryId } of document) checkIdentity(id, FundsRecoveryId ?? id);
    return { ...envelope, document };
  }

  async listInfractionReports(
    ispb: string,
    { role, ...query }: InfractionReportQuery,
  ): Promise<ListAnswer<InfractionReportDocument>> {
    const { envelope, content } = await this.#ask(ispb, {
      path: 'infraction-reports/',
      query: {
        Participant: ispb,
        [role === 'reporter' ? 'IsReporter' : 'IsCounterparty']: 'true',
        ...listQuery(query),
      },
      policy: 'INFRACTION_REPORTS_LIST_WITH_ROLE',
      answer: 'ListInfractionReportsResponse',
    });
    return { ...envelope, ...pageOf(content), items: listOf(content, 'InfractionReports', infractionReportShape) };
  }

  async listRefunds(ispb: string, { role, cursor, ...query }: RefundQuery): Promise<ListAnswer<RefundDocument>> {
    const { envelope, content } = await this.#ask(ispb, {
      path: 'refunds/',
      query: {
        Participant: ispb,
        ParticipantRole: role,
        ...listQuery(query),
        ...(cursor === null ? {} : { Cursor: cursor }),
      },
      policy: 'REFUND_LIST_WITH_ROLE',
      answer: 'ListRefundsResponse',
    });
    return { ...envelope, ...pageOf(content), items: listOf(content, 'Refunds', refundShape) };
  }

  async getPolicy(ispb: string, name: string): Promise<Policy> {
    return (await this.#connection(ispb)).policy(name);
  }

  async recoveryReadsLeft(ispb: string): Promise<number> {
    return Math.max(0, Math.floor((await this.#connection(ispb)).tokensOf('FUNDS_RECOVERIES')));
  }

  /** Returns how many calls each connected participant may still make without waiting. */
  async tokens(): Promise<readonly { readonly ispb: string; readonly policy: PolicyName; readonly tokens: number }[]> {
    const connections = await Promise.all(
      [...this.#connections].map(async ([ispb, made]) => ({
        ispb,
        tokens: (await made.catch(() => null))?.tokens ?? [],
      })),
    );
    return connections.flatMap(({ ispb, tokens }) =>
      [...tokens].map(([policy, left]) => ({ ispb, policy, tokens: left })),
    );
  }

  /** Closes the connections. Calls in progress fail. */
  async close(): Promise<void> {
    const connections = await Promise.allSettled(this.#connections.values());
    for (const connection of connections) if (connection.status === 'fulfilled') connection.value.close();
  }

  async #ofRecovery(ispb: string, id: string, part: string, answer: string): Promise<VerifiedAnswer> {
    return this.#ask(ispb, {
      path: `funds-recoveries/${encodeURIComponent(id)}${part}`,
      policy: 'FUNDS_RECOVERIES',
      answer,
    });
  }

  async #ask(ispb: string, question: ApiRequest): Promise<VerifiedAnswer> {
    return (await this.#connection(ispb)).call(question);
  }

  #connection(ispb: string): Promise<Connection> {
    const known = this.#connections.get(ispb);
    if (known !== undefined) return known;
    const made = this.#connect(ispb);
    // If the key could not be loaded, the next call tries again.
    made.catch(() => this.#connections.delete(ispb));
    this.#connections.set(ispb, made);
    return made;
  }

  async #connect(ispb: string): Promise<Connection> {
    const identity = await this.#identify(ispb);
    try {
      return new Connection(ispb, identity, this.#options);
    } catch {
      // OpenSSL's message is not repeated, because it can contain a part of the key or of the token's URI.
      throw new DirectoryError('Transport', 'The certificate or the key of the participant cannot be used');
    }
  }
}

function listQuery(query: {
  readonly modifiedAfter: string;
  readonly modifiedBefore?: string;
  readonly includeIndirect?: boolean;
}): Record<string, string> {
  return {
    ModifiedAfter: query.modifiedAfter,
    ...(query.modifiedBefore === undefined ? {} : { ModifiedBefore: query.modifiedBefore }),
    IncludeIndirectParticipants: String(query.includeIndirect ?? false),
    IncludeDetails: 'true',
    Limit: '200',
  };
}

/** Rejects an answer about another recovery: its signature is valid, but it does not answer the request. */
function checkIdentity(expected: string, answered: unknown): void {
  if (typeof answered !== 'string' || answered.toLowerCase() !== expected.toLowerCase())
    throw unreadable('it is about another recovery');
}
