import { eventType, type Fact } from './fact.ts';
import type { Snapshot } from './record.ts';
import { milliseconds } from './time.ts';

/** What the counterparties have answered. Cancelled reports and refunds say nothing of their own. */
export function answerFacts({ InfractionReports: reports, Refunds: refunds }: Snapshot): Fact[] {
  const closed = (kind: string, name: string, list: string, documents: Snapshot['InfractionReports'] | Snapshot['Refunds']): Fact[] =>
    documents.filter(({ Status }) => Status === 'CLOSED').map((document) => ({
      key: `${kind}:${document.Id}:CLOSED`, eventType: eventType(name), reaches: null, at: milliseconds(document.LastModified), origin: 'DERIVED',
      documents: { [list]: [document] },
    }));
  return [
    ...closed('ir', 'COUNTERPARTY_ANALYSED', 'InfractionReports', reports),
    ...closed('rf', 'REFUND_CLOSED', 'Refunds', refunds),
  ];
}
