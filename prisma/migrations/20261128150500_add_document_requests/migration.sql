-- Requests for documents, and the links with which their recipients answer.
-- CreateEnum
CREATE TYPE "document_request_state" AS ENUM ('OPEN', 'SENT', 'RECEIVED', 'ACCEPTED', 'CANCELLED', 'LAPSED');

-- CreateEnum
CREATE TYPE "document_request_ending" AS ENUM ('MEMBER', 'MET', 'ITEM_GONE', 'HOLDER_GONE', 'TYPE_GONE', 'RECIPIENT_GONE');

-- CreateTable
CREATE TABLE "document_requests" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "category_id" UUID,
    "item_id" UUID,
    "renews" BOOLEAN NOT NULL DEFAULT false,
    "item_date" DATE,
    "holder_kind" TEXT,
    "vehicle_id" UUID,
    "contact_id" UUID,
    "company_id" UUID,
    "location_id" UUID,
    "recipient_id" UUID,
    "email" TEXT,
    "language" TEXT,
    "message" TEXT,
    "due_on" DATE,
    "state" "document_request_state" NOT NULL DEFAULT 'OPEN',
    "ending" "document_request_ending",
    "declined_reason" TEXT,
    "held_item_id" UUID,
    "answer" TEXT,
    "stated_date" DATE,
    "link_id" UUID,
    "delivery_id" UUID,
    "user_id" UUID,
    "settled_by_id" UUID,
    "sent_at" TIMESTAMPTZ(3),
    "received_at" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3),
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "document_requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "document_request_links" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "recipient_key" TEXT NOT NULL,
    "round" INTEGER NOT NULL DEFAULT 0,
    "hash" BYTEA,
    "expires_at" TIMESTAMPTZ(3),
    "mails" INTEGER NOT NULL DEFAULT 0,
    "next_mail_at" TIMESTAMPTZ(3),

    CONSTRAINT "document_request_links_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "document_requests_organization_id_created_id_idx" ON "document_requests"("organization_id", "created", "id");

-- CreateIndex
CREATE INDEX "document_requests_team_id_created_id_idx" ON "document_requests"("team_id", "created", "id");

-- CreateIndex
CREATE INDEX "document_requests_category_id_idx" ON "document_requests"("category_id");

-- CreateIndex
CREATE INDEX "document_requests_item_id_idx" ON "document_requests"("item_id");

-- CreateIndex
CREATE INDEX "document_requests_held_item_id_idx" ON "document_requests"("held_item_id");

-- CreateIndex
CREATE INDEX "document_requests_vehicle_id_idx" ON "document_requests"("vehicle_id");

-- CreateIndex
CREATE INDEX "document_requests_contact_id_idx" ON "document_requests"("contact_id");

-- CreateIndex
CREATE INDEX "document_requests_company_id_idx" ON "document_requests"("company_id");

-- CreateIndex
CREATE INDEX "document_requests_location_id_idx" ON "document_requests"("location_id");

-- CreateIndex
CREATE INDEX "document_requests_recipient_id_idx" ON "document_requests"("recipient_id");

-- CreateIndex
CREATE INDEX "document_requests_link_id_idx" ON "document_requests"("link_id");

-- CreateIndex
CREATE INDEX "document_requests_delivery_id_idx" ON "document_requests"("delivery_id");

-- CreateIndex
CREATE INDEX "document_requests_user_id_idx" ON "document_requests"("user_id");

-- CreateIndex
CREATE INDEX "document_requests_settled_by_id_idx" ON "document_requests"("settled_by_id");

-- CreateIndex
CREATE UNIQUE INDEX "document_request_links_hash_key" ON "document_request_links"("hash");

-- CreateIndex
CREATE INDEX "document_request_links_organization_id_idx" ON "document_request_links"("organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "document_request_links_team_id_recipient_key_key" ON "document_request_links"("team_id", "recipient_key");

-- AddForeignKey
ALTER TABLE "document_requests" ADD CONSTRAINT "document_requests_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_requests" ADD CONSTRAINT "document_requests_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_requests" ADD CONSTRAINT "document_requests_category_id_fkey" FOREIGN KEY ("category_id") REFERENCES "categories"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_requests" ADD CONSTRAINT "document_requests_item_id_fkey" FOREIGN KEY ("item_id") REFERENCES "expiration_items"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_requests" ADD CONSTRAINT "document_requests_held_item_id_fkey" FOREIGN KEY ("held_item_id") REFERENCES "expiration_items"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_requests" ADD CONSTRAINT "document_requests_vehicle_id_fkey" FOREIGN KEY ("vehicle_id") REFERENCES "vehicles"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_requests" ADD CONSTRAINT "document_requests_contact_id_fkey" FOREIGN KEY ("contact_id") REFERENCES "contacts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_requests" ADD CONSTRAINT "document_requests_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_requests" ADD CONSTRAINT "document_requests_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_requests" ADD CONSTRAINT "document_requests_recipient_id_fkey" FOREIGN KEY ("recipient_id") REFERENCES "contacts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_requests" ADD CONSTRAINT "document_requests_link_id_fkey" FOREIGN KEY ("link_id") REFERENCES "document_request_links"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_requests" ADD CONSTRAINT "document_requests_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "deliveries"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_requests" ADD CONSTRAINT "document_requests_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_requests" ADD CONSTRAINT "document_requests_settled_by_id_fkey" FOREIGN KEY ("settled_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_request_links" ADD CONSTRAINT "document_request_links_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateTrigger
CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON "document_requests"
  FOR EACH ROW EXECUTE FUNCTION tell_change();

-- What is asked of each recipient, and whose mail is due.
CREATE INDEX "document_request_links_next_mail_at_idx" ON "document_request_links"("next_mail_at") WHERE "next_mail_at" IS NOT NULL;

-- Requests that wait for somebody are looked through often, and are few.
CREATE INDEX "document_requests_open_idx" ON "document_requests"("team_id", "id") WHERE "state" IN ('OPEN', 'SENT');

-- At most one column has the id of the record, that of its kind. All are null once the record is gone.
ALTER TABLE "document_requests" ADD CONSTRAINT "document_requests_holder_kind_check" CHECK (
  "holder_kind" IN ('vehicle', 'contact', 'company', 'location')
  AND num_nonnulls("vehicle_id", "contact_id", "company_id", "location_id") <= 1
  OR "holder_kind" IS NULL AND num_nonnulls("vehicle_id", "contact_id", "company_id", "location_id") = 0
);

-- Knows requests for documents as well.
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
    WHEN 16 THEN EXISTS (SELECT FROM requirements WHERE id = wanted)
    WHEN 17 THEN EXISTS (SELECT FROM document_requests WHERE id = wanted)
  END
$$;
