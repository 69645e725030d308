/**
 * Lint rules about who may call an operation. Used by the list of rules. Each rule has a passing and a failing fixture;
 * a missing rule lets an operation be open by mistake.
 */
import { operationSites, parametersOf } from '../../contract/walk.ts';
import type { Rule } from '../rule.ts';

/** Every operation states who may call it, and every scope that it names exists. */
const securityExplicit: Rule = (contract, report) => {
  const schemes = contract.components.securitySchemes ?? {};
  const scopes = new Set(
    Object.values(schemes).flatMap((scheme) =>
      Object.values(scheme.flows ?? {}).flatMap((flow) => Object.keys(flow.scopes)),
    ),
  );
  for (const { operation, pointer } of operationSites(contract)) {
    if (operation.security === undefined)
      report(pointer, 'State `security` at the operation; `security: []` means public.');
    for (const [index, requirement] of (operation.security ?? []).entries()) {
      for (const [scheme, wanted] of Object.entries(requirement)) {
        const place = [...pointer, 'security', index, scheme];
        if (!(scheme in schemes)) report(place, `Security scheme \`${scheme}\` is not declared.`);
        if (wanted.length === 0 && schemes[scheme]?.type !== 'http')
          report(place, 'Name the scope that the operation needs.');
        for (const scope of wanted)
          if (!scopes.has(scope)) report(place, `Scope \`${scope}\` is not declared by any OAuth 2.0 flow.`);
      }
    }
  }
};

/** Every dashboard operation states the roles that may call it; an operation that no role may call is an error. */
const roles: Rule = (contract, report) => {
  const known = new Set(contract.components.schemas?.['Role']?.enum ?? []);
  for (const { operation, pointer } of operationSites(contract)) {
    const stated = operation['x-roles'];
    if (stated === undefined) {
      report(pointer, 'State `x-roles`.');
      continue;
    }
    const dashboard = (operation.security ?? []).some((requirement) => 'bearerAuth' in requirement);
    if (dashboard !== stated.length > 0)
      report(
        [...pointer, 'x-roles'],
        dashboard ? 'Name the roles that may call.' : 'Roles need the scheme `bearerAuth`.',
      );
    if (stated.includes('platform_admin') && stated.length === 1 && operation['x-human-only'] !== true)
      report([...pointer, 'x-roles'], 'What only platform staff may do states `x-human-only: true`.');
    for (const role of stated) if (!known.has(role)) report([...pointer, 'x-roles'], `\`${role}\` is not a role.`);
  }
};

/** An operation for people only accepts no credentials of machines. */
const humanOnly: Rule = (contract, report) => {
  for (const { operation, pointer } of operationSites(contract)) {
    const machine = (operation.security ?? []).some((requirement) => !('bearerAuth' in requirement));
    if (operation['x-human-only'] === true && machine)
      report([...pointer, 'security'], 'A human-only operation accepts `bearerAuth` alone.');
    if (operation['x-human-only'] === undefined && !machine && (operation.security ?? []).length > 0)
      report(pointer, 'An operation for `bearerAuth` alone states `x-human-only: true`.');
  }
};

/**
 * A sealed operation is for people with one of its roles alone, and says that it does not exist for others. A second
 * factor would leave a trace in the open audit log.
 */
const sealed: Rule = (contract, report) => {
  for (const { operation, pointer } of operationSites(contract)) {
    const stated = operation['x-sealed'];
    if (stated === undefined) continue;
    if ([...stated].sort().join() !== [...(operation['x-roles'] ?? [])].sort().join())
      report([...pointer, 'x-sealed'], 'Name the same roles as `x-roles`.');
    if (operation['x-human-only'] !== true) report(pointer, 'What is sealed states `x-human-only: true`.');
    if (operation['x-step-up'] === true)
      report([...pointer, 'x-step-up'], 'A second factor leaves a trace outside of the sealed audit log.');
    if (operation.responses?.['404'] === undefined)
      report([...pointer, 'responses'], 'Document 404: the operation does not exist for others.');
  }
};

/** An operation on the caller's own record, which every role may call, names the record in its path. */
const self: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    const { operation, pointer } = site;
    const name = operation['x-self'];
    if (name === undefined) continue;
    if (!parametersOf(contract, site).some((p) => p.in === 'path' && p.name === name))
      report([...pointer, 'x-self'], `\`${name}\` is no path parameter of the operation.`);
    if (!(operation.security ?? []).some((requirement) => 'bearerAuth' in requirement))
      report([...pointer, 'x-self'], 'Only who signs in with `bearerAuth` has an own record.');
  }
};

/** A fresh second factor is sent in one header, only people are asked for it, and a missing one is refused with 403. */
const stepUp: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    const { operation, pointer } = site;
    const parameter = parametersOf(contract, site).find((p) => p.in === 'header' && p.name === 'X-TOTP-Code');
    if (operation['x-step-up'] === true && parameter === undefined)
      report(pointer, 'Declare the header parameter `TotpCode`.');
    // Without `x-step-up`, the header means that the handler decides which requests need the factor.
    if (operation['x-step-up'] !== true && parameter === undefined) continue;
    if (parameter?.required === true)
      report(pointer, '`X-TOTP-Code` is optional: a factor given shortly before counts.');
    if (operation['x-step-up'] === true && operation['x-human-only'] !== true)
      report(pointer, 'Only a person has a second factor: state `x-human-only: true`.');
    if (operation['x-mfa-exempt'] === true)
      report([...pointer, 'x-mfa-exempt'], 'Who has no second factor yet cannot give one.');
    if (operation.responses?.['403'] === undefined)
      report([...pointer, 'responses'], 'Document 403: the second factor may be missing.');
  }
};

/** Only people at a dashboard have to pass the gate of the second factor, so only their operations can be exempt. */
const mfaExempt: Rule = (contract, report) => {
  for (const { operation, pointer } of operationSites(contract)) {
    if (operation['x-mfa-exempt'] === undefined) continue;
    const dashboard = (operation.security ?? []).some((requirement) => 'bearerAuth' in requirement);
    if (!dashboard)
      report([...pointer, 'x-mfa-exempt'], 'Only an operation that accepts `bearerAuth` has a gate to be exempt from.');
  }
};

/**
 * A parameter that takes personal data searches persons by it. Guessing values would undo the masking, so only callers
 * who may see full data may use it.
 */
const needsFullData: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    for (const { name, in: place, schema, 'x-needs-full-data': marked } of parametersOf(contract, site)) {
      if (place === 'query' && schema?.['x-pii'] === true && marked !== true)
        report(site.pointer, `Mark the parameter \`${name}\` with \`x-needs-full-data: true\`.`);
    }
  }
};

/**
 * A browser sends a cookie by itself, so only operations that are protected against pages of other sites may read one;
 * they identify the caller by the cookie.
 */
const browser: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    const { operation, pointer } = site;
    const cookie = parametersOf(contract, site).find((parameter) => parameter.in === 'cookie');
    if (operation['x-browser'] === undefined) {
      if (cookie !== undefined)
        report(pointer, `State \`x-browser: true\`, or do without the cookie \`${cookie.name}\`.`);
      continue;
    }
    if (cookie?.required === true)
      report(pointer, `The cookie \`${cookie.name}\` is optional: nobody can repair what a browser keeps.`);
    if ((operation.security ?? []).length > 0)
      report([...pointer, 'x-browser'], 'Write `security: []`: the handler finds the session of the cookie.');
    if (operation.responses?.['403'] === undefined)
      report([...pointer, 'responses'], 'Document 403: the page that asks may be of another site.');
  }
};

export const access: Readonly<Record<string, Rule>> = {
  'browser': browser,
  'human-only': humanOnly,
  'mfa-exempt': mfaExempt,
  'needs-full-data': needsFullData,
  'roles': roles,
  'sealed': sealed,
  'security-explicit': securityExplicit,
  'self': self,
  'step-up': stepUp,
};
