/**
 * Alerts the operators if the event loop is blocked or memory runs out. Created by server/start.ts. It only reports, by
 * log and metrics.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { Gauge, type Registry } from 'prom-client';
import type { Log } from './log.ts';

const MiB = 1024 * 1024;
const SAMPLE_MILLISECONDS = 10_000;
/** Resolution of the measurement. Every measured delay contains it, so it is subtracted. */
const RESOLUTION_MILLISECONDS = 10;
/**
 * Delays that affect other tenants: one per cent of the turns are later than `p99`, or a single turn is later than
 * `max`.
 */
const DELAY_SECONDS = { p99: 0.1, max: 1 };
const HEAP_SHARE = 0.85;

/**
 * Alerts the operators if work blocks the event loop, which every request waits for, or if memory runs out. The alarm
 * is logged when it begins and when it ends, and is exported as metrics.
 */
export class ProcessAlarm {
  readonly #log: Log;
  readonly #memoryBytes: number;
  readonly #delays = monitorEventLoopDelay({ resolution: RESOLUTION_MILLISECONDS });
  readonly #delay: Gauge<'quantile'>;
  readonly #alarms: Readonly<Record<'event_loop_delay' | 'memory', Gauge>>;
  readonly #raised = { event_loop_delay: false, memory: false };
  readonly #sampledMilliseconds: number;
  readonly #timer: NodeJS.Timeout;
  #sampledAt = performance.now();

  constructor(registry: Registry, log: Log, memoryMebibytes: number, sampledMilliseconds = SAMPLE_MILLISECONDS) {
    this.#log = log;
    this.#memoryBytes = memoryMebibytes * MiB;
    const registers = [registry];
    this.#delay = new Gauge({
      name: 'event_loop_delay_seconds',
      help: 'Delay of the event loop in the last ten seconds.',
      labelNames: ['quantile'],
      registers,
    });
    this.#alarms = {
      event_loop_delay: new Gauge({
        name: 'event_loop_delay_alarm',
        help: '1 while the event loop is held up.',
        registers,
      }),
      memory: new Gauge({ name: 'memory_alarm', help: '1 while the process has too much memory.', registers }),
    };
    new Gauge({
      name: 'memory_bytes',
      help: 'Resident memory of the process.',
      registers,
      collect() {
        this.set(process.memoryUsage.rss());
      },
    });
    new Gauge({
      name: 'memory_heap_share',
      help: 'Used part of the heap that the process may have.',
      registers,
      collect() {
        this.set(heapShare());
      },
    });
    this.#sampledMilliseconds = sampledMilliseconds;
    this.#delays.enable();
    this.#timer = setInterval(() => this.#sample(), sampledMilliseconds).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#delays.disable();
  }

  #sample(): void {
    const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MILLISECONDS / 1000);
    const p99 = seconds(this.#delays.percentile(99));
    const max = Math.max(seconds(this.#delays.max), this.#lateSeconds());
    this.#delays.reset();
    this.#delay.set({ quantile: '0.99' }, p99);
    this.#delay.set({ quantile: '1' }, max);
    this.#set('event_loop_delay', p99 > DELAY_SECONDS.p99 || max > DELAY_SECONDS.max, { p99, max });
    const [rss, share] = [process.memoryUsage.rss(), heapShare()];
    this.#set('memory', rss > this.#memoryBytes || share > HEAP_SHARE, {
      mebibytes: Math.round(rss / MiB),
      heapShare: Math.round(share * 100) / 100,
    });
  }

  /**
   * Returns how late this sample is. The histogram loses a turn that was long if the sample is taken before the
   * histogram has recorded that turn, because a reset makes it forget when its last measurement was.
   */
  #lateSeconds(): number {
    const before = this.#sampledAt;
    this.#sampledAt = performance.now();
    return Math.max(0, this.#sampledAt - before - this.#sampledMilliseconds) / 1000;
  }

  #set(kind: 'event_loop_delay' | 'memory', isRaised: boolean, about: object): void {
    this.#alarms[kind].set(isRaised ? 1 : 0);
    if (isRaised !== this.#raised[kind]) {
      if (isRaised) this.#log.error({ kind, ...about }, 'the process needs attention');
      else this.#log.info({ kind, ...about }, 'the process has recovered');
    }
    this.#raised[kind] = isRaised;
  }
}

function heapShare(): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used / limit;
}
