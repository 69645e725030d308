/**
 * Versioned documents that take effect by the agreement of two people: risk models and reference lists.
 *
 * A definition is one version of a document of a kind, under a key. It changes only while it is a draft: not while
 * its activation is pending, unless the second person returns it, and never once it was active or is retired. An
 * activation is a row of its own, which a second person confirms or returns (module second-review) after reading the
 * same document and the same test evidence. A confirmed version replaces the active one of its kind, key and
 * environment, and a unique index keeps a second one out.
 *
 * The module knows no kind of document: the module that owns a kind validates documents, stores their test evidence and
 * passes the current evidence to `reviewActivation`. It may use second-review, request, database and contract.
 *
 * `POST …/activate`: risk calls `requestActivation` with the results of the backtest. `POST …/activations/{id}/review`:
 * risk calls `reviewActivation` with the results that are valid now; if they differ, the request is `stale` and the
 * version is a draft again.
 */
import type { Module } from '../../tasks/module.ts';
import { activationWork } from './work.ts';

export { activationDigest, reviewActivation, requestActivation } from './activation.ts';
export { checksumOf, createActive, createDraft, lockName, refusalOf, reviseDraft, retire } from './definitions.ts';
export { activeDefinitions, keysOfKind, lastActivation, listDefinitions } from './list-store.ts';
export {
  type Activation,
  activeDefinition,
  type Definition,
  type DefinitionName,
  type DefinitionStatus,
  definitionsOf,
  findActivation,
  findDefinition,
} from './store.ts';

export const definitionsModule = { name: 'definitions', work: activationWork } satisfies Module<never>;
