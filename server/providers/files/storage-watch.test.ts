/** Tests of watching whether the file storage can be written. */
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StorageCapacity } from './file-storage.ts';
import { StorageWatch } from './storage-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watching(room: () => Promise<StorageCapacity>) {
  const registry = new Registry();
  const told: string[] = [];
  const tell = (_: object, message: string): void => void told.push(message);
  const log = { info: tell, warn: tell, error: tell };
  return { watch: new StorageWatch({ capacity: room }, registry, log), registry, told };
}

describe('the watch over the file storage', () => {
  it('probes once a second, however many callers ask', async () => {
    const room = vi.fn(async () => ({ writable: true, freeBytes: 1 }));
    const { watch } = watching(room);
    for (let i = 0; i < 50; i++) expect(await watch.isWritable()).toBe(true);
    expect(room).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1001);
    await watch.isWritable();
    expect(room).toHaveBeenCalledTimes(2);
  });

  it('reports by metrics and, when the state changes, in the log', async () => {
    let now: StorageCapacity = { writable: true, freeBytes: 5_000_000_000 };
    const { watch, registry, told } = watching(async () => now);
    expect(await registry.metrics()).toMatch(/^file_storage_free_bytes 5000000000$[^]*^file_storage_writable 1$/m);
    now = { writable: false, freeBytes: 12 };
    vi.advanceTimersByTime(1001);
    expect(await registry.metrics()).toMatch(/^file_storage_free_bytes 12$[^]*^file_storage_writable 0$/m);
    now = { writable: true, freeBytes: 5_000_000_000 };
    vi.advanceTimersByTime(1001);
    expect(await watch.isWritable()).toBe(true);
    expect(told).toEqual(['the file storage takes no files', 'the file storage takes files again']);
  });

  it('counts a storage that fails or does not answer as unwritable, and does not probe the latter repeatedly', async () => {
    expect(await watching(() => Promise.reject(new Error('gone'))).watch.isWritable()).toBe(false);
    const room = vi.fn(() => new Promise<StorageCapacity>(() => undefined));
    const { watch } = watching(room);
    for (let i = 0; i < 5; i++) {
      const asked = watch.isWritable();
      await vi.advanceTimersByTimeAsync(4001);
      expect(await asked).toBe(false);
    }
    expect(room).toHaveBeenCalledTimes(1);
  });
});
