-- What was created, changed and deleted, in an order that no reader can skip anything of. Triggers write it in the
-- transaction of the change, whoever makes it: a request, a worker, the command line, a foreign key that cascades.
--
-- A transaction gets its number (xid) early and commits late, so rows appear out of order. A reader that stops below the
-- oldest transaction that is still under way, and goes on from there, meets every row once.
--
-- It is a feed and no record: unlogged, it costs writers no WAL. PostgreSQL empties it after a crash, and standbys have
-- none. Then there is no epoch either, a new one begins, and positions of the old one are refused.
CREATE UNLOGGED TABLE "record_changes" (
    "organization_id" UUID NOT NULL,
    "xid" XID8 NOT NULL DEFAULT pg_current_xact_id(),
    -- The order of one transaction's rows; numbers of different transactions have none.
    "seq" BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY (CACHE 32),
    "record_id" UUID NOT NULL,
    -- Null for what the whole organization sees.
    "team_id" UUID,
    -- The workspace that it was moved from.
    "from_team_id" UUID,
    "written" TIMESTAMPTZ NOT NULL DEFAULT now(),
    -- 1 created, 2 changed, 3 deleted.
    "change" SMALLINT NOT NULL,
    "table_name" TEXT NOT NULL,

    CONSTRAINT "record_changes_pkey" PRIMARY KEY ("organization_id", "xid", "seq")
);

-- One row at most: whose positions are good. It names the transaction that wrote it, so that a copy, which another one
-- wrote (pg_dump, logical replication), is known for one: transactions have other numbers there.
CREATE UNLOGGED TABLE "record_change_epochs" (
    "id" UUID NOT NULL,
    "xid" XID8 NOT NULL DEFAULT pg_current_xact_id(),
    -- Changes of transactions up to this one may be deleted.
    "gone_to" XID8 NOT NULL DEFAULT '0',
    "single" BOOLEAN NOT NULL DEFAULT TRUE CHECK ("single"),

    CONSTRAINT "record_change_epochs_pkey" PRIMARY KEY ("single")
);

CREATE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO record_changes (organization_id, table_name, record_id, team_id, from_team_id, change)
    VALUES (NEW.organization_id, TG_TABLE_NAME, NEW.id, NEW.team_id, nullif(OLD.team_id, NEW.team_id), 2);
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO record_changes (organization_id, table_name, record_id, team_id, change)
    VALUES (NEW.organization_id, TG_TABLE_NAME, NEW.id, NEW.team_id, 1);
  ELSE
    INSERT INTO record_changes (organization_id, table_name, record_id, team_id, change)
    VALUES (OLD.organization_id, TG_TABLE_NAME, OLD.id, OLD.team_id, 3);
  END IF;
  RETURN NULL;
END $$;

-- A workspace is seen by those who reach it.
CREATE FUNCTION tell_team_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_changes (organization_id, table_name, record_id, team_id, change)
  SELECT told.organization_id, TG_TABLE_NAME, told.id, told.id,
    CASE TG_OP WHEN 'INSERT' THEN 1 WHEN 'UPDATE' THEN 2 ELSE 3 END
  FROM (SELECT (CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END).*) AS told;
  RETURN NULL;
END $$;

-- The whole organization sees its users.
CREATE FUNCTION tell_user_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_changes (organization_id, table_name, record_id, change)
  SELECT told.organization_id, TG_TABLE_NAME, told.id,
    CASE TG_OP WHEN 'INSERT' THEN 1 WHEN 'UPDATE' THEN 2 ELSE 3 END
  FROM (SELECT (CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END).*) AS told;
  RETURN NULL;
END $$;

-- Which workspaces a user reaches is the user's change. It is told by the owner's right: it may be another user's.
CREATE FUNCTION tell_membership_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO record_changes (organization_id, table_name, record_id, change)
  SELECT organization_id, 'users', id, 2 FROM users
  WHERE id = CASE TG_OP WHEN 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
  RETURN NULL;
END $$;

-- An item loses a link when what it leads to is deleted, and the item itself is not written. It may be in a workspace
-- that the writer does not see.
CREATE FUNCTION tell_unlinked() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO record_changes (organization_id, table_name, record_id, team_id, change)
  SELECT organization_id, 'expiration_items', id, team_id, 2 FROM expiration_items WHERE id = OLD.item_id;
  RETURN NULL;
END $$;

-- Each kind of records but the event log, which only grows, and tells of itself. A test compares them with the models.
DO $$
DECLARE
  told TEXT;
BEGIN
  FOREACH told IN ARRAY ARRAY[
    'expiration_items', 'categories', 'vehicles', 'companies', 'contacts', 'contact_types', 'locations', 'notes',
    'tags', 'attachments', 'renewals', 'upload_notifications', 'bin_entries'
  ] LOOP
    EXECUTE format('
      CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION tell_change()', told);
  END LOOP;
END $$;

CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON "teams"
  FOR EACH ROW EXECUTE FUNCTION tell_team_change();
CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON "users"
  FOR EACH ROW EXECUTE FUNCTION tell_user_change();
CREATE TRIGGER tell_change AFTER INSERT OR DELETE ON "memberships"
  FOR EACH ROW EXECUTE FUNCTION tell_membership_change();

-- Only what a foreign key deletes: whoever writes links writes their item as well.
CREATE TRIGGER tell_change AFTER DELETE ON "expiration_item_contacts"
  FOR EACH ROW WHEN (pg_trigger_depth() > 0) EXECUTE FUNCTION tell_unlinked();
CREATE TRIGGER tell_change AFTER DELETE ON "expiration_item_locations"
  FOR EACH ROW WHEN (pg_trigger_depth() > 0) EXECUTE FUNCTION tell_unlinked();
CREATE TRIGGER tell_change AFTER DELETE ON "expiration_item_tags"
  FOR EACH ROW WHEN (pg_trigger_depth() > 0) EXECUTE FUNCTION tell_unlinked();
