/**
 * Tells whether files can be written, for readiness, metrics and the log. Created by server/start.ts. A hanging volume
 * counts as not writable.
 */
import { Gauge, type Registry } from 'prom-client';
import type { Log } from '../../base/log.ts';
import type { FileStorage, StorageCapacity } from './file-storage.ts';

/** Probes are cached because they write and any caller may request one. */
const PROBE_CACHE_MILLISECONDS = 1000;
/** Probes time out because a network volume may neither accept a file nor refuse it. */
const PROBE_TIMEOUT_MILLISECONDS = 2000;
const NO_CAPACITY: StorageCapacity = { writable: false, freeBytes: null };

/**
 * Watches whether the file storage accepts files: for the readiness of this process, as metrics to alert on, and in the
 * log when the state changes.
 */
export class StorageWatch {
  readonly #storage: Pick<FileStorage, 'capacity'>;
  readonly #log: Log;
  #latest: Promise<StorageCapacity> | null = null;
  /** The probe in progress. There is at most one, because each probe of a hanging volume blocks a thread. */
  #probe: Promise<StorageCapacity> | null = null;
  #writable = true;

  constructor(storage: Pick<FileStorage, 'capacity'>, registry: Registry, log: Log) {
    this.#storage = storage;
    this.#log = log;
    const room = (): Promise<StorageCapacity> => this.#room();
    const registers = [registry];
    new Gauge({
      name: 'file_storage_free_bytes',
      help: 'Room that is left where uploaded files are kept.',
      registers,
      async collect() {
        this.set((await room()).freeBytes ?? 0);
      },
    });
    new Gauge({
      name: 'file_storage_writable',
      help: 'Whether the file storage takes files: 1 or 0.',
      registers,
      async collect() {
        this.set(Number((await room()).writable));
      },
    });
  }

  async isWritable(): Promise<boolean> {
    return (await this.#room()).writable;
  }

  #room(): Promise<StorageCapacity> {
    if (this.#latest === null) {
      this.#latest = this.#look();
      setTimeout(() => (this.#latest = null), PROBE_CACHE_MILLISECONDS).unref();
    }
    return this.#latest;
  }

  async #look(): Promise<StorageCapacity> {
    const { promise: late, resolve } = Promise.withResolvers<StorageCapacity>();
    const timer = setTimeout(() => resolve(NO_CAPACITY), PROBE_TIMEOUT_MILLISECONDS);
    this.#probe ??= this.#storage
      .capacity()
      .catch(() => NO_CAPACITY)
      .finally(() => (this.#probe = null));
    const room = await Promise.race([this.#probe, late]);
    clearTimeout(timer);
    if (room.writable !== this.#writable) {
      this.#writable = room.writable;
      if (room.writable) this.#log.info({ freeBytes: room.freeBytes }, 'the file storage takes files again');
      else this.#log.error({ freeBytes: room.freeBytes }, 'the file storage takes no files');
    }
    return room;
  }
}
