/** Tests of keeping threads for the next work. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { IdleThreads } from './idle-threads.ts';

const waiting = (): Worker =>
  new Worker(`require('node:worker_threads').parentPort.on('message', () => process.exit())`, { eval: true });

describe('idle threads', () => {
  it('are reused, each for its kind of work', async () => {
    const threads = new IdleThreads<string>(waiting, 60_000);
    const [one, other] = [threads.take('one'), threads.take('other')];
    threads.keep('one', one);
    threads.keep('other', other);
    expect([threads.take('other'), threads.take('one')]).toEqual([other, one]);
    expect(threads.take('one')).not.toBe(one);
  });

  it('are not reused after they have ended', async () => {
    const threads = new IdleThreads<string>(waiting, 60_000);
    const ended = threads.take('one');
    threads.keep('one', ended);
    const exit = once(ended, 'exit');
    ended.postMessage('end');
    await exit;
    expect(threads.take('one')).not.toBe(ended);
  });

  it('end if they are not reused for a while, or if one of the kind is already idle', async () => {
    const threads = new IdleThreads<string>(waiting, 10);
    const [first, second] = [threads.take('one'), threads.take('one')];
    const exits = Promise.all([once(first, 'exit'), once(second, 'exit')]);
    threads.keep('one', first);
    threads.keep('one', second);
    expect((await exits).length).toBe(2);
  });
});
