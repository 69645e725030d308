import type { Rule } from '../rule.ts';
import { operationSites, parametersOf } from '../walk.ts';

/** A fresh second factor travels in one header, is asked of people alone, and its absence is answered with 403. */
export const stepUp: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    const { operation, pointer } = site;
    const parameter = parametersOf(contract, site).find((p) => p.in === 'header' && p.name === 'X-TOTP-Code');
    if (operation['x-step-up'] === true && parameter === undefined) report(pointer, 'Declare the header parameter `TotpCode`.');
    // Without `x-step-up` the header says that some requests need the factor: the handler knows which.
    if (operation['x-step-up'] !== true && parameter === undefined) continue;
    if (parameter?.required === true) report(pointer, '`X-TOTP-Code` is optional: a factor given shortly before counts.');
    if (operation['x-step-up'] === true && operation['x-human-only'] !== true) report(pointer, 'Only a person has a second factor: state `x-human-only: true`.');
    if (operation['x-mfa-exempt'] === true) report([...pointer, 'x-mfa-exempt'], 'Who has no second factor yet cannot give one.');
    if (operation.responses?.['403'] === undefined) report([...pointer, 'responses'], 'Document 403: the second factor may be missing.');
  }
};
