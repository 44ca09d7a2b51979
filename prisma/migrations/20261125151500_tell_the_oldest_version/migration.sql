-- The oldest version of the gateway that can use this schema. A migration that takes away what older versions use
-- replaces this function with the version that stopped using it.
CREATE FUNCTION oldest_version() RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT '0.2.0' $$;
