import type { DiffRule } from '../change.ts';
import { operationPairs } from '../pairs.ts';

/** Programs that call without a second factor are refused where one is demanded newly. */
export const secondFactorChanged: DiffRule = (base, revision) => operationPairs(base, revision).flatMap(({ place, ...pair }) => {
  const [steppedUp, stepsUp] = [pair.base['x-step-up'] === true, pair.revision['x-step-up'] === true];
  const [wasExempt, isExempt] = [pair.base['x-mfa-exempt'] === true, pair.revision['x-mfa-exempt'] === true];
  return [
    ...(steppedUp === stepsUp ? [] : [{ impact: stepsUp ? 'major' as const : 'minor' as const, place, message: stepsUp ? 'asks for a second factor' : 'no longer asks for a second factor' }]),
    ...(wasExempt === isExempt ? [] : [{ impact: isExempt ? 'minor' as const : 'major' as const, place, message: isExempt ? 'is open before the second factor is set up' : 'is closed until the second factor is set up' }]),
  ];
});
