-- Records are found by their custom fields: by a field's id or name, with or without its value.

-- The key of a custom field, by its id or else by its name. Names and values are folded, as for a search. It is a hash,
-- as values may be longer than what an index takes; lengths keep a name apart from the value after it.
CREATE FUNCTION custom_field_key(id TEXT, name TEXT, value TEXT) RETURNS TEXT
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN id IS NOT NULL OR name IS NOT NULL THEN encode(sha256(convert_to(
  coalesce('id ' || lower(id), 'name ' || char_length(folded(name)) || ' ' || folded(name)) || coalesce('=' || folded(value), ''),
  'UTF8')), 'base64') END;

-- The keys that a record is found by.
CREATE FUNCTION custom_field_keys(fields JSONB) RETURNS TEXT[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(fields) <> 'array' OR fields = '[]' THEN '{}' ELSE ARRAY(
  SELECT way.key
  FROM jsonb_array_elements(fields) AS field (entry)
  CROSS JOIN LATERAL (VALUES
    (custom_field_key(entry ->> 'id', NULL, NULL)),
    (custom_field_key(NULL, entry ->> 'name', NULL)),
    (CASE WHEN entry ->> 'value' IS NOT NULL THEN custom_field_key(entry ->> 'id', NULL, entry ->> 'value') END),
    (CASE WHEN entry ->> 'value' IS NOT NULL THEN custom_field_key(NULL, entry ->> 'name', entry ->> 'value') END)
  ) AS way (key)
  WHERE way.key IS NOT NULL
) END;

CREATE INDEX "expiration_items_custom_fields_idx" ON "expiration_items" USING GIN (custom_field_keys("custom_fields"));
CREATE INDEX "vehicles_custom_fields_idx" ON "vehicles" USING GIN (custom_field_keys("custom_fields"));
CREATE INDEX "companies_custom_fields_idx" ON "companies" USING GIN (custom_field_keys("custom_fields"));
CREATE INDEX "contacts_custom_fields_idx" ON "contacts" USING GIN (custom_field_keys("custom_fields"));
CREATE INDEX "locations_custom_fields_idx" ON "locations" USING GIN (custom_field_keys("custom_fields"));
