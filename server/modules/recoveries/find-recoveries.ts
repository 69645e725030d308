/**
 * This file reads the filters that the list, the export and the statistics share, and returns a page or counts. Used by
 * the handlers. A caller who sees persons masked cannot filter by a tax number.
 */
import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import type { Context } from '../../request/handler.ts';
import { environmentPage, type Page } from '../../request/pagination.ts';
import { instantParameter } from '../../request/query.ts';
import { SAO_PAULO_ZONE } from '../../rules/brazilian-calendar.ts';
import { normaliseTaxNumber } from '../../rules/tax-id.ts';
import { directoryView } from '../recovery-feed/index.ts';
import { countRecords, listRecords, type RecordFilter } from './list-store.ts';
import { currency, presentRecord } from './present.ts';

type Schemas = components['schemas'];
type Filtering = 'listFundsRecoveries' | 'exportFundsRecoveries' | 'getFundsRecoveryStatistics';
type FilterRequest = Pick<
  Context<Filtering>,
  'tx' | 'principal' | 'query' | 'environment' | 'visible' | 'setResourceEnvironment'
>;

/** Reads the filter of a request for one environment: the one that the request names, else the effective one. */
async function filterOf(ctx: FilterRequest): Promise<RecordFilter> {
  const {
    environment = ctx.environment,
    status = [],
    role,
    endToEndId,
    counterparty,
    taxId,
    createdAfter,
    createdBefore,
    updatedAfter,
  } = ctx.query;
  if (taxId !== undefined) await assertPersonsShown(ctx);
  return {
    environment,
    statuses: status,
    role,
    endToEndId,
    counterparty,
    taxNumber: taxId === undefined ? undefined : normaliseTaxNumber(taxId),
    createdAfter: instantParameter('createdAfter', createdAfter),
    createdBefore: instantParameter('createdBefore', createdBefore),
    updatedAfter: instantParameter('updatedAfter', updatedAfter),
  };
}

/** Reads the filter as `filterOf` does, or returns null if the caller does not see the environment. */
export async function recordFilter(ctx: FilterRequest): Promise<RecordFilter | null> {
  const filter = await filterOf(ctx);
  if (!ctx.visible.includes(filter.environment)) return null;
  ctx.setResourceEnvironment(filter.environment);
  return filter;
}

/**
 * Rejects a search by tax number if persons are masked, because a match would reveal the person. Callers who see
 * persons masked are refused earlier (`x-needs-full-data`); all callers are refused here if the tenant masks persons
 * for everyone.
 */
async function assertPersonsShown({ tx, principal }: Pick<FilterRequest, 'tx' | 'principal'>): Promise<void> {
  if ((await directoryView(tx, principal)) === 'full') return;
  throw new Problem('personal_data_masked', {
    errors: [
      {
        parameter: 'taxId',
        code: 'personal_data_masked',
        message: 'finds persons by what the settings of the tenant mask',
      },
    ],
  });
}

export async function recoveryPage(ctx: Context<'listFundsRecoveries'>): Promise<Page<Schemas['FundsRecoveryRecord']>> {
  const filter = await filterOf(ctx);
  return environmentPage(ctx, {
    rows: (wanted) => listRecords(ctx.tx, ctx.principal.tenantId, filter, wanted),
    position: ({ updatedAt, id }) => [updatedAt, id],
    item: presentRecord,
  });
}

/** Returns counts and sums by the month in which a recovery was created, its role and its status. */
export async function countsByMonth(ctx: FilterRequest): Promise<Schemas['FundsRecoveryStatistics']> {
  const filter = await recordFilter(ctx);
  return {
    timezone: SAO_PAULO_ZONE,
    currency,
    items: filter === null ? [] : await countRecords(ctx.tx, ctx.principal.tenantId, filter),
  };
}
