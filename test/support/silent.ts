import type { Log } from '../../server/base/log.ts';

export const silent: Log = { info() {}, warn() {}, error() {} };
