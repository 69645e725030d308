/**
 * Presents what the registry says of a business, with its differences. Used by the handlers of this module and, through
 * the index, by evidence packs. What bypasses it shows persons to readers who see them masked.
 */
import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import type { RegistryFinding } from '../../providers/business-registry/index.ts';
import { shown } from '../../rules/mask.ts';
import type { Business } from '../businesses/index.ts';
import { openedRow, openingKey } from '../subject-keys/index.ts';
import { draftOf } from './differences.ts';
import {
  type AnswerRow,
  type DifferenceRow,
  latestAnswer,
  listDifferences,
  registryAnswer,
  registryDifference,
} from './store.ts';

type Schemas = components['schemas'];

interface Reader {
  readonly principal: AnyPrincipal;
}

function wireOf(row: DifferenceRow): Schemas['RegistryDifference'] {
  const { environment: _, businessId: _business, contentHash: _hash, ...wire } = row;
  return wire;
}

/** Presents an opened difference. */
export function presentDifference(row: DifferenceRow, reader: Reader): Schemas['RegistryDifference'] {
  return shown('RegistryDifference', wireOf(row), reader);
}

function answerOf({ id, source, finding, contentHash, createdAt, createdBy }: AnswerRow): Schemas['RegistryAnswer'] {
  const said = JSON.parse(finding) as RegistryFinding;
  return {
    id,
    source,
    ...said,
    mainActivity: said.mainActivity ?? null,
    furtherActivities: said.furtherActivities ?? [],
    contentHash,
    fetchedAt: createdAt,
    fetchedBy: createdBy,
  };
}

/** Presents the latest answer and its differences, all opened. */
export function presentRegistry(
  { id: businessId, environment }: Business,
  answer: AnswerRow | null,
  differences: readonly DifferenceRow[],
  reader: Reader,
): Schemas['BusinessRegistry'] {
  const found = {
    businessId,
    environment,
    answer: answer && answerOf(answer),
    draft: answer && draftOf(JSON.parse(answer.finding) as RegistryFinding),
    differences: differences.map(wireOf),
  };
  return shown('BusinessRegistry', found, reader);
}

/** Reads and presents what the registry says of a business. */
export async function registryOf(
  reader: Reader & { readonly tx: Transaction },
  business: Business,
): Promise<Schemas['BusinessRegistry']> {
  const { tx } = reader;
  const [answer, differences, key] = await Promise.all([
    latestAnswer(tx, business.id),
    listDifferences(tx, business.id),
    openingKey(tx, { type: 'business', id: business.id }),
  ]);
  return presentRegistry(
    business,
    answer && openedRow(registryAnswer, answer, key),
    differences.map((row) => openedRow(registryDifference, row, key)),
    reader,
  );
}
