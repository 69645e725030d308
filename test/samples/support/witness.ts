/**
 * A service that records its answers, whoever asked. Used by the tests of samples, because a program that prints
 * nothing may have failed.
 */
import { vi } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';

interface Line {
  readonly msg: string;
  readonly operation: string;
  readonly status: number;
}

export interface WitnessedService {
  readonly service: TestService;
  /** Deletes the record of answers. */
  forget(): void;
  /** Statuses with which the service has answered the operation since; at least one. */
  answersOf(operationId: string): Promise<readonly number[]>;
}

export async function startWitnessedService(): Promise<WitnessedService> {
  let lines: Line[] = [];
  const service = await startTestService({ directory: true, log: (line) => lines.push(JSON.parse(line) as Line) });
  const answered = (operationId: string): number[] =>
    lines.filter(({ msg, operation }) => msg === 'request' && operation === operationId).map(({ status }) => status);
  return {
    service,
    forget: () => {
      lines = [];
    },
    answersOf: (operationId) =>
      vi.waitUntil(() => answered(operationId).length > 0 && answered(operationId), { timeout: 5000, interval: 5 }),
  };
}
