import type { Language } from './languages.js';
import type { MailContent } from './message.js';
import { reminderTexts } from './reminder-texts.js';
import { escapeHtml } from './template.js';

/** Writes the test mail that an administrator sends. */
export function trialMail(language: Language): MailContent {
  const { subject, text } = reminderTexts[language].test;
  const html =
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>` +
    `<body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;padding:24px">` +
    `<h1 style="font-size:22px">${escapeHtml(subject)}</h1><p>${escapeHtml(text)}</p></body></html>`;
  return { subject, text: `${text}\n`, html };
}
