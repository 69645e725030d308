/** Fixture of the tests of attestations. */
import type { Answer, Credential } from '../support/service.ts';
import type { Application, Refusal, Schemas } from './applications-world.ts';
import { type DecisionWorld, startDecisionWorld } from './decisions-world.ts';

type Attestation = Schemas['Attestation'];
type Requirement = Application['requirements']['items'][number];

/** A service whose first tenant requires at the level `basic` that a person looks for adverse media. */
export interface AttestationWorld extends DecisionWorld {
  /** Returns the instant that lies `seconds` from now. */
  at(seconds: number): string;
  /** Records that nothing was found a minute ago, unless the body says otherwise. */
  attest(id: string, body?: object, as?: Credential): Promise<Answer<Attestation & Refusal>>;
  /** Returns the requirement that nobody has found adverse media, as the application has it now. */
  requirement(id: string, as?: Credential): Promise<Requirement | undefined>;
}

export const DAY = 86_400;
export const SOURCE = 'News and courts, by the name Zorzetto';
export const NOTE = 'Zorzetto is in no news.';

export const requirementOf = (
  { requirements: { items } }: Application,
  key = 'adverse_media_clear',
): Requirement | undefined => items.find((item) => item.key === key);

export async function startAttestationWorld(): Promise<AttestationWorld> {
  const world = await startDecisionWorld();
  await world.setPolicy(world.acme, { requiredChecks: { basic: ['adverse_media_clear'] } });
  const at = (seconds: number) => new Date(world.running.services.clock().getTime() + seconds * 1000).toISOString();
  return {
    ...world,
    at,
    attest: (id, body = {}, as = world.analyst) =>
      world.request('POST', `/v1/applications/${id}/attestations`, {
        as,
        body: {
          requirementKey: 'adverse_media_clear',
          outcome: 'pass',
          source: SOURCE,
          lookedUpAt: at(-60),
          note: NOTE,
          ...body,
        },
      }),
    requirement: async (id, as) => requirementOf((await world.get(id, as)).body),
  };
}
