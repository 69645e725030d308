/** Tests of reading pictures apart from the service, with limits of time, memory and rights. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { areModelsIn, Reader, type ReaderOptions } from './readers.ts';

const REQUEST = { bytes: Buffer.of(1), page: null, today: '2026-11-20' };
const going = new AbortController().signal;
let folder: string;
let reader: Reader;
beforeAll(() => {
  // The processes may read only the programs of verification, so the test programs are in this folder.
  folder = mkdtempSync(join(import.meta.dirname, 'programs-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => reader.close());

/** Starts a reader whose program answers each picture by the body, which receives its first byte. */
function reading(body: string, options: Partial<ReaderOptions> = {}): Reader {
  const program = join(folder, `${randomUUID()}.mjs`);
  writeFileSync(
    program,
    `process.on('disconnect', () => process.exit()); process.on('message', ({ bytes: [first] }) => { ${body} });`,
  );
  reader = new Reader({ folder, program, ...options });
  return reader;
}
const GOOD = 'process.send({ unreadable: true })';
const read = (first = 1) => reader.read({ ...REQUEST, bytes: Buffer.of(first) }, going);

describe('the reader of pictures', () => {
  it('returns what its process answers, one picture after another', async () => {
    reading(GOOD);
    expect(await Promise.all([read(), read(), read()])).toEqual(
      Array.from({ length: 3 }, () => ({ unreadable: true })),
    );
  });

  it('says that its process died, and goes on with another one', async () => {
    reading(`if (first === 2) process.abort(); ${GOOD}`);
    expect([await read(2), await read()]).toEqual([{ failure: 'died' }, { unreadable: true }]);
  });

  it('ends a process that takes too long', async () => {
    reading(`while (first === 2); ${GOOD}`, { limitMilliseconds: 2_000 });
    expect([await read(2), await read()]).toEqual([{ failure: 'late' }, { unreadable: true }]);
  });

  it('ends a process that grows too large', async () => {
    const grow = 'if (first === 2) { globalThis.kept = Buffer.alloc(400 * 2 ** 20, 1); setTimeout(() => 0, 60_000); }';
    reading(`${grow} else ${GOOD}`, { mostMebibytes: 300 });
    expect([await read(2), await read()]).toEqual([{ failure: 'too_large' }, { unreadable: true }]);
  });

  it('replaces a process in which earlier pictures left too little room, and fails none for it', async () => {
    const keep = '(globalThis.kept ??= []).push(Buffer.alloc(100 * 2 ** 20, first));';
    reading(`${keep} process.send({ unreadable: true, pid: process.pid })`, { mostMebibytes: 400 });
    const pids = [];
    for (let i = 0; i < 8; i++) pids.push(((await read()) as unknown as { pid?: number }).pid);
    expect(pids).not.toContain(undefined);
    expect(new Set(pids).size).toBeGreaterThan(1);
  });

  it('replaces a process that has done enough', async () => {
    reading('process.send({ unreadable: true, pid: process.pid })', { mostJobs: 2 });
    const pids = [];
    for (let i = 0; i < 4; i++) pids.push(((await read()) as unknown as { pid: number }).pid);
    expect([pids[0] === pids[1], pids[1] === pids[2], pids[2] === pids[3]]).toEqual([true, false, true]);
  });

  it('stops with its caller, before a picture or during one', async () => {
    reading('if (first !== 2) process.send({ unreadable: true })');
    const stopping = new AbortController();
    const running = reader.read({ ...REQUEST, bytes: Buffer.of(2) }, stopping.signal);
    const waiting = reader.read(REQUEST, stopping.signal);
    setTimeout(() => stopping.abort(), 50);
    expect(await Promise.all([running, waiting])).toEqual([{ failure: 'stopped' }, { failure: 'stopped' }]);
    expect(await read()).toEqual({ unreadable: true });
  });

  it('gives its processes no secrets and lets them neither write, read other files nor start processes', async () => {
    process.env['A_SECRET'] = 'x';
    reading(`
      const attempts = [
        () => process.env.A_SECRET.length,
        () => process.getBuiltinModule('fs').readFileSync('/etc/passwd'),
        () => process.getBuiltinModule('fs').writeFileSync(import.meta.filename, ''),
        () => process.getBuiltinModule('child_process').execSync('true'),
        () => new (process.getBuiltinModule('worker_threads').Worker)('1', { eval: true }),
      ];
      const done = attempts.map((attempt) => {
        try { attempt(); return 'done'; } catch (error) { return error.code ?? error.name; }
      });
      process.send({ done: done.join(' ') })`);
    const answer = await read();
    delete process.env['A_SECRET'];
    expect(answer).toEqual({
      done: 'TypeError ERR_ACCESS_DENIED ERR_ACCESS_DENIED ERR_ACCESS_DENIED ERR_ACCESS_DENIED',
    });
  });

  it('knows whether its packages are installed', () => {
    reading(GOOD);
    expect(areModelsIn(folder)).toBe(false);
  });
});
