/** A definition of rules that waits for its activation, for tests. */
import { uuidv7 } from '../../server/base/uuid.ts';
import type { Environment } from '../../server/contract/operation.ts';
import type { Database } from '../../server/database/index.ts';
import { createDraft } from '../../server/modules/definitions/definitions.ts';
import { insertActivation } from '../../server/modules/definitions/store.ts';

/** Creates a draft of a risk model with a requested activation, for which no operation exists yet. */
export async function newDefinition(database: Database, tenantId: string, environment: Environment): Promise<void> {
  const now = new Date();
  await database.transaction({ tenantId }, async (tx) => {
    const { id, checksum } = await createDraft(tx, {
      environment,
      kind: 'risk_model',
      key: 'application',
      document: {},
      createdBy: { type: 'system', id: 'test', display: 'test' },
      now,
    });
    insertActivation(tx, {
      tenantId,
      id: uuidv7(),
      environment,
      definitionId: id,
      checksum,
      evidence: {},
      createdAt: now,
    });
  });
}
