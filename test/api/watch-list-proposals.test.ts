/** API tests of list files that change much: a second administrator has to send the same file. */
import { beforeEach, describe, expect, it } from 'vitest';
import { lockUntilCommit } from '../../server/database/advisory-lock.ts';
import { PLATFORM_TENANT_ID } from '../../server/database/roles.ts';
import { success } from '../support/api.ts';
import { code } from '../support/authenticator.ts';
import { type Credential, PASSWORD, shared, startTestService } from '../support/service.ts';
import { activate, ofacCsv, sha256OfList } from '../support/watch-lists.ts';
import { startUploadWorld, type Uploaded } from './watch-list-uploads-world.ts';

const world = await shared(startTestService());
const { admin, colleague, upload, giveBack, listed, activeVersion, everyRow } = await startUploadWorld(world);
const LIST = 'ofac-consolidated';
const BASE = ofacCsv(150);
const SHRUNK = ofacCsv(120);
const send = async (as: Credential, file: Uint8Array = SHRUNK, more: Record<string, string> = {}): Promise<Uploaded> =>
  upload({
    file,
    format: 'ofac-csv',
    force: 'true',
    as,
    ...more,
  });
const outcomeOf = ({ status, body }: Uploaded): string => `${status} ${status === 202 ? body.outcome : body.code}`;
const eventsSince = async (sequence: number): Promise<string[]> =>
  (
    await world.database.sql<{ action: string }>(
      `SELECT action FROM audit_event WHERE tenant_id = $1 AND action LIKE 'list.version%' AND sequence > $2
        ORDER BY sequence`,
      [PLATFORM_TENANT_ID, sequence],
    )
  ).map(({ action }) => action);
const lastEvent = async (): Promise<number> =>
  Number(
    (
      await world.database.sql<{ sequence: string }>(
        'SELECT max(sequence) AS sequence FROM audit_event WHERE tenant_id = $1',
        [PLATFORM_TENANT_ID],
      )
    )[0]!.sequence,
  );

beforeEach(async () => {
  const { proposal } = await listed(LIST);
  if (proposal !== null) await giveBack(proposal.sha256, await colleague());
  await activate(world.database.database, LIST, BASE, { now: world.running.services.clock() });
});

describe('a file that lacks many entries', () => {
  it('waits for a second administrator, while the version before stays active', async () => {
    const [before, since] = [await activeVersion(LIST), await lastEvent()];
    const answer = await send(await admin(), SHRUNK, { version: 'smaller', publishedOn: '2026-11-20' });
    const change = {
      added: 0,
      changed: 0,
      matchChanged: 0,
      removed: 30,
    };
    expect([answer.status, answer.body]).toEqual([
      202,
      {
        outcome: 'pending_review',
        version: 'smaller',
        publishedOn: '2026-11-20',
        sha256: sha256OfList(SHRUNK),
        entryCount: 120,
        change,
        quarantinedNames: 0,
        quarantine: [],
      },
    ]);
    expect((await activeVersion(LIST)).sequence).toBe(before.sequence);
    expect(
      await world.database.sql(
        `SELECT FROM watch_list_entity WHERE environment = 'live' AND list_id = $1 AND to_sequence > $2`,
        [LIST, before.sequence],
      ),
    ).toEqual([]);
    expect((await listed(LIST)).proposal).toMatchObject({
      version: 'smaller',
      format: 'ofac-csv',
      publishedOn: '2026-11-20',
      sha256: sha256OfList(SHRUNK),
      entryCount: 120,
      change,
      proposedBy: { type: 'platform_user' },
    });
    expect(await eventsSince(since)).toEqual(['list.version_proposed']);
  });

  it('becomes active when a second administrator sends the same file', async () => {
    const since = await lastEvent();
    await send(await admin());
    const answer = await send(await colleague());
    expect([answer.status, answer.body.outcome, answer.body.change.removed]).toEqual([202, 'activated', 30]);
    expect(await listed(LIST)).toMatchObject({ sha256: sha256OfList(SHRUNK), entryCount: 120, proposal: null });
    expect(await eventsSince(since)).toEqual(['list.version_proposed', 'list.version_ingested']);
    const [review] = await world.database.sql<{ state: string; other: boolean }>(
      `SELECT state, checker ->> 'id' <> ALL (maker_persons) AS other FROM second_review
        WHERE subject_type = 'list_version' ORDER BY created_at DESC, id DESC LIMIT 1`,
    );
    expect(review).toEqual({ state: 'confirmed', other: true });
  });

  it('is not confirmed by its proposer, from whatever session', async () => {
    const person = await world.platform.person('platform_admin', { secondFactor: true });
    await send(person.as);
    const before = await everyRow();
    expect(outcomeOf(await send(person.as))).toBe('403 self_approval_forbidden');
    const {
      body: { accessToken },
    } = await success(
      world.api.POST('/v1/auth/login', {
        body: {
          email: person.email,
          password: PASSWORD,
          totpCode: code(person.totpSecret!, world.running.services.clock()),
        },
      }),
    );
    expect(outcomeOf(await send({ Authorization: `Bearer ${accessToken}` })), 'from another session').toBe(
      '403 self_approval_forbidden',
    );
    expect((await listed(LIST)).proposal?.sha256).toBe(sha256OfList(SHRUNK));
    expect(await everyRow()).toEqual(before);
  });

  it('is not confirmed by a file that differs by a byte, which replaces it', async () => {
    await send(await admin());
    const { proposal } = await listed(LIST);
    const other = await send(await colleague(), ofacCsv(120, '"Tall."'));
    expect([outcomeOf(other), other.body.replacedProposal]).toEqual(['202 pending_review', proposal]);
    expect(
      (await send(await colleague(), ofacCsv(120, '"Short."'))).body.replacedProposal,
      'their own is theirs to replace',
    ).toBeUndefined();
    await send(await colleague(), ofacCsv(120, '"Tall."'));
    expect((await listed(LIST)).proposal?.sha256).toBe(sha256OfList(ofacCsv(120, '"Tall."')));
    // The first file would have to be proposed again.
    expect(outcomeOf(await send(await colleague()))).toBe('202 pending_review');
    expect(outcomeOf(await send(await admin()))).toBe('202 activated');
  });

  it('is not confirmed by the same file as of another day, which replaces it', async () => {
    await send(await admin(), SHRUNK, { publishedOn: '2026-11-19' });
    expect(outcomeOf(await send(await colleague(), SHRUNK, { publishedOn: '2026-11-20' }))).toBe('202 pending_review');
    expect((await listed(LIST)).proposal).toMatchObject({ sha256: sha256OfList(SHRUNK), publishedOn: '2026-11-20' });
    expect(outcomeOf(await send(await admin(), SHRUNK, { publishedOn: '2026-11-20' }))).toBe('202 activated');
  });

  it('is not confirmed by a second administrator who does not state that it is right', async () => {
    await send(await admin());
    expect(outcomeOf(await upload({ file: SHRUNK, format: 'ofac-csv', as: await colleague() }))).toBe(
      '422 suspicious_shrink',
    );
    expect((await listed(LIST)).proposal?.sha256).toBe(sha256OfList(SHRUNK));
  });

  it('takes effect once, however many confirm it at the same time', async () => {
    await send(await admin());
    const [before, since] = [await activeVersion(LIST), await lastEvent()];
    const as = await colleague();
    const outcomes = (await Promise.all(Array.from({ length: 50 }, () => send(as)))).map(outcomeOf);
    expect(outcomes.filter((one) => one === '202 activated')).toHaveLength(1);
    expect(outcomes.filter((one) => !['202 activated', '202 unchanged', '409 import_running'].includes(one))).toEqual(
      [],
    );
    expect((await activeVersion(LIST)).sequence).toBe(before.sequence + 1);
    expect((await eventsSince(since)).filter((action) => action !== 'list.version_checked')).toEqual([
      'list.version_ingested',
    ]);
  });

  it('ends if another version becomes active: sending it again proposes it anew', async () => {
    await send(await admin());
    expect(outcomeOf(await upload({ file: ofacCsv(151), format: 'ofac-csv', as: await admin() }))).toBe(
      '202 activated',
    );
    expect((await listed(LIST)).proposal).toBeNull();
    expect((await giveBack(sha256OfList(SHRUNK), await colleague())).body.code).toBe('proposal_not_pending');
    expect(outcomeOf(await send(await colleague()))).toBe('202 pending_review');
    expect(outcomeOf(await send(await admin()))).toBe('202 activated');
  });
});

describe('a file that gives everybody another name', () => {
  it('waits for a second administrator, too', async () => {
    const file = Buffer.from(String(BASE).replaceAll('REIS', 'SOUZA'));
    const before = await activeVersion(LIST);
    const proposed = await send(await admin(), file);
    expect([outcomeOf(proposed), proposed.body.change]).toEqual([
      '202 pending_review',
      expect.objectContaining({ matchChanged: 150 }),
    ]);
    expect((await activeVersion(LIST)).sequence).toBe(before.sequence);
    expect(outcomeOf(await send(await admin(), file))).toBe('403 self_approval_forbidden');
    expect(outcomeOf(await send(await colleague(), file))).toBe('202 activated');
  });
});

describe('a proposal is ended', () => {
  it.each([
    ['by a second administrator, who returns it', colleague, 'returned'],
    ['by whoever made it, who withdraws it', admin, 'invalidated'],
  ] as const)('%s', async (_, by, state) => {
    await send(await admin());
    const [before, since] = [await activeVersion(LIST), await lastEvent()];
    const answer = await giveBack(sha256OfList(SHRUNK), await by());
    expect([answer.status, answer.body.id, answer.body.proposal]).toEqual([200, LIST, null]);
    expect((await activeVersion(LIST)).sequence).toBe(before.sequence);
    expect(await eventsSince(since)).toEqual(['list.version_returned']);
    const [review] = await world.database.sql<{ state: string }>(
      `SELECT state FROM second_review WHERE subject_type = 'list_version' ORDER BY created_at DESC, id DESC LIMIT 1`,
    );
    expect(review!.state).toBe(state);
    expect((await giveBack(sha256OfList(SHRUNK), await by())).body.code).toBe('proposal_not_pending');
    expect(outcomeOf(await send(await colleague())), 'nobody confirms it any more').toBe('202 pending_review');
  });

  it('by its checksum only, and for an existing list', async () => {
    await send(await admin());
    expect((await giveBack('0'.repeat(64), await colleague())).body.code).toBe('proposal_not_pending');
    expect((await giveBack(sha256OfList(SHRUNK), await colleague(), 'ofac-other')).status).toBe(404);
    expect((await listed(LIST)).proposal?.sha256).toBe(sha256OfList(SHRUNK));
  });

  it('but not while a list is imported', async () => {
    await send(await admin());
    const as = await colleague();
    const answer = await world.database.database.platform({ tenantId: null }, async (tx) => {
      await lockUntilCommit(tx, 'watch list', `live ${LIST}`);
      return giveBack(sha256OfList(SHRUNK), as);
    });
    expect([answer.status, answer.body.code]).toEqual([409, 'import_running']);
    expect((await listed(LIST)).proposal?.sha256).toBe(sha256OfList(SHRUNK));
  });
});
