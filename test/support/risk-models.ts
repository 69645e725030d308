/** Risk models for tests: small, valid, and different in every member. */
import type { components } from '../../server/contract/generated/types.ts';

export type Definition = components['schemas']['RiskModelDefinition'];

/** Returns a model of two factors: the age, in bands, and the channel, by a table. */
export function smallModel(change: Partial<Definition> = {}): Definition {
  return {
    name: 'Age and channel',
    factors: [
      {
        key: 'age',
        label: 'Age',
        category: 'customer',
        weight: 60,
        fact: 'applicant.age',
        scoring: {
          by: 'bands',
          bands: [
            { lt: 40, score: 10 },
            { gte: 40, score: 50 },
          ],
        },
        rationale: 'Older people have more to lose.',
      },
      {
        key: 'channel',
        label: 'Channel',
        category: 'channel',
        weight: 40,
        fact: 'channel',
        scoring: { by: 'lookup', lookup: [{ match: 'branch', score: 0 }], default: 30 },
        rationale: 'Nobody sees the person elsewhere.',
      },
    ],
    hardRules: [
      {
        key: 'pep',
        when: { eq: [{ fact: 'applicant.pepDeclared' }, true] },
        effect: 'floor_high',
        reasonCode: 'pep_declared',
      },
    ],
    thresholds: { medium: 30, high: 60 },
    reviewMonths: { low: 48, medium: 24, high: 6 },
    missingDataPolicy: 'max_score',
    ...change,
  };
}

/** Returns a model that differs from the small one in every member. */
export function otherModel(): Definition {
  return {
    name: 'Residence',
    factors: [
      {
        key: 'residence',
        label: 'Country of residence',
        category: 'geography',
        weight: 1,
        fact: 'applicant.address.country',
        scoring: { by: 'when', when: [{ expr: { exists: [{ fact: 'channel' }] }, score: 90 }], default: 1 },
        rationale: 'Some countries are far away.',
      },
    ],
    hardRules: [],
    thresholds: { medium: 40.5, high: 70.25 },
    reviewMonths: { low: 36, medium: 12, high: 3 },
    missingDataPolicy: 'neutral',
  };
}
