import type { Config } from './config.ts';
import type { Database } from './database/index.ts';
import type { Cursors } from './http/cursor.ts';
import type { FileStorage } from './providers/files/index.ts';
import type { Secrets } from './secrets.ts';

/** What lives as long as the process. Each group's factory takes it; what belongs to a request is in its `Context`. */
export interface Services {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly database: Database;
  readonly cursors: Cursors;
  readonly files: FileStorage;
}
