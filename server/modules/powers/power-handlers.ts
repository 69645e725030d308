import { type BusinessTime, readStatedTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import { assertMatch, etagOf } from '../../request/preconditions.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import { assertNotClosed, auditInvalidated, type Business, reviewAgain } from '../businesses/index.ts';
import { businessDocuments } from '../documents/index.ts';
import { publish } from '../subject-events/index.ts';
import { endReview, renewReview, requestReview, review } from '../second-review/index.ts';
import { sealedRow, sealingKey } from '../subject-keys/index.ts';
import { completeInstrument, digestOfPower, type Instrument } from './instrument.ts';
import { lookup } from './lookup.ts';
import { instrumentsOf, type OnFile, type OpenedPower, readOnFile, statusOn } from './on-file.ts';
import { insertPower, power, type PowerRow, storePower, storeRevocation } from './power-store.ts';
import { assertValid } from './valid-power.ts';
import { presentPower, shownToday } from './present.ts';

type Schemas = components['schemas'];

/** Powers that a business may have. */
const MOST_POWERS = 100;

const about = ({ id }: Pick<PowerRow, 'id'>) => ({ type: 'power', id }) as const;
const reviewOf = ({ reviewId }: Pick<PowerRow, 'reviewId'>) => ({ type: 'power', id: reviewId }) as const;

/** Seals the texts of a power under the key of its business. */
async function sealed(tx: Transaction, row: PowerRow, now: BusinessTime): Promise<PowerRow> {
  const { businessId, environment } = row;
  const key = await sealingKey(tx, { type: 'business', id: businessId }, { environment, now });
  return sealedRow(power, row, key);
}

/** Returns the columns of a row that an instrument decides, before it is sealed. */
function columnsOf(instrument: Instrument) {
  const { type, documentId, validFrom, validUntil, rules } = instrument;
  return {
    type,
    instrument: JSON.stringify(instrument),
    documentId,
    validFrom,
    validUntil,
    ruleCount: rules.length,
  } as const;
}

/** Locks the business of a power, and finds the power among those on file. */
async function held(ctx: Context<'updatePower'> | Context<'confirmPower'> | Context<'revokePower'>): Promise<{
  readonly business: Business;
  readonly file: OnFile;
  readonly found: OpenedPower;
  readonly at: BusinessTime;
}> {
  const { businessId, powerId } = ctx.params;
  const business = await lookup(ctx).business(businessId).forChange();
  const { id } = await lookup(ctx).power(business.id, powerId).forChangeWithoutLock();
  const file = await readOnFile(ctx.tx, business);
  return {
    business,
    file,
    found: file.powers.find(({ row }) => row.id === id)!,
    at: ctx.timeIn(business.environment),
  };
}

/** Returns a business whose decision waits for a second person to review, because its powers have changed. */
async function endDecision(ctx: Context<'confirmPower'> | Context<'revokePower'>, business: Business): Promise<void> {
  const invalidated = await reviewAgain(ctx, business);
  if (invalidated !== null) auditInvalidated(ctx.audit, invalidated, business.id);
}

/** Rejects a step that the stored status does not allow. */
function assertStatus({ status }: PowerRow, ...allowed: readonly PowerRow['status'][]): void {
  if (allowed.includes(status)) return;
  const allowedTransitions = { draft: ['active', 'revoked'], active: ['revoked'], revoked: [] }[status];
  throw new Problem('invalid_state_transition', { currentStatus: status, allowedTransitions });
}

async function draft(ctx: Context<'createPower'>): Promise<Schemas['Power']> {
  const { tx, body, principal } = ctx;
  const business = await lookup(ctx).business(ctx.params.businessId).forChange();
  assertNotClosed(business.status);
  const file = await readOnFile(tx, business);
  if (file.powers.length >= MOST_POWERS)
    throw new Problem('validation_failed', {
      errors: [{ pointer: '', code: 'too_many', message: `is more than the ${MOST_POWERS} powers of a business` }],
    });
  const [id, instrument] = [uuidv7(), completeInstrument(body)];
  const sha256 = await assertValid(tx, instrument, { id, business, file });
  const at = ctx.timeIn(business.environment);
  const row: PowerRow = {
    id,
    environment: business.environment,
    businessId: business.id,
    status: 'draft',
    ...columnsOf(instrument),
    extractedBy: principal.kind === 'user' ? 'manual' : 'api',
    evidenceDigest: digestOfPower(id, instrument, sha256),
    reviewId: uuidv7(),
    confirmedAt: null,
    confirmedBy: null,
    confirmationNote: null,
    revokedAt: null,
    revocationReason: null,
    revocationDocumentId: null,
    version: 1,
    createdAt: at.toISOString(),
    updatedAt: at.toISOString(),
    createdBy: actorOf(principal),
    expiredAt: null,
    erasedAt: null,
  };
  insertPower(tx, await sealed(tx, row, at));
  const { environment, evidenceDigest: digest } = row;
  await requestReview(tx, {
    environment,
    subject: reviewOf(row),
    digest,
    maker: principal,
    now: at,
  });
  ctx.audit('power.drafted', about(row), { businessId: business.id, type: row.type, rules: row.ruleCount });
  return shownToday(ctx, file, { row, instrument });
}

/** Changes a draft. Its second review begins anew, and the authors of all its versions are excluded from it. */
async function change(ctx: Context<'updatePower'>): Promise<Schemas['Power']> {
  const { tx, body, principal } = ctx;
  const { business, file, found, at } = await held(ctx);
  const before = found.row;
  assertMatch(ctx.headers['if-match'], before.version);
  assertNotClosed(business.status);
  assertStatus(before, 'draft');
  const instrument = completeInstrument({ ...found.instrument, ...body });
  const sha256 = await assertValid(tx, instrument, { id: before.id, business, file });
  const row: PowerRow = {
    ...before,
    ...columnsOf(instrument),
    evidenceDigest: digestOfPower(before.id, instrument, sha256),
    reviewId: uuidv7(),
    version: before.version + 1,
    updatedAt: at.toISOString(),
  };
  storePower(tx, await sealed(tx, row, at));
  const { environment, evidenceDigest: digest } = row;
  await renewReview(tx, reviewOf(before), {
    environment,
    subject: reviewOf(row),
    digest,
    maker: principal,
    now: at,
  });
  ctx.audit(
    'power.updated',
    about(row),
    Object.keys(body).map((member) => ({ op: 'replace', path: `/${member}` })),
  );
  return shownToday(ctx, file, { row, instrument });
}

async function confirm(ctx: Context<'confirmPower'>): Promise<Schemas['Power']> {
  const { tx, body, principal } = ctx;
  const { business, file, found, at } = await held(ctx);
  const before = found.row;
  assertNotClosed(business.status);
  assertStatus(before, 'draft');
  const { documentId } = found.instrument;
  const documents = await businessDocuments(tx, business.id, documentId === null ? [] : [documentId]);
  const document = documents.get(documentId ?? '');
  if (document === undefined) throw new Problem('document_missing');
  if (document.sha256 !== body.sourceDocumentSha256) throw new Problem('document_changed');
  const outcome = await review(tx, reviewOf(before), digestOfPower(before.id, found.instrument, document.sha256), {
    verdict: 'confirm',
    digest: body.evidenceDigest,
    note: null,
    checker: principal,
    now: at,
  });
  if (outcome !== 'confirmed') throw new Problem('evidence_changed', { currentDigest: before.evidenceDigest });
  const row: PowerRow = {
    ...before,
    status: 'active',
    confirmedAt: at.toISOString(),
    confirmedBy: actorOf(principal),
    confirmationNote: body.note ?? null,
    version: before.version + 1,
    updatedAt: at.toISOString(),
  };
  storePower(tx, await sealed(tx, row, at));
  ctx.audit('power.confirmed', about(row), { businessId: business.id, documentSha256: document.sha256 });
  await announce(ctx, row, at);
  await endDecision(ctx, business);
  return shownToday(ctx, file, { row, instrument: found.instrument });
}

/** Publishes that a power counts, or counts no more. */
function announce(
  { tx, now }: Pick<Context<'confirmPower'>, 'tx' | 'now'>,
  { id: powerId, businessId, environment }: PowerRow,
  at: BusinessTime,
): Promise<void> {
  const subject = { kind: 'business', id: businessId } as const;
  return publish(tx, {
    type: 'power.changed',
    subject,
    environment,
    powerId,
    at,
    now,
  });
}

async function revoke(ctx: Context<'revokePower'>): Promise<Schemas['Power']> {
  const { tx, body } = ctx;
  const { business, file, found, at } = await held(ctx);
  const before = found.row;
  assertStatus(before, 'draft', 'active');
  const revokedAt = body.revokedAt === undefined ? at : readStatedTime(body.revokedAt)!;
  // A draft that is given up never had an effect, so no time of its own binds it.
  if (before.status === 'active' && calendarDate(revokedAt) < found.instrument.validFrom)
    throw new Problem('validation_failed', {
      errors: [
        {
          pointer: '/revokedAt',
          code: 'revocation_before_validity',
          message: 'must not be before the first day of the power',
        },
      ],
    });
  const documentId = body.documentId ?? null;
  const documents = await businessDocuments(tx, business.id, documentId === null ? [] : [documentId]);
  if (documentId !== null && documents.size === 0)
    throw new Problem('validation_failed', {
      errors: [{ pointer: '/documentId', code: 'not_found', message: 'must name a document of the business' }],
    });
  const row: PowerRow = {
    ...before,
    status: 'revoked',
    revokedAt: revokedAt.toISOString(),
    revocationReason: body.reasonCode,
    revocationDocumentId: documentId,
    version: before.version + 1,
    updatedAt: at.toISOString(),
  };
  if (before.status === 'draft') endReview(tx, reviewOf(before), at);
  storeRevocation(tx, row);
  ctx.audit('power.revoked', about(row), { businessId: business.id, reasonCode: body.reasonCode });
  // Nothing rests on a draft.
  if (before.status === 'active') {
    await announce(ctx, row, at);
    await endDecision(ctx, business);
  }
  return shownToday(ctx, file, { row, instrument: found.instrument });
}

type Operations = 'listPowers' | 'createPower' | 'getPower' | 'updatePower' | 'confirmPower' | 'revokePower';

export const powerHandlers: Pick<Handlers, Operations> = {
  listPowers: async (ctx) => {
    const { status = [], type = [], asOf } = ctx.query;
    const business = await lookup(ctx).business(ctx.params.businessId).forReading();
    const { powers } = await readOnFile(ctx.tx, business);
    const instruments = instrumentsOf(powers);
    const day = asOf ?? calendarDate(ctx.timeIn(business.environment));
    const items = powers
      .map((one) => presentPower(one, statusOn(one, day, instruments), ctx))
      .filter((one) => status.length === 0 || status.some((wanted) => wanted === one.status))
      .filter((one) => type.length === 0 || type.some((wanted) => wanted === one.type));
    return ctx.reply(200, { items });
  },

  createPower: async (ctx) => {
    const made = await draft(ctx);
    return ctx.reply(201, made, { Location: `/v1/businesses/${made.businessId}/powers/${made.id}` });
  },

  getPower: async (ctx) => {
    const business = await lookup(ctx).business(ctx.params.businessId).forReading();
    const { id, version } = await lookup(ctx).power(business.id, ctx.params.powerId).forReading();
    const file = await readOnFile(ctx.tx, business);
    return ctx.reply(200, shownToday(ctx, file, file.powers.find(({ row }) => row.id === id)!), {
      ETag: etagOf(version),
    });
  },

  updatePower: async (ctx) => {
    const changed = await change(ctx);
    return ctx.reply(200, changed, { ETag: etagOf(changed.version) });
  },

  confirmPower: async (ctx) => ctx.reply(200, await confirm(ctx)),

  revokePower: async (ctx) => ctx.reply(200, await revoke(ctx)),
};
