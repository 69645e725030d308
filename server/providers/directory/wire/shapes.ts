import type { Document, InfractionReportDocument, NotificationDocument, RecoveryDocument, RefundDocument } from '../directory.ts';
import type { Shape } from './answers.ts';

export const notification: Shape<NotificationDocument> = {
  required: ['Id', 'Event', 'EntityType', 'EntityId', 'Timestamp'],
  optional: ['Participant'],
};

export const recovery: Shape<RecoveryDocument> = {
  required: ['Id', 'Status', 'RootTransactionId', 'ReporterParticipant', 'CreationTime', 'LastModified'],
  optional: [],
};

export const trackingGraph: Shape<Document> = {
  required: ['FundsRecoveryId', 'RootTransactionId', 'CreationTime'],
  optional: [],
};

export const infractionReport: Shape<InfractionReportDocument> = {
  required: ['Id', 'Status', 'ReporterParticipant', 'CounterpartyParticipant', 'CreationTime', 'LastModified'],
  optional: ['FundsRecoveryId', 'AnalysisResult'],
};

export const refund: Shape<RefundDocument> = {
  required: ['Id', 'Status', 'RequestingParticipant', 'ContestedParticipant', 'CreationTime', 'LastModified'],
  optional: ['FundsRecoveryId', 'InfractionReportId', 'AnalysisResult'],
};

export interface PolicyDocument extends Document {
  readonly AvailableTokens: string;
  readonly Capacity: string;
  readonly RefillTokens: string;
  readonly RefillPeriodSec: string;
}

export const policy: Shape<PolicyDocument> = {
  required: ['AvailableTokens', 'Capacity', 'RefillTokens', 'RefillPeriodSec'],
  optional: [],
};
