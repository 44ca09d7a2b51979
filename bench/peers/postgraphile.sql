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
