/** Tests of inspecting files apart from the service, with limits of time and memory. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ratioOf } from '../../../../test/support/processor-time.ts';
import { jpeg, pdf } from '../../../../test/support/specimens.ts';
import { Problem } from '../../../contract/problem.ts';
import { Inspector, type InspectorOptions, type Verdict } from './inspector.ts';

const MiB = 1024 * 1024;
const A = 'tenant a';
const B = 'tenant b';
let inspector: Inspector;

beforeAll(() => {
  // Inspection processes may read only their own program, so the test programs are in this folder.
  folder = mkdtempSync(join(import.meta.dirname, 'programs-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => inspector.close());

function inspecting(options?: InspectorOptions): Inspector {
  return (inspector = new Inspector(options));
}

const GOOD = "process.send({ inspection: { mimeType: 'image/png', pageCount: null } })";
let folder: string;

/** Writes a program that replaces the inspection. Its body receives `declaredType`. */
function programOf(body: string): string {
  const path = join(folder, `${randomUUID()}.mjs`);
  writeFileSync(
    path,
    "process.stdin.resume(); process.on('disconnect', () => process.exit()); process.on('message', ({ " +
      `declaredType }) => { ${body} });`,
  );
  return path;
}
const stuck = (): string => programOf(`while (declaredType === 'stuck'); ${GOOD}`);
const code = (verdict: Verdict): string => (verdict instanceof Problem ? verdict.code : verdict.mimeType);
const refused = (waiting: Promise<Verdict>): Promise<string> => waiting.then(code, (error: Problem) => error.code);

describe('the inspector', () => {
  it('returns the format of a file, or why the file is rejected', async () => {
    inspecting();
    expect(await inspector.inspect(A, pdf({ pages: 2 }), '')).toEqual({
      mimeType: 'application/pdf',
      pageCount: 2,
      kept: null,
    });
    expect(await inspector.inspect(A, jpeg({ width: 100 }), '')).toMatchObject({
      code: 'image_too_small',
      status: 422,
    });
    expect(await inspector.inspect(A, jpeg().subarray(0, 400), '')).toMatchObject({
      code: 'corrupt_file',
      members: { detail: expect.stringMatching(/cut off/) },
    });
  });

  it('does not change the bytes of the file, which the caller stores', async () => {
    const bytes = jpeg();
    await inspecting().inspect(A, bytes, '');
    expect(bytes.equals(jpeg())).toBe(true);
  });

  // Compares the work of this thread with that for a file of the same size that is not parsed.
  it.each([
    ['a JPEG', Buffer.concat([jpeg().subarray(0, -2), Buffer.alloc(15 * MiB - 2048), Buffer.of(0xff, 0xd9)])],
    ['a PDF of objects', Buffer.concat([pdf(), Buffer.from(' 1 0 obj[<</A 1>>]'.repeat((15 * MiB) / 20)), pdf()])],
    ['a PDF of strings', Buffer.concat([pdf(), Buffer.from(' 1 0 obj('.repeat((15 * MiB) / 10)), pdf()])],
    ['rubbish', Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(15 * MiB, ' 1 0 obj/'), Buffer.from('%%EOF')])],
  ])('does not block the event loop: %s of 15 MiB', async (_, bytes) => {
    inspecting();
    await inspector.inspect(A, jpeg(), '');
    const nothing = Buffer.alloc(bytes.length);
    let milliseconds = 0;
    const inspect = async () => {
      const start = performance.now();
      await inspector.inspect(A, bytes, '');
      milliseconds = performance.now() - start;
    };
    // Waits as long as the inspection of the file, because what else this thread does meanwhile counts for both.
    const inspectNothing = () => Promise.all([inspector.inspect(A, nothing, ''), sleep(milliseconds)]);
    await inspect();
    // A garbage collection of what ran before may fall into one measurement, never into all three.
    const ratios: number[] = [];
    do ratios.push(await ratioOf(inspect, inspectNothing));
    while (ratios.at(-1)! >= 2 && ratios.length < 3);
    expect(ratios.at(-1)).toBeLessThan(2);
  });

  it('gives up a file that takes too long and continues with the next', async () => {
    inspecting({ program: stuck(), limitMilliseconds: 3000 });
    expect(await inspector.inspect(A, Buffer.of(1), 'stuck')).toMatchObject({
      code: 'corrupt_file',
      members: { detail: 'The file takes too long to inspect.' },
    });
    expect(code(await inspector.inspect(A, Buffer.of(1), ''))).toBe('image/png');
  });

  it('gives up a file that takes too much memory and continues', async () => {
    inspecting({
      program: programOf(
        `const kept = []; while (declaredType === 'greedy') kept.push(new Array(1000).fill(declaredType)); ${GOOD}`,
      ),
    });
    expect(await inspector.inspect(A, Buffer.of(1), 'greedy')).toMatchObject({
      code: 'corrupt_file',
      members: { detail: 'The file takes too much memory to inspect.' },
    });
    expect(code(await inspector.inspect(A, Buffer.of(1), ''))).toBe('image/png');
  });

  it('survives a process that ends between two files', async () => {
    inspecting({ program: programOf(`${GOOD}; setTimeout(() => process.abort(), 5)`) });
    expect(code(await inspector.inspect(A, Buffer.of(1), ''))).toBe('image/png');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(code(await inspector.inspect(A, Buffer.of(1), ''))).toBe('image/png');
  });

  it('distinguishes a defect of its own from a bad file', async () => {
    inspecting({ program: programOf("process.send({ defect: 'TypeError: ours' })") });
    await expect(inspector.inspect(A, Buffer.of(1), '')).rejects.toThrow('The inspection of a file failed');
  });

  it('lets a tenant occupy one process, never the others', async () => {
    inspecting({ program: stuck(), limitMilliseconds: 3000 });
    const waiting = [1, 2, 3].map(() => inspector.inspect(A, Buffer.of(1), 'stuck'));
    expect(code(await inspector.inspect(B, Buffer.of(1), ''))).toBe('image/png');
    inspector.close();
    await Promise.allSettled(waiting);
  });

  it('bounds the queue, and more tightly for each tenant', async () => {
    inspecting({ program: stuck() });
    const waiting = Array.from({ length: 17 }, () => refused(inspector.inspect(A, Buffer.of(1), 'stuck')));
    expect(await refused(inspector.inspect(A, Buffer.of(1), ''))).toBe('overloaded');
    expect(code(await inspector.inspect(B, Buffer.of(1), ''))).toBe('image/png');
    for (const tenant of ['c', 'd', 'e', 'f'])
      for (let i = 0; i < 16; i++) waiting.push(refused(inspector.inspect(tenant, Buffer.of(1), 'stuck')));
    expect(await refused(inspector.inspect('g', Buffer.of(1), ''))).toBe('overloaded');
    inspector.close();
    expect((await Promise.all(waiting)).filter((each) => each === 'overloaded').length).toBeGreaterThanOrEqual(60);
  });

  it('gives its processes no secrets and lets them neither write, read other files nor start processes', async () => {
    process.env['A_SECRET'] = 'x';
    inspecting({
      program: programOf(`
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
      process.send({ inspection: { mimeType: done.join(' '), pageCount: null } })`),
    });
    delete process.env['A_SECRET'];
    expect(await inspector.inspect(A, Buffer.of(1), '')).toEqual({
      mimeType: 'TypeError ERR_ACCESS_DENIED ERR_ACCESS_DENIED ERR_ACCESS_DENIED ERR_ACCESS_DENIED',
      pageCount: null,
    });
  });

  it('rejects with dependency_unavailable if no process can be started', async () => {
    inspecting();
    const node = process.execPath;
    process.execPath = '/nowhere/node';
    const refusal = refused(inspector.inspect(A, Buffer.of(1), ''));
    process.execPath = node;
    expect(await refusal).toBe('dependency_unavailable');
  });
});
