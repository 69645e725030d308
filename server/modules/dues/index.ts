/**
 * What falls due: the one list of everything that the passing of time brings about.
 *
 * Each entry belongs to a module, which does a bounded part of it in a transaction (`Due` in `server/tasks/due.ts`). The periodic jobs do
 * all of the list in both environments, and whoever moves the clock of the sandbox does it there at once, so that a moved clock
 * makes nothing happen that would not happen in time, and leaves nothing out. It may use every module that has something due.
 *
 * An approval that ends as an example: `applicationsDue` finds it by its `validUntil` and ends it; the job `applications.expire` asks for
 * that every five minutes (`server/periodic-jobs.ts`), `advanceClock` when the clock has moved.
 */
import type { Due } from '../../tasks/due.ts';
import { applicationsDue, biometricsDue } from '../applications/index.ts';
import { monitoringDue } from '../monitoring/index.ts';
import { allowlistDue } from '../screenings/index.ts';

/** Everything that falls due. */
export const dues: readonly Due[] = [applicationsDue, biometricsDue, allowlistDue, monitoringDue];
