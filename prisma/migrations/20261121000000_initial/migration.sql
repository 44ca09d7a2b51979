-- What Prisma's language cannot say stands at the top and at the end; the rest is made from the models.

-- Trigram indexes serve the lists' `term`. The extension is trusted: the owner of a database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- What two natural keys (an e-mail address, a VIN, a name) are compared by: letter case and surrounding white
-- space (Unicode's, as JavaScript trims it) do not count, and an empty one is none, so it collides with nothing.
CREATE FUNCTION natural_key(value TEXT) RETURNS TEXT
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN nullif(
  lower(btrim(value, U&'\0009\000A\000B\000C\000D\0020\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000\FEFF')),
  ''
);

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "upload_state" AS ENUM ('RECEIVED', 'FILED', 'FAILED', 'IGNORED');

-- CreateEnum
CREATE TYPE "role" AS ENUM ('ADMIN', 'MEMBER', 'VIEWER', 'UPLOADER');

-- CreateTable
CREATE TABLE "attachments" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "item_id" UUID NOT NULL,
    "name" TEXT,
    "content_type" TEXT,
    "content_length" BIGINT NOT NULL,
    "source_url" TEXT,
    "position" INTEGER NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "attachments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attachment_contents" (
    "attachment_id" UUID NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "attachment_contents_pkey" PRIMARY KEY ("attachment_id")
);

-- CreateTable
CREATE TABLE "categories" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "custom_fields" JSONB NOT NULL DEFAULT '[]',
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "categories_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "companies" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "name" TEXT,
    "doing_business_as" TEXT,
    "phone" TEXT,
    "website" TEXT,
    "address_line_1" TEXT,
    "address_line_2" TEXT,
    "city" TEXT,
    "province" TEXT,
    "postal_code" TEXT,
    "country_id" UUID,
    "tax_id" TEXT,
    "tax_type_id" INTEGER,
    "type_id" UUID,
    "primary_contact_id" UUID,
    "assigned_to_id" UUID,
    "is_archived" BOOLEAN NOT NULL DEFAULT false,
    "custom_fields" JSONB NOT NULL DEFAULT '[]',
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "companies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "contacts" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "name" TEXT,
    "email" TEXT NOT NULL,
    "timezone" TEXT,
    "mobile" TEXT,
    "phone" TEXT,
    "assigned_to_id" UUID,
    "type_id" UUID,
    "contact_id" TEXT,
    "location_id" UUID,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "custom_fields" JSONB NOT NULL DEFAULT '[]',
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contacts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "contact_types" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "name" TEXT,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contact_types_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event_logs" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "type_id" INTEGER NOT NULL,
    "description" TEXT NOT NULL,
    "details" TEXT,
    "user_id" UUID,
    "user_name" TEXT,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_logs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event_log_entities" (
    "event_id" UUID NOT NULL,
    "entity_id" UUID NOT NULL,
    "type_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "event_log_entities_pkey" PRIMARY KEY ("event_id","type_id","entity_id")
);

-- CreateTable
CREATE TABLE "expiration_items" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "expiration_date" DATE,
    "time_of_day" TEXT,
    "details" TEXT,
    "category_id" UUID NOT NULL,
    "assigned_to_id" UUID,
    "contact_id" UUID,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "is_missing" BOOLEAN NOT NULL DEFAULT false,
    "custom_fields" JSONB NOT NULL DEFAULT '[]',
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "expiration_items_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "expiration_item_contacts" (
    "item_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "expiration_item_contacts_pkey" PRIMARY KEY ("item_id","contact_id")
);

-- CreateTable
CREATE TABLE "expiration_item_locations" (
    "item_id" UUID NOT NULL,
    "location_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "expiration_item_locations_pkey" PRIMARY KEY ("item_id","location_id")
);

-- CreateTable
CREATE TABLE "expiration_item_tags" (
    "item_id" UUID NOT NULL,
    "tag_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "expiration_item_tags_pkey" PRIMARY KEY ("item_id","tag_id")
);

-- CreateTable
CREATE TABLE "renewals" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "item_id" UUID NOT NULL,
    "previous_date" DATE,
    "expiration_date" DATE NOT NULL,
    "details" TEXT,
    "user_id" UUID,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "renewals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "locations" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "parent_location_id" UUID,
    "name" TEXT,
    "custom_fields" JSONB NOT NULL DEFAULT '[]',
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "locations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notes" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "name" TEXT,
    "body" TEXT,
    "body_text" TEXT,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "note_relations" (
    "note_id" UUID NOT NULL,
    "entity_id" UUID NOT NULL,
    "entity_type" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "note_relations_pkey" PRIMARY KEY ("note_id","entity_type","entity_id")
);

-- CreateTable
CREATE TABLE "organizations" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tags" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "name" TEXT,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tags_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "teams" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "reminder_days" INTEGER NOT NULL DEFAULT 30,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "teams_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "upload_notifications" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "access_token_id" UUID,
    "user_id" UUID,
    "notification_id" BIGINT,
    "action" TEXT,
    "timestamp" BIGINT,
    "container" TEXT,
    "url" TEXT,
    "filename" TEXT,
    "client" TEXT,
    "key" TEXT,
    "type" TEXT,
    "status" TEXT,
    "size" BIGINT,
    "upload_tags" JSONB,
    "dedupe_key" TEXT NOT NULL,
    "state" "upload_state" NOT NULL DEFAULT 'RECEIVED',
    "error" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "filed_at" TIMESTAMPTZ(3),
    "expiration_item_id" UUID,
    "attachment_id" UUID,

    CONSTRAINT "upload_notifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "team_id" UUID NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "user_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("user_id","team_id")
);

-- CreateTable
CREATE TABLE "access_tokens" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "hash" BYTEA NOT NULL,
    "signing_secret" BYTEA,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "access_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "vehicles" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "name" TEXT,
    "vin" TEXT,
    "license_plate" TEXT,
    "year" INTEGER,
    "make" TEXT,
    "model" TEXT,
    "trim" TEXT,
    "color" TEXT,
    "body_type" TEXT,
    "registration_province" TEXT,
    "msrp" DOUBLE PRECISION,
    "primary_meter_type_id" INTEGER,
    "primary_meter_reading" INTEGER,
    "ownership_id" INTEGER,
    "status_id" UUID,
    "folder_id" UUID,
    "location_id" UUID,
    "type_id" UUID,
    "vehicle_fuel_type_id" UUID,
    "assigned_to_contact_id" UUID,
    "assigned_to_id" UUID,
    "is_archived" BOOLEAN NOT NULL DEFAULT false,
    "custom_fields" JSONB NOT NULL DEFAULT '[]',
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "vehicles_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "attachments_item_id_position_idx" ON "attachments"("item_id", "position");

-- CreateIndex
CREATE INDEX "attachments_organization_id_idx" ON "attachments"("organization_id");

-- CreateIndex
CREATE INDEX "attachments_team_id_idx" ON "attachments"("team_id");

-- CreateIndex
CREATE INDEX "categories_organization_id_name_id_idx" ON "categories"("organization_id", "name", "id");

-- CreateIndex
CREATE INDEX "categories_team_id_idx" ON "categories"("team_id");

-- CreateIndex
CREATE INDEX "categories_term_idx" ON "categories" USING GIN ("name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "companies_organization_id_name_id_idx" ON "companies"("organization_id", "name", "id");

-- CreateIndex
CREATE INDEX "companies_team_id_idx" ON "companies"("team_id");

-- CreateIndex
CREATE INDEX "companies_primary_contact_id_idx" ON "companies"("primary_contact_id");

-- CreateIndex
CREATE INDEX "companies_assigned_to_id_idx" ON "companies"("assigned_to_id");

-- CreateIndex
CREATE INDEX "companies_term_idx" ON "companies" USING GIN ("name" gin_trgm_ops, "doing_business_as" gin_trgm_ops, "tax_id" gin_trgm_ops, "phone" gin_trgm_ops, "city" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "contacts_organization_id_name_id_idx" ON "contacts"("organization_id", "name", "id");

-- CreateIndex
CREATE INDEX "contacts_team_id_idx" ON "contacts"("team_id");

-- CreateIndex
CREATE INDEX "contacts_assigned_to_id_idx" ON "contacts"("assigned_to_id");

-- CreateIndex
CREATE INDEX "contacts_type_id_idx" ON "contacts"("type_id");

-- CreateIndex
CREATE INDEX "contacts_location_id_idx" ON "contacts"("location_id");

-- CreateIndex
CREATE INDEX "contacts_term_idx" ON "contacts" USING GIN ("name" gin_trgm_ops, "email" gin_trgm_ops, "phone" gin_trgm_ops, "mobile" gin_trgm_ops, "contact_id" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "contact_types_organization_id_name_id_idx" ON "contact_types"("organization_id", "name", "id");

-- CreateIndex
CREATE INDEX "contact_types_team_id_idx" ON "contact_types"("team_id");

-- CreateIndex
CREATE INDEX "contact_types_term_idx" ON "contact_types" USING GIN ("name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "event_logs_organization_id_created_id_idx" ON "event_logs"("organization_id", "created", "id");

-- CreateIndex
CREATE INDEX "event_logs_organization_id_type_id_created_id_idx" ON "event_logs"("organization_id", "type_id", "created", "id");

-- CreateIndex
CREATE INDEX "event_logs_team_id_idx" ON "event_logs"("team_id");

-- CreateIndex
CREATE INDEX "event_logs_user_id_idx" ON "event_logs"("user_id");

-- CreateIndex
CREATE INDEX "event_logs_term_idx" ON "event_logs" USING GIN ("description" gin_trgm_ops, "details" gin_trgm_ops, "user_name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "event_log_entities_entity_id_event_id_idx" ON "event_log_entities"("entity_id", "event_id");

-- CreateIndex
CREATE INDEX "expiration_items_organization_id_expiration_date_id_idx" ON "expiration_items"("organization_id", "expiration_date", "id");

-- CreateIndex
CREATE INDEX "expiration_items_organization_id_name_id_idx" ON "expiration_items"("organization_id", "name", "id");

-- CreateIndex
CREATE INDEX "expiration_items_organization_id_modified_id_idx" ON "expiration_items"("organization_id", "modified", "id");

-- CreateIndex
CREATE INDEX "expiration_items_team_id_is_active_expiration_date_idx" ON "expiration_items"("team_id", "is_active", "expiration_date");

-- CreateIndex
CREATE INDEX "expiration_items_category_id_idx" ON "expiration_items"("category_id");

-- CreateIndex
CREATE INDEX "expiration_items_assigned_to_id_idx" ON "expiration_items"("assigned_to_id");

-- CreateIndex
CREATE INDEX "expiration_items_contact_id_idx" ON "expiration_items"("contact_id");

-- CreateIndex
CREATE INDEX "expiration_items_term_idx" ON "expiration_items" USING GIN ("name" gin_trgm_ops, "details" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "expiration_item_contacts_contact_id_idx" ON "expiration_item_contacts"("contact_id");

-- CreateIndex
CREATE INDEX "expiration_item_locations_location_id_idx" ON "expiration_item_locations"("location_id");

-- CreateIndex
CREATE INDEX "expiration_item_tags_tag_id_idx" ON "expiration_item_tags"("tag_id");

-- CreateIndex
CREATE INDEX "renewals_item_id_created_idx" ON "renewals"("item_id", "created");

-- CreateIndex
CREATE INDEX "renewals_organization_id_idx" ON "renewals"("organization_id");

-- CreateIndex
CREATE INDEX "renewals_team_id_idx" ON "renewals"("team_id");

-- CreateIndex
CREATE INDEX "renewals_user_id_idx" ON "renewals"("user_id");

-- CreateIndex
CREATE INDEX "locations_organization_id_name_id_idx" ON "locations"("organization_id", "name", "id");

-- CreateIndex
CREATE INDEX "locations_team_id_idx" ON "locations"("team_id");

-- CreateIndex
CREATE INDEX "locations_parent_location_id_idx" ON "locations"("parent_location_id");

-- CreateIndex
CREATE INDEX "locations_term_idx" ON "locations" USING GIN ("name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "notes_organization_id_modified_id_idx" ON "notes"("organization_id", "modified", "id");

-- CreateIndex
CREATE INDEX "notes_team_id_idx" ON "notes"("team_id");

-- CreateIndex
CREATE INDEX "notes_term_idx" ON "notes" USING GIN ("name" gin_trgm_ops, "body_text" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "note_relations_entity_id_idx" ON "note_relations"("entity_id");

-- CreateIndex
CREATE INDEX "tags_organization_id_name_id_idx" ON "tags"("organization_id", "name", "id");

-- CreateIndex
CREATE INDEX "tags_team_id_idx" ON "tags"("team_id");

-- CreateIndex
CREATE INDEX "tags_term_idx" ON "tags" USING GIN ("name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "teams_organization_id_name_id_idx" ON "teams"("organization_id", "name", "id");

-- CreateIndex
CREATE INDEX "teams_term_idx" ON "teams" USING GIN ("name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "upload_notifications_organization_id_received_at_id_idx" ON "upload_notifications"("organization_id", "received_at", "id");

-- CreateIndex
CREATE INDEX "upload_notifications_organization_id_state_received_at_idx" ON "upload_notifications"("organization_id", "state", "received_at");

-- CreateIndex
CREATE INDEX "upload_notifications_team_id_idx" ON "upload_notifications"("team_id");

-- CreateIndex
CREATE INDEX "upload_notifications_access_token_id_idx" ON "upload_notifications"("access_token_id");

-- CreateIndex
CREATE INDEX "upload_notifications_user_id_idx" ON "upload_notifications"("user_id");

-- CreateIndex
CREATE INDEX "upload_notifications_expiration_item_id_idx" ON "upload_notifications"("expiration_item_id");

-- CreateIndex
CREATE INDEX "upload_notifications_attachment_id_idx" ON "upload_notifications"("attachment_id");

-- CreateIndex
CREATE UNIQUE INDEX "upload_notifications_organization_id_dedupe_key_key" ON "upload_notifications"("organization_id", "dedupe_key");

-- CreateIndex
CREATE INDEX "users_team_id_idx" ON "users"("team_id");

-- CreateIndex
CREATE INDEX "memberships_team_id_idx" ON "memberships"("team_id");

-- CreateIndex
CREATE UNIQUE INDEX "access_tokens_hash_key" ON "access_tokens"("hash");

-- CreateIndex
CREATE INDEX "access_tokens_organization_id_created_idx" ON "access_tokens"("organization_id", "created");

-- CreateIndex
CREATE INDEX "access_tokens_user_id_idx" ON "access_tokens"("user_id");

-- CreateIndex
CREATE INDEX "vehicles_organization_id_name_id_idx" ON "vehicles"("organization_id", "name", "id");

-- CreateIndex
CREATE INDEX "vehicles_organization_id_modified_id_idx" ON "vehicles"("organization_id", "modified", "id");

-- CreateIndex
CREATE INDEX "vehicles_team_id_idx" ON "vehicles"("team_id");

-- CreateIndex
CREATE INDEX "vehicles_location_id_idx" ON "vehicles"("location_id");

-- CreateIndex
CREATE INDEX "vehicles_assigned_to_contact_id_idx" ON "vehicles"("assigned_to_contact_id");

-- CreateIndex
CREATE INDEX "vehicles_assigned_to_id_idx" ON "vehicles"("assigned_to_id");

-- CreateIndex
CREATE INDEX "vehicles_term_idx" ON "vehicles" USING GIN ("name" gin_trgm_ops, "vin" gin_trgm_ops, "license_plate" gin_trgm_ops, "make" gin_trgm_ops, "model" gin_trgm_ops);

-- AddForeignKey
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_item_id_fkey" FOREIGN KEY ("item_id") REFERENCES "expiration_items"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attachment_contents" ADD CONSTRAINT "attachment_contents_attachment_id_fkey" FOREIGN KEY ("attachment_id") REFERENCES "attachments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "categories" ADD CONSTRAINT "categories_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "categories" ADD CONSTRAINT "categories_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "companies" ADD CONSTRAINT "companies_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "companies" ADD CONSTRAINT "companies_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "companies" ADD CONSTRAINT "companies_primary_contact_id_fkey" FOREIGN KEY ("primary_contact_id") REFERENCES "contacts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "companies" ADD CONSTRAINT "companies_assigned_to_id_fkey" FOREIGN KEY ("assigned_to_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_assigned_to_id_fkey" FOREIGN KEY ("assigned_to_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_type_id_fkey" FOREIGN KEY ("type_id") REFERENCES "contact_types"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_types" ADD CONSTRAINT "contact_types_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_types" ADD CONSTRAINT "contact_types_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_logs" ADD CONSTRAINT "event_logs_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_logs" ADD CONSTRAINT "event_logs_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_logs" ADD CONSTRAINT "event_logs_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_log_entities" ADD CONSTRAINT "event_log_entities_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "event_logs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "expiration_items" ADD CONSTRAINT "expiration_items_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "expiration_items" ADD CONSTRAINT "expiration_items_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "expiration_items" ADD CONSTRAINT "expiration_items_category_id_fkey" FOREIGN KEY ("category_id") REFERENCES "categories"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "expiration_items" ADD CONSTRAINT "expiration_items_assigned_to_id_fkey" FOREIGN KEY ("assigned_to_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "expiration_items" ADD CONSTRAINT "expiration_items_contact_id_fkey" FOREIGN KEY ("contact_id") REFERENCES "contacts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "expiration_item_contacts" ADD CONSTRAINT "expiration_item_contacts_item_id_fkey" FOREIGN KEY ("item_id") REFERENCES "expiration_items"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "expiration_item_contacts" ADD CONSTRAINT "expiration_item_contacts_contact_id_fkey" FOREIGN KEY ("contact_id") REFERENCES "contacts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "expiration_item_locations" ADD CONSTRAINT "expiration_item_locations_item_id_fkey" FOREIGN KEY ("item_id") REFERENCES "expiration_items"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "expiration_item_locations" ADD CONSTRAINT "expiration_item_locations_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "expiration_item_tags" ADD CONSTRAINT "expiration_item_tags_item_id_fkey" FOREIGN KEY ("item_id") REFERENCES "expiration_items"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "expiration_item_tags" ADD CONSTRAINT "expiration_item_tags_tag_id_fkey" FOREIGN KEY ("tag_id") REFERENCES "tags"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "renewals" ADD CONSTRAINT "renewals_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "renewals" ADD CONSTRAINT "renewals_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "renewals" ADD CONSTRAINT "renewals_item_id_fkey" FOREIGN KEY ("item_id") REFERENCES "expiration_items"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "renewals" ADD CONSTRAINT "renewals_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "locations" ADD CONSTRAINT "locations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "locations" ADD CONSTRAINT "locations_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "locations" ADD CONSTRAINT "locations_parent_location_id_fkey" FOREIGN KEY ("parent_location_id") REFERENCES "locations"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "note_relations" ADD CONSTRAINT "note_relations_note_id_fkey" FOREIGN KEY ("note_id") REFERENCES "notes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tags" ADD CONSTRAINT "tags_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tags" ADD CONSTRAINT "tags_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "teams" ADD CONSTRAINT "teams_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "upload_notifications" ADD CONSTRAINT "upload_notifications_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "upload_notifications" ADD CONSTRAINT "upload_notifications_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "upload_notifications" ADD CONSTRAINT "upload_notifications_access_token_id_fkey" FOREIGN KEY ("access_token_id") REFERENCES "access_tokens"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "upload_notifications" ADD CONSTRAINT "upload_notifications_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "upload_notifications" ADD CONSTRAINT "upload_notifications_expiration_item_id_fkey" FOREIGN KEY ("expiration_item_id") REFERENCES "expiration_items"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "upload_notifications" ADD CONSTRAINT "upload_notifications_attachment_id_fkey" FOREIGN KEY ("attachment_id") REFERENCES "attachments"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "vehicles" ADD CONSTRAINT "vehicles_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "vehicles" ADD CONSTRAINT "vehicles_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "vehicles" ADD CONSTRAINT "vehicles_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "vehicles" ADD CONSTRAINT "vehicles_assigned_to_contact_id_fkey" FOREIGN KEY ("assigned_to_contact_id") REFERENCES "contacts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "vehicles" ADD CONSTRAINT "vehicles_assigned_to_id_fkey" FOREIGN KEY ("assigned_to_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Unique in the organization. The name of each index names its column: it tells which field a refused write was
-- about.
CREATE UNIQUE INDEX "users_email_key" ON "users" ("organization_id", natural_key("email"));
CREATE UNIQUE INDEX "contacts_email_key" ON "contacts" ("organization_id", natural_key("email"));
CREATE UNIQUE INDEX "contact_types_name_key" ON "contact_types" ("organization_id", natural_key("name"));
CREATE UNIQUE INDEX "vehicles_vin_key" ON "vehicles" ("organization_id", natural_key("vin"));
CREATE UNIQUE INDEX "companies_tax_id_key" ON "companies" ("organization_id", natural_key("tax_id"));
-- Under the same parent; two names at the root collide as well.
CREATE UNIQUE INDEX "locations_name_key" ON "locations"
  ("organization_id", coalesce("parent_location_id", '00000000-0000-0000-0000-000000000000'), natural_key("name"));

-- Unique in the workspace: another workspace's names must not be told.
CREATE UNIQUE INDEX "categories_name_key" ON "categories" ("organization_id", "team_id", natural_key("name"));
CREATE UNIQUE INDEX "tags_name_key" ON "tags" ("organization_id", "team_id", natural_key("name"));
