/** The things that may be asked of the engine, in a form that can be sent to a child process. */
import { type BusinessTimestamp, readBusinessTime } from '../base/time.ts';
import type { Json } from '../base/canonical-json.ts';
import type { Decision } from './dmn/read.ts';
import type { Drawing } from './drawing/drawing.ts';
import type { DecisionTable } from './feel/decision-table.ts';
import type { Finding } from './finding.ts';
import type { Graph } from './kernel/graph.ts';
import type { Environment } from './kernel/run.ts';
import type { Variables } from './kernel/state.ts';
import { type Command, type Start, start, step, type Step } from './kernel/step.ts';
import type { Program } from './program.ts';

/** A command for an instance, also the one that starts it. */
export type InstanceCommand = Command | ({ readonly do: 'start' } & Start);

/** State and variables of an instance; null before it has started. */
export type Before = Pick<Step, 'state' | 'variables'> | null;

/** Something for a child process, so that no request is delayed by what tenants upload. */
export type Order =
  | { readonly do: 'read'; readonly file: Uint8Array }
  | {
      readonly do: 'step';
      readonly program: Program;
      readonly before: Before;
      readonly command: InstanceCommand;
      /** Business time of the step (RFC 3339). */
      readonly at: BusinessTimestamp;
    }
  | {
      readonly do: 'decide';
      readonly table: DecisionTable;
      readonly variables: Variables;
      readonly at: BusinessTimestamp;
    };

export type Answer =
  | {
      readonly did: 'read';
      readonly program: Program | null;
      readonly findings: readonly Finding[];
      readonly drawing: Drawing;
    }
  | {
      readonly did: 'read_decision';
      readonly decision: Decision | null;
      readonly findings: readonly Finding[];
      readonly drawing: Drawing;
    }
  | { readonly did: 'decide'; readonly decided: { readonly result: Json } | { readonly failed: string } }
  | { readonly did: 'step'; readonly step: Step }
  | { readonly did: 'stale' };

/** Computes the step of an instance that a command begins. */
export function compute(graph: Graph, before: Before, command: InstanceCommand, environment: Environment): Step {
  if (command.do === 'start') return start(graph, command, environment);
  if (before === null) throw new Error('Only a start is computed for an instance without a state.');
  return step(graph, before, command, environment);
}

/** Reads the time of an order, which another process wrote as text. */
export const timeOf = (at: BusinessTimestamp): Environment['at'] => readBusinessTime(at);
