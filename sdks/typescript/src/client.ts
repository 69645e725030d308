import type { ClientOptions } from './core/options.ts';
import { detail } from './core/detail.ts';
import { Transport } from './core/transport.ts';
import { Resources } from './generated/resources/index.ts';

/** The client: one per installation and credential. It may be shared by any number of calls at the same time. */
export class ComplianceOnboarding extends Resources {
  constructor(options: ClientOptions = {}) {
    super(new Transport(options, detail));
  }
}
