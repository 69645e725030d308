/** The process of the load generator: one plan in, one report out, until its parent goes away. */
import { measure } from './measure.ts';
import type { Plan, Report } from './plan.ts';

process.on('message', (plan: Plan) => {
  void measure(plan).then(
    (measurement) => say({ measurement }),
    (error: unknown) => say({ complaint: (error as Error).message }),
  );
});
process.on('disconnect', () => process.exit());

function say(report: Report): void {
  process.send?.(report);
}
