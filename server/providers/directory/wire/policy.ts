import type { Document, Policy } from '../directory.ts';
import { documentOf } from './answers.ts';
import { policy } from './shapes.ts';
import { unreadable } from './unreadable.ts';

export function readPolicy(content: Document): Policy {
  const state = documentOf(content, 'Policy', policy);
  return {
    availableTokens: integer(state.AvailableTokens, 0),
    capacity: integer(state.Capacity, 1),
    refillTokens: integer(state.RefillTokens, 1),
    refillPeriodSeconds: integer(state.RefillPeriodSec, 1),
  };
}

function integer(text: string, least: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least)) throw unreadable('a number of a policy is none');
  return number;
}
