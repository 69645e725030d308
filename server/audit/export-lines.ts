/**
 * The lines of an exported audit log, as `scripts/verify-audit.mjs` reads them. The service and
 * `scripts/export-audit.ts`, which reads the log from outside, write them. A changed form could not be read by programs
 * that verify older exports.
 */

/**
 * Returns the header line. `filter` is the selection of the events; without a filter, the export is the log from its
 * first event on, which can be verified without proofs.
 */
export const headerLine = (tenantId: string, publicKeys: readonly object[], filter?: object): string =>
  line({
    type: 'header',
    tenantId,
    publicKeys,
    ...(filter !== undefined && { filter }),
  });

/** Path from an event to the root of a checkpoint of the same export. */
export interface LineProof {
  readonly treeSize: number;
  readonly path: readonly string[];
}

export const eventLine = (event: object, proof?: LineProof): string =>
  line({ type: 'event', event, ...(proof && { proof }) });

export const checkpointLine = (checkpoint: object): string => line({ type: 'checkpoint', checkpoint });

function line(record: object): string {
  return `${JSON.stringify(record)}\n`;
}
