import type { HandlersOf } from '../../../contract/handlers.ts';
import { Problem } from '../../../http/problem.ts';
import type { Services } from '../../../services.ts';

type Recoveries = Pick<HandlersOf<'funds-recovery'>,
  'listFundsRecoveries' | 'getFundsRecovery' | 'listFundsRecoveryTimeline' | 'listInfractionReports' | 'listRefunds' | 'getTrackingGraph'>;

export const recoveries = (_services: Services): Recoveries => ({
  listFundsRecoveries: async () => { throw new Problem('not_found'); },
  getFundsRecovery: async () => { throw new Problem('not_found'); },
  listFundsRecoveryTimeline: async () => { throw new Problem('not_found'); },
  listInfractionReports: async () => { throw new Problem('not_found'); },
  listRefunds: async () => { throw new Problem('not_found'); },
  getTrackingGraph: async () => { throw new Problem('not_found'); },
});
