import type { Contract, SecurityRequirement } from '../../generate/contract.ts';
import type { DiffRule } from '../change.ts';
import { operationPairs } from '../pairs.ts';

/** An operation without its own `security` inherits that of the contract, so what counts is the effective one. */
export const effectiveSecurity: DiffRule = (base, revision) => operationPairs(base, revision).flatMap((pair) => {
  const before = pair.base.security ?? inherited(base);
  const after = pair.revision.security ?? inherited(revision);
  const { place } = pair;
  if (before.length === 0) return after.length === 0 ? [] : [{ impact: 'major', place, message: 'was public and now needs a credential' }];
  if (after.length === 0) return [{ impact: 'minor', place, message: 'is public now' }];
  const lost = before.filter((credential) => !after.some((requirement) => satisfies(credential, requirement)));
  const gained = after.filter((credential) => !before.some((requirement) => satisfies(credential, requirement)));
  return [
    ...lost.map((credential) => ({ impact: 'major' as const, place, message: `no longer accepts ${show(credential)}` })),
    ...(lost.length === 0 ? gained.map((requirement) => ({ impact: 'minor' as const, place, message: `also accepts ${show(requirement)}` })) : []),
  ];
});

function inherited(contract: Contract): readonly SecurityRequirement[] {
  return (contract as Contract & { readonly security?: readonly SecurityRequirement[] }).security ?? [];
}

/** A caller who met `credential` also meets `requirement`: the same schemes, and no scope more. */
function satisfies(credential: SecurityRequirement, requirement: SecurityRequirement): boolean {
  const schemes = Object.entries(requirement);
  return schemes.every(([scheme, scopes]) => credential[scheme] !== undefined && scopes.every((scope) => credential[scheme]?.includes(scope)));
}

function show(requirement: SecurityRequirement): string {
  return Object.entries(requirement).map(([scheme, scopes]) => (scopes.length === 0 ? scheme : `${scheme} with ${scopes.join(', ')}`)).join(' and ');
}
