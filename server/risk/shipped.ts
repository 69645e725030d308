import type { SubjectType } from './facts.ts';
import type { RiskModel } from './model.ts';
import { BUSINESS_MODEL } from './shipped-business-model.ts';
import { PERSON_MODEL } from './shipped-person-model.ts';

/** The models that are active from the first day, by kind of subject. */
export const SHIPPED_MODELS: Readonly<Record<SubjectType, RiskModel>> = {
  individual: PERSON_MODEL,
  business: BUSINESS_MODEL,
};

export { SHIPPED_LISTS, type ShippedList, valuesOf } from './shipped-lists.ts';
