/** What `make dev` tells a service: the folder of the contract to enforce, that the address is free, and to make room. */
export type Order = { readonly enforce: string } | 'listen' | 'release';

/** What the service answers: the contract can be enforced, the address is free, requests are served. */
export type Answer = 'prepared' | 'released' | 'ready';
