import type { Config } from './config.ts';
import type { Database } from './database/index.ts';
import type { DirectorySimulator } from './directory-simulator/index.ts';
import type { Inspector } from './groups/applications/index.ts';
import type { AuditAlarm } from './groups/audit/index.ts';
import type { FeedAlarm } from './groups/funds-recovery/health/index.ts';
import type { Ingestion } from './groups/funds-recovery/ingestion/index.ts';
import type { AccessTokens } from './http/access-token.ts';
import type { ApiKeys } from './http/api-keys.ts';
import type { Credentials } from './http/credentials.ts';
import type { Cursors } from './http/cursor.ts';
import type { FailedAuthentications } from './http/failed-authentications.ts';
import type { Logger } from './http/log.ts';
import type { FileStorage } from './providers/files/index.ts';
import type { Mailer, Outbox } from './providers/mail/index.ts';
import type { Secrets } from './secrets.ts';

/** What lives as long as the process. Each group's factory takes it; what belongs to a request is in its `Context`. */
export interface Services {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly database: Database;
  readonly cursors: Cursors;
  readonly tokens: AccessTokens;
  /** Verifies the secret of an API key, which is a client secret at the token endpoint too. */
  readonly apiKeys: ApiKeys;
  /** Credentials that were not genuine, by the address that presented them. */
  readonly failures: FailedAuthentications;
  /** What this process remembers of keys and sessions: tell it, after the commit, what has changed. */
  readonly credentials: Credentials;
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
