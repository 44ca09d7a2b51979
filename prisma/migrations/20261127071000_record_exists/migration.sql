-- Tells whether there is a record of a kind (`entity_type`), also one that the caller does not see. Notes and events can be
-- about ids that are nobody's: of deleted records, or of other systems. Filters find those, and nothing about hidden records.
CREATE FUNCTION record_exists(kind integer, wanted uuid) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT CASE kind
    WHEN 1 THEN EXISTS (SELECT FROM expiration_items WHERE id = wanted)
    WHEN 2 THEN EXISTS (SELECT FROM categories WHERE id = wanted)
    WHEN 3 THEN EXISTS (SELECT FROM vehicles WHERE id = wanted)
    WHEN 4 THEN EXISTS (SELECT FROM companies WHERE id = wanted)
    WHEN 5 THEN EXISTS (SELECT FROM contacts WHERE id = wanted)
    WHEN 6 THEN EXISTS (SELECT FROM contact_types WHERE id = wanted)
    WHEN 7 THEN EXISTS (SELECT FROM locations WHERE id = wanted)
    WHEN 8 THEN EXISTS (SELECT FROM notes WHERE id = wanted)
    WHEN 9 THEN EXISTS (SELECT FROM teams WHERE id = wanted)
    WHEN 10 THEN EXISTS (SELECT FROM tags WHERE id = wanted)
    WHEN 11 THEN EXISTS (SELECT FROM attachments WHERE id = wanted)
    WHEN 12 THEN EXISTS (SELECT FROM upload_notifications WHERE id = wanted)
    WHEN 13 THEN EXISTS (SELECT FROM reminder_policies WHERE id = wanted)
    WHEN 14 THEN EXISTS (SELECT FROM watches WHERE id = wanted)
  END
$$;
