import type { AuditAlarm } from './audit/alarm.ts';
import type { Config } from './base/config.ts';
import type { Logger } from './base/log.ts';
import type { Secrets } from './base/secrets.ts';
import type { Database } from './database/index.ts';
import type { AccessTokens } from './identity/access-token.ts';
import type { ApiKeyVerifier, CredentialCache } from './identity/credential-cache.ts';
import type { FailedAuthenticationLimiter } from './identity/rate-limit.ts';
import type { Inspector } from './modules/documents/inspection/inspector.ts';
import type { FeedAlarm } from './modules/recovery-feed/feed-alarm.ts';
import type { Ingestion } from './modules/recovery-ingestion/ingestion.ts';
import type { FileStorage } from './providers/files/index.ts';
import type { Mailer, Outbox } from './providers/mail/index.ts';
import type { Cursors } from './request/pagination.ts';
import type { DirectorySimulator } from './simulators/directory/index.ts';

/** What lives as long as the process. Each group's factory takes it; what belongs to a request is in its `Context`. */
export interface Services {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly database: Database;
  readonly cursors: Cursors;
  readonly tokens: AccessTokens;
  /** Verifies the secret of an API key, which is a client secret at the token endpoint too. */
  readonly apiKeys: ApiKeyVerifier;
  /** Credentials that were not genuine, by the address that presented them. */
  readonly failures: FailedAuthenticationLimiter;
  /** What this process remembers of keys and sessions: tell it, after the commit, what has changed. */
  readonly credentials: CredentialCache;
  readonly files: FileStorage;
  /** Recognises uploaded files. */
  readonly inspector: Inspector;
  /** Mail is queued in the transaction of its cause. */
  readonly mail: Outbox;
  /** Delivers it; null when no SMTP server is configured. */
  readonly mailer: Mailer | null;
  /** Raised when an audit log does not hold. */
  readonly auditAlarm: AuditAlarm;
  /** How the feeds are; raised when one has a gap. */
  readonly feedAlarm: FeedAlarm;
  /** The directory of the sandboxes; null when this process does not run it. */
  readonly directorySimulator: DirectorySimulator | null;
  /** Follows the directories. Tell it, after the commit, what has happened in a sandbox. */
  readonly ingestion: Ingestion;
  readonly log: Logger;
  readonly clock: () => Date;
}
