/** Tests that following the simulated directory through every scenario fills the feed with its events. */
import { describe, it } from 'vitest';
import { scenarios } from '../../server/simulators/directory/index.ts';
import { shared } from '../support/service.ts';
import { sequenceOf, World } from './funds-recovery-scenarios-world.ts';

const world = await shared(World.start());

describe.concurrent('a course of a recovery, followed over mutual TLS', () => {
  const cases = scenarios.flatMap(({ name, roles }) => roles.map((role) => ({ name, role })));

  it.for(cases)(
    '$name as $role fills the feed with its events, each once and in their order',
    async ({ name, role }, { expect }) => {
      const sandbox = await world.sandbox();
      const recoveryId = await sandbox.startScenario(name, { role });
      await sandbox.advanceAndPoll(30);
      const feed = await sandbox.feed();
      expect(feed.map(({ event_type }) => event_type.replace('FUNDS_RECOVERY_', ''))).toEqual(sequenceOf(name, role));
      const history = await sandbox.history();
      expect(
        feed.map(({ dedupe_key, status, occurred_at }) => [dedupe_key, status, new Date(occurred_at).toISOString()]),
      ).toEqual(history.map(({ dedupeKey, status, occurredAt }) => [dedupeKey, status, occurredAt]));
      expect(feed.map(({ raw_payload }) => raw_payload['@meta'].origin)).toEqual(history.map(({ origin }) => origin));
      expect(new Set(feed.map(({ funds_recovery_id }) => funds_recovery_id))).toEqual(
        new Set(recoveryId === null ? [] : [recoveryId]),
      );
      for (const { raw_payload: payload } of feed)
        expect(payload['@meta']).toMatchObject({
          source: 'DICT_SIMULATOR',
          signature: 'VERIFIED',
          apiVersion: '2.12.1',
        });
    },
  );
});
