/** Elements of the directory that hold a list, and the name of one entry. An empty one is an empty list, too. */
const entryNames: ReadonlyMap<string, string> = new Map([
  ['EventNotifications', 'EventNotification'],
  ['InfractionReports', 'InfractionReport'],
  ['Refunds', 'Refund'],
  ['Persons', 'Person'],
  ['Accounts', 'Account'],
  ['Transactions', 'Transaction'],
  ['Policies', 'Policy'],
  ['violations', 'violation'],
]);

/** Lists that the directory adds later keep its habit: the plural holds the singular, and nothing else. */
export function isList(container: string, entries: readonly string[]): boolean {
  if (entryNames.has(container)) return true;
  return entries.length > 0 && entries.every((entry) => container === `${entry}s` || container === entry.replace(/y$/, 'ies'));
}

export function entryName(container: string): string {
  return entryNames.get(container) ?? container.replace(/s$/, '');
}
