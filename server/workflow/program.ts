/**
 * The compiled form of a process model. It is plain JSON with its own format version, because instances keep running
 * on it for years; XML is read once, when a definition is uploaded.
 */
import { upgraded, type Upgrades } from './upgrade.ts';

/** Version of the compiled form that this release writes. */
export const PROGRAM_FORMAT = 1;

/** Functions that make the next format of a program, by the format that they read. */
const UPGRADES: Upgrades = new Map();

/** An expression of FEEL, or a value that needs no evaluation. */
export type Expression = { readonly feel: string } | { readonly value: string | number | boolean | null };

export type NodeType =
  | 'start'
  | 'end'
  | 'catch'
  | 'throw'
  | 'boundary'
  | 'exclusive'
  | 'parallel'
  | 'inclusive'
  | 'event_based'
  | 'task'
  | 'user'
  | 'job'
  | 'receive'
  | 'call'
  | 'sub_process'
  | 'event_sub_process';

/** What an event waits for or causes. */
export type EventDefinition =
  | { readonly kind: 'message'; readonly name: string; readonly key?: Expression }
  | { readonly kind: 'signal'; readonly name: string }
  | { readonly kind: 'timer'; readonly by: 'date' | 'duration' | 'cycle'; readonly time: Expression }
  | { readonly kind: 'condition'; readonly when: Expression }
  | { readonly kind: 'error' | 'escalation'; readonly code?: string }
  | { readonly kind: 'compensation'; readonly activity?: string }
  | { readonly kind: 'link'; readonly name: string }
  | { readonly kind: 'terminate' };

/** Repetition of an activity: for each item, a number of times, or while a condition holds. */
export interface Loop {
  readonly kind: 'parallel' | 'sequential' | 'standard';
  readonly count?: Expression;
  readonly items?: Expression;
  /** Name of the variable that holds the item of one repetition. */
  readonly item?: string;
  /** Name of the variable that collects one output of each repetition. */
  readonly collect?: string;
  readonly output?: Expression;
  /** Condition that ends the repetitions early, or under which a standard loop goes on. */
  readonly condition?: Expression;
  readonly testBefore?: boolean;
  readonly maximum?: number;
}

/** A variable that is set from an expression when an activity begins or ends. */
export interface Mapping {
  readonly source: Expression;
  readonly target: string;
}

/** Whom a user task is offered to, and by when it is due. */
export interface UserTask {
  readonly assignee?: Expression;
  readonly candidateRoles?: readonly string[];
  readonly due?: Expression;
  readonly dueBusinessDays?: number;
  readonly dueHours?: number;
  readonly form?: string;
  /** Activity whose performer must not perform this one. */
  readonly notSameUserAs?: string;
}

/** Work that the process needs from outside of the engine. */
export interface Work {
  readonly type: string;
  readonly retries: number;
  /** The decision table that decides, and the variable that its result is written to. */
  readonly decision?: { readonly key: string; readonly result: string };
}

export interface Node {
  readonly id: string;
  readonly name?: string;
  readonly type: NodeType;
  /** Process or sub-process that contains the node. */
  readonly scope: string;
  readonly in: readonly string[];
  readonly out: readonly string[];
  readonly default?: string;
  readonly event?: EventDefinition;
  /** Activity that a boundary event is attached to. */
  readonly host?: string;
  /** Whether a boundary event or the start of an event sub-process ends what it interrupts. */
  readonly interrupting?: boolean;
  /** Activity that undoes the host of a compensation boundary event. */
  readonly handler?: string;
  readonly forCompensation?: boolean;
  readonly loop?: Loop;
  readonly job?: Work;
  readonly user?: UserTask;
  readonly calls?: string;
  readonly inputs?: readonly Mapping[];
  readonly outputs?: readonly Mapping[];
}

export interface Flow {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly condition?: Expression;
}

export interface Program {
  readonly format: typeof PROGRAM_FORMAT;
  /** Processes that can be started, in the order of the file. */
  readonly processes: readonly { readonly id: string; readonly name?: string }[];
  readonly nodes: readonly Node[];
  readonly flows: readonly Flow[];
}

/** Returns a stored program in the format of this release, whichever release has written it. */
export const programIn = (stored: Program): Program => upgraded(stored, PROGRAM_FORMAT, UPGRADES);

/** Activities, which can have boundary events, repetitions and mappings. */
export const ACTIVITIES: readonly NodeType[] = ['task', 'user', 'job', 'receive', 'call', 'sub_process'];
