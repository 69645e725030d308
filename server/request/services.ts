/**
 * The objects that live as long as the process and that modules may use. Built by server/start.ts and passed to the
 * handlers of modules. A type only; it must not grow objects of single modules, which those declare themselves.
 */
import type { AuditAlarm } from '../audit/alarm.ts';
import type { Config } from '../base/config.ts';
import type { Logger } from '../base/log.ts';
import type { Secrets } from '../base/secrets.ts';
import type { Database } from '../database/index.ts';
import type { AccessTokens } from '../identity/access-token.ts';
import type { ApiKeyVerifier, CredentialCache } from '../identity/credential-cache.ts';
import type { FailedAuthenticationLimiter } from '../identity/rate-limit.ts';
import type { FileStorage } from '../providers/files/index.ts';
import type { Mailer, Outbox } from '../providers/mail/index.ts';
import type { Cursors } from './pagination.ts';

/**
 * Objects that live as long as the process and that every module may use. The factory of a module's handlers takes the
 * ones that it needs; the cursors of lists and objects of a single request are in the `Context` of its handler. A
 * module that needs the object of another module declares it by name in addition to these
 * (`Services & { readonly inspector: Inspector }`); the full set is `AppServices` in server/services.ts.
 */
export interface Services {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly database: Database;
  readonly cursors: Cursors;
  readonly tokens: AccessTokens;
  /** Verifies the secret of an API key, which also serves as a client secret at the token endpoint. */
  readonly apiKeys: ApiKeyVerifier;
  /** Counts credentials that were not genuine, by the address that presented them. */
  readonly failures: FailedAuthenticationLimiter;
  /** Cache of keys and sessions in this process. Code that changes one must notify the cache after the commit. */
  readonly credentials: CredentialCache;
  readonly files: FileStorage;
  /** Queues mail in the transaction of the event that causes the mail. */
  readonly mail: Outbox;
  /** Delivers queued mail; null if no SMTP server is configured. */
  readonly mailer: Mailer | null;
  /** Raised if an audit log turns out to be incomplete or altered. */
  readonly auditAlarm: AuditAlarm;
  readonly log: Logger;
  readonly clock: () => Date;
}
