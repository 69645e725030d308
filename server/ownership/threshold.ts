import type { Amount } from './amount.ts';

/** From which interest a person is a beneficial owner, in millionths of a percent. */
export interface Threshold {
  readonly millionths: number;
  readonly comparator: 'gte' | 'gt';
}

/** Policy of a tenant: a threshold, and lower ones for some levels of risk. */
export interface ThresholdPolicy extends Threshold {
  readonly lowerFor: readonly { readonly riskLevel: string; readonly millionths: number }[];
}

/** Returns the threshold of the policy for a level of risk. */
export function policyThreshold(policy: ThresholdPolicy, riskLevel: string | null): Threshold {
  const lower = policy.lowerFor.filter((exception) => exception.riskLevel === riskLevel);
  return {
    millionths: Math.min(policy.millionths, ...lower.map(({ millionths }) => millionths)),
    comparator: policy.comparator,
  };
}

/** Returns the threshold that a request asks for, or null if it would find fewer owners than the policy. */
export function requestedThreshold(policy: Threshold, asked: Partial<Threshold>): Threshold | null {
  const wanted = { ...policy, ...asked };
  const isLess =
    wanted.millionths > policy.millionths ||
    (wanted.millionths === policy.millionths && wanted.comparator === 'gt' && policy.comparator === 'gte');
  return isLess ? null : wanted;
}

/** Tells whether an interest reaches a threshold. */
export function reaches(amount: Amount, { millionths, comparator }: Threshold): boolean {
  const difference = amount.compare(millionths);
  return comparator === 'gt' ? difference > 0 : difference >= 0;
}
