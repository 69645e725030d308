import type { DiffRule } from '../change.ts';
import { operationPairs } from '../pairs.ts';

/** `x-sdk` names the method in both SDKs; programs that call the old name no longer compile. */
export const sdkNameChanged: DiffRule = (base, revision) => operationPairs(base, revision).flatMap(({ place, ...pair }) => {
  const [before, after] = [pair.base['x-sdk'], pair.revision['x-sdk']].map((sdk) => (sdk === undefined ? null : `${sdk.resource}.${sdk.method}`));
  return before === null || before === after ? [] : [{ impact: 'major', place, message: `SDK method ${before} became ${after ?? 'nameless'}` }];
});
