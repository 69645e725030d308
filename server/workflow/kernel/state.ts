/**
 * What a running instance is, apart from its variables. It is plain JSON that outlives releases of the service, so it
 * has a format version. Members may be added as optional ones; any other change needs the next version, and a function
 * that brings an older state up to date.
 */
import type { Json } from '../../base/canonical-json.ts';
import type { BusinessTimestamp } from '../../base/time.ts';
import { upgraded, type Upgrades } from '../upgrade.ts';

export const STATE_FORMAT = 1;

/** Functions that make the next format of a state, by the format that they read. */
const UPGRADES: Upgrades = new Map();

export type Variables = { readonly [name: string]: Json };

export interface Incident {
  readonly code: IncidentCode;
  readonly message: string;
  /** What is done again when the incident is resolved. */
  readonly retry: 'enter' | 'leave' | 'complete' | 'repeat' | 'work';
}

export type IncidentCode =
  | 'no_flow'
  | 'expression_failed'
  | 'invalid_timer'
  | 'invalid_collection'
  | 'too_many_repetitions'
  | 'loop_limit'
  | 'deadlock'
  | 'unhandled_error'
  | 'retries_exhausted'
  | 'called_process_not_found'
  | 'call_depth'
  | 'too_many_instances';

/** What an execution waits for. */
export type Waits = 'task' | 'job' | 'event' | 'call' | 'inside' | 'repetitions' | 'compensation' | 'incident';

/** Progress of a repeated activity. */
export interface Repetitions {
  /** Number of repetitions, or null if a condition decides after each of them. */
  readonly total: number | null;
  readonly begun: number;
  readonly done: number;
  readonly items?: readonly Json[];
  readonly results?: readonly Json[];
}

/** One activity, event or scope that is under way. */
export interface Execution {
  readonly id: number;
  /** Node, or process in the case of the outermost execution. */
  readonly node: string;
  /** Execution that contains this one; 0 for the outermost. */
  readonly scope: number;
  readonly waits: Waits;
  readonly repetitions?: Repetitions;
  /** Number of this repetition, from 1. */
  readonly index?: number;
  readonly locals?: Variables;
  /** Results of the activity that could not be mapped to variables, until its incident is resolved. */
  readonly given?: Variables;
  readonly incident?: Incident;
  /** Execution of the event whose compensation this activity is part of. */
  readonly compensates?: number;
  /** Activities that this event has yet to compensate, the next one last. */
  readonly undo?: readonly string[];
}

/** A token that waits at a join for those of the other flows. */
export interface Token {
  readonly node: string;
  readonly scope: number;
  readonly flow: string;
}

/** An event that an execution waits for. */
export interface Subscription {
  readonly id: number;
  readonly execution: number;
  readonly node: string;
  readonly due?: BusinessTimestamp;
  /** Repetition of a timer, as it was when the timer began. */
  readonly cycle?: string;
  /** How often the timer fires again after the next time, or null for ever. */
  readonly left?: number | null;
  /** Correlation key of a message. */
  readonly key?: string;
  /** Whether the condition held when it was last evaluated. */
  readonly held?: boolean;
}

/** A completed activity that can be compensated. */
export interface Completed {
  readonly node: string;
  readonly scope: number;
  readonly inner?: readonly Completed[];
}

export interface State {
  readonly format: typeof STATE_FORMAT;
  readonly process: string;
  readonly status: 'active' | 'ended';
  /** Whether a call activity of another instance waits for the end of this one. */
  readonly called: boolean;
  readonly outcome?: 'completed' | 'cancelled' | 'error';
  readonly endEvent?: string;
  readonly errorCode?: string;
  /** Number of the next execution or subscription. */
  readonly next: number;
  readonly executions: readonly Execution[];
  readonly tokens: readonly Token[];
  readonly subscriptions: readonly Subscription[];
  readonly completed: readonly Completed[];
}

/** Most variables of an instance; those of one scope of it count apart. */
export const MOST_VARIABLES = 1000;

/** Whether variables are few enough after others are set beside them. */
export function hasRoomFor(variables: Variables, set: Variables): boolean {
  const fresh = Object.keys(set).filter((name) => !Object.hasOwn(variables, name));
  return fresh.length === 0 || Object.keys(variables).length + fresh.length <= MOST_VARIABLES;
}

/** Returns a stored state in the format of this release, whichever release has written it. */
export const stateOf = (stored: State): State => upgraded(stored, STATE_FORMAT, UPGRADES);

/** Returns the variables that an execution sees: its own before those of the scopes around it. */
export function variablesSeenBy(
  execution: number,
  find: (id: number) => Execution | undefined,
  variables: Variables,
): Variables {
  const own = find(execution);
  if (own === undefined) return variables;
  const outer = variablesSeenBy(own.scope, find, variables);
  return own.locals === undefined ? outer : { ...outer, ...own.locals };
}

/** Whether this is the name of a variable. Names of the language of the service are none. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name) && name !== 'constructor' && name !== 'prototype';
}
