import type { components } from '../../../contract/generated/types.ts';
import type { Document, DocumentValue } from '../../../providers/directory/index.ts';
import { instant, money, text } from './leaf.ts';

type Schemas = components['schemas'];

/** The real one has a few of each: five transactions on each of two hops. */
const MAX_ENTRIES = 1000;

export function presentGraph(graph: Document): Schemas['TrackingGraph'] {
  return {
    createdAt: instant(graph['CreationTime']),
    accounts: entriesOf(graph['Accounts']).map((account) => ({
      id: text(account['Id'], 64) ?? '', participant: text(account['Participant'], 8), personId: text(account['PersonId'], 64),
    })),
    transactions: entriesOf(graph['Transactions']).map((transaction) => ({
      id: text(transaction['Id'], 32) ?? '',
      debtorAccountId: text(transaction['DebtorAccountId'], 64) ?? '',
      creditorAccountId: text(transaction['CreditorAccountId'], 64) ?? '',
      amount: money(transaction['Amount']),
      refundableAmount: money(transaction['RefundableAmount']),
      settledAt: instant(transaction['SettlementTime']),
    })),
  };
}

function entriesOf(list: DocumentValue | undefined): readonly Document[] {
  return Array.isArray(list) ? list.filter((entry): entry is Document => typeof entry === 'object' && !Array.isArray(entry)).slice(0, MAX_ENTRIES) : [];
}
