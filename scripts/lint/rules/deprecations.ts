import { NOTICE_DAYS, daysBetween, isDate } from '../deprecation.ts';
import type { Rule } from '../rule.ts';
import { operationSites } from '../walk.ts';

/** What is deprecated says since when, until when and what to call instead; the server and the SDKs pass it on (RFC 9745, RFC 8594). */
export const deprecations: Rule = (contract, report) => {
  const sites = operationSites(contract);
  const names = new Set(sites.map(({ operation }) => operation.operationId ?? ''));
  for (const { operation, pointer } of sites) {
    const { deprecated, 'x-deprecated-since': since, 'x-sunset': sunset, description = '' } = operation;
    if (deprecated !== true) {
      for (const name of ['x-deprecated-since', 'x-sunset'] as const) if (operation[name] !== undefined) report([...pointer, name], 'Only a deprecated operation has this date: state `deprecated: true`.');
      continue;
    }
    if (!isDate(since)) report(pointer, 'Say since when it is deprecated: `x-deprecated-since: "2026-01-31"`.');
    if (!isDate(sunset)) report(pointer, 'Say when it ends: `x-sunset: "2027-01-31"`.');
    else if (isDate(since) && daysBetween(since, sunset) < NOTICE_DAYS) report([...pointer, 'x-sunset'], `Leave ${NOTICE_DAYS} days between \`x-deprecated-since\` and \`x-sunset\`.`);
    const replacements = [...description.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? '').filter((name) => names.has(name) && name !== operation.operationId);
    if (replacements.length === 0) report([...pointer, 'description'], 'Name the operation to call instead, by its `operationId` in backticks.');
  }
};
