import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Document } from '../directory.ts';
import { buildXml } from '../wire/build.ts';
import { signXml, type Signer } from '../wire/sign.ts';

export const time = '2026-03-09T13:20:11.482Z';
export const recoveryId = '5f0c1b7e-9d1a-4c53-8e53-6a2f0c9d1e22';

export const notification = { Id: '48211', Event: 'FUNDS_RECOVERY_ANALYSED', EntityType: 'FUNDS_RECOVERY', EntityId: recoveryId, Timestamp: time };
export const recovery = { RootTransactionId: 'E40511220202603021014k3Jq81LmZ0a', SituationType: 'SCAM', Id: recoveryId, Status: 'ANALYSED', ReporterParticipant: '40511220', CreationTime: time, LastModified: time };
export const report = { TransactionId: 'E40511220202603021014k3Jq81LmZ0a', Id: 'a5', FundsRecoveryId: recoveryId, Status: 'CLOSED', ReporterParticipant: '40511220', CounterpartyParticipant: '99999011', AnalysisResult: 'AGREED', InfractionAmount: '812.40', CreationTime: time, LastModified: time };
export const refund = { TransactionId: 'E40511220202603021014k3Jq81LmZ0a', RefundAmount: '812.40', Id: 'b6', FundsRecoveryId: recoveryId, Status: 'OPEN', RequestingParticipant: '40511220', ContestedParticipant: '99999011', CreationTime: time, LastModified: time };

export function signedAnswer(signer: Signer, root: string, content: Document): string {
  return signXml(buildXml(root, { ResponseTime: time, CorrelationId: 'a9f13566e19f5ca51329479a5bae60c5', ...content }), signer);
}

export function sendXml(response: ServerResponse, xml: string | Buffer, { status = 200, gzip = false, headers = {} }: { readonly status?: number; readonly gzip?: boolean; readonly headers?: Readonly<Record<string, string>> } = {}): void {
  const type = status === 200 ? 'application/xml' : 'application/problem+xml';
  response.writeHead(status, { 'Content-Type': `${type};charset=utf-8`, ...(gzip ? { 'Content-Encoding': 'gzip' } : {}), ...headers });
  response.end(gzip ? gzipSync(xml) : xml);
}
