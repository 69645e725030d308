import { dereference } from '../../generate/contract.ts';
import type { Rule } from '../rule.ts';
import { mediaSites } from '../walk.ts';

/** Readers and code samples need an example of every body; bytes speak for themselves. */
export const bodyExamples: Rule = (contract, report) => {
  for (const { media, pointer } of mediaSites(contract)) {
    const binary = media.schema !== undefined && dereference(contract, media.schema).format === 'binary';
    const has = media.example !== undefined || Object.keys(media.examples ?? {}).length > 0;
    if (!binary && !has) report(pointer, 'Give this body an example.');
  }
};
