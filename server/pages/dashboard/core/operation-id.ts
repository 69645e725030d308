import type { operations } from '../../../contract/generated/client-types.ts';

/** Operations of the contract. The name of a renamed operation no longer compiles. */
export type OperationId = keyof operations;
