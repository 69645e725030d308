/** Tests of the warnings about a blocked event loop and about too much memory. */
import { setTimeout } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { afterEach, expect, it } from 'vitest';
import { createLog } from './log.ts';
import { ProcessAlarm } from './process-alarm.ts';

let alarm: ProcessAlarm;
afterEach(() => alarm.stop());

function start(memoryMebibytes: number, sampledMilliseconds = 50): { registry: Registry; lines: string[] } {
  const [registry, lines] = [new Registry(), [] as string[]];
  alarm = new ProcessAlarm(
    registry,
    createLog('info', { write: (line) => lines.push(line) }),
    memoryMebibytes,
    sampledMilliseconds,
  );
  return { registry, lines };
}

function block(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

const ABOUT_DELAYS = { timeout: 30_000 };
const hasReported = (lines: readonly string[], message: string): boolean =>
  lines.some((line) => line.includes('"event_loop_delay"') && line.includes(message));

it('reports once that the event loop was blocked, and once that it has recovered', async () => {
  const { registry, lines } = start(1_000_000);
  await setTimeout(120);
  block(1300);
  await expect.poll(() => hasReported(lines, 'the process needs attention'), ABOUT_DELAYS).toBe(true);
  await expect.poll(() => hasReported(lines, 'the process has recovered'), ABOUT_DELAYS).toBe(true);
  const metrics = await registry.metrics();
  for (const name of [
    'event_loop_delay_seconds{quantile="0.99"}',
    'event_loop_delay_alarm',
    'memory_alarm 0',
    'memory_bytes',
    'memory_heap_share',
  ])
    expect(metrics).toContain(name);
});

it('reports a blocked turn whose sample is taken before the histogram has recorded the turn', async () => {
  const moreOftenThanTheHistogramRecords = 3;
  const { lines } = start(1_000_000, moreOftenThanTheHistogramRecords);
  await setTimeout(60);
  block(1300);
  await expect.poll(() => hasReported(lines, 'the process needs attention'), ABOUT_DELAYS).toBe(true);
});

it('reports that the process exceeds its memory limit', async () => {
  const { registry, lines } = start(1);
  await expect.poll(async () => registry.metrics()).toMatch(/^memory_alarm 1$/m);
  expect(lines.filter((line) => line.includes('"memory"'))).toHaveLength(1);
});
