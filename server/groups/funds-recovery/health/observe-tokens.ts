import { Gauge, type Registry } from 'prom-client';
import type { DirectoryClient } from '../../../providers/directory/index.ts';

/** Of the production directory: how many calls each participant of the operator's list may still make, as this process knows. */
export function observeTokens(registry: Registry, directory: Pick<DirectoryClient, 'tokens'>): void {
  new Gauge({
    name: 'directory_tokens', help: 'Calls that a participant may still make at once, by rate policy.', labelNames: ['ispb', 'policy'], registers: [registry],
    async collect() {
      this.reset();
      for (const { ispb, policy, tokens } of await directory.tokens()) this.set({ ispb, policy }, tokens);
    },
  });
}
