import type { HandlersOf } from '../../../contract/handlers.ts';
import { Problem } from '../../../http/problem.ts';
import type { Services } from '../../../services.ts';

type Directory = Pick<HandlersOf<'sandbox'>,
  'listRecoveryScenarios' | 'startRecoveryScenario' | 'getRecoveryRun' | 'advanceRecoveryRun' | 'armDirectoryFault'>;

export const sandboxDirectory = (_services: Services): Directory => ({
  listRecoveryScenarios: async () => { throw new Problem('not_found'); },
  startRecoveryScenario: async () => { throw new Problem('not_found'); },
  getRecoveryRun: async () => { throw new Problem('not_found'); },
  advanceRecoveryRun: async () => { throw new Problem('not_found'); },
  armDirectoryFault: async () => { throw new Problem('not_found'); },
});
