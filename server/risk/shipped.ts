import type { ReferenceLists, SubjectType } from './facts.ts';
import type { RiskModel } from './model.ts';

/** The models that are active from the first day, by kind of subject. */
export declare const SHIPPED_MODELS: Readonly<Record<SubjectType, RiskModel>>;

/** A reference list as it is shipped. */
export interface ShippedList {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly values: readonly string[];
}

/** The reference lists that are active from the first day. */
export declare const SHIPPED_LISTS: readonly ShippedList[];

export declare function valuesOf(lists: readonly ShippedList[]): ReferenceLists;
