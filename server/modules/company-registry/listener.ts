/**
 * Hears of new owners of a business and compares them with the latest answer of its registry, so that differences are
 * never about owners of before. Registered by the index of the module.
 */
import { findBusiness } from '../businesses/index.ts';
import type { RegistryFinding } from '../../providers/business-registry/index.ts';
import type { SubjectListener } from '../subject-events/index.ts';
import { openedRow, sealingKey } from '../subject-keys/index.ts';
import { compareAgain } from './compare.ts';
import { latestAnswer, registryAnswer } from './store.ts';

export const ownersListener: SubjectListener<'ownership.replaced'> = {
  event: 'ownership.replaced',
  hear: async (tx, { subject: { id }, environment, at, now }) => {
    const answer = await latestAnswer(tx, id);
    const found = answer === null ? null : await findBusiness(tx, id);
    if (answer === null || found === null) return;
    const { erasedAt: _, ...business } = found;
    const key = await sealingKey(tx, { type: 'business', id }, { environment, now: at });
    const finding = JSON.parse(openedRow(registryAnswer, answer, key).finding) as RegistryFinding;
    await compareAgain(tx, business, finding, { key, at, now });
  },
};
