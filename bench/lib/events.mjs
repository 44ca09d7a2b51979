// Events of the past months, each about one item, in a partition for each month.

/** Events of each item, whatever their total number. */
const eventsOfItem = 20;

/** Replaces the partition of earlier events, which is empty, by one for each month. */
const partitions = (months) => `
  DROP TABLE event_log_entities_before, event_logs_before;
  SELECT add_event_partition(to_char(month, 'YYYY_MM'), month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC')
  FROM generate_series(date_trunc('month', now() AT TIME ZONE 'UTC') - interval '${months} months',
    date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months', interval '1 month') AS month;`;

/** Creates them as a table of times and ids, from which both tables are filled. */
const times = (count, months) => `
  CREATE TEMP TABLE made ON COMMIT DROP AS
  SELECT g, created, (left(replace(first_id_at(created)::text, '-', ''), 12) || '7' || substr(md5(g::text), 1, 3)
    || '8' || substr(md5(g::text), 4, 15))::uuid AS id
  FROM (
    SELECT g, now() - interval '${months} months' + interval '${months} months' * (g::float8 / ${count}) AS created
    FROM generate_series(1, ${count}) AS g
  ) AS spread;`;

/**
 * Fills the event log.
 * @param owner organization, workspace and user that caused all of them
 * @param id returns SQL for the id of a kind's record with a number
 */
export async function seedEvents(client, { events, months }, { organizationId, teamId, userId }, id) {
  await client.query(partitions(months));
  await client.query(times(events, months));
  await client.query(`
    INSERT INTO event_logs (id, organization_id, team_id, type_id, description, details, user_id, user_name, created)
    SELECT id, '${organizationId}', '${teamId}', 1 + g % 5, 'Expiration item "Licence ' || g % 50000 || '" was updated: details',
      '{"details":{"before":"Details of ' || g || '","after":"Details of ' || g::bigint * 7919 % 1000000 || ': lorem ipsum dolor"}}',
      '${userId}', 'Administrator', created
    FROM made`);
  await client.query(`
    INSERT INTO event_log_entities (event_id, entity_id, type_id, position)
    SELECT id, ${id('item', `1 + g % ${events / eventsOfItem}`)}, 1, 0 FROM made`);
}
