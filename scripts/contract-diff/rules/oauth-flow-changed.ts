import type { Contract } from '../../generate/contract.ts';
import type { DiffRule } from '../change.ts';
import { without } from '../pairs.ts';

interface Flow { readonly tokenUrl?: string; readonly scopes: Readonly<Record<string, string>> }

/** Clients ask one address for tokens and name scopes; both are configured at the client. */
export const oauthFlowChanged: DiffRule = (base, revision) => {
  const after = flowsOf(revision);
  return Object.entries(flowsOf(base)).flatMap(([place, was]) => {
    const is = after[place];
    if (is === undefined) return [{ impact: 'major' as const, place, message: 'is no longer offered' }];
    const [before, now] = [Object.keys(was.scopes), Object.keys(is.scopes)];
    return [
      ...(was.tokenUrl === is.tokenUrl ? [] : [{ impact: 'major' as const, place, message: `tokens came from ${was.tokenUrl ?? 'nowhere'} and come from ${is.tokenUrl ?? 'nowhere'}` }]),
      ...without(before, now).map((scope) => ({ impact: 'major' as const, place, message: `scope ${scope} is gone` })),
      ...without(now, before).map((scope) => ({ impact: 'minor' as const, place, message: `scope ${scope} is new` })),
    ];
  });
};

function flowsOf(contract: Contract): Readonly<Record<string, Flow>> {
  return Object.fromEntries(Object.entries(contract.components.securitySchemes ?? {})
    .flatMap(([scheme, { flows = {} }]) => Object.entries(flows).map(([name, flow]) => [`${scheme} ${name}`, flow])));
}
