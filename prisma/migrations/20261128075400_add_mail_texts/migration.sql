-- CreateEnum
CREATE TYPE "mail_text_scope" AS ENUM ('ORGANIZATION', 'TEAM', 'CATEGORY');

-- CreateTable
CREATE TABLE "mail_texts" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "scope" "mail_text_scope" NOT NULL DEFAULT 'TEAM',
    "category_id" UUID,
    "words" JSONB NOT NULL DEFAULT '[]',
    "sender_name" TEXT,
    "reply_to" TEXT,
    "logo" TEXT,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_texts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "mail_texts_team_id_idx" ON "mail_texts"("team_id");

-- CreateIndex
CREATE INDEX "mail_texts_category_id_idx" ON "mail_texts"("category_id");

-- AddForeignKey
ALTER TABLE "mail_texts" ADD CONSTRAINT "mail_texts_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_texts" ADD CONSTRAINT "mail_texts_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_texts" ADD CONSTRAINT "mail_texts_category_id_fkey" FOREIGN KEY ("category_id") REFERENCES "categories"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateTrigger
CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON "mail_texts"
  FOR EACH ROW EXECUTE FUNCTION tell_change();

-- One for the organization, one for each workspace, and one for each document type.
CREATE UNIQUE INDEX "mail_texts_scope_key" ON "mail_texts" ("organization_id",
  (CASE "scope" WHEN 'ORGANIZATION' THEN "organization_id" WHEN 'TEAM' THEN "team_id" ELSE "category_id" END));

ALTER TABLE "mail_texts" ADD CONSTRAINT "mail_texts_category_check"
  CHECK (("scope" = 'CATEGORY') = ("category_id" IS NOT NULL));

-- Notes and events can be about mail texts.
CREATE OR REPLACE FUNCTION record_exists(kind integer, wanted uuid) RETURNS boolean
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
    WHEN 15 THEN EXISTS (SELECT FROM mail_texts WHERE id = wanted)
  END
$$;
