/** Tests that documents of the simulated directory follow its published schema. */
import { describe, expect, it } from 'vitest';
import { demoRecoveries } from '../../server/demo/recoveries.ts';
import type { Observation } from '../../server/modules/recoveries/index.ts';
import type { Document, DocumentValue } from '../../server/providers/directory/index.ts';
import * as fixtures from '../../server/providers/directory/testing/test-directory.ts';
import { fold } from '../../server/simulators/directory/core/fold.ts';
import {
  creationRefusals,
  documentForms,
  type Recovery,
  type Run,
  situations,
  type State,
} from '../../server/simulators/directory/core/model.ts';
import { scenarios } from '../../server/simulators/directory/scenarios/catalogue.ts';
import {
  graphDocument,
  notificationDocument,
  recoveryDocument,
  refundDocument,
  reportDocument,
} from '../../server/simulators/directory/wire/documents.ts';
import { directorySchema, type DocumentName } from '../../server/simulators/directory/wire/schema.ts';
import { schemaProblems } from '../support/directory-schema.ts';
import { observation } from '../support/recoveries.ts';

const tenantId = '0190f0a0-0000-7000-8000-000000000001';
const begin = Date.parse('2026-03-02T09:00:00.000Z');
const hour = 3_600_000;

function problemsOf({
  notifications,
  recovery,
  graph,
  reports,
  refunds,
}: Pick<Observation, 'notifications' | 'recovery' | 'graph' | 'reports' | 'refunds'>): string[] {
  return [
    ...notifications.flatMap((document) => schemaProblems('EventNotification', document)),
    ...schemaProblems('FundsRecovery', recovery),
    ...(graph === null ? [] : schemaProblems('TrackingGraph', graph)),
    ...reports.flatMap((document) => schemaProblems('InfractionReport', document)),
    ...refunds.flatMap((document) => schemaProblems('Refund', document)),
  ];
}

/**
 * Returns a time to the minute, to compare the time in the id of a payment with the time of its settlement or return.
 */
const minuteOf = (time: string): string => time.replaceAll(/\D/g, '').slice(0, 12);

interface Documents {
  readonly named: readonly (readonly [DocumentName, Document])[];
}

function documentsOf({ runs, notifications }: State): Documents {
  const begun = runs.filter((run): run is Run & { recovery: Recovery } => run.recovery !== null);
  return {
    named: [
      ...notifications.map((one) => ['EventNotification', notificationDocument(one)] as const),
      ...begun.flatMap((run) => {
        const { recovery, reports, refunds } = run;
        const graph = graphDocument(run);
        return [
          ['FundsRecovery', recoveryDocument(recovery)] as const,
          ...(graph === null ? [] : [['TrackingGraph', graph] as const]),
          ...reports.map((report) => ['InfractionReport', reportDocument(recovery, report, true)] as const),
          ...refunds.map((refund) => ['Refund', refundDocument(recovery, refund)] as const),
        ];
      }),
    ],
  };
}

const simulated = scenarios.flatMap((scenario) =>
  scenario.roles.flatMap((role) =>
    documentForms.map((documents) => ({
      scenario,
      role,
      documents,
      name: scenario.name,
    })),
  ),
);

describe('documents in the published schema of the directory', () => {
  it.each(simulated)(
    'are produced by the simulator at every hour: $name as $role, $documents',
    ({ scenario, role, documents }) => {
      const command = scenario.open({
        runId: 'run',
        role,
        amount: '812.40',
        pace: 'stepped',
        onTimeout: null,
        situation: documents === 'MINIMAL' ? 'OTHER' : 'SCAM',
        documents,
      });
      for (const after of [0, 1, 2, 4, 7, 11, 16, 25, 31, 36, 72, 200, 400]) {
        const state = fold(tenantId, [{ seq: 1, at: new Date(begin).toISOString(), command }], begin + after * hour);
        expect(documentsOf(state).named.flatMap(([name, document]) => schemaProblems(name, document))).toEqual([]);
      }
    },
  );

  it('include the demo’s recoveries, those of tests, and the fixtures of the client', () => {
    for (const demo of demoRecoveries(new Date())) expect(problemsOf(demo)).toEqual([]);
    for (const status of ['CREATED', 'AWAITING_ANALYSIS', 'ANALYSED', 'REFUNDING', 'COMPLETED'] as const) {
      for (const role of ['SENT', 'RECEIVED'] as const) expect(problemsOf(observation({ status, role }))).toEqual([]);
    }
    const { notification, recovery, report, refund } = fixtures;
    expect(
      problemsOf({
        notifications: [notification],
        recovery,
        graph: null,
        reports: [report],
        refunds: [refund],
      }),
    ).toEqual([]);
  });

  it('may not have an element that is unknown, missing, or of another type or value', () => {
    const [demo] = demoRecoveries(new Date());
    expect(
      schemaProblems('FundsRecovery', {
        ...demo!.recovery,
        PersonId: '1',
        ContactInformation: undefined,
        Status: 'FROZEN',
        CreationTime: 'today',
      }).sort(),
    ).toEqual([
      'FundsRecovery.ContactInformation is missing',
      'FundsRecovery.CreationTime is no time: "today"',
      'FundsRecovery.PersonId is unknown',
      'FundsRecovery.Status has no such value: "FROZEN"',
    ]);
    expect(
      schemaProblems('FundsRecovery', { ...demo!.recovery, SituationType: 'OTHER', ReportDetails: undefined }),
    ).toEqual(['FundsRecovery.ReportDetails is missing']);
  });
});

describe('what the simulator can play', () => {
  const played = (named: string, options: object): Documents => {
    const scenario = scenarios.find(({ name }) => name === named)!;
    const command = scenario.open({
      runId: 'run',
      role: 'SENT',
      amount: '812.40',
      pace: 'stepped',
      onTimeout: null,
      situation: 'SCAM',
      ...options,
    });
    return documentsOf(
      fold(tenantId, [{ seq: 1, at: new Date(begin).toISOString(), command }], begin + 60 * 24 * hour),
    );
  };
  const valuesOf = ({ named }: Documents, name: DocumentName, element: string): (DocumentValue | undefined)[] =>
    named.filter(([one]) => one === name).map(([, document]) => document[element]);

  it('is every optional element', () => {
    const all = ['tracking-three-reports', 'no-balance'].flatMap((name) => played(name, {}).named);
    const within = (value: DocumentValue | undefined): Document[] => {
      if (Array.isArray(value)) return value as Document[];
      return typeof value === 'object' ? [value as Document] : [];
    };
    const childOf = (type: (typeof directorySchema)[DocumentName][string]['type']): DocumentName | null => {
      if (typeof type !== 'object') return null;
      if ('document' in type) return type.document;
      return 'listOf' in type ? type.listOf : null;
    };
    const seen = new Set(
      all.flatMap(([name, document]) => [
        ...Object.keys(document).map((element) => `${name}.${element}`),
        ...Object.entries(directorySchema[name]).flatMap(([element, { type }]) => {
          const child = childOf(type);
          return child === null
            ? []
            : within(document[element]).flatMap((inner) => Object.keys(inner).map((name2) => `${child}.${name2}`));
        }),
      ]),
    );
    const described = Object.entries(directorySchema).flatMap(([name, elements]) =>
      Object.keys(elements).map((element) => `${name}.${element}`),
    );
    expect(described.filter((element) => !seen.has(element))).toEqual([]);
  });

  it('is every situation, every reason of a refund and every reason to reject it', () => {
    const situationsSeen = situations.map(
      (situation) => valuesOf(played('happy-path', { situation }), 'FundsRecovery', 'SituationType')[0],
    );
    expect(situationsSeen).toEqual(directorySchema.FundsRecovery['SituationType']?.type);
    const reasons = directorySchema.Refund['RefundRejectionReason']?.type as readonly string[];
    for (const rejectionReason of reasons) {
      const documents = played('happy-path', { rejectionReason, refundReason: 'OPERATIONAL_FLAW' });
      expect([
        valuesOf(documents, 'Refund', 'RefundRejectionReason'),
        valuesOf(documents, 'Refund', 'RefundReason'),
      ]).toEqual([[rejectionReason], ['OPERATIONAL_FLAW']]);
    }
  });

  it('is every refusal, and a payment that is too small is refused', () => {
    for (const refusal of creationRefusals) expect(played('happy-path', { refusal }).named).toEqual([]);
    expect(played('happy-path', { amount: '199.99' }).named).toEqual([]);
    expect(played('happy-path', { amount: '200.00' }).named).not.toEqual([]);
  });

  it('is reported by the institution that made the payment, with ids of its own and of the time at which it was settled', () => {
    const { named } = played('tracking-three-reports', {});
    const graph = named.find(([name]) => name === 'TrackingGraph')?.[1];
    const payments = graph?.['Transactions'] as readonly Readonly<Record<string, string>>[];
    for (const { Id = '', SettlementTime = '' } of payments) expect(Id.slice(9, 21)).toBe(minuteOf(SettlementTime));
    const reports = named
      .filter(([name]) => name === 'InfractionReport')
      .map(([, document]) => document as Readonly<Record<string, string>>);
    for (const { TransactionId, ReporterParticipant } of reports)
      expect(TransactionId?.slice(1, 9)).toBe(ReporterParticipant);
    expect(new Set(reports.map(({ ReporterParticipant }) => ReporterParticipant)).size).toBe(3);
    const returned = named
      .filter(([name]) => name === 'Refund')
      .map(([, document]) => document as Readonly<Record<string, string>>);
    for (const { RefundTransactionId = '', ContestedParticipant, LastModified = '' } of returned) {
      expect([RefundTransactionId.slice(1, 9), RefundTransactionId.slice(9, 21)]).toEqual([
        ContestedParticipant,
        minuteOf(LastModified),
      ]);
    }
  });
});
