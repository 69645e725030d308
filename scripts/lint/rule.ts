/** Type of a lint rule for the contract. Used by the plugin and all rules. */
import type { Contract } from '../contract/contract.ts';
import type { Pointer } from '../contract/walk.ts';

export type Report = (pointer: Pointer, message: string) => void;

/** One lint rule: a pure function over the whole contract, which is one file. */
export type Rule = (contract: Contract, report: Report) => void;
