/** Tests of measuring the processor time of a step. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { run } from './command.ts';
import { busy, measured, secondsIn, took, tookSoFar } from './processor.ts';

/** Uses half a second of processor time, whatever else the machine does. */
const BUSY = 'while (process.cpuUsage().user < 500_000);';

it('the time of a step includes that of its command and of the commands that this one starts', async () => {
  const nested =
    `require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(BUSY)}]); ` +
    'process.exitCode = 7';
  const { result, seconds } = await measured(() => run('processor-test', process.execPath, ['-e', nested]));
  expect(result.code).toBe(7);
  expect(seconds).toBeGreaterThan(0.45);
});

it('the time of a step does not include that of a step that runs beside it', async () => {
  const [idle, busy] = await Promise.all([
    measured(async () => 'idle'),
    measured(() => run('processor-test-beside', process.execPath, ['-e', BUSY])),
  ]);
  expect(idle).toEqual({ result: 'idle', seconds: 0 });
  expect(busy.seconds).toBeGreaterThan(0.45);
});

it('a command that cannot be found fails with the message of the shell', async () => {
  const { code, output } = await run('processor-test-missing', 'no-such-command', []);
  expect(code).toBe(127);
  expect(output).toMatch(/not found/);
});

it('the time of a service and of its children is known before the service is stopped', async () => {
  const started =
    `${BUSY} require('node:child_process').spawn(process.execPath, ['-e', ` +
    `${JSON.stringify(`${BUSY} console.log('busy'); setInterval(() => {}, 1000)`)}], { stdio: ['ignore', ` +
    "'inherit', 'inherit'] })";
  const child = spawn(process.execPath, ['-e', started], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  try {
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const { seconds } = await measured(async () => tookSoFar(child.pid));
    // If the system does not report the time, nothing is added.
    expect(seconds).toBeGreaterThanOrEqual(existsSync('/proc/self/stat') ? 0.9 : 0);
  } finally {
    process.kill(-child.pid!, 'SIGKILL');
  }
});

it('parses what shells print, with a point or a comma', () => {
  expect(secondsIn('0m0.01s 0m0.02s\n1m2.50s 0m3.47s\n')).toBeCloseTo(66);
  expect(secondsIn('0m0,010s 0m0,020s\n1m2,500s 0m3,470s\n')).toBeCloseTo(66);
});

it('nothing is added up outside of a step', () => {
  expect(() => took(1)).not.toThrow();
});

it('the processors were busy for at least as long as a step took', async () => {
  const before = busy();
  const { seconds } = await measured(() => run('processor-test-busy', process.execPath, ['-e', BUSY]));
  // The system counts hundredths of a second for each processor.
  expect(busy() - before).toBeGreaterThan(seconds * 0.9);
});
