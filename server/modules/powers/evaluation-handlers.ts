import { DAY_MILLISECONDS, addMilliseconds, type BusinessTime, readStatedTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { Act } from '../../powers/powers.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import { listPage } from '../../request/pagination.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import { normaliseTaxNumber } from '../../rules/tax-id.ts';
import { openingKey, sealedRow, sealingKey } from '../subject-keys/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { type EvaluationRow, insertEvaluation, evaluationsOf, signingEvaluation } from './evaluation-store.ts';
import { isActType, unknownActType } from './faults.ts';
import { lookup } from './lookup.ts';
import { readForSigning } from './inherited.ts';
import { instrumentsOf, isGivenUp, type OnFile } from './on-file.ts';
import { openedReceipt, presentReceipt } from './present.ts';
import { type EvaluationInput, receiptOf } from './receipt.ts';

type Schemas = components['schemas'];
type Sent = Schemas['SigningEvaluationCreate'];

/** Returns an act as it is stored and evaluated. The other side is a key or a number without punctuation. */
function actOf({ act }: Sent, { parties }: OnFile, now: BusinessTime): Act {
  const { type, amount = null, counterparty = null, conditionsMet = [], place = null } = act;
  const at = act.at === undefined ? now : readStatedTime(act.at)!;
  const isKey = parties.some(({ key }) => key === counterparty);
  return {
    type,
    amount,
    at: at.toISOString(),
    on: calendarDate(at),
    counterparty: counterparty === null || isKey ? counterparty : normaliseTaxNumber(counterparty),
    conditionsMet,
    place: place === null ? null : { state: place.state ?? null, city: place.city ?? null },
  };
}

function signersOf({ signers = null }: Sent): EvaluationInput['signers'] {
  return (
    signers?.map(({ partyKey, taxId, signedAt = null }) => ({
      ...(partyKey !== undefined && { partyKey }),
      ...(taxId !== undefined && { taxId: normaliseTaxNumber(taxId) }),
      signedAt: signedAt === null ? null : readStatedTime(signedAt)!.toISOString(),
    })) ?? null
  );
}

/** Returns what a schema cannot say about a request. */
function requestFaults({ act, signers = null }: Sent, customActTypes: readonly string[]): FieldError[] {
  const message = 'must be present, or taxId in its place, and not both';
  return [
    ...(act.type !== '*' && isActType(act.type, customActTypes) ? [] : [unknownActType('/act/type')]),
    ...(signers ?? []).flatMap(({ partyKey, taxId }, index): FieldError[] =>
      (partyKey === undefined) === (taxId === undefined)
        ? [{ pointer: `/signers/${index}/partyKey`, code: 'required', message }]
        : [],
    ),
  ];
}

async function evaluate(ctx: Context<'createSigningEvaluation'>): Promise<Schemas['SigningEvaluation']> {
  const { tx, body, principal, params } = ctx;
  const business = await lookup(ctx).business(params.businessId).forChangeWithoutLock();
  const { customActTypes } = await readSettings(tx, tx.tenantId!);
  const errors = requestFaults(
    body,
    customActTypes.map(({ key }) => key),
  );
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
  const { environment, id: businessId } = business;
  const at = ctx.timeIn(environment);
  const file = await readForSigning(tx, business, { isLocked: true });
  const receipt = receiptOf({
    file: { business: file.business, parties: file.parties, instruments: instrumentsOf(file.powers) },
    act: actOf(body, file, at),
    signers: signersOf(body),
    instrumentVersions: file.powers
      .filter(({ row }) => !isGivenUp(row))
      .map(({ row }) => ({ instrumentId: row.id, version: row.version, digest: row.evidenceDigest }))
      .reverse(),
    ownershipVersion: file.ownershipVersion,
  });
  const row: EvaluationRow = {
    id: uuidv7(),
    environment,
    businessId,
    actType: body.act.type,
    result: receipt.shown.result,
    coverage: receipt.shown.coverage,
    input: receipt.input,
    answer: receipt.answer,
    digest: receipt.digest,
    createdAt: at.toISOString(),
    expiresAt: addMilliseconds(at, DAY_MILLISECONDS).toISOString() as EvaluationRow['expiresAt'],
    createdBy: actorOf(principal),
    erasedAt: null,
  };
  const key = await sealingKey(tx, { type: 'business', id: businessId }, { environment, now: at });
  insertEvaluation(tx, sealedRow(signingEvaluation, row, key));
  const { id, actType, result, digest } = row;
  ctx.audit(
    'signing.evaluated',
    { type: 'signing_evaluation', id },
    {
      businessId,
      actType,
      result,
      digest,
    },
  );
  return presentReceipt(row, ctx);
}

type Operations = 'listSigningEvaluations' | 'createSigningEvaluation' | 'getSigningEvaluation';

export const evaluationHandlers: Pick<Handlers, Operations> = {
  listSigningEvaluations: async (ctx) => {
    const { id } = await lookup(ctx).business(ctx.params.businessId).forReading();
    const page = await listPage(ctx, {
      ...evaluationsOf(ctx.tx, id),
      item: ({ environment: _, businessId: _business, createdAt, ...summary }) => ({
        ...summary,
        evaluatedAt: createdAt,
      }),
    });
    return ctx.reply(200, page);
  },

  createSigningEvaluation: async (ctx) => {
    const receipt = await evaluate(ctx);
    return ctx.reply(201, receipt, {
      Location: `/v1/businesses/${receipt.businessId}/signing-evaluations/${receipt.id}`,
    });
  },

  getSigningEvaluation: async (ctx) => {
    const { tx, params } = ctx;
    const { id } = await lookup(ctx).business(params.businessId).forReading();
    const found = await lookup(ctx).evaluation(id, params.evaluationId).forReading();
    return ctx.reply(200, openedReceipt(found, await openingKey(tx, { type: 'business', id }), ctx));
  },
};
