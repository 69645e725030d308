import { detail } from './core/detail.ts';
import type { ClientOptions } from './core/options.ts';
import { Transport } from './core/transport.ts';
import { Resources } from './generated/resources/index.ts';

/** The client: one per installation and credential. It may be shared by any number of calls at the same time. */
export class ComplianceOnboarding extends Resources {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions = {}) {
    super(new Transport(options, detail));
    this.#options = options;
  }

  /** A client that differs in some options, such as the token of a person. Its retry budget and, without a `tokenCache`, its tokens are its own. */
  withOptions(changes: ClientOptions): ComplianceOnboarding {
    return new ComplianceOnboarding({ ...this.#options, ...changes });
  }
}
