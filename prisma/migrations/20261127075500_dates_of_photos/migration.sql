-- Until now, any date in a file's name became the expiration date of the item under which the file was filed. Devices name
-- files by the day on which they made them, so that photos expired on that day. Such an item loses its date, so that no
-- reminders are sent, and its upload waits in the inbox for a person, as one of today does. It is an item that

-- * was made for the file, and has not been changed since,
-- * has its date from the name alone: the sender did not state it, the document does not say it, and nobody has decided it,
-- * has no label in the name, and
-- * has the day on which the file was received, or an earlier one in a name as devices and programs give it.
WITH found AS (
  SELECT upload.id AS upload_id, item.id AS item_id, item.organization_id, item.team_id, item.name, item.expiration_date,
    -- A UUID of version 7, which tells the partition of the event log.
    (lpad(to_hex(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
      || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid AS event_id
  FROM upload_notifications AS upload
  JOIN expiration_items AS item ON item.id = upload.expiration_item_id
  CROSS JOIN LATERAL (
    SELECT (upload.received_at AT TIME ZONE 'UTC')::date AS received,
      lower(regexp_replace(upload.filename, '^.*[/\\]|\.[A-Za-z0-9]{1,5}$', '', 'g')) AS title
  ) AS file
  WHERE upload.state = 'FILED' AND item.is_active AND item.expiration_date IS NOT NULL
    AND item.created = upload.filed_at AND item.modified = item.created
    AND NOT EXISTS (
      SELECT FROM jsonb_each_text(CASE jsonb_typeof(upload.upload_tags) WHEN 'object' THEN upload.upload_tags ELSE '{}' END) AS tag
      WHERE lower(tag.key) = 'expiration_date' AND btrim(tag.value) <> '')
    AND item.expiration_date IS DISTINCT FROM upload.suggested_expiration_date
    AND NOT coalesce(upload.suggestions @> jsonb_build_array(jsonb_build_object(
      'field', 'expiration_date', 'value', to_char(item.expiration_date, 'YYYY-MM-DD'))), false)
    AND NOT EXISTS (
      SELECT FROM event_log_entities AS entity JOIN event_logs AS event ON event.id = entity.event_id
      WHERE entity.entity_id = upload.id AND event.type_id = 12)
    AND file.title !~ '(^|[^[:alpha:]])exp|valid|good|g(ü|u|ue)ltig|abl(a|ä)uf|verfall|befristet|valable|(e|é)ch(e|é)ance|caduc|venc|vigente|scad|v(a|á)lid|geldig|vervalt?|verloop|until|jusqu|hasta|fino'
    AND (
      abs(item.expiration_date - file.received) <= 1
      OR item.expiration_date <= file.received AND (
        file.title ~ '^(mv|px|e|fb_)?img|^(pxl|dsc[fn]?|dcim|sam|cimg|imag|pict|gopr|dji|pano|vid|mov|aud|ptt|win|wp|received|signal|epson|brother|canon|ccf)[-_ ]?\d'
        OR file.title ~ '^(whatsapp|viber|wechat|screen ?shot|screen ?recording|bildschirmfoto|capture d|captura de|schermata|schermafbeelding|cam ?scanner|adobe ?scan|genius ?scan|tiny ?scan|turbo ?scan|swift ?scan|scanbot|office ?lens|microsoft ?lens|hp ?scan|photo[ _]on)'
        OR btrim(regexp_replace(file.title, '[^[:alpha:]]+', ' ', 'g')) || ' ' ~ '^ ?((scan|scans|scanned|scanner|photo|foto|picture|image|bild|document|documents|doc|dokument|documento|file|page|new|neues|nouveau|nuevo|nuovo|nieuw|note|fax|wa|am|pm|at|um|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mrz|mai|okt|dez|[a-z]) )*$'
      )
    )
), changed AS (
  UPDATE expiration_items AS item SET expiration_date = NULL, modified = greatest(now()::timestamptz(3), item.modified + interval '1 millisecond')
  FROM found WHERE item.id = found.item_id RETURNING item.id
), waiting AS (
  UPDATE upload_notifications AS upload
  SET needs_review = true, modified = greatest(now()::timestamptz(3), upload.modified + interval '1 millisecond')
  FROM found WHERE upload.id = found.upload_id RETURNING upload.id
), logged AS (
  INSERT INTO event_logs (id, organization_id, team_id, type_id, description, details, created)
  SELECT event_id, organization_id, team_id, 2, format('Expiration item "%s" was updated: expiration_date', name),
    json_build_object('expiration_date', json_build_object('before', expiration_date, 'after', NULL)), now()
  FROM found RETURNING id
)
INSERT INTO event_log_entities (event_id, entity_id, type_id, position) SELECT event_id, item_id, 1, 0 FROM found;
