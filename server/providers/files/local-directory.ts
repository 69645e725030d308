/**
 * Stores files in a local directory. Created by server/start.ts. Writes are atomic and synced; a full or broken disk
 * throws `StorageUnavailable`, a missing file `FileMissingError`. Keys come from the storage, never from a client.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { HOUR_MILLISECONDS } from '../../base/time.ts';
import { isUuid } from '../../base/uuid.ts';
import {
  type FileKey,
  FileMissingError,
  type FileStorage,
  type StorageCapacity,
  StorageUnavailable,
  type StoredFiles,
} from './file-storage.ts';

/**
 * Syncs a directory, because a renamed or created entry survives a crash only once its directory has reached the disk.
 */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

const SHARD = /^[0-9a-f]{2}$/;
const NAME = /^[0-9a-f]{32}$/;
/** Folder of incoming files, on the same file system as the others, so that a rename is atomic. */
const INCOMING = 'incoming';
const BATCH = 500;
/**
 * Age below which incoming files are left alone, because another process may share the directory and be writing them.
 */
const INCOMING_GRACE_MILLISECONDS = HOUR_MILLISECONDS;
/** Minimum free space: room for a few simultaneous files, and for the database if it is on the same disk. */
const LEAST_FREE_BYTES = 64 * 1024 * 1024;
const PROBE_BYTES = 4096;

/** The embedded default: a directory with a folder per owner, each with 256 shards. */
export class LocalDirectory implements FileStorage {
  readonly #root: string;
  readonly #directories = new Map<string, Promise<void>>();
  /** Size of the last refused file. A disk or quota that is too full for it may still accept a smaller one. */
  #lastRefused = 0;

  private constructor(root: string) {
    this.#root = root;
  }

  /** Creates the directory if it is missing, for this account only, and removes half-written files of a crash. */
  static async open(root: string, now: Date): Promise<LocalDirectory> {
    await mkdir(join(root, INCOMING), { recursive: true, mode: 0o700 });
    await Promise.all([syncDirectory(root), syncDirectory(dirname(root))]);
    const directory = new LocalDirectory(root);
    await directory.#discardIncoming(new Date(now.getTime() - INCOMING_GRACE_MILLISECONDS));
    return directory;
  }

  async put(owner: string, bytes: Uint8Array): Promise<FileKey> {
    const name = randomBytes(16).toString('hex');
    const key = `${owner}/${name}`;
    const path = this.#path(key);
    const incoming = join(this.#root, INCOMING, name);
    try {
      await writeDurably(incoming, bytes);
      await this.#ensureDirectory(dirname(dirname(path)));
      await this.#ensureDirectory(dirname(path));
      await rename(incoming, path);
      await syncDirectory(dirname(path));
    } catch (error) {
      this.#lastRefused = bytes.length;
      // Files that cannot be removed now are removed at the next start or by the sweep.
      await Promise.allSettled([incoming, path].map((left) => rm(left, { force: true })));
      throw new StorageUnavailable(error);
    }
    this.#lastRefused = 0;
    return key;
  }

  async replace(key: FileKey, bytes: Uint8Array): Promise<void> {
    const path = this.#path(key);
    const incoming = join(this.#root, INCOMING, randomBytes(16).toString('hex'));
    try {
      await writeDurably(incoming, bytes);
      await rename(incoming, path);
      await syncDirectory(dirname(path));
    } catch (error) {
      await rm(incoming, { force: true }).catch(() => undefined);
      throw new StorageUnavailable(error);
    }
  }

  async capacity(): Promise<StorageCapacity> {
    const { bavail, bsize } = await statfs(this.#root);
    const freeBytes = bavail * bsize;
    return {
      freeBytes,
      writable: freeBytes >= LEAST_FREE_BYTES && (await this.#takes(Math.max(PROBE_BYTES, this.#lastRefused))),
    };
  }

  async #takes(bytes: number): Promise<boolean> {
    const probe = join(this.#root, INCOMING, randomBytes(16).toString('hex'));
    try {
      await writeDurably(probe, randomBytes(bytes));
      return true;
    } catch {
      return false;
    } finally {
      await rm(probe, { force: true }).catch(() => undefined);
    }
  }

  async open(key: FileKey, signal?: AbortSignal): Promise<Readable> {
    const file = await open(this.#path(key), 'r').catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new FileMissingError(key) : new StorageUnavailable(error);
    });
    if (signal === undefined) return file.createReadStream();
    if (!signal.aborted) return file.createReadStream({ signal });
    // A stream would emit an error before it has a listener, which would end the process.
    await file.close();
    throw signal.reason;
  }

  async delete(key: FileKey): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  async *storedBefore(instant: Date): AsyncGenerator<StoredFiles> {
    for (const owner of (await readdir(this.#root)).filter(isUuid)) {
      let keys: FileKey[] = [];
      for (const shard of await namesIn(join(this.#root, owner), SHARD)) {
        for (const name of await namesIn(join(this.#root, owner, shard), NAME)) {
          if (!(await isOlder(join(this.#root, owner, shard, name), instant))) continue;
          keys.push(`${owner}/${name}`);
          if (keys.length < BATCH) continue;
          yield { owner, keys };
          keys = [];
        }
      }
      if (keys.length > 0) yield { owner, keys };
    }
  }

  /** Removes old incoming files. Their keys were never returned to a caller. */
  async #discardIncoming(before: Date): Promise<void> {
    const incoming = join(this.#root, INCOMING);
    for (const name of await namesIn(incoming, NAME)) {
      if (await isOlder(join(incoming, name), before)) await rm(join(incoming, name), { force: true });
    }
  }

  #path(key: FileKey): string {
    const [owner = '', name = '', ...rest] = key.split('/');
    if (!isUuid(owner) || !NAME.test(name) || rest.length > 0)
      throw new Error('A file key is a UUID, a slash and 32 hexadecimal digits');
    return join(this.#root, owner, name.slice(0, 2), name);
  }

  #ensureDirectory(path: string): Promise<void> {
    const known = this.#directories.get(path) ?? this.#createDirectory(path);
    this.#directories.set(path, known);
    return known;
  }

  async #createDirectory(path: string): Promise<void> {
    try {
      await mkdir(path, { recursive: true, mode: 0o700 });
      await syncDirectory(dirname(path));
    } catch (error) {
      this.#directories.delete(path);
      throw error;
    }
  }
}

async function namesIn(path: string, form: RegExp): Promise<string[]> {
  return (await readdir(path)).filter((name) => form.test(name));
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function isOlder(path: string, instant: Date): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.mtimeMs < instant.getTime();
}
