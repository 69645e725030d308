import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { run } from './command.ts';
import { busy, measured, secondsIn, took, tookSoFar } from './processor.ts';

/** Half a second of the processor, whatever else the machine does. */
const BUSY = 'while (process.cpuUsage().user < 500_000);';

it('a step takes what its command takes, and what the commands take that it starts', async () => {
  const nested = `require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(BUSY)}]); process.exitCode = 7`;
  const { result, seconds } = await measured(() => run('processor-test', process.execPath, ['-e', nested]));
  expect(result.code).toBe(7);
  expect(seconds).toBeGreaterThan(0.45);
});

it('a step takes nothing of one that runs beside it', async () => {
  const [idle, busy] = await Promise.all([measured(async () => 'idle'), measured(() => run('processor-test-beside', process.execPath, ['-e', BUSY]))]);
  expect(idle).toEqual({ result: 'idle', seconds: 0 });
  expect(busy.seconds).toBeGreaterThan(0.45);
});

it('a command that cannot be found fails, with the words of the shell', async () => {
  const { code, output } = await run('processor-test-missing', 'no-such-command', []);
  expect(code).toBe(127);
  expect(output).toMatch(/not found/);
});

it('what a service has taken is known before it is stopped, with what its own children have', async () => {
  const started = `${BUSY} require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(`${BUSY} console.log('busy'); setInterval(() => {}, 1000)`)}], { stdio: ['ignore', 'inherit', 'inherit'] })`;
  const child = spawn(process.execPath, ['-e', started], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  try {
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const { seconds } = await measured(async () => tookSoFar(child.pid));
    // Where the system does not show it, nothing is made up.
    expect(seconds).toBeGreaterThanOrEqual(existsSync('/proc/self/stat') ? 0.9 : 0);
  } finally {
    process.kill(-child.pid!, 'SIGKILL');
  }
});

it('reads what shells print, with a point or a comma', () => {
  expect(secondsIn('0m0.01s 0m0.02s\n1m2.50s 0m3.47s\n')).toBeCloseTo(66);
  expect(secondsIn('0m0,010s 0m0,020s\n1m2,500s 0m3,470s\n')).toBeCloseTo(66);
});

it('outside of a step nothing is added up', () => {
  expect(() => took(1)).not.toThrow();
});

it('the processors were busy for at least as long as a step took', async () => {
  const before = busy();
  const { seconds } = await measured(() => run('processor-test-busy', process.execPath, ['-e', BUSY]));
  // The system counts in hundredths, for each processor.
  expect(busy() - before).toBeGreaterThan(seconds * 0.9);
});
