/** The sheet of those who may sign for a company: its handler, and what processes learn of it. */
import type { Uuid } from '../../base/uuid.ts';
import { Problem } from '../../contract/problem.ts';
import { signatories } from '../../powers/signatories.ts';
import type { Transaction } from '../../database/index.ts';
import type { Handlers } from '../../request/handler.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import { shown } from '../../rules/mask.ts';
import type { Business } from '../businesses/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { isActType } from './faults.ts';
import { lookup } from './lookup.ts';
import { readForSigning } from './inherited.ts';
import { instrumentsOf, statusOn } from './on-file.ts';

/** Computes who may sign for a business on a day, for acts of a type or for every act. */
async function sheetOf(
  tx: Transaction,
  business: Business,
  act: { readonly on: string; readonly type: string | null },
) {
  const file = await readForSigning(tx, business);
  const instruments = instrumentsOf(file.powers);
  const about = { business: file.business, parties: file.parties, instruments };
  const activeCount = file.powers.filter((one) => statusOn(one, act.on, instruments) === 'active').length;
  return {
    sheet: signatories(about, { ...act, amount: null }),
    instruments,
    names: file.names,
    activeCount,
  };
}

/** Counts the powers in force on a day, and the persons who may sign by them alone or with others. */
export async function signatoriesOn(tx: Transaction, business: Business, on: string) {
  const { sheet, activeCount } = await sheetOf(tx, business, { on, type: null });
  const persons = (rows: typeof sheet.rows): number => new Set(rows.map(({ partyKey }) => partyKey)).size;
  return {
    activeCount,
    signatoryCount: persons(sheet.rows),
    aloneCount: persons(sheet.rows.filter(({ alone }) => alone)),
  };
}

export const signatoriesHandler: Pick<Handlers, 'getSignatories'> = {
  getSignatories: async (ctx) => {
    const { tx, query } = ctx;
    const business = await lookup(ctx).business(ctx.params.businessId).forReading();
    const { customActTypes } = await readSettings(tx, tx.tenantId!);
    const type = query.actType ?? null;
    if (
      type !== null &&
      !isActType(
        type,
        customActTypes.map(({ key }) => key),
      )
    )
      throw new Problem('invalid_parameter', {
        errors: [{ parameter: 'actType', code: 'unknown_act_type', message: 'is no type of acts that there is' }],
      });
    const { id: businessId, environment } = business;
    const asOf = query.asOf ?? calendarDate(ctx.timeIn(environment));
    const { sheet, instruments, names } = await sheetOf(tx, business, { on: asOf, type: type === '*' ? null : type });
    const items = sheet.rows.map(({ partyKey, instrumentId, rule, alone, with: others, validUntil }) => ({
      partyKey,
      name: names.get(partyKey) ?? partyKey,
      actTypes: [...rule.actTypes],
      excludeActTypes: [...rule.excludeActTypes],
      alone,
      with: others.map((set) => [...set]),
      maxAmount: rule.maxAmount,
      territory: rule.territory,
      conditions: rule.conditions.map(({ kind }) => kind),
      canDelegate: rule.canDelegate,
      validUntil,
      // Instruments are rows, whose ids the engine repeats.
      instrumentId: instrumentId as Uuid | null,
      ruleKey: rule.key,
      clause:
        instruments.find(({ id }) => id === instrumentId)?.rules.find(({ key }) => key === rule.key)?.clause ?? null,
    }));
    const found = {
      businessId,
      environment,
      asOf,
      truncated: sheet.isTruncated,
      items,
    };
    return ctx.reply(200, shown('SignatorySheet', found, ctx));
  },
};
