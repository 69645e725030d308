import type { Rule } from '../rule.ts';
import { operationSites } from '../walk.ts';

/** Who may call is readable at the operation itself, and every scope it names exists. */
export const securityExplicit: Rule = (contract, report) => {
  const schemes = contract.components.securitySchemes ?? {};
  const scopes = new Set(Object.values(schemes).flatMap((scheme) => Object.values(scheme.flows ?? {}).flatMap((flow) => Object.keys(flow.scopes))));
  for (const { operation, pointer } of operationSites(contract)) {
    if (operation.security === undefined) report(pointer, 'State `security` at the operation; `security: []` means public.');
    for (const [index, requirement] of (operation.security ?? []).entries()) {
      for (const [scheme, wanted] of Object.entries(requirement)) {
        const place = [...pointer, 'security', index, scheme];
        if (!(scheme in schemes)) report(place, `Security scheme \`${scheme}\` is not declared.`);
        if (wanted.length === 0 && schemes[scheme]?.type !== 'http') report(place, 'Name the scope that the operation needs.');
        for (const scope of wanted) if (!scopes.has(scope)) report(place, `Scope \`${scope}\` is not declared by any OAuth 2.0 flow.`);
      }
    }
  }
};
