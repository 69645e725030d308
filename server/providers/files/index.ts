/**
 * Stores the bytes of uploaded files. The interface `FileStorage` says what any store must do; `LocalDirectory` keeps
 * files under DATA_DIR, which is enough for one node or a shared volume.
 *
 * The provider has no tables and may use base only. The documents of the modules know which files exist: each module
 * stores the key of a file in its own transaction.
 *
 * An upload as an example: the request writes the file under a random key, complete or not at all
 * (`local-directory.ts`); the module inserts the document with that key and commits. If the transaction fails, no row
 * has the key, and a periodic job removes the file (`sweepOrphans` in `file-storage.ts`). `StorageWatch` checks for the
 * readiness of the service whether files can be written and how much room is left.
 */
export {
  FileMissingError,
  StorageUnavailable,
  sweepOrphans,
  type FileKey,
  type FileStorage,
  type StoredFiles,
} from './file-storage.ts';
export { LocalDirectory } from './local-directory.ts';
export { StorageWatch } from './storage-watch.ts';
