import type { KeyObject } from 'node:crypto';
import type { Transaction } from '../../database/index.ts';
import { forceOf } from '../../powers/in-force.ts';
import type { PowerBusiness, PowerParty } from '../../powers/powers.ts';
import { type Business, listPartyEvidence } from '../businesses/index.ts';
import { latestAnswer } from '../company-registry/index.ts';
import { latestGraph } from '../ownership/index.ts';
import { openedRow, openingKey } from '../subject-keys/index.ts';
import { type ClausedInstrument, engineInstrument, type Instrument } from './instrument.ts';
import { listPowers, power, type PowerRow } from './power-store.ts';

/** A power with its content opened. */
export interface OpenedPower {
  readonly row: PowerRow;
  readonly instrument: Instrument;
}

export function openedPower(row: PowerRow, key: KeyObject | null): OpenedPower {
  const opened = openedRow(power, row, key);
  return { row: opened, instrument: JSON.parse(opened.instrument) as Instrument };
}

/** Everything that is known about who may sign for a company. */
export interface OnFile {
  readonly business: PowerBusiness;
  readonly parties: readonly PowerParty[];
  /** Names of the parties, by their keys. */
  readonly names: ReadonlyMap<string, string>;
  readonly ownershipVersion: number;
  readonly powers: readonly OpenedPower[];
}

/**
 * Reads the powers and the parties of a business, and what its registry says. A person whose application is approved is
 * verified; an answer that depends on anybody else is open.
 */
export async function readOnFile(tx: Transaction, { id, legalForm }: Business): Promise<OnFile> {
  const rows = await listPowers(tx, id);
  const { graph, version } = await latestGraph(tx, id);
  const [answer, people] = await Promise.all([latestAnswer(tx, id), listPartyEvidence(tx, id)]);
  const of = (partyKey: string) => people.filter((person) => person.partyKey === partyKey);
  const key = await openingKey(tx, { type: 'business', id });
  return {
    business: {
      legalForm,
      situation: answer?.situation ?? null,
      protectionActive: false,
      establishment: { state: answer?.state ?? null, city: answer?.city ?? null },
    },
    parties: graph.parties.map(({ key: partyKey, roles, taxId, validFrom, validTo }) => ({
      key: partyKey,
      roles,
      taxId,
      validFrom,
      validTo,
      identityVerified: of(partyKey).some(({ status }) => status === 'approved'),
      sanctioned: of(partyKey).some(({ isSanctioned }) => isSanctioned),
      protectionActive: false,
    })),
    names: new Map(graph.parties.map(({ key: partyKey, name }) => [partyKey, name])),
    ownershipVersion: version,
    powers: rows.map((row) => openedPower(row, key)),
  };
}

/** Tells whether a power was given up while it was a draft, so that it never had an effect. */
export function isGivenUp({ status, confirmedAt }: Pick<PowerRow, 'status' | 'confirmedAt'>): boolean {
  return status === 'revoked' && confirmedAt === null;
}

/** Returns the powers in the terms of the engine, the oldest first, without drafts that were given up. */
export function instrumentsOf(powers: readonly OpenedPower[]): ClausedInstrument[] {
  return powers
    .filter(({ row }) => !isGivenUp(row))
    .map(({ row, instrument }) => engineInstrument(row, instrument))
    .reverse();
}

const STATUS = {
  confirmed: 'active',
  not_yet: 'active',
  unconfirmed: 'draft',
  suspended: 'active',
  expired: 'expired',
  revoked: 'revoked',
  superseded: 'superseded',
} as const;
export type PowerStatus = (typeof STATUS)[keyof typeof STATUS];

/** Returns the status of a power on a day, among all powers of its business. */
export function statusOn({ row }: OpenedPower, day: string, instruments: readonly ClausedInstrument[]): PowerStatus {
  if (isGivenUp(row)) return 'revoked';
  if (row.status === 'draft') return 'draft';
  const own = instruments.find(({ id }) => id === row.id)!;
  return STATUS[forceOf(own, { on: day, at: null }, instruments)];
}
