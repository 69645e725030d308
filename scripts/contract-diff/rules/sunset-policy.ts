import { NOTICE_DAYS, isAnnounced } from '../../lint/deprecation.ts';
import { operationSites } from '../../lint/walk.ts';
import type { DiffRule } from '../change.ts';
import { operationPairs, operationSitePairs } from '../pairs.ts';

/**
 * An operation goes only after its announced end, and the announced end only becomes later. Callers plan by these dates, so
 * no version number excuses breaking them.
 */
export const sunsetPolicy: DiffRule = (base, revision, today) => {
  const kept = new Set(operationSitePairs(base, revision).map((pair) => pair.base.operation));
  const removed = operationSites(base).filter(({ operation }) => !kept.has(operation)).flatMap(({ method, path, operation }) => {
    const place = `${method.toUpperCase()} ${path}`;
    if (!isAnnounced(operation)) return [{ impact: 'major' as const, policy: true, place, message: `is gone without ${NOTICE_DAYS} days between x-deprecated-since and x-sunset` }];
    const sunset = operation['x-sunset'] ?? '';
    return today >= sunset ? [] : [{ impact: 'major' as const, policy: true, place, message: `is gone before its sunset on ${sunset}` }];
  });
  const moved = operationPairs(base, revision).flatMap(({ place, ...pair }) => {
    const [before, after] = [pair.base['x-sunset'], pair.revision['x-sunset']];
    if (before === undefined || after === undefined || after >= before) return [];
    return [{ impact: 'major' as const, policy: true, place, message: `its sunset moved from ${before} to ${after}, which is earlier` }];
  });
  return [...removed, ...moved];
};
