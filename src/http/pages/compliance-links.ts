import {
  complianceLinkLimits,
  findByComplianceLink,
  noteUseOfLink,
  type ShownCompliance,
} from '../../access/compliance-links.js';
import type { SharedQuotas } from '../../access/shared-quotas.js';
import type { Database } from '../../db/connection/database.js';
import { formatDate } from '../../domain/dates.js';
import { paths } from '../../domain/doors/paths.js';
import { escapeHtml, type Language, pickLanguage, shownName } from '../../mail/mail.js';
import { wordDate } from '../../mail/reminder-mail.js';
import type { Endpoint, Handle } from '../routing/endpoint.js';
import { quietPageHeaders } from './assets.js';
import { complianceLinkTexts } from './compliance-link-texts.js';
import { chosenLanguage, languageLinks, limitLinks } from './link-pages.js';
import { htmlDocument, resolveFiles } from './pages.js';

/** A sign, which says a state by its form as well as by its colour. */
interface Sign {
  readonly style: 'good' | 'near' | 'late' | 'plain';
  readonly path: string;
}

const cross = 'M9 9l14 14M23 9L9 23';

/** Signs of the states. */
const signs: Readonly<Record<ShownCompliance['state'], Sign>> = {
  COMPLIANT: { style: 'good', path: 'M7 17l6 6L25 9' },
  DUE: { style: 'near', path: 'M16 7v12M16 25v.1' },
  NON_COMPLIANT: { style: 'late', path: cross },
  NOT_REQUIRED: { style: 'plain', path: 'M8 16h16' },
  RETIRED: { style: 'late', path: cross },
};

/** Renders a sign. The words beside it say the same. */
const signHtml = ({ path }: Sign) =>
  `<svg viewBox="0 0 32 32" width="56" height="56" aria-hidden="true"><path d="${path}"/></svg>`;

/** Renders what a link shows. */
function shownHtml(language: Language, { kind, name, plate, state, until, on }: ShownCompliance) {
  const texts = complianceLinkTexts[language];
  const title = escapeHtml(name ? shownName(language, name) : texts.kinds[kind]);
  const fact = (label: string, date: Date) =>
    `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(wordDate(language, formatDate(date)))}</dd>`;
  const sign = signs[state];
  const body = `<h1 dir="auto">${title}</h1>
${plate ? `<p class="plate" dir="auto">${escapeHtml(plate)}</p>` : ''}
<div class="verdict ${sign.style}">
${signHtml(sign)}
<p>${state === 'RETIRED' ? '' : `<span>${escapeHtml(texts.about)}</span> `}<strong>${escapeHtml(texts.states[state])}</strong></p>
</div>
<dl>${until ? fact(texts.until, until) : ''}${fact(texts.on, on)}</dl>`;
  return { title, body };
}

/** Renders the page of a link. Links that open nothing have the same page, whatever the reason. */
function linkPage(language: Language, shown: ShownCompliance | undefined, styles: readonly string[]): string {
  const texts = complianceLinkTexts[language];
  const { title, body } = shown
    ? shownHtml(language, shown)
    : {
        title: 'Expiration gateway',
        body: `<h1>Expiration gateway</h1><p class="lead">${escapeHtml(texts.unknown)}</p>`,
      };
  const content = `<main id="main" class="gate">
${body}
${languageLinks(language, texts.languages)}
</main>`;
  return htmlDocument({ language, title, styles, layout: 'reading', body: content });
}

interface ComplianceLinkOptions {
  readonly database: Database;
  readonly clock: () => Date;
  readonly quotas: SharedQuotas;
  readonly uptime: () => number;
}

/**
 * Creates the endpoint of links to the compliance of records, which stickers lead to. It shows the name of the record, the
 * state and until when: no documents, and nobody else's name. Nothing is stored by browsers, because the state is that of
 * the moment.
 */
export function complianceLinkEndpoint({ database, clock, quotas, uptime }: ComplianceLinkOptions): Endpoint {
  const use = limitLinks({
    ...{ quotas, uptime, kind: 'gate', perMinute: complianceLinkLimits.perMinute },
    message: complianceLinkTexts.en.often,
  });
  const handle: Handle = async ({ id = '', header, query }, { sender, headOnly }) => {
    const now = clock();
    const shown = await findByComplianceLink(database, id, now);
    use(id, shown !== undefined, sender);
    // A person who looks sees the body.
    if (shown && !headOnly) noteUseOfLink(database, { id: shown.linkId, at: now });
    const accepted = (header('accept-language') ?? '').split(/[,;\s]+/);
    const language = chosenLanguage(query) ?? pickLanguage(...accepted);
    const { styles } = await resolveFiles(['style.css', 'reading.css']);
    return { status: shown ? 200 : 404, headers: quietPageHeaders, body: linkPage(language, shown, styles) };
  };
  return {
    path: paths.complianceLink,
    door: 'page',
    isSecret: true,
    methods: { GET: { access: 'public', handle } },
  };
}
