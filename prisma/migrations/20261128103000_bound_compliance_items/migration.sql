-- What a requirement asks of the items of a record, wherever they are: also of those that the caller does not see. Of each
-- document type, those come that last longest: with and without a date, and with and without a file. No requirement needs
-- another one, however many a record has.
CREATE FUNCTION compliance_items(of_kind text, of_id uuid, types uuid[]) RETURNS json
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT coalesce(json_agg(json_build_object('id', best.id, 'teamId', best.team_id, 'categoryId', best.category_id,
    'isActive', true, 'isMissing', false, 'expirationDate', best.expiration_date, 'notifyOn', best.notify_on,
    'hasFile', best.has_file)), '[]')
  FROM (
    SELECT DISTINCT ON (item.category_id, item.expiration_date IS NULL, file.has_file)
      item.id, item.team_id, item.category_id, item.expiration_date, item.notify_on, file.has_file
    FROM item_holders AS link JOIN expiration_items AS item ON item.id = link.item_id
    CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM attachments WHERE item_id = item.id) AS has_file) AS file
    WHERE (of_kind = 'vehicle' AND link.vehicle_id = of_id OR of_kind = 'contact' AND link.contact_id = of_id
        OR of_kind = 'company' AND link.company_id = of_id OR of_kind = 'location' AND link.location_id = of_id)
      AND item.category_id = ANY (types) AND item.is_active AND NOT item.is_missing
    ORDER BY item.category_id, item.expiration_date IS NULL, file.has_file, item.expiration_date DESC,
      item.notify_on DESC NULLS FIRST, item.id
  ) AS best
$$;

-- Older versions: no release has called it.
DROP FUNCTION compliance_items(text, uuid);

-- Looks after the deletion, which has waited for whoever names the document type.
DROP TRIGGER refuse_required_category ON "categories";
CREATE OR REPLACE TRIGGER refuse_required_category AFTER DELETE ON "categories"
  FOR EACH ROW EXECUTE FUNCTION refuse_required_category();
