/** Sets the seed of property tests. A setup file of several vitest configurations. */
import fc from 'fast-check';

/**
 * Property tests use the same values in every run; SEED selects others, and a failure prints the seed that reproduces
 * it.
 */
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 20261121) });
