/** Tests of the lock that keeps two services from using one data directory. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDirectory, startOf } from './directory-lock.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('the lock of a data directory', () => {
  it('excludes a second service and says which process holds it', async () => {
    const lock = await lockDirectory(directory);
    await expect(lockDirectory(directory)).rejects.toThrow(`process id ${process.pid}`);
    lock.release();
    (await lockDirectory(directory)).release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it.each([
    ['whose process is gone', () => ({ host: hostname(), pid: spawnSync('true').pid, start: 'x' })],
    ['whose process id another process has reused', () => ({ host: hostname(), pid: process.pid, start: 'earlier' })],
    ['that names no holder', () => null],
  ])('takes over a lock %s', async (_, holder) => {
    writeFileSync(join(directory, 'lock'), JSON.stringify(holder()));
    const lock = await lockDirectory(directory);
    await expect(lockDirectory(directory)).rejects.toThrow(`process id ${process.pid}`);
    lock.release();
  });

  it('waits for a lock of another host until its file is no longer updated', async () => {
    const path = join(directory, 'lock');
    writeFileSync(path, JSON.stringify({ host: 'another-container', pid: process.pid, start: 'x' }));
    // A lock of another host is stale ten seconds after its last update, which is half a second away.
    const almostStale = new Date(Date.now() - 9_500);
    utimesSync(path, almostStale, almostStale);
    const startedAt = Date.now();
    (await lockDirectory(directory)).release();
    expect(Date.now() - startedAt).toBeGreaterThan(300);
  });

  it('lets exactly one of many take over a dead lock', async () => {
    writeFileSync(join(directory, 'lock'), JSON.stringify({ host: hostname(), pid: 1, start: 'never' }));
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(directory)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  it('recovers when a process died in the middle of a takeover', async () => {
    for (const name of ['lock', 'lock.takeover'])
      writeFileSync(join(directory, name), JSON.stringify({ host: hostname(), pid: 1, start: 'never' }));
    (await lockDirectory(directory)).release();
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('the start of a process', () => {
  it('is constant, and null for a process that does not run', () => {
    expect(startOf(process.pid)).toBe(startOf(process.pid));
    expect(startOf(process.pid)).not.toBeNull();
    expect(startOf(spawnSync('true').pid)).toBeNull();
  });
});
