import type { TestDatabase } from './postgres.ts';

const HASH = `sha256('x')`;
const USER = '00000000-0000-4000-8000-00000000000a';
const SESSION = '00000000-0000-4000-8000-00000000000b';
const ID = '00000000-0000-4000-8000-00000000000c';

/** What stands in each column that must be given; `live` where there are two environments. */
const ROWS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  allowlist_entry: {
    id: `'${ID}'`, decision_id: `'${ID}'`, environment: `'live'`, subject_mac: HASH, list_id: `'un-csnu'`, entity_mac: HASH, entity_hash: HASH, subject_id: `'${ID}'`, screening_id: `'${ID}'`, hit_id: `'${ID}'`, entity_key: `'{}'`,
    reason_code: `'other'`, expires_at: 'now()', created_at: 'now()', created_by: `'{}'`,
  },
  api_key: { id: `'${ID}'`, prefix: `'p'`, client_id: `'p'`, quota_client_id: `'p'`, name: `'Key'`, environment: `'live'`, scopes: `'{read}'`, secret_mac: HASH, created_by: `'{}'` },
  api_key_site: { key_id: `'${ID}'`, site: `'192.0.2.1'`, first_seen_at: 'now()', last_seen_at: 'now()' },
  api_key_usage: { key_id: `'${ID}'`, hour: 'now()', requests: '5', errors: '0' },
  application: {
    id: `'${ID}'`, environment: `'live'`, status: `'draft'`, level: `'basic'`, purpose: `'other'`, channel: `'api'`, full_name: `'Maria'`, applicant: `'{}'`, created_by: `'{}'`,
  },
  audit_checkpoint: { tree_size: '1', root_hash: HASH, head_hash: HASH, signed_at: 'now()', key_id: `'k'`, signature: `${HASH} || ${HASH}`, hash: HASH },
  audit_event: {
    sequence: '1', id: `'${ID}'`, environment: `'live'`, occurred_at: 'now()', actor: `'{"type":"user"}'`, action: `'a'`, resource_type: `'t'`, outcome: `'success'`, changes: `'[]'`,
    prev_hash: HASH, hash: HASH,
  },
  audit_export: {
    id: `'${ID}'`, format: `'csv'`, include_proofs: 'false', filter: `'{}'`, environments: `'{live}'`, first_sequence: '1', last_sequence: '5', position: '0', created_at: 'now()', created_by: `'{}'`,
  },
  audit_node: { level: '1', index: '0', hash: HASH },
  consent: {
    id: `'${ID}'`, application_id: `'${ID}'`, environment: `'live'`, action: `'granted'`, purpose: `'marketing'`, legal_basis: `'consent'`, text_version: `'1'`,
    text_sha256: `repeat('0', 64)`, locale: `'pt-BR'`, channel: `'web'`, captured_at: 'now()', created_at: 'now()', created_by: `'{}'`,
  },
  decision: {
    id: `'${ID}'`, application_id: `'${ID}'`, environment: `'live'`, outcome: `'approve'`, reason_codes: `'{low_risk}'`, note: `'Nothing unusual.'`, status: `'pending_review'`,
    four_eyes_reasons: `'{pep_declared}'`, evidence_digest: `'d'`, manifest: `'{}'`, policy_version: '1', made_by: `'{}'`, created_at: 'now()',
  },
  deleted_document: { id: `'${ID}'`, application_id: `'${ID}'`, environment: `'live'`, deleted_at: 'now()' },
  demo: { sealed: `'x'` },
  dict_inbox: { env: `'live'`, ispb: `'1'`, received_at: 'now()', sha256: `'x'`, verdict: `'processed'`, xml: `'x'` },
  dict_unread: { env: `'live'`, ispb: `'1'`, funds_recovery_id: `'${ID}'`, listed_at: 'now()', reports: `'[]'`, refunds: `'[]'` },
  dict_sim_command: { env: `'sandbox'`, seq: '1', at: 'now()', command: `'{}'` },
  dict_sim_fault: { env: `'sandbox'`, kind: `'slow'`, remaining: '1' },
  dict_stream: { env: `'live'`, ispb: `'1'` },
  document: {
    id: `'${ID}'`, application_id: `'${ID}'`, environment: `'live'`, type: `'passport'`, side: `'single'`, file_name: `'a.pdf'`, mime_type: `'application/pdf'`, size_bytes: '1',
    sha256: `repeat('0', 64)`, storage_key: `'k'`, created_by: `'{}'`,
  },
  fr_consumer: { env: `'live'`, consumer_id: `'c'`, generation: '1', acked_seq: '5' },
  fr_event: {
    env: `'live'`, seq: '1', event_id: `'e'`, funds_recovery_id: `'${ID}'`, event_type: `'t'`, status: `'s'`, occurred_at: 'now()', dedupe_key: `'d'`, raw_payload: `'{}'`,
  },
  fr_record: {
    env: `'live'`, funds_recovery_id: `'${ID}'`, ispb: `'1'`, role: `'SENT'`, root_transaction_id: `'r'`, status: `'TRACKED'`, revision: '1', created_at: 'now()', last_modified: 'now()',
    published_keys: `'[]'`, held: `'{}'`, snapshot: `'{}'`,
  },
  fr_recovery: { env: `'live'`, funds_recovery_id: `'${ID}'`, status: `'TRACKED'`, phase_began_at: 'now()' },
  fr_reference: { env: `'live'`, funds_recovery_id: `'${ID}'`, kind: `'participant'`, value: `'90400888'` },
  hit_decision: {
    id: `'${ID}'`, environment: `'live'`, screening_id: `'${ID}'`, hit_id: `'${ID}'`, subject_id: `'${ID}'`, list_id: `'un-csnu'`, list_sequence: '1', entity_mac: HASH, entity_hash: HASH, subject_hash: HASH,
    status: `'false_positive'`, reason_code: `'other'`, note: `'n'`, state: `'proposed'`, created_by: `'{}'`, created_at: 'now()',
  },
  idempotency_record: {
    environment: `'live'`, principal: `'p'`, method: `'POST'`, path: `'/'`, key_hash: HASH, fingerprint: HASH, status: '201', expires_at: `now() + interval '1 day'`,
  },
  invitation: { id: `'${ID}'`, user_id: `'${USER}'`, token_hash: HASH, invited_by: `'{}'`, created_at: 'now()', sent_at: 'now()', expires_at: 'now()' },
  job_success: { name: `'j'`, every_seconds: '1', at: 'now()' },
  monitored_list_set: { environment: `'live'`, sequences: `'{}'`, done_at: 'now()' },
  monitoring_algorithm: { environment: `'live'`, released: `'m2'` },
  monitoring_alert: {
    id: `'${ID}'`, subscription_id: `'${ID}'`, environment: `'live'`, application_id: `'${ID}'`, kind: `'sanctions'`, severity: `'high'`, dedupe_key: HASH, first_seen_at: 'now()', last_seen_at: 'now()', sla_due_at: 'now()',
  },
  monitoring_run: { id: `'${ID}'`, subscription_id: `'${ID}'`, environment: `'live'`, at: 'now()', trigger: `'requested'`, result: `'clear'`, new_alerts: '0' },
  monitoring_subscription: {
    id: `'${ID}'`, environment: `'live'`, application_id: `'${ID}'`, checks: `'{sanctions}'`, created_at: 'now()', updated_at: 'now()', created_by: `'{}'`,
  },
  own_list_part: { version_id: `'${ID}'`, environment: `'sandbox'`, part: '0', content: `'{}'` },
  own_list_version: {
    id: `'${ID}'`, environment: `'sandbox'`, sequence: '1', version: `'v'`, sha256: `'s'`, entry_count: '1', added: '1', changed: '0', match_changed: '0', removed: '0', ingested_at: 'now()', checked_at: 'now()', ingested_by: `'{}'`,
  },
  known_place: { account: `'a'`, place: `'p'`, kind: `'site'`, seen_at: 'now()' },
  login_throttle: { key: `'k'` },
  mail_quota: { key: `'k'`, used: '1', began_at: 'now()' },
  mail_message: { id: `'${ID}'`, tenant_id: '$1', template: `'t'`, recipient_mac: HASH, sealed: `'x'`, next_attempt_at: 'now()', created_at: 'now()' },
  membership: { user_id: `'${USER}'`, role: `'owner'` },
  onboarding_step: { step_key: `'s'` },
  password_history: { user_id: `'${USER}'`, password_hash: `'h'`, replaced_at: 'now()' },
  password_reset: { user_id: `'${USER}'`, hash: HASH, requested_at: 'now()', expires_at: 'now()' },
  recovery_code: { user_id: `'${USER}'`, hash: HASH },
  refresh_token: { hash: HASH, session_id: `'${SESSION}'`, expires_at: 'now()' },
  information_request: {
    id: `'${ID}'`, application_id: `'${ID}'`, environment: `'live'`, status: `'open'`, items: `'[]'`, internal_note: `'Look closely.'`, due_at: 'now()', created_by: `'{}'`, created_at: 'now()',
  },
  screening: {
    id: `'${ID}'`, environment: `'live'`, result: `'clear'`, subject: `'{}'`, criteria: `'{}'`, subject_id: `'${ID}'`, lists: `'[]'`, stale_lists: `'{}'`, hit_count: '0', open_hit_count: '0', truncated: 'false',
    algorithm_version: `'m2'`, duration_ms: '1', created_at: 'now()', created_by: `'{}'`,
  },
  screening_hit: { id: `'${ID}'`, screening_id: `'${ID}'`, environment: `'live'`, position: '0', list_id: `'un-csnu'`, category: `'sanction'`, score: '0.9', subject_id: `'${ID}'`, entity_mac: HASH, entity_hash: HASH, subject_hash: HASH, status: `'open'`, content: `'{}'` },
  second_review: {
    id: `'${ID}'`, environment: `'live'`, subject_type: `'decision'`, subject_id: `'${ID}'`, maker: `'{}'`, maker_persons: `'{${USER}}'`, digest: `'d'`, created_at: 'now()',
  },
  session: { id: `'${SESSION}'`, user_id: `'${USER}'`, absolute_expires_at: `now() + interval '1 day'` },
  simulated_entry: { id: `'${ID}'`, environment: `'sandbox'`, application_id: `'${ID}'`, list_id: `'un-csnu'`, content: `'{}'`, created_at: 'now()' },
  tenant_settings: {},
  user_account: { id: `'${USER}'`, email_normalised: `'a@example.com'`, email: `'a@example.com'`, name: `'A'`, password_hash: `'h'` },
  subject_key: { subject_type: `'application'`, subject_id: `'${ID}'`, environment: `'live'`, wrapped: `'\\x01'`, created_at: 'now()' },
  task: { id: `'${ID}'`, kind: `'k'`, subject_id: `'${ID}'`, due_at: 'now()', created_at: 'now()' },
  user_totp: { user_id: `'${USER}'`, secret: `'x'`, confirmed_at: 'now()', last_step: '7' },
  watch_list_entity: { environment: `'live'`, list_id: `'un-csnu'`, key: `'k'`, from_sequence: '1', content_hash: HASH, match_hash: HASH, document: `'{}'` },
  watch_list_file: { environment: `'live'`, list_id: `'un-csnu'`, sequence: '9', role: `'main'`, part: '0', bytes: HASH },
  watch_list_proposal: {
    id: `'${ID}'`, list_id: `'un-csnu'`, after: '1', version: `'v'`, format: `'un-xml'`, sha256: `repeat('0', 64)`, entry_count: '1', added: '0', changed: '0', match_changed: '0', removed: '1',
    proposed_at: 'now()', proposed_by: `'{}'`,
  },
  watch_list_version: {
    environment: `'live'`, list_id: `'un-csnu'`, sequence: '9', version: `'v'`, format: `'un-xml'`, sha256: `repeat('0', 64)`, size_bytes: '1', entry_count: '1', added: '1', changed: '0',
    match_changed: '0', removed: '0', ingested_at: 'now()', checked_at: 'now()', ingested_by: `'{}'`,
  },
  attestation: { id: `'${ID}'`, application_id: `'${ID}'`, environment: `'live'`, requirement_key: `'cpf_status_ok'`, outcome: `'pass'`, source: `'The register.'`, looked_up_at: 'now()', note: `'Regular.'`, subject: `'{}'`, created_by: `'{}'`, created_at: 'now()' },
  waiver: { id: `'${ID}'`, application_id: `'${ID}'`, environment: `'live'`, action: `'granted'`, requirement_key: `'address'`, reason_code: `'other'`, note: `'Seen by the branch.'`, created_by: `'{}'`, created_at: 'now()' },
};

/** A row in every table, of a new tenant; foreign keys are not looked at. The tenant, its chain and its feeds are made as ever. */
export async function rowOfEveryTable(test: TestDatabase): Promise<string> {
  const tenantId = await test.tenant();
  const tables = await test.sql<{ name: string; tenant: boolean }>(`
    SELECT c.relname AS name, EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND a.attnotnull) AS tenant
    FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname NOT LIKE 'schema_migration%'`);
  const statements = tables.filter(({ name }) => !['tenant', 'audit_head', 'fr_feed'].includes(name)).map(({ name, tenant }) => {
    const row = ROWS[name];
    if (row === undefined) throw new Error(`say what a row of ${name} looks like`);
    const all = { ...tenant && { tenant_id: '$1' }, ...row };
    return `INSERT INTO ${name} (${Object.keys(all).join(', ')}) VALUES (${Object.values(all).join(', ')})`.replaceAll('$1', `'${tenantId}'`);
  });
  await test.sql(['SET session_replication_role = replica', ...statements, 'SET session_replication_role = origin'].join('; '));
  return tenantId;
}
