/** Every status of the directory with its place in the lifecycle: a record never goes to a lower one. */
const ranks = {
  CREATED: 10, TRACKED: 20, AWAITING_ANALYSIS: 30, ANALYSED: 40, REFUNDING: 50, COMPLETED: 60, CANCELLED: 60,
} as const;

export type Status = keyof typeof ranks;

/** Names that older texts of the directory use. */
const aliases: ReadonlyMap<string, Status> = new Map([['WAITING_ANALYSIS', 'AWAITING_ANALYSIS'], ['BLOCKING', 'TRACKED']]);

/** Null for one that we do not know: the directory may add some at any time. */
export function readStatus(text: string): Status | null {
  return aliases.get(text) ?? (Object.hasOwn(ranks, text) ? text as Status : null);
}

export function rankOf(status: Status): number {
  return ranks[status];
}

export function isTerminal(status: Status): boolean {
  return ranks[status] === ranks.COMPLETED;
}

/**
 * The status of a record after an event that leads to `reached`. An event that comes late lowers nothing. Of two ends
 * that contradict each other the one that the directory shows holds.
 */
export function statusAfter(current: Status, reached: Status, shown: Status | null): Status {
  if (isTerminal(reached) && shown !== null && isTerminal(shown)) return shown;
  return ranks[reached] > ranks[current] ? reached : current;
}
