import type { Contract } from '../generate/contract.ts';

/** Where in the document: the segments of a JSON Pointer. */
export type Pointer = readonly (string | number)[];
export type Report = (pointer: Pointer, message: string) => void;

/** One house rule: a pure function over the whole contract, which is one file. */
export type Rule = (contract: Contract, report: Report) => void;
