import { readFile } from 'node:fs/promises';
import { sha256Of } from '../../db/files/contents.js';
import { formatDate } from '../../domain/dates.js';
import type { DemoData, DemoFile } from './data.js';
import { writePdf } from './pdf.js';
import { writeInto } from './picture.js';
import { age, type DemoIds, type DemoPlace, dateFrom, daysFrom } from './place.js';

/** Dates of a document. Like the item's date, they count from the day on which the demo is loaded. */
interface Dates {
  readonly issued: Date;
  readonly expires: Date;
}

const longDate = new Intl.DateTimeFormat('en-CA', { dateStyle: 'long', timeZone: 'UTC' });

/** Replaces `{issued}` and `{expires}` by dates. */
const dated = (text: string, dates: Dates) =>
  text.replace(/\{(issued|expires)\}/g, (_, name: keyof Dates) => longDate.format(dates[name]));

/** Creates the bytes of a file, with the dates of its item. */
async function contentOf({ text, pdf, picture }: DemoFile, dates: Dates) {
  if (pdf) {
    const rows = pdf.rows.map(([label, value]) => [label, dated(value, dates)] as const);
    return { contentType: 'application/pdf', content: writePdf({ ...pdf, rows }) };
  }
  if (picture) {
    const png = await readFile(new URL(`../../../prisma/${picture.source}`, import.meta.url));
    const captions = (['issued', 'expires'] as const).map((name) => ({
      ...picture[name],
      text: formatDate(dates[name]),
    }));
    return { contentType: 'image/png', content: writeInto(png, captions) };
  }
  return { contentType: 'text/plain', content: Buffer.from(text ?? '') };
}

/** Creates the rows of files, and of their bytes. */
export async function fileRows(data: DemoData, ids: DemoIds, { organizationId, teamId, now }: DemoPlace) {
  const daysOf = new Map(data.items.map((item) => [item.name, item.days ?? 0]));
  const files = data.files.map(async (file) => {
    const { item, name, validDays = 0 } = file;
    const days = daysOf.get(item) ?? 0;
    const dates = { issued: dateFrom(now, days - validDays), expires: dateFrom(now, days) };
    const { contentType, content } = await contentOf(file, dates);
    const [id, itemId] = [ids.attachment(name), ids.item(item)];
    // A document cannot be filed before it was issued.
    const created = daysFrom(now, validDays > 0 ? Math.max(days - validDays, -age) : -age);
    const head = { id, organizationId, teamId, itemId, name, contentType, position: 0, created };
    const digest = await sha256Of(content);
    return { head: { ...head, contentLength: content.length }, bytes: { attachmentId: id, content, digest } };
  });
  const rows = await Promise.all(files);
  return { attachments: rows.map(({ head }) => head), contents: rows.map(({ bytes }) => bytes) };
}
