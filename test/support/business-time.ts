/** A business time for tests of rules. */
import { businessTime, type BusinessTime } from '../../server/base/time.ts';

/** Business time of an environment whose clock is not ahead of real time. */
export const businessTimeAt = (at: string | number | Date): BusinessTime => businessTime(new Date(at), 0);
