import { type Access, lockingLookupOf, lookupOf } from '../../request/lookup.ts';
import { applicationLookups } from '../applications/index.ts';
import { businessLookups } from '../businesses/index.ts';
import type { Definition } from '../definitions/index.ts';
import { type Assessment, findAssessment } from './assessment-store.ts';
import { type Comparison, findComparison, lockComparison } from './comparison-store.ts';
import { findVersion } from './versions.ts';

/** Finds the records that the operations of risk name. */
export const lookup = (access: Access) => ({
  ...applicationLookups(access),
  ...businessLookups(access),

  /** Version of a model. Whoever changes it locks it by the module definitions. */
  model: (id: string) =>
    lookupOf(access, {
      find: () => findVersion(access.tx, 'risk_model', id),
      unerased: (definition: Definition): Definition => definition,
    }),

  /** Backtest or shadow run. It names applications and holds no data about them. */
  backtest: (id: string) => {
    const unerased = (comparison: Comparison): Comparison => comparison;
    return {
      ...lookupOf(access, { find: () => findComparison(access.tx, id), unerased }),
      ...lockingLookupOf(access, { lock: () => lockComparison(access.tx, id), unerased }),
    };
  },

  /** Assessment, which never changes. Whoever overrides its level locks the subject. */
  assessment: (id: string) =>
    lookupOf(access, {
      find: () => findAssessment(access.tx, id),
      unerased: (found: Assessment): Assessment | 'erased' => (found.erasedAt === null ? found : 'erased'),
    }),
});
