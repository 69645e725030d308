/**
 * The people of a business: applications of those who own, administer or represent it, each linked to a party of the
 * ownership by a row beside the graph.
 *
 * `applicant.ts` makes an applicant of a party, `handlers.ts` creates the applications, and `store.ts` holds the links.
 * What follows from the applications is judged by businesses (requirements) and powers (signers), which read the links.
 *
 * The module may use applications, businesses, ownership, request, database and rules.
 *
 * `POST …/parties/applications`: the business is locked, the persons are found in the latest graph, and a draft is
 * created and linked for each who has none.
 */
import type { Secrets } from '../../base/secrets.ts';
import type { Module } from '../../tasks/module.ts';
import { BlindIndex } from '../../rules/blind-index.ts';
import { partyHandlers } from './handlers.ts';

export const businessPartiesModule = {
  name: 'business-parties',
  handlers: ({ secrets }: { readonly secrets: Secrets }) =>
    partyHandlers(new BlindIndex(secrets.deriveKey('blind-index'))),
} satisfies Module<never>;
