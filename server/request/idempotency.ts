/**
 * Answers a repeated request from the stored response of the first. Used by transact.ts for operations with an
 * idempotency key. The response is stored in the transaction of the effect, and sealed under the caller's own key.
 * Another body under the same key is refused.
 */
import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { canonicalJson, type Json } from '../base/canonical-json.ts';
import { seal, unseal } from '../base/seal.ts';
import type { Secrets } from '../base/secrets.ts';
import { DAY_MILLISECONDS, type RealTime } from '../base/time.ts';
import type { Environment } from '../contract/operation.ts';
import { Problem } from '../contract/problem.ts';
import type { Database, Transaction } from '../database/index.ts';
import {
  awaitDurability,
  type IdempotencyScope,
  insertBeforeCommit,
  isRecorded,
  type RecordRow,
  reserveKey,
} from './store.ts';

const RETENTION_MILLISECONDS = DAY_MILLISECONDS;

/** Stored response. The body is JSON text, or null if there is none. */
export interface StoredResponse {
  /** Environment of the changed resource. */
  readonly environment: Environment;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Whether the body contains unmasked personal data. */
  readonly personalData: boolean;
}

export interface IdempotentCall extends Omit<IdempotencyScope, 'keyHash'> {
  readonly key: string;
  readonly body: unknown;
  /** SHA-256 of an uploaded file, which represents its bytes. */
  readonly fileDigest: string | null;
}

/** An idempotency key that this transaction has reserved. */
export interface IdempotencyReservation {
  /** Stores the response in the transaction of the effect. */
  readonly keep: (answer: StoredResponse, now: RealTime) => void;
  /**
   * Tells whether another call with the key committed at the moment of the reservation. A refusal may then be a
   * consequence of that call, such as a duplicate of the record that it created, and must not be sent.
   */
  readonly wasOvertaken: (database: Database) => Promise<boolean>;
}

/**
 * Idempotency keys (draft-ietf-httpapi-idempotency-key-header-07). The record is written in the transaction of the
 * effect, so a stored response exists exactly if the effect does. Bodies are sealed under a key that can be derived
 * only with the caller's own idempotency key, because a response may hold a new secret.
 */
export class Idempotency {
  readonly #hashKey: KeyObject;
  readonly #sealKey: KeyObject;

  constructor(secrets: Secrets) {
    this.#hashKey = createSecretKey(secrets.deriveKey('idempotency-key-hash'));
    this.#sealKey = createSecretKey(secrets.deriveKey('idempotency-cipher'));
  }

  /** Returns the stored response of an earlier call, or a reservation of the key for this one. */
  async reserve(tx: Transaction, call: IdempotentCall): Promise<StoredResponse | IdempotencyReservation> {
    const { key, body, fileDigest, ...rest } = call;
    const scope: IdempotencyScope = { ...rest, keyHash: createHmac('sha256', this.#hashKey).update(key).digest() };
    const identity = scopeText(scope);
    const fingerprint = fingerprintOf(body, fileDigest);
    const found = await reserveKey(tx, identity, scope);
    if (found === undefined) throw inProgress();
    if (found !== null && !found.expired) {
      await awaitDurability(tx);
      return this.#repeat(found, fingerprint, key, identity);
    }
    return {
      keep: ({ environment, status, headers, body: text, personalData }, now) =>
        insertBeforeCommit(
          tx,
          {
            ...scope,
            environment,
            fingerprint,
            status,
            headers,
            body: text === null ? null : seal(this.#keyFor(key), identity, text),
            personalData,
            createdAt: now,
            expiresAt: new Date(now.getTime() + RETENTION_MILLISECONDS),
          },
          found !== null,
        ),
      wasOvertaken: (database) => (found === null ? isRecorded(database, scope) : Promise.resolve(false)),
    };
  }

  #repeat(record: RecordRow, fingerprint: Buffer, key: string, identity: string): StoredResponse {
    if (!record.fingerprint.equals(fingerprint)) throw new Problem('idempotency_key_reused');
    const { environment, status, headers, body, personalData } = record;
    return {
      environment,
      status,
      headers,
      body: body === null ? null : unseal(this.#keyFor(key), identity, body).toString(),
      personalData,
    };
  }

  #keyFor(idempotencyKey: string): KeyObject {
    return createSecretKey(createHmac('sha256', this.#sealKey).update(idempotencyKey).digest());
  }
}

/**
 * Returns the problem for a key that another call holds or has just committed. In both cases the next attempt finds the
 * response.
 */
export function inProgress(): Problem {
  return new Problem('idempotency_in_progress', { retryable: true, retryAfter: 1 });
}

function scopeText(scope: IdempotencyScope): string {
  return [scope.tenantId, scope.principal, scope.method, scope.path, scope.keyHash.toString('base64url')].join('\n');
}

/**
 * Returns the fingerprint of a request. Equal requests have equal fingerprints, whatever the order of members or the
 * boundary of the parts.
 */
function fingerprintOf(body: unknown, fileDigest: string | null): Buffer {
  return createHash('sha256')
    .update(body === undefined ? '' : canonicalJson(body as Json))
    .update(`\n${fileDigest ?? ''}`)
    .digest();
}
