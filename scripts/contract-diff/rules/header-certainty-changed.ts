import { resolve } from '../../generate/contract.ts';
import type { Header, Response } from '../../generate/contract.ts';
import type { DiffRule } from '../change.ts';
import { operationPairs } from '../pairs.ts';

/** Clients may rely on a header that every answer carries. */
export const headerCertaintyChanged: DiffRule = (base, revision) => operationPairs(base, revision).flatMap(({ place, ...pair }) => (
  Object.entries(pair.base.responses ?? {}).flatMap(([status, node]) => {
    const answer = pair.revision.responses?.[status];
    if (answer === undefined) return [];
    const headers = resolve<Response>(revision, answer).headers ?? {};
    return Object.entries(resolve<Response>(base, node).headers ?? {}).flatMap(([name, before]) => {
      const after = headers[name];
      if (after === undefined) return [];
      const [was, is] = [resolve<Header>(base, before).required === true, resolve<Header>(revision, after).required === true];
      return was === is ? [] : [{ impact: was ? 'major' as const : 'minor' as const, place, message: `${status} ${was ? 'may come without' : 'always carries'} ${name}` }];
    });
  })
));
