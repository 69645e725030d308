import type { Handlers } from '../request/handler.ts';
import type { Due } from './due.ts';
import type { Job, JobServices } from './job.ts';
import type { TaskKind } from './task.ts';

/** What a module gives to the service, of which `server/modules.ts` holds the list. `S` is what it needs of the service, and `H` what its handlers need. */
export interface Module<S extends JobServices, H = S> {
  /** The name of its folder. */
  readonly name: string;
  /** The handlers of its operations. */
  readonly handlers?: (services: H) => Partial<Handlers>;
  /** What the passing of time brings about in its records: the periodic jobs and the clock of the sandbox do it. */
  readonly dues?: readonly Due[];
  /** What it does in the background. */
  readonly tasks?: readonly TaskKind<S>[];
  /** What it does again and again. */
  readonly jobs?: readonly Job<S>[];
}
