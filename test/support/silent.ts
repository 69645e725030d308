import type { Log } from '../../server/database/log.ts';

export const silent: Log = { info() {}, warn() {}, error() {} };
