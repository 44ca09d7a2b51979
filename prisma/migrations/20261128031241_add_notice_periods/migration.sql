-- The last day to give notice of an item, and how it follows from the expiration date.
ALTER TABLE "expiration_items" ADD COLUMN     "notice_date" DATE,
ADD COLUMN     "notice_rule" JSONB;
