/** Tests of how values of the directory are presented in responses of the API. */
import { describe, expect, it } from 'vitest';
import { recordFaults } from '../../contract/record-faults.ts';
import { instant, minorUnits, money, presentGraph, presentRefund, presentReport, text } from './present.ts';

describe('an amount of the directory', () => {
  it.each([
    ['812.40', 81_240],
    ['0.00', 0],
    ['0.07', 7],
    ['1', 100],
    ['1.5', 150],
    ['999999999999.99', 99_999_999_999_999],
    ['4503599627.37', 450_359_962_737],
    ['1.10', 110],
    ['33.33', 3333],
  ])('%s is %i in minor units', (decimal, units) => {
    expect(minorUnits(decimal)).toBe(units);
  });

  it.each([
    '',
    '-1.00',
    '1,00',
    '1.005',
    '1e3',
    '0x10',
    ' 1.00',
    '1.',
    '.5',
    'NaN',
    '1234567890123.00',
    812.4,
    null,
    undefined,
    { Amount: '1.00' },
  ])('%j is no amount', (leaf) => {
    expect(minorUnits(leaf)).toBeNull();
    expect(money(leaf)).toBeNull();
  });
});

describe('a leaf', () => {
  it('becomes null if it is no text, and is cut if it is too long', () => {
    expect([
      text('SCAM', 40),
      text('x'.repeat(41), 40),
      text('', 40),
      text({ deep: 'x' }, 40),
      text(undefined, 40),
    ]).toEqual(['SCAM', 'x'.repeat(40), null, null, null]);
  });

  it('is shown in UTC with milliseconds if it is a time', () => {
    expect([
      instant('2026-11-02T21:04:11.482Z'),
      instant('2026-11-02T18:04:11-03:00'),
      instant('soon'),
      instant(undefined),
    ]).toEqual(['2026-11-02T21:04:11.482Z', '2026-11-02T21:04:11.000Z', null, null]);
  });
});

describe('any content from the directory', () => {
  /** Document in which every text is far longer than any response shows. */
  const LONG = 'x'.repeat(10_000);
  const times = { CreationTime: '2026-11-02T21:04:11Z', LastModified: '2026-11-02T21:04:11Z', SettlementTime: LONG };
  const texts = Object.fromEntries(
    [
      'Id',
      'TransactionId',
      'Status',
      'ReporterParticipant',
      'CounterpartyParticipant',
      'RequestingParticipant',
      'ContestedParticipant',
      'AnalysisResult',
      'RefundRejectionReason',
      'RefundTransactionId',
      'Participant',
      'PersonId',
      'DebtorAccountId',
      'CreditorAccountId',
      'Amount',
      'InfractionAmount',
      'RefundAmount',
    ].map((name) => [name, LONG]),
  );
  const document = { ...texts, ...times } as never;
  const due = { limit: 1, isOver: false };

  it('fits the schema of the response', () => {
    expect(recordFaults('InfractionReport', presentReport(document, due))).toEqual([]);
    expect(recordFaults('Refund', presentRefund(document, due))).toEqual([]);
    const graph = presentGraph({
      CreationTime: LONG,
      Accounts: Array.from({ length: 1001 }, () => document),
      Transactions: Array.from({ length: 1001 }, () => document),
    });
    expect(recordFaults('TrackingGraph', graph)).toEqual([]);
    expect([
      ...graph.accounts.slice(0, 1).flatMap((account) => recordFaults('TrackedAccount', account)),
      ...graph.transactions.slice(0, 1).flatMap((transaction) => recordFaults('TrackedTransaction', transaction)),
    ]).toEqual([]);
  });
});
