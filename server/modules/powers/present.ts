/**
 * Presents powers and receipts to their readers. Used by the handlers of this module and, through the index, by
 * evidence packs. What bypasses it shows persons to readers who see them masked.
 */
import type { KeyObject } from 'node:crypto';
import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { isConstitutive } from '../../powers/in-force.ts';
import { type BusinessClocks, calendarDate } from '../../rules/brazilian-calendar.ts';
import { shown } from '../../rules/mask.ts';
import { type Business, findHeadOffice } from '../businesses/index.ts';
import { openedRow } from '../subject-keys/index.ts';
import { type EvaluationRow, signingEvaluation } from './evaluation-store.ts';
import { instrumentsOf, type OnFile, type OpenedPower, readOnFile, statusOn } from './on-file.ts';
import { type EvaluationAnswer, type EvaluationInput, isReproducible } from './receipt.ts';

type Schemas = components['schemas'];

interface Reader {
  readonly principal: AnyPrincipal;
}

/** Returns a power as it is shown on a day. */
export function presentPower(
  { row, instrument }: OpenedPower,
  status: ReturnType<typeof statusOn>,
  reader: Reader,
): Schemas['Power'] {
  const { instrument: _, ruleCount: _count, reviewId: _review, expiredAt: _expired, erasedAt: _erased, ...wire } = row;
  return shown('Power', { ...wire, ...instrument, status }, reader);
}

/** Returns one power of those on file, with its status today. */
export function shownToday(reader: Reader & BusinessClocks, file: OnFile, one: OpenedPower): Schemas['Power'] {
  const powers = [one, ...file.powers.filter(({ row }) => row.id !== one.row.id)];
  const today = calendarDate(reader.timeIn(one.row.environment));
  return presentPower(one, statusOn(one, today, instrumentsOf(powers)), reader);
}

/** Returns the powers of a business with their status today, newest first. */
export async function powersOf(
  reader: Reader & BusinessClocks & { readonly tx: Transaction },
  business: Business,
): Promise<Schemas['Power'][]> {
  const file = await readOnFile(reader.tx, business);
  return file.powers.map((one) => shownToday(reader, file, one));
}

/** Returns the confirmed articles and bylaws that a branch has of its head office. Null if it has no head office. */
export async function articlesOfHeadOffice(
  reader: Parameters<typeof powersOf>[0],
  business: Business,
): Promise<Schemas['Power'][] | null> {
  const head = await findHeadOffice(reader.tx, business);
  if (head === null) return null;
  return (await powersOf(reader, head)).filter((power) => isConstitutive(power) && power.confirmedAt !== null);
}

/** Shows an opened receipt. It is evaluated again, which tells whether it is reproducible. */
export function presentReceipt(row: EvaluationRow, reader: Reader): Schemas['SigningEvaluation'] {
  const { act, signers, instrumentVersions, ownershipVersion } = JSON.parse(row.input) as EvaluationInput;
  const { on: _, ...shownAct } = act;
  const receipt = {
    id: row.id,
    businessId: row.businessId,
    environment: row.environment,
    act: shownAct as Schemas['SigningAct'],
    signers,
    ...(JSON.parse(row.answer) as EvaluationAnswer),
    instrumentVersions,
    ownershipVersion,
    digest: row.digest,
    reproducible: isReproducible(row),
    evaluatedAt: row.createdAt,
    expiresAt: row.expiresAt,
    createdBy: row.createdBy,
  };
  return shown('SigningEvaluation', receipt, reader);
}

/** Opens and shows a receipt. */
export function openedReceipt(row: EvaluationRow, key: KeyObject | null, reader: Reader): Schemas['SigningEvaluation'] {
  return presentReceipt(openedRow(signingEvaluation, row, key), reader);
}
