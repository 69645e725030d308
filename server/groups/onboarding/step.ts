import type { components } from '../../contract/generated/types.ts';
import type { Transaction } from '../../database/index.ts';

export type Evidence = components['schemas']['ChecklistEvidence'];

export interface StepContext {
  readonly tx: Transaction;
  readonly tenantId: string;
  readonly now: Date;
}

/** Something that a tenant does before it goes live. Nobody ticks it: it is done when there is evidence of it. */
export interface Step {
  readonly key: string;
  readonly title: string;
  /** Going live needs it, so it cannot be put aside. */
  readonly required: boolean;
  /** Steps without which it cannot be done. */
  readonly after: readonly string[];
  readonly howTo: string;
  readonly evidence: (ctx: StepContext) => Promise<readonly Evidence[]>;
}
