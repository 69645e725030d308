import type { Document } from '../../providers/directory/index.ts';
import type { State } from '../core/model.ts';
import type { AnswerFault } from '../journal/faults.ts';
import type { Query } from './query.ts';

/** A question of a participant, once it is known who asks, and what the directory holds of it. */
export interface Asked {
  readonly query: Query;
  readonly state: State;
  readonly generation: number;
  /** Whether this answer is to be disturbed. Asked only where the fault can show, so none is used up unseen. */
  readonly disturbedBy: (fault: AnswerFault) => Promise<boolean>;
}

export interface Answer {
  /** Name of the root element. */
  readonly root: string;
  /** What stands beside ResponseTime and CorrelationId. */
  readonly content: Document;
}
