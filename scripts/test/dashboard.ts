/** Builds the dashboard for the browser tests and checks its size. A step of `make test`. */
import { buildDashboard, weights } from '../dashboard.ts';
import { type Result, verdict } from './command.ts';

/** Builds the dashboard once for all browser tests, and checks the limit of its first load. */
export async function dashboard(): Promise<Result> {
  await buildDashboard({ onlyIfChanged: true });
  const { lines, holds } = weights();
  return verdict(holds, `    ${lines[0] ?? ''}`, lines);
}
