/** Keeps what each execution waits for, with the key of a message and the time of a timer. */
import { type BusinessTime, readBusinessTime, readStatedTime } from '../../base/time.ts';
import { after, readCycle, readDuration } from '../durations.ts';
import type { Node } from '../program.ts';
import { EvaluationFailed, type Run } from './run.ts';
import type { Subscription } from './state.ts';

/** An event to wait for, before it is known which execution waits. */
export type Awaited = Omit<Subscription, 'id' | 'execution'>;

/** Kinds of events that wait for something to happen. Errors and escalations are looked for when they are thrown. */
const WAITING = ['message', 'signal', 'timer', 'condition'];

/** Returns what the events wait for: the key of a message and the time of a timer are computed once, here. */
export function awaited(run: Run, events: readonly Node[], scope: number): readonly Awaited[] {
  return events
    .filter(({ event }) => event !== undefined && WAITING.includes(event.kind))
    .map((one) => of(run, one, scope));
}

function of(run: Run, node: Node, scope: number): Awaited {
  const event = node.event!;
  if (event.kind === 'message' && event.key !== undefined) {
    const key = run.evaluate(event.key, run.visible(scope));
    if (typeof key !== 'string' && typeof key !== 'number') {
      throw new EvaluationFailed('The correlation key is neither a text nor a number.');
    }
    return { node: node.id, key: String(key).slice(0, 200) };
  }
  if (event.kind !== 'timer') return { node: node.id };
  const text = run.evaluate(event.time, run.visible(scope));
  if (typeof text !== 'string') throw new EvaluationFailed('The time of the timer is no text.');
  return { node: node.id, ...timer(event.by, text, run.environment.at) };
}

function timer(
  by: 'date' | 'duration' | 'cycle',
  text: string,
  at: BusinessTime,
): Pick<Subscription, 'due' | 'cycle' | 'left'> {
  if (by === 'date') {
    const due = readStatedTime(text);
    if (due === null) throw new EvaluationFailed('The time of the timer is no date and time.');
    return { due: due.toISOString() };
  }
  if (by === 'duration') {
    const duration = readDuration(text);
    if (duration === null) throw new EvaluationFailed('The timer has no duration from a second to ten years.');
    return { due: after(at, duration).toISOString() };
  }
  const cycle = readCycle(text);
  if (cycle === null || cycle.times === 0) throw new EvaluationFailed('The timer has no repetition of ISO 8601.');
  return {
    due: after(at, cycle.every).toISOString(),
    cycle: text,
    left: cycle.times === null ? null : cycle.times - 1,
  };
}

export function subscribe(run: Run, execution: number, events: readonly Awaited[]): void {
  for (const one of events) run.subscriptions.push({ id: run.number(), execution, ...one });
}

/** Waits for the next time of a timer that repeats. Its time follows from the last one, however late that fired. */
export function again(run: Run, fired: Subscription): void {
  const cycle = fired.cycle === undefined ? null : readCycle(fired.cycle);
  if (cycle === null || fired.left === 0 || fired.due === undefined) return;
  run.subscriptions.push({
    ...fired,
    due: after(readBusinessTime(fired.due), cycle.every).toISOString(),
    left: fired.left === null ? null : fired.left! - 1,
  });
}
