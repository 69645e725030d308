/** What a role may write of a table: the columns that some statement of the service inserts, and those that one updates. */
export interface Writable {
  readonly insert?: string;
  /** Columns, and why they may change. A row lock (FOR UPDATE) takes the right to update one of them. */
  readonly update?: Readonly<Record<string, string>>;
}

export interface WritableBy {
  readonly app?: Writable;
  readonly platform?: Writable;
}

const CHAIN = { 'sequence prev_hash hash': 'each event moves the head of its chain one step forward' };
const EVENT = 'tenant_id sequence id environment occurred_at actor action resource_type resource_id outcome reason request_id ip user_agent changes sealed_ref prev_hash hash';
const RECORD = 'tenant_id environment principal method path key_hash fingerprint status headers body personal_data created_at expires_at';
const MESSAGE = 'id tenant_id template recipient_mac sealed created_at next_attempt_at';
const ARMED = { remaining: 'a fault is armed, and used up by the answers that it disturbs' };

/**
 * Of every table, what may be written and by whom; what is not here cannot be, and a table that is not here only be read.
 * A migration that adds a column or a table adds it here and ends with `grantWritable` (row-level-security.ts).
 */
export const writable: Readonly<Record<string, WritableBy>> = {
  allowlist_entry: {
    app: {
      insert: 'tenant_id id environment subject_mac list_id entity_mac entity_hash application_id subject_id screening_id hit_id entity_key reason_code expires_at created_at created_by decision_id compared_hash',
      update: { 'status revoke_reason': 'it is revoked, expires, or its entity changes' },
    },
  },
  api_key: {
    app: {
      insert: 'tenant_id id prefix client_id quota_client_id name environment scopes pin_environment personal_data granted_by granted_role ip_allowlist expires_at secret_mac created_by created_at updated_at',
      update: {
        'name pin_environment ip_allowlist expires_at scopes': 'administrators change what a key is called and may do',
        'personal_data granted_by granted_role': 'somebody else answers for a key, and shows it more or less of persons',
        'status successor_prefix grace_until revoked_at': 'a key is rotated and revoked',
        'last_used_at last_used_ip end_recorded_at': 'its last use and its end are written down',
        'updated_at version': 'each change has a time and a number',
      },
    },
  },
  api_key_site: { app: { insert: 'tenant_id key_id site first_seen_at last_seen_at', update: { last_seen_at: 'a key is used again from the same place' } } },
  api_key_usage: { app: { insert: 'tenant_id key_id hour requests errors', update: { 'requests errors': 'the uses of an hour are added up' } } },
  application: {
    app: {
      insert: 'tenant_id id environment external_id status status_reason status_note level purpose channel full_name tax_id_mac email_mac applicant '
        + 'product_codes metadata submitted_at renews_application_id expires_at version created_at updated_at created_by',
      update: {
        'external_id level purpose channel full_name tax_id_mac email_mac applicant product_codes metadata': 'a draft is edited',
        'status status_reason status_note submitted_at expires_at': 'it is submitted, withdrawn or expires',
        resubmission_count: 'the applicant answers',
        'decided_at valid_until review_due_at': 'it is decided, and reopened',
        relationship_ended_at: 'an approved person ceases to be a customer',
        erased_at: 'it is erased',
        person_unseen_at: 'somebody overwrites a person whom they see masked',
        'version updated_at': 'each change has a number and a time',
      },
    },
  },
  attestation: {
    app: {
      insert: 'tenant_id id application_id environment requirement_key outcome source looked_up_at note subject evidence_document_id created_by created_at',
      update: { 'source note subject erased_at': 'its application is erased' },
    },
  },
  audit_checkpoint: { platform: { insert: 'tenant_id tree_size root_hash head_hash signed_at previous_hash key_id signature hash' } },
  audit_event: { app: { insert: EVENT }, platform: { insert: EVENT } },
  audit_export: {
    app: {
      insert: 'tenant_id id format include_proofs filter environments first_sequence last_sequence position created_at created_by',
      update: { 'last_sequence tree_size': 'the log is signed', 'position event_count size_bytes status ready_at': 'its part of the log is read' },
    },
  },
  audit_head: { app: { update: CHAIN }, platform: { insert: 'tenant_id sequence prev_hash hash', update: CHAIN } },
  audit_node: { platform: { insert: 'tenant_id level index hash' } },
  consent: {
    app: {
      insert: 'tenant_id id application_id environment action purpose legal_basis text_version text_sha256 locale channel captured_at ip user_agent evidence_document_id created_at created_by',
      update: { 'ip user_agent erased_at': 'its application is erased' },
    },
  },
  decision: {
    app: {
      insert: 'tenant_id id application_id environment outcome reject_type reason_codes note applicant_message status four_eyes_reasons evidence_digest manifest '
        + 'policy_version made_by created_at effective_at',
      update: {
        'status effective_at': 'a second person confirms or returns it, or the evidence changes',
        'note applicant_message four_eyes_reasons erased_at': 'its application is erased',
      },
    },
  },
  deleted_document: { app: { insert: 'tenant_id id application_id environment deleted_at' } },
  demo: { platform: { insert: 'sealed', update: { sealed: 'its links are renewed at each start' } } },
  dict_inbox: { app: { insert: 'tenant_id env ispb received_at sha256 verdict xml', update: { xml: 'a page is erased' } } },
  dict_sim_command: { app: { insert: 'tenant_id env seq at command' } },
  dict_sim_fault: { app: { insert: 'tenant_id env kind remaining', update: ARMED }, platform: { update: ARMED } },
  dict_stream: { app: { insert: 'tenant_id env ispb', update: { 'version page_cursor tail watermarks reconciled_at last_ok_at gap_since': 'it says how far the directory has been read' } } },
  dict_unread: { app: { insert: 'tenant_id env ispb funds_recovery_id listed_at reports refunds', update: { 'reports refunds': 'the lists show more of it before it is read' } } },
  document: {
    app: {
      insert: 'tenant_id id application_id environment type side country expires_on file_name mime_type size_bytes sha256 original_sha256 page_count status signals '
        + 'answers storage_key created_by created_at updated_at sealed_at',
      update: {
        'expires_on version updated_at': 'a simulation lets a document of the sandbox expire',
        status: 'a newer document takes its place',
        rejection_code: 'it may be used no longer',
        file_erased_at: 'the time for which a picture of the body is kept has passed',
        'file_name country signals erased_at': 'its application is erased',
        sealed_at: 'the file of a time before files were sealed is sealed',
      },
    },
  },
  fr_consumer: { app: { insert: 'tenant_id env consumer_id generation acked_seq acked_at last_polled_at', update: { 'generation acked_seq acked_at last_polled_at': 'a consumer moves forward' } } },
  fr_event: { app: { insert: 'tenant_id env seq event_id funds_recovery_id event_type status occurred_at dedupe_key raw_payload', update: { raw_payload: 'a payload is erased' } } },
  fr_feed: {
    app: { update: { last_seq: 'events are published', floor_seq: 'old events end', generation: 'a sandbox feed is started anew, or the database was restored' } },
    platform: { insert: 'tenant_id env' },
  },
  fr_record: {
    app: {
      insert: 'tenant_id env funds_recovery_id ispb role root_transaction_id status revision created_at last_modified analysed_at next_deadline_at '
        + 'next_deadline_stage next_notice_at wake_at last_read_at published_keys held snapshot',
      update: {
        'ispb role status revision last_modified analysed_at next_deadline_at next_deadline_stage published_keys held snapshot': 'the directory shows a recovery anew',
        'wake_at last_read_at next_notice_at': 'when to look at it again',
        erased_at: 'the payloads of a recovery are erased',
      },
    },
  },
  fr_recovery: { app: { insert: 'tenant_id env funds_recovery_id status phase_began_at', update: { 'status phase_began_at': 'a recovery goes on to its next phase' } } },
  fr_reference: { app: { insert: 'tenant_id env funds_recovery_id kind value' } },
  hit_decision: {
    app: {
      insert: 'tenant_id id environment screening_id hit_id subject_id list_id list_sequence entity_mac entity_hash subject_hash status reason_code note state created_by created_at holds_below',
      update: { 'state reviewed_by review_note sequence': 'a second person confirms or returns it, and it holds from then on' },
    },
  },
  idempotency_record: { app: { insert: RECORD }, platform: { insert: RECORD } },
  information_request: {
    app: {
      insert: 'tenant_id id application_id environment status items internal_note due_at created_by created_at answered_at',
      update: {
        provided: 'the applicant provides something', 'status answered_at': 'the applicant answers or does not, or the application is withdrawn',
        'items internal_note erased_at': 'its application is erased',
      },
    },
  },
  invitation: {
    platform: {
      insert: 'tenant_id id user_id token_hash invited_by created_at sent_at expires_at',
      update: { 'token_hash invited_by sent_at expires_at': 'an open invitation is sent again', 'accepted_at revoked_at': 'it is accepted or withdrawn' },
    },
  },
  job_success: { platform: { insert: 'name every_seconds at', update: { 'every_seconds at': 'a job succeeds again' } } },
  known_place: { platform: { insert: 'account place kind seen_at', update: { seen_at: 'somebody signs in from there again' } } },
  login_throttle: { platform: { insert: 'key account window_start', update: { 'account failures lockouts window_start locked_until': 'failures are counted, under keys that name nobody, and begin anew' } } },
  mail_quota: { platform: { insert: 'key used began_at', update: { 'used began_at': 'mail is counted, under keys that name nobody, and counted anew after a day' } } },
  mail_message: {
    app: { insert: MESSAGE },
    platform: {
      insert: MESSAGE,
      update: { 'delivered_at given_up_at sealed attempts last_error next_attempt_at': 'a letter is delivered, tried again or given up' },
    },
  },
  membership: {
    platform: {
      insert: 'tenant_id user_id role status created_at updated_at',
      update: {
        'name role status': 'administrators change a member, who joins, is locked and leaves', last_login_at: 'somebody signs in',
        'updated_at version': 'each change has a time and a number',
      },
    },
  },
  monitored_list_set: { app: { insert: 'tenant_id environment sequences done_at', update: { 'sequences done_at': 'everybody of the tenant was looked at by later versions' } } },
  monitoring_alert: {
    app: {
      insert: 'tenant_id id subscription_id environment application_id kind severity dedupe_key first_seen_at last_seen_at sla_due_at screening_id hit_id list_id entity_mac entity_hash score score_before document_id due_on',
      update: {
        'severity occurrences last_seen_at sla_due_at screening_id hit_id score score_before': 'another run sees it too',
        status: 'somebody deals with it, or it is no longer so',
        'outcome reason_code note triaged_by triaged_at': 'somebody says what becomes of it',
        told_at: 'a letter has told of it',
      },
    },
  },
  monitoring_algorithm: { app: { insert: 'tenant_id environment released', update: { 'released released_at released_by note': 'a compliance officer releases a later algorithm' } } },
  monitoring_run: { app: { insert: 'tenant_id id subscription_id environment at trigger result screening_id new_alerts' } },
  monitoring_subscription: {
    app: {
      insert: 'tenant_id id environment application_id checks interval_days waiting_for next_run_at created_at updated_at created_by',
      update: {
        'checks interval_days': 'somebody is watched for something else, or at other times',
        'status pause_reason pause_until end_reason': 'it is paused, goes on, and ends',
        'waiting_for next_run_at last_run_at last_result compared': 'a run is asked for, and done',
        rehearsal: 'a run by a later algorithm was rehearsed',
        'version updated_at': 'each change has a number and a time',
      },
    },
  },
  onboarding_step: {
    app: {
      insert: 'tenant_id step_key completed_at dismissed_at dismissed_by dismissed_reason',
      update: { 'completed_at regressed_at dismissed_at dismissed_by dismissed_reason': 'a step is done, falls back, is put aside and taken up again' },
    },
  },
  own_list_part: { app: { insert: 'tenant_id version_id environment part content' } },
  own_list_version: {
    app: {
      insert: 'tenant_id id environment sequence version sha256 entry_count added changed match_changed removed ingested_at checked_at ingested_by',
      update: { checked_at: 'the same file is sent again', ended_at: 'another takes its place, or the list is removed' },
    },
  },
  password_history: { platform: { insert: 'user_id password_hash replaced_at' } },
  password_reset: { platform: { insert: 'user_id hash requested_at expires_at', update: { expires_at: 'whoever uses a link locks its row; a trigger lets nothing change' } } },
  recovery_code: { platform: { insert: 'user_id hash', update: { used_at: 'a code is used' } } },
  refresh_token: { platform: { insert: 'tenant_id hash session_id issued_at expires_at', update: { 'superseded_at successor': 'a token is exchanged for the next' } } },
  screening: {
    app: {
      insert: 'tenant_id id environment application_id subject_id previous_screening_id diff result subject criteria lists stale_lists hit_count open_hit_count truncated algorithm_version '
        + 'comparable profile_version lines duration_ms created_at created_by',
      update: { 'result open_hit_count': 'its hits are decided' },
    },
  },
  screening_hit: {
    app: {
      insert: 'tenant_id id screening_id environment position list_id category score subject_id entity_mac entity_hash subject_hash status decision_id allowlist_entry_id content',
      update: { 'status decision_id allowlist_entry_id': 'it is decided, or no longer dismissed' },
    },
  },
  second_review: {
    app: {
      insert: 'tenant_id id environment subject_type subject_id maker maker_persons digest created_at',
      update: { 'state checker note closed_at': 'a second person gives a verdict, or what was proposed no longer stands', erased_at: 'its application is erased' },
    },
    platform: {
      insert: 'tenant_id id environment subject_type subject_id maker maker_persons digest created_at',
      update: { 'state checker note closed_at': 'a second administrator gives a verdict about a version of a list, or it no longer stands' },
    },
  },
  session: {
    app: { update: { 'ended_at ended_reason': 'people end their sessions, administrators those of others' } },
    platform: {
      insert: 'tenant_id id user_id created_at last_seen_at absolute_expires_at idle_seconds user_agent user_agent_hash ip mfa step_up_at password_outdated',
      update: {
        'last_seen_at idle_seconds': 'a session is used', 'mfa step_up_at': 'a second factor is shown or withdrawn',
        password_outdated: 'a better password is set', 'ended_at ended_reason': 'a session ends',
      },
    },
  },
  simulated_entry: { app: { insert: 'tenant_id id environment application_id list_id content created_at' } },
  subject_key: { app: { insert: 'tenant_id subject_type subject_id environment wrapped created_at', update: { 'wrapped destroyed_at': 'what is kept about the subject is erased' } } },
  task: { app: { insert: 'tenant_id id kind subject_id is_bulk due_at created_at', update: { 'attempts due_at': 'a step of it is done, or fails and is tried again' } } },
  tenant: {
    app: {
      update: {
        'sandbox_enabled sandbox_enabled_at sandbox_enabled_by sandbox_changed_at': 'the switch is turned',
        sandbox_clock_offset_seconds: 'the clock of the sandbox is advanced', 'status status_changed_at go_live_at': 'a tenant goes live',
        updated_at: 'each change has a time',
      },
    },
    platform: {
      insert: 'id slug name status sandbox_enabled sandbox_enabled_at plan region quotas created_at updated_at',
      update: {
        'name plan quotas': 'the terms of a tenant are changed',
        'status suspended_from status_reason status_note status_changed_by status_changed_at': 'a tenant is suspended, taken back and closed',
        'closure_requested_at closure_requested_by closure_reason closure_note': 'its closure waits for a second administrator',
        updated_at: 'each change has a time',
      },
    },
  },
  tenant_settings: {
    app: { insert: 'tenant_id document', update: { 'document updated_by updated_at version policy_version profile_version': 'settings are changed' } },
    platform: { insert: 'tenant_id document updated_at' },
  },
  user_account: {
    platform: {
      insert: 'id email_normalised email name password_hash password_changed_at status created_at updated_at',
      update: {
        'name password_hash password_changed_at status': 'an invitation is accepted, a password changed', 'last_login_at locked_until': 'somebody signs in, or fails to',
        updated_at: 'each change has a time',
      },
    },
  },
  user_totp: { platform: { insert: 'user_id secret created_at expires_at', update: { 'secret created_at expires_at confirmed_at': 'an enrolment begins anew until it is confirmed', last_step: 'a code is used' } } },
  waiver: { app: { insert: 'tenant_id id application_id environment action requirement_key reason_code note created_by created_at', update: { 'note erased_at': 'its application is erased' } } },
  watch_list_entity: { platform: { insert: 'environment list_id key from_sequence content_hash match_hash document', update: { to_sequence: 'a later version of the list has it otherwise, or no more' } } },
  watch_list_file: { platform: { insert: 'environment list_id sequence role part bytes' } },
  watch_list_proposal: { platform: { insert: 'id list_id after version format published_on sha256 entry_count added changed match_changed removed proposed_at proposed_by' } },
  watch_list_version: {
    platform: {
      insert: 'environment list_id sequence version restores format published_on sha256 size_bytes entry_count added changed match_changed removed quarantined_names quarantine ingested_at checked_at ingested_by',
      update: { checked_at: 'its publisher still has this version' },
    },
  },
};
