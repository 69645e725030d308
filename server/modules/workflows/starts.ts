/**
 * Starts that nobody asks for by hand: by a message, a signal or a time. They are rows while a version is active, and
 * what they begin is about no more than what has triggered it.
 */
import { type BusinessTime, readBusinessTime, readStatedTime } from '../../base/time.ts';
import type { Transaction } from '../../database/index.ts';
import type { Due } from '../../tasks/due.ts';
import { after, readCycle, readDuration } from '../../workflow/durations.ts';
import { Graph } from '../../workflow/kernel/graph.ts';
import type { Variables } from '../../workflow/kernel/state.ts';
import type { EventDefinition } from '../../workflow/program.ts';
import { type Definition, findDefinition } from '../definitions/index.ts';
import { actorFor, appendStarted } from './actor.ts';
import { beginInstance } from './begin.ts';
import type { Position } from './hierarchy.ts';
import type { When } from './follow.ts';
import type { Instance } from './instance-store.ts';
import { programOf } from './model-store.ts';
import {
  deleteStarts,
  dueStarts,
  insertStart,
  setNextStart,
  STARTS_AT_ONCE,
  type WaitingStart,
} from './start-store.ts';

/**
 * Times that are counted as missed at once, for example after a jump of the clock. One start stands for all of them.
 */
const MOST_MISSED = 10_000;

/** Lets the start events of a new active version wait, in place of those of every version before it. */
export async function replaceStarts(tx: Transaction, definition: Definition, at: BusinessTime): Promise<void> {
  const { id: definitionId, kind, environment, key } = definition;
  if (kind !== 'workflow') return;
  deleteStarts(tx, environment, key);
  // Not graphOf: if this transaction rolls back, the version can become a draft again and its file can change.
  for (const { id: elementId, event } of new Graph(await programOf(tx, definitionId)).triggeredStarts(key)) {
    const waits = waitsFor(event, at);
    if (waits !== null)
      insertStart(tx, {
        definitionId,
        elementId,
        environment,
        ...waits,
      });
  }
}

/** A version that is out of use starts nothing. */
export function dropStarts(tx: Transaction, { kind, environment, key }: Definition): void {
  if (kind === 'workflow') deleteStarts(tx, environment, key);
}

type Waits = Pick<WaitingStart, 'kind' | 'name' | 'cycle' | 'timesLeft'> & { readonly dueAt: BusinessTime | null };

function waitsFor(event: EventDefinition, at: BusinessTime): Waits | null {
  if (event.kind === 'message' || event.kind === 'signal') {
    return {
      kind: event.kind,
      name: event.name,
      dueAt: null,
      cycle: null,
      timesLeft: null,
    };
  }
  if (event.kind !== 'timer' || !('value' in event.time) || typeof event.time.value !== 'string') return null;
  const text = event.time.value;
  const cycle = event.by === 'cycle' ? readCycle(text) : null;
  const duration = event.by === 'duration' ? readDuration(text) : (cycle?.every ?? null);
  const date = event.by === 'date' ? readStatedTime(text) : null;
  const dueAt = date ?? (duration === null ? null : after(at, duration));
  return {
    kind: 'timer',
    name: null,
    dueAt,
    cycle: cycle === null ? null : text,
    timesLeft: cycle?.times ?? null,
  };
}

interface Trigger {
  readonly applicationId: Instance['applicationId'];
  readonly businessId: Instance['businessId'];
  readonly variables: Variables;
  readonly businessKey?: string | undefined;
  readonly position?: Position;
}

/** Begins an instance at a start event, in the name of its process. */
export async function beginAt(
  tx: Transaction,
  { definitionId, elementId }: Pick<WaitingStart, 'definitionId' | 'elementId'>,
  trigger: Trigger,
  when: When,
): Promise<Instance> {
  const definition = (await findDefinition(tx, definitionId))!;
  const { key: definitionKey, number: definitionNumber } = definition;
  const startedBy = actorFor({ definitionKey, definitionNumber });
  const begun = await beginInstance(tx, definition, { ...trigger, startedBy, startEvent: elementId }, when);
  appendStarted(tx, begun, when);
  return begun;
}

/** Starts what is due by the clock of an environment. */
export const startsDue: Due = {
  name: 'workflows.starts',
  everySeconds: 60,
  atOnce: STARTS_AT_ONCE,
  run: async (tx, { environment, businessTime: at, now }) => {
    const due = await dueStarts(tx, environment, at);
    const begun: Instance[] = [];
    for (const start of due) {
      setNextStart(tx, start, nextOf(start, at));
      begun.push(await beginAt(tx, start, { applicationId: null, businessId: null, variables: {} }, { at, now }));
    }
    return begun.map(({ id }) => ({ resource: { type: 'workflow_instance', id }, change: 'its time came' }));
  },
};

/** Returns the next time after now. What was missed meanwhile is not made up for. */
function nextOf({ dueAt, cycle, timesLeft }: WaitingStart, at: BusinessTime): Pick<Waits, 'dueAt' | 'timesLeft'> {
  const every = cycle === null ? null : (readCycle(cycle)?.every ?? null);
  let left = timesLeft === null ? null : timesLeft - 1;
  if (every === null || dueAt === null || left === 0) return { dueAt: null, timesLeft: 0 };
  let next = after(readBusinessTime(dueAt), every);
  for (let missed = 0; next <= at && missed < MOST_MISSED && left !== 0; missed++) {
    next = after(next, every);
    if (left !== null) left -= 1;
  }
  if (left === 0) return { dueAt: null, timesLeft: 0 };
  return { dueAt: next <= at ? after(at, every) : next, timesLeft: left };
}
