import type { Answer, Credential } from '../support/service.ts';
import type { Application, Schemas } from './applications-world.ts';
import type { DecisionWorld } from './decisions-world.ts';

export type InformationRequest = Schemas['InformationRequest'];
type Refusal = Pick<Schemas['Problem'], 'code' | 'errors' | 'currentStatus' | 'allowedTransitions'>;

export const item = { requirementKey: 'identity_data', reasonCode: 'date_unlikely', messageToApplicant: 'When were you born?' };

/** Asks for the date of birth, unless the body says otherwise. */
export function ask(world: DecisionWorld, { id }: Pick<Application, 'id'>, body: object = {}, as: Credential = world.analyst, headers: Record<string, string> = {}): Promise<Answer<InformationRequest & Refusal>> {
  return world.request('POST', `/v1/applications/${id}/information-requests`, { as, headers, body: { items: [item], ...body } });
}

export const daysAhead = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
