/** Tests of the amount that can still be refunded through the graph of payments. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgreedReport, refundableAmount, type TracedPayment } from './refundable.ts';

const pay = (id: string, debtor: string, creditor: string, amount: number): TracedPayment => ({
  id,
  debtor,
  creditor,
  amount,
});
const agree = (paymentId: string, returnable: number): AgreedReport => ({ paymentId, returnable });
const refundable = (payments: readonly TracedPayment[], agreed: readonly AgreedReport[]): number =>
  refundableAmount('root', payments, agreed);

describe('The refundable amount', () => {
  it.each<[string, readonly TracedPayment[], readonly AgreedReport[], number]>([
    [
      'is what the receiver of the root agreed to',
      [pay('root', 'payer', 'a', 81_240)],
      [agree('root', 81_240)],
      81_240,
    ],
    ['is nothing before a report is agreed', [pay('root', 'payer', 'a', 81_240)], [], 0],
    [
      'counts money once that was reported at two accounts',
      [pay('root', 'payer', 'a', 81_240), pay('b', 'a', 'b', 77_178)],
      [agree('root', 81_240), agree('b', 77_178)],
      81_240,
    ],
    [
      'adds what a second account holds of it',
      [pay('root', 'payer', 'a', 1_000), pay('b', 'a', 'b', 600)],
      [agree('root', 400), agree('b', 600)],
      1_000,
    ],
    [
      'is bounded by what was passed on',
      [pay('root', 'payer', 'a', 1_000), pay('b', 'a', 'b', 100)],
      [agree('root', 400), agree('b', 900)],
      500,
    ],
    [
      'leaves out what no chain of agreed reports reaches',
      [pay('root', 'payer', 'a', 1_000), pay('b', 'a', 'b', 600), pay('c', 'b', 'c', 500)],
      [agree('root', 100), agree('c', 500)],
      100,
    ],
    [
      'is nothing when the root was not agreed',
      [pay('root', 'payer', 'a', 1_000), pay('b', 'a', 'b', 600)],
      [agree('b', 600)],
      0,
    ],
    [
      'goes once around a cycle',
      [pay('root', 'payer', 'a', 1_000), pay('b', 'a', 'b', 800), pay('c', 'b', 'a', 700)],
      [agree('root', 300), agree('b', 100), agree('c', 500)],
      900,
    ],
    [
      'counts a partial refund as what came back, and the rest where it can be found',
      [pay('root', 'payer', 'a', 81_240), pay('b', 'a', 'b', 50_005)],
      [agree('root', 31_235), agree('b', 50_005)],
      81_240,
    ],
    [
      'takes a refund back from a path that another one needs',
      [pay('root', 'payer', 'a', 10), pay('b', 'a', 'b', 10), pay('c', 'a', 'c', 5), pay('d', 'b', 'c', 5)],
      [agree('root', 0), agree('b', 5), agree('c', 3), agree('d', 2)],
      10,
    ],
    [
      'ignores a report about a payment that is not in the graph',
      [pay('root', 'payer', 'a', 10)],
      [agree('root', 10), agree('elsewhere', 99)],
      10,
    ],
    [
      'does not confuse accounts with the ends of the flow',
      [pay('root', 'sink', 'source', 10), pay('b', 'source', 'sink', 4)],
      [agree('root', 3), agree('b', 9)],
      7,
    ],
  ])('%s', (_what, payments, agreed, amount) => {
    expect(refundable(payments, agreed)).toBe(amount);
  });

  /**
   * Returns the capacity of the smallest set of edges that separates the root from everything returnable, found by
   * trying every set of accounts (max-flow min-cut).
   */
  function smallestCut(payments: readonly TracedPayment[], agreed: readonly AgreedReport[]): number {
    const usable = agreed.flatMap(({ paymentId, returnable }) =>
      payments.filter(({ id }) => id === paymentId).map((payment) => ({ ...payment, returnable })),
    );
    const accounts = [...new Set(usable.flatMap(({ debtor, creditor }) => [debtor, creditor]))];
    const cuts = Array.from({ length: 2 ** accounts.length }, (_, set) => {
      const isInside = (name: string): boolean => (set >> accounts.indexOf(name)) % 2 === 1;
      return usable.reduce(
        (sum, { id, debtor, creditor, amount, returnable }) =>
          sum +
          ((id === 'root' || isInside(debtor)) && !isInside(creditor) ? amount : 0) +
          (isInside(creditor) ? returnable : 0),
        0,
      );
    });
    return Math.min(...cuts);
  }

  it('equals the smallest cut of random graphs, and never exceeds the root', () => {
    const names = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const amounts = fc.integer({ min: 0, max: 1_000 });
    const graph = fc
      .record({
        root: fc.record({ creditor: names, amount: amounts }),
        others: fc.array(fc.record({ debtor: names, creditor: names, amount: amounts }), { maxLength: 8 }),
        agreed: fc.array(fc.record({ index: fc.integer({ min: 0, max: 8 }), returnable: amounts }), { maxLength: 9 }),
      })
      .map(({ root, others, agreed }) => {
        const payments = [
          pay('root', 'payer', root.creditor, root.amount),
          ...others.map(({ debtor, creditor, amount }, n) => pay(`p${n}`, debtor, creditor, amount)),
        ];
        const reports = new Map(
          agreed.map(({ index, returnable }) => [payments[index % payments.length]!.id, returnable]),
        );
        return { payments, agreed: [...reports].map(([id, returnable]) => agree(id, returnable)) };
      });
    fc.assert(
      fc.property(graph, ({ payments, agreed }) => {
        const amount = refundable(payments, agreed);
        expect(amount).toBe(smallestCut(payments, agreed));
        expect(amount).toBeLessThanOrEqual(payments[0]!.amount);
      }),
      { numRuns: 500 },
    );
  });
});
