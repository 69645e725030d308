export { FileMissingError, StorageUnavailable, type FileKey, type FileStorage, type StoredFiles } from './file-storage.ts';
export { LocalDirectory } from './local-directory.ts';
export { sweepOrphans } from './file-storage.ts';
export { StorageWatch } from './storage-watch.ts';
