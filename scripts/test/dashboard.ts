import { buildDashboard, weights } from '../dashboard.ts';
import { type Result, verdict } from './command.ts';

/** The dashboard is built once for all tests in a browser; its first load keeps to its limit. */
export async function dashboard(): Promise<Result> {
  await buildDashboard({ onlyIfChanged: true });
  const { lines, holds } = weights();
  return verdict(holds, `    ${lines[0] ?? ''}`, lines);
}
