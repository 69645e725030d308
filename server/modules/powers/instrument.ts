import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../../base/canonical-json.ts';
import { readStatedTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { PowerInstrument, PowerRule } from '../../powers/powers.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import type { PowerRow } from './power-store.ts';

type Schemas = components['schemas'];

/** Members of a power that say what its document says. */
export type Instrument = Pick<
  Schemas['Power'],
  | 'type'
  | 'documentId'
  | 'registryOffice'
  | 'registeredOn'
  | 'registryNumber'
  | 'validFrom'
  | 'validUntil'
  | 'groups'
  | 'rules'
  | 'grantorInstrumentId'
  | 'grantedBy'
  | 'grantedOn'
  | 'supersedes'
>;

/** Returns what a request says about a document, with every member. */
export function completeInstrument({ type, validFrom, ...sent }: Schemas['PowerCreate']): Instrument {
  return {
    type,
    documentId: sent.documentId ?? null,
    registryOffice: sent.registryOffice ?? null,
    registeredOn: sent.registeredOn ?? null,
    registryNumber: sent.registryNumber ?? null,
    validFrom,
    validUntil: sent.validUntil ?? null,
    groups: (sent.groups ?? []).map(({ key, members }) => ({
      key,
      members: members.map((member) => ({ termFrom: null, termUntil: null, ...member })),
    })),
    rules: (sent.rules ?? []).map((rule) => ({
      excludeActTypes: [],
      maxAmount: null,
      canDelegate: false,
      territory: null,
      clause: null,
      sourceText: null,
      ...rule,
      conditions: (rule.conditions ?? []).map((condition) => ({ body: null, ...condition })),
      anchor: rule.anchor == null ? null : { firstWord: null, lastWord: null, ...rule.anchor },
    })),
    grantorInstrumentId: sent.grantorInstrumentId ?? null,
    grantedBy: sent.grantedBy ?? [],
    grantedOn: sent.grantedOn ?? null,
    supersedes: sent.supersedes ?? null,
  } as Instrument;
}

/** Digest of a draft and of the file of its document, which a second person confirms together. */
export function digestOfPower(id: string, instrument: Instrument, documentSha256: string | null): string {
  const content = {
    format: 'power/1',
    id,
    instrument,
    documentSha256,
  } as unknown as Json;
  return `sha256:${createHash('sha256').update(canonicalJson(content), 'utf8').digest('hex')}`;
}

/** A rule as the engine reads it, with its clause, which a receipt names. */
export type ClausedRule = PowerRule & { readonly clause: string | null };
export type ClausedInstrument = Omit<PowerInstrument, 'rules'> & { readonly rules: readonly ClausedRule[] };

/** Returns a power in the terms of the engine. Its dates decide whether it is in force, not its status. */
export function engineInstrument(
  { id, confirmedAt, revokedAt }: Pick<PowerRow, 'id' | 'confirmedAt' | 'revokedAt'>,
  instrument: Instrument,
): ClausedInstrument {
  const { type, registeredOn, validFrom, validUntil, supersedes, grantorInstrumentId, grantedBy, grantedOn } =
    instrument;
  return {
    id,
    type,
    status: confirmedAt === null ? 'draft' : 'active',
    registeredOn,
    validFrom,
    validUntil,
    revoked: revokedAt === null ? null : { at: revokedAt, on: calendarDate(readStatedTime(revokedAt)!) },
    supersedes,
    grantorInstrumentId,
    grantedBy,
    grantedOn,
    groups: instrument.groups.map(({ key, members }) => ({
      key,
      members: members.map(({ partyKey, termFrom = null, termUntil = null }) => ({ partyKey, termFrom, termUntil })),
    })),
    rules: instrument.rules.map((rule) => ({
      key: rule.key,
      actTypes: rule.actTypes,
      excludeActTypes: rule.excludeActTypes ?? [],
      maxAmount: rule.maxAmount ?? null,
      formula: rule.formula as PowerRule['formula'],
      conditions: (rule.conditions ?? []).map(({ kind }) => ({ kind })),
      canDelegate: rule.canDelegate ?? false,
      territory: rule.territory ?? null,
      clause: rule.clause ?? null,
    })),
  };
}
