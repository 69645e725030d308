/**
 * The risk model of people that is active from the first day: a starting point for an institution in Brazil. A person
 * who declares nothing beyond identity is of low or medium risk, never of high risk for that alone.
 */
import type { RiskModel } from './model.ts';
import {
  anyListScores,
  CHANNEL,
  countryScores,
  isListed,
  listScores,
  PRODUCTS,
  REVIEW_MONTHS,
  SCREENING_RULES,
  SCREENING_STATE,
} from './shipped-model-parts.ts';

export const PERSON_MODEL: RiskModel = {
  name: 'People',
  missingDataPolicy: 'max_score',
  thresholds: { medium: 35, high: 60 },
  reviewMonths: REVIEW_MONTHS,
  factors: [
    {
      key: 'residence',
      label: 'Country of residence',
      category: 'geography',
      weight: 15,
      fact: 'applicant.address.country',
      scoring: countryScores('applicant.address.country', 30),
      rationale: 'Where a person lives decides which rules bind those who pay them (FATF recommendation 19).',
    },
    {
      key: 'nationality',
      label: 'Nationality',
      category: 'geography',
      weight: 5,
      fact: 'applicant.nationality',
      scoring: countryScores('applicant.nationality', 20),
      rationale: 'Ties to a country under a call for action deserve attention, wherever the person lives.',
    },
    {
      key: 'tax_residencies',
      label: 'Tax residencies abroad',
      category: 'geography',
      weight: 5,
      fact: 'applicant.taxResidenciesAbroad',
      scoring: {
        by: 'bands',
        bands: [
          { lt: 1, score: 0 },
          { gte: 1, lt: 2, score: 40 },
          { gte: 2, score: 80 },
        ],
      },
      rationale: 'Income in several countries is harder to follow. Without a declaration there is none.',
    },
    {
      key: 'age',
      label: 'Age',
      category: 'customer',
      weight: 5,
      fact: 'applicant.age',
      scoring: {
        by: 'bands',
        bands: [
          { lt: 21, score: 40 },
          { gte: 21, lt: 75, score: 10 },
          { gte: 75, score: 40 },
        ],
      },
      rationale: 'The accounts of very young and of old people are used by others more often.',
    },
    {
      key: 'occupation',
      label: 'Occupation',
      category: 'customer',
      weight: 10,
      fact: 'applicant.occupation',
      scoring: listScores('applicant.occupation', 'higher_risk_occupations', { absent: 20, listed: 80, other: 10 }),
      rationale: 'Some occupations handle cash or goods of high value, or bring others together.',
    },
    {
      key: 'source_of_funds',
      label: 'Source of funds',
      category: 'customer',
      weight: 10,
      fact: 'applicant.sourceOfFunds',
      scoring: anyListScores('applicant.sourceOfFunds', ['other', 'sale_of_asset', 'inheritance'], {
        absent: 30,
        listed: 50,
        other: 10,
      }),
      rationale: 'Money that comes once is harder to compare with a way of life than a salary.',
    },
    {
      key: 'pep_declared',
      label: 'Declared public office',
      category: 'customer',
      weight: 15,
      fact: 'applicant.pepDeclared',
      scoring: { by: 'lookup', lookup: [{ match: true, score: 100 }], default: 0 },
      rationale: 'Politically exposed persons are qualified as such (Circular BCB 3.978/2020, art. 19).',
    },
    CHANNEL,
    PRODUCTS,
    SCREENING_STATE,
    {
      key: 'resubmissions',
      label: 'Resubmissions',
      category: 'behaviour',
      weight: 5,
      fact: 'history.resubmissions',
      scoring: {
        by: 'bands',
        bands: [
          { lt: 1, score: 0 },
          { gte: 1, lt: 3, score: 30 },
          { gte: 3, score: 70 },
        ],
      },
      rationale: 'Whoever has to correct the data again and again may be trying what passes.',
    },
    {
      key: 'alerts',
      label: 'Open alerts',
      category: 'behaviour',
      weight: 5,
      fact: 'monitoring.openAlerts',
      scoring: {
        by: 'bands',
        bands: [
          { lt: 1, score: 0 },
          { gte: 1, lt: 3, score: 60 },
          { gte: 3, score: 100 },
        ],
      },
      rationale: 'An open alert says that something has changed which nobody has judged yet.',
    },
  ],
  hardRules: [
    ...SCREENING_RULES,
    {
      key: 'pep_declared',
      when: { eq: [{ fact: 'applicant.pepDeclared' }, true] },
      effect: 'floor_medium',
      reasonCode: 'pep_declared',
    },
    {
      key: 'residence_high_risk',
      when: isListed('applicant.address.country', 'high_risk_countries'),
      effect: 'floor_high',
      reasonCode: 'high_risk_country',
    },
    {
      key: 'nationality_high_risk',
      when: isListed('applicant.nationality', 'high_risk_countries'),
      effect: 'floor_medium',
      reasonCode: 'high_risk_country',
    },
    {
      key: 'identity_conflict',
      when: { eq: [{ fact: 'history.identityConflict' }, true] },
      effect: 'floor_medium',
      reasonCode: 'identity_conflict',
    },
  ],
};
