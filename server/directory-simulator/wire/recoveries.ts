import type { Run, State } from '../core/model.ts';
import type { Answer, Asked } from './asked.ts';
import { graphDocument, recoveryDocument, refundDocument, reportDocument } from './documents.ts';
import { forbidden, notFound } from './refusal.ts';

type Begun = Run & { readonly recovery: NonNullable<Run['recovery']> };

/** GET /funds-recoveries/{id} */
export async function getFundsRecovery({ state, disturbedBy }: Asked, id: string): Promise<Answer> {
  const { recovery } = runOf(state, id);
  const document = recoveryDocument(recovery);
  const strange = await disturbedBy('unknown_enum') ? { Status: 'ESCALATED', Priority: 'HIGH' } : {};
  return { root: 'GetFundsRecoveryResponse', content: { FundsRecovery: { ...document, ...strange } } };
}

/** GET /funds-recoveries/{id}/tracking-graph */
export async function getTrackingGraph({ state }: Asked, id: string): Promise<Answer> {
  const graph = graphDocument(runOf(state, id));
  if (graph === null) throw notFound('No tracking graph');
  return { root: 'GetTrackingGraphResponse', content: { TrackingGraph: graph } };
}

/** GET /funds-recoveries/{id}/infraction-reports */
export async function listRecoveryReports({ state }: Asked, id: string): Promise<Answer> {
  const { recovery, reports } = ownRun(state, id);
  return { root: 'ListFundsRecoveryInfractionReportsResponse', content: { InfractionReports: reports.map((report) => reportDocument(recovery, report, true)) } };
}

/** GET /funds-recoveries/{id}/refunds */
export async function listRecoveryRefunds({ state }: Asked, id: string): Promise<Answer> {
  const { recovery, refunds } = ownRun(state, id);
  return { root: 'ListFundsRecoveryRefundsResponse', content: { Refunds: refunds.map((refund) => refundDocument(recovery, refund)) } };
}

/** The participant of a sandbox is a party of each of its recoveries. */
function runOf(state: State, id: string): Begun {
  const run = state.runs.find((each): each is Begun => each.recovery?.id === id.toLowerCase());
  if (run === undefined) throw notFound('No such recovery');
  return run;
}

function ownRun(state: State, id: string): Begun {
  const run = runOf(state, id);
  if (run.recovery.creator !== state.ispb) throw forbidden('The creator alone may list these');
  return run;
}
