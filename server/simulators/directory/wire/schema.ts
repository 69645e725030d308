/**
 * This file describes the documents of funds recovery as the DICT API 2.12.1 publishes them: their elements with type,
 * enumeration and presence. The simulator uses it to omit optional elements, and tests check every simulated document
 * against it.
 */

/** Format of the text of an element without children. */
export type LeafType =
  | 'text'
  | 'uuid'
  | 'integer'
  | 'amount'
  | 'time'
  | 'duration'
  | 'boolean'
  | 'ispb'
  | 'transaction'
  | 'email'
  | 'phone'
  | 'taxId'
  | 'branch'
  | 'account';

/**
 * Presence of an element. `required`: the schema demands it. `expected`: the schema leaves it open, but its description
 * or the process says when it is present. `optional`: nothing says so. With a condition it is optional until the other
 * element has that value.
 */
export type Presence =
  | 'required'
  | 'expected'
  | 'optional'
  | { readonly requiredIf: readonly [element: string, value: string] };

export interface Element {
  readonly presence: Presence;
  readonly type: LeafType | readonly string[] | { readonly document: DocumentName } | { readonly listOf: DocumentName };
}

const required = (type: Element['type']): Element => ({ presence: 'required', type });
const expected = (type: Element['type']): Element => ({ presence: 'expected', type });
const optional = (type: Element['type']): Element => ({ presence: 'optional', type });

const situations = ['SCAM', 'ACCOUNT_TAKEOVER', 'COERCION', 'FRAUDULENT_ACCESS', 'OTHER', 'UNKNOWN'];
const detailsOfOther: Element = { presence: { requiredIf: ['SituationType', 'OTHER'] }, type: 'text' };

export type DocumentName =
  | 'FundsRecovery'
  | 'ContactInformation'
  | 'InfractionReport'
  | 'Refund'
  | 'RefundAccount'
  | 'EventNotification'
  | 'TrackingGraph'
  | 'Parameters'
  | 'Person'
  | 'Account'
  | 'Transaction';

export const directorySchema: Readonly<Record<DocumentName, Readonly<Record<string, Element>>>> = {
  FundsRecovery: {
    RootTransactionId: required('transaction'),
    SituationType: required(situations),
    ReportDetails: detailsOfOther,
    ContactInformation: required({ document: 'ContactInformation' }),
    Id: required('uuid'),
    Status: required(['CREATED', 'TRACKED', 'AWAITING_ANALYSIS', 'ANALYSED', 'REFUNDING', 'COMPLETED', 'CANCELLED']),
    ReporterParticipant: required('ispb'),
    CreationTime: required('time'),
    LastModified: required('time'),
    FlowType: optional(['AUTOMATED']),
  },
  ContactInformation: { Email: required('email'), Phone: required('phone') },
  InfractionReport: {
    TransactionId: required('transaction'),
    Reason: required(['REFUND_REQUEST', 'REFUND_CANCELLED']),
    SituationType: required(situations),
    ReportDetails: detailsOfOther,
    ContactInformation: optional({ document: 'ContactInformation' }),
    Id: required('uuid'),
    FundsRecoveryId: expected('uuid'),
    Status: required(['OPEN', 'ACKNOWLEDGED', 'CLOSED', 'CANCELLED']),
    ReporterParticipant: required('ispb'),
    CounterpartyParticipant: required('ispb'),
    FraudMarkerId: expected('uuid'),
    AnalysisResult: expected(['AGREED', 'DISAGREED']),
    AnalysisDetails: optional('text'),
    InfractionAmount: expected('amount'),
    CreationTime: required('time'),
    LastModified: required('time'),
  },
  Refund: {
    TransactionId: required('transaction'),
    RefundReason: required(['FRAUD', 'OPERATIONAL_FLAW', 'REFUND_CANCELLED', 'PIX_AUTOMATICO']),
    RefundAmount: required('amount'),
    RefundDetails: { presence: { requiredIf: ['RefundReason', 'OPERATIONAL_FLAW'] }, type: 'text' },
    Id: required('uuid'),
    FundsRecoveryId: expected('uuid'),
    InfractionReportId: expected('uuid'),
    Status: required(['OPEN', 'CLOSED', 'CANCELLED']),
    RequestingParticipant: required('ispb'),
    ContestedParticipant: required('ispb'),
    AnalysisResult: expected(['TOTALLY_ACCEPTED', 'PARTIALLY_ACCEPTED', 'REJECTED']),
    AnalysisDetails: optional('text'),
    RefundRejectionReason: expected([
      'NO_BALANCE',
      'ACCOUNT_CLOSURE',
      'INVALID_REQUEST',
      'OTHER',
      'PARTICIPANT_EXCLUSION',
    ]),
    RefundTransactionId: expected('transaction'),
    RefundAccount: optional({ document: 'RefundAccount' }),
    MonitorAccount: optional('boolean'),
    EffectiveRefundedAmount: expected('amount'),
    CreationTime: required('time'),
    LastModified: required('time'),
  },
  RefundAccount: {
    TaxIdNumber: required('taxId'),
    Participant: required('ispb'),
    Branch: optional('branch'),
    AccountNumber: required('account'),
    AccountType: required(['CACC', 'TRAN', 'SLRY', 'SVGS', 'OTHR']),
  },
  EventNotification: {
    Id: required('integer'),
    Event: required(
      ['ANALYSED', 'COMPLETED', 'INFORMATION_UPDATED', 'CANCELLED'].map((event) => `FUNDS_RECOVERY_${event}`),
    ),
    EntityType: required(['FUNDS_RECOVERY']),
    EntityId: required('uuid'),
    Timestamp: required('time'),
    Participant: optional('ispb'),
  },
  TrackingGraph: {
    FundsRecoveryId: required('uuid'),
    RootTransactionId: required('transaction'),
    CreationTime: required('time'),
    Parameters: required({ document: 'Parameters' }),
    Persons: optional({ listOf: 'Person' }),
    Accounts: expected({ listOf: 'Account' }),
    Transactions: expected({ listOf: 'Transaction' }),
  },
  Parameters: {
    MinTransactionAmount: optional('amount'),
    MaxTransactions: optional('integer'),
    HopWindow: optional('duration'),
    MaxHops: optional('integer'),
  },
  Person: {
    Id: required('integer'),
    Type: required(['NATURAL_PERSON', 'LEGAL_PERSON']),
    EntityCreationDate: optional('time'),
  },
  Account: {
    Id: required('integer'),
    OwnerId: required('integer'),
    Participant: required('ispb'),
    OpeningDate: optional('time'),
  },
  Transaction: {
    Id: required('transaction'),
    DebtorAccountId: required('integer'),
    CreditorAccountId: required('integer'),
    Amount: required('amount'),
    RefundableAmount: required('amount'),
    SettlementTime: required('time'),
  },
};
