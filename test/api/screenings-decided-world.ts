/** Fixture of the tests of decisions about hits, and of screenings that are repeated after them. */
import { expect } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { type Answer, type Credential, shared } from '../support/service.ts';
import { LISTED, type Screening, startScreeningWorld } from './screenings-world.ts';

export type Hit = components['schemas']['ScreeningHit'];

export const NOTE = 'The passport that we hold says otherwise.';

export const ELSE = { status: 'false_positive', reasonCode: 'other', note: NOTE } as const;

export const only = ({ hits }: Screening): Hit => {
  expect(hits).toHaveLength(1);
  return hits[0]!;
};

/** Starts a service, and returns screenings with hits and the calls that decide about them. */
export async function startScreeningsDecidedWorld() {
  const world = await shared(startScreeningWorld());
  const adjudicate = (
    { id }: { id: string },
    hit: { id: string },
    body: object = ELSE,
    as: Credential = world.analyst,
  ): Promise<Answer<Hit>> => world.request('POST', `/v1/screenings/${id}/hits/${hit.id}/adjudicate`, { as, body });
  /** Screens a person who is slightly similar to one on the list of the United Nations. */
  const alike = async (more: object = {}): Promise<Screening> =>
    (
      await world.screen({
        subject: { type: 'person', names: ['Yussuf Haddad'] },
        lists: ['un-csnu'],
        criteria: { threshold: 0.7 },
        ...more,
      })
    ).body;
  const exact = async (): Promise<Screening> => (await world.screen({ subject: LISTED, lists: ['un-csnu'] })).body;
  return {
    world,
    adjudicate,
    alike,
    exact,
  };
}
