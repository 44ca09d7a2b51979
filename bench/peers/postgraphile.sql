-- What a user of PostGraphile writes for an update with its event in one transaction.
CREATE SCHEMA IF NOT EXISTS bench;
CREATE OR REPLACE FUNCTION bench.replace_item(
  item_id uuid, new_name text, new_date date, new_details text, new_category_id uuid, new_assigned_to_id uuid,
  acting_user_id uuid
) RETURNS expiration_items LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  before text;
  item expiration_items;
  event uuid := gen_random_uuid();
BEGIN
  SELECT details INTO STRICT before FROM expiration_items WHERE id = item_id FOR NO KEY UPDATE;
  UPDATE expiration_items
  SET name = new_name, expiration_date = new_date, details = new_details, category_id = new_category_id,
    assigned_to_id = new_assigned_to_id, modified = now()
  WHERE id = item_id RETURNING * INTO item;
  INSERT INTO event_logs (id, organization_id, team_id, type_id, description, details, user_id, user_name)
  VALUES (event, item.organization_id, item.team_id, 2, 'Expiration item "' || item.name || '" was updated: details',
    json_build_object('details', json_build_object('before', before, 'after', item.details)), acting_user_id,
    'Administrator');
  INSERT INTO event_log_entities (event_id, entity_id, type_id, position) VALUES (event, item.id, 1, 0);
  RETURN item;
END $$;

-- The same, and the item has these contacts and tags from now on.
CREATE OR REPLACE FUNCTION bench.relink_item(
  item_id uuid, new_name text, new_date date, new_details text, new_category_id uuid, new_assigned_to_id uuid,
  acting_user_id uuid, contact_ids uuid[], tag_ids uuid[]
) RETURNS expiration_items LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  item expiration_items := bench.replace_item(
    relink_item.item_id, new_name, new_date, new_details, new_category_id, new_assigned_to_id, acting_user_id);
BEGIN
  DELETE FROM expiration_item_contacts WHERE item_id = item.id AND contact_id <> ALL (contact_ids);
  INSERT INTO expiration_item_contacts AS l (item_id, contact_id, position)
  SELECT item.id, wanted.id, place - 1 FROM unnest(contact_ids) WITH ORDINALITY AS wanted (id, place)
  ON CONFLICT (item_id, contact_id) DO UPDATE SET position = excluded.position WHERE l.position <> excluded.position;
  DELETE FROM expiration_item_tags WHERE item_id = item.id AND tag_id <> ALL (tag_ids);
  INSERT INTO expiration_item_tags AS l (item_id, tag_id, position)
  SELECT item.id, wanted.id, place - 1 FROM unnest(tag_ids) WITH ORDINALITY AS wanted (id, place)
  ON CONFLICT (item_id, tag_id) DO UPDATE SET position = excluded.position WHERE l.position <> excluded.position;
  RETURN item;
END $$;

-- What a record's creation writes beside it: its event, with what it is about.
CREATE OR REPLACE FUNCTION bench.log_created(
  organization uuid, team uuid, acting_user_id uuid, kind int, entity uuid, description text, details json
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  event uuid := gen_random_uuid();
BEGIN
  INSERT INTO event_logs (id, organization_id, team_id, type_id, description, details, user_id, user_name)
  VALUES (event, organization, team, 1, description, details, acting_user_id, 'Administrator');
  INSERT INTO event_log_entities (event_id, entity_id, type_id, position) VALUES (event, entity, kind, 0);
END $$;

-- A contact is created, with its event.
CREATE OR REPLACE FUNCTION bench.create_contact(
  organization uuid, team uuid, acting_user_id uuid, new_name text, new_email text, new_mobile text
) RETURNS contacts LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  made contacts;
BEGIN
  INSERT INTO contacts (id, organization_id, team_id, name, email, mobile)
  VALUES (gen_random_uuid(), organization, team, new_name, new_email, new_mobile) RETURNING * INTO made;
  PERFORM bench.log_created(organization, team, acting_user_id, 5, made.id,
    'Contact "' || coalesce(made.name, made.email) || '" was created',
    json_build_object('name', json_build_object('before', NULL, 'after', made.name),
      'email', json_build_object('before', NULL, 'after', made.email),
      'mobile', json_build_object('before', NULL, 'after', made.mobile)));
  RETURN made;
END $$;

-- An item is created, with a contact by e-mail address, which may be new, and with tags by name, which are known.
CREATE OR REPLACE FUNCTION bench.create_item(
  organization uuid, team uuid, acting_user_id uuid, new_name text, new_date date, new_details text,
  new_category_id uuid, new_assigned_to_id uuid, contact_email text, tag_names text[]
) RETURNS expiration_items LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  item expiration_items;
  contact contacts;
BEGIN
  INSERT INTO expiration_items (
    id, organization_id, team_id, name, expiration_date, details, category_id, assigned_to_id
  ) VALUES (
    gen_random_uuid(), organization, team, new_name, new_date, new_details, new_category_id, new_assigned_to_id
  ) RETURNING * INTO item;
  SELECT * INTO contact FROM contacts c
  WHERE c.organization_id = organization AND natural_key(c.email) = natural_key(contact_email);
  IF NOT FOUND THEN
    contact := bench.create_contact(organization, team, acting_user_id, NULL, contact_email, NULL);
  END IF;
  INSERT INTO expiration_item_contacts (item_id, contact_id, position) VALUES (item.id, contact.id, 0);
  INSERT INTO expiration_item_tags (item_id, tag_id, position)
  SELECT item.id, t.id, place - 1 FROM unnest(tag_names) WITH ORDINALITY AS wanted (name, place)
  JOIN tags t ON t.organization_id = organization AND t.team_id = team
    AND natural_key(t.name) = natural_key(wanted.name);
  PERFORM bench.log_created(organization, team, acting_user_id, 1, item.id,
    'Expiration item "' || item.name || '" was created',
    json_build_object('name', json_build_object('before', NULL, 'after', item.name),
      'expiration_date', json_build_object('before', NULL, 'after', item.expiration_date),
      'details', json_build_object('before', NULL, 'after', item.details)));
  RETURN item;
END $$;
