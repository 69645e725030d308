SET ROLE compliance_owner;
SET check_function_bodies = off;
CREATE SCHEMA graphile_worker;
CREATE TYPE graphile_worker.job_spec AS (identifier text, payload json, queue_name text, run_at timestamp with time zone, max_attempts smallint, job_key text, priority smallint, flags text[]);
CREATE SEQUENCE schema_migration_id_seq AS integer;
CREATE SEQUENCE schema_migration_lock_index_seq AS integer;
CREATE TABLE allowlist_entry (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  environment text NOT NULL,
  subject_mac bytea NOT NULL,
  list_id text NOT NULL,
  entity_mac bytea NOT NULL,
  entity_hash bytea NOT NULL,
  entity_key jsonb NOT NULL,
  application_id uuid,
  subject_id uuid NOT NULL,
  screening_id uuid NOT NULL,
  hit_id uuid NOT NULL,
  decision_id uuid,
  compared_hash bytea,
  reason_code text NOT NULL,
  status text NOT NULL DEFAULT 'active'::text,
  revoke_reason text,
  expires_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  created_by jsonb NOT NULL
);
CREATE TABLE api_key (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  prefix text NOT NULL,
  name text NOT NULL,
  environment text NOT NULL,
  scopes text[] NOT NULL,
  pin_environment boolean NOT NULL DEFAULT false,
  ip_allowlist text[] NOT NULL DEFAULT '{}'::text[],
  personal_data text NOT NULL DEFAULT 'masked'::text,
  secret_mac bytea NOT NULL,
  pepper_version integer NOT NULL DEFAULT 1,
  client_id text NOT NULL,
  quota_client_id text NOT NULL,
  granted_by uuid,
  granted_role text,
  status text NOT NULL DEFAULT 'active'::text,
  successor_prefix text,
  grace_until timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  ends_at timestamp(3) with time zone GENERATED ALWAYS AS (LEAST(expires_at,
CASE
    WHEN (status = 'rotating'::text) THEN grace_until
    ELSE NULL::timestamp with time zone
END)) STORED,
  end_recorded_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  last_used_ip text,
  version integer NOT NULL DEFAULT 1,
  created_by jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now()
);
CREATE TABLE api_key_site (
  tenant_id uuid NOT NULL,
  key_id uuid NOT NULL,
  site text NOT NULL,
  first_seen_at timestamp(3) with time zone NOT NULL,
  last_seen_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE api_key_usage (
  tenant_id uuid NOT NULL,
  key_id uuid NOT NULL,
  hour timestamp(3) with time zone NOT NULL,
  requests bigint NOT NULL,
  errors bigint NOT NULL
);
CREATE TABLE application (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  environment text NOT NULL,
  external_id text,
  status text NOT NULL,
  status_reason text,
  status_note text,
  level text NOT NULL,
  purpose text NOT NULL,
  channel text NOT NULL,
  renews_application_id uuid,
  full_name text NOT NULL,
  tax_id_mac bytea,
  email_mac bytea,
  applicant jsonb NOT NULL,
  person_unseen_at timestamp(3) with time zone,
  product_codes text[] NOT NULL DEFAULT '{}'::text[],
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  submitted_at timestamp(3) with time zone,
  decided_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  valid_until timestamp(3) with time zone,
  review_due_at timestamp(3) with time zone,
  relationship_ended_at timestamp(3) with time zone,
  erased_at timestamp(3) with time zone,
  resubmission_count integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1,
  created_by jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now()
);
CREATE TABLE attestation (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  application_id uuid NOT NULL,
  environment text NOT NULL,
  sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  requirement_key text NOT NULL,
  outcome text NOT NULL,
  source text NOT NULL,
  looked_up_at timestamp(3) with time zone NOT NULL,
  note text NOT NULL,
  subject text NOT NULL,
  evidence_document_id uuid,
  created_by jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  erased_at timestamp(3) with time zone
);
CREATE TABLE audit_checkpoint (
  tenant_id uuid NOT NULL,
  tree_size bigint NOT NULL,
  root_hash bytea NOT NULL,
  head_hash bytea NOT NULL,
  signed_at timestamp(3) with time zone NOT NULL,
  previous_hash bytea,
  key_id text NOT NULL,
  signature bytea NOT NULL,
  hash bytea NOT NULL
);
CREATE TABLE audit_event (
  tenant_id uuid NOT NULL,
  sequence bigint NOT NULL,
  id uuid NOT NULL,
  environment text NOT NULL,
  occurred_at timestamp(3) with time zone NOT NULL,
  actor jsonb NOT NULL,
  actor_type text NOT NULL GENERATED ALWAYS AS ((actor ->> 'type'::text)) STORED,
  actor_id text GENERATED ALWAYS AS ((actor ->> 'id'::text)) STORED,
  action text NOT NULL,
  resource_type text NOT NULL,
  resource_id text,
  outcome text NOT NULL,
  reason text,
  request_id text,
  ip text,
  user_agent text,
  changes jsonb NOT NULL,
  sealed_ref text,
  prev_hash bytea NOT NULL,
  hash bytea NOT NULL
);
CREATE TABLE audit_export (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  status text NOT NULL DEFAULT 'running'::text,
  format text NOT NULL,
  include_proofs boolean NOT NULL,
  filter jsonb NOT NULL,
  environments text[] NOT NULL,
  first_sequence bigint NOT NULL,
  last_sequence bigint NOT NULL,
  "position" bigint NOT NULL,
  tree_size bigint,
  event_count bigint NOT NULL DEFAULT 0,
  size_bytes bigint NOT NULL DEFAULT 0,
  created_at timestamp(3) with time zone NOT NULL,
  created_by jsonb NOT NULL,
  ready_at timestamp(3) with time zone
);
CREATE TABLE audit_head (
  tenant_id uuid NOT NULL,
  sequence bigint NOT NULL DEFAULT 0,
  prev_hash bytea NOT NULL,
  hash bytea NOT NULL
);
CREATE TABLE audit_node (
  tenant_id uuid NOT NULL,
  level smallint NOT NULL,
  index bigint NOT NULL,
  hash bytea NOT NULL
);
CREATE TABLE consent (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  application_id uuid NOT NULL,
  environment text NOT NULL,
  sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  action text NOT NULL,
  purpose text NOT NULL,
  legal_basis text NOT NULL,
  text_version text NOT NULL,
  text_sha256 text NOT NULL,
  locale text NOT NULL,
  channel text NOT NULL,
  captured_at timestamp(3) with time zone NOT NULL,
  ip text,
  user_agent text,
  evidence_document_id uuid,
  created_at timestamp(3) with time zone NOT NULL,
  created_by jsonb NOT NULL,
  erased_at timestamp(3) with time zone
);
CREATE TABLE decision (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  application_id uuid NOT NULL,
  environment text NOT NULL,
  sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  outcome text NOT NULL,
  reject_type text,
  reason_codes text[] NOT NULL,
  note text NOT NULL,
  applicant_message text,
  status text NOT NULL,
  four_eyes_reasons text[] NOT NULL,
  evidence_digest text NOT NULL,
  manifest jsonb NOT NULL,
  policy_version integer NOT NULL,
  made_by jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  effective_at timestamp(3) with time zone,
  erased_at timestamp(3) with time zone
);
CREATE TABLE deleted_document (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  application_id uuid NOT NULL,
  environment text NOT NULL,
  deleted_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE demo (
  one boolean NOT NULL DEFAULT true,
  sealed bytea NOT NULL
);
CREATE TABLE dict_inbox (
  tenant_id uuid NOT NULL,
  env text NOT NULL,
  ispb text NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  received_at timestamp(3) with time zone NOT NULL,
  sha256 text,
  xml bytea,
  verdict text NOT NULL
);
CREATE TABLE dict_sim_command (
  tenant_id uuid NOT NULL,
  env text NOT NULL,
  seq bigint NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  command jsonb NOT NULL
);
CREATE TABLE dict_sim_fault (
  tenant_id uuid NOT NULL,
  env text NOT NULL,
  kind text NOT NULL,
  remaining integer NOT NULL
);
CREATE TABLE dict_stream (
  tenant_id uuid NOT NULL,
  env text NOT NULL,
  ispb text NOT NULL,
  incarnation uuid NOT NULL DEFAULT gen_random_uuid(),
  version integer NOT NULL DEFAULT 0,
  page_cursor text,
  tail jsonb NOT NULL DEFAULT '[]'::jsonb,
  watermarks jsonb NOT NULL DEFAULT '{}'::jsonb,
  reconciled_at timestamp(3) with time zone,
  last_ok_at timestamp(3) with time zone,
  gap_since timestamp(3) with time zone
);
CREATE TABLE dict_unread (
  tenant_id uuid NOT NULL,
  env text NOT NULL,
  ispb text NOT NULL,
  funds_recovery_id uuid NOT NULL,
  listed_at timestamp(3) with time zone NOT NULL,
  reports jsonb NOT NULL,
  refunds jsonb NOT NULL
);
CREATE TABLE document (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  application_id uuid NOT NULL,
  environment text NOT NULL,
  type text NOT NULL,
  side text NOT NULL,
  country text,
  expires_on date,
  file_name text NOT NULL,
  mime_type text NOT NULL,
  size_bytes bigint NOT NULL,
  sha256 text NOT NULL,
  original_sha256 text,
  page_count integer,
  status text NOT NULL DEFAULT 'uploaded'::text,
  rejection_code text,
  signals text[] NOT NULL DEFAULT '{}'::text[],
  answers jsonb,
  storage_key text NOT NULL,
  sealed_at timestamp(3) with time zone,
  file_erased_at timestamp(3) with time zone,
  erased_at timestamp(3) with time zone,
  version integer NOT NULL DEFAULT 1,
  created_by jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now()
);
CREATE TABLE fr_consumer (
  tenant_id uuid NOT NULL,
  env text NOT NULL,
  consumer_id text NOT NULL,
  generation integer NOT NULL DEFAULT 1,
  acked_seq bigint NOT NULL DEFAULT 0,
  acked_at timestamp(3) with time zone,
  last_polled_at timestamp(3) with time zone
);
CREATE TABLE fr_event (
  tenant_id uuid NOT NULL,
  env text NOT NULL,
  seq bigint NOT NULL,
  event_id text NOT NULL,
  funds_recovery_id uuid NOT NULL,
  event_type text NOT NULL,
  status text NOT NULL,
  occurred_at timestamp(3) with time zone NOT NULL,
  received_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  dedupe_key text NOT NULL,
  raw_payload jsonb
);
CREATE TABLE fr_feed (
  tenant_id uuid NOT NULL,
  env text NOT NULL,
  generation integer NOT NULL DEFAULT 1,
  last_seq bigint NOT NULL DEFAULT 0,
  floor_seq bigint NOT NULL DEFAULT 0
);
CREATE TABLE fr_record (
  tenant_id uuid NOT NULL,
  env text NOT NULL,
  funds_recovery_id uuid NOT NULL,
  ispb text NOT NULL,
  role text NOT NULL,
  root_transaction_id text NOT NULL,
  status text NOT NULL,
  revision integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  last_modified timestamp(3) with time zone NOT NULL,
  analysed_at timestamp(3) with time zone,
  next_deadline_at timestamp(3) with time zone,
  next_deadline_stage text,
  next_notice_at timestamp(3) with time zone,
  wake_at timestamp(3) with time zone,
  last_read_at timestamp(3) with time zone,
  published_keys jsonb NOT NULL,
  held jsonb NOT NULL,
  snapshot jsonb NOT NULL,
  root_amount bigint,
  requested_amount bigint NOT NULL DEFAULT 0,
  refunded_amount bigint NOT NULL DEFAULT 0,
  erased_at timestamp(3) with time zone
);
CREATE TABLE fr_recovery (
  tenant_id uuid NOT NULL,
  env text NOT NULL,
  funds_recovery_id uuid NOT NULL,
  status text NOT NULL,
  phase_began_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE fr_reference (
  tenant_id uuid NOT NULL,
  env text NOT NULL,
  funds_recovery_id uuid NOT NULL,
  kind text NOT NULL,
  value text NOT NULL
);
CREATE TABLE graphile_worker._private_job_queues (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  queue_name text NOT NULL,
  locked_at timestamp with time zone,
  locked_by text,
  is_available boolean NOT NULL GENERATED ALWAYS AS ((locked_at IS NULL)) STORED
);
CREATE TABLE graphile_worker._private_jobs (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  job_queue_id integer,
  task_id integer NOT NULL,
  payload json NOT NULL DEFAULT '{}'::json,
  priority smallint NOT NULL DEFAULT 0,
  run_at timestamp with time zone NOT NULL DEFAULT now(),
  attempts smallint NOT NULL DEFAULT 0,
  max_attempts smallint NOT NULL DEFAULT 25,
  last_error text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  key text,
  locked_at timestamp with time zone,
  locked_by text,
  revision integer NOT NULL DEFAULT 0,
  flags jsonb,
  is_available boolean NOT NULL GENERATED ALWAYS AS (((locked_at IS NULL) AND (attempts < max_attempts))) STORED
);
CREATE TABLE graphile_worker._private_known_crontabs (
  identifier text NOT NULL,
  known_since timestamp with time zone NOT NULL,
  last_execution timestamp with time zone
);
CREATE TABLE graphile_worker._private_tasks (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  identifier text NOT NULL
);
CREATE TABLE graphile_worker.migrations (
  id integer NOT NULL,
  ts timestamp with time zone NOT NULL DEFAULT now(),
  breaking boolean NOT NULL DEFAULT false
);
CREATE TABLE hit_decision (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  environment text NOT NULL,
  sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  screening_id uuid NOT NULL,
  hit_id uuid NOT NULL,
  subject_id uuid NOT NULL,
  list_id text NOT NULL,
  list_sequence integer NOT NULL,
  entity_mac bytea NOT NULL,
  entity_hash bytea NOT NULL,
  subject_hash bytea NOT NULL,
  status text NOT NULL,
  holds_below double precision,
  reason_code text NOT NULL,
  note text NOT NULL,
  state text NOT NULL,
  created_by jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  reviewed_by jsonb,
  review_note text
);
CREATE TABLE idempotency_record (
  tenant_id uuid NOT NULL,
  environment text NOT NULL,
  principal text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  key_hash bytea NOT NULL,
  fingerprint bytea NOT NULL,
  status integer NOT NULL,
  headers jsonb NOT NULL DEFAULT '{}'::jsonb,
  body bytea,
  personal_data boolean NOT NULL DEFAULT true,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  expires_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE information_request (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  application_id uuid NOT NULL,
  environment text NOT NULL,
  sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  status text NOT NULL,
  items jsonb NOT NULL,
  internal_note text,
  due_at timestamp(3) with time zone NOT NULL,
  created_by jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  answered_at timestamp(3) with time zone,
  provided text[] NOT NULL DEFAULT '{}'::text[],
  erased_at timestamp(3) with time zone
);
CREATE TABLE invitation (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  invited_by jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  sent_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  accepted_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone
);
CREATE TABLE job_success (
  name text NOT NULL,
  every_seconds double precision NOT NULL,
  at timestamp(3) with time zone NOT NULL
);
CREATE TABLE known_place (
  account text NOT NULL,
  place text NOT NULL,
  kind text NOT NULL,
  seen_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE login_throttle (
  key text NOT NULL,
  account text,
  failures integer NOT NULL DEFAULT 0,
  lockouts integer NOT NULL DEFAULT 0,
  window_start timestamp(3) with time zone NOT NULL DEFAULT now(),
  locked_until timestamp(3) with time zone
);
CREATE TABLE mail_message (
  id uuid NOT NULL,
  tenant_id uuid,
  template text NOT NULL,
  recipient_mac bytea NOT NULL,
  sealed bytea,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp(3) with time zone NOT NULL,
  last_error text,
  delivered_at timestamp(3) with time zone,
  given_up_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE mail_quota (
  key text NOT NULL,
  used integer NOT NULL,
  began_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE membership (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  status text NOT NULL DEFAULT 'active'::text,
  name text,
  last_login_at timestamp(3) with time zone,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now()
);
CREATE TABLE monitored_list_set (
  tenant_id uuid NOT NULL,
  environment text NOT NULL,
  sequences jsonb NOT NULL,
  done_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE monitoring_alert (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  environment text NOT NULL,
  application_id uuid NOT NULL,
  kind text NOT NULL,
  severity text NOT NULL,
  status text NOT NULL DEFAULT 'open'::text,
  dedupe_key bytea NOT NULL,
  occurrences integer NOT NULL DEFAULT 1,
  first_seen_at timestamp(3) with time zone NOT NULL,
  last_seen_at timestamp(3) with time zone NOT NULL,
  sla_due_at timestamp(3) with time zone NOT NULL,
  screening_id uuid,
  hit_id uuid,
  list_id text,
  entity_mac bytea,
  entity_hash bytea,
  score double precision,
  score_before double precision,
  document_id uuid,
  due_on date,
  outcome text,
  reason_code text,
  note text,
  triaged_by jsonb,
  triaged_at timestamp(3) with time zone,
  told_at timestamp(3) with time zone
);
CREATE TABLE monitoring_algorithm (
  tenant_id uuid NOT NULL,
  environment text NOT NULL,
  released text NOT NULL,
  released_at timestamp(3) with time zone,
  released_by jsonb,
  note text
);
CREATE TABLE monitoring_run (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  environment text NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  trigger text NOT NULL,
  result text NOT NULL,
  screening_id uuid,
  new_alerts integer NOT NULL
);
CREATE TABLE monitoring_subscription (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  environment text NOT NULL,
  application_id uuid NOT NULL,
  checks text[] NOT NULL,
  interval_days integer,
  status text NOT NULL DEFAULT 'active'::text,
  pause_reason text,
  pause_until timestamp(3) with time zone,
  end_reason text,
  waiting_for text,
  next_run_at timestamp(3) with time zone,
  last_run_at timestamp(3) with time zone,
  last_result text,
  compared jsonb,
  rehearsal jsonb,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  created_by jsonb NOT NULL
);
CREATE TABLE onboarding_step (
  tenant_id uuid NOT NULL,
  step_key text NOT NULL,
  completed_at timestamp(3) with time zone,
  regressed_at timestamp(3) with time zone,
  dismissed_at timestamp(3) with time zone,
  dismissed_by jsonb,
  dismissed_reason text
);
CREATE TABLE own_list_part (
  tenant_id uuid NOT NULL,
  version_id uuid NOT NULL,
  environment text NOT NULL,
  part integer NOT NULL,
  content jsonb NOT NULL
);
CREATE TABLE own_list_version (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  environment text NOT NULL,
  sequence integer NOT NULL,
  version text NOT NULL,
  sha256 text NOT NULL,
  entry_count integer NOT NULL,
  added integer NOT NULL,
  changed integer NOT NULL,
  match_changed integer NOT NULL,
  removed integer NOT NULL,
  ingested_at timestamp(3) with time zone NOT NULL,
  checked_at timestamp(3) with time zone NOT NULL,
  ingested_by jsonb NOT NULL,
  ended_at timestamp(3) with time zone
);
CREATE TABLE password_history (
  user_id uuid NOT NULL,
  password_hash text NOT NULL,
  replaced_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE password_reset (
  user_id uuid NOT NULL,
  hash bytea NOT NULL,
  requested_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE recovery_code (
  user_id uuid NOT NULL,
  hash bytea NOT NULL,
  used_at timestamp(3) with time zone
);
CREATE TABLE refresh_token (
  tenant_id uuid NOT NULL,
  hash bytea NOT NULL,
  session_id uuid NOT NULL,
  issued_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  expires_at timestamp(3) with time zone NOT NULL,
  superseded_at timestamp(3) with time zone,
  successor bytea
);
CREATE TABLE schema_migration (
  id integer NOT NULL DEFAULT nextval('schema_migration_id_seq'::regclass),
  name character varying(255),
  batch integer,
  migration_time timestamp with time zone
);
CREATE TABLE schema_migration_lock (
  index integer NOT NULL DEFAULT nextval('schema_migration_lock_index_seq'::regclass),
  is_locked integer
);
CREATE TABLE screening (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  environment text NOT NULL,
  sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  application_id uuid,
  subject_id uuid NOT NULL,
  previous_screening_id uuid,
  diff jsonb,
  result text NOT NULL,
  subject jsonb NOT NULL,
  comparable boolean NOT NULL DEFAULT true,
  criteria jsonb NOT NULL,
  profile_version integer,
  lines jsonb,
  lists jsonb NOT NULL,
  stale_lists text[] NOT NULL,
  hit_count integer NOT NULL,
  open_hit_count integer NOT NULL,
  truncated boolean NOT NULL,
  algorithm_version text NOT NULL,
  duration_ms integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  created_by jsonb NOT NULL
);
CREATE TABLE screening_hit (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  screening_id uuid NOT NULL,
  environment text NOT NULL,
  "position" integer NOT NULL,
  list_id text NOT NULL,
  category text NOT NULL,
  score double precision NOT NULL,
  subject_id uuid NOT NULL,
  entity_mac bytea NOT NULL,
  entity_hash bytea NOT NULL,
  subject_hash bytea NOT NULL,
  status text NOT NULL,
  decision_id uuid,
  allowlist_entry_id uuid,
  content jsonb NOT NULL
);
CREATE TABLE second_review (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  environment text NOT NULL,
  subject_type text NOT NULL,
  subject_id uuid NOT NULL,
  maker jsonb NOT NULL,
  maker_persons text[] NOT NULL,
  digest text NOT NULL,
  state text NOT NULL DEFAULT 'pending'::text,
  checker jsonb,
  note text,
  created_at timestamp(3) with time zone NOT NULL,
  closed_at timestamp(3) with time zone,
  erased_at timestamp(3) with time zone
);
CREATE TABLE session (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  mfa boolean NOT NULL DEFAULT false,
  step_up_at timestamp(3) with time zone,
  idle_seconds integer NOT NULL DEFAULT 1209600,
  password_outdated boolean NOT NULL DEFAULT false,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  last_seen_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  absolute_expires_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone,
  ended_reason text,
  user_agent text,
  user_agent_hash bytea,
  ip text
);
CREATE TABLE simulated_entry (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  environment text NOT NULL,
  application_id uuid NOT NULL,
  list_id text NOT NULL,
  content jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE subject_key (
  tenant_id uuid NOT NULL,
  subject_type text NOT NULL,
  subject_id uuid NOT NULL,
  environment text NOT NULL,
  wrapped bytea,
  created_at timestamp(3) with time zone NOT NULL,
  destroyed_at timestamp(3) with time zone
);
CREATE TABLE task (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  subject_id uuid NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  is_bulk boolean NOT NULL DEFAULT false,
  due_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE tenant (
  id uuid NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'active'::text,
  status_reason text,
  status_note text,
  status_changed_at timestamp(3) with time zone,
  status_changed_by jsonb,
  suspended_from text,
  go_live_at timestamp(3) with time zone,
  plan text NOT NULL DEFAULT 'standard'::text,
  region text NOT NULL DEFAULT 'default'::text,
  quotas jsonb NOT NULL DEFAULT '{}'::jsonb,
  sandbox_enabled boolean NOT NULL DEFAULT false,
  sandbox_enabled_at timestamp(3) with time zone,
  sandbox_enabled_by jsonb,
  sandbox_changed_at timestamp(3) with time zone,
  sandbox_clock_offset_seconds bigint NOT NULL DEFAULT 0,
  closure_requested_at timestamp(3) with time zone,
  closure_requested_by uuid,
  closure_reason text,
  closure_note text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now()
);
CREATE TABLE tenant_settings (
  tenant_id uuid NOT NULL,
  document jsonb NOT NULL DEFAULT '{}'::jsonb,
  version integer NOT NULL DEFAULT 1,
  policy_version integer NOT NULL DEFAULT 1,
  profile_version integer NOT NULL DEFAULT 1,
  updated_by jsonb,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now()
);
CREATE TABLE user_account (
  id uuid NOT NULL,
  email_normalised text NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text,
  password_changed_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  status text NOT NULL DEFAULT 'active'::text,
  locked_until timestamp(3) with time zone,
  last_login_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now()
);
CREATE TABLE user_totp (
  user_id uuid NOT NULL,
  secret bytea NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  expires_at timestamp(3) with time zone,
  confirmed_at timestamp(3) with time zone,
  last_step bigint
);
CREATE TABLE waiver (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  application_id uuid NOT NULL,
  environment text NOT NULL,
  sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  action text NOT NULL,
  requirement_key text NOT NULL,
  reason_code text NOT NULL,
  note text NOT NULL,
  created_by jsonb NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  erased_at timestamp(3) with time zone
);
CREATE TABLE watch_list_entity (
  environment text NOT NULL,
  list_id text NOT NULL,
  key text NOT NULL,
  from_sequence integer NOT NULL,
  to_sequence integer,
  content_hash bytea NOT NULL,
  match_hash bytea NOT NULL,
  document jsonb NOT NULL
);
CREATE TABLE watch_list_file (
  environment text NOT NULL,
  list_id text NOT NULL,
  sequence integer NOT NULL,
  role text NOT NULL,
  part integer NOT NULL,
  bytes bytea NOT NULL
);
CREATE TABLE watch_list_proposal (
  id uuid NOT NULL,
  list_id text NOT NULL,
  after integer NOT NULL,
  version text NOT NULL,
  format text NOT NULL,
  published_on date,
  sha256 text NOT NULL,
  entry_count integer NOT NULL,
  added integer NOT NULL,
  changed integer NOT NULL,
  match_changed integer NOT NULL,
  removed integer NOT NULL,
  proposed_at timestamp(3) with time zone NOT NULL,
  proposed_by jsonb NOT NULL
);
CREATE TABLE watch_list_version (
  environment text NOT NULL,
  list_id text NOT NULL,
  sequence integer NOT NULL,
  version text NOT NULL,
  restores integer,
  format text NOT NULL,
  published_on date,
  sha256 text NOT NULL,
  size_bytes bigint NOT NULL,
  entry_count integer NOT NULL,
  added integer NOT NULL,
  changed integer NOT NULL,
  match_changed integer NOT NULL,
  removed integer NOT NULL,
  quarantined_names integer NOT NULL DEFAULT 0,
  quarantine jsonb NOT NULL DEFAULT '[]'::jsonb,
  ingested_at timestamp(3) with time zone NOT NULL,
  checked_at timestamp(3) with time zone NOT NULL,
  ingested_by jsonb NOT NULL
);
ALTER SEQUENCE schema_migration_id_seq OWNED BY schema_migration.id;
ALTER SEQUENCE schema_migration_lock_index_seq OWNED BY schema_migration_lock.index;
ALTER TABLE allowlist_entry ADD CONSTRAINT allowlist_entry_check CHECK (((decision_id IS NOT NULL) OR (status <> 'active'::text)));
ALTER TABLE allowlist_entry ADD CONSTRAINT allowlist_entry_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE allowlist_entry ADD CONSTRAINT allowlist_entry_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE allowlist_entry ADD CONSTRAINT allowlist_entry_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'revoked'::text, 'expired'::text])));
ALTER TABLE api_key ADD CONSTRAINT api_key_check CHECK (((status = 'revoked'::text) = (revoked_at IS NOT NULL)));
ALTER TABLE api_key ADD CONSTRAINT api_key_check1 CHECK (((status = 'rotating'::text) <= ((successor_prefix IS NOT NULL) AND (grace_until IS NOT NULL))));
ALTER TABLE api_key ADD CONSTRAINT api_key_check2 CHECK (((granted_by IS NULL) OR (granted_role IS NOT NULL)));
ALTER TABLE api_key ADD CONSTRAINT api_key_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])));
ALTER TABLE api_key ADD CONSTRAINT api_key_personal_data_check CHECK ((personal_data = ANY (ARRAY['masked'::text, 'full'::text])));
ALTER TABLE api_key ADD CONSTRAINT api_key_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE api_key ADD CONSTRAINT api_key_prefix_key UNIQUE (prefix);
ALTER TABLE api_key ADD CONSTRAINT api_key_scopes_check CHECK ((scopes <@ ARRAY['read'::text, 'write'::text, 'admin'::text, 'kyb'::text, 'screening'::text]));
ALTER TABLE api_key ADD CONSTRAINT api_key_secret_mac_check CHECK ((octet_length(secret_mac) = 32));
ALTER TABLE api_key ADD CONSTRAINT api_key_status_check CHECK ((status = ANY (ARRAY['active'::text, 'rotating'::text, 'revoked'::text])));
ALTER TABLE api_key_site ADD CONSTRAINT api_key_site_pkey PRIMARY KEY (tenant_id, key_id, site);
ALTER TABLE api_key_usage ADD CONSTRAINT api_key_usage_errors_check CHECK ((errors >= 0));
ALTER TABLE api_key_usage ADD CONSTRAINT api_key_usage_pkey PRIMARY KEY (tenant_id, key_id, hour);
ALTER TABLE api_key_usage ADD CONSTRAINT api_key_usage_requests_check CHECK ((requests >= 0));
ALTER TABLE application ADD CONSTRAINT application_channel_check CHECK ((channel = ANY (ARRAY['web'::text, 'mobile'::text, 'branch'::text, 'partner'::text, 'api'::text])));
ALTER TABLE application ADD CONSTRAINT application_email_mac_check CHECK ((octet_length(email_mac) = 32));
ALTER TABLE application ADD CONSTRAINT application_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE application ADD CONSTRAINT application_external_id_key UNIQUE (tenant_id, environment, external_id);
ALTER TABLE application ADD CONSTRAINT application_level_check CHECK ((level = ANY (ARRAY['basic'::text, 'standard'::text, 'enhanced'::text])));
ALTER TABLE application ADD CONSTRAINT application_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE application ADD CONSTRAINT application_purpose_check CHECK ((purpose = ANY (ARRAY['account_opening'::text, 'periodic_review'::text, 'event_review'::text, 'merchant_onboarding'::text, 'other'::text])));
ALTER TABLE application ADD CONSTRAINT application_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'submitted'::text, 'in_review'::text, 'needs_information'::text, 'pending_approval'::text, 'approved'::text, 'rejected'::text, 'withdrawn'::text, 'expired'::text])));
ALTER TABLE application ADD CONSTRAINT application_tax_id_mac_check CHECK ((octet_length(tax_id_mac) = 32));
ALTER TABLE attestation ADD CONSTRAINT attestation_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE attestation ADD CONSTRAINT attestation_outcome_check CHECK ((outcome = ANY (ARRAY['pass'::text, 'fail'::text])));
ALTER TABLE attestation ADD CONSTRAINT attestation_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE audit_checkpoint ADD CONSTRAINT audit_checkpoint_hash_check CHECK ((octet_length(hash) = 32));
ALTER TABLE audit_checkpoint ADD CONSTRAINT audit_checkpoint_head_hash_check CHECK ((octet_length(head_hash) = 32));
ALTER TABLE audit_checkpoint ADD CONSTRAINT audit_checkpoint_pkey PRIMARY KEY (tenant_id, tree_size);
ALTER TABLE audit_checkpoint ADD CONSTRAINT audit_checkpoint_previous_hash_check CHECK ((octet_length(previous_hash) = 32));
ALTER TABLE audit_checkpoint ADD CONSTRAINT audit_checkpoint_root_hash_check CHECK ((octet_length(root_hash) = 32));
ALTER TABLE audit_checkpoint ADD CONSTRAINT audit_checkpoint_signature_check CHECK ((octet_length(signature) = 64));
ALTER TABLE audit_checkpoint ADD CONSTRAINT audit_checkpoint_tree_size_check CHECK ((tree_size > 0));
ALTER TABLE audit_event ADD CONSTRAINT audit_event_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE audit_event ADD CONSTRAINT audit_event_hash_check CHECK ((octet_length(hash) = 32));
ALTER TABLE audit_event ADD CONSTRAINT audit_event_id_key UNIQUE (tenant_id, id);
ALTER TABLE audit_event ADD CONSTRAINT audit_event_outcome_check CHECK ((outcome = ANY (ARRAY['success'::text, 'denied'::text, 'failed'::text])));
ALTER TABLE audit_event ADD CONSTRAINT audit_event_pkey PRIMARY KEY (tenant_id, sequence);
ALTER TABLE audit_event ADD CONSTRAINT audit_event_prev_hash_check CHECK ((octet_length(prev_hash) = 32));
ALTER TABLE audit_event ADD CONSTRAINT audit_event_sequence_check CHECK ((sequence > 0));
ALTER TABLE audit_export ADD CONSTRAINT audit_export_check CHECK (((status = 'ready'::text) = (ready_at IS NOT NULL)));
ALTER TABLE audit_export ADD CONSTRAINT audit_export_format_check CHECK ((format = ANY (ARRAY['ndjson'::text, 'csv'::text])));
ALTER TABLE audit_export ADD CONSTRAINT audit_export_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE audit_export ADD CONSTRAINT audit_export_status_check CHECK ((status = ANY (ARRAY['running'::text, 'ready'::text, 'failed'::text])));
ALTER TABLE audit_head ADD CONSTRAINT audit_head_hash_check CHECK ((octet_length(hash) = 32));
ALTER TABLE audit_head ADD CONSTRAINT audit_head_pkey PRIMARY KEY (tenant_id);
ALTER TABLE audit_head ADD CONSTRAINT audit_head_prev_hash_check CHECK ((octet_length(prev_hash) = 32));
ALTER TABLE audit_node ADD CONSTRAINT audit_node_hash_check CHECK ((octet_length(hash) = 32));
ALTER TABLE audit_node ADD CONSTRAINT audit_node_index_check CHECK ((index >= 0));
ALTER TABLE audit_node ADD CONSTRAINT audit_node_level_check CHECK ((level > 0));
ALTER TABLE audit_node ADD CONSTRAINT audit_node_pkey PRIMARY KEY (tenant_id, level, index);
ALTER TABLE consent ADD CONSTRAINT consent_action_check CHECK ((action = ANY (ARRAY['granted'::text, 'withdrawn'::text])));
ALTER TABLE consent ADD CONSTRAINT consent_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE consent ADD CONSTRAINT consent_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE consent ADD CONSTRAINT consent_text_sha256_check CHECK ((text_sha256 ~ '^[0-9a-f]{64}$'::text));
ALTER TABLE decision ADD CONSTRAINT decision_check CHECK (((outcome = 'reject'::text) = (reject_type IS NOT NULL)));
ALTER TABLE decision ADD CONSTRAINT decision_check1 CHECK (((status = 'effective'::text) = (effective_at IS NOT NULL)));
ALTER TABLE decision ADD CONSTRAINT decision_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE decision ADD CONSTRAINT decision_outcome_check CHECK ((outcome = ANY (ARRAY['approve'::text, 'reject'::text])));
ALTER TABLE decision ADD CONSTRAINT decision_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE decision ADD CONSTRAINT decision_reject_type_check CHECK ((reject_type = ANY (ARRAY['final'::text, 'retry'::text])));
ALTER TABLE decision ADD CONSTRAINT decision_status_check CHECK ((status = ANY (ARRAY['pending_review'::text, 'effective'::text, 'returned'::text, 'invalidated'::text])));
ALTER TABLE deleted_document ADD CONSTRAINT deleted_document_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE deleted_document ADD CONSTRAINT deleted_document_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE demo ADD CONSTRAINT demo_one_check CHECK (one);
ALTER TABLE demo ADD CONSTRAINT demo_pkey PRIMARY KEY (one);
ALTER TABLE dict_inbox ADD CONSTRAINT dict_inbox_env_check CHECK ((env = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE dict_inbox ADD CONSTRAINT dict_inbox_page UNIQUE (tenant_id, env, ispb, sha256);
ALTER TABLE dict_inbox ADD CONSTRAINT dict_inbox_pkey PRIMARY KEY (tenant_id, env, ispb, id);
ALTER TABLE dict_sim_command ADD CONSTRAINT dict_sim_command_env_check CHECK ((env = 'sandbox'::text));
ALTER TABLE dict_sim_command ADD CONSTRAINT dict_sim_command_pkey PRIMARY KEY (tenant_id, env, seq);
ALTER TABLE dict_sim_command ADD CONSTRAINT dict_sim_command_seq_check CHECK ((seq > 0));
ALTER TABLE dict_sim_fault ADD CONSTRAINT dict_sim_fault_env_check CHECK ((env = 'sandbox'::text));
ALTER TABLE dict_sim_fault ADD CONSTRAINT dict_sim_fault_pkey PRIMARY KEY (tenant_id, env, kind);
ALTER TABLE dict_sim_fault ADD CONSTRAINT dict_sim_fault_remaining_check CHECK ((remaining >= 0));
ALTER TABLE dict_stream ADD CONSTRAINT dict_stream_env_check CHECK ((env = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE dict_stream ADD CONSTRAINT dict_stream_pkey PRIMARY KEY (tenant_id, env, ispb);
ALTER TABLE dict_unread ADD CONSTRAINT dict_unread_env_check CHECK ((env = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE dict_unread ADD CONSTRAINT dict_unread_pkey PRIMARY KEY (tenant_id, env, ispb, funds_recovery_id);
ALTER TABLE document ADD CONSTRAINT document_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE document ADD CONSTRAINT document_mime_type_check CHECK ((mime_type = ANY (ARRAY['image/jpeg'::text, 'image/png'::text, 'image/webp'::text, 'application/pdf'::text])));
ALTER TABLE document ADD CONSTRAINT document_original_sha256_check CHECK ((original_sha256 ~ '^[0-9a-f]{64}$'::text));
ALTER TABLE document ADD CONSTRAINT document_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE document ADD CONSTRAINT document_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text));
ALTER TABLE document ADD CONSTRAINT document_side_check CHECK ((side = ANY (ARRAY['front'::text, 'back'::text, 'single'::text])));
ALTER TABLE document ADD CONSTRAINT document_size_bytes_check CHECK ((size_bytes > 0));
ALTER TABLE document ADD CONSTRAINT document_status_check CHECK ((status = ANY (ARRAY['uploaded'::text, 'accepted'::text, 'rejected'::text, 'superseded'::text, 'erased'::text])));
ALTER TABLE fr_consumer ADD CONSTRAINT fr_consumer_pkey PRIMARY KEY (tenant_id, env, consumer_id);
ALTER TABLE fr_event ADD CONSTRAINT fr_event_dedupe_key UNIQUE (tenant_id, env, dedupe_key);
ALTER TABLE fr_event ADD CONSTRAINT fr_event_pkey PRIMARY KEY (tenant_id, env, seq);
ALTER TABLE fr_event ADD CONSTRAINT fr_event_seq_check CHECK ((seq > 0));
ALTER TABLE fr_feed ADD CONSTRAINT fr_feed_check CHECK (((floor_seq >= 0) AND (floor_seq <= last_seq)));
ALTER TABLE fr_feed ADD CONSTRAINT fr_feed_env_check CHECK ((env = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE fr_feed ADD CONSTRAINT fr_feed_pkey PRIMARY KEY (tenant_id, env);
ALTER TABLE fr_record ADD CONSTRAINT fr_record_env_check CHECK ((env = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE fr_record ADD CONSTRAINT fr_record_pkey PRIMARY KEY (tenant_id, env, funds_recovery_id);
ALTER TABLE fr_record ADD CONSTRAINT fr_record_role_check CHECK ((role = ANY (ARRAY['SENT'::text, 'RECEIVED'::text, 'BOTH'::text])));
ALTER TABLE fr_recovery ADD CONSTRAINT fr_recovery_pkey PRIMARY KEY (tenant_id, env, funds_recovery_id);
ALTER TABLE fr_reference ADD CONSTRAINT fr_reference_kind_check CHECK ((kind = ANY (ARRAY['transaction'::text, 'participant'::text, 'tax_number'::text])));
ALTER TABLE fr_reference ADD CONSTRAINT fr_reference_pkey PRIMARY KEY (tenant_id, env, funds_recovery_id, kind, value);
ALTER TABLE graphile_worker._private_job_queues ADD CONSTRAINT job_queues_pkey1 PRIMARY KEY (id);
ALTER TABLE graphile_worker._private_job_queues ADD CONSTRAINT job_queues_queue_name_check CHECK ((length(queue_name) <= 128));
ALTER TABLE graphile_worker._private_job_queues ADD CONSTRAINT job_queues_queue_name_key UNIQUE (queue_name);
ALTER TABLE graphile_worker._private_jobs ADD CONSTRAINT jobs_key_check CHECK (((length(key) > 0) AND (length(key) <= 512)));
ALTER TABLE graphile_worker._private_jobs ADD CONSTRAINT jobs_key_key1 UNIQUE (key);
ALTER TABLE graphile_worker._private_jobs ADD CONSTRAINT jobs_max_attempts_check CHECK ((max_attempts >= 1));
ALTER TABLE graphile_worker._private_jobs ADD CONSTRAINT jobs_pkey1 PRIMARY KEY (id);
ALTER TABLE graphile_worker._private_known_crontabs ADD CONSTRAINT known_crontabs_pkey PRIMARY KEY (identifier);
ALTER TABLE graphile_worker._private_tasks ADD CONSTRAINT tasks_identifier_check CHECK ((length(identifier) <= 128));
ALTER TABLE graphile_worker._private_tasks ADD CONSTRAINT tasks_identifier_key UNIQUE (identifier);
ALTER TABLE graphile_worker._private_tasks ADD CONSTRAINT tasks_pkey PRIMARY KEY (id);
ALTER TABLE graphile_worker.migrations ADD CONSTRAINT migrations_pkey PRIMARY KEY (id);
ALTER TABLE hit_decision ADD CONSTRAINT hit_decision_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE hit_decision ADD CONSTRAINT hit_decision_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE hit_decision ADD CONSTRAINT hit_decision_state_check CHECK ((state = ANY (ARRAY['proposed'::text, 'effective'::text, 'returned'::text])));
ALTER TABLE hit_decision ADD CONSTRAINT hit_decision_status_check CHECK ((status = ANY (ARRAY['true_positive'::text, 'false_positive'::text, 'inconclusive'::text])));
ALTER TABLE idempotency_record ADD CONSTRAINT idempotency_record_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE idempotency_record ADD CONSTRAINT idempotency_record_key_hash_check CHECK ((octet_length(key_hash) = 32));
ALTER TABLE idempotency_record ADD CONSTRAINT idempotency_record_pkey PRIMARY KEY (tenant_id, principal, method, path, key_hash);
ALTER TABLE idempotency_record ADD CONSTRAINT idempotency_record_status_check CHECK (((status >= 200) AND (status <= 499)));
ALTER TABLE information_request ADD CONSTRAINT information_request_check CHECK (((status = 'answered'::text) = (answered_at IS NOT NULL)));
ALTER TABLE information_request ADD CONSTRAINT information_request_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE information_request ADD CONSTRAINT information_request_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE information_request ADD CONSTRAINT information_request_status_check CHECK ((status = ANY (ARRAY['open'::text, 'answered'::text, 'overdue'::text, 'cancelled'::text])));
ALTER TABLE invitation ADD CONSTRAINT invitation_check CHECK (((accepted_at IS NULL) OR (revoked_at IS NULL)));
ALTER TABLE invitation ADD CONSTRAINT invitation_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE invitation ADD CONSTRAINT invitation_token_hash_check CHECK ((octet_length(token_hash) = 32));
ALTER TABLE invitation ADD CONSTRAINT invitation_token_key UNIQUE (token_hash);
ALTER TABLE job_success ADD CONSTRAINT job_success_every_seconds_check CHECK ((every_seconds > (0)::double precision));
ALTER TABLE job_success ADD CONSTRAINT job_success_pkey PRIMARY KEY (name);
ALTER TABLE known_place ADD CONSTRAINT known_place_kind_check CHECK ((kind = ANY (ARRAY['site'::text, 'device'::text])));
ALTER TABLE known_place ADD CONSTRAINT known_place_pkey PRIMARY KEY (account, place);
ALTER TABLE login_throttle ADD CONSTRAINT login_throttle_pkey PRIMARY KEY (key);
ALTER TABLE mail_message ADD CONSTRAINT mail_message_check CHECK (((sealed IS NULL) = ((delivered_at IS NOT NULL) OR (given_up_at IS NOT NULL))));
ALTER TABLE mail_message ADD CONSTRAINT mail_message_pkey PRIMARY KEY (id);
ALTER TABLE mail_message ADD CONSTRAINT mail_message_recipient_mac_check CHECK ((octet_length(recipient_mac) = 32));
ALTER TABLE mail_quota ADD CONSTRAINT mail_quota_pkey PRIMARY KEY (key);
ALTER TABLE mail_quota ADD CONSTRAINT mail_quota_used_check CHECK ((used > 0));
ALTER TABLE membership ADD CONSTRAINT membership_of_platform CHECK (((role = 'platform_admin'::text) = (tenant_id = '00000000-0000-7000-8000-000000000001'::uuid)));
ALTER TABLE membership ADD CONSTRAINT membership_pkey PRIMARY KEY (tenant_id, user_id);
ALTER TABLE membership ADD CONSTRAINT membership_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'compliance_officer'::text, 'analyst'::text, 'developer'::text, 'auditor'::text, 'viewer'::text, 'platform_admin'::text])));
ALTER TABLE membership ADD CONSTRAINT membership_status_check CHECK ((status = ANY (ARRAY['invited'::text, 'active'::text, 'locked'::text, 'deactivated'::text])));
ALTER TABLE membership ADD CONSTRAINT membership_version_check CHECK ((version > 0));
ALTER TABLE monitored_list_set ADD CONSTRAINT monitored_list_set_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE monitored_list_set ADD CONSTRAINT monitored_list_set_pkey PRIMARY KEY (tenant_id, environment);
ALTER TABLE monitoring_alert ADD CONSTRAINT monitoring_alert_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE monitoring_alert ADD CONSTRAINT monitoring_alert_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE monitoring_alert ADD CONSTRAINT monitoring_alert_severity_check CHECK ((severity = ANY (ARRAY['info'::text, 'low'::text, 'medium'::text, 'high'::text, 'critical'::text])));
ALTER TABLE monitoring_alert ADD CONSTRAINT monitoring_alert_status_check CHECK ((status = ANY (ARRAY['open'::text, 'acknowledged'::text, 'dismissed'::text, 'escalated'::text, 'resolved'::text])));
ALTER TABLE monitoring_alert ADD CONSTRAINT monitoring_alert_tenant_id_application_id_dedupe_key_key UNIQUE (tenant_id, application_id, dedupe_key);
ALTER TABLE monitoring_algorithm ADD CONSTRAINT monitoring_algorithm_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE monitoring_algorithm ADD CONSTRAINT monitoring_algorithm_pkey PRIMARY KEY (tenant_id, environment);
ALTER TABLE monitoring_run ADD CONSTRAINT monitoring_run_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE monitoring_run ADD CONSTRAINT monitoring_run_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE monitoring_subscription ADD CONSTRAINT monitoring_subscription_check CHECK (((status = 'paused'::text) = (pause_until IS NOT NULL)));
ALTER TABLE monitoring_subscription ADD CONSTRAINT monitoring_subscription_check1 CHECK (((status = 'ended'::text) = (end_reason IS NOT NULL)));
ALTER TABLE monitoring_subscription ADD CONSTRAINT monitoring_subscription_checks_check CHECK ((cardinality(checks) > 0));
ALTER TABLE monitoring_subscription ADD CONSTRAINT monitoring_subscription_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE monitoring_subscription ADD CONSTRAINT monitoring_subscription_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE monitoring_subscription ADD CONSTRAINT monitoring_subscription_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'ended'::text])));
ALTER TABLE onboarding_step ADD CONSTRAINT onboarding_step_check CHECK (((regressed_at IS NULL) OR (completed_at IS NOT NULL)));
ALTER TABLE onboarding_step ADD CONSTRAINT onboarding_step_check1 CHECK ((((dismissed_at IS NULL) = (dismissed_by IS NULL)) AND ((dismissed_at IS NULL) = (dismissed_reason IS NULL))));
ALTER TABLE onboarding_step ADD CONSTRAINT onboarding_step_pkey PRIMARY KEY (tenant_id, step_key);
ALTER TABLE own_list_part ADD CONSTRAINT own_list_part_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE own_list_part ADD CONSTRAINT own_list_part_pkey PRIMARY KEY (tenant_id, version_id, part);
ALTER TABLE own_list_version ADD CONSTRAINT own_list_version_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE own_list_version ADD CONSTRAINT own_list_version_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE own_list_version ADD CONSTRAINT own_list_version_sequence_check CHECK ((sequence > 0));
ALTER TABLE own_list_version ADD CONSTRAINT own_list_version_tenant_id_environment_sequence_key UNIQUE (tenant_id, environment, sequence);
ALTER TABLE own_list_version ADD CONSTRAINT own_list_version_tenant_id_environment_version_key UNIQUE (tenant_id, environment, version);
ALTER TABLE password_history ADD CONSTRAINT password_history_pkey PRIMARY KEY (user_id, password_hash);
ALTER TABLE password_reset ADD CONSTRAINT password_reset_hash_check CHECK ((octet_length(hash) = 32));
ALTER TABLE password_reset ADD CONSTRAINT password_reset_hash_key UNIQUE (hash);
ALTER TABLE password_reset ADD CONSTRAINT password_reset_pkey PRIMARY KEY (user_id, hash);
ALTER TABLE recovery_code ADD CONSTRAINT recovery_code_hash_check CHECK ((octet_length(hash) = 32));
ALTER TABLE recovery_code ADD CONSTRAINT recovery_code_pkey PRIMARY KEY (user_id, hash);
ALTER TABLE refresh_token ADD CONSTRAINT refresh_token_hash_check CHECK ((octet_length(hash) = 32));
ALTER TABLE refresh_token ADD CONSTRAINT refresh_token_hash_key UNIQUE (hash);
ALTER TABLE refresh_token ADD CONSTRAINT refresh_token_pkey PRIMARY KEY (tenant_id, hash);
ALTER TABLE schema_migration ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (id);
ALTER TABLE schema_migration_lock ADD CONSTRAINT schema_migration_lock_pkey PRIMARY KEY (index);
ALTER TABLE screening ADD CONSTRAINT screening_check CHECK (((profile_version IS NULL) = (lines IS NULL)));
ALTER TABLE screening ADD CONSTRAINT screening_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE screening ADD CONSTRAINT screening_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE screening_hit ADD CONSTRAINT screening_hit_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE screening_hit ADD CONSTRAINT screening_hit_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE screening_hit ADD CONSTRAINT screening_hit_status_check CHECK ((status = ANY (ARRAY['open'::text, 'true_positive'::text, 'false_positive'::text, 'inconclusive'::text, 'auto_dismissed'::text])));
ALTER TABLE screening_hit ADD CONSTRAINT screening_hit_tenant_id_screening_id_position_key UNIQUE (tenant_id, screening_id, "position");
ALTER TABLE second_review ADD CONSTRAINT checker_is_another CHECK (((checker IS NULL) OR (((checker ->> 'type'::text) =
CASE subject_type
    WHEN 'list_version'::text THEN 'platform_user'::text
    ELSE 'user'::text
END) AND ((checker ->> 'id'::text) <> ALL (maker_persons)))));
ALTER TABLE second_review ADD CONSTRAINT second_review_check CHECK (((state = ANY (ARRAY['confirmed'::text, 'returned'::text])) = (checker IS NOT NULL)));
ALTER TABLE second_review ADD CONSTRAINT second_review_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE second_review ADD CONSTRAINT second_review_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE second_review ADD CONSTRAINT second_review_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'confirmed'::text, 'returned'::text, 'invalidated'::text])));
ALTER TABLE second_review ADD CONSTRAINT second_review_tenant_id_subject_type_subject_id_key UNIQUE (tenant_id, subject_type, subject_id);
ALTER TABLE session ADD CONSTRAINT session_check CHECK (((ended_at IS NULL) = (ended_reason IS NULL)));
ALTER TABLE session ADD CONSTRAINT session_ended_reason_check CHECK ((ended_reason = ANY (ARRAY['logout'::text, 'expired'::text, 'reuse_detected'::text, 'password_changed'::text, 'password_reset'::text, 'mfa_changed'::text, 'role_changed'::text, 'deactivated'::text, 'administrator'::text])));
ALTER TABLE session ADD CONSTRAINT session_idle_seconds_check CHECK ((idle_seconds > 0));
ALTER TABLE session ADD CONSTRAINT session_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE session ADD CONSTRAINT session_user_agent_hash_check CHECK ((octet_length(user_agent_hash) = 32));
ALTER TABLE simulated_entry ADD CONSTRAINT simulated_entry_environment_check CHECK ((environment = 'sandbox'::text));
ALTER TABLE simulated_entry ADD CONSTRAINT simulated_entry_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE subject_key ADD CONSTRAINT subject_key_check CHECK (((wrapped IS NULL) = (destroyed_at IS NOT NULL)));
ALTER TABLE subject_key ADD CONSTRAINT subject_key_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE subject_key ADD CONSTRAINT subject_key_pkey PRIMARY KEY (tenant_id, subject_type, subject_id);
ALTER TABLE subject_key ADD CONSTRAINT subject_key_subject_type_check CHECK ((subject_type = ANY (ARRAY['application'::text, 'screening'::text, 'own_list'::text])));
ALTER TABLE task ADD CONSTRAINT task_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE tenant ADD CONSTRAINT tenant_closure_request CHECK (((closure_requested_at IS NULL) = (closure_requested_by IS NULL)));
ALTER TABLE tenant ADD CONSTRAINT tenant_pkey PRIMARY KEY (id);
ALTER TABLE tenant ADD CONSTRAINT tenant_platform_stays CHECK (((id <> '00000000-0000-7000-8000-000000000001'::uuid) OR (status = 'active'::text)));
ALTER TABLE tenant ADD CONSTRAINT tenant_quotas_check CHECK ((jsonb_typeof(quotas) = 'object'::text));
ALTER TABLE tenant ADD CONSTRAINT tenant_sandbox_clock_offset_seconds_check CHECK ((sandbox_clock_offset_seconds >= 0));
ALTER TABLE tenant ADD CONSTRAINT tenant_slug_check CHECK ((slug ~ '^[a-z0-9-]{3,40}$'::text));
ALTER TABLE tenant ADD CONSTRAINT tenant_slug_key UNIQUE (slug);
ALTER TABLE tenant ADD CONSTRAINT tenant_status_check CHECK ((status = ANY (ARRAY['onboarding'::text, 'active'::text, 'suspended'::text, 'closed'::text])));
ALTER TABLE tenant ADD CONSTRAINT tenant_suspended_from CHECK (((suspended_from IS NULL) OR (status = 'suspended'::text)));
ALTER TABLE tenant ADD CONSTRAINT tenant_suspended_from_check CHECK ((suspended_from = ANY (ARRAY['onboarding'::text, 'active'::text])));
ALTER TABLE tenant ADD CONSTRAINT tenant_version_check CHECK ((version > 0));
ALTER TABLE tenant_settings ADD CONSTRAINT tenant_settings_document_check CHECK ((jsonb_typeof(document) = 'object'::text));
ALTER TABLE tenant_settings ADD CONSTRAINT tenant_settings_pkey PRIMARY KEY (tenant_id);
ALTER TABLE tenant_settings ADD CONSTRAINT tenant_settings_version_check CHECK ((version > 0));
ALTER TABLE user_account ADD CONSTRAINT user_account_email_key UNIQUE (email_normalised);
ALTER TABLE user_account ADD CONSTRAINT user_account_password_check CHECK (((password_hash IS NOT NULL) OR (status <> 'active'::text)));
ALTER TABLE user_account ADD CONSTRAINT user_account_pkey PRIMARY KEY (id);
ALTER TABLE user_account ADD CONSTRAINT user_account_status_check CHECK ((status = ANY (ARRAY['invited'::text, 'active'::text, 'locked'::text, 'deactivated'::text])));
ALTER TABLE user_totp ADD CONSTRAINT user_totp_check CHECK (((confirmed_at IS NULL) = (expires_at IS NOT NULL)));
ALTER TABLE user_totp ADD CONSTRAINT user_totp_pkey PRIMARY KEY (user_id);
ALTER TABLE waiver ADD CONSTRAINT waiver_action_check CHECK ((action = ANY (ARRAY['granted'::text, 'revoked'::text])));
ALTER TABLE waiver ADD CONSTRAINT waiver_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE waiver ADD CONSTRAINT waiver_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE watch_list_entity ADD CONSTRAINT watch_list_entity_check CHECK ((to_sequence > from_sequence));
ALTER TABLE watch_list_entity ADD CONSTRAINT watch_list_entity_pkey PRIMARY KEY (environment, list_id, key, from_sequence);
ALTER TABLE watch_list_file ADD CONSTRAINT watch_list_file_pkey PRIMARY KEY (environment, list_id, sequence, role, part);
ALTER TABLE watch_list_proposal ADD CONSTRAINT watch_list_proposal_after_check CHECK ((after > 0));
ALTER TABLE watch_list_proposal ADD CONSTRAINT watch_list_proposal_pkey PRIMARY KEY (id);
ALTER TABLE watch_list_version ADD CONSTRAINT watch_list_version_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])));
ALTER TABLE watch_list_version ADD CONSTRAINT watch_list_version_pkey PRIMARY KEY (environment, list_id, sequence);
ALTER TABLE watch_list_version ADD CONSTRAINT watch_list_version_sequence_check CHECK ((sequence > 0));
ALTER TABLE allowlist_entry ADD CONSTRAINT allowlist_entry_tenant_id_decision_id_fkey FOREIGN KEY (tenant_id, decision_id) REFERENCES hit_decision(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE allowlist_entry ADD CONSTRAINT allowlist_entry_tenant_id_screening_id_fkey FOREIGN KEY (tenant_id, screening_id) REFERENCES screening(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE api_key ADD CONSTRAINT api_key_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id);
ALTER TABLE api_key ADD CONSTRAINT api_key_tenant_id_granted_by_fkey FOREIGN KEY (tenant_id, granted_by) REFERENCES membership(tenant_id, user_id);
ALTER TABLE api_key_site ADD CONSTRAINT api_key_site_tenant_id_key_id_fkey FOREIGN KEY (tenant_id, key_id) REFERENCES api_key(tenant_id, id);
ALTER TABLE api_key_usage ADD CONSTRAINT api_key_usage_tenant_id_key_id_fkey FOREIGN KEY (tenant_id, key_id) REFERENCES api_key(tenant_id, id);
ALTER TABLE application ADD CONSTRAINT application_renews_fkey FOREIGN KEY (tenant_id, renews_application_id) REFERENCES application(tenant_id, id);
ALTER TABLE attestation ADD CONSTRAINT attestation_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES application(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE attestation ADD CONSTRAINT attestation_tenant_id_evidence_document_id_fkey FOREIGN KEY (tenant_id, evidence_document_id) REFERENCES document(tenant_id, id);
ALTER TABLE audit_head ADD CONSTRAINT audit_head_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id);
ALTER TABLE consent ADD CONSTRAINT consent_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES application(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE consent ADD CONSTRAINT consent_tenant_id_evidence_document_id_fkey FOREIGN KEY (tenant_id, evidence_document_id) REFERENCES document(tenant_id, id);
ALTER TABLE decision ADD CONSTRAINT decision_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES application(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE deleted_document ADD CONSTRAINT deleted_document_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES application(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE dict_inbox ADD CONSTRAINT dict_inbox_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id);
ALTER TABLE dict_stream ADD CONSTRAINT dict_stream_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id);
ALTER TABLE dict_unread ADD CONSTRAINT dict_unread_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id);
ALTER TABLE document ADD CONSTRAINT document_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES application(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE fr_consumer ADD CONSTRAINT fr_consumer_tenant_id_env_fkey FOREIGN KEY (tenant_id, env) REFERENCES fr_feed(tenant_id, env);
ALTER TABLE fr_event ADD CONSTRAINT fr_event_tenant_id_env_fkey FOREIGN KEY (tenant_id, env) REFERENCES fr_feed(tenant_id, env);
ALTER TABLE fr_feed ADD CONSTRAINT fr_feed_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id);
ALTER TABLE fr_record ADD CONSTRAINT fr_record_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id);
ALTER TABLE fr_recovery ADD CONSTRAINT fr_recovery_tenant_id_env_fkey FOREIGN KEY (tenant_id, env) REFERENCES fr_feed(tenant_id, env);
ALTER TABLE fr_reference ADD CONSTRAINT fr_reference_tenant_id_env_funds_recovery_id_fkey FOREIGN KEY (tenant_id, env, funds_recovery_id) REFERENCES fr_record(tenant_id, env, funds_recovery_id) ON DELETE CASCADE;
ALTER TABLE hit_decision ADD CONSTRAINT hit_decision_tenant_id_screening_id_fkey FOREIGN KEY (tenant_id, screening_id) REFERENCES screening(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE information_request ADD CONSTRAINT information_request_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES application(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE invitation ADD CONSTRAINT invitation_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES membership(tenant_id, user_id);
ALTER TABLE membership ADD CONSTRAINT membership_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id);
ALTER TABLE membership ADD CONSTRAINT membership_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id);
ALTER TABLE monitoring_alert ADD CONSTRAINT monitoring_alert_tenant_id_subscription_id_fkey FOREIGN KEY (tenant_id, subscription_id) REFERENCES monitoring_subscription(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE monitoring_run ADD CONSTRAINT monitoring_run_tenant_id_subscription_id_fkey FOREIGN KEY (tenant_id, subscription_id) REFERENCES monitoring_subscription(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE monitoring_subscription ADD CONSTRAINT monitoring_subscription_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES application(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE own_list_part ADD CONSTRAINT own_list_part_tenant_id_version_id_fkey FOREIGN KEY (tenant_id, version_id) REFERENCES own_list_version(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE password_history ADD CONSTRAINT password_history_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id);
ALTER TABLE password_reset ADD CONSTRAINT password_reset_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id);
ALTER TABLE recovery_code ADD CONSTRAINT recovery_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id);
ALTER TABLE refresh_token ADD CONSTRAINT refresh_token_tenant_id_session_id_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES session(tenant_id, id);
ALTER TABLE screening ADD CONSTRAINT screening_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES application(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE screening_hit ADD CONSTRAINT screening_hit_tenant_id_screening_id_fkey FOREIGN KEY (tenant_id, screening_id) REFERENCES screening(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE session ADD CONSTRAINT session_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES membership(tenant_id, user_id);
ALTER TABLE simulated_entry ADD CONSTRAINT simulated_entry_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES application(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE tenant ADD CONSTRAINT tenant_closure_requested_by_fkey FOREIGN KEY (closure_requested_by) REFERENCES user_account(id);
ALTER TABLE tenant_settings ADD CONSTRAINT tenant_settings_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id);
ALTER TABLE user_totp ADD CONSTRAINT user_totp_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id);
ALTER TABLE waiver ADD CONSTRAINT waiver_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES application(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE watch_list_file ADD CONSTRAINT watch_list_file_environment_list_id_sequence_fkey FOREIGN KEY (environment, list_id, sequence) REFERENCES watch_list_version(environment, list_id, sequence);
ALTER TABLE watch_list_version ADD CONSTRAINT watch_list_version_environment_list_id_restores_fkey FOREIGN KEY (environment, list_id, restores) REFERENCES watch_list_version(environment, list_id, sequence);
CREATE INDEX allowlist_entry_by_created ON public.allowlist_entry USING btree (tenant_id, environment, created_at, id);
CREATE INDEX allowlist_entry_by_decision ON public.allowlist_entry USING btree (tenant_id, decision_id);
CREATE INDEX allowlist_entry_by_screening ON public.allowlist_entry USING btree (tenant_id, screening_id);
CREATE INDEX allowlist_entry_due ON public.allowlist_entry USING btree (tenant_id, environment, expires_at) WHERE (status = 'active'::text);
CREATE INDEX allowlist_entry_standing ON public.allowlist_entry USING btree (tenant_id, subject_mac) WHERE (status = 'active'::text);
CREATE INDEX api_key_by_created ON public.api_key USING btree (tenant_id, created_at, id);
CREATE INDEX api_key_to_end ON public.api_key USING btree (tenant_id, ends_at) WHERE ((ends_at IS NOT NULL) AND (end_recorded_at IS NULL) AND (status <> 'revoked'::text));
CREATE INDEX application_by_created_at ON public.application USING btree (tenant_id, environment, created_at, id);
CREATE INDEX application_by_email ON public.application USING btree (tenant_id, environment, email_mac) WHERE (email_mac IS NOT NULL);
CREATE INDEX application_by_renewed ON public.application USING btree (tenant_id, renews_application_id) WHERE (renews_application_id IS NOT NULL);
CREATE INDEX application_by_submitted_at ON public.application USING btree (tenant_id, environment, submitted_at, id);
CREATE INDEX application_by_tax_id ON public.application USING btree (tenant_id, environment, tax_id_mac) WHERE (tax_id_mac IS NOT NULL);
CREATE INDEX application_by_updated_at ON public.application USING btree (tenant_id, environment, updated_at, id);
CREATE INDEX application_by_validity ON public.application USING btree (tenant_id, environment, valid_until) WHERE (status = 'approved'::text);
CREATE INDEX application_drafts ON public.application USING btree (tenant_id, environment, expires_at) WHERE (status = 'draft'::text);
CREATE INDEX application_unsealed ON public.application USING btree (tenant_id, id) WHERE ((NOT jsonb_exists(applicant, 'sealed'::text)) AND (erased_at IS NULL));
CREATE INDEX attestation_by_evidence ON public.attestation USING btree (tenant_id, evidence_document_id) WHERE (evidence_document_id IS NOT NULL);
CREATE INDEX attestation_in_order ON public.attestation USING btree (tenant_id, application_id, sequence);
CREATE INDEX audit_checkpoint_by_time ON public.audit_checkpoint USING btree (tenant_id, signed_at);
CREATE INDEX audit_event_by_action ON public.audit_event USING btree (tenant_id, action text_pattern_ops, sequence);
CREATE INDEX audit_event_by_actor ON public.audit_event USING btree (tenant_id, actor_id, sequence);
CREATE INDEX audit_event_by_actor_type ON public.audit_event USING btree (tenant_id, actor_type, sequence) WHERE (actor_type = ANY (ARRAY['system'::text, 'platform_user'::text]));
CREATE INDEX audit_event_by_refusal ON public.audit_event USING btree (tenant_id, sequence) WHERE (outcome <> 'success'::text);
CREATE INDEX audit_event_by_resource ON public.audit_event USING btree (tenant_id, resource_id, sequence);
CREATE INDEX audit_event_by_resource_type ON public.audit_event USING btree (tenant_id, resource_type, sequence);
CREATE INDEX audit_event_by_time ON public.audit_event USING btree (tenant_id, occurred_at);
CREATE INDEX consent_by_evidence ON public.consent USING btree (tenant_id, evidence_document_id) WHERE (evidence_document_id IS NOT NULL);
CREATE INDEX consent_in_order ON public.consent USING btree (tenant_id, application_id, sequence);
CREATE INDEX decision_in_order ON public.decision USING btree (tenant_id, application_id, sequence);
CREATE INDEX deleted_document_by_application ON public.deleted_document USING btree (tenant_id, application_id, deleted_at, id);
CREATE INDEX dict_inbox_received ON public.dict_inbox USING btree (tenant_id, env, received_at);
CREATE INDEX dict_unread_by_time ON public.dict_unread USING btree (tenant_id, env, ispb, listed_at);
CREATE INDEX document_biometric ON public.document USING btree (tenant_id, environment, application_id) WHERE ((type = ANY (ARRAY['selfie'::text, 'selfie_video'::text])) AND (file_erased_at IS NULL) AND (status <> 'erased'::text));
CREATE INDEX document_by_application ON public.document USING btree (tenant_id, application_id, created_at, id);
CREATE INDEX document_by_original ON public.document USING btree (tenant_id, environment, COALESCE(original_sha256, sha256));
CREATE INDEX document_by_storage ON public.document USING btree (tenant_id, environment, created_at) INCLUDE (size_bytes) WHERE (status <> 'erased'::text);
CREATE INDEX document_unsealed ON public.document USING btree (tenant_id, id) WHERE ((sealed_at IS NULL) AND (status <> 'erased'::text));
CREATE INDEX fr_event_recovery ON public.fr_event USING btree (tenant_id, env, funds_recovery_id, seq);
CREATE INDEX fr_record_by_change ON public.fr_record USING btree (tenant_id, env, last_modified, funds_recovery_id);
CREATE INDEX fr_record_by_creation ON public.fr_record USING btree (tenant_id, env, created_at) INCLUDE (role, status, root_amount, requested_amount, refunded_amount);
CREATE INDEX fr_record_by_deadline ON public.fr_record USING btree (tenant_id, env, next_deadline_at) WHERE (next_deadline_at IS NOT NULL);
CREATE INDEX fr_record_by_notice ON public.fr_record USING btree (tenant_id, env, next_notice_at) WHERE (next_notice_at IS NOT NULL);
CREATE INDEX fr_record_erased ON public.fr_record USING btree (tenant_id, env, funds_recovery_id) WHERE (erased_at IS NOT NULL);
CREATE INDEX fr_record_notice ON public.fr_record USING btree (tenant_id, env, ispb, next_notice_at) WHERE (next_notice_at IS NOT NULL);
CREATE INDEX fr_record_open ON public.fr_record USING btree (tenant_id, env, ispb, last_read_at) WHERE (status <> ALL (ARRAY['COMPLETED'::text, 'CANCELLED'::text]));
CREATE INDEX fr_record_received ON public.fr_record USING btree (tenant_id, env) WHERE (role <> 'SENT'::text);
CREATE INDEX fr_record_wake ON public.fr_record USING btree (tenant_id, env, ispb, wake_at) WHERE (wake_at IS NOT NULL);
CREATE INDEX fr_recovery_open ON public.fr_recovery USING btree (tenant_id, env, status, phase_began_at) WHERE (status <> ALL (ARRAY['COMPLETED'::text, 'CANCELLED'::text]));
CREATE INDEX fr_reference_by_value ON public.fr_reference USING btree (tenant_id, env, kind, value, funds_recovery_id);
CREATE INDEX hit_decision_by_screening ON public.hit_decision USING btree (tenant_id, screening_id);
CREATE INDEX hit_decision_in_order ON public.hit_decision USING btree (tenant_id, subject_id, list_id, entity_mac, sequence);
CREATE INDEX idempotency_record_by_expiry ON public.idempotency_record USING btree (tenant_id, expires_at);
CREATE INDEX information_request_in_order ON public.information_request USING btree (tenant_id, application_id, sequence);
CREATE INDEX invitation_by_user ON public.invitation USING btree (tenant_id, user_id);
CREATE INDEX jobs_main_index ON graphile_worker._private_jobs USING btree (priority, run_at) INCLUDE (id, task_id, job_queue_id) WHERE (is_available = true);
CREATE INDEX jobs_no_queue_index ON graphile_worker._private_jobs USING btree (priority, run_at) INCLUDE (id, task_id) WHERE ((is_available = true) AND (job_queue_id IS NULL));
CREATE INDEX known_place_by_seen ON public.known_place USING btree (seen_at);
CREATE INDEX login_throttle_by_account ON public.login_throttle USING btree (account);
CREATE INDEX mail_message_by_created ON public.mail_message USING btree (created_at, id);
CREATE INDEX mail_message_by_recipient ON public.mail_message USING btree (recipient_mac, created_at);
CREATE INDEX mail_message_due ON public.mail_message USING btree (next_attempt_at, id) WHERE (sealed IS NOT NULL);
CREATE INDEX mail_quota_by_began ON public.mail_quota USING btree (began_at);
CREATE INDEX membership_by_created ON public.membership USING btree (tenant_id, created_at, user_id);
CREATE INDEX membership_by_user ON public.membership USING btree (user_id, tenant_id);
CREATE INDEX monitoring_alert_by_first_seen ON public.monitoring_alert USING btree (tenant_id, environment, first_seen_at, id);
CREATE INDEX monitoring_alert_by_last_seen ON public.monitoring_alert USING btree (tenant_id, environment, last_seen_at, id);
CREATE INDEX monitoring_alert_by_subscription ON public.monitoring_alert USING btree (tenant_id, subscription_id);
CREATE INDEX monitoring_alert_untold ON public.monitoring_alert USING btree (tenant_id) WHERE ((told_at IS NULL) AND (environment = 'live'::text) AND (status = 'open'::text) AND (severity = ANY (ARRAY['high'::text, 'critical'::text])));
CREATE INDEX monitoring_run_by_subscription ON public.monitoring_run USING btree (tenant_id, subscription_id, at, id);
CREATE INDEX monitoring_subscription_by_application ON public.monitoring_subscription USING btree (tenant_id, application_id);
CREATE INDEX monitoring_subscription_by_created ON public.monitoring_subscription USING btree (tenant_id, environment, created_at, id);
CREATE INDEX monitoring_subscription_due ON public.monitoring_subscription USING btree (tenant_id, environment, next_run_at) WHERE ((status = 'active'::text) AND (next_run_at IS NOT NULL));
CREATE INDEX refresh_token_by_session ON public.refresh_token USING btree (tenant_id, session_id);
CREATE INDEX screening_by_application ON public.screening USING btree (tenant_id, application_id) WHERE (application_id IS NOT NULL);
CREATE INDEX screening_by_created ON public.screening USING btree (tenant_id, environment, created_at, id);
CREATE INDEX screening_hit_by_allowlist ON public.screening_hit USING btree (tenant_id, allowlist_entry_id) WHERE (allowlist_entry_id IS NOT NULL);
CREATE INDEX screening_hit_by_entity ON public.screening_hit USING btree (tenant_id, subject_id, list_id, entity_mac);
CREATE INDEX screening_hit_of_entity ON public.screening_hit USING btree (tenant_id, list_id, entity_mac);
CREATE INDEX screening_in_order ON public.screening USING btree (tenant_id, subject_id, sequence);
CREATE INDEX session_by_user ON public.session USING btree (tenant_id, user_id);
CREATE INDEX simulated_entry_by_application ON public.simulated_entry USING btree (tenant_id, application_id, id);
CREATE INDEX task_by_due ON public.task USING btree (tenant_id, is_bulk, due_at, id);
CREATE INDEX tenant_by_created ON public.tenant USING btree (created_at, id);
CREATE INDEX waiver_in_order ON public.waiver USING btree (tenant_id, application_id, sequence);
CREATE INDEX watch_list_entity_ended ON public.watch_list_entity USING btree (environment, list_id, to_sequence) WHERE (to_sequence IS NOT NULL);
CREATE INDEX watch_list_proposal_by_list ON public.watch_list_proposal USING btree (list_id);
CREATE UNIQUE INDEX audit_export_running ON public.audit_export USING btree (tenant_id) WHERE (status = 'running'::text);
CREATE UNIQUE INDEX decision_pending ON public.decision USING btree (tenant_id, application_id) WHERE (status = 'pending_review'::text);
CREATE UNIQUE INDEX document_content_key ON public.document USING btree (tenant_id, application_id, COALESCE(original_sha256, sha256)) WHERE (file_erased_at IS NULL);
CREATE UNIQUE INDEX information_request_open ON public.information_request USING btree (tenant_id, application_id) WHERE (status = 'open'::text);
CREATE UNIQUE INDEX invitation_open_key ON public.invitation USING btree (tenant_id, user_id) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL));
CREATE UNIQUE INDEX monitoring_subscription_standing ON public.monitoring_subscription USING btree (tenant_id, application_id) WHERE (status <> 'ended'::text);
CREATE UNIQUE INDEX own_list_version_standing ON public.own_list_version USING btree (tenant_id, environment) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX watch_list_entity_now ON public.watch_list_entity USING btree (environment, list_id, key) WHERE (to_sequence IS NULL);
CREATE UNIQUE INDEX watch_list_version_once ON public.watch_list_version USING btree (environment, list_id, version) WHERE (restores IS NULL);
CREATE OR REPLACE FUNCTION graphile_worker.add_job(identifier text, payload json DEFAULT NULL::json, queue_name text DEFAULT NULL::text, run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, max_attempts integer DEFAULT NULL::integer, job_key text DEFAULT NULL::text, priority integer DEFAULT NULL::integer, flags text[] DEFAULT NULL::text[], job_key_mode text DEFAULT 'replace'::text)
 RETURNS graphile_worker._private_jobs
 LANGUAGE plpgsql
AS $function$
declare
  v_job "graphile_worker"._private_jobs;
begin
  if (job_key is null or job_key_mode is null or job_key_mode in ('replace', 'preserve_run_at')) then
    select * into v_job
    from "graphile_worker".add_jobs(
      ARRAY[(
        identifier,
        payload,
        queue_name,
        run_at,
        max_attempts::smallint,
        job_key,
        priority::smallint,
        flags
      )::"graphile_worker".job_spec],
      (job_key_mode = 'preserve_run_at')
    )
    limit 1;
    return v_job;
  elsif job_key_mode = 'unsafe_dedupe' then
    -- Ensure all the tasks exist (insert only missing identifiers so identity is not consumed)
    insert into "graphile_worker"._private_tasks as tasks (identifier)
    select add_job.identifier
    where not exists (
      select 1
      from "graphile_worker"._private_tasks as existing
      where existing.identifier = add_job.identifier
    )
    on conflict do nothing;
    -- Ensure all the queues exist
    if add_job.queue_name is not null then
      insert into "graphile_worker"._private_job_queues as job_queues (queue_name)
      select add_job.queue_name
      where not exists (
        select 1
        from "graphile_worker"._private_job_queues as existing
        where existing.queue_name = add_job.queue_name
      )
      on conflict do nothing;
    end if;
    -- Insert job, but if one already exists then do nothing, even if the
    -- existing job has already started (and thus represents an out-of-date
    -- world state). This is dangerous because it means that whatever state
    -- change triggered this add_job may not be acted upon (since it happened
    -- after the existing job started executing, but no further job is being
    -- scheduled), but it is useful in very rare circumstances for
    -- de-duplication. If in doubt, DO NOT USE THIS.
    insert into "graphile_worker"._private_jobs as jobs (
      job_queue_id,
      task_id,
      payload,
      run_at,
      max_attempts,
      key,
      priority,
      flags
    )
      select
        job_queues.id,
        tasks.id,
        coalesce(add_job.payload, '{}'::json),
        coalesce(add_job.run_at, now()),
        coalesce(add_job.max_attempts::smallint, 25::smallint),
        add_job.job_key,
        coalesce(add_job.priority::smallint, 0::smallint),
        (
          select jsonb_object_agg(flag, true)
          from unnest(add_job.flags) as item(flag)
        )
      from "graphile_worker"._private_tasks as tasks
      left join "graphile_worker"._private_job_queues as job_queues
      on job_queues.queue_name = add_job.queue_name
      where tasks.identifier = add_job.identifier
    on conflict (key)
      -- Bump the updated_at so that there's something to return
      do update set
        revision = jobs.revision + 1,
        updated_at = now()
      returning *
      into v_job;
    if v_job.revision = 0 then
      perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":1}');
    end if;
    return v_job;
  else
    raise exception 'Invalid job_key_mode value, expected ''replace'', ''preserve_run_at'' or ''unsafe_dedupe''.' using errcode = 'GWBKM';
  end if;
end;
$function$;
CREATE OR REPLACE FUNCTION graphile_worker.add_jobs(specs graphile_worker.job_spec[], job_key_preserve_run_at boolean DEFAULT false)
 RETURNS SETOF graphile_worker._private_jobs
 LANGUAGE plpgsql
AS $function$
begin
  -- Ensure all the tasks exist (insert only missing identifiers so identity is not consumed)
  insert into "graphile_worker"._private_tasks as tasks (identifier)
  select distinct spec.identifier
  from unnest(specs) spec
  where not exists (
    select 1
    from "graphile_worker"._private_tasks as existing
    where existing.identifier = spec.identifier
  )
  on conflict do nothing;
  -- Ensure all the queues exist
  insert into "graphile_worker"._private_job_queues as job_queues (queue_name)
  select distinct spec.queue_name
  from unnest(specs) spec
  where spec.queue_name is not null
  and not exists (
    select 1
    from "graphile_worker"._private_job_queues as existing
    where existing.queue_name = spec.queue_name
  )
  on conflict do nothing;
  -- Ensure any locked jobs have their key cleared - in the case of locked
  -- existing job create a new job instead as it must have already started
  -- executing (i.e. it's world state is out of date, and the fact add_job
  -- has been called again implies there's new information that needs to be
  -- acted upon).
  update "graphile_worker"._private_jobs as jobs
  set
    key = null,
    attempts = jobs.max_attempts,
    updated_at = now()
  from unnest(specs) spec
  where spec.job_key is not null
  and jobs.key = spec.job_key
  and is_available is not true;

  -- WARNING: this count is not 100% accurate; 'on conflict' clause will cause it to be an overestimate
  perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":' || array_length(specs, 1)::text || '}');

  -- TODO: is there a risk that a conflict could occur depending on the
  -- isolation level?
  return query insert into "graphile_worker"._private_jobs as jobs (
    job_queue_id,
    task_id,
    payload,
    run_at,
    max_attempts,
    key,
    priority,
    flags
  )
    select
      job_queues.id,
      tasks.id,
      coalesce(spec.payload, '{}'::json),
      coalesce(spec.run_at, now()),
      coalesce(spec.max_attempts, 25),
      spec.job_key,
      coalesce(spec.priority, 0),
      (
        select jsonb_object_agg(flag, true)
        from unnest(spec.flags) as item(flag)
      )
    from unnest(specs) spec
    inner join "graphile_worker"._private_tasks as tasks
    on tasks.identifier = spec.identifier
    left join "graphile_worker"._private_job_queues as job_queues
    on job_queues.queue_name = spec.queue_name
  on conflict (key) do update set
    job_queue_id = excluded.job_queue_id,
    task_id = excluded.task_id,
    payload =
      case
      when json_typeof(jobs.payload) = 'array' and json_typeof(excluded.payload) = 'array' then
        (jobs.payload::jsonb || excluded.payload::jsonb)::json
      else
        excluded.payload
      end,
    max_attempts = excluded.max_attempts,
    run_at = (case
      when job_key_preserve_run_at is true and jobs.attempts = 0 then jobs.run_at
      else excluded.run_at
    end),
    priority = excluded.priority,
    revision = jobs.revision + 1,
    flags = excluded.flags,
    -- always reset error/retry state
    attempts = 0,
    last_error = null,
    updated_at = now()
  where jobs.locked_at is null
  returning *;
end;
$function$;
CREATE OR REPLACE FUNCTION graphile_worker.complete_jobs(job_ids bigint[])
 RETURNS SETOF graphile_worker._private_jobs
 LANGUAGE sql
AS $function$
  delete from "graphile_worker"._private_jobs as jobs
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < now() - interval '4 hours'
    )
    returning *;
$function$;
CREATE OR REPLACE FUNCTION graphile_worker.force_unlock_workers(worker_ids text[])
 RETURNS void
 LANGUAGE sql
AS $function$
update "graphile_worker"._private_jobs as jobs
set locked_at = null, locked_by = null
where locked_by = any(worker_ids);
update "graphile_worker"._private_job_queues as job_queues
set locked_at = null, locked_by = null
where locked_by = any(worker_ids);
$function$;
CREATE OR REPLACE FUNCTION graphile_worker.permanently_fail_jobs(job_ids bigint[], error_message text DEFAULT NULL::text)
 RETURNS SETOF graphile_worker._private_jobs
 LANGUAGE sql
AS $function$
  update "graphile_worker"._private_jobs as jobs
    set
      last_error = coalesce(error_message, 'Manually marked as failed'),
      attempts = max_attempts,
      updated_at = now()
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
    returning *;
$function$;
CREATE OR REPLACE FUNCTION graphile_worker.remove_job(job_key text)
 RETURNS graphile_worker._private_jobs
 LANGUAGE plpgsql
 STRICT
AS $function$
declare
  v_job "graphile_worker"._private_jobs;
begin
  -- Delete job if not locked
  delete from "graphile_worker"._private_jobs as jobs
    where key = job_key
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
  returning * into v_job;
  if not (v_job is null) then
    perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":-1}');
    return v_job;
  end if;
  -- Otherwise prevent job from retrying, and clear the key
  update "graphile_worker"._private_jobs as jobs
  set
    key = null,
    attempts = jobs.max_attempts,
    updated_at = now()
  where key = job_key
  returning * into v_job;
  return v_job;
end;
$function$;
CREATE OR REPLACE FUNCTION graphile_worker.reschedule_jobs(job_ids bigint[], run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, priority integer DEFAULT NULL::integer, attempts integer DEFAULT NULL::integer, max_attempts integer DEFAULT NULL::integer)
 RETURNS SETOF graphile_worker._private_jobs
 LANGUAGE sql
AS $function$
  update "graphile_worker"._private_jobs as jobs
    set
      run_at = coalesce(reschedule_jobs.run_at, jobs.run_at),
      priority = coalesce(reschedule_jobs.priority::smallint, jobs.priority),
      attempts = coalesce(reschedule_jobs.attempts::smallint, jobs.attempts),
      max_attempts = coalesce(reschedule_jobs.max_attempts::smallint, jobs.max_attempts),
      updated_at = now()
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
    returning *;
$function$;
CREATE OR REPLACE FUNCTION public.amounts_of_recovery()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    BEGIN
      NEW.root_amount := (
        SELECT CASE WHEN payment ->> 'Amount' ~ '^\d{1,12}(\.\d{1,2}|)$' THEN (payment ->> 'Amount')::numeric * 100 END
          FROM jsonb_path_query(NEW.snapshot, '$.TrackingGraph.Transactions[*]') AS payment
        WHERE payment ->> 'Id' = NEW.root_transaction_id LIMIT 1);
      SELECT coalesce(sum(CASE WHEN refund ->> 'RefundAmount' ~ '^\d{1,12}(\.\d{1,2}|)$' THEN (refund ->> 'RefundAmount')::numeric * 100 END) FILTER (WHERE refund ->> 'Status' <> 'CANCELLED'),
        0),
          coalesce(sum(CASE WHEN refund ->> 'EffectiveRefundedAmount' ~ '^\d{1,12}(\.\d{1,2}|)$' THEN (refund ->> 'EffectiveRefundedAmount')::numeric * 100 END) FILTER
            (WHERE refund ->> 'Status' = 'CLOSED'), 0)
        INTO NEW.requested_amount, NEW.refunded_amount FROM jsonb_path_query(NEW.snapshot, '$.Refunds[*]') AS refund;
      RETURN NEW;
    END $function$;
CREATE OR REPLACE FUNCTION public.announce_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    DECLARE
      changed jsonb;
    BEGIN
      IF TG_OP = 'INSERT' THEN changed := to_jsonb(NEW); ELSE changed := to_jsonb(OLD); END IF;
      PERFORM pg_notify('compliance_changes',
        concat_ws(' ', TG_ARGV[0], changed ->> TG_ARGV[1], changed ->> TG_ARGV[2]));
      RETURN NULL;
    END $function$;
CREATE OR REPLACE FUNCTION public.continue_checkpoints()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    DECLARE
      newest record;
    BEGIN
      SELECT tree_size, hash INTO newest FROM audit_checkpoint WHERE tenant_id = NEW.tenant_id ORDER BY tree_size DESC
        LIMIT 1;
      IF NEW.tree_size <= newest.tree_size OR NEW.previous_hash IS DISTINCT FROM newest.hash THEN
        RAISE EXCEPTION 'a checkpoint of % events does not continue the one of %', NEW.tree_size, newest.tree_size
          USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN NEW;
    END $function$;
CREATE OR REPLACE FUNCTION public.next_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    BEGIN
      NEW.version := OLD.version + 1;
      RETURN NEW;
    END $function$;
CREATE OR REPLACE FUNCTION public.references_of_recovery()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    BEGIN
      WITH named AS (
        SELECT DISTINCT source.kind, leaf #>> '{}' AS value
        FROM (VALUES ('transaction', '$.FundsRecovery.RootTransactionId'::jsonpath), ('transaction', '$.InfractionReports[*].TransactionId'::jsonpath), ('transaction', '$.Refunds[*].TransactionId'::jsonpath), ('transaction', '$.Refunds[*].RefundTransactionId'::jsonpath), ('transaction', '$.TrackingGraph.Transactions[*].Id'::jsonpath), ('participant', '$.FundsRecovery.ReporterParticipant'::jsonpath), ('participant', '$.InfractionReports[*].ReporterParticipant'::jsonpath), ('participant', '$.InfractionReports[*].CounterpartyParticipant'::jsonpath), ('participant', '$.Refunds[*].RequestingParticipant'::jsonpath), ('participant', '$.Refunds[*].ContestedParticipant'::jsonpath), ('tax_number', '$.Refunds[*].RefundAccount.TaxIdNumber'::jsonpath))
          AS source (kind, path),
          jsonb_path_query(NEW.snapshot, source.path) AS leaf
        WHERE jsonb_typeof(leaf) = 'string' AND length(leaf #>> '{}') BETWEEN 1 AND 64
          AND NOT (source.kind = 'participant' AND leaf #>> '{}' = NEW.ispb)
      ), gone AS (
        DELETE FROM fr_reference r
          WHERE (r.tenant_id, r.env, r.funds_recovery_id) = (NEW.tenant_id, NEW.env, NEW.funds_recovery_id)
          AND NOT EXISTS (SELECT FROM named n WHERE (n.kind, n.value) = (r.kind, r.value))
      )
      INSERT INTO fr_reference (tenant_id, env, funds_recovery_id, kind, value)
      SELECT NEW.tenant_id, NEW.env, NEW.funds_recovery_id, kind, value FROM named ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $function$;
CREATE OR REPLACE FUNCTION public.refuse_all_but_erasure()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    BEGIN
      RAISE EXCEPTION 'what came from the directory into % is erased or left as it is', TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
    END $function$;
CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    BEGIN
      RAISE EXCEPTION '% of % is refused: %', TG_OP, TG_TABLE_NAME, TG_NAME USING ERRCODE = 'insufficient_privilege';
    END $function$;
CREATE OR REPLACE FUNCTION public.refuse_early_purge_of_dict_inbox()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    BEGIN
      IF NOT coalesce((OLD.received_at < now() - interval '400 days'), false) THEN
        RAISE EXCEPTION 'live rows of dict_inbox are deleted when their time is over'
          USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN OLD;
    END $function$;
CREATE OR REPLACE FUNCTION public.refuse_early_purge_of_fr_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    BEGIN
      IF NOT coalesce((OLD.received_at < now() - interval '400 days' AND OLD.seq <= (SELECT floor_seq FROM fr_feed f WHERE f.tenant_id = OLD.tenant_id AND f.env = OLD.env)), false) THEN
        RAISE EXCEPTION 'live rows of fr_event are deleted when their time is over'
          USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN OLD;
    END $function$;
CREATE OR REPLACE FUNCTION public.refuse_early_purge_of_fr_record()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    BEGIN
      IF NOT coalesce((OLD.status IN ('COMPLETED', 'CANCELLED') AND NOT EXISTS (
  SELECT FROM fr_event e WHERE e.tenant_id = OLD.tenant_id AND e.env = OLD.env
    AND e.funds_recovery_id = OLD.funds_recovery_id)), false) THEN
        RAISE EXCEPTION 'live rows of fr_record are deleted when their time is over'
          USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN OLD;
    END $function$;
CREATE OR REPLACE FUNCTION public.refuse_early_purge_of_fr_recovery()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    BEGIN
      IF NOT coalesce((OLD.status IN ('COMPLETED', 'CANCELLED') AND NOT EXISTS (
  SELECT FROM fr_event e WHERE e.tenant_id = OLD.tenant_id AND e.env = OLD.env
    AND e.funds_recovery_id = OLD.funds_recovery_id)), false) THEN
        RAISE EXCEPTION 'live rows of fr_recovery are deleted when their time is over'
          USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN OLD;
    END $function$;
CREATE OR REPLACE FUNCTION public.refuse_evidence_deletion()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    BEGIN
      PERFORM FROM application WHERE tenant_id = OLD.tenant_id AND id = OLD.application_id AND status = 'draft';
      IF NOT FOUND THEN
        RAISE EXCEPTION 'live documents are deleted from drafts only' USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN OLD;
    END $function$;
CREATE OR REPLACE FUNCTION public.refuse_live_deletion()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    BEGIN
      RAISE EXCEPTION 'live rows of % are never deleted', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
    END $function$;
CREATE OR REPLACE FUNCTION public.refuse_own_status()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    BEGIN
      RAISE EXCEPTION 'a tenant does not change its own status' USING ERRCODE = 'insufficient_privilege';
    END $function$;
CREATE OR REPLACE FUNCTION public.refuse_rewriting()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    BEGIN
      RAISE EXCEPTION '% of % is refused: the audit log only grows', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
    END $function$;
CREATE OR REPLACE FUNCTION public.require_tenant_state(tenant_id uuid, tenant_status text, sandbox boolean, clock_offset bigint)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    BEGIN
      PERFORM FROM tenant WHERE id = tenant_id AND status = tenant_status AND sandbox_enabled = sandbox
        AND sandbox_clock_offset_seconds = clock_offset;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'the tenant is not as the call was let in by' USING ERRCODE = 'CO001';
      END IF;
    END $function$;
CREATE VIEW graphile_worker.jobs AS  SELECT jobs.id,
    job_queues.queue_name,
    tasks.identifier AS task_identifier,
    jobs.priority,
    jobs.run_at,
    jobs.attempts,
    jobs.max_attempts,
    jobs.last_error,
    jobs.created_at,
    jobs.updated_at,
    jobs.key,
    jobs.locked_at,
    jobs.locked_by,
    jobs.revision,
    jobs.flags
   FROM ((graphile_worker._private_jobs jobs
     JOIN graphile_worker._private_tasks tasks ON ((tasks.id = jobs.task_id)))
     LEFT JOIN graphile_worker._private_job_queues job_queues ON ((job_queues.id = jobs.job_queue_id)));
CREATE TRIGGER amounts BEFORE INSERT OR UPDATE OF snapshot ON public.fr_record FOR EACH ROW EXECUTE FUNCTION amounts_of_recovery();
CREATE TRIGGER announces_change AFTER UPDATE ON public.api_key FOR EACH ROW WHEN (((to_jsonb(old.*) - '{last_used_at,last_used_ip,end_recorded_at}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{last_used_at,last_used_ip,end_recorded_at}'::text[]))) EXECUTE FUNCTION announce_change('key', 'prefix');
CREATE TRIGGER announces_change AFTER UPDATE ON public.membership FOR EACH ROW WHEN (((to_jsonb(old.*) - '{last_login_at}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{last_login_at}'::text[]))) EXECUTE FUNCTION announce_change('tenant', 'tenant_id');
CREATE TRIGGER announces_change AFTER UPDATE ON public.session FOR EACH ROW WHEN (((to_jsonb(old.*) - '{last_seen_at,idle_seconds,step_up_at,password_outdated}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{last_seen_at,idle_seconds,step_up_at,password_outdated}'::text[]))) EXECUTE FUNCTION announce_change('session', 'tenant_id', 'id');
CREATE TRIGGER announces_change AFTER UPDATE ON public.tenant FOR EACH ROW WHEN (((to_jsonb(old.*) - '{}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{}'::text[]))) EXECUTE FUNCTION announce_change('tenant', 'id');
CREATE TRIGGER announces_change AFTER UPDATE ON public.tenant_settings FOR EACH ROW WHEN (((to_jsonb(old.*) - '{}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{}'::text[]))) EXECUTE FUNCTION announce_change('tenant', 'tenant_id');
CREATE TRIGGER announces_change AFTER UPDATE ON public.user_account FOR EACH ROW WHEN (((to_jsonb(old.*) - '{last_login_at,locked_until}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{last_login_at,locked_until}'::text[]))) EXECUTE FUNCTION announce_change('user', 'id');
CREATE TRIGGER announces_change AFTER UPDATE ON public.user_totp FOR EACH ROW WHEN (((to_jsonb(old.*) - '{last_step}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{last_step}'::text[]))) EXECUTE FUNCTION announce_change('user', 'user_id');
CREATE TRIGGER announces_end AFTER DELETE ON public.user_totp FOR EACH ROW EXECUTE FUNCTION announce_change('user', 'user_id');
CREATE TRIGGER announces_start AFTER INSERT ON public.tenant_settings FOR EACH ROW EXECUTE FUNCTION announce_change('tenant', 'tenant_id');
CREATE TRIGGER clock_goes_forward BEFORE UPDATE ON public.tenant FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((new.sandbox_clock_offset_seconds < old.sandbox_clock_offset_seconds) AND (new.sandbox_clock_offset_seconds <> 0)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER closed_stays BEFORE UPDATE ON public.second_review FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((((old.state <> 'pending'::text) AND (old.* IS DISTINCT FROM new.*)) OR ((old.subject_type IS DISTINCT FROM new.subject_type) OR (old.subject_id IS DISTINCT FROM new.subject_id) OR (old.maker IS DISTINCT FROM new.maker) OR (old.maker_persons IS DISTINCT FROM new.maker_persons) OR (old.digest IS DISTINCT FROM new.digest))) AND (NOT ((old.erased_at IS NULL) AND (new.erased_at IS NOT NULL) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.subject_type IS DISTINCT FROM new.subject_type) OR (old.subject_id IS DISTINCT FROM new.subject_id) OR (old.maker IS DISTINCT FROM new.maker) OR (old.maker_persons IS DISTINCT FROM new.maker_persons) OR (old.digest IS DISTINCT FROM new.digest) OR (old.state IS DISTINCT FROM new.state) OR (old.checker IS DISTINCT FROM new.checker) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.closed_at IS DISTINCT FROM new.closed_at)))))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER closed_stays BEFORE UPDATE ON public.tenant FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.status = 'closed'::text) AND (new.status <> old.status)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER completed_stays BEFORE UPDATE ON public.onboarding_step FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.completed_at IS NOT NULL) AND (old.completed_at IS DISTINCT FROM new.completed_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER confirmed_stays BEFORE UPDATE ON public.user_totp FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.confirmed_at IS NOT NULL) AND ((old.secret IS DISTINCT FROM new.secret) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.confirmed_at IS DISTINCT FROM new.confirmed_at) OR (old.expires_at IS DISTINCT FROM new.expires_at))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER continues BEFORE INSERT ON public.audit_checkpoint FOR EACH ROW EXECUTE FUNCTION continue_checkpoints();
CREATE TRIGGER deactivated_stays BEFORE UPDATE ON public.user_account FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.status = 'deactivated'::text) AND (new.status <> old.status)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER decided_stays BEFORE UPDATE ON public.application FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.status = ANY (ARRAY['approved'::text, 'rejected'::text])) AND (old.* IS DISTINCT FROM new.*) AND (NOT ((new.status = 'in_review'::text) AND (new.version = (old.version + 1)) AND (new.valid_until IS NULL) AND (NOT (new.decided_at IS DISTINCT FROM old.decided_at)))) AND (NOT ((old.erased_at IS NULL) AND (new.erased_at IS NOT NULL) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.status IS DISTINCT FROM new.status) OR (old.status_reason IS DISTINCT FROM new.status_reason) OR (old.level IS DISTINCT FROM new.level) OR (old.purpose IS DISTINCT FROM new.purpose) OR (old.channel IS DISTINCT FROM new.channel) OR (old.renews_application_id IS DISTINCT FROM new.renews_application_id) OR (old.person_unseen_at IS DISTINCT FROM new.person_unseen_at) OR (old.product_codes IS DISTINCT FROM new.product_codes) OR (old.submitted_at IS DISTINCT FROM new.submitted_at) OR (old.decided_at IS DISTINCT FROM new.decided_at) OR (old.valid_until IS DISTINCT FROM new.valid_until) OR (old.review_due_at IS DISTINCT FROM new.review_due_at) OR (old.relationship_ended_at IS DISTINCT FROM new.relationship_ended_at) OR (old.resubmission_count IS DISTINCT FROM new.resubmission_count) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at))))) AND (NOT ((old.status = 'approved'::text) AND (new.status = 'expired'::text) AND (old.valid_until IS NOT NULL) AND (new.version = (old.version + 1)) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.external_id IS DISTINCT FROM new.external_id) OR (old.status_note IS DISTINCT FROM new.status_note) OR (old.level IS DISTINCT FROM new.level) OR (old.purpose IS DISTINCT FROM new.purpose) OR (old.channel IS DISTINCT FROM new.channel) OR (old.renews_application_id IS DISTINCT FROM new.renews_application_id) OR (old.full_name IS DISTINCT FROM new.full_name) OR (old.tax_id_mac IS DISTINCT FROM new.tax_id_mac) OR (old.email_mac IS DISTINCT FROM new.email_mac) OR (old.applicant IS DISTINCT FROM new.applicant) OR (old.person_unseen_at IS DISTINCT FROM new.person_unseen_at) OR (old.product_codes IS DISTINCT FROM new.product_codes) OR (old.metadata IS DISTINCT FROM new.metadata) OR (old.submitted_at IS DISTINCT FROM new.submitted_at) OR (old.decided_at IS DISTINCT FROM new.decided_at) OR (old.expires_at IS DISTINCT FROM new.expires_at) OR (old.valid_until IS DISTINCT FROM new.valid_until) OR (old.review_due_at IS DISTINCT FROM new.review_due_at) OR (old.relationship_ended_at IS DISTINCT FROM new.relationship_ended_at) OR (old.erased_at IS DISTINCT FROM new.erased_at) OR (old.resubmission_count IS DISTINCT FROM new.resubmission_count) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at))))) AND (NOT ((NOT jsonb_exists(old.applicant, 'sealed'::text)) AND jsonb_exists(new.applicant, 'sealed'::text) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.external_id IS DISTINCT FROM new.external_id) OR (old.status IS DISTINCT FROM new.status) OR (old.status_reason IS DISTINCT FROM new.status_reason) OR (old.status_note IS DISTINCT FROM new.status_note) OR (old.level IS DISTINCT FROM new.level) OR (old.purpose IS DISTINCT FROM new.purpose) OR (old.channel IS DISTINCT FROM new.channel) OR (old.renews_application_id IS DISTINCT FROM new.renews_application_id) OR (old.full_name IS DISTINCT FROM new.full_name) OR (old.tax_id_mac IS DISTINCT FROM new.tax_id_mac) OR (old.email_mac IS DISTINCT FROM new.email_mac) OR (old.person_unseen_at IS DISTINCT FROM new.person_unseen_at) OR (old.product_codes IS DISTINCT FROM new.product_codes) OR (old.metadata IS DISTINCT FROM new.metadata) OR (old.submitted_at IS DISTINCT FROM new.submitted_at) OR (old.decided_at IS DISTINCT FROM new.decided_at) OR (old.expires_at IS DISTINCT FROM new.expires_at) OR (old.valid_until IS DISTINCT FROM new.valid_until) OR (old.review_due_at IS DISTINCT FROM new.review_due_at) OR (old.relationship_ended_at IS DISTINCT FROM new.relationship_ended_at) OR (old.erased_at IS DISTINCT FROM new.erased_at) OR (old.resubmission_count IS DISTINCT FROM new.resubmission_count) OR (old.version IS DISTINCT FROM new.version) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.updated_at IS DISTINCT FROM new.updated_at))))) AND (NOT ((old.status = 'approved'::text) AND (old.relationship_ended_at IS NULL) AND (new.relationship_ended_at IS NOT NULL) AND (new.version = (old.version + 1)) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.external_id IS DISTINCT FROM new.external_id) OR (old.status IS DISTINCT FROM new.status) OR (old.status_reason IS DISTINCT FROM new.status_reason) OR (old.level IS DISTINCT FROM new.level) OR (old.purpose IS DISTINCT FROM new.purpose) OR (old.channel IS DISTINCT FROM new.channel) OR (old.renews_application_id IS DISTINCT FROM new.renews_application_id) OR (old.full_name IS DISTINCT FROM new.full_name) OR (old.tax_id_mac IS DISTINCT FROM new.tax_id_mac) OR (old.email_mac IS DISTINCT FROM new.email_mac) OR (old.applicant IS DISTINCT FROM new.applicant) OR (old.person_unseen_at IS DISTINCT FROM new.person_unseen_at) OR (old.product_codes IS DISTINCT FROM new.product_codes) OR (old.metadata IS DISTINCT FROM new.metadata) OR (old.submitted_at IS DISTINCT FROM new.submitted_at) OR (old.decided_at IS DISTINCT FROM new.decided_at) OR (old.expires_at IS DISTINCT FROM new.expires_at) OR (old.valid_until IS DISTINCT FROM new.valid_until) OR (old.review_due_at IS DISTINCT FROM new.review_due_at) OR (old.erased_at IS DISTINCT FROM new.erased_at) OR (old.resubmission_count IS DISTINCT FROM new.resubmission_count) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at)))))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER decided_stays BEFORE UPDATE ON public.decision FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((((old.status <> 'pending_review'::text) AND (old.* IS DISTINCT FROM new.*)) OR ((old.application_id IS DISTINCT FROM new.application_id) OR (old.outcome IS DISTINCT FROM new.outcome) OR (old.reject_type IS DISTINCT FROM new.reject_type) OR (old.reason_codes IS DISTINCT FROM new.reason_codes) OR (old.note IS DISTINCT FROM new.note) OR (old.applicant_message IS DISTINCT FROM new.applicant_message) OR (old.four_eyes_reasons IS DISTINCT FROM new.four_eyes_reasons) OR (old.evidence_digest IS DISTINCT FROM new.evidence_digest) OR (old.manifest IS DISTINCT FROM new.manifest) OR (old.policy_version IS DISTINCT FROM new.policy_version) OR (old.made_by IS DISTINCT FROM new.made_by))) AND (NOT ((old.erased_at IS NULL) AND (new.erased_at IS NOT NULL) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.application_id IS DISTINCT FROM new.application_id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.sequence IS DISTINCT FROM new.sequence) OR (old.outcome IS DISTINCT FROM new.outcome) OR (old.reject_type IS DISTINCT FROM new.reject_type) OR (old.reason_codes IS DISTINCT FROM new.reason_codes) OR (old.status IS DISTINCT FROM new.status) OR (old.evidence_digest IS DISTINCT FROM new.evidence_digest) OR (old.manifest IS DISTINCT FROM new.manifest) OR (old.policy_version IS DISTINCT FROM new.policy_version) OR (old.made_by IS DISTINCT FROM new.made_by) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.effective_at IS DISTINCT FROM new.effective_at)))))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER drafts_only BEFORE DELETE ON public.document FOR EACH ROW WHEN ((old.environment = 'live'::text)) EXECUTE FUNCTION refuse_evidence_deletion();
CREATE TRIGGER end_stays BEFORE UPDATE ON public.allowlist_entry FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.status <> 'active'::text) AND (new.status = 'active'::text)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER end_stays BEFORE UPDATE ON public.api_key FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (((old.end_recorded_at IS NOT NULL) AND (old.end_recorded_at IS DISTINCT FROM new.end_recorded_at)) OR ((old.ends_at <= now()) AND (old.expires_at IS DISTINCT FROM new.expires_at))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER end_stays BEFORE UPDATE ON public.monitoring_subscription FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.status = 'ended'::text) AND (new.status <> 'ended'::text)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER end_stays BEFORE UPDATE ON public.own_list_version FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.ended_at IS NOT NULL))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ended_stays BEFORE UPDATE ON public.application FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.status = ANY (ARRAY['withdrawn'::text, 'expired'::text])) AND (old.* IS DISTINCT FROM new.*) AND (NOT ((old.erased_at IS NULL) AND (new.erased_at IS NOT NULL) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.status IS DISTINCT FROM new.status) OR (old.status_reason IS DISTINCT FROM new.status_reason) OR (old.level IS DISTINCT FROM new.level) OR (old.purpose IS DISTINCT FROM new.purpose) OR (old.channel IS DISTINCT FROM new.channel) OR (old.renews_application_id IS DISTINCT FROM new.renews_application_id) OR (old.person_unseen_at IS DISTINCT FROM new.person_unseen_at) OR (old.product_codes IS DISTINCT FROM new.product_codes) OR (old.submitted_at IS DISTINCT FROM new.submitted_at) OR (old.decided_at IS DISTINCT FROM new.decided_at) OR (old.valid_until IS DISTINCT FROM new.valid_until) OR (old.review_due_at IS DISTINCT FROM new.review_due_at) OR (old.relationship_ended_at IS DISTINCT FROM new.relationship_ended_at) OR (old.resubmission_count IS DISTINCT FROM new.resubmission_count) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at))))) AND (NOT ((NOT jsonb_exists(old.applicant, 'sealed'::text)) AND jsonb_exists(new.applicant, 'sealed'::text) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.external_id IS DISTINCT FROM new.external_id) OR (old.status IS DISTINCT FROM new.status) OR (old.status_reason IS DISTINCT FROM new.status_reason) OR (old.status_note IS DISTINCT FROM new.status_note) OR (old.level IS DISTINCT FROM new.level) OR (old.purpose IS DISTINCT FROM new.purpose) OR (old.channel IS DISTINCT FROM new.channel) OR (old.renews_application_id IS DISTINCT FROM new.renews_application_id) OR (old.full_name IS DISTINCT FROM new.full_name) OR (old.tax_id_mac IS DISTINCT FROM new.tax_id_mac) OR (old.email_mac IS DISTINCT FROM new.email_mac) OR (old.person_unseen_at IS DISTINCT FROM new.person_unseen_at) OR (old.product_codes IS DISTINCT FROM new.product_codes) OR (old.metadata IS DISTINCT FROM new.metadata) OR (old.submitted_at IS DISTINCT FROM new.submitted_at) OR (old.decided_at IS DISTINCT FROM new.decided_at) OR (old.expires_at IS DISTINCT FROM new.expires_at) OR (old.valid_until IS DISTINCT FROM new.valid_until) OR (old.review_due_at IS DISTINCT FROM new.review_due_at) OR (old.relationship_ended_at IS DISTINCT FROM new.relationship_ended_at) OR (old.erased_at IS DISTINCT FROM new.erased_at) OR (old.resubmission_count IS DISTINCT FROM new.resubmission_count) OR (old.version IS DISTINCT FROM new.version) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.updated_at IS DISTINCT FROM new.updated_at))))) AND (NOT ((old.status = 'expired'::text) AND ((old.valid_until IS NOT NULL) OR ((NOT (old.status_reason IS DISTINCT FROM 'information_overdue'::text)) AND (old.decided_at IS NOT NULL))) AND (old.relationship_ended_at IS NULL) AND (new.relationship_ended_at IS NOT NULL) AND (old.erased_at IS NULL) AND (new.version = (old.version + 1)) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.external_id IS DISTINCT FROM new.external_id) OR (old.status IS DISTINCT FROM new.status) OR (old.status_reason IS DISTINCT FROM new.status_reason) OR (old.level IS DISTINCT FROM new.level) OR (old.purpose IS DISTINCT FROM new.purpose) OR (old.channel IS DISTINCT FROM new.channel) OR (old.renews_application_id IS DISTINCT FROM new.renews_application_id) OR (old.full_name IS DISTINCT FROM new.full_name) OR (old.tax_id_mac IS DISTINCT FROM new.tax_id_mac) OR (old.email_mac IS DISTINCT FROM new.email_mac) OR (old.applicant IS DISTINCT FROM new.applicant) OR (old.person_unseen_at IS DISTINCT FROM new.person_unseen_at) OR (old.product_codes IS DISTINCT FROM new.product_codes) OR (old.metadata IS DISTINCT FROM new.metadata) OR (old.submitted_at IS DISTINCT FROM new.submitted_at) OR (old.decided_at IS DISTINCT FROM new.decided_at) OR (old.expires_at IS DISTINCT FROM new.expires_at) OR (old.valid_until IS DISTINCT FROM new.valid_until) OR (old.review_due_at IS DISTINCT FROM new.review_due_at) OR (old.erased_at IS DISTINCT FROM new.erased_at) OR (old.resubmission_count IS DISTINCT FROM new.resubmission_count) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at)))))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ended_stays BEFORE UPDATE ON public.audit_export FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (((old.status <> 'running'::text) AND (old.* IS DISTINCT FROM new.*)) OR ((old.format IS DISTINCT FROM new.format) OR (old.include_proofs IS DISTINCT FROM new.include_proofs) OR (old.filter IS DISTINCT FROM new.filter) OR (old.environments IS DISTINCT FROM new.environments) OR (old.first_sequence IS DISTINCT FROM new.first_sequence))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ended_stays BEFORE UPDATE ON public.information_request FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((((old.status <> 'open'::text) AND (old.* IS DISTINCT FROM new.*)) OR ((old.application_id IS DISTINCT FROM new.application_id) OR (old.items IS DISTINCT FROM new.items) OR (old.internal_note IS DISTINCT FROM new.internal_note) OR (old.due_at IS DISTINCT FROM new.due_at) OR (old.created_by IS DISTINCT FROM new.created_by))) AND (NOT ((old.erased_at IS NULL) AND (new.erased_at IS NOT NULL) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.application_id IS DISTINCT FROM new.application_id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.sequence IS DISTINCT FROM new.sequence) OR (old.status IS DISTINCT FROM new.status) OR (old.due_at IS DISTINCT FROM new.due_at) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.answered_at IS DISTINCT FROM new.answered_at) OR (old.provided IS DISTINCT FROM new.provided)))))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ended_stays BEFORE UPDATE ON public.invitation FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (((old.accepted_at IS NOT NULL) OR (old.revoked_at IS NOT NULL)) AND (old.* IS DISTINCT FROM new.*)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ended_stays BEFORE UPDATE ON public.mail_message FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.sealed IS NULL) AND (old.* IS DISTINCT FROM new.*)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ended_stays BEFORE UPDATE ON public.session FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.ended_at IS NOT NULL) AND ((old.ended_at IS DISTINCT FROM new.ended_at) OR (old.ended_reason IS DISTINCT FROM new.ended_reason))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER erased_stays BEFORE UPDATE ON public.application FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.erased_at IS NOT NULL) AND (old.* IS DISTINCT FROM new.*) AND (NOT ((old.status = 'approved'::text) AND (new.status = 'expired'::text) AND (old.valid_until IS NOT NULL) AND (new.version = (old.version + 1)) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.external_id IS DISTINCT FROM new.external_id) OR (old.status_note IS DISTINCT FROM new.status_note) OR (old.level IS DISTINCT FROM new.level) OR (old.purpose IS DISTINCT FROM new.purpose) OR (old.channel IS DISTINCT FROM new.channel) OR (old.renews_application_id IS DISTINCT FROM new.renews_application_id) OR (old.full_name IS DISTINCT FROM new.full_name) OR (old.tax_id_mac IS DISTINCT FROM new.tax_id_mac) OR (old.email_mac IS DISTINCT FROM new.email_mac) OR (old.applicant IS DISTINCT FROM new.applicant) OR (old.person_unseen_at IS DISTINCT FROM new.person_unseen_at) OR (old.product_codes IS DISTINCT FROM new.product_codes) OR (old.metadata IS DISTINCT FROM new.metadata) OR (old.submitted_at IS DISTINCT FROM new.submitted_at) OR (old.decided_at IS DISTINCT FROM new.decided_at) OR (old.expires_at IS DISTINCT FROM new.expires_at) OR (old.valid_until IS DISTINCT FROM new.valid_until) OR (old.review_due_at IS DISTINCT FROM new.review_due_at) OR (old.relationship_ended_at IS DISTINCT FROM new.relationship_ended_at) OR (old.erased_at IS DISTINCT FROM new.erased_at) OR (old.resubmission_count IS DISTINCT FROM new.resubmission_count) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at))))) AND (NOT ((NOT jsonb_exists(old.applicant, 'sealed'::text)) AND jsonb_exists(new.applicant, 'sealed'::text) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.external_id IS DISTINCT FROM new.external_id) OR (old.status IS DISTINCT FROM new.status) OR (old.status_reason IS DISTINCT FROM new.status_reason) OR (old.status_note IS DISTINCT FROM new.status_note) OR (old.level IS DISTINCT FROM new.level) OR (old.purpose IS DISTINCT FROM new.purpose) OR (old.channel IS DISTINCT FROM new.channel) OR (old.renews_application_id IS DISTINCT FROM new.renews_application_id) OR (old.full_name IS DISTINCT FROM new.full_name) OR (old.tax_id_mac IS DISTINCT FROM new.tax_id_mac) OR (old.email_mac IS DISTINCT FROM new.email_mac) OR (old.person_unseen_at IS DISTINCT FROM new.person_unseen_at) OR (old.product_codes IS DISTINCT FROM new.product_codes) OR (old.metadata IS DISTINCT FROM new.metadata) OR (old.submitted_at IS DISTINCT FROM new.submitted_at) OR (old.decided_at IS DISTINCT FROM new.decided_at) OR (old.expires_at IS DISTINCT FROM new.expires_at) OR (old.valid_until IS DISTINCT FROM new.valid_until) OR (old.review_due_at IS DISTINCT FROM new.review_due_at) OR (old.relationship_ended_at IS DISTINCT FROM new.relationship_ended_at) OR (old.erased_at IS DISTINCT FROM new.erased_at) OR (old.resubmission_count IS DISTINCT FROM new.resubmission_count) OR (old.version IS DISTINCT FROM new.version) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.updated_at IS DISTINCT FROM new.updated_at)))))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER erased_stays BEFORE UPDATE ON public.consent FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.erased_at IS NOT NULL) AND (old.* IS DISTINCT FROM new.*)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER erased_stays BEFORE UPDATE ON public.decision FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.erased_at IS NOT NULL) AND (old.* IS DISTINCT FROM new.*)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER erased_stays BEFORE UPDATE ON public.document FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.erased_at IS NOT NULL) AND (old.* IS DISTINCT FROM new.*) AND (NOT ((old.sealed_at IS NULL) AND (new.sealed_at IS NOT NULL) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.application_id IS DISTINCT FROM new.application_id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.type IS DISTINCT FROM new.type) OR (old.side IS DISTINCT FROM new.side) OR (old.country IS DISTINCT FROM new.country) OR (old.expires_on IS DISTINCT FROM new.expires_on) OR (old.file_name IS DISTINCT FROM new.file_name) OR (old.mime_type IS DISTINCT FROM new.mime_type) OR (old.size_bytes IS DISTINCT FROM new.size_bytes) OR (old.sha256 IS DISTINCT FROM new.sha256) OR (old.original_sha256 IS DISTINCT FROM new.original_sha256) OR (old.page_count IS DISTINCT FROM new.page_count) OR (old.status IS DISTINCT FROM new.status) OR (old.rejection_code IS DISTINCT FROM new.rejection_code) OR (old.signals IS DISTINCT FROM new.signals) OR (old.answers IS DISTINCT FROM new.answers) OR (old.storage_key IS DISTINCT FROM new.storage_key) OR (old.file_erased_at IS DISTINCT FROM new.file_erased_at) OR (old.erased_at IS DISTINCT FROM new.erased_at) OR (old.version IS DISTINCT FROM new.version) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.updated_at IS DISTINCT FROM new.updated_at))))) AND (NOT ((old.status = ANY (ARRAY['uploaded'::text, 'accepted'::text])) AND (new.status = 'rejected'::text) AND (new.rejection_code IS NOT NULL) AND (new.version = (old.version + 1)) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.application_id IS DISTINCT FROM new.application_id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.type IS DISTINCT FROM new.type) OR (old.side IS DISTINCT FROM new.side) OR (old.country IS DISTINCT FROM new.country) OR (old.expires_on IS DISTINCT FROM new.expires_on) OR (old.file_name IS DISTINCT FROM new.file_name) OR (old.mime_type IS DISTINCT FROM new.mime_type) OR (old.size_bytes IS DISTINCT FROM new.size_bytes) OR (old.sha256 IS DISTINCT FROM new.sha256) OR (old.original_sha256 IS DISTINCT FROM new.original_sha256) OR (old.page_count IS DISTINCT FROM new.page_count) OR (old.signals IS DISTINCT FROM new.signals) OR (old.answers IS DISTINCT FROM new.answers) OR (old.storage_key IS DISTINCT FROM new.storage_key) OR (old.sealed_at IS DISTINCT FROM new.sealed_at) OR (old.file_erased_at IS DISTINCT FROM new.file_erased_at) OR (old.erased_at IS DISTINCT FROM new.erased_at) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at))))) AND (NOT ((old.file_erased_at IS NULL) AND (new.file_erased_at IS NOT NULL) AND (old.type = ANY (ARRAY['selfie'::text, 'selfie_video'::text])) AND (new.version = (old.version + 1)) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.application_id IS DISTINCT FROM new.application_id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.type IS DISTINCT FROM new.type) OR (old.side IS DISTINCT FROM new.side) OR (old.country IS DISTINCT FROM new.country) OR (old.expires_on IS DISTINCT FROM new.expires_on) OR (old.file_name IS DISTINCT FROM new.file_name) OR (old.mime_type IS DISTINCT FROM new.mime_type) OR (old.size_bytes IS DISTINCT FROM new.size_bytes) OR (old.sha256 IS DISTINCT FROM new.sha256) OR (old.original_sha256 IS DISTINCT FROM new.original_sha256) OR (old.page_count IS DISTINCT FROM new.page_count) OR (old.status IS DISTINCT FROM new.status) OR (old.rejection_code IS DISTINCT FROM new.rejection_code) OR (old.signals IS DISTINCT FROM new.signals) OR (old.answers IS DISTINCT FROM new.answers) OR (old.storage_key IS DISTINCT FROM new.storage_key) OR (old.sealed_at IS DISTINCT FROM new.sealed_at) OR (old.erased_at IS DISTINCT FROM new.erased_at) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at)))))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER erased_stays BEFORE UPDATE ON public.fr_record FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.erased_at IS NOT NULL) AND (old.erased_at IS DISTINCT FROM new.erased_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER erased_stays BEFORE UPDATE ON public.information_request FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.erased_at IS NOT NULL) AND (old.* IS DISTINCT FROM new.*)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER erased_stays BEFORE UPDATE ON public.second_review FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.erased_at IS NOT NULL) AND (old.* IS DISTINCT FROM new.*)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER erasure_only BEFORE UPDATE OF raw_payload ON public.fr_event FOR EACH ROW WHEN ((new.raw_payload IS NOT NULL)) EXECUTE FUNCTION refuse_all_but_erasure();
CREATE TRIGGER erasure_only BEFORE UPDATE OF xml ON public.dict_inbox FOR EACH ROW WHEN ((new.xml IS NOT NULL)) EXECUTE FUNCTION refuse_all_but_erasure();
CREATE TRIGGER expiry_stays BEFORE UPDATE ON public.password_reset FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.expires_at IS DISTINCT FROM new.expires_at))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER expiry_stays BEFORE UPDATE ON public.refresh_token FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.expires_at IS DISTINCT FROM new.expires_at))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER file_stays_erased BEFORE UPDATE ON public.document FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.file_erased_at IS NOT NULL) AND (new.file_erased_at IS DISTINCT FROM old.file_erased_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER goes_forward BEFORE UPDATE ON public.fr_consumer FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (ROW(new.generation, new.acked_seq) < ROW(old.generation, old.acked_seq)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER goes_forward BEFORE UPDATE ON public.fr_feed FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((new.generation < old.generation) OR ((new.generation = old.generation) AND ((new.last_seq < old.last_seq) OR (new.floor_seq < old.floor_seq)))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.allowlist_entry FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.created_by IS DISTINCT FROM new.created_by)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.api_key FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.prefix IS DISTINCT FROM new.prefix) OR (old.environment IS DISTINCT FROM new.environment) OR (old.secret_mac IS DISTINCT FROM new.secret_mac) OR (old.pepper_version IS DISTINCT FROM new.pepper_version) OR (old.client_id IS DISTINCT FROM new.client_id) OR (old.quota_client_id IS DISTINCT FROM new.quota_client_id) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.api_key_site FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.key_id IS DISTINCT FROM new.key_id) OR (old.site IS DISTINCT FROM new.site) OR (old.first_seen_at IS DISTINCT FROM new.first_seen_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.api_key_usage FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.key_id IS DISTINCT FROM new.key_id) OR (old.hour IS DISTINCT FROM new.hour)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.application FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.attestation FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.audit_checkpoint FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.tree_size IS DISTINCT FROM new.tree_size)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.audit_event FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.sequence IS DISTINCT FROM new.sequence) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.audit_export FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.created_by IS DISTINCT FROM new.created_by)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.audit_head FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.tenant_id IS DISTINCT FROM new.tenant_id))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.audit_node FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.level IS DISTINCT FROM new.level) OR (old.index IS DISTINCT FROM new.index)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.consent FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.created_by IS DISTINCT FROM new.created_by)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.decision FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.deleted_document FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.demo FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.one IS DISTINCT FROM new.one))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.dict_inbox FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.env IS DISTINCT FROM new.env) OR (old.ispb IS DISTINCT FROM new.ispb) OR (old.id IS DISTINCT FROM new.id) OR (old.received_at IS DISTINCT FROM new.received_at) OR (old.sha256 IS DISTINCT FROM new.sha256)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.dict_sim_command FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.env IS DISTINCT FROM new.env) OR (old.seq IS DISTINCT FROM new.seq)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.dict_sim_fault FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.env IS DISTINCT FROM new.env) OR (old.kind IS DISTINCT FROM new.kind)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.dict_stream FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.env IS DISTINCT FROM new.env) OR (old.ispb IS DISTINCT FROM new.ispb) OR (old.incarnation IS DISTINCT FROM new.incarnation)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.dict_unread FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.env IS DISTINCT FROM new.env) OR (old.ispb IS DISTINCT FROM new.ispb) OR (old.funds_recovery_id IS DISTINCT FROM new.funds_recovery_id)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.document FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.sha256 IS DISTINCT FROM new.sha256) OR (old.storage_key IS DISTINCT FROM new.storage_key) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.fr_consumer FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.env IS DISTINCT FROM new.env) OR (old.consumer_id IS DISTINCT FROM new.consumer_id)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.fr_event FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.env IS DISTINCT FROM new.env) OR (old.seq IS DISTINCT FROM new.seq) OR (old.event_id IS DISTINCT FROM new.event_id) OR (old.received_at IS DISTINCT FROM new.received_at) OR (old.dedupe_key IS DISTINCT FROM new.dedupe_key)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.fr_feed FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.env IS DISTINCT FROM new.env)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.fr_record FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.env IS DISTINCT FROM new.env) OR (old.funds_recovery_id IS DISTINCT FROM new.funds_recovery_id) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.fr_recovery FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.env IS DISTINCT FROM new.env) OR (old.funds_recovery_id IS DISTINCT FROM new.funds_recovery_id)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.fr_reference FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.env IS DISTINCT FROM new.env) OR (old.funds_recovery_id IS DISTINCT FROM new.funds_recovery_id) OR (old.kind IS DISTINCT FROM new.kind) OR (old.value IS DISTINCT FROM new.value)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.hit_decision FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.idempotency_record FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.principal IS DISTINCT FROM new.principal) OR (old.method IS DISTINCT FROM new.method) OR (old.path IS DISTINCT FROM new.path) OR (old.key_hash IS DISTINCT FROM new.key_hash) OR (old.fingerprint IS DISTINCT FROM new.fingerprint) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.information_request FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.invitation FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.user_id IS DISTINCT FROM new.user_id) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.job_success FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.name IS DISTINCT FROM new.name))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.known_place FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.account IS DISTINCT FROM new.account) OR (old.place IS DISTINCT FROM new.place)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.login_throttle FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.key IS DISTINCT FROM new.key))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.mail_message FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.id IS DISTINCT FROM new.id) OR (old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.recipient_mac IS DISTINCT FROM new.recipient_mac) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.mail_quota FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.key IS DISTINCT FROM new.key))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.membership FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.user_id IS DISTINCT FROM new.user_id) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.monitored_list_set FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.environment IS DISTINCT FROM new.environment)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.monitoring_alert FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.dedupe_key IS DISTINCT FROM new.dedupe_key) OR (old.first_seen_at IS DISTINCT FROM new.first_seen_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.monitoring_algorithm FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.environment IS DISTINCT FROM new.environment)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.monitoring_run FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.monitoring_subscription FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.created_by IS DISTINCT FROM new.created_by)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.onboarding_step FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.step_key IS DISTINCT FROM new.step_key)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.own_list_part FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.version_id IS DISTINCT FROM new.version_id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.part IS DISTINCT FROM new.part)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.own_list_version FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.sha256 IS DISTINCT FROM new.sha256)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.password_history FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.user_id IS DISTINCT FROM new.user_id) OR (old.password_hash IS DISTINCT FROM new.password_hash)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.password_reset FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.user_id IS DISTINCT FROM new.user_id) OR (old.hash IS DISTINCT FROM new.hash) OR (old.requested_at IS DISTINCT FROM new.requested_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.recovery_code FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.user_id IS DISTINCT FROM new.user_id) OR (old.hash IS DISTINCT FROM new.hash)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.refresh_token FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.hash IS DISTINCT FROM new.hash) OR (old.issued_at IS DISTINCT FROM new.issued_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.screening FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.created_by IS DISTINCT FROM new.created_by)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.screening_hit FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.second_review FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.session FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.user_id IS DISTINCT FROM new.user_id) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.absolute_expires_at IS DISTINCT FROM new.absolute_expires_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.simulated_entry FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.subject_key FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.subject_type IS DISTINCT FROM new.subject_type) OR (old.subject_id IS DISTINCT FROM new.subject_id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.task FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.tenant FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.id IS DISTINCT FROM new.id) OR (old.slug IS DISTINCT FROM new.slug) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.tenant_settings FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.tenant_id IS DISTINCT FROM new.tenant_id))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.user_account FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.id IS DISTINCT FROM new.id) OR (old.email_normalised IS DISTINCT FROM new.email_normalised) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.user_totp FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.user_id IS DISTINCT FROM new.user_id))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.waiver FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.watch_list_entity FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.environment IS DISTINCT FROM new.environment) OR (old.list_id IS DISTINCT FROM new.list_id) OR (old.key IS DISTINCT FROM new.key) OR (old.from_sequence IS DISTINCT FROM new.from_sequence)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.watch_list_file FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.environment IS DISTINCT FROM new.environment) OR (old.list_id IS DISTINCT FROM new.list_id) OR (old.sequence IS DISTINCT FROM new.sequence) OR (old.role IS DISTINCT FROM new.role) OR (old.part IS DISTINCT FROM new.part)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.watch_list_proposal FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.id IS DISTINCT FROM new.id) OR (old.sha256 IS DISTINCT FROM new.sha256)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER identity_stays BEFORE UPDATE ON public.watch_list_version FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.environment IS DISTINCT FROM new.environment) OR (old.list_id IS DISTINCT FROM new.list_id) OR (old.sequence IS DISTINCT FROM new.sequence) OR (old.sha256 IS DISTINCT FROM new.sha256)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER key_stays BEFORE UPDATE ON public.subject_key FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.* IS DISTINCT FROM new.*) AND (NOT ((old.wrapped IS NOT NULL) AND (new.wrapped IS NULL) AND (new.destroyed_at IS NOT NULL)))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER live_goes_on BEFORE UPDATE ON public.fr_feed FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.env = 'live'::text) AND (new.generation <> old.generation) AND ((new.last_seq <> old.last_seq) OR (new.floor_seq <> old.floor_seq))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER live_stays BEFORE UPDATE ON public.document FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.environment = 'live'::text) AND (old.* IS DISTINCT FROM new.*) AND (NOT ((old.status = ANY (ARRAY['uploaded'::text, 'accepted'::text])) AND (new.status = 'superseded'::text) AND (new.version = (old.version + 1)) AND (NOT ((old.type IS DISTINCT FROM new.type) OR (old.side IS DISTINCT FROM new.side) OR (old.country IS DISTINCT FROM new.country) OR (old.expires_on IS DISTINCT FROM new.expires_on) OR (old.file_name IS DISTINCT FROM new.file_name) OR (old.mime_type IS DISTINCT FROM new.mime_type) OR (old.size_bytes IS DISTINCT FROM new.size_bytes) OR (old.sha256 IS DISTINCT FROM new.sha256) OR (old.page_count IS DISTINCT FROM new.page_count) OR (old.rejection_code IS DISTINCT FROM new.rejection_code) OR (old.signals IS DISTINCT FROM new.signals) OR (old.storage_key IS DISTINCT FROM new.storage_key) OR (old.created_by IS DISTINCT FROM new.created_by))))) AND (NOT ((old.erased_at IS NULL) AND (new.erased_at IS NOT NULL) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.application_id IS DISTINCT FROM new.application_id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.type IS DISTINCT FROM new.type) OR (old.side IS DISTINCT FROM new.side) OR (old.mime_type IS DISTINCT FROM new.mime_type) OR (old.size_bytes IS DISTINCT FROM new.size_bytes) OR (old.sha256 IS DISTINCT FROM new.sha256) OR (old.original_sha256 IS DISTINCT FROM new.original_sha256) OR (old.page_count IS DISTINCT FROM new.page_count) OR (old.rejection_code IS DISTINCT FROM new.rejection_code) OR (old.answers IS DISTINCT FROM new.answers) OR (old.storage_key IS DISTINCT FROM new.storage_key) OR (old.sealed_at IS DISTINCT FROM new.sealed_at) OR (old.file_erased_at IS DISTINCT FROM new.file_erased_at) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at))))) AND (NOT ((old.sealed_at IS NULL) AND (new.sealed_at IS NOT NULL) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.application_id IS DISTINCT FROM new.application_id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.type IS DISTINCT FROM new.type) OR (old.side IS DISTINCT FROM new.side) OR (old.country IS DISTINCT FROM new.country) OR (old.expires_on IS DISTINCT FROM new.expires_on) OR (old.file_name IS DISTINCT FROM new.file_name) OR (old.mime_type IS DISTINCT FROM new.mime_type) OR (old.size_bytes IS DISTINCT FROM new.size_bytes) OR (old.sha256 IS DISTINCT FROM new.sha256) OR (old.original_sha256 IS DISTINCT FROM new.original_sha256) OR (old.page_count IS DISTINCT FROM new.page_count) OR (old.status IS DISTINCT FROM new.status) OR (old.rejection_code IS DISTINCT FROM new.rejection_code) OR (old.signals IS DISTINCT FROM new.signals) OR (old.answers IS DISTINCT FROM new.answers) OR (old.storage_key IS DISTINCT FROM new.storage_key) OR (old.file_erased_at IS DISTINCT FROM new.file_erased_at) OR (old.erased_at IS DISTINCT FROM new.erased_at) OR (old.version IS DISTINCT FROM new.version) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.updated_at IS DISTINCT FROM new.updated_at))))) AND (NOT ((old.status = ANY (ARRAY['uploaded'::text, 'accepted'::text])) AND (new.status = 'rejected'::text) AND (new.rejection_code IS NOT NULL) AND (new.version = (old.version + 1)) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.application_id IS DISTINCT FROM new.application_id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.type IS DISTINCT FROM new.type) OR (old.side IS DISTINCT FROM new.side) OR (old.country IS DISTINCT FROM new.country) OR (old.expires_on IS DISTINCT FROM new.expires_on) OR (old.file_name IS DISTINCT FROM new.file_name) OR (old.mime_type IS DISTINCT FROM new.mime_type) OR (old.size_bytes IS DISTINCT FROM new.size_bytes) OR (old.sha256 IS DISTINCT FROM new.sha256) OR (old.original_sha256 IS DISTINCT FROM new.original_sha256) OR (old.page_count IS DISTINCT FROM new.page_count) OR (old.signals IS DISTINCT FROM new.signals) OR (old.answers IS DISTINCT FROM new.answers) OR (old.storage_key IS DISTINCT FROM new.storage_key) OR (old.sealed_at IS DISTINCT FROM new.sealed_at) OR (old.file_erased_at IS DISTINCT FROM new.file_erased_at) OR (old.erased_at IS DISTINCT FROM new.erased_at) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at))))) AND (NOT ((old.file_erased_at IS NULL) AND (new.file_erased_at IS NOT NULL) AND (old.type = ANY (ARRAY['selfie'::text, 'selfie_video'::text])) AND (new.version = (old.version + 1)) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.application_id IS DISTINCT FROM new.application_id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.type IS DISTINCT FROM new.type) OR (old.side IS DISTINCT FROM new.side) OR (old.country IS DISTINCT FROM new.country) OR (old.expires_on IS DISTINCT FROM new.expires_on) OR (old.file_name IS DISTINCT FROM new.file_name) OR (old.mime_type IS DISTINCT FROM new.mime_type) OR (old.size_bytes IS DISTINCT FROM new.size_bytes) OR (old.sha256 IS DISTINCT FROM new.sha256) OR (old.original_sha256 IS DISTINCT FROM new.original_sha256) OR (old.page_count IS DISTINCT FROM new.page_count) OR (old.status IS DISTINCT FROM new.status) OR (old.rejection_code IS DISTINCT FROM new.rejection_code) OR (old.signals IS DISTINCT FROM new.signals) OR (old.answers IS DISTINCT FROM new.answers) OR (old.storage_key IS DISTINCT FROM new.storage_key) OR (old.sealed_at IS DISTINCT FROM new.sealed_at) OR (old.erased_at IS DISTINCT FROM new.erased_at) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at)))))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER live_stays BEFORE UPDATE ON public.tenant FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.go_live_at IS NOT NULL) AND ((old.go_live_at IS DISTINCT FROM new.go_live_at) OR (new.status = 'onboarding'::text))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER named AFTER INSERT OR UPDATE OF snapshot ON public.fr_record FOR EACH ROW EXECUTE FUNCTION references_of_recovery();
CREATE TRIGGER next_version BEFORE UPDATE ON public.tenant FOR EACH ROW WHEN (((old.name IS DISTINCT FROM new.name) OR (old.plan IS DISTINCT FROM new.plan) OR (old.quotas IS DISTINCT FROM new.quotas) OR (old.status IS DISTINCT FROM new.status) OR (old.status_changed_at IS DISTINCT FROM new.status_changed_at) OR (old.closure_requested_at IS DISTINCT FROM new.closure_requested_at) OR (old.go_live_at IS DISTINCT FROM new.go_live_at))) EXECUTE FUNCTION next_version();
CREATE TRIGGER one_step_forward BEFORE UPDATE ON public.audit_head FOR EACH ROW WHEN (((new.tenant_id <> old.tenant_id) OR (new.sequence <> (old.sequence + 1)) OR (new.prev_hash <> old.hash))) EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER only_goes_live BEFORE UPDATE OF status ON public.tenant FOR EACH ROW WHEN (((CURRENT_USER = 'compliance_app'::name) AND (new.status <> old.status) AND (NOT ((old.status = 'onboarding'::text) AND (new.status = 'active'::text))))) EXECUTE FUNCTION refuse_own_status();
CREATE TRIGGER only_grows BEFORE DELETE OR TRUNCATE ON public.audit_head FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER only_grows BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_checkpoint FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER only_grows BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER only_grows BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_node FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER order_stays BEFORE UPDATE ON public.attestation FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (new.sequence <> old.sequence))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER order_stays BEFORE UPDATE ON public.consent FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (new.sequence <> old.sequence))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER order_stays BEFORE UPDATE ON public.decision FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (new.sequence <> old.sequence))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER order_stays BEFORE UPDATE ON public.hit_decision FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.state <> 'proposed'::text) AND (new.sequence <> old.sequence)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER order_stays BEFORE UPDATE ON public.information_request FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (new.sequence <> old.sequence))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER order_stays BEFORE UPDATE ON public.waiver FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (new.sequence <> old.sequence))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER recorded_stays BEFORE UPDATE ON public.allowlist_entry FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.subject_mac IS DISTINCT FROM new.subject_mac) OR (old.list_id IS DISTINCT FROM new.list_id) OR (old.entity_mac IS DISTINCT FROM new.entity_mac) OR (old.entity_hash IS DISTINCT FROM new.entity_hash) OR (old.entity_key IS DISTINCT FROM new.entity_key) OR (old.application_id IS DISTINCT FROM new.application_id) OR (old.subject_id IS DISTINCT FROM new.subject_id) OR (old.screening_id IS DISTINCT FROM new.screening_id) OR (old.hit_id IS DISTINCT FROM new.hit_id) OR (old.decision_id IS DISTINCT FROM new.decision_id) OR (old.compared_hash IS DISTINCT FROM new.compared_hash) OR (old.reason_code IS DISTINCT FROM new.reason_code) OR (old.expires_at IS DISTINCT FROM new.expires_at) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.created_by IS DISTINCT FROM new.created_by)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER recorded_stays BEFORE UPDATE ON public.attestation FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.* IS DISTINCT FROM new.*) AND (NOT ((old.erased_at IS NULL) AND (new.erased_at IS NOT NULL) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.application_id IS DISTINCT FROM new.application_id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.sequence IS DISTINCT FROM new.sequence) OR (old.requirement_key IS DISTINCT FROM new.requirement_key) OR (old.outcome IS DISTINCT FROM new.outcome) OR (old.looked_up_at IS DISTINCT FROM new.looked_up_at) OR (old.evidence_document_id IS DISTINCT FROM new.evidence_document_id) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at)))))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER recorded_stays BEFORE UPDATE ON public.consent FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.* IS DISTINCT FROM new.*) AND (NOT ((old.erased_at IS NULL) AND (new.erased_at IS NOT NULL) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.application_id IS DISTINCT FROM new.application_id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.sequence IS DISTINCT FROM new.sequence) OR (old.action IS DISTINCT FROM new.action) OR (old.purpose IS DISTINCT FROM new.purpose) OR (old.legal_basis IS DISTINCT FROM new.legal_basis) OR (old.text_version IS DISTINCT FROM new.text_version) OR (old.text_sha256 IS DISTINCT FROM new.text_sha256) OR (old.locale IS DISTINCT FROM new.locale) OR (old.channel IS DISTINCT FROM new.channel) OR (old.captured_at IS DISTINCT FROM new.captured_at) OR (old.evidence_document_id IS DISTINCT FROM new.evidence_document_id) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.created_by IS DISTINCT FROM new.created_by)))))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER recorded_stays BEFORE UPDATE ON public.deleted_document FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.* IS DISTINCT FROM new.*))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER recorded_stays BEFORE UPDATE ON public.hit_decision FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.screening_id IS DISTINCT FROM new.screening_id) OR (old.hit_id IS DISTINCT FROM new.hit_id) OR (old.subject_id IS DISTINCT FROM new.subject_id) OR (old.list_id IS DISTINCT FROM new.list_id) OR (old.list_sequence IS DISTINCT FROM new.list_sequence) OR (old.entity_mac IS DISTINCT FROM new.entity_mac) OR (old.entity_hash IS DISTINCT FROM new.entity_hash) OR (old.subject_hash IS DISTINCT FROM new.subject_hash) OR (old.status IS DISTINCT FROM new.status) OR (old.holds_below IS DISTINCT FROM new.holds_below) OR (old.reason_code IS DISTINCT FROM new.reason_code) OR (old.note IS DISTINCT FROM new.note) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER recorded_stays BEFORE UPDATE ON public.monitoring_alert FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.subscription_id IS DISTINCT FROM new.subscription_id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.application_id IS DISTINCT FROM new.application_id) OR (old.kind IS DISTINCT FROM new.kind) OR (old.dedupe_key IS DISTINCT FROM new.dedupe_key) OR (old.first_seen_at IS DISTINCT FROM new.first_seen_at) OR (old.list_id IS DISTINCT FROM new.list_id) OR (old.entity_mac IS DISTINCT FROM new.entity_mac) OR (old.entity_hash IS DISTINCT FROM new.entity_hash) OR (old.document_id IS DISTINCT FROM new.document_id) OR (old.due_on IS DISTINCT FROM new.due_on)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER recorded_stays BEFORE UPDATE ON public.monitoring_run FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.subscription_id IS DISTINCT FROM new.subscription_id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.at IS DISTINCT FROM new.at) OR (old.trigger IS DISTINCT FROM new.trigger) OR (old.result IS DISTINCT FROM new.result) OR (old.screening_id IS DISTINCT FROM new.screening_id) OR (old.new_alerts IS DISTINCT FROM new.new_alerts)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER recorded_stays BEFORE UPDATE ON public.monitoring_subscription FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.application_id IS DISTINCT FROM new.application_id) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.created_by IS DISTINCT FROM new.created_by)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER recorded_stays BEFORE UPDATE ON public.own_list_version FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.sequence IS DISTINCT FROM new.sequence) OR (old.version IS DISTINCT FROM new.version) OR (old.sha256 IS DISTINCT FROM new.sha256) OR (old.entry_count IS DISTINCT FROM new.entry_count) OR (old.added IS DISTINCT FROM new.added) OR (old.changed IS DISTINCT FROM new.changed) OR (old.match_changed IS DISTINCT FROM new.match_changed) OR (old.removed IS DISTINCT FROM new.removed) OR (old.ingested_at IS DISTINCT FROM new.ingested_at) OR (old.ingested_by IS DISTINCT FROM new.ingested_by)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER recorded_stays BEFORE UPDATE ON public.screening FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.sequence IS DISTINCT FROM new.sequence) OR (old.application_id IS DISTINCT FROM new.application_id) OR (old.subject_id IS DISTINCT FROM new.subject_id) OR (old.previous_screening_id IS DISTINCT FROM new.previous_screening_id) OR (old.diff IS DISTINCT FROM new.diff) OR (old.subject IS DISTINCT FROM new.subject) OR (old.comparable IS DISTINCT FROM new.comparable) OR (old.criteria IS DISTINCT FROM new.criteria) OR (old.profile_version IS DISTINCT FROM new.profile_version) OR (old.lines IS DISTINCT FROM new.lines) OR (old.lists IS DISTINCT FROM new.lists) OR (old.stale_lists IS DISTINCT FROM new.stale_lists) OR (old.hit_count IS DISTINCT FROM new.hit_count) OR (old.truncated IS DISTINCT FROM new.truncated) OR (old.algorithm_version IS DISTINCT FROM new.algorithm_version) OR (old.duration_ms IS DISTINCT FROM new.duration_ms) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.created_by IS DISTINCT FROM new.created_by)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER recorded_stays BEFORE UPDATE ON public.screening_hit FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.screening_id IS DISTINCT FROM new.screening_id) OR (old.environment IS DISTINCT FROM new.environment) OR (old."position" IS DISTINCT FROM new."position") OR (old.list_id IS DISTINCT FROM new.list_id) OR (old.category IS DISTINCT FROM new.category) OR (old.score IS DISTINCT FROM new.score) OR (old.subject_id IS DISTINCT FROM new.subject_id) OR (old.entity_mac IS DISTINCT FROM new.entity_mac) OR (old.entity_hash IS DISTINCT FROM new.entity_hash) OR (old.subject_hash IS DISTINCT FROM new.subject_hash) OR (old.content IS DISTINCT FROM new.content)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER recorded_stays BEFORE UPDATE ON public.waiver FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.* IS DISTINCT FROM new.*) AND (NOT ((old.erased_at IS NULL) AND (new.erased_at IS NOT NULL) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.application_id IS DISTINCT FROM new.application_id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.sequence IS DISTINCT FROM new.sequence) OR (old.action IS DISTINCT FROM new.action) OR (old.requirement_key IS DISTINCT FROM new.requirement_key) OR (old.reason_code IS DISTINCT FROM new.reason_code) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at)))))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER revoked_stays BEFORE UPDATE ON public.api_key FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.status = 'revoked'::text) AND ((old.status IS DISTINCT FROM new.status) OR (old.revoked_at IS DISTINCT FROM new.revoked_at) OR (old.name IS DISTINCT FROM new.name) OR (old.scopes IS DISTINCT FROM new.scopes) OR (old.pin_environment IS DISTINCT FROM new.pin_environment) OR (old.ip_allowlist IS DISTINCT FROM new.ip_allowlist) OR (old.expires_at IS DISTINCT FROM new.expires_at) OR (old.successor_prefix IS DISTINCT FROM new.successor_prefix) OR (old.grace_until IS DISTINCT FROM new.grace_until))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER rotation_stays BEFORE UPDATE ON public.api_key FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.status = 'rotating'::text) AND ((new.status = 'active'::text) OR ((old.successor_prefix IS DISTINCT FROM new.successor_prefix) OR (old.grace_until IS DISTINCT FROM new.grace_until)))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.allowlist_entry FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.environment = 'live'::text))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.application FOR EACH ROW WHEN ((old.environment = 'live'::text)) EXECUTE FUNCTION refuse_live_deletion();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.attestation FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.environment = 'live'::text))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.consent FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.environment = 'live'::text))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.decision FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.environment = 'live'::text))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.deleted_document FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.environment = 'live'::text))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.dict_stream FOR EACH ROW WHEN ((old.env = 'live'::text)) EXECUTE FUNCTION refuse_live_deletion();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.fr_consumer FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.env = 'live'::text))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.hit_decision FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.environment = 'live'::text))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.information_request FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.environment = 'live'::text))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.monitored_list_set FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.environment = 'live'::text))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.monitoring_alert FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.environment = 'live'::text))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.monitoring_algorithm FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.environment = 'live'::text))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.monitoring_run FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.environment = 'live'::text))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.monitoring_subscription FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.environment = 'live'::text))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.own_list_version FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.environment = 'live'::text))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.screening FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.environment = 'live'::text))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.screening_hit FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.environment = 'live'::text))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.second_review FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.environment = 'live'::text))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.subject_key FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.environment = 'live'::text))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_only BEFORE DELETE ON public.waiver FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (old.environment = 'live'::text))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sandbox_or_over BEFORE DELETE ON public.dict_inbox FOR EACH ROW WHEN ((old.env = 'live'::text)) EXECUTE FUNCTION refuse_early_purge_of_dict_inbox();
CREATE TRIGGER sandbox_or_over BEFORE DELETE ON public.fr_event FOR EACH ROW WHEN ((old.env = 'live'::text)) EXECUTE FUNCTION refuse_early_purge_of_fr_event();
CREATE TRIGGER sandbox_or_over BEFORE DELETE ON public.fr_record FOR EACH ROW WHEN ((old.env = 'live'::text)) EXECUTE FUNCTION refuse_early_purge_of_fr_record();
CREATE TRIGGER sandbox_or_over BEFORE DELETE ON public.fr_recovery FOR EACH ROW WHEN ((old.env = 'live'::text)) EXECUTE FUNCTION refuse_early_purge_of_fr_recovery();
CREATE TRIGGER sandbox_or_over BEFORE DELETE ON public.idempotency_record FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.environment = 'live'::text) AND (old.expires_at > now())))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sealed_stays BEFORE UPDATE ON public.document FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.sealed_at IS NOT NULL) AND (new.sealed_at IS DISTINCT FROM old.sealed_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER stays BEFORE DELETE ON public.audit_export FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND true)) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER step_stays BEFORE UPDATE ON public.user_totp FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND (COALESCE(new.last_step, ('-1'::integer)::bigint) < COALESCE(old.last_step, ('-1'::integer)::bigint)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER submitted_stays BEFORE UPDATE ON public.application FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.status <> 'draft'::text) AND ((new.status = 'draft'::text) OR ((new.status = 'expired'::text) AND (old.status <> 'needs_information'::text)) OR ((old.submitted_at IS NOT NULL) AND (new.submitted_at IS NULL)) OR ((old.level IS DISTINCT FROM new.level) OR (old.purpose IS DISTINCT FROM new.purpose) OR (old.channel IS DISTINCT FROM new.channel) OR (old.product_codes IS DISTINCT FROM new.product_codes) OR (old.external_id IS DISTINCT FROM new.external_id) OR (old.metadata IS DISTINCT FROM new.metadata)) OR ((NOT ((old.status = 'needs_information'::text) AND (new.status = 'needs_information'::text))) AND ((old.applicant IS DISTINCT FROM new.applicant) OR (old.full_name IS DISTINCT FROM new.full_name) OR (old.tax_id_mac IS DISTINCT FROM new.tax_id_mac) OR (old.email_mac IS DISTINCT FROM new.email_mac)))) AND (NOT ((old.erased_at IS NULL) AND (new.erased_at IS NOT NULL) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.status IS DISTINCT FROM new.status) OR (old.status_reason IS DISTINCT FROM new.status_reason) OR (old.level IS DISTINCT FROM new.level) OR (old.purpose IS DISTINCT FROM new.purpose) OR (old.channel IS DISTINCT FROM new.channel) OR (old.renews_application_id IS DISTINCT FROM new.renews_application_id) OR (old.person_unseen_at IS DISTINCT FROM new.person_unseen_at) OR (old.product_codes IS DISTINCT FROM new.product_codes) OR (old.submitted_at IS DISTINCT FROM new.submitted_at) OR (old.decided_at IS DISTINCT FROM new.decided_at) OR (old.valid_until IS DISTINCT FROM new.valid_until) OR (old.review_due_at IS DISTINCT FROM new.review_due_at) OR (old.relationship_ended_at IS DISTINCT FROM new.relationship_ended_at) OR (old.resubmission_count IS DISTINCT FROM new.resubmission_count) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at))))) AND (NOT ((old.status = 'approved'::text) AND (new.status = 'expired'::text) AND (old.valid_until IS NOT NULL) AND (new.version = (old.version + 1)) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.external_id IS DISTINCT FROM new.external_id) OR (old.status_note IS DISTINCT FROM new.status_note) OR (old.level IS DISTINCT FROM new.level) OR (old.purpose IS DISTINCT FROM new.purpose) OR (old.channel IS DISTINCT FROM new.channel) OR (old.renews_application_id IS DISTINCT FROM new.renews_application_id) OR (old.full_name IS DISTINCT FROM new.full_name) OR (old.tax_id_mac IS DISTINCT FROM new.tax_id_mac) OR (old.email_mac IS DISTINCT FROM new.email_mac) OR (old.applicant IS DISTINCT FROM new.applicant) OR (old.person_unseen_at IS DISTINCT FROM new.person_unseen_at) OR (old.product_codes IS DISTINCT FROM new.product_codes) OR (old.metadata IS DISTINCT FROM new.metadata) OR (old.submitted_at IS DISTINCT FROM new.submitted_at) OR (old.decided_at IS DISTINCT FROM new.decided_at) OR (old.expires_at IS DISTINCT FROM new.expires_at) OR (old.valid_until IS DISTINCT FROM new.valid_until) OR (old.review_due_at IS DISTINCT FROM new.review_due_at) OR (old.relationship_ended_at IS DISTINCT FROM new.relationship_ended_at) OR (old.erased_at IS DISTINCT FROM new.erased_at) OR (old.resubmission_count IS DISTINCT FROM new.resubmission_count) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at))))) AND (NOT ((NOT jsonb_exists(old.applicant, 'sealed'::text)) AND jsonb_exists(new.applicant, 'sealed'::text) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.external_id IS DISTINCT FROM new.external_id) OR (old.status IS DISTINCT FROM new.status) OR (old.status_reason IS DISTINCT FROM new.status_reason) OR (old.status_note IS DISTINCT FROM new.status_note) OR (old.level IS DISTINCT FROM new.level) OR (old.purpose IS DISTINCT FROM new.purpose) OR (old.channel IS DISTINCT FROM new.channel) OR (old.renews_application_id IS DISTINCT FROM new.renews_application_id) OR (old.full_name IS DISTINCT FROM new.full_name) OR (old.tax_id_mac IS DISTINCT FROM new.tax_id_mac) OR (old.email_mac IS DISTINCT FROM new.email_mac) OR (old.person_unseen_at IS DISTINCT FROM new.person_unseen_at) OR (old.product_codes IS DISTINCT FROM new.product_codes) OR (old.metadata IS DISTINCT FROM new.metadata) OR (old.submitted_at IS DISTINCT FROM new.submitted_at) OR (old.decided_at IS DISTINCT FROM new.decided_at) OR (old.expires_at IS DISTINCT FROM new.expires_at) OR (old.valid_until IS DISTINCT FROM new.valid_until) OR (old.review_due_at IS DISTINCT FROM new.review_due_at) OR (old.relationship_ended_at IS DISTINCT FROM new.relationship_ended_at) OR (old.erased_at IS DISTINCT FROM new.erased_at) OR (old.resubmission_count IS DISTINCT FROM new.resubmission_count) OR (old.version IS DISTINCT FROM new.version) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.updated_at IS DISTINCT FROM new.updated_at))))) AND (NOT ((old.status = 'expired'::text) AND ((old.valid_until IS NOT NULL) OR ((NOT (old.status_reason IS DISTINCT FROM 'information_overdue'::text)) AND (old.decided_at IS NOT NULL))) AND (old.relationship_ended_at IS NULL) AND (new.relationship_ended_at IS NOT NULL) AND (old.erased_at IS NULL) AND (new.version = (old.version + 1)) AND (NOT ((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.id IS DISTINCT FROM new.id) OR (old.environment IS DISTINCT FROM new.environment) OR (old.external_id IS DISTINCT FROM new.external_id) OR (old.status IS DISTINCT FROM new.status) OR (old.status_reason IS DISTINCT FROM new.status_reason) OR (old.level IS DISTINCT FROM new.level) OR (old.purpose IS DISTINCT FROM new.purpose) OR (old.channel IS DISTINCT FROM new.channel) OR (old.renews_application_id IS DISTINCT FROM new.renews_application_id) OR (old.full_name IS DISTINCT FROM new.full_name) OR (old.tax_id_mac IS DISTINCT FROM new.tax_id_mac) OR (old.email_mac IS DISTINCT FROM new.email_mac) OR (old.applicant IS DISTINCT FROM new.applicant) OR (old.person_unseen_at IS DISTINCT FROM new.person_unseen_at) OR (old.product_codes IS DISTINCT FROM new.product_codes) OR (old.metadata IS DISTINCT FROM new.metadata) OR (old.submitted_at IS DISTINCT FROM new.submitted_at) OR (old.decided_at IS DISTINCT FROM new.decided_at) OR (old.expires_at IS DISTINCT FROM new.expires_at) OR (old.valid_until IS DISTINCT FROM new.valid_until) OR (old.review_due_at IS DISTINCT FROM new.review_due_at) OR (old.erased_at IS DISTINCT FROM new.erased_at) OR (old.resubmission_count IS DISTINCT FROM new.resubmission_count) OR (old.created_by IS DISTINCT FROM new.created_by) OR (old.created_at IS DISTINCT FROM new.created_at)))))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER superseded_stays BEFORE UPDATE ON public.refresh_token FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.superseded_at IS NOT NULL) AND ((old.superseded_at IS DISTINCT FROM new.superseded_at) OR (old.successor IS DISTINCT FROM new.successor))))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER used_stays BEFORE UPDATE ON public.recovery_code FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.used_at IS NOT NULL) AND (old.used_at IS DISTINCT FROM new.used_at)))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER verdict_stays BEFORE UPDATE ON public.hit_decision FOR EACH ROW WHEN (((CURRENT_USER = ANY (ARRAY['compliance_app'::name, 'compliance_platform'::name])) AND ((old.state <> 'proposed'::text) AND (new.state <> old.state)))) EXECUTE FUNCTION refuse_change();
ALTER TABLE allowlist_entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_key_site ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_key_usage ENABLE ROW LEVEL SECURITY;
ALTER TABLE application ENABLE ROW LEVEL SECURITY;
ALTER TABLE attestation ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_checkpoint ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_event ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_export ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_head ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_node ENABLE ROW LEVEL SECURITY;
ALTER TABLE consent ENABLE ROW LEVEL SECURITY;
ALTER TABLE decision ENABLE ROW LEVEL SECURITY;
ALTER TABLE deleted_document ENABLE ROW LEVEL SECURITY;
ALTER TABLE dict_inbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE dict_sim_command ENABLE ROW LEVEL SECURITY;
ALTER TABLE dict_sim_fault ENABLE ROW LEVEL SECURITY;
ALTER TABLE dict_stream ENABLE ROW LEVEL SECURITY;
ALTER TABLE dict_unread ENABLE ROW LEVEL SECURITY;
ALTER TABLE document ENABLE ROW LEVEL SECURITY;
ALTER TABLE fr_consumer ENABLE ROW LEVEL SECURITY;
ALTER TABLE fr_event ENABLE ROW LEVEL SECURITY;
ALTER TABLE fr_feed ENABLE ROW LEVEL SECURITY;
ALTER TABLE fr_record ENABLE ROW LEVEL SECURITY;
ALTER TABLE fr_recovery ENABLE ROW LEVEL SECURITY;
ALTER TABLE fr_reference ENABLE ROW LEVEL SECURITY;
ALTER TABLE graphile_worker._private_job_queues ENABLE ROW LEVEL SECURITY;
ALTER TABLE graphile_worker._private_jobs ENABLE ROW LEVEL SECURITY;
ALTER TABLE graphile_worker._private_known_crontabs ENABLE ROW LEVEL SECURITY;
ALTER TABLE graphile_worker._private_tasks ENABLE ROW LEVEL SECURITY;
ALTER TABLE hit_decision ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_record ENABLE ROW LEVEL SECURITY;
ALTER TABLE information_request ENABLE ROW LEVEL SECURITY;
ALTER TABLE invitation ENABLE ROW LEVEL SECURITY;
ALTER TABLE mail_message ENABLE ROW LEVEL SECURITY;
ALTER TABLE membership ENABLE ROW LEVEL SECURITY;
ALTER TABLE monitored_list_set ENABLE ROW LEVEL SECURITY;
ALTER TABLE monitoring_alert ENABLE ROW LEVEL SECURITY;
ALTER TABLE monitoring_algorithm ENABLE ROW LEVEL SECURITY;
ALTER TABLE monitoring_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE monitoring_subscription ENABLE ROW LEVEL SECURITY;
ALTER TABLE onboarding_step ENABLE ROW LEVEL SECURITY;
ALTER TABLE own_list_part ENABLE ROW LEVEL SECURITY;
ALTER TABLE own_list_version ENABLE ROW LEVEL SECURITY;
ALTER TABLE password_history ENABLE ROW LEVEL SECURITY;
ALTER TABLE password_reset ENABLE ROW LEVEL SECURITY;
ALTER TABLE recovery_code ENABLE ROW LEVEL SECURITY;
ALTER TABLE refresh_token ENABLE ROW LEVEL SECURITY;
ALTER TABLE screening ENABLE ROW LEVEL SECURITY;
ALTER TABLE screening_hit ENABLE ROW LEVEL SECURITY;
ALTER TABLE second_review ENABLE ROW LEVEL SECURITY;
ALTER TABLE session ENABLE ROW LEVEL SECURITY;
ALTER TABLE simulated_entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE subject_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE task ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenant ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenant_settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE user_account ENABLE ROW LEVEL SECURITY;
ALTER TABLE user_totp ENABLE ROW LEVEL SECURITY;
ALTER TABLE waiver ENABLE ROW LEVEL SECURITY;
ALTER TABLE allowlist_entry FORCE ROW LEVEL SECURITY;
ALTER TABLE api_key FORCE ROW LEVEL SECURITY;
ALTER TABLE api_key_site FORCE ROW LEVEL SECURITY;
ALTER TABLE api_key_usage FORCE ROW LEVEL SECURITY;
ALTER TABLE application FORCE ROW LEVEL SECURITY;
ALTER TABLE attestation FORCE ROW LEVEL SECURITY;
ALTER TABLE audit_checkpoint FORCE ROW LEVEL SECURITY;
ALTER TABLE audit_event FORCE ROW LEVEL SECURITY;
ALTER TABLE audit_export FORCE ROW LEVEL SECURITY;
ALTER TABLE audit_head FORCE ROW LEVEL SECURITY;
ALTER TABLE audit_node FORCE ROW LEVEL SECURITY;
ALTER TABLE consent FORCE ROW LEVEL SECURITY;
ALTER TABLE decision FORCE ROW LEVEL SECURITY;
ALTER TABLE deleted_document FORCE ROW LEVEL SECURITY;
ALTER TABLE dict_inbox FORCE ROW LEVEL SECURITY;
ALTER TABLE dict_sim_command FORCE ROW LEVEL SECURITY;
ALTER TABLE dict_sim_fault FORCE ROW LEVEL SECURITY;
ALTER TABLE dict_stream FORCE ROW LEVEL SECURITY;
ALTER TABLE dict_unread FORCE ROW LEVEL SECURITY;
ALTER TABLE document FORCE ROW LEVEL SECURITY;
ALTER TABLE fr_consumer FORCE ROW LEVEL SECURITY;
ALTER TABLE fr_event FORCE ROW LEVEL SECURITY;
ALTER TABLE fr_feed FORCE ROW LEVEL SECURITY;
ALTER TABLE fr_record FORCE ROW LEVEL SECURITY;
ALTER TABLE fr_recovery FORCE ROW LEVEL SECURITY;
ALTER TABLE fr_reference FORCE ROW LEVEL SECURITY;
ALTER TABLE hit_decision FORCE ROW LEVEL SECURITY;
ALTER TABLE idempotency_record FORCE ROW LEVEL SECURITY;
ALTER TABLE information_request FORCE ROW LEVEL SECURITY;
ALTER TABLE invitation FORCE ROW LEVEL SECURITY;
ALTER TABLE mail_message FORCE ROW LEVEL SECURITY;
ALTER TABLE membership FORCE ROW LEVEL SECURITY;
ALTER TABLE monitored_list_set FORCE ROW LEVEL SECURITY;
ALTER TABLE monitoring_alert FORCE ROW LEVEL SECURITY;
ALTER TABLE monitoring_algorithm FORCE ROW LEVEL SECURITY;
ALTER TABLE monitoring_run FORCE ROW LEVEL SECURITY;
ALTER TABLE monitoring_subscription FORCE ROW LEVEL SECURITY;
ALTER TABLE onboarding_step FORCE ROW LEVEL SECURITY;
ALTER TABLE own_list_part FORCE ROW LEVEL SECURITY;
ALTER TABLE own_list_version FORCE ROW LEVEL SECURITY;
ALTER TABLE password_history FORCE ROW LEVEL SECURITY;
ALTER TABLE password_reset FORCE ROW LEVEL SECURITY;
ALTER TABLE recovery_code FORCE ROW LEVEL SECURITY;
ALTER TABLE refresh_token FORCE ROW LEVEL SECURITY;
ALTER TABLE screening FORCE ROW LEVEL SECURITY;
ALTER TABLE screening_hit FORCE ROW LEVEL SECURITY;
ALTER TABLE second_review FORCE ROW LEVEL SECURITY;
ALTER TABLE session FORCE ROW LEVEL SECURITY;
ALTER TABLE simulated_entry FORCE ROW LEVEL SECURITY;
ALTER TABLE subject_key FORCE ROW LEVEL SECURITY;
ALTER TABLE task FORCE ROW LEVEL SECURITY;
ALTER TABLE tenant FORCE ROW LEVEL SECURITY;
ALTER TABLE tenant_settings FORCE ROW LEVEL SECURITY;
ALTER TABLE user_account FORCE ROW LEVEL SECURITY;
ALTER TABLE user_totp FORCE ROW LEVEL SECURITY;
ALTER TABLE waiver FORCE ROW LEVEL SECURITY;
CREATE POLICY acceptance ON invitation AS PERMISSIVE FOR SELECT TO compliance_platform USING (true);
CREATE POLICY acceptance_lock ON invitation AS PERMISSIVE FOR UPDATE TO compliance_platform USING (true);
CREATE POLICY administration ON tenant AS PERMISSIVE FOR UPDATE TO compliance_platform USING (true);
CREATE POLICY administration ON user_account AS PERMISSIVE FOR UPDATE TO compliance_platform USING (true);
CREATE POLICY authentication ON api_key AS PERMISSIVE FOR SELECT TO compliance_platform USING (true);
CREATE POLICY authentication ON tenant AS PERMISSIVE FOR SELECT TO compliance_platform USING (true);
CREATE POLICY authentication ON tenant_settings AS PERMISSIVE FOR SELECT TO compliance_platform USING (true);
CREATE POLICY checkpointing ON audit_checkpoint AS PERMISSIVE FOR SELECT TO compliance_platform USING (true);
CREATE POLICY checkpointing ON audit_head AS PERMISSIVE FOR SELECT TO compliance_platform USING (true);
CREATE POLICY colleague ON user_account AS PERMISSIVE FOR SELECT TO compliance_app USING ((EXISTS ( SELECT
   FROM membership m
  WHERE ((m.tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid) AND (m.user_id = user_account.id)))));
CREATE POLICY colleague ON user_totp AS PERMISSIVE FOR SELECT TO compliance_app USING ((EXISTS ( SELECT
   FROM membership m
  WHERE ((m.tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid) AND (m.user_id = user_totp.user_id)))));
CREATE POLICY deliver ON mail_message AS PERMISSIVE FOR UPDATE TO compliance_platform USING (true);
CREATE POLICY discard ON mail_message AS PERMISSIVE FOR DELETE TO compliance_platform USING (true);
CREATE POLICY find ON mail_message AS PERMISSIVE FOR SELECT TO compliance_platform USING (true);
CREATE POLICY find ON task AS PERMISSIVE FOR SELECT TO compliance_platform USING (true);
CREATE POLICY find_expired ON idempotency_record AS PERMISSIVE FOR SELECT TO compliance_platform USING ((expires_at < now()));
CREATE POLICY follow ON monitored_list_set AS PERMISSIVE FOR SELECT TO compliance_platform USING (true);
CREATE POLICY login ON membership AS PERMISSIVE FOR SELECT TO compliance_platform USING (true);
CREATE POLICY login ON user_account AS PERMISSIVE FOR SELECT TO compliance_platform USING (true);
CREATE POLICY person ON password_history AS PERMISSIVE FOR ALL TO compliance_platform USING (true) WITH CHECK (true);
CREATE POLICY person ON password_reset AS PERMISSIVE FOR ALL TO compliance_platform USING (true) WITH CHECK (true);
CREATE POLICY person ON recovery_code AS PERMISSIVE FOR ALL TO compliance_platform USING (true) WITH CHECK (true);
CREATE POLICY person ON session AS PERMISSIVE FOR UPDATE TO compliance_platform USING (true);
CREATE POLICY person ON user_totp AS PERMISSIVE FOR ALL TO compliance_platform USING (true) WITH CHECK (true);
CREATE POLICY polling ON dict_sim_command AS PERMISSIVE FOR SELECT TO compliance_platform USING (true);
CREATE POLICY polling ON fr_record AS PERMISSIVE FOR SELECT TO compliance_platform USING (((env = 'sandbox'::text) AND (last_read_at IS NOT NULL)));
CREATE POLICY purge_ended ON session AS PERMISSIVE FOR DELETE TO compliance_platform USING ((absolute_expires_at < (now() - '90 days'::interval)));
CREATE POLICY purge_expired ON idempotency_record AS PERMISSIVE FOR DELETE TO compliance_platform USING ((expires_at < now()));
CREATE POLICY purge_expired ON refresh_token AS PERMISSIVE FOR DELETE TO compliance_platform USING ((expires_at < (now() - '30 days'::interval)));
CREATE POLICY queue ON mail_message AS PERMISSIVE FOR INSERT TO compliance_platform WITH CHECK (true);
CREATE POLICY refresh ON refresh_token AS PERMISSIVE FOR SELECT TO compliance_platform USING (true);
CREATE POLICY refresh ON session AS PERMISSIVE FOR SELECT TO compliance_platform USING (true);
CREATE POLICY registration ON tenant AS PERMISSIVE FOR INSERT TO compliance_platform WITH CHECK (true);
CREATE POLICY registration ON user_account AS PERMISSIVE FOR INSERT TO compliance_platform WITH CHECK (true);
CREATE POLICY restored ON fr_feed AS PERMISSIVE FOR SELECT TO compliance_platform USING (true);
CREATE POLICY rotation ON refresh_token AS PERMISSIVE FOR UPDATE TO compliance_platform USING (true);
CREATE POLICY tenant ON allowlist_entry AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON api_key AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON api_key_site AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON api_key_usage AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON application AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON attestation AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON audit_checkpoint AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON audit_event AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON audit_export AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON audit_head AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON audit_node AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON consent AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON decision AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON deleted_document AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON dict_inbox AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON dict_sim_command AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON dict_sim_fault AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON dict_stream AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON dict_unread AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON document AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON fr_consumer AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON fr_event AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON fr_feed AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON fr_record AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON fr_recovery AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON fr_reference AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON graphile_worker._private_jobs AS PERMISSIVE FOR ALL TO compliance_app USING (((payload)::text = (json_build_object('tenantId', (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))::text)) WITH CHECK (((payload)::text = (json_build_object('tenantId', (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))::text));
CREATE POLICY tenant ON hit_decision AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON idempotency_record AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON information_request AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON invitation AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON mail_message AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON membership AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON monitored_list_set AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON monitoring_alert AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON monitoring_algorithm AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON monitoring_run AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON monitoring_subscription AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON onboarding_step AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON own_list_part AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON own_list_version AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON refresh_token AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON screening AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON screening_hit AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON second_review AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON session AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON simulated_entry AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON subject_key AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON task AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON tenant AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON tenant_settings AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant ON waiver AS PERMISSIVE FOR ALL TO compliance_app, compliance_platform USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY wake ON graphile_worker._private_tasks AS PERMISSIVE FOR ALL TO compliance_app USING ((identifier = 'wake'::text)) WITH CHECK ((identifier = 'wake'::text));
CREATE POLICY work ON graphile_worker._private_job_queues AS PERMISSIVE FOR ALL TO compliance_worker USING (true) WITH CHECK (true);
CREATE POLICY work ON graphile_worker._private_jobs AS PERMISSIVE FOR ALL TO compliance_worker USING (true) WITH CHECK (true);
CREATE POLICY work ON graphile_worker._private_known_crontabs AS PERMISSIVE FOR ALL TO compliance_worker USING (true) WITH CHECK (true);
CREATE POLICY work ON graphile_worker._private_tasks AS PERMISSIVE FOR ALL TO compliance_worker USING (true) WITH CHECK (true);
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
GRANT USAGE ON SCHEMA graphile_worker TO compliance_app;
GRANT USAGE ON SCHEMA graphile_worker TO compliance_platform;
GRANT USAGE ON SCHEMA graphile_worker TO compliance_worker;
REVOKE EXECUTE ON FUNCTION amounts_of_recovery() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION announce_change() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION continue_checkpoints() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION next_version() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION references_of_recovery() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION refuse_all_but_erasure() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION refuse_change() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION refuse_early_purge_of_dict_inbox() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION refuse_early_purge_of_fr_event() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION refuse_early_purge_of_fr_record() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION refuse_early_purge_of_fr_recovery() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION refuse_evidence_deletion() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION refuse_live_deletion() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION refuse_own_status() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION refuse_rewriting() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION require_tenant_state(uuid,text,boolean,bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION graphile_worker.add_job(text,json,text,timestamp with time zone,integer,text,integer,text[],text) TO compliance_app;
GRANT EXECUTE ON FUNCTION graphile_worker.add_jobs(graphile_worker.job_spec[],boolean) TO compliance_app;
GRANT EXECUTE ON FUNCTION require_tenant_state(uuid,text,boolean,bigint) TO compliance_app;
GRANT EXECUTE ON FUNCTION require_tenant_state(uuid,text,boolean,bigint) TO compliance_platform;
GRANT DELETE, SELECT ON TABLE api_key_site TO compliance_app;
GRANT DELETE, SELECT ON TABLE api_key_usage TO compliance_app;
GRANT DELETE, SELECT ON TABLE application TO compliance_app;
GRANT DELETE, SELECT ON TABLE attestation TO compliance_app;
GRANT DELETE, SELECT ON TABLE consent TO compliance_app;
GRANT DELETE, SELECT ON TABLE dict_inbox TO compliance_app;
GRANT DELETE, SELECT ON TABLE dict_sim_command TO compliance_app;
GRANT DELETE, SELECT ON TABLE dict_sim_fault TO compliance_app;
GRANT DELETE, SELECT ON TABLE dict_stream TO compliance_app;
GRANT DELETE, SELECT ON TABLE dict_unread TO compliance_app;
GRANT DELETE, SELECT ON TABLE document TO compliance_app;
GRANT DELETE, SELECT ON TABLE fr_consumer TO compliance_app;
GRANT DELETE, SELECT ON TABLE fr_event TO compliance_app;
GRANT DELETE, SELECT ON TABLE fr_record TO compliance_app;
GRANT DELETE, SELECT ON TABLE fr_recovery TO compliance_app;
GRANT DELETE, SELECT ON TABLE fr_reference TO compliance_app;
GRANT DELETE, SELECT ON TABLE idempotency_record TO compliance_app;
GRANT DELETE, SELECT ON TABLE idempotency_record TO compliance_platform;
GRANT DELETE, SELECT ON TABLE known_place TO compliance_platform;
GRANT DELETE, SELECT ON TABLE login_throttle TO compliance_platform;
GRANT DELETE, SELECT ON TABLE mail_message TO compliance_platform;
GRANT DELETE, SELECT ON TABLE mail_quota TO compliance_platform;
GRANT DELETE, SELECT ON TABLE monitored_list_set TO compliance_app;
GRANT DELETE, SELECT ON TABLE monitoring_algorithm TO compliance_app;
GRANT DELETE, SELECT ON TABLE monitoring_subscription TO compliance_app;
GRANT DELETE, SELECT ON TABLE own_list_part TO compliance_app;
GRANT DELETE, SELECT ON TABLE own_list_version TO compliance_app;
GRANT DELETE, SELECT ON TABLE password_history TO compliance_platform;
GRANT DELETE, SELECT ON TABLE password_reset TO compliance_platform;
GRANT DELETE, SELECT ON TABLE recovery_code TO compliance_platform;
GRANT DELETE, SELECT ON TABLE refresh_token TO compliance_platform;
GRANT DELETE, SELECT ON TABLE screening TO compliance_app;
GRANT DELETE, SELECT ON TABLE second_review TO compliance_app;
GRANT DELETE, SELECT ON TABLE session TO compliance_platform;
GRANT DELETE, SELECT ON TABLE subject_key TO compliance_app;
GRANT DELETE, SELECT ON TABLE task TO compliance_app;
GRANT DELETE, SELECT ON TABLE user_totp TO compliance_platform;
GRANT DELETE, SELECT, UPDATE ON TABLE graphile_worker._private_jobs TO compliance_worker;
GRANT INSERT, SELECT ON TABLE graphile_worker._private_job_queues TO compliance_app;
GRANT INSERT, SELECT ON TABLE graphile_worker._private_tasks TO compliance_app;
GRANT INSERT, SELECT ON TABLE graphile_worker._private_tasks TO compliance_worker;
GRANT INSERT, SELECT, UPDATE ON TABLE graphile_worker._private_jobs TO compliance_app;
GRANT SELECT ON TABLE allowlist_entry TO compliance_app;
GRANT SELECT ON TABLE api_key TO compliance_app;
GRANT SELECT ON TABLE api_key TO compliance_platform;
GRANT SELECT ON TABLE audit_checkpoint TO compliance_app;
GRANT SELECT ON TABLE audit_checkpoint TO compliance_platform;
GRANT SELECT ON TABLE audit_event TO compliance_app;
GRANT SELECT ON TABLE audit_event TO compliance_platform;
GRANT SELECT ON TABLE audit_export TO compliance_app;
GRANT SELECT ON TABLE audit_head TO compliance_app;
GRANT SELECT ON TABLE audit_head TO compliance_platform;
GRANT SELECT ON TABLE audit_node TO compliance_app;
GRANT SELECT ON TABLE audit_node TO compliance_platform;
GRANT SELECT ON TABLE decision TO compliance_app;
GRANT SELECT ON TABLE deleted_document TO compliance_app;
GRANT SELECT ON TABLE demo TO compliance_platform;
GRANT SELECT ON TABLE dict_sim_command TO compliance_platform;
GRANT SELECT ON TABLE dict_sim_fault TO compliance_platform;
GRANT SELECT ON TABLE fr_feed TO compliance_app;
GRANT SELECT ON TABLE fr_feed TO compliance_platform;
GRANT SELECT ON TABLE graphile_worker._private_known_crontabs TO compliance_worker;
GRANT SELECT ON TABLE graphile_worker.migrations TO compliance_worker;
GRANT SELECT ON TABLE hit_decision TO compliance_app;
GRANT SELECT ON TABLE information_request TO compliance_app;
GRANT SELECT ON TABLE invitation TO compliance_platform;
GRANT SELECT ON TABLE job_success TO compliance_platform;
GRANT SELECT ON TABLE membership TO compliance_app;
GRANT SELECT ON TABLE membership TO compliance_platform;
GRANT SELECT ON TABLE monitored_list_set TO compliance_platform;
GRANT SELECT ON TABLE monitoring_alert TO compliance_app;
GRANT SELECT ON TABLE monitoring_run TO compliance_app;
GRANT SELECT ON TABLE onboarding_step TO compliance_app;
GRANT SELECT ON TABLE refresh_token TO compliance_app;
GRANT SELECT ON TABLE screening_hit TO compliance_app;
GRANT SELECT ON TABLE second_review TO compliance_platform;
GRANT SELECT ON TABLE session TO compliance_app;
GRANT SELECT ON TABLE simulated_entry TO compliance_app;
GRANT SELECT ON TABLE task TO compliance_platform;
GRANT SELECT ON TABLE tenant TO compliance_app;
GRANT SELECT ON TABLE tenant TO compliance_platform;
GRANT SELECT ON TABLE tenant_settings TO compliance_app;
GRANT SELECT ON TABLE tenant_settings TO compliance_platform;
GRANT SELECT ON TABLE user_account TO compliance_platform;
GRANT SELECT ON TABLE waiver TO compliance_app;
GRANT SELECT ON TABLE watch_list_entity TO compliance_app;
GRANT SELECT ON TABLE watch_list_entity TO compliance_platform;
GRANT SELECT ON TABLE watch_list_file TO compliance_app;
GRANT SELECT ON TABLE watch_list_file TO compliance_platform;
GRANT SELECT ON TABLE watch_list_proposal TO compliance_platform;
GRANT SELECT ON TABLE watch_list_version TO compliance_app;
GRANT SELECT ON TABLE watch_list_version TO compliance_platform;
GRANT SELECT, UPDATE ON TABLE graphile_worker._private_job_queues TO compliance_worker;
GRANT INSERT (absolute_expires_at, created_at, id, idle_seconds, ip, last_seen_at, mfa, password_outdated, step_up_at, tenant_id, user_agent, user_agent_hash, user_id) ON TABLE session TO compliance_platform;
GRANT INSERT (account, key, window_start) ON TABLE login_throttle TO compliance_platform;
GRANT INSERT (account, kind, place, seen_at) ON TABLE known_place TO compliance_platform;
GRANT INSERT (acked_at, acked_seq, consumer_id, env, generation, last_polled_at, tenant_id) ON TABLE fr_consumer TO compliance_app;
GRANT INSERT (action, actor, changes, environment, hash, id, ip, occurred_at, outcome, prev_hash, reason, request_id, resource_id, resource_type, sealed_ref, sequence, tenant_id, user_agent) ON TABLE audit_event TO compliance_app;
GRANT INSERT (action, actor, changes, environment, hash, id, ip, occurred_at, outcome, prev_hash, reason, request_id, resource_id, resource_type, sealed_ref, sequence, tenant_id, user_agent) ON TABLE audit_event TO compliance_platform;
GRANT INSERT (action, application_id, captured_at, channel, created_at, created_by, environment, evidence_document_id, id, ip, legal_basis, locale, purpose, tenant_id, text_sha256, text_version, user_agent) ON TABLE consent TO compliance_app;
GRANT INSERT (action, application_id, created_at, created_by, environment, id, note, reason_code, requirement_key, tenant_id) ON TABLE waiver TO compliance_app;
GRANT INSERT (added, after, changed, entry_count, format, id, list_id, match_changed, proposed_at, proposed_by, published_on, removed, sha256, version) ON TABLE watch_list_proposal TO compliance_platform;
GRANT INSERT (added, changed, checked_at, entry_count, environment, format, ingested_at, ingested_by, list_id, match_changed, published_on, quarantine, quarantined_names, removed, restores, sequence, sha256, size_bytes, version) ON TABLE watch_list_version TO compliance_platform;
GRANT INSERT (added, changed, checked_at, entry_count, environment, id, ingested_at, ingested_by, match_changed, removed, sequence, sha256, tenant_id, version) ON TABLE own_list_version TO compliance_app;
GRANT INSERT (algorithm_version, application_id, comparable, created_at, created_by, criteria, diff, duration_ms, environment, hit_count, id, lines, lists, open_hit_count, previous_screening_id, profile_version, result, stale_lists, subject, subject_id, tenant_id, truncated) ON TABLE screening TO compliance_app;
GRANT INSERT (allowlist_entry_id, category, content, decision_id, entity_hash, entity_mac, environment, id, list_id, position, score, screening_id, status, subject_hash, subject_id, tenant_id) ON TABLE screening_hit TO compliance_app;
GRANT INSERT (analysed_at, created_at, env, funds_recovery_id, held, ispb, last_modified, last_read_at, next_deadline_at, next_deadline_stage, next_notice_at, published_keys, revision, role, root_transaction_id, snapshot, status, tenant_id, wake_at) ON TABLE fr_record TO compliance_app;
GRANT INSERT (answered_at, application_id, created_at, created_by, due_at, environment, id, internal_note, items, status, tenant_id) ON TABLE information_request TO compliance_app;
GRANT INSERT (answers, application_id, country, created_at, created_by, environment, expires_on, file_name, id, mime_type, original_sha256, page_count, sealed_at, sha256, side, signals, size_bytes, status, storage_key, tenant_id, type, updated_at) ON TABLE document TO compliance_app;
GRANT INSERT (applicant, channel, created_at, created_by, email_mac, environment, expires_at, external_id, full_name, id, level, metadata, product_codes, purpose, renews_application_id, status, status_note, status_reason, submitted_at, tax_id_mac, tenant_id, updated_at, version) ON TABLE application TO compliance_app;
GRANT INSERT (applicant_message, application_id, created_at, effective_at, environment, evidence_digest, four_eyes_reasons, id, made_by, manifest, note, outcome, policy_version, reason_codes, reject_type, status, tenant_id) ON TABLE decision TO compliance_app;
GRANT INSERT (application_id, checks, created_at, created_by, environment, id, interval_days, next_run_at, tenant_id, updated_at, waiting_for) ON TABLE monitoring_subscription TO compliance_app;
GRANT INSERT (application_id, compared_hash, created_at, created_by, decision_id, entity_hash, entity_key, entity_mac, environment, expires_at, hit_id, id, list_id, reason_code, screening_id, subject_id, subject_mac, tenant_id) ON TABLE allowlist_entry TO compliance_app;
GRANT INSERT (application_id, content, created_at, environment, id, list_id, tenant_id) ON TABLE simulated_entry TO compliance_app;
GRANT INSERT (application_id, created_at, created_by, environment, evidence_document_id, id, looked_up_at, note, outcome, requirement_key, source, subject, tenant_id) ON TABLE attestation TO compliance_app;
GRANT INSERT (application_id, dedupe_key, document_id, due_on, entity_hash, entity_mac, environment, first_seen_at, hit_id, id, kind, last_seen_at, list_id, score, score_before, screening_id, severity, sla_due_at, subscription_id, tenant_id) ON TABLE monitoring_alert TO compliance_app;
GRANT INSERT (application_id, deleted_at, environment, id, tenant_id) ON TABLE deleted_document TO compliance_app;
GRANT INSERT (at, command, env, seq, tenant_id) ON TABLE dict_sim_command TO compliance_app;
GRANT INSERT (at, environment, id, new_alerts, result, screening_id, subscription_id, tenant_id, trigger) ON TABLE monitoring_run TO compliance_app;
GRANT INSERT (at, every_seconds, name) ON TABLE job_success TO compliance_platform;
GRANT INSERT (began_at, key, used) ON TABLE mail_quota TO compliance_platform;
GRANT INSERT (body, created_at, environment, expires_at, fingerprint, headers, key_hash, method, path, personal_data, principal, status, tenant_id) ON TABLE idempotency_record TO compliance_app;
GRANT INSERT (body, created_at, environment, expires_at, fingerprint, headers, key_hash, method, path, personal_data, principal, status, tenant_id) ON TABLE idempotency_record TO compliance_platform;
GRANT INSERT (bytes, environment, list_id, part, role, sequence) ON TABLE watch_list_file TO compliance_platform;
GRANT INSERT (client_id, created_at, created_by, environment, expires_at, granted_by, granted_role, id, ip_allowlist, name, personal_data, pin_environment, prefix, quota_client_id, scopes, secret_mac, tenant_id, updated_at) ON TABLE api_key TO compliance_app;
GRANT INSERT (completed_at, dismissed_at, dismissed_by, dismissed_reason, step_key, tenant_id) ON TABLE onboarding_step TO compliance_app;
GRANT INSERT (content, environment, part, tenant_id, version_id) ON TABLE own_list_part TO compliance_app;
GRANT INSERT (content_hash, document, environment, from_sequence, key, list_id, match_hash) ON TABLE watch_list_entity TO compliance_platform;
GRANT INSERT (created_at, created_by, entity_hash, entity_mac, environment, hit_id, holds_below, id, list_id, list_sequence, note, reason_code, screening_id, state, status, subject_hash, subject_id, tenant_id) ON TABLE hit_decision TO compliance_app;
GRANT INSERT (created_at, created_by, environments, filter, first_sequence, format, id, include_proofs, last_sequence, position, tenant_id) ON TABLE audit_export TO compliance_app;
GRANT INSERT (created_at, digest, environment, id, maker, maker_persons, subject_id, subject_type, tenant_id) ON TABLE second_review TO compliance_app;
GRANT INSERT (created_at, digest, environment, id, maker, maker_persons, subject_id, subject_type, tenant_id) ON TABLE second_review TO compliance_platform;
GRANT INSERT (created_at, due_at, id, is_bulk, kind, subject_id, tenant_id) ON TABLE task TO compliance_app;
GRANT INSERT (created_at, email, email_normalised, id, name, password_changed_at, password_hash, status, updated_at) ON TABLE user_account TO compliance_platform;
GRANT INSERT (created_at, environment, subject_id, subject_type, tenant_id, wrapped) ON TABLE subject_key TO compliance_app;
GRANT INSERT (created_at, expires_at, id, invited_by, sent_at, tenant_id, token_hash, user_id) ON TABLE invitation TO compliance_platform;
GRANT INSERT (created_at, expires_at, secret, user_id) ON TABLE user_totp TO compliance_platform;
GRANT INSERT (created_at, id, name, plan, quotas, region, sandbox_enabled, sandbox_enabled_at, slug, status, updated_at) ON TABLE tenant TO compliance_platform;
GRANT INSERT (created_at, id, next_attempt_at, recipient_mac, sealed, template, tenant_id) ON TABLE mail_message TO compliance_app;
GRANT INSERT (created_at, id, next_attempt_at, recipient_mac, sealed, template, tenant_id) ON TABLE mail_message TO compliance_platform;
GRANT INSERT (created_at, role, status, tenant_id, updated_at, user_id) ON TABLE membership TO compliance_platform;
GRANT INSERT (dedupe_key, env, event_id, event_type, funds_recovery_id, occurred_at, raw_payload, seq, status, tenant_id) ON TABLE fr_event TO compliance_app;
GRANT INSERT (document, tenant_id, updated_at) ON TABLE tenant_settings TO compliance_app;
GRANT INSERT (document, tenant_id, updated_at) ON TABLE tenant_settings TO compliance_platform;
GRANT INSERT (done_at, environment, sequences, tenant_id) ON TABLE monitored_list_set TO compliance_app;
GRANT INSERT (env, funds_recovery_id, ispb, listed_at, refunds, reports, tenant_id) ON TABLE dict_unread TO compliance_app;
GRANT INSERT (env, funds_recovery_id, kind, tenant_id, value) ON TABLE fr_reference TO compliance_app;
GRANT INSERT (env, funds_recovery_id, phase_began_at, status, tenant_id) ON TABLE fr_recovery TO compliance_app;
GRANT INSERT (env, ispb, received_at, sha256, tenant_id, verdict, xml) ON TABLE dict_inbox TO compliance_app;
GRANT INSERT (env, ispb, tenant_id) ON TABLE dict_stream TO compliance_app;
GRANT INSERT (env, kind, remaining, tenant_id) ON TABLE dict_sim_fault TO compliance_app;
GRANT INSERT (env, tenant_id) ON TABLE fr_feed TO compliance_platform;
GRANT INSERT (environment, released, tenant_id) ON TABLE monitoring_algorithm TO compliance_app;
GRANT INSERT (errors, hour, key_id, requests, tenant_id) ON TABLE api_key_usage TO compliance_app;
GRANT INSERT (expires_at, hash, issued_at, session_id, tenant_id) ON TABLE refresh_token TO compliance_platform;
GRANT INSERT (expires_at, hash, requested_at, user_id) ON TABLE password_reset TO compliance_platform;
GRANT INSERT (first_seen_at, key_id, last_seen_at, site, tenant_id) ON TABLE api_key_site TO compliance_app;
GRANT INSERT (hash, head_hash, key_id, previous_hash, root_hash, signature, signed_at, tenant_id, tree_size) ON TABLE audit_checkpoint TO compliance_platform;
GRANT INSERT (hash, index, level, tenant_id) ON TABLE audit_node TO compliance_platform;
GRANT INSERT (hash, prev_hash, sequence, tenant_id) ON TABLE audit_head TO compliance_platform;
GRANT INSERT (hash, user_id) ON TABLE recovery_code TO compliance_platform;
GRANT INSERT (password_hash, replaced_at, user_id) ON TABLE password_history TO compliance_platform;
GRANT INSERT (sealed) ON TABLE demo TO compliance_platform;
GRANT SELECT (accepted_at, created_at, expires_at, id, invited_by, revoked_at, sent_at, tenant_id, user_id) ON TABLE invitation TO compliance_app;
GRANT SELECT (confirmed_at, user_id) ON TABLE user_totp TO compliance_app;
GRANT SELECT (created_at, decided_at, environment, erased_at, id, relationship_ended_at, status, submitted_at, tenant_id) ON TABLE application TO compliance_platform;
GRANT SELECT (created_at, email, id, last_login_at, locked_until, name, status, updated_at) ON TABLE user_account TO compliance_app;
GRANT SELECT (created_at, environment, file_erased_at, id, size_bytes, status, tenant_id) ON TABLE document TO compliance_platform;
GRANT SELECT (env, status, tenant_id, wake_at) ON TABLE fr_record TO compliance_platform;
GRANT UPDATE (accepted_at, expires_at, invited_by, revoked_at, sent_at, token_hash) ON TABLE invitation TO compliance_platform;
GRANT UPDATE (account, failures, locked_until, lockouts, window_start) ON TABLE login_throttle TO compliance_platform;
GRANT UPDATE (acked_at, acked_seq, generation, last_polled_at) ON TABLE fr_consumer TO compliance_app;
GRANT UPDATE (allowlist_entry_id, decision_id, status) ON TABLE screening_hit TO compliance_app;
GRANT UPDATE (analysed_at, erased_at, held, ispb, last_modified, last_read_at, next_deadline_at, next_deadline_stage, next_notice_at, published_keys, revision, role, snapshot, status, wake_at) ON TABLE fr_record TO compliance_app;
GRANT UPDATE (answered_at, erased_at, internal_note, items, provided, status) ON TABLE information_request TO compliance_app;
GRANT UPDATE (applicant, channel, decided_at, email_mac, erased_at, expires_at, external_id, full_name, level, metadata, person_unseen_at, product_codes, purpose, relationship_ended_at, resubmission_count, review_due_at, status, status_note, status_reason, submitted_at, tax_id_mac, updated_at, valid_until, version) ON TABLE application TO compliance_app;
GRANT UPDATE (applicant_message, effective_at, erased_at, four_eyes_reasons, note, status) ON TABLE decision TO compliance_app;
GRANT UPDATE (at, every_seconds) ON TABLE job_success TO compliance_platform;
GRANT UPDATE (attempts, delivered_at, given_up_at, last_error, next_attempt_at, sealed) ON TABLE mail_message TO compliance_platform;
GRANT UPDATE (attempts, due_at) ON TABLE task TO compliance_app;
GRANT UPDATE (began_at, used) ON TABLE mail_quota TO compliance_platform;
GRANT UPDATE (checked_at) ON TABLE watch_list_version TO compliance_platform;
GRANT UPDATE (checked_at, ended_at) ON TABLE own_list_version TO compliance_app;
GRANT UPDATE (checker, closed_at, erased_at, note, state) ON TABLE second_review TO compliance_app;
GRANT UPDATE (checker, closed_at, note, state) ON TABLE second_review TO compliance_platform;
GRANT UPDATE (checks, compared, end_reason, interval_days, last_result, last_run_at, next_run_at, pause_reason, pause_until, rehearsal, status, updated_at, version, waiting_for) ON TABLE monitoring_subscription TO compliance_app;
GRANT UPDATE (closure_note, closure_reason, closure_requested_at, closure_requested_by, name, plan, quotas, status, status_changed_at, status_changed_by, status_note, status_reason, suspended_from, updated_at) ON TABLE tenant TO compliance_platform;
GRANT UPDATE (completed_at, dismissed_at, dismissed_by, dismissed_reason, regressed_at) ON TABLE onboarding_step TO compliance_app;
GRANT UPDATE (confirmed_at, created_at, expires_at, last_step, secret) ON TABLE user_totp TO compliance_platform;
GRANT UPDATE (country, erased_at, expires_on, file_erased_at, file_name, rejection_code, sealed_at, signals, status, updated_at, version) ON TABLE document TO compliance_app;
GRANT UPDATE (destroyed_at, wrapped) ON TABLE subject_key TO compliance_app;
GRANT UPDATE (document, policy_version, profile_version, updated_at, updated_by, version) ON TABLE tenant_settings TO compliance_app;
GRANT UPDATE (done_at, sequences) ON TABLE monitored_list_set TO compliance_app;
GRANT UPDATE (end_recorded_at, expires_at, grace_until, granted_by, granted_role, ip_allowlist, last_used_at, last_used_ip, name, personal_data, pin_environment, revoked_at, scopes, status, successor_prefix, updated_at, version) ON TABLE api_key TO compliance_app;
GRANT UPDATE (ended_at, ended_reason) ON TABLE session TO compliance_app;
GRANT UPDATE (ended_at, ended_reason, idle_seconds, last_seen_at, mfa, password_outdated, step_up_at) ON TABLE session TO compliance_platform;
GRANT UPDATE (erased_at, ip, user_agent) ON TABLE consent TO compliance_app;
GRANT UPDATE (erased_at, note) ON TABLE waiver TO compliance_app;
GRANT UPDATE (erased_at, note, source, subject) ON TABLE attestation TO compliance_app;
GRANT UPDATE (errors, requests) ON TABLE api_key_usage TO compliance_app;
GRANT UPDATE (event_count, last_sequence, position, ready_at, size_bytes, status, tree_size) ON TABLE audit_export TO compliance_app;
GRANT UPDATE (expires_at) ON TABLE password_reset TO compliance_platform;
GRANT UPDATE (floor_seq, generation, last_seq) ON TABLE fr_feed TO compliance_app;
GRANT UPDATE (gap_since, last_ok_at, page_cursor, reconciled_at, tail, version, watermarks) ON TABLE dict_stream TO compliance_app;
GRANT UPDATE (go_live_at, sandbox_changed_at, sandbox_clock_offset_seconds, sandbox_enabled, sandbox_enabled_at, sandbox_enabled_by, status, status_changed_at, updated_at) ON TABLE tenant TO compliance_app;
GRANT UPDATE (hash, prev_hash, sequence) ON TABLE audit_head TO compliance_app;
GRANT UPDATE (hash, prev_hash, sequence) ON TABLE audit_head TO compliance_platform;
GRANT UPDATE (hit_id, last_seen_at, note, occurrences, outcome, reason_code, score, score_before, screening_id, severity, sla_due_at, status, told_at, triaged_at, triaged_by) ON TABLE monitoring_alert TO compliance_app;
GRANT UPDATE (last_login_at, locked_until, name, password_changed_at, password_hash, status, updated_at) ON TABLE user_account TO compliance_platform;
GRANT UPDATE (last_login_at, name, role, status, updated_at, version) ON TABLE membership TO compliance_platform;
GRANT UPDATE (last_seen_at) ON TABLE api_key_site TO compliance_app;
GRANT UPDATE (note, released, released_at, released_by) ON TABLE monitoring_algorithm TO compliance_app;
GRANT UPDATE (open_hit_count, result) ON TABLE screening TO compliance_app;
GRANT UPDATE (phase_began_at, status) ON TABLE fr_recovery TO compliance_app;
GRANT UPDATE (raw_payload) ON TABLE fr_event TO compliance_app;
GRANT UPDATE (refunds, reports) ON TABLE dict_unread TO compliance_app;
GRANT UPDATE (remaining) ON TABLE dict_sim_fault TO compliance_app;
GRANT UPDATE (remaining) ON TABLE dict_sim_fault TO compliance_platform;
GRANT UPDATE (review_note, reviewed_by, sequence, state) ON TABLE hit_decision TO compliance_app;
GRANT UPDATE (revoke_reason, status) ON TABLE allowlist_entry TO compliance_app;
GRANT UPDATE (sealed) ON TABLE demo TO compliance_platform;
GRANT UPDATE (seen_at) ON TABLE known_place TO compliance_platform;
GRANT UPDATE (successor, superseded_at) ON TABLE refresh_token TO compliance_platform;
GRANT UPDATE (to_sequence) ON TABLE watch_list_entity TO compliance_platform;
GRANT UPDATE (used_at) ON TABLE recovery_code TO compliance_platform;
GRANT UPDATE (xml) ON TABLE dict_inbox TO compliance_app;
COMMENT ON TABLE schema_migration IS 'rights 7e5d0f4465d5a204276bb1775540cf7aba6bd554158453831707b37299a6d33a';
RESET ROLE;
SET session_replication_role = replica;
INSERT INTO allowlist_entry (tenant_id, id, environment, subject_mac, list_id, entity_mac, entity_hash, entity_key, application_id, subject_id, screening_id, hit_id, decision_id, compared_hash, reason_code, status, revoke_reason, expires_at, created_at, created_by) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', 'live', E'\\x0000000000000000000000000000000000000000000000000000000000000000', 'un-csnu', E'\\x0000000000000000000000000000000000000000000000000000000000000000', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '{}', NULL, '00000000-0000-4000-8000-00000000000c', '00000000-0000-4000-8000-00000000000c', '00000000-0000-4000-8000-00000000000c', '00000000-0000-4000-8000-00000000000c', NULL, 'other', 'active', NULL, '2026-11-26 09:39:29.081+00', '2026-11-26 09:39:29.081+00', '{}');
INSERT INTO api_key (tenant_id, id, prefix, name, environment, scopes, pin_environment, ip_allowlist, personal_data, secret_mac, pepper_version, client_id, quota_client_id, granted_by, granted_role, status, successor_prefix, grace_until, expires_at, end_recorded_at, revoked_at, last_used_at, last_used_ip, version, created_by, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', 'p', 'Key', 'live', '{read}', 'false', '{}', 'masked', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '1', 'p', 'p', NULL, NULL, 'active', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '1', '{}', '2026-11-26 09:39:33.276+00', '2026-11-26 09:39:33.276+00');
INSERT INTO api_key_site (tenant_id, key_id, site, first_seen_at, last_seen_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', '192.0.2.1', '2026-11-26 09:39:29.081+00', '2026-11-26 09:39:29.081+00');
INSERT INTO api_key_usage (tenant_id, key_id, hour, requests, errors) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', '2026-11-26 09:39:29.081+00', '5', '0');
INSERT INTO application (tenant_id, id, environment, external_id, status, status_reason, status_note, level, purpose, channel, renews_application_id, full_name, tax_id_mac, email_mac, applicant, person_unseen_at, product_codes, metadata, submitted_at, decided_at, expires_at, valid_until, review_due_at, relationship_ended_at, erased_at, resubmission_count, version, created_by, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', 'live', NULL, 'draft', NULL, NULL, 'basic', 'other', 'api', NULL, 'Maria', NULL, NULL, '{}', NULL, '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '0', '1', '{}', '2026-11-26 09:39:33.324+00', '2026-11-26 09:39:33.324+00');
INSERT INTO attestation (tenant_id, id, application_id, environment, sequence, requirement_key, outcome, source, looked_up_at, note, subject, evidence_document_id, created_by, created_at, erased_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', '00000000-0000-4000-8000-00000000000c', 'live', '1', 'cpf_status_ok', 'pass', 'The register.', '2026-11-26 09:39:29.081+00', 'Regular.', '{}', NULL, '{}', '2026-11-26 09:39:29.081+00', NULL);
INSERT INTO audit_checkpoint (tenant_id, tree_size, root_hash, head_hash, signed_at, previous_hash, key_id, signature, hash) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '1', E'\\x0000000000000000000000000000000000000000000000000000000000000000', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '2026-11-26 09:39:29.081+00', NULL, 'k', E'\\x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000', E'\\x0000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO audit_event (tenant_id, sequence, id, environment, occurred_at, actor, action, resource_type, resource_id, outcome, reason, request_id, ip, user_agent, changes, sealed_ref, prev_hash, hash) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '1', '00000000-0000-4000-8000-00000000000c', 'live', '2026-11-26 09:39:29.081+00', '{"id": null, "type": "user", "display": "A", "impersonatorId": null}', 'audit.viewed', 'audit_log', NULL, 'success', NULL, NULL, NULL, NULL, '[]', NULL, E'\\x0000000000000000000000000000000000000000000000000000000000000000', E'\\x0000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO audit_export (tenant_id, id, status, format, include_proofs, filter, environments, first_sequence, last_sequence, "position", tree_size, event_count, size_bytes, created_at, created_by, ready_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', 'running', 'csv', 'false', '{}', '{live}', '1', '5', '0', NULL, '0', '0', '2026-11-26 09:39:29.081+00', '{}', NULL);
INSERT INTO audit_head (tenant_id, sequence, prev_hash, hash) OVERRIDING SYSTEM VALUE VALUES ('00000000-0000-7000-8000-000000000001', '0', E'\\x22f89e6d27b4acfea291e65af89887d51bbecff092631b864ba2ff43f62e7383', E'\\x22f89e6d27b4acfea291e65af89887d51bbecff092631b864ba2ff43f62e7383');
INSERT INTO audit_head (tenant_id, sequence, prev_hash, hash) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '0', E'\\xc116f349deedd3cc9474acb1437e96a8f314932427e9bd653c1a7ae57855b35a', E'\\xc116f349deedd3cc9474acb1437e96a8f314932427e9bd653c1a7ae57855b35a');
INSERT INTO audit_node (tenant_id, level, index, hash) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '1', '0', E'\\x0000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO consent (tenant_id, id, application_id, environment, sequence, action, purpose, legal_basis, text_version, text_sha256, locale, channel, captured_at, ip, user_agent, evidence_document_id, created_at, created_by, erased_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', '00000000-0000-4000-8000-00000000000c', 'live', '1', 'granted', 'marketing', 'consent', '1', '0000000000000000000000000000000000000000000000000000000000000000', 'pt-BR', 'web', '2026-11-26 09:39:29.081+00', NULL, NULL, NULL, '2026-11-26 09:39:29.081+00', '{}', NULL);
INSERT INTO decision (tenant_id, id, application_id, environment, sequence, outcome, reject_type, reason_codes, note, applicant_message, status, four_eyes_reasons, evidence_digest, manifest, policy_version, made_by, created_at, effective_at, erased_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', '00000000-0000-4000-8000-00000000000c', 'live', '1', 'approve', NULL, '{low_risk}', 'Nothing unusual.', NULL, 'pending_review', '{pep_declared}', 'd', '{}', '1', '{}', '2026-11-26 09:39:29.081+00', NULL, NULL);
INSERT INTO deleted_document (tenant_id, id, application_id, environment, deleted_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', '00000000-0000-4000-8000-00000000000c', 'live', '2026-11-26 09:39:29.081+00');
INSERT INTO demo (one, sealed) OVERRIDING SYSTEM VALUE VALUES ('true', E'\\x0000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO dict_inbox (tenant_id, env, ispb, id, received_at, sha256, xml, verdict) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', 'live', '1', '0dae08c7-b4d1-4b55-826f-ade390408aa5', '2026-11-26 09:39:29.081+00', 'x', E'\\x0000000000000000000000000000000000000000000000000000000000000000', 'processed');
INSERT INTO dict_sim_command (tenant_id, env, seq, at, command) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', 'sandbox', '1', '2026-11-26 09:39:29.081+00', '{}');
INSERT INTO dict_sim_fault (tenant_id, env, kind, remaining) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', 'sandbox', 'slow', '1');
INSERT INTO dict_stream (tenant_id, env, ispb, incarnation, version, page_cursor, tail, watermarks, reconciled_at, last_ok_at, gap_since) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', 'live', '1', 'acf66001-d3d8-4df8-990b-8025533dec43', '0', NULL, '[]', '{}', NULL, NULL, NULL);
INSERT INTO dict_unread (tenant_id, env, ispb, funds_recovery_id, listed_at, reports, refunds) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', 'live', '1', '00000000-0000-4000-8000-00000000000c', '2026-11-26 09:39:29.081+00', '[]', '[]');
INSERT INTO document (tenant_id, id, application_id, environment, type, side, country, expires_on, file_name, mime_type, size_bytes, sha256, original_sha256, page_count, status, rejection_code, signals, answers, storage_key, sealed_at, file_erased_at, erased_at, version, created_by, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', '00000000-0000-4000-8000-00000000000c', 'live', 'passport', 'single', NULL, NULL, 'a.pdf', 'application/pdf', '1', '0000000000000000000000000000000000000000000000000000000000000000', NULL, NULL, 'uploaded', NULL, '{}', NULL, 'k', NULL, NULL, NULL, '1', '{}', '2026-11-26 09:39:33.333+00', '2026-11-26 09:39:33.333+00');
INSERT INTO fr_consumer (tenant_id, env, consumer_id, generation, acked_seq, acked_at, last_polled_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', 'live', 'c', '1', '5', NULL, NULL);
INSERT INTO fr_event (tenant_id, env, seq, event_id, funds_recovery_id, event_type, status, occurred_at, received_at, dedupe_key, raw_payload) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', 'live', '1', 'e', '00000000-0000-4000-8000-00000000000c', 't', 'TRACKED', '2026-11-26 09:39:29.081+00', '2026-11-26 09:39:33.297+00', 'd', '{}');
INSERT INTO fr_feed (tenant_id, env, generation, last_seq, floor_seq) OVERRIDING SYSTEM VALUE VALUES ('00000000-0000-7000-8000-000000000001', 'live', '1', '0', '0');
INSERT INTO fr_feed (tenant_id, env, generation, last_seq, floor_seq) OVERRIDING SYSTEM VALUE VALUES ('00000000-0000-7000-8000-000000000001', 'sandbox', '1', '0', '0');
INSERT INTO fr_feed (tenant_id, env, generation, last_seq, floor_seq) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', 'live', '1', '0', '0');
INSERT INTO fr_feed (tenant_id, env, generation, last_seq, floor_seq) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', 'sandbox', '1', '0', '0');
INSERT INTO fr_record (tenant_id, env, funds_recovery_id, ispb, role, root_transaction_id, status, revision, created_at, last_modified, analysed_at, next_deadline_at, next_deadline_stage, next_notice_at, wake_at, last_read_at, published_keys, held, snapshot, root_amount, requested_amount, refunded_amount, erased_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', 'live', '00000000-0000-4000-8000-00000000000c', '1', 'SENT', 'r', 'TRACKED', '1', '2026-11-26 09:39:29.081+00', '2026-11-26 09:39:29.081+00', NULL, NULL, NULL, NULL, NULL, NULL, '[]', '{}', '{}', NULL, '0', '0', NULL);
INSERT INTO fr_recovery (tenant_id, env, funds_recovery_id, status, phase_began_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', 'live', '00000000-0000-4000-8000-00000000000c', 'TRACKED', '2026-11-26 09:39:29.081+00');
INSERT INTO fr_reference (tenant_id, env, funds_recovery_id, kind, value) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', 'live', '00000000-0000-4000-8000-00000000000c', 'participant', '90400888');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('1', '2026-11-26 09:39:31.523721+00', 'true');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('10', '2026-11-26 09:39:31.579495+00', 'false');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('11', '2026-11-26 09:39:31.581039+00', 'true');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('12', '2026-11-26 09:39:31.622999+00', 'false');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('13', '2026-11-26 09:39:31.627176+00', 'true');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('14', '2026-11-26 09:39:31.633631+00', 'true');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('15', '2026-11-26 09:39:31.63702+00', 'false');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('16', '2026-11-26 09:39:31.63839+00', 'true');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('17', '2026-11-26 09:39:31.652312+00', 'false');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('18', '2026-11-26 09:39:31.716966+00', 'false');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('19', '2026-11-26 09:39:31.719908+00', 'true');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('2', '2026-11-26 09:39:31.542426+00', 'false');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('20', '2026-11-26 09:39:31.73688+00', 'false');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('3', '2026-11-26 09:39:31.548935+00', 'true');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('4', '2026-11-26 09:39:31.553218+00', 'false');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('5', '2026-11-26 09:39:31.555697+00', 'false');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('6', '2026-11-26 09:39:31.565187+00', 'false');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('7', '2026-11-26 09:39:31.567372+00', 'false');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('8', '2026-11-26 09:39:31.570414+00', 'false');
INSERT INTO graphile_worker.migrations (id, ts, breaking) OVERRIDING SYSTEM VALUE VALUES ('9', '2026-11-26 09:39:31.573653+00', 'false');
INSERT INTO hit_decision (tenant_id, id, environment, sequence, screening_id, hit_id, subject_id, list_id, list_sequence, entity_mac, entity_hash, subject_hash, status, holds_below, reason_code, note, state, created_by, created_at, reviewed_by, review_note) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', 'live', '1', '00000000-0000-4000-8000-00000000000c', '00000000-0000-4000-8000-00000000000c', '00000000-0000-4000-8000-00000000000c', 'un-csnu', '1', E'\\x0000000000000000000000000000000000000000000000000000000000000000', E'\\x0000000000000000000000000000000000000000000000000000000000000000', E'\\x0000000000000000000000000000000000000000000000000000000000000000', 'false_positive', NULL, 'other', 'n', 'proposed', '{}', '2026-11-26 09:39:29.081+00', NULL, NULL);
INSERT INTO idempotency_record (tenant_id, environment, principal, method, path, key_hash, fingerprint, status, headers, body, personal_data, created_at, expires_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', 'live', 'p', 'POST', '/', E'\\x0000000000000000000000000000000000000000000000000000000000000000', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '201', '{}', NULL, 'true', '2026-11-26 09:39:33.364+00', '2100-01-01 00:00:00+00');
INSERT INTO information_request (tenant_id, id, application_id, environment, sequence, status, items, internal_note, due_at, created_by, created_at, answered_at, provided, erased_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', '00000000-0000-4000-8000-00000000000c', 'live', '1', 'open', '[]', 'Look closely.', '2026-11-26 09:39:29.081+00', '{}', '2026-11-26 09:39:29.081+00', NULL, '{}', NULL);
INSERT INTO invitation (tenant_id, id, user_id, token_hash, invited_by, created_at, sent_at, expires_at, accepted_at, revoked_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', '00000000-0000-4000-8000-00000000000c', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '{}', '2026-11-26 09:39:29.081+00', '2026-11-26 09:39:29.081+00', '2026-11-26 09:39:29.081+00', NULL, NULL);
INSERT INTO job_success (name, every_seconds, at) OVERRIDING SYSTEM VALUE VALUES ('j', '1', '2026-11-26 09:39:29.081+00');
INSERT INTO known_place (account, place, kind, seen_at) OVERRIDING SYSTEM VALUE VALUES ('a', 'p', 'site', '2026-11-26 09:39:29.081+00');
INSERT INTO login_throttle (key, account, failures, lockouts, window_start, locked_until) OVERRIDING SYSTEM VALUE VALUES ('k', NULL, '0', '0', '2026-11-26 09:39:33.292+00', NULL);
INSERT INTO mail_message (id, tenant_id, template, recipient_mac, sealed, attempts, next_attempt_at, last_error, delivered_at, given_up_at, created_at) OVERRIDING SYSTEM VALUE VALUES ('00000000-0000-4000-8000-00000000000c', '01a21739-7ce2-7471-ba5b-a2f5b52f26a2', 't', E'\\x0000000000000000000000000000000000000000000000000000000000000000', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '0', '2026-11-26 09:39:29.081+00', NULL, NULL, NULL, '2026-11-26 09:39:29.081+00');
INSERT INTO mail_quota (key, used, began_at) OVERRIDING SYSTEM VALUE VALUES ('k', '1', '2026-11-26 09:39:29.081+00');
INSERT INTO membership (tenant_id, user_id, role, status, name, last_login_at, version, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', 'owner', 'active', NULL, NULL, '1', '2026-11-26 09:39:33.269+00', '2026-11-26 09:39:33.269+00');
INSERT INTO monitored_list_set (tenant_id, environment, sequences, done_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', 'live', '{}', '2026-11-26 09:39:29.081+00');
INSERT INTO monitoring_alert (tenant_id, id, subscription_id, environment, application_id, kind, severity, status, dedupe_key, occurrences, first_seen_at, last_seen_at, sla_due_at, screening_id, hit_id, list_id, entity_mac, entity_hash, score, score_before, document_id, due_on, outcome, reason_code, note, triaged_by, triaged_at, told_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', '00000000-0000-4000-8000-00000000000c', 'live', '00000000-0000-4000-8000-00000000000c', 'sanctions', 'high', 'open', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '1', '2026-11-26 09:39:29.081+00', '2026-11-26 09:39:29.081+00', '2026-11-26 09:39:29.081+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO monitoring_algorithm (tenant_id, environment, released, released_at, released_by, note) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', 'live', 'm2', NULL, NULL, NULL);
INSERT INTO monitoring_run (tenant_id, id, subscription_id, environment, at, trigger, result, screening_id, new_alerts) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', '00000000-0000-4000-8000-00000000000c', 'live', '2026-11-26 09:39:29.081+00', 'requested', 'clear', NULL, '0');
INSERT INTO monitoring_subscription (tenant_id, id, environment, application_id, checks, interval_days, status, pause_reason, pause_until, end_reason, waiting_for, next_run_at, last_run_at, last_result, compared, rehearsal, version, created_at, updated_at, created_by) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', 'live', '00000000-0000-4000-8000-00000000000c', '{sanctions}', NULL, 'active', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '1', '2026-11-26 09:39:29.081+00', '2026-11-26 09:39:29.081+00', '{}');
INSERT INTO onboarding_step (tenant_id, step_key, completed_at, regressed_at, dismissed_at, dismissed_by, dismissed_reason) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', 's', NULL, NULL, NULL, NULL, NULL);
INSERT INTO own_list_part (tenant_id, version_id, environment, part, content) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', 'sandbox', '0', '{}');
INSERT INTO own_list_version (tenant_id, id, environment, sequence, version, sha256, entry_count, added, changed, match_changed, removed, ingested_at, checked_at, ingested_by, ended_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', 'sandbox', '1', 'v', 's', '1', '1', '0', '0', '0', '2026-11-26 09:39:29.081+00', '2026-11-26 09:39:29.081+00', '{}', NULL);
INSERT INTO password_history (user_id, password_hash, replaced_at) OVERRIDING SYSTEM VALUE VALUES ('00000000-0000-4000-8000-00000000000c', 'h', '2026-11-26 09:39:29.081+00');
INSERT INTO password_reset (user_id, hash, requested_at, expires_at) OVERRIDING SYSTEM VALUE VALUES ('00000000-0000-4000-8000-00000000000c', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '2026-11-26 09:39:29.081+00', '2026-11-26 09:39:29.081+00');
INSERT INTO recovery_code (user_id, hash, used_at) OVERRIDING SYSTEM VALUE VALUES ('00000000-0000-4000-8000-00000000000c', E'\\x0000000000000000000000000000000000000000000000000000000000000000', NULL);
INSERT INTO refresh_token (tenant_id, hash, session_id, issued_at, expires_at, superseded_at, successor) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '00000000-0000-4000-8000-00000000000c', '2026-11-26 09:39:33.31+00', '2026-11-26 09:39:29.081+00', NULL, NULL);
INSERT INTO schema_migration (id, name, batch, migration_time) OVERRIDING SYSTEM VALUE VALUES ('1', '0000-schema', '1', '2026-11-26 09:39:32.313+00');
INSERT INTO schema_migration_lock (index, is_locked) OVERRIDING SYSTEM VALUE VALUES ('1', '0');
INSERT INTO screening (tenant_id, id, environment, sequence, application_id, subject_id, previous_screening_id, diff, result, subject, comparable, criteria, profile_version, lines, lists, stale_lists, hit_count, open_hit_count, truncated, algorithm_version, duration_ms, created_at, created_by) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', 'live', '1', NULL, '00000000-0000-4000-8000-00000000000c', NULL, NULL, 'clear', '{}', 'true', '{}', NULL, NULL, '[]', '{}', '0', '0', 'false', 'm2', '1', '2026-11-26 09:39:29.081+00', '{}');
INSERT INTO screening_hit (tenant_id, id, screening_id, environment, "position", list_id, category, score, subject_id, entity_mac, entity_hash, subject_hash, status, decision_id, allowlist_entry_id, content) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', '00000000-0000-4000-8000-00000000000c', 'live', '0', 'un-csnu', 'sanction', '0.9', '00000000-0000-4000-8000-00000000000c', E'\\x0000000000000000000000000000000000000000000000000000000000000000', E'\\x0000000000000000000000000000000000000000000000000000000000000000', E'\\x0000000000000000000000000000000000000000000000000000000000000000', 'open', NULL, NULL, '{}');
INSERT INTO second_review (tenant_id, id, environment, subject_type, subject_id, maker, maker_persons, digest, state, checker, note, created_at, closed_at, erased_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', 'live', 'decision', '00000000-0000-4000-8000-00000000000c', '{}', '{"${USER}"}', 'd', 'pending', NULL, NULL, '2026-11-26 09:39:29.081+00', NULL, NULL);
INSERT INTO session (tenant_id, id, user_id, mfa, step_up_at, idle_seconds, password_outdated, created_at, last_seen_at, absolute_expires_at, ended_at, ended_reason, user_agent, user_agent_hash, ip) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', '00000000-0000-4000-8000-00000000000c', 'false', NULL, '1209600', 'false', '2026-11-26 09:39:33.274+00', '2026-11-26 09:39:33.274+00', '2100-01-01 00:00:00+00', NULL, NULL, NULL, NULL, NULL);
INSERT INTO simulated_entry (tenant_id, id, environment, application_id, list_id, content, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', 'sandbox', '00000000-0000-4000-8000-00000000000c', 'un-csnu', '{}', '2026-11-26 09:39:29.081+00');
INSERT INTO subject_key (tenant_id, subject_type, subject_id, environment, wrapped, created_at, destroyed_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', 'application', '00000000-0000-4000-8000-00000000000c', 'live', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '2026-11-26 09:39:29.081+00', NULL);
INSERT INTO task (tenant_id, id, kind, subject_id, attempts, is_bulk, due_at, created_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', 'k', '00000000-0000-4000-8000-00000000000c', '0', 'false', '2026-11-26 09:39:29.081+00', '2026-11-26 09:39:29.081+00');
INSERT INTO tenant (id, slug, name, status, status_reason, status_note, status_changed_at, status_changed_by, suspended_from, go_live_at, plan, region, quotas, sandbox_enabled, sandbox_enabled_at, sandbox_enabled_by, sandbox_changed_at, sandbox_clock_offset_seconds, closure_requested_at, closure_requested_by, closure_reason, closure_note, version, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('00000000-0000-7000-8000-000000000001', 'platform', 'Platform', 'active', NULL, NULL, NULL, NULL, NULL, NULL, 'standard', 'default', '{}', 'false', NULL, NULL, NULL, '0', NULL, NULL, NULL, NULL, '1', '2026-11-26 09:39:31.139+00', '2026-11-26 09:39:31.139+00');
INSERT INTO tenant (id, slug, name, status, status_reason, status_note, status_changed_at, status_changed_by, suspended_from, go_live_at, plan, region, quotas, sandbox_enabled, sandbox_enabled_at, sandbox_enabled_by, sandbox_changed_at, sandbox_clock_offset_seconds, closure_requested_at, closure_requested_by, closure_reason, closure_note, version, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', 't-a2f5b52f26a2', 'Test tenant', 'active', NULL, NULL, NULL, NULL, NULL, NULL, 'standard', 'default', '{}', 'false', NULL, NULL, NULL, '0', NULL, NULL, NULL, NULL, '1', '2026-11-26 09:39:33.228+00', '2026-11-26 09:39:33.228+00');
INSERT INTO tenant_settings (tenant_id, document, version, policy_version, profile_version, updated_by, updated_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '{}', '1', '1', '1', NULL, '2026-11-26 09:39:33.262+00');
INSERT INTO user_account (id, email_normalised, email, name, password_hash, password_changed_at, status, locked_until, last_login_at, created_at, updated_at) OVERRIDING SYSTEM VALUE VALUES ('00000000-0000-4000-8000-00000000000c', 'a@example.com', 'a@example.com', 'A', 'h', '2026-11-26 09:39:33.264+00', 'active', NULL, NULL, '2026-11-26 09:39:33.264+00', '2026-11-26 09:39:33.264+00');
INSERT INTO user_totp (user_id, secret, created_at, expires_at, confirmed_at, last_step) OVERRIDING SYSTEM VALUE VALUES ('00000000-0000-4000-8000-00000000000c', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '2026-11-26 09:39:33.27+00', NULL, '2026-01-01 00:00:00+00', '7');
INSERT INTO waiver (tenant_id, id, application_id, environment, sequence, action, requirement_key, reason_code, note, created_by, created_at, erased_at) OVERRIDING SYSTEM VALUE VALUES ('01a21739-7ce2-7471-ba5b-a2f5b52f26a2', '00000000-0000-4000-8000-00000000000c', '00000000-0000-4000-8000-00000000000c', 'live', '1', 'granted', 'address', 'other', 'Seen by the branch.', '{}', '2026-11-26 09:39:29.081+00', NULL);
INSERT INTO watch_list_entity (environment, list_id, key, from_sequence, to_sequence, content_hash, match_hash, document) OVERRIDING SYSTEM VALUE VALUES ('live', 'un-csnu', 'k', '1', NULL, E'\\x0000000000000000000000000000000000000000000000000000000000000000', E'\\x0000000000000000000000000000000000000000000000000000000000000000', '{}');
INSERT INTO watch_list_file (environment, list_id, sequence, role, part, bytes) OVERRIDING SYSTEM VALUE VALUES ('live', 'un-csnu', '9', 'main', '0', E'\\x0000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO watch_list_proposal (id, list_id, after, version, format, published_on, sha256, entry_count, added, changed, match_changed, removed, proposed_at, proposed_by) OVERRIDING SYSTEM VALUE VALUES ('00000000-0000-4000-8000-00000000000c', 'un-csnu', '1', 'v', 'un-xml', NULL, '0000000000000000000000000000000000000000000000000000000000000000', '1', '0', '0', '0', '1', '2026-11-26 09:39:29.081+00', '{}');
INSERT INTO watch_list_version (environment, list_id, sequence, version, restores, format, published_on, sha256, size_bytes, entry_count, added, changed, match_changed, removed, quarantined_names, quarantine, ingested_at, checked_at, ingested_by) OVERRIDING SYSTEM VALUE VALUES ('live', 'un-csnu', '9', 'v', NULL, 'un-xml', NULL, '0000000000000000000000000000000000000000000000000000000000000000', '1', '1', '1', '0', '0', '0', '0', '[]', '2026-11-26 09:39:29.081+00', '2026-11-26 09:39:29.081+00', '{}');
SELECT setval('public.attestation_sequence_seq', 1);
SELECT setval('public.consent_sequence_seq', 1);
SELECT setval('public.decision_sequence_seq', 1);
SELECT setval('public.hit_decision_sequence_seq', 1);
SELECT setval('public.information_request_sequence_seq', 1);
SELECT setval('public.schema_migration_id_seq', 1);
SELECT setval('public.schema_migration_lock_index_seq', 1);
SELECT setval('public.screening_sequence_seq', 1);
SELECT setval('public.waiver_sequence_seq', 1);
RESET session_replication_role;
RESET check_function_bodies;
