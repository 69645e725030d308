/**
 * Computes the largest amount that can be refunded. The agreed reports cannot simply be added: the same money
 * is reported at each account that it passed, and a report that no chain of agreed reports connects with the root is
 * never refunded (Manual Operacional do DICT §20.1.7). So the amount is the largest flow from the root payment through
 * the agreed payments into what their receivers can return. Used by present.ts.
 */

/** A payment of the tracking graph, in minor units. */
export interface TracedPayment {
  readonly id: string;
  readonly debtor: string;
  readonly creditor: string;
  readonly amount: number;
}

/** What the receiver of a payment agreed to return, or has returned once its refund is closed, in minor units. */
export interface AgreedReport {
  readonly paymentId: string;
  readonly returnable: number;
}

const SOURCE = 'source';
const SINK = 'sink';
/** Account ids get a prefix, so that none can equal the source or the sink. */
const account = (id: string): string => `account ${id}`;

/**
 * Returns the largest refundable amount: at most the root payment, and nothing that lies beyond a payment whose report
 * was not agreed.
 */
export function refundableAmount(
  rootId: string,
  payments: readonly TracedPayment[],
  agreed: readonly AgreedReport[],
): number {
  const capacities = new Capacities();
  for (const { paymentId, returnable } of agreed) {
    const payment = payments.find(({ id }) => id === paymentId);
    if (payment === undefined) continue;
    capacities.add(paymentId === rootId ? SOURCE : account(payment.debtor), account(payment.creditor), payment.amount);
    capacities.add(account(payment.creditor), SINK, returnable);
  }
  let total = 0;
  // Shortest augmenting paths (Edmonds and Karp, 1972): their number is bounded by the size of the graph,
  // whatever the amounts are.
  for (let path = capacities.shortestPath(); path !== null; path = capacities.shortestPath())
    total += capacities.push(path);
  return total;
}

/** Remaining capacity of each edge. Flow that was pushed can be taken back along the reverse edge. */
class Capacities {
  readonly #of = new Map<string, Map<string, number>>();

  add(from: string, to: string, amount: number): void {
    this.#change(from, to, amount);
    this.#change(to, from, 0);
  }

  shortestPath(): readonly string[] | null {
    const paths: string[][] = [[SOURCE]];
    const seen = new Set([SOURCE]);
    for (const path of paths) {
      for (const [to, left] of this.#of.get(path.at(-1)!) ?? []) {
        if (left <= 0 || seen.has(to)) continue;
        if (to === SINK) return [...path, to];
        seen.add(to);
        paths.push([...path, to]);
      }
    }
    return null;
  }

  push(path: readonly string[]): number {
    const edges = path.slice(1).map((to, index) => [path[index]!, to] as const);
    const amount = Math.min(...edges.map(([from, to]) => this.#of.get(from)!.get(to)!));
    for (const [from, to] of edges) {
      this.#change(from, to, -amount);
      this.#change(to, from, amount);
    }
    return amount;
  }

  #change(from: string, to: string, amount: number): void {
    const edges = this.#of.get(from) ?? new Map<string, number>();
    edges.set(to, (edges.get(to) ?? 0) + amount);
    this.#of.set(from, edges);
  }
}
