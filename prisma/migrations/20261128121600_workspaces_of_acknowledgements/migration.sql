-- Acknowledgements stayed in the former workspace of an item that was moved, and so did postponements made of them.
UPDATE acknowledgements AS own SET team_id = item.team_id
FROM expiration_items AS item WHERE item.id = own.item_id AND own.team_id <> item.team_id;

UPDATE postponements AS own SET team_id = item.team_id
FROM expiration_items AS item WHERE item.id = own.item_id AND own.team_id <> item.team_id;
