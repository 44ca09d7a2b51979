-- Natural keys are compared as searches are: in Unicode NFC and folded case. "Café" is one tag, however it is composed.

-- All locks are taken here, in one order: writers of the version before wait, and cannot deadlock half-way.
LOCK TABLE "categories", "companies", "contact_types", "contacts", "locations", "tags", "users", "vehicles"
  IN ACCESS EXCLUSIVE MODE;

DROP INDEX "users_email_key", "contacts_email_key", "contact_types_name_key", "vehicles_vin_key",
  "companies_tax_id_key", "locations_name_key", "categories_name_key", "tags_name_key";

-- White space is cut first, as JavaScript trims it. A text that is empty then is no key, so it collides with nothing.
CREATE OR REPLACE FUNCTION natural_key(value TEXT) RETURNS TEXT
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN nullif(
  folded(btrim(value, U&'\0009\000A\000B\000C\000D\0020\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000\FEFF')),
  ''
);

-- Records that share a key from now on: the first keeps its name, a later one gets a number, and an event tells of it.
DO $$
DECLARE
  kind RECORD;
  twin RECORD;
  taken BOOLEAN;
  number INT;
  new_name TEXT;
  event UUID;
BEGIN
  FOR kind IN SELECT * FROM (VALUES
    ('categories', 2, 'Document type', 'team_id'),
    ('contact_types', 6, 'Contact type', 'organization_id'),
    ('locations', 7, 'Location', 'organization_id, parent_location_id'),
    ('tags', 10, 'Tag', 'team_id')
  ) AS kinds (table_name, entity_type, word, scope)
  LOOP
    FOR twin IN EXECUTE format(
      'SELECT id, organization_id, team_id, name FROM (
         SELECT *, row_number() OVER (PARTITION BY %s, natural_key(name) ORDER BY created, id) AS place FROM %I
         WHERE natural_key(name) IS NOT NULL
       ) AS placed WHERE place > 1 ORDER BY created, id', kind.scope, kind.table_name)
    LOOP
      number := 1;
      LOOP
        number := number + 1;
        new_name := left(twin.name, 240) || ' (' || number || ')';
        EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE organization_id = $1 AND natural_key(name) = natural_key($2))',
          kind.table_name) INTO taken USING twin.organization_id, new_name;
        EXIT WHEN NOT taken;
      END LOOP;
      EXECUTE format('UPDATE %I SET name = $1, modified = now() WHERE id = $2', kind.table_name)
        USING new_name, twin.id;
      event := gen_random_uuid();
      INSERT INTO event_logs (id, organization_id, team_id, type_id, description, details, created)
      VALUES (event, twin.organization_id, twin.team_id, 2, format('%s "%s" was updated: name', kind.word, new_name),
        json_build_object('name', json_build_object('before', twin.name, 'after', new_name)), now());
      INSERT INTO event_log_entities (event_id, entity_id, type_id, position)
      VALUES (event, twin.id, kind.entity_type, 0);
    END LOOP;
  END LOOP;
END $$;

-- Addresses, VINs and tax numbers are not the gateway's to change: a person decides which one is right.
DO $$
DECLARE
  kind RECORD;
  twins TEXT;
BEGIN
  FOR kind IN SELECT * FROM (VALUES
    ('companies', 'tax_id'), ('contacts', 'email'), ('users', 'email'), ('vehicles', 'vin')
  ) AS kinds (table_name, column_name)
  LOOP
    EXECUTE format('SELECT string_agg(ids, ''; '') FROM (
        SELECT string_agg(id::text, '' and '' ORDER BY created, id) AS ids FROM %I WHERE natural_key(%I) IS NOT NULL
        GROUP BY organization_id, natural_key(%2$I) HAVING count(*) > 1 LIMIT 20
      ) AS twins', kind.table_name, kind.column_name) INTO twins;
    IF twins IS NOT NULL THEN
      RAISE EXCEPTION 'These % have the same % but for Unicode composition or letter case: %. Change or delete one of each with the version before.',
        kind.table_name, kind.column_name, twins;
    END IF;
  END LOOP;
END $$;

-- Unique in the organization. The name of each index names its column: it tells which field a refused write was about.
CREATE UNIQUE INDEX "users_email_key" ON "users" ("organization_id", natural_key("email"));
CREATE UNIQUE INDEX "contacts_email_key" ON "contacts" ("organization_id", natural_key("email"));
CREATE UNIQUE INDEX "contact_types_name_key" ON "contact_types" ("organization_id", natural_key("name"));
CREATE UNIQUE INDEX "vehicles_vin_key" ON "vehicles" ("organization_id", natural_key("vin"));
CREATE UNIQUE INDEX "companies_tax_id_key" ON "companies" ("organization_id", natural_key("tax_id"));
-- Under the same parent; two names at the root collide as well.
CREATE UNIQUE INDEX "locations_name_key" ON "locations"
  ("organization_id", coalesce("parent_location_id", '00000000-0000-0000-0000-000000000000'), natural_key("name"));
-- Unique in the workspace: another workspace's names must not be told.
CREATE UNIQUE INDEX "categories_name_key" ON "categories" ("organization_id", "team_id", natural_key("name"));
CREATE UNIQUE INDEX "tags_name_key" ON "tags" ("organization_id", "team_id", natural_key("name"));
