/** The risk model of companies that is active from the first day: a starting point for an institution in Brazil. */
import type { RiskModel } from './model.ts';
import {
  anyListScores,
  CHANNEL,
  countryScores,
  listScores,
  PRODUCTS,
  REVIEW_MONTHS,
  SCREENING_RULES,
  SCREENING_STATE,
} from './shipped-model-parts.ts';

export const BUSINESS_MODEL: RiskModel = {
  name: 'Companies',
  missingDataPolicy: 'max_score',
  thresholds: { medium: 35, high: 60 },
  reviewMonths: REVIEW_MONTHS,
  factors: [
    {
      key: 'seat',
      label: 'Country of the seat',
      category: 'geography',
      weight: 15,
      fact: 'business.country',
      scoring: countryScores('business.country', 40),
      rationale: 'The country of the seat decides which rules bind the company (FATF recommendation 19).',
    },
    {
      key: 'activity',
      label: 'Main activity',
      category: 'customer',
      weight: 15,
      fact: 'business.cnae',
      scoring: listScores('business.cnae', 'higher_risk_activities', { absent: 40, listed: 80, other: 15 }),
      rationale: 'Some activities handle cash or goods of high value, or bring others together.',
    },
    {
      key: 'further_activities',
      label: 'Further activities',
      category: 'customer',
      weight: 5,
      fact: 'business.secondaryCnaes',
      scoring: anyListScores(
        'business.secondaryCnaes',
        { list: 'higher_risk_activities' },
        {
          absent: 0,
          listed: 60,
          other: 10,
        },
      ),
      rationale: 'A further activity can be the one that the company really has.',
    },
    {
      key: 'age',
      label: 'Age of the company',
      category: 'customer',
      weight: 10,
      fact: 'business.ageMonths',
      scoring: {
        by: 'bands',
        bands: [
          { lt: 6, score: 80 },
          { gte: 6, lt: 24, score: 40 },
          { gte: 24, score: 10 },
        ],
      },
      rationale: 'Companies without business of their own are opened shortly before they are used.',
    },
    {
      key: 'unknown_owners',
      label: 'Unknown owners',
      category: 'ownership',
      weight: 15,
      fact: 'ownership.unresolvedPercent',
      scoring: {
        by: 'bands',
        bands: [
          { lt: 0.0001, score: 0 },
          { gte: 0.0001, lt: 25, score: 50 },
          { gte: 25, score: 100 },
        ],
      },
      rationale: 'Final owners must be known (Circular BCB 3.978/2020, art. 24); shares without one hide somebody.',
    },
    {
      key: 'layers',
      label: 'Layers of ownership',
      category: 'ownership',
      weight: 5,
      fact: 'ownership.layers',
      scoring: {
        by: 'bands',
        bands: [
          { lt: 2, score: 0 },
          { gte: 2, lt: 4, score: 40 },
          { gte: 4, score: 80 },
        ],
      },
      rationale: 'Each company between company and owner makes it harder to see who decides.',
    },
    CHANNEL,
    PRODUCTS,
    SCREENING_STATE,
  ],
  hardRules: [
    ...SCREENING_RULES,
    {
      key: 'owners_not_recorded',
      when: { not: [{ exists: [{ fact: 'ownership.unresolvedPercent' }] }] },
      effect: 'floor_high',
      reasonCode: 'unknown_owners',
    },
    {
      key: 'party_sanctioned',
      when: { eq: [{ fact: 'parties.sanctionConfirmed' }, true] },
      effect: 'floor_high',
      reasonCode: 'sanctions_match',
    },
    {
      key: 'party_of_high_risk',
      when: { in: [{ fact: 'parties.maxLevel' }, ['high', 'prohibited']] },
      effect: 'floor_high',
      reasonCode: 'party_of_high_risk',
    },
    {
      key: 'owner_exposed',
      when: { eq: [{ fact: 'ownership.pepConfirmed' }, true] },
      effect: 'floor_high',
      reasonCode: 'pep_confirmed',
    },
    {
      key: 'ownership_cycle',
      when: { eq: [{ fact: 'ownership.hasCycle' }, true] },
      effect: 'floor_high',
      reasonCode: 'ownership_cycle',
    },
    {
      key: 'owner_in_high_risk_country',
      when: { any: [{ fact: 'ownership.countries' }, { list: 'high_risk_countries' }] },
      effect: 'floor_high',
      reasonCode: 'high_risk_country',
    },
    {
      key: 'bearer_shares',
      when: { eq: [{ fact: 'ownership.bearerShares' }, true] },
      effect: 'floor_high',
      reasonCode: 'bearer_shares',
    },
    {
      key: 'nominee',
      when: { eq: [{ fact: 'ownership.hasNominee' }, true] },
      effect: 'floor_medium',
      reasonCode: 'nominee',
    },
    {
      key: 'unlisted_with_unknown_owners',
      when: {
        and: [{ eq: [{ fact: 'business.isListed' }, false] }, { gte: [{ fact: 'ownership.unresolvedPercent' }, 50] }],
      },
      effect: 'require_enhanced',
      reasonCode: 'unknown_owners',
    },
  ],
};
