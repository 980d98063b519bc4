/** The tables in a backup, each after the tables that it refers to. A test checks that every table is in one list. */
export const backedUpTables = [
  'installation',
  'secret_keys',
  'signing_keys',
  'clients',
  'client_secrets',
  'revoked_tokens',
  'client_tokens',
  'scim_providers',
  'scim_deactivations',
  'applications',
  'application_secrets',
  'attributes',
  'users',
  'unique_attributes',
  'credentials',
  'factors',
  'recovery_codes',
  'roles',
  'user_languages',
  'notice_choices',
  'confirmed_contacts',
  'sessions',
  'signed_in_users',
  'views',
  'inactive_users',
  'sign_in_guards',
  'organizations',
  'tags',
  'scim_groups',
  'former_entry_names',
  'entry_name_decisions',
  'directory_edits',
  'deliveries',
  'delivery_pace',
  'notices',
  'access_events',
  'changes',
  'archived_changes',
  'change_log',
  'user_changes',
  'call_changes',
  'change_counts',
  'former_names',
  'released_names',
  'erased_users',
  'erased_names',
  'calls',
  'call_parts',
  'call_items',
  'idempotency_keys',
  'planned_calls',
  'planned_items',
  'webhooks',
  'webhook_secrets',
  'scim_targets',
  'scim_target_users',
  'scim_target_groups',
  'scim_target_members',
  'feeds',
  'feed_versions',
  'feed_runs',
  'feed_rows',
  'feed_users',
  'feed_plans',
  'feed_digest',
  'index_state',
] as const;

/** What a restored service makes anew, or what says nothing about another installation. */
export const leftOutTables = [
  // Rebuilt from the users. They are larger than the users themselves, and depend on the version of ICU.
  'user_listing',
  'listed_attributes',
  'inactive_managers',
  'name_words',
  // Counts of the current minute.
  'request_counts',
  // Codes, challenges, links and sign-ins of the last minutes.
  'contact_confirmations',
  'factor_challenges',
  'password_links',
  'provider_sign_ins',
  'provider_logouts',
  // Nobody is signed in to a restored service, nor to applications. It makes keys of its own.
  'openid_states',
  'openid_keys',
  // Logs of the last hours or days.
  'scim_requests',
  'webhook_deliveries',
  // Found again by comparing.
  'scim_comparisons',
  'scim_differences',
  // Files that were read, which are kept for days only, and the progress of runs, which can begin again.
  'feed_files',
  'feed_chunks',
  // The processes of this installation.
  'node_heartbeats',
  // In the header of a backup.
  'schema_migrations',
  // About files next to this installation.
  'backups',
] as const;

export const sequences = ['change_numbers', 'attribute_numbers'] as const;

export type BackedUpTable = (typeof backedUpTables)[number];
