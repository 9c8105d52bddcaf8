CREATE OR REPLACE FUNCTION public.count_job()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO total_deltas VALUES ('job', NEW.kind, '', 1, 0);
  ELSE
    INSERT INTO total_deltas VALUES ('job', OLD.kind, '', -1, 0);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.count_task()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO total_deltas VALUES ('task', NEW.kind, NEW.state, 1, 0);
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO total_deltas VALUES ('task', OLD.kind, OLD.state, -1, 0);
  ELSE
    INSERT INTO total_deltas VALUES ('task', OLD.kind, OLD.state, -1, 0), ('task', NEW.kind, NEW.state, 1, 0);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.count_transfer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO total_deltas VALUES ('transfer', NEW.kind, '', 1, NEW.amount);
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.ledger_is_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only';
END
$function$;

CREATE OR REPLACE FUNCTION public.note_finished()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  now_ms BIGINT := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
BEGIN
  IF EXISTS (SELECT 1 FROM finished_listeners) THEN
    INSERT INTO finished_tasks (task_id, due_at, created_at) VALUES (NEW.id, now_ms, now_ms);
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.principals_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE principals_version SET version = version + 1 WHERE id = 1;
  RETURN NULL;
END
$function$;

CREATE TABLE accounts (
  user_id text COLLATE "C" NOT NULL,
  wallet bigint DEFAULT 0 NOT NULL,
  held bigint DEFAULT 0 NOT NULL,
  spent bigint DEFAULT 0 NOT NULL,
  granted bigint DEFAULT 0 NOT NULL,
  image_tasks bigint DEFAULT 0 NOT NULL
);

ALTER TABLE accounts ADD CONSTRAINT accounts_granted_check CHECK ((granted >= 0));

ALTER TABLE accounts ADD CONSTRAINT accounts_held_check CHECK ((held >= 0));

ALTER TABLE accounts ADD CONSTRAINT accounts_image_tasks_check CHECK ((image_tasks >= 0));

ALTER TABLE accounts ADD CONSTRAINT accounts_pkey PRIMARY KEY (user_id);

ALTER TABLE accounts ADD CONSTRAINT accounts_spent_check CHECK ((spent >= 0));

ALTER TABLE accounts ADD CONSTRAINT accounts_wallet_check CHECK ((wallet >= 0));

CREATE TABLE admin_sessions (
  digest text COLLATE "C" NOT NULL,
  token_digest text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL
);

ALTER TABLE admin_sessions ADD CONSTRAINT admin_sessions_pkey PRIMARY KEY (digest);

CREATE INDEX admin_sessions_by_token ON public.admin_sessions USING btree (token_digest, created_at);

CREATE INDEX admin_sessions_expiry ON public.admin_sessions USING btree (expires_at);

CREATE TABLE admin_tokens (
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  digest text COLLATE "C" NOT NULL,
  hint text COLLATE "C" NOT NULL,
  previous_digest text COLLATE "C",
  previous_until bigint,
  disabled bigint NOT NULL,
  expires_at bigint,
  created_at bigint NOT NULL
);

ALTER TABLE admin_tokens ADD CONSTRAINT admin_tokens_digest_key UNIQUE (digest);

ALTER TABLE admin_tokens ADD CONSTRAINT admin_tokens_disabled_check CHECK ((disabled = ANY (ARRAY[(0)::bigint, (1)::bigint])));

ALTER TABLE admin_tokens ADD CONSTRAINT admin_tokens_pkey PRIMARY KEY (id);

ALTER TABLE admin_tokens ADD CONSTRAINT admin_tokens_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'support'::text, 'read'::text])));

CREATE UNIQUE INDEX admin_tokens_previous ON public.admin_tokens USING btree (previous_digest) WHERE (previous_digest IS NOT NULL);

CREATE TABLE api_keys (
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  digest text COLLATE "C" NOT NULL,
  hint text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  models text COLLATE "C" NOT NULL,
  tools text COLLATE "C" NOT NULL,
  ip_allowlist text COLLATE "C" NOT NULL,
  group_name text COLLATE "C",
  quota_units bigint,
  used_units bigint NOT NULL,
  rate_per_minute bigint,
  webhook_secret text COLLATE "C" NOT NULL,
  disabled bigint NOT NULL,
  expires_at bigint,
  created_at bigint NOT NULL,
  previous_digest text COLLATE "C",
  previous_until bigint,
  previous_webhook_secret text COLLATE "C",
  previous_webhook_until bigint
);

ALTER TABLE api_keys ADD CONSTRAINT api_keys_digest_key UNIQUE (digest);

ALTER TABLE api_keys ADD CONSTRAINT api_keys_disabled_check CHECK ((disabled = ANY (ARRAY[(0)::bigint, (1)::bigint])));

ALTER TABLE api_keys ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE api_keys ADD CONSTRAINT api_keys_used_units_check CHECK ((used_units >= 0));

ALTER TABLE api_keys ADD CONSTRAINT api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

CREATE INDEX api_keys_by_user ON public.api_keys USING btree (user_id);

CREATE UNIQUE INDEX api_keys_previous ON public.api_keys USING btree (previous_digest) WHERE (previous_digest IS NOT NULL);

CREATE TRIGGER api_keys_changed AFTER UPDATE OF id, user_id, digest, hint, name, models, tools, ip_allowlist, group_name, quota_units, rate_per_minute, webhook_secret, disabled, expires_at, created_at, previous_digest, previous_until, previous_webhook_secret, previous_webhook_until ON public.api_keys FOR EACH STATEMENT EXECUTE FUNCTION principals_changed();

CREATE TRIGGER api_keys_removed AFTER DELETE OR TRUNCATE ON public.api_keys FOR EACH STATEMENT EXECUTE FUNCTION principals_changed();

CREATE TABLE audit (
  sequence bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  at bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  action text COLLATE "C" NOT NULL,
  target text COLLATE "C" NOT NULL,
  after_json text COLLATE "C" NOT NULL,
  before_json text COLLATE "C" DEFAULT 'null'::text NOT NULL,
  role text COLLATE "C",
  ip text COLLATE "C",
  request_id text COLLATE "C",
  outcome text COLLATE "C" DEFAULT 'done'::text NOT NULL,
  code text COLLATE "C"
);

ALTER TABLE audit ADD CONSTRAINT audit_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'refused'::text])));

ALTER TABLE audit ADD CONSTRAINT audit_pkey PRIMARY KEY (sequence);

CREATE INDEX audit_by_actor ON public.audit USING btree (actor, sequence);

CREATE INDEX audit_by_request ON public.audit USING btree (request_id, sequence) WHERE (request_id IS NOT NULL);

CREATE INDEX audit_by_target ON public.audit USING btree (target, sequence);

CREATE TABLE callbacks (
  task_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  url text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  attempts text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  attempts_total integer DEFAULT 0 NOT NULL,
  redelivered_at text DEFAULT '[]'::text NOT NULL
);

ALTER TABLE callbacks ADD CONSTRAINT callbacks_attempts_total_check CHECK ((attempts_total >= 0));

ALTER TABLE callbacks ADD CONSTRAINT callbacks_pkey PRIMARY KEY (task_id);

ALTER TABLE callbacks ADD CONSTRAINT callbacks_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])));

CREATE TABLE finished_listeners (
  id bigint NOT NULL
);

ALTER TABLE finished_listeners ADD CONSTRAINT finished_listeners_id_check CHECK ((id = 1));

ALTER TABLE finished_listeners ADD CONSTRAINT finished_listeners_pkey PRIMARY KEY (id);

CREATE TABLE finished_tasks (
  task_id text COLLATE "C" NOT NULL,
  attempts bigint DEFAULT 0 NOT NULL,
  due_at bigint NOT NULL,
  created_at bigint NOT NULL
);

ALTER TABLE finished_tasks ADD CONSTRAINT finished_tasks_pkey PRIMARY KEY (task_id);

CREATE INDEX finished_tasks_created ON public.finished_tasks USING btree (created_at);

CREATE INDEX finished_tasks_due ON public.finished_tasks USING btree (due_at);

CREATE TABLE idempotency (
  key_id text COLLATE "C" NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  task_id text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  reserved_until bigint,
  error text COLLATE "C",
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL
);

ALTER TABLE idempotency ADD CONSTRAINT idempotency_key_id_idempotency_key_key UNIQUE (key_id, idempotency_key);

ALTER TABLE idempotency ADD CONSTRAINT idempotency_outcome_check CHECK ((outcome = ANY (ARRAY['reserved'::text, 'accepted'::text, 'refused'::text])));

CREATE INDEX idempotency_expiry ON public.idempotency USING btree (expires_at);

CREATE TABLE job_users (
  kind text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  turn bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL
);

ALTER TABLE job_users ADD CONSTRAINT job_users_pkey PRIMARY KEY (kind, user_id);

CREATE INDEX job_users_next ON public.job_users USING btree (kind, turn);

CREATE TABLE jobs (
  task_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  run_at bigint NOT NULL,
  attempt bigint NOT NULL,
  lost bigint NOT NULL,
  epoch bigint NOT NULL,
  leased_by text COLLATE "C",
  leased_until bigint,
  traceparent text COLLATE "C"
);

ALTER TABLE jobs ADD CONSTRAINT jobs_check CHECK (((leased_by IS NULL) = (leased_until IS NULL)));

ALTER TABLE jobs ADD CONSTRAINT jobs_kind_check CHECK ((kind = ANY (ARRAY['image'::text, 'tool'::text, 'callback'::text])));

ALTER TABLE jobs ADD CONSTRAINT jobs_pkey PRIMARY KEY (task_id);

CREATE INDEX jobs_leased ON public.jobs USING btree (leased_until) WHERE (leased_by IS NOT NULL);

CREATE INDEX jobs_ready ON public.jobs USING btree (kind, run_at) WHERE (leased_by IS NULL);

CREATE INDEX jobs_waiting ON public.jobs USING btree (kind, user_id, run_at, task_id) WHERE (leased_by IS NULL);

CREATE TRIGGER jobs_counted AFTER INSERT OR DELETE ON public.jobs FOR EACH ROW EXECUTE FUNCTION count_job();

CREATE TABLE ledger (
  sequence bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  phase text COLLATE "C",
  user_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C",
  task_id text COLLATE "C",
  debit text COLLATE "C" NOT NULL,
  credit text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  reason text COLLATE "C" NOT NULL,
  at bigint NOT NULL
);

ALTER TABLE ledger ADD CONSTRAINT ledger_amount_check CHECK ((amount >= 0));

ALTER TABLE ledger ADD CONSTRAINT ledger_check CHECK (
CASE kind
    WHEN 'grant'::text THEN ((debit = 'granted'::text) AND (credit = 'wallet'::text))
    WHEN 'hold'::text THEN ((debit = 'wallet'::text) AND (credit = 'held'::text) AND (phase = 'open'::text) AND (id = ('hold:'::text || task_id)))
    WHEN 'settle'::text THEN ((debit = 'held'::text) AND (credit = 'spent'::text))
    WHEN 'release'::text THEN ((debit = 'held'::text) AND (credit = 'wallet'::text))
    ELSE false
END);

ALTER TABLE ledger ADD CONSTRAINT ledger_check1 CHECK (((phase IS NULL) = (task_id IS NULL)));

ALTER TABLE ledger ADD CONSTRAINT ledger_phase_check CHECK ((phase = ANY (ARRAY['open'::text, 'close'::text, 'remainder'::text])));

ALTER TABLE ledger ADD CONSTRAINT ledger_pkey PRIMARY KEY (sequence);

CREATE INDEX ledger_by_user ON public.ledger USING btree (user_id, sequence);

CREATE UNIQUE INDEX ledger_id ON public.ledger USING btree (id) WHERE (kind <> 'hold'::text);

CREATE UNIQUE INDEX ledger_once ON public.ledger USING btree (task_id, phase) WHERE (phase IS NOT NULL);

CREATE TRIGGER ledger_counted AFTER INSERT ON public.ledger FOR EACH ROW EXECUTE FUNCTION count_transfer();

CREATE TRIGGER ledger_no_change BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

CREATE TABLE principals_version (
  id bigint NOT NULL,
  version bigint NOT NULL
);

ALTER TABLE principals_version ADD CONSTRAINT principals_version_id_check CHECK ((id = 1));

ALTER TABLE principals_version ADD CONSTRAINT principals_version_pkey PRIMARY KEY (id);

CREATE UNLOGGED TABLE rate_buckets (
  key_id text COLLATE "C" NOT NULL,
  per_minute double precision NOT NULL,
  burst double precision NOT NULL,
  wanted bigint NOT NULL,
  granted bigint NOT NULL,
  tokens double precision NOT NULL,
  at bigint NOT NULL
);

ALTER TABLE rate_buckets ADD CONSTRAINT rate_buckets_pkey PRIMARY KEY (key_id);

CREATE TABLE settings (
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL
);

ALTER TABLE settings ADD CONSTRAINT settings_pkey PRIMARY KEY (kind, id);

CREATE TABLE small_blobs (
  key text COLLATE "C" NOT NULL,
  content text COLLATE "C" NOT NULL
);

ALTER TABLE small_blobs ADD CONSTRAINT small_blobs_pkey PRIMARY KEY (key);

CREATE TABLE task_images (
  task_id text COLLATE "C" NOT NULL,
  images text COLLATE "C" NOT NULL
);

ALTER TABLE task_images ADD CONSTRAINT task_images_pkey PRIMARY KEY (task_id);

CREATE TABLE tasks (
  sequence bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  finished bigint NOT NULL,
  version bigint NOT NULL,
  idempotency_key text COLLATE "C",
  held bigint NOT NULL,
  charged bigint NOT NULL,
  released bigint NOT NULL,
  created_at bigint NOT NULL,
  deadline_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  file_id text COLLATE "C",
  purged bigint NOT NULL,
  job_id text COLLATE "C",
  detail text COLLATE "C" NOT NULL,
  request_id text COLLATE "C"
);

ALTER TABLE tasks ADD CONSTRAINT tasks_finished_check CHECK ((finished = ANY (ARRAY[(0)::bigint, (1)::bigint])));

ALTER TABLE tasks ADD CONSTRAINT tasks_id_key UNIQUE (id);

ALTER TABLE tasks ADD CONSTRAINT tasks_kind_check CHECK ((kind = ANY (ARRAY['image'::text, 'tool'::text])));

ALTER TABLE tasks ADD CONSTRAINT tasks_pkey PRIMARY KEY (sequence);

ALTER TABLE tasks ADD CONSTRAINT tasks_purged_check CHECK ((purged = ANY (ARRAY[(0)::bigint, (1)::bigint])));

CREATE INDEX tasks_by_idempotency_key ON public.tasks USING btree (idempotency_key, sequence) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX tasks_by_job ON public.tasks USING btree (key_id, job_id) WHERE (job_id IS NOT NULL);

CREATE INDEX tasks_by_key ON public.tasks USING btree (key_id, kind, state, sequence);

CREATE INDEX tasks_by_model ON public.tasks USING btree (subject, sequence);

CREATE INDEX tasks_by_request ON public.tasks USING btree (request_id, sequence) WHERE (request_id IS NOT NULL);

CREATE INDEX tasks_by_state ON public.tasks USING btree (kind, state, sequence);

CREATE INDEX tasks_by_subject ON public.tasks USING btree (key_id, kind, subject, sequence);

CREATE INDEX tasks_by_user ON public.tasks USING btree (user_id, kind, state, sequence);

CREATE INDEX tasks_deadline ON public.tasks USING btree (deadline_at) WHERE (finished = 0);

CREATE INDEX tasks_expiry ON public.tasks USING btree (expires_at) WHERE ((purged = 0) AND (file_id IS NOT NULL));

CREATE INDEX tasks_failed_by_model ON public.tasks USING btree (subject, sequence) WHERE (state = 'failed'::text);

CREATE INDEX tasks_of_file ON public.tasks USING btree (file_id) WHERE ((finished = 0) AND (file_id IS NOT NULL));

CREATE TRIGGER tasks_counted AFTER INSERT OR DELETE ON public.tasks FOR EACH ROW EXECUTE FUNCTION count_task();

CREATE TRIGGER tasks_counted_over AFTER UPDATE OF state ON public.tasks FOR EACH ROW WHEN ((old.state <> new.state)) EXECUTE FUNCTION count_task();

CREATE TRIGGER tasks_finished AFTER UPDATE OF finished ON public.tasks FOR EACH ROW WHEN (((old.finished = 0) AND (new.finished = 1))) EXECUTE FUNCTION note_finished();

CREATE TABLE tool_files (
  id text COLLATE "C" NOT NULL,
  tool_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  filename text COLLATE "C" NOT NULL,
  content_type text COLLATE "C" NOT NULL,
  bytes bigint NOT NULL,
  sha256 text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  blob text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL
);

ALTER TABLE tool_files ADD CONSTRAINT tool_files_pkey PRIMARY KEY (id);

ALTER TABLE tool_files ADD CONSTRAINT tool_files_status_check CHECK ((status = ANY (ARRAY['uploading'::text, 'ready'::text, 'deleting'::text, 'deleted'::text])));

CREATE INDEX tool_files_cleanup ON public.tool_files USING btree (status, expires_at) WHERE (status <> 'deleted'::text);

CREATE INDEX tool_files_pending ON public.tool_files USING btree (user_id) WHERE (status <> 'deleted'::text);

CREATE INDEX tool_files_present ON public.tool_files USING btree (id) WHERE (status <> 'deleted'::text);

CREATE TABLE total_deltas (
  counted text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  amount bigint NOT NULL
);

CREATE TABLE total_sums (
  counted text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  amount bigint NOT NULL
);

ALTER TABLE total_sums ADD CONSTRAINT total_sums_counted_check CHECK ((counted = ANY (ARRAY['task'::text, 'job'::text, 'transfer'::text])));

ALTER TABLE total_sums ADD CONSTRAINT total_sums_pkey PRIMARY KEY (counted, kind, state);

CREATE VIEW totals AS
 SELECT total_sums.counted,
    total_sums.kind,
    total_sums.state,
    total_sums.count,
    total_sums.amount
   FROM total_sums
UNION ALL
 SELECT total_deltas.counted,
    total_deltas.kind,
    total_deltas.state,
    total_deltas.count,
    total_deltas.amount
   FROM total_deltas;

CREATE TABLE users (
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  disabled bigint NOT NULL,
  created_at bigint NOT NULL
);

ALTER TABLE users ADD CONSTRAINT users_disabled_check CHECK ((disabled = ANY (ARRAY[(0)::bigint, (1)::bigint])));

ALTER TABLE users ADD CONSTRAINT users_pkey PRIMARY KEY (id);

CREATE TRIGGER users_changed AFTER DELETE OR UPDATE OR TRUNCATE ON public.users FOR EACH STATEMENT EXECUTE FUNCTION principals_changed();
