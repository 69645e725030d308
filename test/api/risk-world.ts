/** Fixture of the tests of risk: models, applications and what happens to them. */
import { setTimeout } from 'node:timers/promises';
import type { components } from '../../server/contract/generated/client-types.ts';
import { newReviewedApplication } from '../operations/application-records.ts';
import { assessmentOf } from '../operations/risk-records.ts';
import { type Definition, smallModel } from '../support/risk-models.ts';
import type { Credential, Problem, Tenant } from '../support/service.ts';
import { useService } from '../support/service.ts';
import { LONGEST_TEST, LONGEST_WAIT } from '../../scripts/test/limits.ts';

type Schemas = components['schemas'];
export type Assessment = Schemas['RiskAssessment'];
export type Backtest = Schemas['RiskBacktest'];
export type Model = Schemas['RiskModel'];

/** Longest time of a backtest: in the soak it scores as many subjects as one may have. */
export const LONGEST_BACKTEST = process.env['SOAK'] === 'true' ? 30 * LONGEST_TEST : LONGEST_WAIT;

/** Starts a service, and returns what a compliance team does with risk in one of its tenants. */
export async function startRiskWorld() {
  const service = await useService();
  /** People of a tenant, and what they do. */
  const team = async (tenant: Tenant) => {
    const admin = await tenant.user('admin');
    const maker = await tenant.user('compliance_officer', { purpose: 'makes' });
    const checker = await tenant.user('compliance_officer', { purpose: 'checks' });
    const call = async <T>(method: string, path: string, as: Credential = admin, body?: object): Promise<T> => {
      const answer = await service.request<T>(method, path, { as, ...(body !== undefined && { body }) });
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return answer.body;
    };
    const refused = async (method: string, path: string, body?: object, as: Credential = admin) => {
      const answer = await service.request<Problem>(method, path, { as, ...(body !== undefined && { body }) });
      return [answer.status, answer.body.code] as const;
    };
    const draft = (change: Partial<Definition> = {}): Promise<Model> =>
      call('POST', '/v1/risk/models', admin, { subjectType: 'individual', definition: smallModel(change) });
    const model = (id: string): Promise<Model> => call('GET', `/v1/risk/models/${id}`);
    /** Runs tasks until a backtest has ended. */
    const backtested = async (id: string): Promise<Backtest> => {
      const until = performance.now() + LONGEST_BACKTEST;
      for (;;) {
        await service.running.runTasks();
        const found = await call<Backtest>('GET', `/v1/risk/backtests/${id}?limit=100`);
        if (found.status !== 'queued' && found.status !== 'running') return found;
        if (performance.now() > until) throw new Error(`the backtest is ${found.status}`);
        await setTimeout(20);
      }
    };
    const backtest = async (modelId: string, body: object = {}): Promise<Backtest> =>
      backtested((await call<Backtest>('POST', `/v1/risk/models/${modelId}/backtests`, admin, body)).id);
    const request = async ({ id, checksum }: Pick<Model, 'id' | 'checksum'>, backtestId?: string): Promise<Model> =>
      call('POST', `/v1/risk/models/${id}/activate`, maker, { checksum, ...(backtestId && { backtestId }) });
    const review = ({ id, activation }: Model, verdict = 'confirm', as = checker): Promise<Model> =>
      call('POST', `/v1/risk/models/${id}/activations/${activation!.id}/review`, as, {
        verdict,
        note: 'We have read the movers.',
        evidenceDigest: activation!.evidenceDigest,
      });
    const assessment = (id: string, query = ''): Promise<Assessment> =>
      call('GET', `/v1/risk/assessments/${id}${query}`, maker);
    const submit = async (
      ...applicant: Parameters<typeof newReviewedApplication> extends [unknown, unknown, ...infer R] ? R : never
    ) => (await newReviewedApplication(service, tenant, ...applicant)).applicationId;
    return {
      tenant,
      admin,
      maker,
      checker,
      call,
      refused,
      draft,
      model,
      backtest,
      backtested,
      request,
      review,
      assessment,
      submit,
      /** Puts a model into effect, by two people and a backtest. */
      async activate(change: Partial<Definition> = {}): Promise<Model> {
        const made = await draft(change);
        const { id } = await backtest(made.id);
        const active = await review(await request(made, id));
        await service.running.runTasks();
        return active;
      },
      currentId: (applicationId: string) => assessmentOf(service, tenant, applicationId),
      current: async (applicationId: string) => assessment(await assessmentOf(service, tenant, applicationId)),
    };
  };
  return { service, team };
}
