import fc from 'fast-check';

/** Property tests try the same values in every run; SEED tries others, and a failure names the seed to repeat it. */
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 20261121) });
