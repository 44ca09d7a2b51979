-- Until now, any permanent refusal of a mail was taken for that of its address: also that of a limit, of spam, or of a full
-- mailbox. Addresses that were suppressed for a refusal get mail again, unless a delivery proves that the mailbox is
-- dead: its reply has one of the codes of RFC 3463 for mailboxes that do not exist or are disabled, and says nothing else.
WITH released AS (
  DELETE FROM suppressions AS suppression
  WHERE reason = 'REFUSED' AND NOT EXISTS (
    SELECT FROM deliveries AS delivery
    WHERE delivery.organization_id = suppression.organization_id
      AND natural_key(delivery.address) = suppression.address_key
      AND delivery.state = 'FAILED' AND delivery.status_code >= 500 AND delivery.kind = 'MAIL'
      AND delivery.last_error ~ '^5\d\d[ -]5\.(1\.(1|6|10)|2\.1)(?![\d.])'
      AND delivery.last_error !~* '\y(quota|limit\w*|rate|exceed\w*|full|spam\w*|block\w*|policy|relay\w* (access )?denied|too many|temporar\w*|later|sender)\y')
  RETURNING organization_id, address_key
), addresses AS (
  SELECT DISTINCT organization_id, address_key FROM released
)
INSERT INTO event_logs (id, organization_id, team_id, type_id, description, details, created)
SELECT
  -- A UUID of version 7, which tells the partition of the event log.
  (lpad(to_hex(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
    || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
  organization_id, team.id, 4, format('Mails to %s are sent again', address_key), NULL, now()
FROM addresses CROSS JOIN LATERAL (
  SELECT id FROM teams WHERE teams.organization_id = addresses.organization_id ORDER BY created, id LIMIT 1
) AS team;

-- Each address has one entry of each scope: the one that ends last.
DELETE FROM suppressions AS suppression USING suppressions AS other
WHERE other.organization_id = suppression.organization_id AND other.address_key = suppression.address_key
  AND other.scope = suppression.scope AND other.scope_id IS NOT DISTINCT FROM suppression.scope_id
  AND (coalesce(other.until, 'infinity'), other.id) > (coalesce(suppression.until, 'infinity'), suppression.id);
