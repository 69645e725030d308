import { randomBytes } from 'node:crypto';
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { FileMissingError, type FileKey, type FileStorage } from './file-storage.ts';
import { syncDirectory } from './sync-directory.ts';

const KEY = /^[0-9a-f]{32}$/;
const SHARD = /^[0-9a-f]{2}$/;
/** Files on their way in. On the same file system as the shards, so that a rename is atomic. */
const INCOMING = 'incoming';
const BATCH = 500;
/** Another process may share the directory and be writing right now. */
const INCOMING_GRACE_MILLISECONDS = 60 * 60 * 1000;

/** The embedded default: a directory with 256 shards. */
export class LocalDirectory implements FileStorage {
  readonly #root: string;
  readonly #shards = new Map<string, Promise<void>>();

  private constructor(root: string) {
    this.#root = root;
  }

  /** Creates the directory when it is missing, for this account only, and clears what a crash left half written. */
  static async open(root: string, now: Date): Promise<LocalDirectory> {
    await mkdir(join(root, INCOMING), { recursive: true, mode: 0o700 });
    await syncDirectory(root);
    const directory = new LocalDirectory(root);
    await directory.#discardIncoming(new Date(now.getTime() - INCOMING_GRACE_MILLISECONDS));
    return directory;
  }

  async put(bytes: Uint8Array): Promise<FileKey> {
    const key = randomBytes(16).toString('hex');
    const incoming = join(this.#root, INCOMING, key);
    try {
      await writeDurably(incoming, bytes);
      await this.#ensureShard(shardOf(key));
      await rename(incoming, this.#path(key));
    } catch (error) {
      await rm(incoming, { force: true });
      throw error;
    }
    await syncDirectory(join(this.#root, shardOf(key)));
    return key;
  }

  async open(key: FileKey, signal?: AbortSignal): Promise<Readable> {
    const file = await open(this.#path(key), 'r').catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new FileMissingError(key) : error;
    });
    return file.createReadStream(signal === undefined ? {} : { signal });
  }

  async delete(key: FileKey): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  async *storedBefore(instant: Date): AsyncGenerator<readonly FileKey[]> {
    let batch: FileKey[] = [];
    for await (const { name } of await opendir(this.#root)) {
      if (!SHARD.test(name)) continue;
      for await (const entry of await opendir(join(this.#root, name))) {
        if (KEY.test(entry.name) && await isOlder(join(this.#root, name, entry.name), instant)) batch.push(entry.name);
        if (batch.length === BATCH) {
          yield batch;
          batch = [];
        }
      }
    }
    if (batch.length > 0) yield batch;
  }

  /** Nobody was ever told the key of such a file. */
  async #discardIncoming(before: Date): Promise<void> {
    const incoming = join(this.#root, INCOMING);
    for await (const { name } of await opendir(incoming)) {
      if (await isOlder(join(incoming, name), before)) await rm(join(incoming, name), { force: true });
    }
  }

  #path(key: FileKey): string {
    if (!KEY.test(key)) throw new Error('A file key is 32 hexadecimal digits');
    return join(this.#root, shardOf(key), key);
  }

  #ensureShard(shard: string): Promise<void> {
    const known = this.#shards.get(shard) ?? this.#createShard(shard);
    this.#shards.set(shard, known);
    return known;
  }

  async #createShard(shard: string): Promise<void> {
    try {
      await mkdir(join(this.#root, shard), { recursive: true, mode: 0o700 });
      await syncDirectory(this.#root);
    } catch (error) {
      this.#shards.delete(shard);
      throw error;
    }
  }
}

function shardOf(key: FileKey): string {
  return key.slice(0, 2);
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
