-- The values of custom fields, folded, as a list in JSON. A term that is escaped as in JSON never reaches from one value
-- into the next, because between them there are quotation marks that are not escaped.
CREATE FUNCTION custom_field_values(fields JSONB) RETURNS TEXT
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN folded(jsonb_path_query_array(fields, '$[*].value ? (@ != null)')::text);
