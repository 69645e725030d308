import { type Access, lookupOf } from '../../request/lookup.ts';
import { businessLookups } from '../businesses/index.ts';
import { type EvaluationRow, findEvaluation } from './evaluation-store.ts';
import { findPower, type PowerRow } from './power-store.ts';

const unerased = <Row extends PowerRow | EvaluationRow>(row: Row): Row | 'erased' =>
  row.erasedAt === null ? row : 'erased';

/** Finds the records that the operations of powers name. Whoever changes a power locks its business. */
export const lookup = (access: Access) => ({
  ...businessLookups(access),
  power: (businessId: string, id: string) =>
    lookupOf(access, { find: () => findPower(access.tx, businessId, id), unerased: unerased<PowerRow> }),
  evaluation: (businessId: string, id: string) =>
    lookupOf(access, { find: () => findEvaluation(access.tx, businessId, id), unerased: unerased<EvaluationRow> }),
});
