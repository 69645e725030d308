/** Tests of the warnings about a blocked event loop and about too much memory. */
import { setTimeout } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { afterEach, expect, it } from 'vitest';
import { createLog } from './log.ts';
import { ProcessAlarm } from './process-alarm.ts';

let alarm: ProcessAlarm;
afterEach(() => alarm.stop());

function start(memoryMebibytes: number): { registry: Registry; lines: string[] } {
  const [registry, lines] = [new Registry(), [] as string[]];
  alarm = new ProcessAlarm(registry, createLog('info', { write: (line) => lines.push(line) }), memoryMebibytes, 50);
  return { registry, lines };
}

it('reports once that the event loop was blocked, and once that it has recovered', async () => {
  const { registry, lines } = start(1_000_000);
  await setTimeout(120);
  const until = performance.now() + 1300;
  while (performance.now() < until);
  await expect
    .poll(() =>
      lines.some((line) => line.includes('"event_loop_delay"') && line.includes('the process needs attention')),
    )
    .toBe(true);
  await expect
    .poll(() => lines.some((line) => line.includes('"event_loop_delay"') && line.includes('the process has recovered')))
    .toBe(true);
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

it('reports that the process exceeds its memory limit', async () => {
  const { registry, lines } = start(1);
  await expect.poll(async () => registry.metrics()).toMatch(/^memory_alarm 1$/m);
  expect(lines.filter((line) => line.includes('"memory"'))).toHaveLength(1);
});
