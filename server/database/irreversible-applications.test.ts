/** Tests that the database refuses to leave a final state of applications and their records. */
import { describe, expect, it } from 'vitest';
import { ROLES, unprotectedTables } from './testing/unprotected-tables.ts';

const database = unprotectedTables();

/** Table, the change of state of its row, and the attempts to undo that change. */
const ENDED: readonly [table: string, assignments: string, attempts: readonly string[]][] = [
  ...['approved', 'rejected', 'withdrawn', 'expired'].map((status): (typeof ENDED)[number] => [
    'application',
    `status = '${status}', submitted_at = now(), decided_at = now()`,
    [
      `status = 'draft'`,
      `status = 'in_review'`,
      `status = 'in_review', version = version + 1, decided_at = NULL`,
      `full_name = 'X'`,
      `applicant = '{"a": 1}'`,
      'version = 1 + version',
      'submitted_at = NULL',
    ],
  ]),
  [
    'application',
    `status = 'in_review', submitted_at = now()`,
    [
      `status = 'draft'`,
      `status = 'expired'`,
      `applicant = '{"a": 1}'`,
      `full_name = 'X'`,
      `tax_id_mac = sha256('x')`,
      `level = 'enhanced'`,
      'submitted_at = NULL',
    ],
  ],
  [
    'document',
    'version = 1',
    [
      `expires_on = current_date`,
      `status = 'accepted'`,
      `file_name = 'b.pdf'`,
      'version = 2',
      `status = 'superseded', version = version + 1, file_name = 'b.pdf'`,
    ],
  ],
  ['document', `status = 'superseded'`, [`status = 'uploaded', version = version + 1`]],
  [
    'document',
    `status = 'rejected', rejection_code = 'consent_withdrawn'`,
    [
      `status = 'uploaded', version = version + 1`,
      `status = 'superseded', version = version + 1`,
      'rejection_code = NULL, version = version + 1',
    ],
  ],
  [
    'document',
    `status = 'uploaded', rejection_code = NULL`,
    [
      `status = 'rejected', version = version + 1`,
      `status = 'rejected', rejection_code = 'x'`,
      `status = 'rejected', rejection_code = 'x', version = version + 1, file_name = 'b.pdf'`,
    ],
  ],
  [
    'waiver',
    `note = 'Seen.'`,
    [`action = 'revoked'`, `requirement_key = 'id_document'`, `note = ''`, `created_by = '[]'`],
  ],
  [
    'attestation',
    `source = 'News.', note = 'Seen.', subject = 'Maria'`,
    [
      `outcome = 'fail'`,
      `subject = ''`,
      `requirement_key = 'adverse_media_clear'`,
      `source = ''`,
      `note = ''`,
      "looked_up_at = now() + interval '1 day'",
      `created_by = '[]'`,
    ],
  ],
  [
    'consent',
    `ip = '192.0.2.1'`,
    [`action = 'withdrawn'`, `purpose = 'screening'`, 'ip = NULL', `captured_at = now()`],
  ],
  ['application', `status = 'withdrawn', submitted_at = now()`, [`status = 'in_review', version = version + 1`]],
  [
    'decision',
    `status = 'effective', effective_at = now()`,
    [
      `status = 'pending_review', effective_at = NULL`,
      `outcome = 'reject', reject_type = 'final'`,
      `reason_codes = '{other}'`,
      "effective_at = now() + interval '1 day'",
    ],
  ],
  ['decision', `status = 'returned', effective_at = NULL`, [`status = 'effective', effective_at = now()`]],
  [
    'decision',
    `status = 'pending_review', effective_at = NULL`,
    [
      `evidence_digest = 'e'`,
      `note = 'Something else.'`,
      `outcome = 'reject', reject_type = 'final'`,
      `manifest = '[]'`,
      `made_by = '[]'`,
    ],
  ],
  [
    'second_review',
    `state = 'invalidated', closed_at = now()`,
    [`state = 'pending', closed_at = NULL`, `state = 'confirmed', checker = '{"type": "user", "id": "x"}'`],
  ],
  [
    'second_review',
    `state = 'pending', closed_at = NULL`,
    [`maker_persons = '{}'`, `digest = 'e'`, `maker = '[]'`, 'subject_id = gen_random_uuid()'],
  ],
  [
    'information_request',
    `status = 'answered', answered_at = now()`,
    [`status = 'open', answered_at = NULL`, `answered_at = now() + interval '1 day'`],
  ],
  [
    'information_request',
    `status = 'cancelled', answered_at = NULL`,
    [`status = 'open'`, `status = 'answered', answered_at = now()`],
  ],
  [
    'information_request',
    `status = 'open', answered_at = NULL`,
    [`items = '[{}]'`, `internal_note = 'Something else.'`, `due_at = now() + interval '1 day'`, `created_by = '[]'`],
  ],
  [
    'application',
    `status = 'needs_information', submitted_at = now()`,
    [`status = 'draft'`, `level = 'enhanced'`, 'submitted_at = NULL', `status = 'in_review', applicant = '{"a": 1}'`],
  ],
  [
    'application',
    `status = 'approved', submitted_at = now(), decided_at = now(), relationship_ended_at = now()`,
    [
      'relationship_ended_at = NULL, version = version + 1',
      `relationship_ended_at = now() + interval '1 day', version = version + 1`,
    ],
  ],
  [
    'application',
    `status = 'approved', submitted_at = now(), decided_at = now()`,
    [
      `relationship_ended_at = now(), version = version + 1, valid_until = now()`,
      `erased_at = now(), status = 'draft'`,
      `erased_at = now(), submitted_at = NULL`,
    ],
  ],
  [
    'application',
    `status = 'rejected', submitted_at = now(), decided_at = now(), erased_at = now()`,
    ['erased_at = NULL', `full_name = 'X'`, `applicant = '{"a": 1}'`, `status = 'in_review', version = version + 1`],
  ],
  [
    'application',
    "status = 'approved', submitted_at = now(), decided_at = now(), valid_until = now(), erased_at = NULL, " +
      'relationship_ended_at = NULL',
    [
      `status = 'expired'`,
      `status = 'expired', version = version + 1, valid_until = NULL`,
      `status = 'expired', version = version + 1, full_name = 'X'`,
    ],
  ],
  [
    'application',
    `status = 'expired', status_reason = NULL, valid_until = NULL, relationship_ended_at = NULL`,
    ['relationship_ended_at = now(), version = version + 1'],
  ],
  [
    'application',
    `status_reason = 'information_overdue', decided_at = NULL`,
    ['relationship_ended_at = now(), version = version + 1'],
  ],
  ['consent', `ip = '192.0.2.1'`, [`erased_at = now(), purpose = 'screening'`]],
  ['waiver', `note = '', erased_at = now()`, [`note = 'Seen.'`, 'erased_at = NULL']],
  [
    'attestation',
    `source = '', note = '', subject = '', erased_at = now()`,
    [`note = 'Seen.'`, `subject = 'Maria'`, `source = 'News.'`, 'erased_at = NULL'],
  ],
  ['consent', `ip = NULL, erased_at = now()`, [`ip = '192.0.2.1'`, 'erased_at = NULL']],
  [
    'decision',
    `status = 'effective', effective_at = now()`,
    [`erased_at = now(), outcome = 'reject', reject_type = 'final'`, `erased_at = now(), manifest = '[]'`],
  ],
  ['decision', `note = '', erased_at = now()`, [`note = 'Something else.'`, 'erased_at = NULL']],
  ['document', 'version = 1', [`erased_at = now(), sha256 = repeat('1', 64)`]],
  [
    'document',
    `status = 'erased', erased_at = now()`,
    [`file_name = 'b.pdf'`, `status = 'uploaded', version = version + 1`],
  ],
  [
    'information_request',
    `status = 'answered', answered_at = now(), erased_at = now()`,
    [`items = '[{}]'`, 'erased_at = NULL'],
  ],
  [
    'second_review',
    `state = 'invalidated', closed_at = now(), erased_at = now()`,
    [`note = 'Something else.'`, 'erased_at = NULL'],
  ],
  [
    'subject_key',
    'wrapped = NULL, destroyed_at = now()',
    [`wrapped = 'x', destroyed_at = NULL`, `destroyed_at = now() + interval '1 day'`],
  ],
  ['subject_key', `wrapped = 'x', destroyed_at = NULL`, [`wrapped = 'y'`]],
  ['document', 'sealed_at = now()', ['sealed_at = NULL', `sealed_at = now() + interval '1 day'`]],
  [
    'deleted_document',
    'deleted_at = now()',
    [`deleted_at = now() + interval '1 day'`, 'application_id = gen_random_uuid()'],
  ],
];

describe.each(ROLES)('a final state is irreversible for the %s role:', (role) => {
  it.each(ENDED)('%s, once %s', async (table, assignments, attempts) => {
    await database.test.sql(`UPDATE ${table} SET ${assignments}`);
    const before = await database.test.sql(`SELECT * FROM ${table}`);
    for (const attempt of attempts) {
      await expect(database.clients[role].query(`UPDATE ${table} SET ${attempt}`), attempt).rejects.toMatchObject({
        code: '42501',
      });
    }
    expect(await database.test.sql(`SELECT * FROM ${table}`)).toEqual(before);
  });
});
