/** What `make dev` tells a service: the folder of the contract to enforce, that the address is free (for the first time, or after another service), and to make room. */
export type Order = { readonly enforce: string } | 'listen first' | 'listen' | 'release';

/** What the service answers: the contract can be enforced, the address is free, requests are served. */
export type Answer = 'prepared' | 'released' | 'ready';
