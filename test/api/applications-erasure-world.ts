/** Fixture of the tests of erasing applications. */
import type { Answer, Credential, Options } from '../support/service.ts';
import type { Application, Refusal, Schemas } from './applications-world.ts';
import { type DecisionWorld, startDecisionWorld } from './decisions-world.ts';

type Erasure = Schemas['Erasure'];

/** A service with short forms of the calls that end a relationship and erase a person. */
export interface ErasureWorld extends DecisionWorld {
  /** A compliance officer with a fresh second factor, which an erasure requires. */
  readonly eraser: Credential;
  erase(
    id: string,
    body?: object,
    as?: Credential,
    headers?: Record<string, string>,
  ): Promise<Answer<Erasure & Refusal>>;
  endRelationship(id: string, body?: object, as?: Credential): Promise<Answer<Application & Refusal>>;
  /** Returns an application that is approved. */
  approved(): Promise<Application>;
  /** Moves the application's dates many years into the past. */
  age(id: string, ended: string): Promise<unknown>;
}

export async function startErasureWorld(options?: Options): Promise<ErasureWorld> {
  const world = await startDecisionWorld(options);
  const eraser = await world.acme.user('compliance_officer', { secondFactor: true });
  return {
    ...world,
    eraser,
    erase: (id, body = { reason: 'data_subject_request' }, as = eraser, headers = {}) =>
      world.request('POST', `/v1/applications/${id}/erase`, { as, body, headers }),
    endRelationship: (id, body = { reasonCode: 'customer_request' }, as = world.key) =>
      world.request('POST', `/v1/applications/${id}/end-relationship`, { as, body }),
    async approved() {
      const application = await world.inReview();
      await world.decide(application);
      return application;
    },
    age: (id, ended) =>
      world.database.sql(
        `UPDATE application SET submitted_at = $2, decided_at = $2, updated_at = $2,
          relationship_ended_at = CASE WHEN relationship_ended_at IS NOT NULL THEN $2::timestamptz END
        WHERE id = $1`,
        [id, ended],
      ),
  };
}
