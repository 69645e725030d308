/** Type of what a module adds to the service. Used by the index of each module and by server/modules.ts. */
import type { Handlers } from '../request/handler.ts';
import type { Due } from './due.ts';
import type { Job, JobServices } from './job.ts';
import type { TaskKind } from './task.ts';
import type { WorkEntry } from './work.ts';

/**
 * Contribution of a module to the service; `server/modules.ts` lists the modules. `S` is the set of services that the
 * module needs, `H` the set that its handlers need, and `L` the type of its listeners, which a module defines
 * (server/modules/subject-events).
 */
export interface Module<S extends JobServices, H = S, L = never> {
  /** Name of the module's folder. */
  readonly name: string;
  /** Handlers of the module's operations. */
  readonly handlers?: (services: H) => Partial<Handlers>;
  /** Time-driven changes of the module's records, run by the periodic jobs and the clock of the sandbox. */
  readonly dues?: readonly Due[];
  /** Background tasks of the module. */
  readonly tasks?: readonly TaskKind<S>[];
  /** Periodic jobs of the module. */
  readonly jobs?: readonly Job<S>[];
  /** Listeners of the module, which hear what other modules publish about a subject. */
  readonly listeners?: readonly L[];
  /** Records of the module that wait for a person, for the view of a person's work. */
  readonly work?: readonly WorkEntry[];
}
