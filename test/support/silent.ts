/** A log that writes nothing, for tests and benchmarks. */
import type { Log } from '../../server/base/log.ts';

export const silent: Log = { info() {}, warn() {}, error() {} };
